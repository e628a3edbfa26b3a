"""Rankings of fields in which nobody beats everybody, and of many comparisons."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from agents.evaluation.ranking import (
    alpha_rank,
    antisymmetric,
    cycles,
    maximal_lottery,
    nash_average,
)
from agents.evaluation.statistics import bootstrap_interval, holm, load_scipy, two_sided_p

from ..support.errors import refused

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)


def test_in_a_fair_cycle_all_are_named_alike_and_rated_zero() -> None:
    found = nash_average(30 * ROCK_PAPER_SCISSORS)
    np.testing.assert_allclose(found.weights, [1 / 3] * 3, atol=1e-8)
    np.testing.assert_allclose(found.ratings, [0] * 3, atol=1e-6)


def test_an_uneven_cycle_by_hand() -> None:
    """A beats B by a, B beats C by b and C beats A by c.

    A wins nothing of the mixture if p_B a = p_C c, B if p_C b = p_A a, C if p_A c = p_B b; hence
    p = (b, c, a) / (a + b + c).
    """
    a, b, c = 5.0, 20.0, 1.0
    table = np.array([[0, a, -c], [-a, 0, b], [c, -b, 0]])
    found = nash_average(table)
    np.testing.assert_allclose(found.weights, np.array([b, c, a]) / (a + b + c), atol=1e-7)
    np.testing.assert_allclose(found.ratings, 0, atol=1e-6)
    np.testing.assert_allclose(maximal_lottery(table).weights, [1 / 3] * 3, atol=1e-8)


def test_who_beats_everybody_is_alone_and_the_others_are_rated_by_that() -> None:
    table = np.array([[0, 10, 4], [-10, 0, 90], [-4, -90, 0]], float)
    found = nash_average(table)
    np.testing.assert_allclose(found.weights, [1, 0, 0], atol=1e-8)
    np.testing.assert_allclose(found.ratings, [0, -10, -4], atol=1e-6)


def test_a_copy_of_a_player_shares_its_weight_and_changes_nothing_else() -> None:
    four = np.array([[0, -1, 1, 1], [1, 0, -1, -1], [-1, 1, 0, 0], [-1, 1, 0, 0]], float)
    np.testing.assert_allclose(nash_average(four).weights, [1 / 3, 1 / 3, 1 / 6, 1 / 6], atol=1e-5)
    np.testing.assert_allclose(nash_average(np.zeros((4, 4))).weights, [1 / 4] * 4, atol=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_nobody_wins_against_an_equilibrium_of_a_random_field(seed: int) -> None:
    table = antisymmetric(np.random.default_rng(seed).normal(0, 40, (9, 9)))
    for found in (nash_average(table), maximal_lottery(table)):
        assert found.weights.sum() == pytest.approx(1)
        assert (found.weights >= 0).all()
        assert found.ratings.max() <= 1e-5
        np.testing.assert_allclose(found.ratings[found.weights > 0], 0, atol=1e-4)


def test_only_the_antisymmetric_part_of_a_table_counts() -> None:
    table = ROCK_PAPER_SCISSORS + np.array([[0, 7, 3], [7, 0, -2], [3, -2, 0]])
    np.testing.assert_allclose(
        nash_average(table).weights, nash_average(ROCK_PAPER_SCISSORS).weights, atol=1e-8
    )


def test_alpha_rank_of_known_fields() -> None:
    pytest.importorskip("open_spiel")
    for package in ("matplotlib", "networkx"):  # OpenSpiel's module draws as well
        pytest.importorskip(package)
    fair = alpha_rank(ROCK_PAPER_SCISSORS)
    assert fair is not None
    np.testing.assert_allclose(fair, [1 / 3] * 3, atol=1e-6)
    best = alpha_rank(np.array([[0, 10, 4], [-10, 0, 90], [-4, -90, 0]], float))
    assert best is not None
    assert best.argmax() == 0
    assert best[0] > 0.95


def test_without_open_spiel_there_is_no_alpha_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "open_spiel.python.egt.alpharank", None)
    assert alpha_rank(ROCK_PAPER_SCISSORS) is None


def test_cycles_are_found_once_each() -> None:
    assert cycles(ROCK_PAPER_SCISSORS > 0) == [(0, 2, 1)]
    assert cycles(np.triu(np.ones((5, 5), bool), 1)) == []


# ---- many comparisons


def test_holm_by_hand() -> None:
    """0.01 x 4 = 0.04; 0.02 x 3 = 0.06; 0.03 x 2 = 0.06; 0.5 x 1; never less than one before."""
    adjusted = holm([0.5, 0.01, 0.03, 0.02])
    np.testing.assert_allclose(adjusted, [0.5, 0.04, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_p_value_is_that_of_the_normal_distribution() -> None:
    assert two_sided_p(1.959964, 1.0) == pytest.approx(0.05, abs=1e-6)
    assert two_sided_p(-3.919928, 2.0) == pytest.approx(0.05, abs=1e-6)
    assert (two_sided_p(0.0, 0.0), two_sided_p(1.0, 0.0)) == (1.0, 0.0)


# ---- the bootstrap


def test_the_bootstrap_agrees_with_the_normal_interval_on_many_decks() -> None:
    chips = np.random.default_rng(0).integers(-100, 120, 5000)
    low, high = bootstrap_interval(chips, 0.5, seed=1)
    error = 0.5 * chips.std(ddof=1) / np.sqrt(5000)
    assert (low + high) / 2 == pytest.approx(0.5 * chips.mean(), abs=0.2 * error)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.08)
    assert bootstrap_interval(chips, 0.5, seed=1) == (low, high)
    assert bootstrap_interval(chips, 0.5, seed=2) != (low, high)


def test_the_bootstrap_of_decks_that_are_all_alike_is_a_point() -> None:
    assert bootstrap_interval(np.full(50, -8), 0.25, seed=0) == (-2.0, -2.0)


def test_without_scipy_the_pip_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    missing: Any = None
    monkeypatch.setitem(sys.modules, "scipy.stats", missing)
    with refused("scipy", 'pip install "razz-env[report]"', kind=ModuleNotFoundError):
        load_scipy("stats")
