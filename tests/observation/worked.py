"""Short ways to write down what an observation should hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_env import Hand
from razz_env.observation import encode, spec
from razz_env.rules.cards import RANKS


def seen(hand: Hand, seat: int, mode: str = "features") -> dict[str, np.ndarray]:
    """The parts of what a seat sees."""
    return spec(hand.num_players, mode).split(encode(hand.view(seat), mode))


def check(parts: dict[str, np.ndarray], expected: dict[str, Any]) -> None:
    """Every part has the expected numbers, and none was forgotten."""
    assert parts.keys() == expected.keys()
    for name, values in expected.items():
        same(parts[name], values, name)


def same(values: np.ndarray, expected: Any, name: str = "") -> None:
    """The numbers are the expected ones, which broadcast: 0 stands for zeros everywhere."""
    wanted = np.broadcast_to(np.asarray(expected, np.float64), values.shape)
    np.testing.assert_allclose(values, wanted, atol=1e-6, err_msg=name)


def ranks(cards: str) -> np.ndarray:
    """How many cards of each rank: `ranks("AA2")` is 2, 1 and eleven zeros."""
    return np.array([cards.count(rank) for rank in RANKS], float)


def boards(*seats: str) -> np.ndarray:
    """Up cards by seat and street, each as its rank."""
    up = np.zeros((len(seats), 4, len(RANKS)))
    for seat, cards in enumerate(seats):
        for street, rank in enumerate(cards):
            up[seat, street, RANKS.index(rank)] = 1
    return up


def thirteenths(*numbers: int, places: int) -> list[float]:
    """Lows: ace 13, deuce 12 .. king 1, then zeros."""
    return [*(number / 13 for number in numbers), *[0.0] * (places - len(numbers))]


def by_street(seats: int, *streets: list[list[int]]) -> np.ndarray:
    """Checks, calls and bring-ins, bets and raises: for each street so far, by seat."""
    counts = np.zeros((5, seats, 3))
    for street, rows in enumerate(streets):
        counts[street] = rows
    return counts


def log(*entries: tuple[int, int, int]) -> np.ndarray:
    """The action log: (relative seat, number of the action, street)."""
    rows = np.zeros((256, 3))
    for place, (seat, action, street) in enumerate(entries):
        rows[place] = (seat + 1) / 8, (action + 1) / 7, (street - 2) / 5
    return rows
