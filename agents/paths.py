"""Questions about paths that a person gives, and refusals of those that cannot be meant."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

PLAYER_ENDINGS = {".safetensors", ".zip", ".npz", ".yaml", ".yml"}
"""Endings of the files of players and runs."""


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
    refuse_players(path, option, ".json")
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


def refuse_players(path: Path, option: str, ending: str) -> None:
    """Refuse to write results or hands where a player or a run lies by its ending.

    Args:
        path: of the file.
        option: that names it.
        ending: that it might have, for the sentence.

    Raises:
        ValueError: naming the file.
    """
    if path.suffix.lower() in PLAYER_ENDINGS:
        raise ValueError(
            f"{option} {str(path)!r} has the ending of players and runs, and nothing else is to "
            f"take the place of one: give it another ending, such as {ending}."
        )


def safely(question: Callable[[], bool]) -> bool:
    """The answer to a question about a path, such as `path.is_file`: no, if it is too long."""
    try:
        return question()
    except OSError:
        return False
