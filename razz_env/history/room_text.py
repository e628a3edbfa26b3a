"""A record written as the text of a poker room: the course that all rooms share.

`pokerstars_text` and `fulltilt_text` add the words. Records must be complete
(`HandRecord.completed`).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from razz_env.history.money import format_amount
from razz_env.history.reading_back import check_read_back
from razz_env.history.record import Award, Bystander, HandRecord, HistoryError, Move, Seat
from razz_env.history.room import MAX_CHAIRS, known_number, repeated, short_enough
from razz_env.rules.cards import NO_CARD, format_card
from razz_env.rules.terms import Action

_CURRENCY = re.compile("[A-Z]{3}")


def bracketed(cards: tuple[int, ...]) -> str:
    """`"[4c 2h 8h]"`."""
    return f"[{' '.join(format_card(card) for card in cards)}]"


class RoomText(ABC):
    """One hand in a room's words."""

    street_titles: ClassVar[dict[int, str]]
    early_shows = False
    """Whether the room prints all-in hands before the rest is dealt."""

    def __init__(self, record: HandRecord) -> None:
        """Take a complete record.

        Raises:
            HistoryError: what the text cannot hold, such as a name of two lines.
        """
        _check_chairs([*record.seats, *record.bystanders])
        _check_boards(record.seats)
        self._check_line(record)
        self.record = record
        self.live = record.live_seats
        self.last_move_street = record.moves[-1].street if record.moves else 2
        self.last_street = 7 if len(self.live) > 1 else max(self.last_move_street, 3)

    @staticmethod
    def _check_line(record: HandRecord) -> None:
        """Texts stand in one line, and a currency is read back by its three letters.

        Raises:
            HistoryError: one that does not.
        """
        lows = (showing.low for showing in record.showings)
        for text in (record.table, record.mix, record.club, *(record.tournament or ()), *lows):
            if len(f"{text}.".splitlines()) != 1:
                raise HistoryError(f"{text!r} cannot stand in a line of text.")
        if record.currency and not _CURRENCY.fullmatch(record.currency):
            raise HistoryError(f"{record.currency!r} is no currency such as USD.")

    def text(self) -> str:
        """The whole hand, ending with a newline.

        Raises:
            HistoryError: a line or a fact that would not be read back.
        """
        text = "\n".join(map(short_enough, self.lines())) + "\n"
        number = known_number(hand_number(self.record))
        check_read_back(text, self.record, {"hand_id": number, **self.facts_of_head()})
        return text

    # ---- words of the room

    @abstractmethod
    def head(self) -> Iterator[str]:
        """The lines before the seat list."""

    @abstractmethod
    def facts_of_head(self) -> dict[str, Any]:
        """Fields of the record as they should be read there."""

    @abstractmethod
    def chair(self, number: int, name: str, stack: int, plays: bool) -> str:
        """A line of the seat list."""

    @abstractmethod
    def ante(self, seat: Seat) -> str:
        """An ante."""

    @abstractmethod
    def own_groups(self, cards: tuple[int, ...], street: int) -> str:
        """The cards of a `Dealt to` line of a hand that is seen whole, down cards too."""

    @abstractmethod
    def move(self, move: Move, level: int) -> str:
        """An action; `level` is the highest street total before it."""

    @abstractmethod
    def uncalled(self, seat: int, chips: int) -> str:
        """Uncalled chips."""

    @abstractmethod
    def ending(self) -> Iterator[str]:
        """Showdown, winners and summary."""

    def title_end(self, street: int) -> str:
        """What follows a street's title."""
        shared = self.record.community
        return f" {bracketed((shared,))}" if street == 7 and shared is not None else ""

    def after_deal(self, street: int) -> Iterator[str]:
        """Lines between a street's cards and its actions."""
        yield from ()

    # ---- the course of a hand

    def lines(self) -> Iterator[str]:
        """Every line of the hand."""
        yield from self.head()
        yield from self._chairs()
        yield from (self.ante(seat) for seat in self.record.seats if seat.ante)
        if not self.record.moves:
            yield from self._returned()
        for street in range(3, self.last_street + 1):
            yield f"*** {self.street_titles[street]} ***{self.title_end(street)}"
            yield from self._deals(street)
            yield from self.after_deal(street)
            yield from self._moves(street)
            if self.early_shows and street == max(self.last_move_street, 3) < self.last_street:
                yield from self.early()
        yield from self.ending()

    def early(self) -> Iterator[str]:
        """All-in hands that lie open before the rest is dealt."""
        yield from ()

    def _chairs(self) -> Iterator[str]:
        chairs = [(seat.number, seat.name, seat.stack, True) for seat in self.record.seats]
        chairs += [(b.number, b.name, b.stack, False) for b in self.record.bystanders]
        yield from (self.chair(*chair) for chair in sorted(chairs))

    def _deals(self, street: int) -> Iterator[str]:
        for number in self.seats_on(street):
            name, cards = self.record.seats[number].name, self.record.seats[number].cards
            if self.lies_open(number, street):
                if street < 7 or self.record.community is None:
                    yield f"Dealt to {name} {self.own_groups(cards[:street], street)}"
            elif street == 3:
                yield f"Dealt to {name} {bracketed(cards[2:3])}"
            elif street < 7:
                new = bracketed(cards[street - 1 : street])
                yield f"Dealt to {name} {bracketed(cards[2 : street - 1])} {new}"

    def seats_on(self, street: int) -> list[int]:
        """Seats that get a card on a street."""
        gone = {
            move.seat
            for move in self.record.moves
            if move.action == Action.FOLD and move.street < street
        }
        return [seat for seat in range(len(self.record.seats)) if seat not in gone]

    def lies_open(self, seat: int, street: int) -> bool:
        """Whether the file shows a seat's down cards when a street is dealt."""
        cards = self.record.seats[seat].cards[:street]
        return seat == self.record.hero and NO_CARD not in cards

    def _moves(self, street: int) -> Iterator[str]:
        level = 0
        for move in self.record.moves:
            if move.street == street:
                yield self.move(move, level)
                level = max(level, move.to_chips)
        if self.record.moves and street == self.last_move_street:
            yield from self._returned()

    def _returned(self) -> Iterator[str]:
        for seat, chips in enumerate(self.record.returned):
            if chips:
                yield self.uncalled(seat, chips)

    # ---- words that rooms share

    def name(self, seat: int) -> str:
        """Name of a seat."""
        return self.record.seats[seat].name

    def money(self, chips: int) -> str:
        """An amount as printed."""
        return format_amount(chips, self.record.currency)

    def pot_name(self, pot: int, number: str) -> str:
        """`pot`, `main pot`, `side pot`, or `side pot` with a number such as `-{}`."""
        if len(self.record.pots) < 2:
            return "pot"
        if pot == 0:
            return "main pot"
        return "side pot" + (number.format(pot) if len(self.record.pots) > 2 else "")

    def awards(self) -> list[Award]:
        """What was won, the last side pot first."""
        return sorted(self.record.awards, key=lambda award: -award.pot)

    def total(self) -> str:
        """The line that adds up the pots."""
        pots = self.record.pots
        parts = ""
        if len(pots) > 1:
            names = [self.pot_name(number, "-{}").capitalize() for number in range(len(pots))]
            amounts = (
                f"{name} {self.money(chips)}." for name, chips in zip(names, pots, strict=True)
            )
            parts = " " + " ".join(amounts)
        total = self.money(self.record.total_pot or 0)
        return f"Total pot {total}{parts} | Rake {self.money(self.record.rake)}"

    def lows(self) -> dict[int, str]:
        """Seat -> name of the low it showed."""
        return {s.seat: s.low for s in self.record.showings if not s.mucked}

    def fold_streets(self) -> dict[int, int]:
        """Seat -> street on which it folded."""
        return {m.seat: m.street for m in self.record.moves if m.action == Action.FOLD}


def _check_chairs(people: list[Seat | Bystander]) -> None:
    names, numbers = [who.name for who in people], [who.number for who in people]
    for name in names:
        if not name or name != name.strip(" \t\ufeff").strip() or len(name.splitlines()) != 1:
            raise HistoryError(f"the name {name!r} cannot stand in a line of text.")
    if len(people) > MAX_CHAIRS:
        raise HistoryError(f"the table has {len(people)} chairs; text holds {MAX_CHAIRS} at most.")
    if (twice := repeated(names) or repeated(numbers)) is not None:
        raise HistoryError(
            f"two players have the name or the chair {twice!r}, so text cannot tell them apart; "
            "write the hand as JSON or PHH."
        )


def _check_boards(seats: tuple[Seat, ...]) -> None:
    for seat in seats:
        if NO_CARD in seat.cards[2:6]:
            street = seat.cards.index(NO_CARD, 2) + 1
            raise HistoryError(
                f"the up card of {seat.name} on street {street} is unknown, and rooms print every "
                "up card: write the hand as JSON or PHH."
            )


def moment(record: HandRecord) -> datetime | None:
    """The time as text holds it, in whole seconds."""
    return record.time and record.time.replace(microsecond=0, tzinfo=None)


def zone_text(record: HandRecord) -> str:
    """The zone with a space before it; names of the time zone database have no place in text."""
    return f" {record.zone}" if record.zone.isalnum() else ""


def second_clock(record: HandRecord) -> tuple[datetime, str] | None:
    """The second time and its zone, if the record has one."""
    moment, _, zone = record.clock.rpartition(" ")
    return (datetime.fromisoformat(moment), zone) if moment else None


def hand_number(record: HandRecord) -> str:
    """The room's number, 0 where there is none."""
    return record.hand_id if record.hand_id.isdecimal() else "0"
