"""Files that appear whole or not at all, even if the program is killed while it writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
