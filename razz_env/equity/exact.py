"""Exact equities: every way to deal the cards, counted by ranks.

Suits do not matter, so the cards that come to a hand are a multiset of ranks: at most 1,820 of four
cards where there are 270,725 sets of four among 52. Hands are gone through one inside the other,
and each multiset counts for as many sets of cards as the ranks that the hands before it left
allow: the product over ranks of C(left, taken). A range of down cards weighs each multiset with
the sum of the weights of all pairs that can be chosen from it as the down cards; so the joint
weights of several ranges are exact too, at no cost.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.equity.ranges import CONFLICT, Weights
from razz_env.equity.situation import Situation
from razz_env.equity.tally import Sums, Tally, add_deal
from razz_env.rules import lowball

COPIES = 4
SLICE_LEAVES = 20_000_000
"""Deals that are counted before Python has a chance to be interrupted."""


class Multisets(NamedTuple):
    """What may come to each hand, all hands one after the other, in lexicographic order.

    Attributes:
        slots: int8[M, 7], rank * 4 + copy of each card, 0 for the first copy of a rank.
        changed: int8[M], first place that differs from the row before it.
        keys: int32[M], low of the hand with these cards.
        factors: float64[M], weight by the hand's range; 1 without one.
        starts: int64[n + 1], first row of each hand; the last is M.
        sizes: int64[n], cards that come to each hand.
        bits: int64[n], the bit of each hand in a set of hands.
    """

    slots: NDArray[np.int8]
    changed: NDArray[np.int8]
    keys: NDArray[np.int32]
    factors: NDArray[np.float64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    bits: NDArray[np.int64]


class Scratch(NamedTuple):
    """Where the walk through the hands stands: one row a hand.

    Attributes:
        at: int64[n], row of Multisets.
        left: int64[n + 1, 13], cards by rank that the hands before leave.
        weight: float64[n + 1], ways to deal the hands before.
        key: int64[n + 1], best low of the hands before.
        best: int64[n + 1], who of them has it, one bit a hand.
        step: float64[52], factor of each slot for the last hand.
        product: float64[8], ways of the first cards of the last hand.
    """

    at: NDArray[np.int64]
    left: NDArray[np.int64]
    weight: NDArray[np.float64]
    key: NDArray[np.int64]
    best: NDArray[np.int64]
    step: NDArray[np.float64]
    product: NDArray[np.float64]


def count_work(situation: Situation) -> float:
    """Combinations of multisets that an exact count goes through, for choosing the method."""
    if situation.community:
        return sum(
            count_work(situation.with_community(int(rank)))
            for rank in np.flatnonzero(situation.stub)
        )
    return float(np.prod([_count_multisets(situation, hand) for hand in _order(situation)]))


def _count_multisets(situation: Situation, hand: int) -> float:
    """Number of multisets that can come to a hand."""
    if situation.ranges[hand] is not None:
        return float(len(_possible(situation, hand)[0]))
    size, ways = int(situation.to_deal[hand]), np.ones(1)
    for copies in situation.stub:
        ways = np.convolve(ways, np.ones(copies + 1))[: size + 1]
    return float(ways[size])


def count_exactly(situation: Situation) -> Tally:
    """All deals, each with the number of ways in which it can come (times the ranges' weights).

    Raises:
        ValueError: the ranges cannot be dealt together.
    """
    tally = Tally(situation.num_hands)
    if situation.community:
        for rank in np.flatnonzero(situation.stub):
            _count(situation.with_community(int(rank)), float(situation.stub[rank]), tally)
    else:
        _count(situation, 1.0, tally)
    if tally.weight == 0.0:
        raise ValueError(CONFLICT)
    return tally


def _count(situation: Situation, weight: float, tally: Tally) -> None:
    order = _order(situation)
    multisets = _list_multisets(situation, order)
    scratch = _scratch(situation, weight)
    for first, stop in _slices(multisets.starts):
        _walk(multisets, first, stop, scratch, tally.sums)


def _order(situation: Situation) -> list[int]:
    """Hands in the order of the walk: most cards to come last, where a step is cheapest."""
    return sorted(range(situation.num_hands), key=lambda hand: int(situation.to_deal[hand]))


def _slices(starts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Rows of the first hand in pieces of about SLICE_LEAVES deals."""
    others = float(np.prod(np.diff(starts)[1:].astype(float)))
    rows = max(1, int(SLICE_LEAVES / max(others, 1.0)))
    for first in range(0, int(starts[1]), rows):
        yield first, min(first + rows, int(starts[1]))


def _list_multisets(situation: Situation, order: list[int]) -> Multisets:
    parts = [_multisets_of(situation, hand) for hand in order]
    slots, changed, keys, factors = (np.concatenate(columns) for columns in zip(*parts))
    starts = np.cumsum([0, *(len(part[0]) for part in parts)])
    bits = np.left_shift(1, np.array(order))
    return Multisets(slots, changed, keys, factors, starts, situation.to_deal[order], bits)


def _multisets_of(
    situation: Situation, hand: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int32], NDArray[np.float64]]:
    size = int(situation.to_deal[hand])
    slots, factors = _possible(situation, hand)
    known = np.repeat(np.arange(len(situation.stub)) * COPIES, situation.known[hand])
    cards = np.concatenate([np.tile(known.astype(np.int8), (len(slots), 1)), slots], axis=1)
    wide = np.zeros((len(slots), 7), np.int8)
    wide[:, :size] = slots
    return wide, _first_changes(slots), lowball.evaluate_batch(cards), factors


def _possible(situation: Situation, hand: int) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Multisets that the stub and the range of a hand allow, as slots, and their factors."""
    slots = _all_multisets(int(situation.to_deal[hand]))
    counts = _counts(slots)
    factors = _range_factors(counts, situation.ranges[hand])
    kept = (counts <= situation.stub).all(axis=1) & (factors > 0)
    return slots[kept], factors[kept]


@cache
def _all_multisets(size: int) -> NDArray[np.int8]:
    """All multisets of ranks with at most four of each, as slots int8[M, size], in order."""
    all_ranks = list(combinations_with_replacement(range(len(lowball.RANK_NAMES)), size))
    ranks = np.array(all_ranks, np.int8).reshape(len(all_ranks), size)
    copies = np.zeros_like(ranks)
    for place in range(1, size):
        same = ranks[:, place] == ranks[:, place - 1]
        copies[:, place] = np.where(same, copies[:, place - 1] + 1, 0)
    slots = ranks * np.int8(COPIES) + copies
    return slots[(copies < COPIES).all(axis=1)]


def _counts(slots: NDArray[np.int8]) -> NDArray[np.int64]:
    """Cards by rank int64[M, 13]."""
    ranks = np.arange(len(lowball.RANK_NAMES))
    counts: NDArray[np.int64] = (slots[:, :, None] // COPIES == ranks).sum(axis=1)
    return counts


def _range_factors(counts: NDArray[np.int64], weights: Weights | None) -> NDArray[np.float64]:
    """Sum over pairs of their weight times the ways to choose them from each multiset."""
    if weights is None:
        return np.ones(len(counts))
    unpaired = ((counts @ np.triu(weights, 1)) * counts).sum(axis=1)
    factors: NDArray[np.float64] = unpaired + counts * (counts - 1) / 2 @ np.diagonal(weights)
    return factors


def _first_changes(slots: NDArray[np.int8]) -> NDArray[np.int8]:
    changes = np.zeros(len(slots), np.int8)
    if slots.shape[1]:
        changes[1:] = (slots[1:] != slots[:-1]).argmax(axis=1)
    return changes


def _scratch(situation: Situation, weight: float) -> Scratch:
    hands = situation.num_hands
    left = np.zeros((hands + 1, len(situation.stub)), np.int64)
    left[0] = situation.stub
    weights, products = np.full(hands + 1, weight), np.ones(8)
    keys = np.full(hands + 1, lowball.WORST_LOW, np.int64)
    zeros = np.zeros(hands + 1, np.int64)
    return Scratch(zeros[1:].copy(), left, weights, keys, zeros, np.zeros(52), products)


@kernel
def _walk(multisets: Multisets, first: int, stop: int, scratch: Scratch, sums: Sums) -> None:
    """Go through all deals with rows `first` .. `stop` of the first hand."""
    at, starts, last = scratch.at, multisets.starts, len(scratch.at) - 1
    hand = 0
    at[0] = first
    while hand >= 0:
        if at[hand] == (stop if hand == 0 else starts[hand + 1]):
            hand -= 1
        elif _take(multisets, scratch, hand):
            if hand + 1 < last:
                hand += 1
                at[hand] = starts[hand]
                continue
            _sum_last_hand(multisets, scratch, sums)
        if hand >= 0:
            at[hand] += 1


@kernel
def _take(multisets: Multisets, scratch: Scratch, hand: int) -> bool:
    """Deal the multiset that the walk stands on to a hand; False if the cards do not suffice."""
    row, left = scratch.at[hand], scratch.left
    weight = scratch.weight[hand] * multisets.factors[row]
    for rank in range(left.shape[1]):
        left[hand + 1, rank] = left[hand, rank]
    for place in range(multisets.sizes[hand]):
        slot = multisets.slots[row, place]
        weight *= left[hand + 1, slot >> 2] / ((slot & 3) + 1.0)
        left[hand + 1, slot >> 2] -= 1
    scratch.weight[hand + 1] = weight
    _compare(scratch, hand, multisets.keys[row], multisets.bits[hand])
    return bool(weight > 0.0)


@kernel
def _compare(scratch: Scratch, hand: int, key: int, bit: int) -> None:
    """Note the best low among the hands up to this one."""
    scratch.key[hand + 1] = min(key, scratch.key[hand])
    scratch.best[hand + 1] = scratch.best[hand] if key >= scratch.key[hand] else 0
    if key <= scratch.key[hand]:
        scratch.best[hand + 1] |= bit


@kernel
def _sum_last_hand(multisets: Multisets, scratch: Scratch, sums: Sums) -> None:
    """Add up all that may come to the last hand, by whether it loses, ties or wins."""
    last = len(scratch.at) - 1
    size, product, step = multisets.sizes[last], scratch.product, scratch.step
    _set_steps(scratch)
    rival, total, won, tied = scratch.key[last], 0.0, 0.0, 0.0
    for row in range(multisets.starts[last], multisets.starts[last + 1]):
        for place in range(multisets.changed[row], size):
            product[place + 1] = product[place] * step[multisets.slots[row, place]]
        ways = product[size] * multisets.factors[row]
        total += ways
        won += ways if multisets.keys[row] < rival else 0.0
        tied += ways if multisets.keys[row] == rival else 0.0
    weight, best, bit = scratch.weight[last], scratch.best[last], multisets.bits[last]
    add_deal(sums, best, weight * (total - won - tied))
    add_deal(sums, best | bit, weight * tied)
    add_deal(sums, bit, weight * won)


@kernel
def _set_steps(scratch: Scratch) -> None:
    """Ways to take each copy of a rank after the copies before it: (left - copy) / (copy + 1)."""
    last = len(scratch.at) - 1
    for slot in range(len(scratch.step)):
        left = scratch.left[last, slot >> 2] - (slot & 3)
        scratch.step[slot] = max(left, 0) / ((slot & 3) + 1.0)
