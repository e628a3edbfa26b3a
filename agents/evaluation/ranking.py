"""Rankings out of a table of who beats whom, for fields in which A beats B beats C beats A too.

All of them read a payoff table float[k, k]: what the player of a row wins against that of a column,
in BB/100. It is made antisymmetric first, (table - its transpose) / 2, which changes nothing
heads-up without a rake.
"""

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.statistics import load_scipy

Floats = NDArray[np.float64]
_SLACK = 1e-9  # of the linear programmes, relative to the largest payoff
_NOTHING = 1e-7  # weights below it are the slack's


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium of the game in which two sides each name a player and let them play.

    Attributes:
        weights: float64[k], how often each player is named; they sum to 1.
        ratings: float64[k], what each player wins against that mixture; 0 for those that are in it,
            less for the others.
    """

    weights: Floats
    ratings: Floats


def antisymmetric(table: Floats) -> Floats:
    """The antisymmetric part of a payoff table."""
    return (table - table.T) / 2


def nash_average(table: Floats) -> Equilibrium:
    """Nash averaging: the ratings against the equilibrium of greatest entropy.

    A player that is added twice, or that nobody good loses to, changes nothing. D. Balduzzi, K.
    Tuyls, J. Perolat and T. Graepel, "Re-evaluating evaluation" (NeurIPS 2018).

    Raises:
        ModuleNotFoundError: scipy is not installed.
    """
    payoffs = antisymmetric(table)
    corners = _equilibria(payoffs)
    weights = corners.mean(axis=0)
    if np.ptp(corners, axis=0).max() > 1e-6:
        weights = _spread(payoffs, weights)
    return Equilibrium(weights, payoffs @ weights)


def maximal_lottery(table: Floats) -> Equilibrium:
    """The maximal lottery: as `nash_average`, of who beats whom and not by how much.

    P. C. Fishburn, "Probabilistic social choice based on simple voting comparisons" (Review of
    Economic Studies 51, 1984). It is the same for any rise of all results by which they keep signs.

    Raises:
        ModuleNotFoundError: scipy is not installed.
    """
    return nash_average(np.sign(antisymmetric(table)))


def alpha_rank(table: Floats) -> Floats | None:
    """Alpha-Rank, float64[k] that sum to 1, by OpenSpiel; None if that or its networkx is missing.

    S. Omidshafiei et al., "alpha-Rank: multi-agent evaluation by evolution" (Scientific Reports 9,
    2019), for one population and selection without limit.
    """
    try:
        module: Any = importlib.import_module("open_spiel.python.egt.alpharank")
    except ModuleNotFoundError:
        return None
    payoffs = antisymmetric(table)
    *_, masses, _, _ = module.compute([payoffs], m=50, use_inf_alpha=True)
    return np.asarray(masses, np.float64)


def cycles(beats: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """All (a, b, c) with a the least of them, where a beats b, b beats c and c beats a.

    Args:
        beats: bool[k, k], whether the player of a row beats that of a column. Where every pair is
            decided, no such three means that there is no longer cycle either.
    """
    numbers = range(len(beats))
    return [
        (a, b, c)
        for a in numbers
        for b in numbers
        for c in numbers
        if a < b and a < c and b != c and beats[a, b] and beats[b, c] and beats[c, a]
    ]


def _equilibria(payoffs: Floats) -> Floats:
    """Equilibria float64[k, k]: for each player one that names it as often as any does."""
    optimize = load_scipy("optimize")
    count = len(payoffs)
    slack = np.full(count, _SLACK * max(float(np.abs(payoffs).max()), 1e-12))
    found = []
    for player in range(count):
        answer = optimize.linprog(
            -np.eye(count)[player],
            A_ub=payoffs,
            b_ub=slack,
            A_eq=np.ones((1, count)),
            b_eq=[1.0],
            bounds=(0, 1),
            method="highs",
        )
        if not answer.success:
            raise ArithmeticError(f"No equilibrium was found: {answer.message}")
        found.append(_normalised(answer.x))
    return np.array(found)


def _spread(payoffs: Floats, start: Floats) -> Floats:
    """The equilibrium of greatest entropy, from one in the midst of them."""
    optimize = load_scipy("optimize")
    scale = max(float(np.abs(payoffs).max()), 1e-12)

    def disorder(weights: Floats) -> float:
        return float(np.sum(weights * np.log(np.maximum(weights, 1e-300))))

    def slope(weights: Floats) -> Floats:
        return np.log(np.maximum(weights, 1e-12)) + 1

    answer = optimize.minimize(
        disorder,
        start,
        jac=slope,
        method="SLSQP",
        bounds=[(0, 1)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda weights: weights.sum() - 1},
            {"type": "ineq", "fun": lambda weights: -(payoffs @ weights) / scale + _SLACK},
        ],
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    better = answer.success and disorder(answer.x) <= disorder(start)
    return _normalised(answer.x) if better else start


def _normalised(weights: Floats) -> Floats:
    positive = np.where(weights > _NOTHING, weights, 0)
    shares: Floats = positive / positive.sum()
    return shares
