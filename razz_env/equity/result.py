"""What an equity calculation found."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Method = Literal["exact", "monte_carlo"]


@dataclass(frozen=True, eq=False)
class Equity:
    """Shares of the pot that hands take on average when all of them are dealt out and shown.

    Attributes:
        hands: the n hands as they were given.
        equities: float64[n], mean share of the pot; they sum to 1.
        wins: float64[n], how often a hand takes the whole pot.
        ties: float64[n], how often it splits the pot.
        standard_errors: float64[n], of the equities; 0 where they are exact.
        method: "exact" or "monte_carlo".
        samples: deals that were looked at. Exact: the ways in which the cards can come, suits told
            apart; those that a range excludes are among them.
        effective_samples: how many equally weighted deals the samples are worth; less than
            `samples` only where large ranges had to be sampled with importance weights.
    """

    hands: tuple[str, ...]
    equities: NDArray[np.float64]
    wins: NDArray[np.float64]
    ties: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    method: Method
    samples: int
    effective_samples: float

    @property
    def is_exact(self) -> bool:
        """Whether every deal was counted."""
        return self.method == "exact"

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, for JSON."""
        return {
            "method": self.method,
            "samples": self.samples,
            "effective_samples": self.effective_samples,
            "hands": [
                {
                    "hand": hand,
                    "equity": float(self.equities[place]),
                    "standard_error": float(self.standard_errors[place]),
                    "win": float(self.wins[place]),
                    "tie": float(self.ties[place]),
                }
                for place, hand in enumerate(self.hands)
            ],
        }

    def __str__(self) -> str:
        """A small table in per cent, the method below it."""
        width = max(4, *(len(hand) for hand in self.hands))
        lines = [f"{'hand':<{width}}    equity   std error       win       tie"]
        for place, hand in enumerate(self.hands):
            numbers = self.equities, self.standard_errors, self.wins, self.ties
            share, error, win, tie = (100 * float(column[place]) for column in numbers)
            margin = "exact" if self.is_exact else f"{error:.3f} %"
            lines.append(
                f"{hand:<{width}}  {share:6.2f} %  {margin:>10}  {win:6.2f} %  {tie:6.2f} %"
            )
        return "\n".join([*lines, self._footing()])

    def _footing(self) -> str:
        if self.is_exact:
            return f"exact: all {_readable(self.samples)} deals"
        worth = ""
        if self.effective_samples < 0.999 * self.samples:
            worth = f", worth {self.effective_samples:,.0f} by their weights"
        return f"Monte Carlo: {self.samples:,} deals{worth}"


def _readable(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"{number:.3g}"
