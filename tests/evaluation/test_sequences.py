"""The confidence sequence: its formula, and that it covers at all times together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from agents.evaluation import play_match
from agents.evaluation.match import Stopping
from agents.evaluation.sequences import DESIGN_DECKS, FIRST_LOOK, anytime_errors
from agents.evaluation.statistics import Z_95

from ..support.errors import refused
from .players import LowDoor, Named, Uniform, caller, raiser


def test_it_is_robbins_normal_mixture_worked_out_by_hand() -> None:
    """For alpha = 0.05: -2 ln alpha = 5.99146, rho^2 t* = 5.99146 + ln 5.99146 + 1 = 8.78180.

    At t = t*: sqrt(2 * 9.78180 / 8.78180 * ln(sqrt(9.78180) / 0.05)) = sqrt(2.22774 * 4.13594).
    """
    assert anytime_errors(DESIGN_DECKS) == pytest.approx(math.sqrt(2.22774 * 4.13594), abs=1e-4)


def test_it_is_wider_than_one_look_needs_but_not_twice_over_a_wide_range() -> None:
    for decks in (5_000, 20_000, 100_000, 1_000_000, 10_000_000):
        assert Z_95 < anytime_errors(decks) < 2 * Z_95
    assert anytime_errors(1000, level=0.99) > anytime_errors(1000)
    half_widths = [anytime_errors(decks) / math.sqrt(decks) for decks in range(1000, 200_000, 1000)]
    assert half_widths == sorted(half_widths, reverse=True)


@pytest.mark.parametrize("pair", [(LowDoor, Uniform), (LowDoor, raiser)])
def test_it_covers_the_truth_at_all_looks_together(pair: tuple[type, type]) -> None:
    """2,000 matches of 60 blocks, of decks drawn from those of a real match, looked at after each.

    Fewer than 5 % may ever miss. The normal interval, looked at as often, misses in far more.
    """
    chips = play_match(pair[0](), pair[1](), 4_000, seed=1).deck_chips
    truth = chips.mean()
    rng = np.random.default_rng(0)
    missed = {"anytime": 0, "normal": 0}
    for _ in range(2000):
        means, errors, decks = looks(rng.choice(chips, 60 * FIRST_LOOK))
        bounds = np.array([anytime_errors(count) for count in decks.tolist()])
        missed["anytime"] += bool((np.abs(means - truth) > bounds * errors).any())
        missed["normal"] += bool((np.abs(means - truth) > Z_95 * errors).any())
    assert missed["anytime"] / 2000 < 0.05
    assert missed["normal"] / 2000 > 0.15


def looks(chips: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, their errors and decks after every block."""
    blocks = chips.reshape(-1, FIRST_LOOK)
    decks = FIRST_LOOK * np.arange(1, len(blocks) + 1)
    sums, squares = blocks.sum(axis=1).cumsum(), (blocks**2).sum(axis=1).cumsum()
    variances = (squares - sums**2 / decks) / (decks - 1)
    return sums / decks, np.sqrt(variances / decks), decks


def test_matches_that_end_when_decided_are_rarely_wrong() -> None:
    """Two players that draw alike: the truth is 0, and whoever decides is wrong."""
    wrong = 0
    for seed in range(60):
        result = play_match(
            Named("one"), Named("other"), 5_000, seed, stopping=Stopping(decided=True)
        )
        wrong += not result.low <= 0 <= result.high
    assert wrong <= 6  # of 60 at 5 %, more than 6 come once in 30 tries; fewer are expected


def test_a_match_ends_at_the_wanted_half_width_and_not_a_block_later() -> None:
    result = play_match(LowDoor(), Uniform(), 60_000, stopping=Stopping(half_width=4.0))
    assert result.sequential
    assert result.decks < 60_000
    assert result.half_width <= 4.0
    assert result.half_width == anytime_errors(result.decks) * result.standard_error
    before = play_match(LowDoor(), Uniform(), result.decks - 1000)
    assert anytime_errors(before.decks) * before.standard_error > 4.0
    again = play_match(LowDoor(), Uniform(), result.decks)
    np.testing.assert_array_equal(result.deck_chips, again.deck_chips)


def test_a_match_ends_when_it_is_decided() -> None:
    result = play_match(caller(), Uniform(), 60_000, stopping=Stopping(decided=True))
    assert result.decks < 60_000
    assert result.low > 0


def test_players_that_are_the_same_end_at_once_and_those_that_seldom_differ_do_not() -> None:
    for stopping in (Stopping(half_width=1.0), Stopping(decided=True)):
        one = play_match(caller(), caller(), 5_000, stopping=stopping)
        assert (one.decks, one.half_width) == (1000, 0.0)
    almost = play_match(caller(), Named("low door", "x"), 3_000, stopping=Stopping(1e9))
    assert almost.decks == 1000
    never = play_match(caller(), raiser(), 3_000, stopping=Stopping(half_width=1.0))
    assert not never.deck_chips.any()  # neither folds, so cards decide and cancel out
    assert never.decks == 3_000


@pytest.mark.parametrize("width", [0.0, -1.0, float("nan")])
def test_a_half_width_that_cannot_be_reached_is_refused(width: float) -> None:
    with refused("half-width", kind=ValueError):
        Stopping(half_width=width)
