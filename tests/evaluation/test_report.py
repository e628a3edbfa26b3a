"""Ratings as text and as JSON."""

from __future__ import annotations

import json

import pytest

from agents.evaluation import MatchResult, play_match, rating_heading, rating_table
from agents.evaluation.report import interval_notes
from agents.evaluation.sequences import FIRST_LOOK
from razz_env import HouseRules

from .players import LowDoor, caller, raiser


def result_of(opponent: str, mean: float, error: float, players: int = 2) -> MatchResult:
    return MatchResult(
        agent="hero",
        opponent=opponent,
        num_players=players,
        decks=20_000,
        hands=20_000 * players,
        bb_per_100=mean,
        standard_error=error,
        seed=7,
        rules=HouseRules(),
        stacks=(500,) * players,
        seconds=2.34,
        deck_chips=play_match(caller(), caller(), 2).deck_chips,
    )


def test_a_table_reads_as_it_stands() -> None:
    table = rating_table([result_of("random", 75.123, 0.5), result_of("scripted:tight", -1.5, 1.0)])
    assert table.splitlines() == [
        "| opponent       |  decks | BB/100 |    95 % interval |",
        "|:---------------|-------:|-------:|-----------------:|",
        "| random         | 20,000 | +75.12 | +74.14 to +76.10 |",
        "| scripted:tight | 20,000 |  -1.50 |   -3.46 to +0.46 |",
    ]


def test_copies_of_an_opponent_are_counted() -> None:
    assert "5 x caller" in rating_table([result_of("caller", 1, 1, players=6)])


def test_a_heading_says_what_was_played() -> None:
    assert rating_heading(result_of("random", 1, 1)) == (
        "hero against random, heads-up: 40,000 hands (20,000 decks in 2 seats), rules full_tilt, "
        "bets 20/40, ante 4, bring-in 5, stacks 500, seed 7, 2.3 s"
    )


@pytest.mark.parametrize("decks", [2, FIRST_LOOK - 1, FIRST_LOOK])
def test_few_decks_have_no_interval_that_is_called_valid(decks: int) -> None:
    """Caller and raiser come out even in every deck, so that all errors are 0."""
    result = play_match(caller(), raiser(), decks)
    notes = interval_notes(result)
    assert ("valid whenever" in notes) == (decks == FIRST_LOOK)
    assert ("Fewer than 1,000 decks decide nothing" in notes) == (decks < FIRST_LOOK)
    told = result.estimates[-1].to_dict(decks)["anytime"]
    assert (told is None) == (decks < FIRST_LOOK)


def test_a_result_goes_through_json() -> None:
    result = play_match(LowDoor(), raiser(), decks=50, seed=3, stacks=[500, 300])
    told = json.loads(json.dumps(result.to_dict()))
    assert told["bb_per_100"] == result.bb_per_100
    assert (told["low"], told["high"]) == (result.low, result.high)
    assert told["half_width"] == pytest.approx(1.96 * told["standard_error"], rel=1e-4)
    assert told["stacks"] == [500, 300]
    assert told["rules"]["big_bet"] == 40
    assert "deck_chips" not in told
