"""Files that appear whole or not at all, even if the program is killed while it writes."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Another path to write to, whose file takes the place of `path` when the block ends well."""
    part = path.with_name(f"{path.name}.part")
    yield part
    part.replace(path)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is never seen half written."""
    with whole(path) as part:
        part.write_bytes(content)


def write_json(path: Path, told: Any) -> None:
    """Write what was found as JSON for other programs, to a device such as /dev/stdout as well."""
    text = json.dumps(told, indent=2) + "\n"
    if path.exists() and not path.is_file():
        path.write_text(text)
    else:
        write_whole(path, text.encode())


def refuse_url(path: str | Path, option: str) -> None:
    """Refuse an address where a path is wanted: it would become a folder of an odd name.

    Raises:
        ValueError: naming it, as the value of this option.
    """
    if re.match(r"[a-z][a-z0-9+.-]+:/", str(path)):
        raise ValueError(
            f"{option}={str(path)!r} is an address, and files are written to folders: mount the "
            "store as one, such as with `rclone mount`, or copy what was written there."
        )
