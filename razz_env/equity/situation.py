"""What there is to deal out: hands, dead cards and the stub, as numbers of cards of each rank."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from razz_env.equity.notation import UNKNOWN, Written, read_cards
from razz_env.equity.ranges import Weights
from razz_env.rules.cards import RANKS, CardsLike, format_card
from razz_env.rules.checks import is_whole
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.record import MAX_SEATS
from razz_env.rules.terms import Street

Counts = NDArray[np.int64]
"""Number of cards of each rank, int64[13] (one row a hand where there are several)."""

_BURN_AND_LAST = 2


@dataclass(frozen=True)
class Situation:
    """Hands of which some cards are known, and the cards that the others are dealt from.

    Attributes:
        names: the hands as they were written.
        known: int64[n, 13], known cards of each hand by rank, a known community card in every one.
        to_deal: int64[n], cards that each hand gets at random, unknown down cards among them.
        stub: int64[13], cards by rank that may come: all but the known and the named dead ones.
        community: whether one more card is dealt that counts for all hands (RULES 6).
        ranges: weights float64[13, 13] of the two down cards of each hand, or None; these two
            count in `to_deal`.
        cards: how many cards a hand has at the end.
    """

    names: tuple[str, ...]
    known: Counts
    to_deal: Counts
    stub: Counts
    community: bool
    ranges: tuple[Weights | None, ...]
    cards: int

    @property
    def num_hands(self) -> int:
        """How many hands there are."""
        return len(self.names)

    @property
    def deals(self) -> int:
        """In how many ways the cards can come, suits told apart, order within a hand not."""
        left, ways = int(self.stub.sum()), 1
        for count in (*self.to_deal.tolist(), int(self.community)):
            ways *= comb(left, count)
            left -= count
        return ways

    def with_community(self, rank: int) -> "Situation":
        """The same after the community card has come."""
        one = np.eye(len(self.stub), dtype=np.int64)[rank]
        return replace(self, known=self.known + one, stub=self.stub - one, community=False)


def read_situation(
    hands: Sequence[CardsLike],
    dead: CardsLike,
    community: CardsLike,
    ranges: Sequence[Weights | None],
    rules: HouseRules,
    street: int | None,
) -> Situation:
    """The situation that texts describe.

    Raises:
        ValueError: cards that cannot be, with the hand they are in.
    """
    if not 2 <= len(hands) <= MAX_SEATS:
        raise ValueError(f"An equity wants 2 to {MAX_SEATS} hands, not {len(hands)}.")
    written = [
        _filled(read_cards(hand, f"Hand {number}"), number, rules, street)
        for number, hand in enumerate(hands, 1)
    ]
    shared = read_cards(community, "The community card")
    gone = read_cards(dead, "The list of dead cards")
    _check_community(shared, rules)
    _check_sizes(written, shared, rules)
    _check_ranges(written, ranges, rules)
    stub = _stub([*written, shared, gone], rules)
    to_deal, comes = _cards_to_come(written, shared, int(stub.sum()) - gone.unknown, rules)
    known = np.array([_count((*hand.known, *shared.known)) for hand in written])
    names = tuple(hand.text or "x" * len(hand.ranks) for hand in written)
    return Situation(names, known, to_deal, stub, comes, tuple(ranges), hand_size(rules))


def hand_size(rules: HouseRules) -> int:
    """How many cards a hand has at the end, 7 in the full game."""
    return rules.third_street + len(rules.streets)


def _count(ranks: Iterable[int]) -> Counts:
    return np.bincount(np.array(list(ranks), np.int64), minlength=len(RANKS)).astype(np.int64)


def _filled(hand: Written, number: int, rules: HouseRules, street: int | None) -> Written:
    """The hand with unknown cards up to its street; a hand of which nothing is known is on third.

    Without a street the hand must have the cards of third street at least, or none.
    """
    third = rules.third_street + 1
    size = third if street is None else _cards_on(street, rules)
    cards = len(hand.ranks)
    if cards > size and street is not None:
        raise ValueError(
            f"Hand {number} ({hand.text!r}) has {cards} cards, more than the {size} of street "
            f"{street}."
        )
    if 0 < cards < third and street is None:
        raise ValueError(
            f"Hand {number} ({hand.text!r}) has {cards} {_noun(cards)}, fewer than the {third} of "
            "third street: write x for every card that is unknown."
        )
    return replace(hand, ranks=hand.ranks + (UNKNOWN,) * (size - cards))


def _cards_on(street: int, rules: HouseRules) -> int:
    if not is_whole(street) or street not in rules.streets:
        played = ", ".join(str(int(played)) for played in rules.streets)
        raise ValueError(f"There is no street {street!r}: the streets are {played}.")
    return rules.third_street + rules.streets.index(street) + 1


def _noun(cards: int) -> str:
    return "card" if cards == 1 else "cards"


def _check_community(shared: Written, rules: HouseRules) -> None:
    if len(shared.ranks) > 1 or shared.unknown:
        raise ValueError(f"The community card is one known card, not {shared.text!r}.")
    if shared.ranks and Street.SEVENTH not in rules.streets:
        raise ValueError("These rules have no seventh street and so no community card.")


def _check_sizes(hands: list[Written], shared: Written, rules: HouseRules) -> None:
    most = hand_size(rules) - len(shared.ranks)
    for number, hand in enumerate(hands, 1):
        if len(hand.ranks) > most:
            beside = " beside the community card" if shared.ranks else ""
            raise ValueError(
                f"Hand {number} ({hand.text!r}) has {len(hand.ranks)} cards; a hand has at most "
                f"{most}{beside}."
            )


def _check_ranges(
    hands: list[Written], ranges: Sequence[Weights | None], rules: HouseRules
) -> None:
    if len(ranges) != len(hands):
        raise ValueError(f"There are {len(ranges)} ranges for {len(hands)} hands: give one each.")
    for number, (hand, weights) in enumerate(zip(hands, ranges), 1):
        if weights is None:
            continue
        if rules.third_street != 2:
            raise ValueError("A range is of two down cards; these rules deal one.")
        if hand.ranks[:2] != (UNKNOWN, UNKNOWN):
            raise ValueError(
                f"Hand {number} ({hand.text!r}) has a range, so its first two cards, the down "
                "cards, must be unknown: write xx before the others."
            )


def _stub(all_cards: list[Written], rules: HouseRules) -> Counts:
    """Cards by rank that are not seen, after checking that those seen are in the deck."""
    exact = Counter(card for cards in all_cards for card in cards.exact)
    for card, times in exact.items():
        if times > 1:
            raise ValueError(f"The card {format_card(card)} is given {times} times.")
        if card % 4 >= rules.deck_suits:
            raise ValueError(f"The card {format_card(card)} is not in a deck of these rules.")
    seen = _count(rank for cards in all_cards for rank in cards.known)
    deck = np.where(np.arange(len(RANKS)) < rules.deck_ranks, rules.deck_suits, 0)
    for rank in np.flatnonzero(seen > deck):
        raise ValueError(
            f"{seen[rank]} cards of rank {RANKS[rank]} are given; the deck has {deck[rank]}."
        )
    return (deck - seen).astype(np.int64)


def _cards_to_come(
    hands: list[Written], shared: Written, stub: int, rules: HouseRules
) -> tuple[Counts, bool]:
    """Random cards of every hand, and whether a community card comes beside them (RULES 6)."""
    last = Street.SEVENTH in rules.streets
    before = hand_size(rules) - last
    unknown = np.array([hand.unknown + max(0, before - len(hand.ranks)) for hand in hands])
    short = np.array([len(hand.ranks) <= before for hand in hands])
    left = stub - int(unknown.sum())
    if left < 0:
        raise ValueError(
            f"These are too many cards: the hands want {unknown.sum()} more, and {stub} are left."
        )
    if not last or shared.ranks or not short.any():
        return unknown, False
    spare = _BURN_AND_LAST if rules.burn_cards and short.all() else 0
    if left >= short.sum() + spare:
        return unknown + short, False
    if not short.all() or left < 1 + (spare > 0):
        raise ValueError(
            f"These are too many cards: {short.sum()} hands want a seventh card, and {left} are "
            "left."
        )
    return unknown, True
