"""The ladder of players: each step beats the one below it, and all that is weaker still."""

from __future__ import annotations

from typing import Any

import pytest

from agents.evaluation import play_match
from agents.players.basic import caller, raiser, random
from agents.players.book import book
from agents.players.equity import equity
from agents.players.scripted import scripted
from benchmarks.ladder import play_alternating
from razz_env.envs.agent import Agent

SEED = 20


def tight() -> Agent:
    """The tight scripted player."""
    return scripted("tight")


def loose() -> Agent:
    """The loose scripted player."""
    return scripted("loose")


STEPS = [(caller, random), (loose, caller), (tight, loose), (book, tight), (equity, book)]
DECKS_FOR_TABLES = {loose: 1000, tight: 4000, book: 15_000, equity: 4000}


@pytest.mark.parametrize(("better", "worse"), STEPS)
def test_each_step_beats_the_one_below_it_heads_up(better: Any, worse: Any) -> None:
    assert play_match(better(), worse(), decks=8000, seed=SEED).low > 0


@pytest.mark.parametrize(("better", "worse"), STEPS[1:])
def test_each_step_from_loose_on_beats_the_one_below_it_at_a_mixed_table(
    better: Any, worse: Any
) -> None:
    decks = DECKS_FOR_TABLES[better]
    assert play_alternating(better(), worse(), decks, SEED).low > 0


@pytest.mark.parametrize("better", [book, equity])
@pytest.mark.parametrize("worse", [random, caller, raiser, loose])
def test_book_and_equity_beat_whoever_is_weaker(better: Any, worse: Any) -> None:
    assert play_match(better(), worse(), decks=2000, seed=SEED).low > 0


@pytest.mark.parametrize("better", [book, equity])
@pytest.mark.parametrize("rules", ["kuhn", "mini20", "mini24", "mini32"])
def test_book_and_equity_beat_the_caller_in_the_small_variants(better: Any, rules: str) -> None:
    for num_players in (2, 4):
        result = play_match(better(), caller(), 3000, SEED, rules, num_players=num_players)
        assert result.low > 0


@pytest.mark.parametrize("player", [book, equity])
@pytest.mark.parametrize("num_players", [2, 6])
def test_scores_exactly_zero_against_itself(player: Any, num_players: int) -> None:
    result = play_match(player(), player(), decks=150, num_players=num_players)
    assert not result.deck_chips.any()
