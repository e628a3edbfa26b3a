"""Writing: records into one file, hand by hand."""

from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Literal, TextIO, get_args

from razz_env.history import fulltilt_text, json_lines, phh_text, pokerstars_text
from razz_env.history.record import HandRecord, HistoryError

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
    return _TEXTS[check_format(to)](record.completed())


def write(records: Iterable[HandRecord], path: str | Path, to: Format | None = None) -> int:
    """Write records into one file and return how many.

    Args:
        records: any records; they are completed by the engine.
        path: the file. It appears whole at the end or not at all.
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


class HistoryWriter:
    """A file of hands that is being written; use it in a `with` statement.

    The hands go into a file beside it, which takes its name when all went well.
    """

    def __init__(self, path: str | Path, to: Format | None = None) -> None:
        """Open the file for writing.

        Raises:
            ValueError: an unknown format.
            OSError: the folder does not exist or may not be written.
        """
        self.path = Path(path)
        self.format = check_format(to, self.path)
        self.single = self.path.suffix.lower() == ".phh"
        self.count = 0
        self._part = self.path.with_name(self.path.name + ".part")
        self._stream: TextIO = self._part.open("w", encoding="utf-8", newline="\n")

    def write(self, record: HandRecord) -> None:
        """Add a complete record.

        Raises:
            HistoryError: the format cannot hold it; the file is as before.
        """
        text = _TEXTS[self.format](record)
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
        self._stream.close()
        if kind is None:
            self._part.replace(self.path)
        else:
            self._part.unlink()
