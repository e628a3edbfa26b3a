"""A spot that somebody describes, made into a real hand that waits for the seat in question."""

from collections.abc import Iterator, Sequence

import numpy as np

from agents.inspection.course import play_up_to
from agents.inspection.notation import (
    Cards,
    OtherSeat,
    SpotError,
    WrittenCard,
    WrittenSpot,
    read_actions,
    read_cards,
    read_cards_of_spot,
)
from razz_env.rules.cards import RANKS, SUITS, format_card
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import HouseRules, RulesLike, as_house_rules, check_table_size
from razz_env.rules.setup import StacksLike, check_table
from razz_env.rules.terms import Street

__all__ = ["SpotError", "read_spot"]


def read_spot(
    text: str,
    *,
    actions: str | None = None,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    seat: int = 0,
    community: str = "",
) -> Hand:
    """A hand that stands where the text says; its `actor` is the seat in question.

    "(A2)3 | K | 7f" are own down cards in brackets, own up cards, and behind each bar the up cards
    of another seat, clockwise, with `f` if it has folded; a later street has more of them, seventh
    street ends with the own down card: "(A2)3456(7) | KQJT". On third street spaces separate seats
    as well as bars do. Suits may be left out where they decide nothing; then any is taken. The down
    cards of the others are any cards too: no `SeatView` shows them.

    What has been done is told by `actions`, street by street with `/` between them, the last one
    being the street in play; see `notation.read_actions`. Streets before those told, or all, are
    played as follows. On an earlier street there is one bet: third street is brought in and the
    next live seat completes, later the first live seat bets; the others call, and those that fold
    there do. On the street in play the others bring in, call and check until it is the own turn;
    if some have folded to a bet there, the first live one bets.

    Args:
        text: the cards.
        actions: what has been done; None for the defaults.
        rules: preset name, mapping or HouseRules.
        stacks: chips of every seat, or one number for each in the order of the text, own first.
        seat: number of the own seat; the others follow clockwise. It matters where position
            breaks a tie of boards, and for who is dealt first.
        community: the card that is everyone's seventh card, where the stub was short (RULES 6).

    Raises:
        SpotError: a spot that cannot be, in one sentence that says what and how to mend it.
        ValueError: rules, stacks or a number of seats out of range.
    """
    written, house = read_cards_of_spot(text), as_house_rules(rules)
    size = 1 + len(written.others)
    if size < 2:
        raise SpotError(f"There is nobody else in {text!r}: write | and the up cards of a seat.")
    check_table_size(house, size)
    if not 0 <= seat < size:
        raise SpotError(f"There is no seat {seat} at a table of {size}: use 0 to {size - 1}.")
    shared = read_cards(community, "The community card")
    street = _street(written, shared, house)
    _check_boards(written, street)
    _check_bring_in(written, house)
    order = [(place - seat) % size for place in range(size)]  # of the text's seats, by number
    hand = _deal(written, shared, street, house, _by_seat(stacks, order), order)
    folded = [place > 0 and written.others[place - 1].folded for place in order]
    play_up_to(hand, seat, street, folded, [] if actions is None else read_actions(actions))
    return hand


def _by_seat(stacks: StacksLike, order: list[int]) -> StacksLike:
    given = np.asarray(stacks)
    if given.ndim != 1 or len(given) != len(order):
        return stacks  # one number for all, or something that the hand refuses
    return [int(given[place]) for place in order]


# ---- cards


def _street(spot: WrittenSpot, shared: Cards, rules: HouseRules) -> Street:
    """The street in play, told by the number of own cards."""
    if len(spot.down) != rules.third_street:
        raise SpotError(
            f"You have {len(spot.down)} down cards before seventh street; these rules deal "
            f"{rules.third_street}: write them in the first brackets, such as (A2)3."
        )
    shown = _up_streets(rules)
    if not 1 <= len(spot.up) <= len(shown):
        raise SpotError(f"You show {len(spot.up)} up cards; these rules deal 1 to {len(shown)}.")
    if len(shared) > 1:
        raise SpotError(f"There is one community card, not {len(shared)}.")
    if not shared and spot.river is None:
        return shown[len(spot.up) - 1]
    if shared and spot.river is not None:
        raise SpotError("A community card is everyone's seventh card: leave out your own.")
    if Street.SEVENTH not in rules.streets:
        raise SpotError("These rules have no seventh street and so no seventh card.")
    if len(spot.up) < len(shown):
        raise SpotError(
            f"A seventh card comes after {len(shown)} up cards; you show {len(spot.up)}."
        )
    return Street.SEVENTH


def _up_streets(rules: HouseRules) -> list[Street]:
    return [Street(street) for street in rules.streets if street < Street.SEVENTH]


def _check_boards(spot: WrittenSpot, street: Street) -> None:
    name = street.name.lower()
    for number, other in enumerate(spot.others, 1):
        who = f"The seat {number} to your left ({other.text})"
        if other.folded and len(other.up) > len(spot.up):
            raise SpotError(
                f"{who} shows {len(other.up)} cards, more than your {len(spot.up)}; nobody gets "
                "cards after folding."
            )
        if not other.folded and len(other.up) != len(spot.up):
            raise SpotError(
                f"{who} shows {len(other.up)} cards on {name} street, where you show "
                f"{len(spot.up)}: write as many, or f behind them if it has folded; seats are "
                "separated by |."
            )


def _check_bring_in(spot: WrittenSpot, rules: HouseRules) -> None:
    """Refuse highest doors that only suits can order, where they are not written."""
    doors = [spot.up[0], *(other.up[0] for other in spot.others)]
    top = max(door.rank for door in doors)
    tied = [door for door in doors if door.rank == top]
    best = rules.deck_suits - 1
    if len(tied) > 1 and None in {door.suit for door in tied}:
        if best in {door.suit for door in tied}:
            return
        raise SpotError(
            f"{len(tied)} seats have the highest door card {RANKS[top]}, and suits decide who "
            f"brings in: write them, such as {RANKS[top]}{SUITS[best]}."
        )


def _deal(
    spot: WrittenSpot,
    shared: Cards,
    street: Street,
    rules: HouseRules,
    stacks: StacksLike,
    order: list[int],
) -> Hand:
    """The hand before its first action; cards that are not known are any others."""
    seats: list[OtherSeat] = [OtherSeat(spot.up, False, ""), *spot.others]
    cards = _Deck(rules, [*_all_cards(spot), *shared])
    down = [cards.take(spot.down)]
    up = [cards.take(seat.up) for seat in seats]
    river = cards.take((spot.river,) if spot.river else ())
    common = cards.take(shared)
    down += [cards.any(rules.third_street) for _ in spot.others]
    rows = []
    for place, own in enumerate(up):
        whole = len(own) == len(_up_streets(rules)) and street == Street.SEVENTH and not shared
        last = (river if place == 0 else cards.any(1)) if whole else []
        rows.append([*down[place], *own, *last])
    check_table(len(rows), rules, stacks)
    return Hand.from_cards(
        [rows[place] for place in order], rules, stacks, common[0] if common else None
    )


def _all_cards(spot: WrittenSpot) -> Iterator[WrittenCard]:
    yield from (*spot.down, *spot.up, *([spot.river] if spot.river else []))
    for other in spot.others:
        yield from other.up


class _Deck:
    """The cards that are left when those written with suits are gone."""

    def __init__(self, rules: HouseRules, written: Sequence[WrittenCard]) -> None:
        self._left = [
            rank * 4 + suit for rank in range(rules.deck_ranks) for suit in range(rules.deck_suits)
        ]
        for card in written:
            if card.suit is not None:
                self._remove(card.rank * 4 + card.suit)

    def _remove(self, card: int) -> None:
        if card not in self._left:
            raise SpotError(
                f"The card {format_card(card)} is written twice, or is not in the deck of these "
                "rules."
            )
        self._left.remove(card)

    def take(self, cards: Sequence[WrittenCard]) -> list[int]:
        """The cards, with some suit where none is written."""
        return [self._take(card) for card in cards]

    def _take(self, card: WrittenCard) -> int:
        if card.suit is not None:
            return card.rank * 4 + card.suit
        same = [other for other in self._left if other // 4 == card.rank]
        if not same:
            raise SpotError(f"There are more cards of rank {RANKS[card.rank]} than in the deck.")
        self._left.remove(same[0])
        return same[0]

    def any(self, count: int) -> list[int]:
        """Cards that nobody looks at, the highest ones."""
        if count > len(self._left):
            raise SpotError(
                "There are not enough cards for so many seats on seventh street: a community card "
                "comes instead, so give it and leave out your seventh card."
            )
        return [self._left.pop() for _ in range(count)]
