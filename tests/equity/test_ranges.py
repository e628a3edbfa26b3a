"""Ranges of down cards are dealt by their joint weights, whatever way they are computed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from razz_env.equity import PAIRS, equity, ranges

from ..support.deals import shares
from ..support.errors import refused
from ..support.lows import DECK, card

RANKS = "A23456789TJQK"


def range_of(text: str) -> np.ndarray:
    """Weights of pairs: "A2 A3:0.5"."""
    weights = np.zeros(len(PAIRS))
    for part in text.split():
        pair, _, weight = part.partition(":")
        weights[PAIRS.index(tuple(sorted(RANKS.index(r) for r in pair)))] = float(weight or 1)
    return weights


# Two hands want the few aces and deuces that are left: one ace, two deuces, two threes.
STUB = "As 2s 2h 3s 3h Ks Kh 9s".split()
BOARDS = ["4c6cTcJc", "5d7dTdJd"]
GIVEN = [range_of("A2 A3 99 2K:0.5"), range_of("A2:2 22 3K:0.25 KK:0.1")]
DEAD = "".join(name for name in DECK if name not in STUB and name not in "".join(BOARDS))


def brute_force(sequential: bool) -> np.ndarray:
    """Equities over real cards: joint weights, or (wrongly) hand after hand by the cards left."""
    stub = [card(name) for name in STUB]
    boards = [[card(b[i : i + 2]) for i in range(0, 8, 2)] for b in BOARDS]
    total, weight = np.zeros(2), 0.0
    for first in combinations(stub, 2):
        left = [c for c in stub if c not in first]
        dealt = {second: pair_weight(1, second) for second in combinations(left, 2)}
        scale = 1.0
        if sequential and sum(dealt.values()) > 0:
            scale = 1.0 / sum(dealt.values())
        for second, other in dealt.items():
            both = pair_weight(0, first) * other * scale
            if both:
                rest = [c for c in left if c not in second]
                total += both * rivers(boards[0] + list(first), boards[1] + list(second), rest)
                weight += both
    return total / weight


def pair_weight(hand: int, cards: tuple[int, int]) -> float:
    return float(GIVEN[hand][PAIRS.index(tuple(sorted(c // 4 for c in cards)))])


def rivers(first: list[int], second: list[int], rest: list[int]) -> np.ndarray:
    deals = [(a, b) for a in rest for b in rest if a != b]
    return np.mean([shares([[*first, a], [*second, b]]) for a, b in deals], axis=0)


def ours(**options) -> object:
    hands = [f"xx{board}" for board in BOARDS]
    return equity(hands, dead=DEAD, ranges=GIVEN, **options)


def test_dealing_one_range_after_the_other_would_be_biased_here() -> None:
    assert abs(brute_force(sequential=True) - brute_force(sequential=False)).max() > 0.02


def test_the_exact_count_has_the_joint_weights() -> None:
    found = ours(method="exact")
    assert found.equities == pytest.approx(brute_force(sequential=False), abs=1e-12)


def test_exchanging_the_hands_exchanges_the_equities() -> None:
    hands = [f"xx{board}" for board in BOARDS]
    found = equity(hands[::-1], dead=DEAD, ranges=GIVEN[::-1], method="exact")
    assert found.equities[::-1] == pytest.approx(brute_force(sequential=False), abs=1e-12)


@pytest.mark.parametrize("rows", [ranges.TABLE_ROWS, 0], ids=["table", "importance"])
def test_sampling_has_the_joint_weights(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    monkeypatch.setattr(ranges, "TABLE_ROWS", rows)
    true = brute_force(sequential=False)
    found = ours(method="monte_carlo", samples=400_000)
    assert np.abs(found.equities - true).max() < 4 * found.standard_errors.max() < 0.01
    assert (found.effective_samples < found.samples) == (rows == 0)


def test_the_standard_errors_of_weighted_deals_are_those_of_many_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ranges, "TABLE_ROWS", 0)
    true = brute_force(sequential=False)
    runs = [ours(method="monte_carlo", samples=5000, seed=seed) for seed in range(200)]
    scores = np.array([(run.equities - true) / run.standard_errors for run in runs])[:, 0]
    assert abs(scores.mean()) < 4 / np.sqrt(200)
    assert scores.std() == pytest.approx(1.0, abs=4 / np.sqrt(400))


def test_equal_weights_are_no_range() -> None:
    flat = np.ones(91)
    known = equity(["A23", "xx8"]).equities
    assert equity(["A23", "xx8"], ranges=[None, flat]).equities == pytest.approx(known, abs=1e-12)
    sampled = equity(["A23", "xx8"], ranges=[None, 3 * flat], method="monte_carlo")
    assert sampled.equities == pytest.approx(known, abs=4 * sampled.standard_errors[0])


def test_a_range_of_one_pair_is_that_pair() -> None:
    known = equity(["A23", "678"], method="exact").equities
    weights = [None, range_of("67")]
    found = equity(["A23", "xx8"], ranges=weights, method="exact").equities
    assert found == pytest.approx(known, abs=1e-12)
    sampled = equity(["A23", "xx8"], ranges=weights, method="monte_carlo")
    assert sampled.equities == pytest.approx(known, abs=4 * sampled.standard_errors[0])


def test_a_matrix_is_the_same_as_the_list_of_pairs() -> None:
    weights = range_of("A2 A3:0.5 33")
    matrix = np.zeros((13, 13))
    for (low, high), weight in zip(PAIRS, weights):
        matrix[low, high] = matrix[high, low] = weight
    first = equity(["A23", "xx8"], ranges=[None, weights]).equities
    assert (equity(["A23", "xx8"], ranges=[None, matrix]).equities == first).all()


def test_many_wide_ranges_agree_with_hands_of_which_nothing_is_known() -> None:
    """Five flat ranges do not fit the table of joint pairs: importance weights stand in for it."""
    hands = ["A23", "xx4", "xx7", "xx9", "xxK", "xxQ"]
    unknown = equity(hands, samples=400_000)
    flat = equity(hands, samples=400_000, seed=1, ranges=[None, *[np.ones(91)] * 5])
    assert flat.effective_samples < flat.samples
    error = np.hypot(flat.standard_errors, unknown.standard_errors)
    assert (np.abs(flat.equities - unknown.equities) < 4 * error).all()


def test_ranges_that_cannot_be_dealt_together_are_refused() -> None:
    aces = [range_of("AA"), range_of("AA"), range_of("AA")]
    for method in ("exact", "monte_carlo"):
        with refused("cannot be dealt together"):
            equity(["xx5KQJT", "xx6KQJT", "xx7KQJT"], ranges=aces, method=method)


def test_ranges_that_cannot_be_dealt_are_refused_where_they_are_weighted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ranges, "TABLE_ROWS", 0)
    with refused("cannot be dealt together"):
        equity(["xx5", "xx6", "xx7"], ranges=[range_of("AA")] * 3, method="monte_carlo")


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([None], ["1 ranges for 2 hands"]),
        ([None, np.ones(90)], ["hand 2", "(90,)"]),
        ([None, -np.ones(91)], ["hand 2", ">= 0"]),
        ([None, np.zeros(91)], ["hand 2", "above 0"]),
        ([None, np.full(91, np.nan)], ["hand 2"]),
        ([None, np.full(91, 1 + 1j)], ["hand 2", "plain numbers"]),
        ([None, "all"], ["hand 2", "plain numbers", "'all'"]),
        ([None, [[1], [1, 2]]], ["hand 2", "plain numbers"]),
        ([None, np.triu(np.ones((13, 13)))], ["hand 2", "symmetric"]),
        ([np.ones(91), None], ["hand 1", "'A23'", "unknown"]),
    ],
)
def test_bad_ranges_are_refused(weights: list, words: list[str]) -> None:
    with refused(*words):
        equity(["A23", "xx8"], ranges=weights)
