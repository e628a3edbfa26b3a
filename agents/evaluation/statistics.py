"""From decks to a rating: exact sums over decks, their mean in BB/100 and its interval.

The unit is the deck: the hands of one deck are played with the same cards and are not independent,
decks are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.extras import load_extra

Z_95 = NormalDist().inv_cdf(0.975)
"""Half-width of a normal 95 % interval in standard errors."""

RESAMPLES = 999
"""Of a bootstrap interval."""

_BOOTSTRAP = int.from_bytes(b"razz match: bootstrap")


class Interval(NamedTuple):
    """An interval of a rating, in BB/100."""

    low: float
    high: float


@dataclass(frozen=True)
class DeckSums:
    """All that the mean over decks and its error need, in whole chips.

    Sums of parts add up exactly, in any order: `DeckSums.of(a) + DeckSums.of(b)`.

    Attributes:
        decks: how many.
        chips: sum of the decks' net chips.
        square_chips: sum of their squares.
    """

    decks: int = 0
    chips: int = 0
    square_chips: int = 0

    @classmethod
    def of(cls, deck_chips: NDArray[np.int64]) -> "DeckSums":
        """The sums over int64[decks], net chips of one player in each deck."""
        values: list[int] = deck_chips.tolist()  # Python's integers do not overflow
        return cls(len(values), sum(values), sum(value * value for value in values))

    def __add__(self, other: "DeckSums") -> "DeckSums":
        return DeckSums(
            self.decks + other.decks,
            self.chips + other.chips,
            self.square_chips + other.square_chips,
        )

    @property
    def mean_chips(self) -> float:
        """Mean net chips of a deck."""
        return self.chips / self.decks

    @property
    def standard_error_chips(self) -> float:
        """Standard error of `mean_chips`: sample deviation / sqrt(decks); at least two decks."""
        spread = self.decks * self.square_chips - self.chips**2
        return math.sqrt(spread / (self.decks - 1)) / self.decks


def bb_per_100(sums: DeckSums, hands_per_deck: int, big_bet: int) -> tuple[float, float]:
    """The rating in big bets per 100 hands and its standard error, from at least two decks.

    Args:
        sums: over the decks, in chips.
        hands_per_deck: hands in which each deck was played.
        big_bet: chips.
    """
    scale = 100 / (hands_per_deck * big_bet)
    return scale * sums.mean_chips, scale * sums.standard_error_chips


def bootstrap_interval(values: NDArray[np.int64], scale: float, seed: int) -> Interval:
    """The 95 % percentile interval of a mean by the bootstrap over decks of scipy.

    All hands of a deck are drawn together, so this is the cluster bootstrap. Unlike the normal
    interval it may be lopsided, as results in chips are.

    Args:
        values: int64[decks], one for each deck.
        scale: what makes BB/100 of their mean.
        seed: of the match; the draws have a stream of their own.

    Raises:
        ModuleNotFoundError: scipy is not installed.
    """
    stats = load_scipy("stats")
    if (values == values[0]).all():  # scipy would warn that nothing varies
        return Interval(scale * float(values[0]), scale * float(values[0]))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_BOOTSTRAP,)))
    batch = max(1, 4_000_000 // len(values))  # numbers in memory at once
    found = stats.bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, batch=batch, method="percentile", rng=rng
    ).confidence_interval
    return Interval(scale * float(found.low), scale * float(found.high))


def load_scipy(part: str) -> Any:
    """A part of scipy, such as "stats".

    Raises:
        ModuleNotFoundError: with the pip command.
    """
    return load_extra(f"scipy.{part}", "Intervals and rankings need", "report")


def two_sided_p(mean: float, error: float) -> float:
    """The chance of a mean at least so far from 0 if the truth is 0, by the normal distribution."""
    if error == 0:
        return 1.0 if mean == 0 else 0.0
    return math.erfc(abs(mean) / error / math.sqrt(2))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values: below 0.05 are those that hold together, with 5 % for any error at all.

    S. Holm, "A simple sequentially rejective multiple test procedure" (Scandinavian Journal of
    Statistics 6, 1979). Valid however the comparisons depend on each other, as by common decks.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, worst = [0.0] * len(p_values), 0.0
    for place, index in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = worst
    return adjusted
