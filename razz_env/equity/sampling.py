"""Equities by Monte Carlo: deals drawn at random and compared by tables of ranks.

A hand is a set of thirteen bits, one a rank, and the number of copies of each rank. Where a hand
ends with five ranks, its low is the five lowest bits, read from a table; copies count only where
no hand of a deal gets that far.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import inlined, kernel
from razz_env.equity.ranges import CONFLICT, JointPairs
from razz_env.equity.situation import Situation
from razz_env.equity.tally import Sums, Tally, add_deal
from razz_env.rules.lowball import PLAYED_CARDS, WORST_LOW, low_key
from razz_env.rules.random import mix, next_state

BATCH = 1 << 17
"""Deals a batch: Python can be interrupted between batches, and their pairs take memory."""

PAIRED = 1 << 13


class Spot(NamedTuple):
    """A situation as the kernel wants it.

    Attributes:
        known: int64[n], known cards packed as by `lowball.count_rank`.
        to_deal: int64[n], cards that come to each hand beside the pair of its range.
        community: 1 if a card that counts for all comes last.
        stub: int64[13], cards by rank that may come.
        holders: int64[k], hands whose pairs are drawn beforehand.
        lowest: int16[8192], of each set of ranks the lowest that play; PAIRED if they are too few.
    """

    known: NDArray[np.int64]
    to_deal: NDArray[np.int64]
    community: int
    stub: NDArray[np.int64]
    holders: NDArray[np.int64]
    lowest: NDArray[np.int16]


class Work(NamedTuple):
    """Room for one deal.

    Attributes:
        held: int64[n], known cards of each hand with the pair of its range, packed.
        ranks: int64[n], the set of their ranks.
        cards: int64[S + 1], ranks of the cards of the stub in the order in which they are dealt;
            the last place is for a draw that is one too many (see `_shuffle`).
    """

    held: NDArray[np.int64]
    ranks: NDArray[np.int64]
    cards: NDArray[np.int64]


def sample(situation: Situation, samples: int, rng: np.random.Generator) -> Tally:
    """So many random deals.

    Raises:
        ValueError: the ranges cannot be dealt together.
    """
    joint = JointPairs.of(situation.ranges, situation.stub)
    spot = _spot(situation, joint)
    tally = Tally(situation.num_hands)
    work = _work(situation, spot)
    for done in range(0, samples, BATCH):
        pairs, weights = joint.draw(min(BATCH, samples - done), rng)
        state = int(rng.integers(-(2**63), 2**63 - 1))
        _deal_all(spot, pairs, weights, state, work, tally.sums)
    if tally.weight == 0.0:
        raise ValueError(CONFLICT)
    return tally


def _spot(situation: Situation, joint: JointPairs) -> Spot:
    holders = np.array([one.hand for one in joint.ranges], np.int64)
    to_deal = situation.to_deal.copy()
    to_deal[holders] -= 2
    return Spot(
        known=(situation.known << 4 * np.arange(len(situation.stub))).sum(axis=1),
        to_deal=to_deal,
        community=int(situation.community),
        stub=situation.stub,
        holders=holders,
        lowest=_lowest_ranks(min(situation.cards, PLAYED_CARDS)),
    )


def _work(situation: Situation, spot: Spot) -> Work:
    ranks = (situation.known > 0) << np.arange(len(situation.stub))
    cards = np.repeat(np.arange(len(situation.stub)), situation.stub)
    return Work(spot.known.copy(), ranks.sum(axis=1), np.append(cards, 0))


@cache
def _lowest_ranks(played: int) -> NDArray[np.int16]:
    """Of each set of ranks its lowest `played`, PAIRED where it has fewer; smaller is better."""
    table = np.full(1 << 13, PAIRED, np.int16)
    for ranks in range(1 << 13):
        rest = ranks
        for _ in range(played):
            rest &= rest - 1
        if ranks.bit_count() >= played:
            table[ranks] = ranks ^ rest
    return table


@kernel
def _deal_all(
    spot: Spot,
    pairs: NDArray[np.int64],
    weights: NDArray[np.float64],
    state: int,
    work: Work,
    sums: Sums,
) -> None:
    """Deal and compare once for every row of `pairs` and `weights`."""
    wanted = spot.community
    for hand in range(len(spot.to_deal)):
        wanted += spot.to_deal[hand]
    stub = len(work.cards) - 1 - 2 * len(spot.holders)
    for row in range(len(weights)):
        if weights[row] > 0.0:
            if len(spot.holders) > 0:
                _give_pairs(spot, pairs, row, work)
            state = _shuffle(work.cards, wanted, stub, state)
            add_deal(sums, _best_hands(spot, work, wanted), weights[row])


@kernel
def _give_pairs(spot: Spot, pairs: NDArray[np.int64], row: int, work: Work) -> None:
    """Give every hand with a range the pair that was drawn for it, and take it from the stub."""
    taken = 0
    for number in range(len(spot.holders)):
        hand = spot.holders[number]
        work.held[hand] = spot.known[hand]
        for place in range(2):
            card = 1 << 4 * pairs[row, number, place]
            work.held[hand] += card
            taken += card
        work.ranks[hand] = _ranks_in(work.held[hand])
    _lay_stub(spot, taken, work.cards)


@kernel
def _ranks_in(counts: int) -> int:
    """The set of ranks in packed cards."""
    ranks = 0
    for rank in range(13):
        if counts >> 4 * rank & 15:
            ranks |= 1 << rank
    return ranks


@kernel
def _lay_stub(spot: Spot, taken: int, cards: NDArray[np.int64]) -> None:
    """Write the stub without the cards `taken` (packed)."""
    place = 0
    for rank in range(len(spot.stub)):
        for _ in range(spot.stub[rank] - (taken >> 4 * rank & 15)):
            cards[place] = rank
            place += 1


@inlined
def _shuffle(cards: NDArray[np.int64], wanted: int, stub: int, state: int) -> int:
    """Bring random cards of the stub to its first places; the state of the stream after it.

    The order before it does not matter, so the stub keeps that of the deal before. Each half of 64
    random bits is scaled to one draw: its bias is under 52 / 2**32, about 1e-8.
    """
    for place in range(0, wanted, 2):
        state = next_state(state)
        bits = mix(state)
        _draw(cards, place, stub, bits & 0xFFFFFFFF)
        _draw(cards, place + 1, stub, bits >> 32 & 0xFFFFFFFF)
    return state


@inlined
def _draw(cards: NDArray[np.int64], place: int, stub: int, bits: int) -> None:
    other = place + (bits * (stub - place) >> 32)
    card = cards[other]
    cards[other] = cards[place]
    cards[place] = card


@inlined
def _best_hands(spot: Spot, work: Work, wanted: int) -> int:
    """The hands with the best low, one bit each, when the first cards of the stub are dealt."""
    shared = 1 << work.cards[wanted - 1] if spot.community else 0
    lowest, best, place = PAIRED, 0, 0
    for hand in range(len(spot.known)):
        ranks = work.ranks[hand] | shared
        for card in range(place, place + spot.to_deal[hand]):
            ranks |= 1 << work.cards[card]
        place += spot.to_deal[hand]
        low = spot.lowest[ranks]
        # Without a branch: which hand is lower, a processor cannot foresee.
        best = best * (low >= lowest) | (low <= lowest) << hand
        lowest = min(low, lowest)
    return best if lowest < PAIRED else _best_paired_hands(spot, work, wanted)


@kernel
def _best_paired_hands(spot: Spot, work: Work, wanted: int) -> int:
    """The same where every hand is paired, so that copies count."""
    shared = 1 << 4 * work.cards[wanted - 1] if spot.community else 0
    lowest, best, place = WORST_LOW, 0, 0
    for hand in range(len(spot.known)):
        counts = work.held[hand] + shared
        for card in range(place, place + spot.to_deal[hand]):
            counts += 1 << 4 * work.cards[card]
        place += spot.to_deal[hand]
        low = low_key(counts)
        if low < lowest:
            lowest, best = low, 1 << hand
        elif low == lowest:
            best |= 1 << hand
    return best
