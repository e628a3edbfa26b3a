"""Writing the hands of a session into a file while they are played."""

from pathlib import Path
from types import TracebackType

from agents.table.finished import FinishedHand
from razz_env.history import HistoryError
from razz_env.history.writing import HistoryWriter


class SessionFile:
    """The hands of a session as its person saw them; a `with` block in which they are played.

    However the block ends, the hands that are over are in the file.

    Attributes:
        refused: sentence about each hand that the format cannot hold.
    """

    def __init__(self, path: Path, seat: int | None) -> None:
        """`path` ends in .phhs, .phh (one hand) or .jsonl; `seat` is the person's.

        Raises:
            ValueError: another ending.
            OSError: the file may not be written.
        """
        self.refused: list[str] = []
        self.seat = seat
        self._writer = HistoryWriter(path)

    @property
    def count(self) -> int:
        """How many hands were written."""
        return self._writer.count

    def add(self, hand: FinishedHand) -> None:
        """Write a finished hand."""
        try:
            self._writer.write(hand.seen_by(self.seat).completed())
        except HistoryError as error:
            self.refused.append(str(error))

    def __enter__(self) -> "SessionFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.__exit__(None, None, None)
