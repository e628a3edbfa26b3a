"""Equilibria of small two-player games, by another method than the best response."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack

from agents.evaluation.best_response import Decision, End, Game, Policy


def equilibrium(game: Game) -> tuple[Policy, float]:
    """By linear programming over sequences (Koller, Megiddo and von Stengel, 1996).

    Another method than the best response, and nothing of it is used but the tree.
    """
    sequences: list[dict[tuple[int, int, int], int]] = [{}, {}]  # (point, set, action) -> number
    parents: list[dict[tuple[int, int], int]] = [{}, {}]  # (point, set) -> sequence before
    wins: dict[tuple[int, int], float] = {}

    def walk(points: Any, before: Any) -> None:
        for point in points:
            if isinstance(point, End):
                for deal, net in zip(point.deals, point.net[:, 0], strict=True):
                    key = before[0][deal], before[1][deal]
                    wins[key] = wins.get(key, 0.0) + net / game.deals
                continue
            seat, name = point.seat, id(point)
            for deal, group in zip(point.deals, point.sets, strict=True):
                parents[seat][name, group] = before[seat][deal]
            for place, after in enumerate(point.after):
                later = [dict(before[0]), dict(before[1])]
                for deal, group in zip(point.deals, point.sets, strict=True):
                    number = sequences[seat].setdefault(
                        (name, group, place), 1 + len(sequences[seat])
                    )
                    later[seat][deal] = number
                walk(after, later)

    start = dict.fromkeys(range(game.deals), 0)
    walk(game.points, [start, start])
    plans, value = [], 0.0
    for seat in (0, 1):
        plan, worth = _best_plan(seat, sequences, parents, wins)
        plans.append(plan)
        value = worth if seat == 0 else value

    def policy(point: Decision) -> Any:
        keys = [
            [sequences[point.seat][id(point), group, a] for a in range(len(point.legal))]
            for group in point.sets
        ]
        weights = np.maximum(plans[point.seat][np.array(keys)], 0)
        sums = weights.sum(axis=1, keepdims=True)
        return np.where(sums > 1e-12, weights / np.maximum(sums, 1e-300), 1 / len(point.legal))

    return policy, value * game.unit


def _best_plan(seat: int, sequences: Any, parents: Any, wins: Any) -> tuple[Any, float]:
    """The plan of a seat that loses least against the best answer, and its worth to seat 0."""
    other = 1 - seat
    own, theirs = 1 + len(sequences[seat]), 1 + len(sequences[other])
    own_rows, their_rows = (_flows(parents[one], sequences[one]) for one in (seat, other))
    sign = 1 if seat == 0 else -1
    pairs = np.array(list(wins))
    payoff = csr_matrix(
        (sign * np.array(list(wins.values())), (pairs[:, seat], pairs[:, other])), (own, theirs)
    )
    # maximise q(0) subject to  (their flow)^T q <= payoff^T x,  own flow x = e,  x >= 0
    count = their_rows.shape[0]
    less = hstack([-payoff.T, their_rows.T])
    flow = hstack([own_rows, csr_matrix((own_rows.shape[0], count))])
    ends = np.zeros(own_rows.shape[0])
    ends[0] = 1
    aim = np.zeros(own + count)
    aim[own] = -1
    bounds = [(0, None)] * own + [(None, None)] * count
    found = linprog(
        aim,
        A_ub=less,
        b_ub=np.zeros(theirs),
        A_eq=flow,
        b_eq=ends,
        bounds=bounds,
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert found.status == 0
    return found.x[:own], -sign * found.fun


def _flows(parents: Any, sequences: Any) -> Any:
    """The empty sequence is 1; in each set the sequences that go on sum to the one before."""
    rows, columns, values = [0], [0], [1.0]
    for row, before in enumerate(parents.values(), 1):
        rows.append(row)
        columns.append(before)
        values.append(-1.0)
    numbers = {key: row for row, key in enumerate(parents, 1)}
    for (point, group, _), number in sequences.items():
        rows.append(numbers[point, group])
        columns.append(number)
        values.append(1.0)
    return csr_matrix((values, (rows, columns)), (1 + len(parents), 1 + len(sequences)))
