"""Records written as PokerStars text."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from razz_env.history.record import HandRecord, Move, Seat, Tournament
from razz_env.history.room_text import (
    RoomText,
    bracketed,
    hand_number,
    moment,
    second_clock,
    zone_text,
)
from razz_env.rules.cards import NO_CARD
from razz_env.rules.terms import Action

_BUY_IN = re.compile(r"\S+(?: [A-Z]{3})?")
_LEVEL = "Level I"
_FOLDED = {3: "3rd Street", 4: "4th Street", 5: "5th Street", 6: "6th Street", 7: "River"}


def hand_text(record: HandRecord) -> str:
    """A whole hand, ending with a newline.

    Raises:
        HistoryError: a record that this text cannot hold.
    """
    return PokerStarsText(record).text()


class PokerStarsText(RoomText):
    """The words of PokerStars."""

    street_titles: ClassVar = {
        3: "3rd STREET",
        4: "4th STREET",
        5: "5th STREET",
        6: "6th STREET",
        7: "RIVER",
    }

    def head(self) -> Iterator[str]:
        """Header and table."""
        record = self.record
        kind = "PokerStars Home Game Hand" if record.club else "PokerStars Game"
        yield f"{kind} #{hand_number(record)}: {self._place()}{self._game()}{self._time()}"
        yield f"Table '{record.table}' {record.max_seats or 8}-max"

    def facts_of_head(self) -> dict[str, Any]:
        """The same fields as they should be read."""
        record = self.record
        tournament = record.tournament and Tournament(
            record.tournament.number, self._buy_in(), record.tournament.level or _LEVEL
        )
        return {
            "currency": record.currency,
            "table": record.table,
            "time": moment(record),
            "tournament": tournament,
            "mix": record.mix,
            "club": record.club,
        }

    def _time(self) -> str:
        record = self.record
        if record.time is None:
            return ""
        time = f"{_moment(record.time)}{zone_text(record)}"
        second = second_clock(record)
        return f" - {_moment(second[0])} {second[1]} [{time}]" if second else f" - {time}"

    def _place(self) -> str:
        record = self.record
        club = f"{{{record.club}}} " if record.club else ""
        if record.tournament is None:
            return club or " "
        return f"{club}Tournament #{record.tournament.number}, {self._buy_in()} "

    def _buy_in(self) -> str:
        buy_in = self.record.tournament.buy_in if self.record.tournament else ""
        if _BUY_IN.fullmatch(buy_in):
            return buy_in
        return buy_in.partition(" ")[0] or "Freeroll"

    def _game(self) -> str:
        record = self.record
        currency = f" {record.currency}" if record.currency else ""
        small, big = self.money(record.rules.small_bet), self.money(record.rules.big_bet)
        stakes = f"{small}/{big}{currency}"
        if record.tournament is None:
            mix = f"{record.mix} (Razz Limit, {stakes})"
            return mix if record.mix else f"Razz Limit ({stakes})"
        game = f"{record.mix} (Razz Limit)" if record.mix else "Razz Limit"
        return f"{game} - {record.tournament.level or _LEVEL} ({stakes})"

    def chair(self, number: int, name: str, stack: int, plays: bool) -> str:
        """A line of the seat list."""
        out = "" if plays else " is sitting out"
        return f"Seat {number}: {name} ({self.money(stack)} in chips){out}"

    def ante(self, seat: Seat) -> str:
        """An ante."""
        all_in = _all_in(seat.ante == seat.stack)
        return f"{seat.name}: posts the ante {self.money(seat.ante)}{all_in}"

    def own_groups(self, cards: tuple[int, ...], street: int) -> str:
        """All cards of third street together, then the new one apart."""
        if street == 3:
            return bracketed(cards)
        return f"{bracketed(cards[:-1])} {bracketed(cards[-1:])}"

    def move(self, move: Move, level: int) -> str:
        """An action."""
        return f"{self.name(move.seat)}: {self._verb(move, level)}{_all_in(move.all_in)}"

    def _verb(self, move: Move, level: int) -> str:
        match move.action:
            case Action.FOLD:
                return "folds"
            case Action.CHECK:
                return "checks"
            case Action.CALL:
                return f"calls {self.money(move.chips)}"
            case Action.BRING_IN:
                return f"brings in for {self.money(move.chips)}"
        if level == 0:
            return f"bets {self.money(move.chips)}"
        by = self.money(max(move.to_chips - level, 0))
        return f"raises {by} to {self.money(move.to_chips)}"

    def uncalled(self, seat: int, chips: int) -> str:
        """Uncalled chips."""
        return f"Uncalled bet ({self.money(chips)}) returned to {self.name(seat)}"

    def ending(self) -> Iterator[str]:
        """Showdown, winners and summary."""
        if len(self.live) > 1:
            yield "*** SHOW DOWN ***"
        for showing in self.record.showings:
            cards = bracketed(self.record.seats[showing.seat].cards)
            shown = "mucks hand" if showing.mucked else f"shows {cards} (Lo: {showing.low})"
            yield f"{self.name(showing.seat)}: {shown}"
        for award in self.awards():
            pot = self.pot_name(award.pot, "-{}")
            yield f"{self.name(award.seat)} collected {self.money(award.chips)} from {pot}"
        if len(self.live) == 1:
            yield f"{self.name(self.live[0])}: doesn't show hand"
        yield "*** SUMMARY ***"
        yield self.total()
        if self.record.community is not None:
            yield f"Board {bracketed((self.record.community,))}"
        for number, seat in enumerate(self.record.seats):
            yield f"Seat {seat.number}: {seat.name} {self._end_of(number)}"

    def _end_of(self, seat: int) -> str:
        folds, lows = self.fold_streets(), self.lows()
        if seat in folds:
            paid = any(m.chips for m in self.record.moves if m.seat == seat)
            return f"folded on the {_FOLDED[folds[seat]]}" + ("" if paid else " (didn't bet)")
        won = self.record.collected[seat]
        cards = self.record.seats[seat].cards
        if seat in lows:
            end = f"won ({self.money(won)})" if won else "lost"
            return f"showed {bracketed(cards)} and {end} with Lo: {lows[seat]}"
        if won or len(self.live) == 1:
            return f"collected ({self.money(won)})"
        return "mucked" if NO_CARD in cards else f"mucked {bracketed(cards)}"


def _moment(time: datetime) -> str:
    return f"{time:%Y/%m/%d} {time.hour}:{time:%M:%S}"


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""
