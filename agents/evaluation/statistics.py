"""From decks to a rating: exact sums over decks, their mean in BB/100 and its interval.

The unit is the deck: the hands of one deck are played with the same cards and are not independent,
decks are.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Z_95 = NormalDist().inv_cdf(0.975)
"""Half-width of a normal 95 % interval in standard errors."""


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
