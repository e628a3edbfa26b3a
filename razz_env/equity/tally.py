"""The sums that counting and sampling have in common: how often each set of hands is the best."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import inlined

Sums = NDArray[np.float64]


@inlined
def add_deal(sums: Sums, best: int, weight: float) -> None:
    """Count one deal whose best hands are the bits of `best`."""
    sums[0, best] += weight
    sums[1, best] += weight * weight


@dataclass(frozen=True)
class Tally:
    """Deals by the set of hands that split the pot, one bit a hand.

    Attributes:
        hands: number of hands, n.
        sums: float64[2, 2**n], of each set the total of its deals' weights and of their squares.
    """

    hands: int
    sums: Sums = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sums", np.zeros((2, 1 << self.hands)))

    @property
    def weight(self) -> float:
        """Total weight of all deals."""
        return float(self.sums[0].sum())

    @property
    def equities(self) -> NDArray[np.float64]:
        """Mean share of the pot, float64[n]."""
        return self._mean(self._shares())

    @property
    def wins(self) -> NDArray[np.float64]:
        """How often each hand takes the whole pot, float64[n]."""
        return self._mean(self._shares() == 1.0)

    @property
    def ties(self) -> NDArray[np.float64]:
        """How often each hand splits the pot, float64[n]."""
        shares = self._shares()
        return self._mean((shares > 0.0) & (shares < 1.0))

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """Of the equities of independent deals: sqrt(sum of (w (share - mean))^2) / sum of w."""
        squares = (self._shares() - self.equities[:, None]) ** 2
        errors: NDArray[np.float64] = np.sqrt(squares @ self.sums[1]) / self.weight
        return errors

    @property
    def effective_samples(self) -> float:
        """How many deals of equal weight are worth as much: (sum of w)^2 / sum of w^2."""
        return self.weight**2 / float(self.sums[1].sum())

    def _shares(self) -> NDArray[np.float64]:
        """Share of each hand by set of best hands, float64[n, 2**n]."""
        sets = np.arange(1 << self.hands)
        holds = sets >> np.arange(self.hands)[:, None] & 1
        shares: NDArray[np.float64] = holds / np.maximum(holds.sum(axis=0), 1)
        return shares

    def _mean(self, values: NDArray[np.float64] | NDArray[np.bool_]) -> NDArray[np.float64]:
        means: NDArray[np.float64] = values @ self.sums[0] / self.weight
        return means
