"""Files that appear whole or not at all, even if the program is killed while it writes."""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_SYSTEM = (("/", "dev"), ("/", "proc"))
PLAYERS = {".safetensors", ".zip", ".npz", ".yaml", ".yml"}
"""Endings of the files of players and runs."""


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Another path to write to, whose file takes the place of `path` when the block ends well.

    A link stays, and what it points at is replaced. A device is written straight to.

    Raises:
        OSError: as the block or the system raises it, with `path` as its file's name.
    """
    with naming(path):
        if is_device(path):
            yield path
            return
        target = Path(os.path.realpath(path))
        part = target.with_name(f"{target.name}.part")
        try:
            yield part
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        except BaseException:
            with suppress(OSError):  # what went wrong before is to be told
                part.unlink()
            raise


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


def check_file(path: Path | None, option: str = "--json") -> None:
    """Refuse before the match what could not, or should not, be written after it.

    Args:
        path: of the file, the option's value; None for none.
        option: that names it.

    Raises:
        ValueError: no folder, a folder or an address instead of a file, one that must not be
            written to, or the ending of a player's or a run's file.
    """
    if path is None:
        return
    refuse_url(path, option)
    refuse_players(path, option, ".json or .md")
    if not safely(path.parent.is_dir):
        raise ValueError(f"There is no folder {str(path.parent)!r} to write {path.name!r} to.")
    if safely(path.is_dir):
        raise ValueError(f"{str(path)!r} is a folder; {option} names a file.")
    try:
        if path.exists():
            path.open("ab").close()
        else:
            tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be written: {error.strerror}.") from error


def refuse_players(path: Path, option: str, endings: str) -> None:
    """Refuse to write results or hands where a player or a run lies by its ending.

    Args:
        path: of the file.
        option: that names it.
        endings: that it may have, for the sentence.

    Raises:
        ValueError: naming the file.
    """
    if path.suffix.lower() in PLAYERS:
        raise ValueError(
            f"{option} {str(path)!r} has the ending of players and runs, and nothing else is to "
            f"take the place of one: name a file that ends in {endings}."
        )


def safely(question: Callable[[], bool]) -> bool:
    """The answer to a question about a path, such as `path.is_file`: no, if it is too long."""
    try:
        return question()
    except OSError:
        return False
