"""Writing: records into one file, hand by hand."""

import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Literal, TextIO, get_args

from razz_env.history import fulltilt_text, json_lines, phh_text, pokerstars_text
from razz_env.history.checks import check_whole
from razz_env.history.record import HandRecord, HistoryError
from razz_env.rules.terms import Action

Format = Literal["phh", "pokerstars", "fulltilt", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)

_TEXTS: dict[str, Callable[[HandRecord], str]] = {
    "phh": phh_text.hand_text,
    "pokerstars": pokerstars_text.hand_text,
    "fulltilt": fulltilt_text.hand_text,
    "json": json_lines.hand_text,
}
_BY_SUFFIX: dict[str, Format] = {
    ".phh": "phh",
    ".phhs": "phh",
    ".json": "json",
    ".jsonl": "json",
}


def hand_text(record: HandRecord, to: Format) -> str:
    """One hand as text, every amount filled in by the engine.

    Raises:
        HistoryError: the rules do not allow the hand, or the format cannot hold it.
    """
    return _text(record.completed(), check_format(to))


def _text(record: HandRecord, to: Format) -> str:
    """The text of a complete record that can be read back."""
    return _TEXTS[to](check_whole(record))


def write(records: Iterable[HandRecord], path: str | Path, to: Format | None = None) -> int:
    """Write records into one file and return how many.

    Args:
        records: any records; they are completed by the engine.
        path: the file. It appears whole at the end or, without a record, not at all.
        to: "phh", "pokerstars", "fulltilt" or "json"; None goes by the ending .phh, .phhs, .json or
            .jsonl. A .phh file holds one hand.

    Raises:
        HistoryError: a hand that the rules do not allow or the format cannot hold.
        ValueError: an unknown format.
    """
    with HistoryWriter(path, to) as writer:
        for record in records:
            writer.write(record.completed())
    return writer.count


def check_format(to: str | None, path: Path | None = None) -> Format:
    """The format meant by a name or by a file's ending.

    Raises:
        ValueError: neither says which.
    """
    if to in FORMATS:
        return to
    if to is None and path is not None and path.suffix.lower() in _BY_SUFFIX:
        return _BY_SUFFIX[path.suffix.lower()]
    what = f"There is no format {to!r}" if to else f"The name {path} does not tell the format"
    raise ValueError(f"{what}; the formats are {', '.join(FORMATS)}.")


def lost_facts(record: HandRecord, to: Format) -> list[str]:
    """What a format has no place for, of what the record knows.

    No room prints the bring-in itself. A reader finds it where somebody pays it, and otherwise
    takes it as about 30 % of the small bet, with `HandRecord.bring_in_known` False. The button is
    told by the order of PokerStars' antes alone; else the seats come back from the lowest chair on.
    """
    if to not in ("pokerstars", "fulltilt"):
        return []
    lost = [] if not record.bring_in_known or _shows_bring_in(record) else ["the bring-in"]
    chairs = [seat.number for seat in record.seats]
    tells_button = to == "pokerstars" and record.rules.ante > 0
    return lost if tells_button or chairs == sorted(chairs) else [*lost, "the button"]


def _shows_bring_in(record: HandRecord) -> bool:
    bring_in = record.rules.bring_in
    paid = (m for m in record.moves if m.street == 3 and Action.CALL <= m.action <= Action.BRING_IN)
    return any(move.to_chips == bring_in and not move.all_in for move in paid)


def is_part_of(path: Path, target: Path) -> bool:
    """Whether a file has the name of one in which a writer of `target` gathers its hands."""
    name = re.escape(target.name) + r"\.[0-9a-f]{8}\.part"
    return path.parent == target.parent and re.fullmatch(name, path.name) is not None


class HistoryWriter:
    """A file of hands that is being written; use it in a `with` statement.

    The hands go into a new file beside it, which takes its name when all went well and some hand
    was written. One that a killed writer has left stays: it may hold hands that nothing else does.
    A device or pipe, such as /dev/stdout, is written directly.
    """

    def __init__(self, path: str | Path, to: Format | None = None) -> None:
        """Open the file for writing.

        Raises:
            ValueError: an unknown format.
            OSError: the path is a folder, or the file or its folder may not be written.
        """
        self.path = Path(path)
        self.format = check_format(to, self.path)
        self.single = self.path.suffix.lower() == ".phh"
        self.count = 0
        self._target = self.path.resolve()
        self._part: Path | None = None
        self._stream = self._open()

    def _open(self) -> TextIO:
        if self.path.is_dir():
            raise IsADirectoryError(f"{self.path} is a folder: name the file to write.")
        if self.path.exists() and not self.path.is_file():
            return self.path.open("w", encoding="utf-8", newline="\n")
        if self.path.exists() and not os.access(self.path, os.W_OK):
            raise PermissionError(f"The file {self.path} may not be written.")
        part = self._target.with_name(f"{self._target.name}.{secrets.token_hex(4)}.part")
        try:
            stream = part.open("x", encoding="utf-8", newline="\n")
        except OSError as error:
            raise type(error)(f"{self.path} cannot be written: {error.strerror}.") from None
        self._part = part
        return stream

    def write(self, record: HandRecord) -> None:
        """Add a complete record.

        Raises:
            HistoryError: the format cannot hold it; the file is as before.
        """
        text = _text(record, self.format)
        if self.format == "phh" and not self.single:
            text = f"[{self.count + 1}]\n{text}\n"
        elif self.single and self.count:
            raise HistoryError("a .phh file holds one hand: name the file .phhs for more.")
        elif self.format in ("pokerstars", "fulltilt"):
            text += "\n\n"
        self._stream.write(text)
        self.count += 1

    def __enter__(self) -> "HistoryWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._stream.close()
            if kind is None and self.count and self._part:
                if self._target.exists():
                    shutil.copymode(self._target, self._part)
                self._part.replace(self._target)
        finally:
            if self._part:
                self._part.unlink(missing_ok=True)
