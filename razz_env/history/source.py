"""Files of hand histories as a stream of hands: encodings, lines, where one hand ends.

A file is read in pieces, so its size does not matter; a hand is a `Block` of lines with the number
of its first line. What is wrong with one block is said of that block alone.
"""

import codecs
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TextIO

from razz_env.history.record import HandRecord

PIECE = 1 << 18
"""Characters read at a time; a longer line is cut, since no hand has one."""

MAX_BLOCK_LINES = 20_000
"""A hand of more lines is garbage: a thousand is plenty."""

SUFFIXES = (".txt", ".phh", ".phhs", ".log", ".jsonl", ".json")
"""Endings of the files that are read in a folder."""


class Block(NamedTuple):
    """The text of one hand: `line` is the number of its first line in the file, from 1."""

    lines: list[str]
    line: int


@dataclass(frozen=True, slots=True)
class Found:
    """A hand that was read."""

    record: HandRecord
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A hand that is whole, but not of Razz: `game` is what the file calls it."""

    game: str
    file: str
    line: int
    hand_id: str

    def __str__(self) -> str:
        hand = f"hand #{self.hand_id}" if self.hand_id else "a hand"
        return f"{self.file}, line {self.line}: {hand} is a hand of {self.game}, not of Razz."


@dataclass(frozen=True, slots=True)
class Failed:
    """A hand that could not be read, or should not be trusted, and the reason."""

    reason: str
    file: str
    line: int
    hand_id: str

    def __str__(self) -> str:
        hand = f", hand #{self.hand_id}" if self.hand_id else ""
        return f"{self.file}, line {self.line}{hand}: {self.reason}"


Result = Found | Skipped | Failed


def files_of(paths: Iterable[str | Path], seen: set[Path] | None = None) -> Iterator[Path]:
    """The history files named or lying in the folders named, each once, in order of their names.

    `seen` are the files that were read before; it grows.

    Raises:
        FileNotFoundError: a path that does not exist, or is an empty text.
    """
    seen = set() if seen is None else seen
    for name in paths:
        if not name:
            raise FileNotFoundError("A path is empty: name a file or a folder, '.' for this one.")
        path = Path(name)
        if not path.exists():
            raise FileNotFoundError(f"There is no file or folder {path}.")
        for file in _in_folder(path) if path.is_dir() else [path]:
            if (real := file.resolve()) not in seen:
                seen.add(real)
                yield file


def _in_folder(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())


def open_text(path: Path, encoding: str | None = None) -> TextIO:
    """A text file in UTF-8 or UTF-16, recognised by its first bytes, unless `encoding` is given.

    Bytes that do not decode become lone surrogates (UTF-8) or U+FFFD, for `damaged_text` to find.
    """
    raw = path.open("rb")
    chosen = encoding or _sniff_encoding(raw)
    errors = "replace" if chosen.startswith("utf-16") else "surrogateescape"
    return io.TextIOWrapper(raw, chosen, errors=errors)


def _sniff_encoding(raw: io.BufferedReader) -> str:
    head = raw.peek(64)[:64]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if head[1::2].count(0) > len(head) // 4:
        return "utf-16-le"
    if head[::2].count(0) > len(head) // 4:
        return "utf-16-be"
    return "utf-8-sig"


def damaged_text(lines: Iterable[str]) -> str | None:
    """A sentence about characters that are no text, or None.

    A lone U+FFFD that stands in a file as such is left alone: rooms have written them.
    """
    for offset, line in enumerate(lines):
        if line.isascii():
            continue
        bad = next((c for c in line if "\ud800" <= c <= "\udfff"), None)
        if bad is not None:
            return (
                f"the byte 0x{ord(bad) - 0xDC00:02x} in its line {offset + 1} is not UTF-8: save "
                "the file as UTF-8 or UTF-16, or name its encoding, such as cp1252."
            )
    return None


def numbered_lines(
    stream: TextIO, on_read: Callable[[int], None] | None = None
) -> Iterator[tuple[int, str]]:
    """(number from 1, text without its end) of every line, with the memory of one piece."""
    number, rest = 1, ""
    while piece := stream.read(PIECE):
        if on_read:
            on_read(len(piece))
        lines = (rest + piece).split("\n")
        rest = lines.pop()
        for line in lines:
            yield number, _plain(line)
            number += 1
        if len(rest) > PIECE:
            yield number, rest
            rest = ""
    if rest:
        yield number, _plain(rest)


def _plain(line: str) -> str:
    """The line without blanks at its end and without the marks of files joined before it.

    Rooms have printed blanks at the end of many lines; nothing that a hand tells ends in one.
    """
    return line.rstrip(" \t\r").lstrip("\ufeff")
