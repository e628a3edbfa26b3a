"""`HandRecord`: one hand as a file tells it, frozen plain data.

Seats are in order of position, as in the engine: seat 0 is left of the button. Money is whole cents
where the record has a currency and whole chips otherwise. Cards are integers 0..51; NO_CARD (-1)
is a card that was dealt and that the file does not show. UNKNOWN (-1) is an amount it does not
print.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from razz_env.history.kernels import UNKNOWN
from razz_env.rules.cards import NO_CARD, format_card
from razz_env.rules.house_rules import ALL_STREETS, MAX_CHIPS, HouseRules
from razz_env.rules.terms import Action

if TYPE_CHECKING:
    import numpy as np

    from razz_env.rules.hand import Hand

FULL_TILT, POKERSTARS, PHH_ROOM = "Full Tilt Poker", "PokerStars", ""
"""Values of `HandRecord.room`."""


class HistoryError(ValueError):
    """A hand or a file that cannot be read, replayed or written: a sentence with the way out."""


class Seat(NamedTuple):
    """A player who was dealt in.

    Attributes:
        name: as printed, whatever it contains.
        number: the room's number of the chair.
        stack: before the ante.
        ante: what was posted; less than the rules' ante when all-in.
        cards: in dealing order, down down up up up up down, as many as were dealt; NO_CARD for
            those the file does not show.
    """

    name: str
    number: int
    stack: int
    ante: int
    cards: tuple[int, ...]


class Bystander(NamedTuple):
    """A player at the table who was not dealt in."""

    name: str
    number: int
    stack: int


class Move(NamedTuple):
    """An action; the order of the fields is that of the columns of `kernels.play_hands`.

    Attributes:
        seat: index of the seat.
        street: 3 to 7.
        action: `Action` as a number.
        chips: put in now; UNKNOWN if the file does not say.
        to_chips: street total after it; UNKNOWN if the file does not say.
        all_in: whether it took the last chips, as far as the file says.
    """

    seat: int
    street: int
    action: int
    chips: int = UNKNOWN
    to_chips: int = UNKNOWN
    all_in: bool = False


class Showing(NamedTuple):
    """A hand that reached the showdown, in the order of showing; `low` is its printed name."""

    seat: int
    mucked: bool
    low: str = ""


class Award(NamedTuple):
    """What a seat took from a pot, after rake; pot 0 is the main pot."""

    pot: int
    seat: int
    chips: int


class Tournament(NamedTuple):
    """Where a tournament hand was played: number, price, round and level, each as printed."""

    number: str
    buy_in: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand of Razz as a file tells it.

    Attributes:
        rules: stakes and options; a file names only the stakes, its room implies the preset.
        seats: the players dealt in, seat 0 left of the button.
        moves: every action in order.
        showings: hands at the showdown, in the order of showing.
        awards: what was won, pot by pot, after rake.
        returned: uncalled amount that went back, one per seat; empty if the file does not say.
        pots: amounts of the pots before rake, main pot first; empty if the file does not say.
        total_pot: sum of the pots before rake, if printed.
        rake: what the house took.
        finishing_stacks: as the file states them; empty if it does not, or once they have served
            their purpose in `completed`.
        community: the shared seventh card (RULES 6).
        high_door: seat that the file names as highest door card, if it does.
        bring_in_known: whether the file shows the bring-in; if not it is taken as 30 % of the
            small bet.
        currency: such as "USD", amounts are cents then; None for chips.
        room: FULL_TILT, POKERSTARS or another venue's name.
        hand_id: the room's number of the hand.
        table: name of the table.
        max_seats: chairs at the table, 0 if not printed.
        time: local time of `zone`, without a zone of its own.
        zone: such as "ET", as printed.
        clock: a second time that the file prints, "2010-12-07 17:10:10 CCT"; empty if none.
        tournament: None in cash games.
        mix: name of the mixed game, such as "8-Game".
        club: name of the home game's club.
        hero: seat whose down cards the file shows from the start.
        bystanders: players at the table who were not dealt in.
        filled: (seat, place) of cards that are no facts of the file but were filled in.
    """

    rules: HouseRules
    seats: tuple[Seat, ...]
    moves: tuple[Move, ...]
    showings: tuple[Showing, ...] = ()
    awards: tuple[Award, ...] = ()
    returned: tuple[int, ...] = ()
    pots: tuple[int, ...] = ()
    total_pot: int | None = None
    rake: int = 0
    finishing_stacks: tuple[int, ...] = ()
    community: int | None = None
    high_door: int | None = None
    bring_in_known: bool = True
    currency: str | None = None
    room: str = PHH_ROOM
    hand_id: str = ""
    table: str = ""
    max_seats: int = 0
    time: datetime | None = None
    zone: str = ""
    clock: str = ""
    tournament: Tournament | None = None
    mix: str = ""
    club: str = ""
    hero: int | None = None
    bystanders: tuple[Bystander, ...] = ()
    filled: frozenset[tuple[int, int]] = frozenset()

    @property
    def name(self) -> str:
        """How messages call the hand."""
        return f"hand #{self.hand_id}" if self.hand_id else "the hand"

    @property
    def stacks(self) -> tuple[int, ...]:
        """Starting stacks."""
        return tuple(seat.stack for seat in self.seats)

    @property
    def live_seats(self) -> tuple[int, ...]:
        """Seats that did not fold."""
        folded = {move.seat for move in self.moves if move.action == Action.FOLD}
        return tuple(seat for seat in range(len(self.seats)) if seat not in folded)

    @property
    def unknown_cards(self) -> tuple[tuple[int, int], ...]:
        """(seat, place in dealing order) of every dealt card that the file does not show."""
        return tuple(
            (number, place)
            for number, seat in enumerate(self.seats)
            for place, card in enumerate(seat.cards)
            if card == NO_CARD
        )

    @property
    def collected(self) -> tuple[int, ...]:
        """What each seat won, after rake, without uncalled amounts."""
        won = [0] * len(self.seats)
        for award in self.awards:
            won[award.seat] += award.chips
        return tuple(won)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Net result of each seat by the file's own amounts; sums to minus the rake.

        Raises:
            HistoryError: the file does not print every amount (`completed` fills them in), or its
                amounts do not add up (`audit` tells where the rules disagree).
        """
        excess = self.excess_chips
        if excess is None:
            raise HistoryError(f"{self.name} does not print every amount: use completed().")
        if excess:
            what = f"{abs(excess)} {'more' if excess > 0 else 'less'} than was put in"
            raise HistoryError(
                f"the amounts of {self.name} do not add up: what was won, returned and raked is "
                f"{what}; audit() tells where the rules disagree."
            )
        rows = zip(self.collected, self.returned, self._put_in(), strict=True)
        return tuple(won + back - paid for won, back, paid in rows)

    @property
    def excess_chips(self) -> int | None:
        """What was won, returned and raked, less what was put in: 0 if the amounts add up.

        None if the file does not print every amount.
        """
        unsaid = not self.returned or (not self.awards and self.total_pot not in (0, self.rake))
        if unsaid or any(move.chips == UNKNOWN for move in self.moves):
            return None
        return sum(self.collected) + sum(self.returned) + self.rake - sum(self._put_in())

    def _put_in(self) -> list[int]:
        paid = [seat.ante for seat in self.seats]
        for move in self.moves:
            paid[move.seat] += move.chips
        return paid

    def with_preset(self, preset: str, **changes: Any) -> HandRecord:
        """The same hand under another rule book, at the same stakes.

        Raises:
            ValueError: an unknown preset or field.
        """
        stakes = {
            name: getattr(self.rules, name) for name in ("ante", "bring_in", "small_bet", "big_bet")
        }
        return replace(self, rules=HouseRules.preset(preset, **{**stakes, **changes}))

    def with_cards(self, cards: Iterable[tuple[int, ...]]) -> HandRecord:
        """The same hand with other cards, one tuple a seat."""
        seats = zip(self.seats, cards, strict=True)
        return replace(self, seats=tuple(seat._replace(cards=own) for seat, own in seats))

    def fill(self, rng: np.random.Generator) -> HandRecord:
        """The same hand with every unknown card drawn from `rng` and named in `filled`.

        Cards are drawn again until the file's moves and winners come out, if some draw of a few
        hundred does that: a hand mucked unseen gets cards that lose.
        """
        from razz_env.history.replay import fill

        return fill(self, rng)

    def to_hand(self, rng: np.random.Generator | None = None, moves: int | None = None) -> Hand:
        """The hand in the engine, after all its moves or the first `moves` of them.

        Unknown cards are filled from `rng`; `unknown_cards` names them, and so does `filled` in the
        record that `fill` returns.

        Raises:
            HistoryError: unknown cards and no `rng`, or a move that the rules do not allow.
        """
        from razz_env.history.replay import to_hand

        return to_hand(self, rng, moves)

    @classmethod
    def from_hand(cls, hand: Hand, like: HandRecord | None = None, **facts: Any) -> HandRecord:
        """The record of a finished hand.

        Args:
            hand: any finished hand.
            like: a record whose table facts (names, room, currency, rake, ...) are taken over and
                whose unknown cards stay unknown.
            facts: any field of the record, and `names`, one for each seat.

        Raises:
            HistoryError: the hand is not over, or has another number of seats than `names`.
        """
        from razz_env.history.making import from_hand

        return from_hand(hand, like, facts)

    def completed(self) -> HandRecord:
        """The same hand with the engine's word for every action and every amount filled in.

        Pots, winners, returned amounts and showdown are filled in where the file has none.

        Raises:
            HistoryError: a move that the rules do not allow.
        """
        from razz_env.history.replay import complete

        return complete(self)


def check_full_game(rules: HouseRules) -> None:
    """Refuse the small variants of RULES 10.

    Raises:
        HistoryError: another deck, other streets or another third street.
    """
    numbers = (rules.deck_ranks, rules.deck_suits, rules.third_street)
    if numbers != (13, 4, 2) or rules.streets != ALL_STREETS:
        raise HistoryError("Hand histories hold the full game, not its small variants.")


def dealt_counts(seats: int, moves: Iterable[Move], community: int | None) -> list[int]:
    """How many own cards each seat got, from the streets it lived to see."""
    counts = [0] * seats
    last, live = 3, seats
    for move in moves:
        last = move.street
        if move.action == Action.FOLD and not counts[move.seat]:
            counts[move.seat] = move.street
            live -= 1
    end = last if live < 2 else 7 - (community is not None)
    if community is not None:
        counts = [min(count, 6) for count in counts]
    return [count or end for count in counts]


def check_record(record: HandRecord) -> HandRecord:
    """The record, if it can be a hand of Razz at all.

    Raises:
        HistoryError: too few or too many seats or cards, an impossible stack, a card twice.
    """
    if not 2 <= len(record.seats) <= 8:
        raise HistoryError(f"{len(record.seats)} players were dealt in; Razz is played by 2 to 8.")
    for seat in record.seats:
        if not 0 < seat.stack <= MAX_CHIPS:
            raise HistoryError(f"the stack of {seat.name} is {seat.stack}; it must be above zero.")
        if not 3 <= len(seat.cards) <= 7:
            raise HistoryError(f"{seat.name} was dealt {len(seat.cards)} cards, not 3 to 7.")
    cards = [card for seat in record.seats for card in seat.cards if card != NO_CARD]
    if record.community is not None:
        cards.append(record.community)
    if len(set(cards)) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise HistoryError(f"the card {format_card(twice)} stands twice in the hand.")
    return record
