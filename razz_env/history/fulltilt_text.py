"""Records written as Full Tilt text."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

from razz_env.history.money import SYMBOLS
from razz_env.history.record import HandRecord, HistoryError, Move, Seat, Tournament
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

_TABLE, _BUY_IN = "1", "Tournament"
_FOLDED = {3: "3rd St.", 4: "4th St.", 5: "5th St.", 6: "6th St.", 7: "7th St."}


def hand_text(record: HandRecord) -> str:
    """A whole hand, ending with a newline.

    Raises:
        HistoryError: a record that this text cannot hold.
    """
    return FullTiltText(record).text()


class FullTiltText(RoomText):
    """The words of Full Tilt."""

    street_titles: ClassVar = {
        3: "3RD STREET",
        4: "4TH STREET",
        5: "5TH STREET",
        6: "6TH STREET",
        7: "7TH STREET",
    }
    early_shows = True

    def __init__(self, record: HandRecord) -> None:
        """Take a complete record.

        Raises:
            HistoryError: a currency whose sign the room never printed, or a name unfit for text.
        """
        super().__init__(record)
        if record.currency and record.currency not in SYMBOLS:
            raise HistoryError(
                f"Full Tilt text has a sign for {', '.join(SYMBOLS)}, not for {record.currency}."
            )

    def head(self) -> Iterator[str]:
        """The header."""
        record = self.record
        small, big = self.money(record.rules.small_bet), self.money(record.rules.big_bet)
        ante = f" Ante {self.money(record.rules.ante)}" if record.rules.ante else ""
        number = hand_number(record)
        yield (
            f"Full Tilt Poker Game #{number}: {self._place()} - {small}/{big}{ante} - Limit Razz"
            f"{self._time()}"
        )

    def facts_of_head(self) -> dict[str, Any]:
        """The same fields as they should be read."""
        record = self.record
        tournament = record.tournament and Tournament(
            record.tournament.number, record.tournament.buy_in or _BUY_IN
        )
        return {
            "currency": record.currency,
            "table": record.table or _TABLE,
            "max_seats": record.max_seats,
            "time": moment(record),
            "tournament": tournament,
        }

    def _place(self) -> str:
        record = self.record
        seats = f" ({record.max_seats} max)" if record.max_seats else ""
        table = f"Table {record.table or _TABLE}{seats}"
        if record.tournament is None:
            return table
        return f"{record.tournament.buy_in or _BUY_IN} ({record.tournament.number}), {table}"

    def _time(self) -> str:
        record = self.record
        if record.time is None:
            return ""
        time = f"{record.time:%H:%M:%S}{zone_text(record)} - {record.time:%Y/%m/%d}"
        second = second_clock(record)
        if second is None:
            return f" - {time}"
        return f" - {second[0]:%H:%M:%S} {second[1]} - {second[0]:%Y/%m/%d} [{time}]"

    def chair(self, number: int, name: str, stack: int, plays: bool) -> str:
        """A line of the seat list."""
        return f"Seat {number}: {name} ({self.money(stack)}){'' if plays else ', is sitting out'}"

    def ante(self, seat: Seat) -> str:
        """An ante."""
        return f"{seat.name} antes {self.money(seat.ante)}{_all_in(seat.ante == seat.stack)}"

    def own_groups(self, cards: tuple[int, ...], street: int) -> str:
        """The new card apart, on third street too."""
        return f"{bracketed(cards[:-1])} {bracketed(cards[-1:])}"

    def title_end(self, street: int) -> str:
        """The shared card; once nobody can bet any more, the state of the pot."""
        end = super().title_end(street)
        if street <= self.last_move_street:
            return end
        pot = self.money(self.record.total_pot or 0)
        players = f"{len(self.live)} Players, {self._all_in_count()} All-In"
        return f"{end} (Total Pot: {pot}, {players})"

    def _all_in_count(self) -> int:
        paid = Counter({number: seat.ante for number, seat in enumerate(self.record.seats)})
        for move in self.record.moves:
            paid[move.seat] += move.chips
        return sum(self.record.seats[seat].stack == paid[seat] for seat in self.live)

    def after_deal(self, street: int) -> Iterator[str]:
        """The high door card."""
        if street == 3:
            seats = self.record.seats
            high = max(range(len(seats)), key=lambda seat: seats[seat].cards[2])
            if self.record.high_door is not None:
                high = self.record.high_door
            yield f"{self.name(high)} is high with {bracketed(seats[high].cards[2:3])}"

    def lies_open(self, seat: int, street: int) -> bool:
        """Shown hands lie open from the end of the betting on."""
        if street > max(self.last_move_street, 3) and seat in self.lows():
            return NO_CARD not in self.record.seats[seat].cards[:street]
        return super().lies_open(seat, street)

    def early(self) -> Iterator[str]:
        """All-in hands that lie open before the rest is dealt."""
        for showing in self.record.showings:
            cards = self.record.seats[showing.seat].cards[: max(self.last_move_street, 3)]
            if not showing.mucked:
                yield f"{self.name(showing.seat)} shows {bracketed(cards)}"

    def move(self, move: Move, level: int) -> str:
        """An action."""
        return f"{self.name(move.seat)} {self._verb(move)}{_all_in(move.all_in)}"

    def _verb(self, move: Move) -> str:
        chips, to_chips = self.money(move.chips), self.money(move.to_chips)
        return {
            Action.FOLD: "folds",
            Action.CHECK: "checks",
            Action.CALL: f"calls {chips}",
            Action.BRING_IN: f"brings in for {chips}",
            Action.COMPLETE: f"completes it to {to_chips}",
            Action.BET: f"bets {chips}",
            Action.RAISE: f"raises to {to_chips}",
        }[Action(move.action)]

    def uncalled(self, seat: int, chips: int) -> str:
        """Uncalled chips."""
        return f"Uncalled bet of {self.money(chips)} returned to {self.name(seat)}"

    def ending(self) -> Iterator[str]:
        """Showdown, winners and summary."""
        for showing in self.record.showings:
            cards = bracketed(self.record.seats[showing.seat].cards)
            shown = "mucks" if showing.mucked else f"shows {cards} {showing.low}"
            yield f"{self.name(showing.seat)} {shown}"
        if len(self.live) == 1:
            yield f"{self.name(self.live[0])} mucks"
        yield from self._wins()
        yield "*** SUMMARY ***"
        yield self.total()
        yield from self._ends()

    def _wins(self) -> Iterator[str]:
        winners = Counter(award.pot for award in self.record.awards)
        lows = self.lows()
        for award in self.awards():
            pot = self.pot_name(award.pot, " #{}")
            article = "" if "#" in pot else "the "
            verb = "ties for" if winners[award.pot] > 1 else "wins"
            low = f" with {lows[award.seat]}" if award.seat in lows else ""
            yield f"{self.name(award.seat)} {verb} {article}{pot} ({self.money(award.chips)}){low}"

    def _ends(self) -> Iterator[str]:
        ends = [(s.number, s.name, self._end_of(at)) for at, s in enumerate(self.record.seats)]
        ends += [(b.number, b.name, "is sitting out") for b in self.record.bystanders]
        for number, name, end in sorted(ends):
            yield f"Seat {number}: {name} {end}"

    def _end_of(self, seat: int) -> str:
        folds, lows = self.fold_streets(), self.lows()
        if seat in folds:
            return f"folded on {_FOLDED[folds[seat]]}"
        won = self.record.collected[seat]
        cards = self.record.seats[seat].cards
        if seat in lows:
            end = f"won ({self.money(won)})" if won else "lost"
            return f"showed {bracketed(cards)} and {end} with {lows[seat]}"
        if won or len(self.live) == 1:
            return f"collected ({self.money(won)}), mucked"
        return "mucked" if NO_CARD in cards else f"mucked {bracketed(cards)}"


def _all_in(all_in: bool) -> str:
    return ", and is all in" if all_in else ""
