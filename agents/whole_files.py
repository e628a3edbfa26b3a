"""Files that appear whole or not at all, even if the program is killed while it writes."""

import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_SYSTEM = (("/", "dev"), ("/", "proc"))


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Another path to write to, whose file takes the place of `path` when the block ends well.

    A link stays, and what it points at is replaced. A device is written straight to. Of several
    that write one path at a time, each writes a file of its own, and the last to end stays.

    Raises:
        OSError: as the block or the system raises it, with `path` as its file's name.
    """
    with naming(path):
        if is_device(path):
            yield path
            return
        target = Path(os.path.realpath(path))
        part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
        try:
            yield part
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        except BaseException:
            with suppress(OSError):  # what went wrong before is to be told
                part.unlink()
            raise


def sweep(folder: Path) -> None:
    """Delete what writers that were killed have left in a folder, in which nobody else writes."""
    for part in folder.rglob("*.????????.part"):
        with suppress(OSError):  # it is in nobody's way
            part.unlink()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of the system in the block tell the name of this file, which a full disk does not."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is never seen half written."""
    stream = _stream_at(path)
    if stream is None:
        with whole(path) as part:
            part.write_bytes(content)
    else:
        sys.stdout.flush()
        with naming(path), open(stream, "wb", closefd=False) as file:
            file.write(content)


def write_result(path: Path, text: str) -> None:
    """Write what was found, to a device such as /dev/stdout as well.

    Raises:
        ValueError: it cannot be written, with the reason.
    """
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be written: {error.strerror}.") from error


def write_json(path: Path, told: Any) -> None:
    """Write what was found as JSON for other programs.

    Raises:
        ValueError: as `write_result`.
    """
    write_result(path, json.dumps(told, indent=2) + "\n")


def is_device(path: Path) -> bool:
    """Whether it is no file that another may take the place of.

    Devices and pipes are none, nor is what a link of the system leads to, such as /dev/stdout, even
    if that is a file at the moment.
    """
    if any(link.parent.resolve().parts[:2] in _SYSTEM for link in _links(path)):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def _links(path: Path) -> Iterator[Path]:
    """The links on the way to a file, this path first."""
    seen: set[Path] = set()
    while path.is_symlink() and path not in seen:
        seen.add(path)
        yield path
        path = path.parent / path.readlink()


def _stream_at(path: Path) -> int | None:
    """The program's own output or error stream, if the device is that one.

    Opened a second time, a file that it is redirected to would be written over.
    """
    if is_device(path) and path.exists():
        for stream in (1, 2):
            with suppress(OSError):  # a stream that is closed
                if os.path.samestat(path.stat(), os.fstat(stream)):
                    return stream
    return None
