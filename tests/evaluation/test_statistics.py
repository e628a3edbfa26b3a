"""The rating's arithmetic, against figures worked out by hand."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from agents.evaluation.duplicate import sum_of_squares
from agents.evaluation.statistics import Z_95, DeckSums, bb_per_100


def test_sums_of_three_decks_by_hand() -> None:
    """Net chips +40, -20 and +10 in three decks of two hands each, big bet 40.

    Mean 10 chips a deck = 5 a hand = 0.125 bb, so 12.5 BB/100. Deviations 30, -30 and 0: variance
    1800 / 2 = 900, deviation 30, standard error 30 / sqrt(3) = 17.3205 chips a deck.
    """
    sums = DeckSums.of(np.array([40, -20, 10]))
    assert sums == DeckSums(3, 30, 2100)
    mean, error = bb_per_100(sums, hands_per_deck=2, big_bet=40)
    assert mean == pytest.approx(12.5, abs=1e-12)
    assert error == pytest.approx(100 / 80 * 30 / math.sqrt(3), abs=1e-12)


def test_sums_agree_with_the_textbook_on_many_decks() -> None:
    chips = np.random.default_rng(1).integers(-900, 900, 5000)
    mean, error = bb_per_100(DeckSums.of(chips), 6, 40)
    values = [100 * chip / 240 for chip in chips.tolist()]
    assert mean == pytest.approx(statistics.fmean(values))
    assert error == pytest.approx(statistics.stdev(values) / math.sqrt(5000))


def test_parts_add_up_exactly_in_any_order() -> None:
    chips = np.random.default_rng(2).integers(-(2**56), 2**56, 999)
    parts = [DeckSums.of(part) for part in np.array_split(chips, 7)]
    assert sum(parts, DeckSums()) == sum(reversed(parts), DeckSums()) == DeckSums.of(chips)


def test_decks_that_are_all_alike_leave_no_error() -> None:
    assert bb_per_100(DeckSums.of(np.full(1000, 7)), 2, 40) == (pytest.approx(8.75), 0.0)


def test_95_percent_is_1_96_standard_errors() -> None:
    assert pytest.approx(1.959964, abs=1e-6) == Z_95


def test_squares_of_any_size_are_summed_exactly() -> None:
    rng = np.random.default_rng(0)
    for size in (10, 2**26 - 1, 2**26, 2**53):
        values = rng.integers(-size, size, 1000, endpoint=True)
        values[:2] = size, -size
        assert sum_of_squares(values) == sum(int(value) ** 2 for value in values)
    assert sum_of_squares(np.zeros(0, np.int64)) == 0
