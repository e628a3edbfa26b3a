"""Ranges of down cards: a weight for each of the 91 pairs of ranks.

Several ranges are dealt by their joint weights: two hands hold a pair of ranks each with a chance
that is proportional to both weights and to the number of ways to choose all four cards from the
stub. Dealing one hand after the other, each by its own weights and the cards that are left, is
something else: it favours the hands that are dealt first, and is not done here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from razz_env._jit import kernel
from razz_env.rules.cards import RANKS

Weights: TypeAlias = NDArray[np.float64]

PAIRS = tuple((low, high) for low in range(len(RANKS)) for high in range(low, len(RANKS)))
"""The 91 pairs of ranks (low, high) in the order of a range: A-A, A-2, .. A-K, 2-2, 2-3, .. K-K."""

TABLE_ROWS = 1_000_000
"""Largest table of joint pairs; what does not fit is sampled with importance weights."""

PAIR_LOWS, PAIR_HIGHS = (np.array(ranks) for ranks in zip(*PAIRS))
"""The lower and the higher rank of every pair, int64[91]."""


def as_weights(given: ArrayLike | None, hand: int) -> Weights | None:
    """A range as symmetric weights float64[13, 13], from float[91] (by PAIRS) or float[13, 13].

    The weight is that of each combination of two cards with these ranks: equal weights are a hand
    of which nothing is known. Only their ratios matter.

    Raises:
        ValueError: no numbers, another shape, an asymmetric matrix, negative or no weights; names
            the hand.
    """
    if given is None:
        return None
    try:
        numbers = np.asarray(given)
    except ValueError:  # rows of different lengths
        numbers = np.empty(0, object)
    if numbers.dtype.kind not in "fiub":
        raise ValueError(f"The range of hand {hand} wants plain numbers, not {given!r}.")
    weights: Weights = numbers.astype(np.float64)
    if weights.shape == (len(PAIRS),):
        matrix = np.zeros((len(RANKS), len(RANKS)))
        matrix[PAIR_LOWS, PAIR_HIGHS] = matrix[PAIR_HIGHS, PAIR_LOWS] = weights
        weights = matrix
    if weights.shape != (len(RANKS), len(RANKS)):
        raise ValueError(
            f"The range of hand {hand} has shape {weights.shape}; it wants {len(PAIRS)} weights, "
            "one a pair of ranks as in PAIRS, or a 13 x 13 matrix."
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        raise ValueError(f"The range of hand {hand} wants weights >= 0, one of them above 0.")
    if not (weights == weights.T).all():
        raise ValueError(f"The range of hand {hand} is a matrix that is not symmetric.")
    scaled: Weights = weights / weights.max()
    return scaled


@dataclass(frozen=True)
class Range:
    """The pairs of one hand that have a weight: ranks int64[m, 2] and weights float64[m]."""

    hand: int
    ranks: NDArray[np.int64]
    weights: Weights

    @classmethod
    def of(cls, hand: int, matrix: Weights, stub: NDArray[np.int64]) -> "Range":
        """The pairs that the stub can serve."""
        weights = matrix[PAIR_LOWS, PAIR_HIGHS]
        kept = (weights > 0) & (count_ways(stub, PAIR_LOWS, PAIR_HIGHS) > 0)
        ranks = np.stack([PAIR_LOWS, PAIR_HIGHS], axis=1)[kept].astype(np.int64)
        return cls(hand, ranks, weights[kept])


def count_ways(
    counts: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64]
) -> NDArray[np.float64]:
    """In how many ways two cards of these ranks can be chosen from `counts` [..., 13]."""
    first, second = counts[..., low], counts[..., high] - (low == high)
    ways: NDArray[np.float64] = first * np.maximum(second, 0) / np.where(low == high, 2.0, 1.0)
    return ways


@dataclass(frozen=True)
class JointPairs:
    """Down cards of all hands with a range, drawn by their joint weights.

    Up to TABLE_ROWS combinations of pairs are listed with their exact joint chances, and drawn from
    that list. More are drawn hand by hand, and each draw is weighted with the product over hands
    of the total weight of the hand's pairs among the cards left: the joint weight is that product
    times the chance of the draw, so weighted means converge to those under the joint weights.
    """

    ranges: tuple[Range, ...]
    stub: NDArray[np.int64]
    rows: NDArray[np.int64] | None
    cumulated: NDArray[np.float64]

    @classmethod
    def of(cls, matrices: Sequence[Weights | None], stub: NDArray[np.int64]) -> "JointPairs":
        """Prepare the ranges of those hands that have one.

        Raises:
            ValueError: the cards do not suffice for the ranges together.
        """
        found = [
            Range.of(hand, matrix, stub)
            for hand, matrix in enumerate(matrices)
            if matrix is not None
        ]
        ranges = tuple(sorted(found, key=lambda found: len(found.weights)))
        if np.prod([float(len(one.weights)) for one in ranges]) > TABLE_ROWS:
            return cls(ranges, stub, None, np.empty(0))
        rows, weights = _joint_table(ranges, stub)
        if not weights.any():
            raise ValueError(CONFLICT)
        return cls(ranges, stub, rows, np.cumsum(weights) / weights.sum())

    def draw(
        self, count: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """So many draws: ranks int64[count, k, 2] in the order of `ranges`, weights [count]."""
        if not self.ranges:
            return np.empty((count, 0, 2), np.int64), np.ones(count)
        if self.rows is not None:
            uniform = rng.random(count)
            chosen = np.searchsorted(self.cumulated[:-1], uniform, side="right")
            return self.rows[chosen], np.ones(count)
        drawn = np.zeros((count, len(self.ranges), 2), np.int64)
        weights, left = np.ones(count), np.empty_like(self.stub)
        for number, one in enumerate(self.ranges):
            uniform, cumulated = rng.random(count), np.empty(len(one.weights))
            _draw_next(
                one.ranks, one.weights, self.stub, number, uniform, cumulated, left, drawn, weights
            )
        return drawn, weights


CONFLICT = "The ranges cannot be dealt together: not enough cards of their ranks are left."


def _joint_table(
    ranges: Sequence[Range], stub: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All combinations of pairs, int64[rows, k, 2], and their joint weights float64[rows]."""
    rows = np.zeros((1, 0, 2), np.int64)
    left = stub[None].astype(np.int8)
    weights = np.ones(1)
    for one in ranges:
        ways = count_ways(left.astype(np.int64), one.ranks[:, 0], one.ranks[:, 1])
        joint = weights[:, None] * one.weights * ways
        before, pair = np.nonzero(joint)
        rows = np.concatenate([rows[before], one.ranks[pair][:, None]], axis=1)
        left, weights = left[before], joint[before, pair]
        for place in range(2):
            left[np.arange(len(left)), one.ranks[pair, place]] -= 1
    return rows, weights


@kernel
def _draw_next(
    ranks: NDArray[np.int64],
    weights: NDArray[np.float64],
    stub: NDArray[np.int64],
    number: int,
    uniform: NDArray[np.float64],
    cumulated: NDArray[np.float64],
    left: NDArray[np.int64],
    drawn: NDArray[np.int64],
    importance: NDArray[np.float64],
) -> None:
    """Draw the pair of range `number` in every row, among the cards that the ranges before left.

    `cumulated` float64[m] and `left` int64[13] are room to work in.
    """
    for row in range(len(drawn)):
        _take_drawn(stub, drawn, row, number, left)
        total = 0.0
        for pair in range(len(weights)):
            total += weights[pair] * _ways_left(left, ranks[pair, 0], ranks[pair, 1])
            cumulated[pair] = total
        importance[row] *= total
        wanted, pair = uniform[row] * total, 0
        while pair < len(weights) - 1 and cumulated[pair] <= wanted:
            pair += 1
        drawn[row, number, 0], drawn[row, number, 1] = ranks[pair, 0], ranks[pair, 1]


@kernel
def _take_drawn(
    stub: NDArray[np.int64],
    drawn: NDArray[np.int64],
    row: int,
    number: int,
    left: NDArray[np.int64],
) -> None:
    """Write what `number` ranges of a row left of the stub."""
    for rank in range(len(stub)):
        left[rank] = stub[rank]
    for before in range(number):
        for place in range(2):
            left[drawn[row, before, place]] -= 1


@kernel
def _ways_left(left: NDArray[np.int64], low: int, high: int) -> float:
    """In how many ways two cards of these ranks can be chosen."""
    first, second = max(int(left[low]), 0), max(int(left[high]), 0)
    return first * (first - 1) / 2.0 if low == high else 1.0 * first * second
