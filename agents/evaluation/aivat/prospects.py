"""How low a hand will get: for every set of ranks held, the chances of its final low.

A low is told by its bin, one of `BINS` in order, best first. Their edges are chosen so that the
better of two random hands falls into each equally often: where pots are won, they are finest.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.players.holdings import tables
from razz_env._jit import kernel
from razz_env.rules.cards import NUM_RANKS
from razz_env.rules.lowball import PLAYED_CARDS
from razz_env.rules.record import CARDS_PER_SEAT, Record

BINS = 16
SETS = 1 << NUM_RANKS

Floats = NDArray[np.float64]
Bins = NDArray[np.float32]


class Prospects(NamedTuple):
    """Tables by number of cards held (0 to all) and set of their ranks.

    Attributes:
        chances: float32[cards + 1, 8192, BINS], chance of each bin, if nothing but the hand is
            known of the deck.
        beats: float32[cards + 1, 8192, BINS], chance that the hand ends worse than a low of each
            bin; half of a tie counts.
        lows: int16[8192], class of the low of every set, best first, for complete hands.
        cards: of a complete hand.
    """

    chances: Bins
    beats: Bins
    lows: NDArray[np.int16]
    cards: int


def prospects_of(rules: Record) -> Prospects:
    """The tables for the deck and the streets of some rules (RULES 10)."""
    streets = int(rules["streets"]).bit_count()
    return prospects(
        int(rules["deck_ranks"]), int(rules["deck_suits"]), int(rules["third_street"]) + streets
    )


@cache
def prospects(ranks: int, suits: int, cards: int) -> Prospects:
    """The tables for hands of so many cards from a deck of so many ranks and suits."""
    lows = tables().classes[min(cards, PLAYED_CARDS)]
    weights = _chances_of_sets(ranks, suits, cards)
    chances = np.zeros((CARDS_PER_SEAT + 1, SETS, BINS), np.float32)
    chances[cards, np.arange(SETS), bins_of(lows, weights)] = 1.0
    for held in range(cards - 1, -1, -1):
        chances[held] = _before_a_card(chances[held + 1], held, ranks, suits)
    worse = np.cumsum(chances[:, :, ::-1], axis=2)[:, :, ::-1]
    return Prospects(chances, (worse - chances / 2).astype(np.float32), lows, cards)


def bins_of(lows: NDArray[np.int16], weights: Floats) -> NDArray[np.int64]:
    """The bin int64[8192] of the low of every complete set, given how often sets come."""
    mass = np.bincount(lows, weights=weights)
    middle = np.cumsum(mass) - mass / 2
    better_of_two = 1 - (1 - middle / mass.sum()) ** 2
    bins: NDArray[np.int64] = np.minimum((BINS * better_of_two).astype(np.int64), BINS - 1)[lows]
    return bins


def _size_of_sets() -> NDArray[np.int64]:
    return np.array([ranks.bit_count() for ranks in range(SETS)])


def _chances_of_sets(ranks: int, suits: int, cards: int) -> Floats:
    """How likely a hand of so many cards has each set of ranks."""
    chances = np.zeros(SETS)
    chances[0] = 1.0
    for held in range(cards):
        after = chances * _chance_of_pair(held, ranks, suits)
        for rank in range(ranks):
            without = np.flatnonzero(~np.arange(SETS) >> rank & 1)
            after[without | 1 << rank] += chances[without] * suits / (ranks * suits - held)
        chances = after
    return chances


def _before_a_card(after: Bins, held: int, ranks: int, suits: int) -> Bins:
    """The chances with `held` cards from those with one more."""
    before = after * _chance_of_pair(held, ranks, suits)[:, None]
    for rank in range(ranks):
        without = np.flatnonzero(~np.arange(SETS) >> rank & 1)
        before[without] += after[without | 1 << rank] * (suits / (ranks * suits - held))
    return before.astype(np.float32)


def _chance_of_pair(held: int, ranks: int, suits: int) -> Floats:
    """For every set the chance that the next card has one of its ranks, after `held` cards."""
    left = np.maximum(_size_of_sets() * suits - held, 0)
    return left / (ranks * suits - held)


@kernel
def look_ahead(
    known: Prospects,
    held: int,
    ranks: int,
    unseen: NDArray[np.int64],
    chances: Bins,
    beats: Bins,
) -> None:
    """The prospects of a hand given how many cards of each rank are unseen.

    The next card is weighed by what is unseen, exactly; that the cards after it depend on that too
    is taken into account by going as many times as far from the table as there are cards to come.

    Args:
        known: the tables.
        held: cards in the hand.
        ranks: set of their ranks.
        unseen: int64[13], by rank.
        chances: float32[BINS], written.
        beats: float32[BINS], written.
    """
    plain, to_come = known.chances[held, ranks], known.cards - held
    total = 0
    for rank in range(NUM_RANKS):
        total += unseen[rank]
    if to_come == 0 or total == 0:
        for place in range(BINS):
            chances[place] = plain[place]
    else:
        step = np.float32(to_come / total)
        for place in range(BINS):
            chances[place] = plain[place] * np.float32(1 - to_come)
        for rank in range(NUM_RANKS):
            weight = step * np.float32(unseen[rank])
            after = known.chances[held + 1, ranks | 1 << rank]
            for place in range(BINS):
                chances[place] += weight * after[place]
    worse = np.float32(0.0)
    for place in range(BINS - 1, -1, -1):
        beats[place] = worse + chances[place] / np.float32(2)
        worse += chances[place]
