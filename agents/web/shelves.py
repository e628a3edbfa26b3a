"""Hands that a page can look up one by one: those of a table, or those of a file."""

from collections.abc import Sequence
from typing import Any, Protocol

from agents.table.finished import FinishedHand
from agents.table.replays import SteppedHand
from agents.table.session import Table
from agents.web.messages import Refused
from razz_env.history import HandRecord, HistoryError
from razz_env.history.writing import Format, hand_text

TITLES = 100
"""Titles in one message."""


class Shelf(Protocol):
    """Hands by number."""

    def titles(self, start: int) -> dict[str, Any]:
        """Up to TITLES lines of {"hand", "text"} from a place on, and how many there are."""

    def record(self, number: int) -> HandRecord:
        """A hand as the viewer may see it; Refused if there is none."""

    def records(self) -> list[HandRecord]:
        """All hands as the viewer may see them, the oldest first."""


class LastHands:
    """The last hands of a table, as one viewer may look them up."""

    def __init__(self, table: Table, seat: int | None) -> None:
        """`seat` is the viewer's, None for a spectator."""
        self._table, self._seat = table, seat

    def titles(self, start: int) -> dict[str, Any]:
        """See `Shelf.titles`; the newest hand comes first."""
        kept = list(reversed(self._table.history))
        lines = [{"hand": hand.number, "text": self._title(hand)} for hand in kept]
        return {"total": len(lines), "titles": lines[start : start + TITLES]}

    def _title(self, hand: FinishedHand) -> str:
        big_bet = self._table.rules.big_bet
        lows = [showing.low for showing in hand.record.showings if showing.low]
        text = hand.won(self._table.names, big_bet)
        own = "" if self._seat is None else f", you {hand.net_chips[self._seat] / big_bet:+.1f}"
        return f"{text}{own}{' · showdown' if lows else ''}"

    def record(self, number: int) -> HandRecord:
        """See `Shelf.record`."""
        for hand in self._table.history:
            if hand.number == number:
                return self._seen(hand)
        raise Refused(f"Hand {number} is not among the last {len(self._table.history)} hands.")

    def _seen(self, hand: FinishedHand) -> HandRecord:
        return hand.seen_by(self._seat, open_cards=self._table.is_open)

    def records(self) -> list[HandRecord]:
        """See `Shelf.records`."""
        return [self._seen(hand) for hand in self._table.history]


class Library:
    """The hands of a file, for everyone who looks."""

    def __init__(self, records: Sequence[HandRecord]) -> None:
        """`records`: in the order of the file."""
        self._records = records

    def titles(self, start: int) -> dict[str, Any]:
        """See `Shelf.titles`; numbers are places in the file from 1."""
        shown = enumerate(self._records[start : start + TITLES], start + 1)
        lines = [{"hand": number, "text": SteppedHand(record).title} for number, record in shown]
        return {"total": len(self._records), "titles": lines}

    def record(self, number: int) -> HandRecord:
        """See `Shelf.record`."""
        if not 1 <= number <= len(self._records):
            raise Refused(f"There is no hand {number}; the file has {len(self._records)}.")
        return self._records[number - 1]

    def records(self) -> list[HandRecord]:
        """See `Shelf.records`."""
        return list(self._records)


def file_text(records: Sequence[HandRecord], to: Format) -> tuple[str, list[str]]:
    """Hands as the text of one file, and a sentence about each that the format cannot hold."""
    texts: list[str] = []
    refused: list[str] = []
    for record in records:
        try:
            text = hand_text(record, to)
        except HistoryError as error:
            refused.append(str(error))
            continue
        texts.append(f"[{len(texts) + 1}]\n{text}" if to == "phh" else f"{text}\n")
    return "\n".join(texts), refused
