"""What a picture of a table shows, as plain data: the one source of every drawing.

`seat_scene` makes a scene from a `SeatView`, all that one seat may know; `hand_scene` makes one for
spectators from a hand. A scene holds no card that its onlooker may not see, so what is drawn from
it cannot show one. The drawing itself (`razz_env.render.svg`), a terminal or a page need no other
source.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from razz_env.rules.terms import Street


@dataclass(frozen=True, slots=True)
class SceneSeat:
    """A seat as it is seen.

    Attributes:
        seat: number of the seat, from 0.
        name: the player's name.
        stack_chips: chips behind.
        bet_chips: chips in front of the seat, put in on this street and not yet in a pot.
        down: down cards in dealing order, two of third street, then the seventh; None is a card
            that lies face down. Empty once the seat has folded, unless the onlooker knows them.
        first_down: how many of them were dealt before the up cards.
        up: up cards by street; a fold does not take them away.
        is_live: has not folded.
        is_actor: is to act.
        is_all_in: live without chips behind, in a hand that goes on.
        is_bring_in: had the duty to bring in (RULES 3).
        action: its last action on this street in words, such as "raises to 60"; else empty.
        low: name of the low that it shows at the end, else empty.
        low_ranks: the same as ranks, highest first, such as "8-6-5-4-A" or "Q-Q-J-J-K".
        is_mucked: reached the showdown and did not show (RULES 7).
        won_chips: chips taken from the pots; 0 until the hand is over.
        net_chips: result of the hand; None until it is over.
    """

    seat: int
    name: str
    stack_chips: int
    bet_chips: int
    down: tuple[int | None, ...]
    first_down: int
    up: tuple[int, ...]
    is_live: bool
    is_actor: bool
    is_all_in: bool
    is_bring_in: bool
    action: str
    low: str
    low_ranks: str
    is_mucked: bool
    won_chips: int
    net_chips: int | None

    @property
    def standing(self) -> str:
        """What is to be said of the seat in a few words; empty if there is nothing."""
        if self.net_chips is not None:
            return self._ending()
        if not self.is_live:
            return "folded"
        if self.is_all_in:
            return f"{self.action}, all-in" if self.action else "all-in"
        return self.action

    def _ending(self) -> str:
        if self.low:
            return self.low
        if self.is_mucked:
            return "mucks"
        return "wins" if self.won_chips else "folded"


@dataclass(frozen=True, slots=True)
class ScenePot:
    """A pot: chips that lie in the middle, and at the end who won it.

    Attributes:
        name: "pot" if it is the only one, else "main pot", "side pot" or "side pot 2".
        chips: chips in it, before rake; bets in front of the seats are not in it yet.
        eligible: seats that can win it.
        winners: seats that have won it; empty until the hand is over.
    """

    name: str
    chips: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one moment, as one onlooker sees it.

    Attributes:
        seats: every seat that was dealt in, from seat 0 clockwise; the fixed button lies beside
            the last one.
        pots: main pot first.
        street: the street in play, or the last one.
        stakes: "20/40, ante 4, bring-in 5".
        bets: bets and raises of the street that count for the cap, `max_bets` of them.
        max_bets: the cap.
        me: the onlooker's seat; None for spectators.
        actor: the seat to act, None if nobody is.
        community: the shared seventh card, if the stub was short (RULES 6).
        is_over: the hand has ended and is paid.
        last_action: a sentence, such as "Ann raises to 60"; empty before the first action.
        announcements: what the dealer says at the end, a sentence for every pot, such as
            "8-6-5-4-A low wins the pot".
        currency: such as "USD", amounts are cents then; None for chips.
    """

    seats: tuple[SceneSeat, ...]
    pots: tuple[ScenePot, ...]
    street: Street
    stakes: str
    bets: int
    max_bets: int
    me: int | None
    actor: int | None
    community: int | None
    is_over: bool
    last_action: str
    announcements: tuple[str, ...]
    currency: str | None

    def amount(self, chips: int) -> str:
        """An amount as it is printed: `1,234`, or `$12.34` in a currency."""
        return amount_text(chips, self.currency)

    @property
    def pot_chips(self) -> int:
        """All chips in the middle."""
        return sum(pot.chips for pot in self.pots)

    @property
    def heading(self) -> str:
        """The street in words; "Showdown" or "The end" when the hand is over."""
        if not self.is_over:
            return f"{self.street.name.capitalize()} street"
        return "Showdown" if sum(seat.is_live for seat in self.seats) > 1 else "The end"


def seat_names(names: Sequence[str] | None, num_seats: int) -> tuple[str, ...]:
    """A name for every seat: those given, or "Seat 0", "Seat 1", ...

    Raises:
        ValueError: another number of names than of seats.
    """
    if names is None:
        return tuple(f"Seat {seat}" for seat in range(num_seats))
    if isinstance(names, str) or len(names) != num_seats:
        raise ValueError(f"names={names!r} must be {num_seats} names, one for each seat.")
    return tuple(str(name) for name in names)


def amount_text(chips: int, currency: str | None) -> str:
    """`1,234` for chips, `$12.34` for cents of a currency; a loss has a minus sign."""
    sign = "\u2212" if chips < 0 else ""
    if currency is None:
        return f"{sign}{abs(chips):,}"
    from razz_env.history.money import format_amount  # which histories need, and few pictures

    return sign + format_amount(abs(chips), currency)
