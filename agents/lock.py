"""A lock on a folder, so that two programs do not write into it at once."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from agents.whole_files import sweep


class FolderInUse(ValueError):
    """A folder in which another program works, or in which no lock can be made."""


@contextmanager
def locked(folder: Path, work: str = "training") -> Iterator[None]:
    """Hold the folder's lock for a while; the system lets go of it if the program is killed.

    What a program that was killed has left half written is deleted.

    Args:
        folder: that exists.
        work: what runs in such a folder, for the sentence.

    Raises:
        FolderInUse: another program, or another session of this one, holds it; or no lock can be
            made there.
    """
    path = folder / "lock"
    try:
        file = path.open("w")
    except OSError as error:
        raise FolderInUse(f"{path} cannot be written: {error.strerror}.") from error
    with file:
        try:
            _lock(file)
        except OSError as error:
            raise FolderInUse(
                f"{folder} is in use: another {work} runs in it. Wait for its end, or stop it."
            ) from error
        sweep(folder)
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
