"""Runs that could not end well are refused before they begin, in one sentence."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agents.training.checkpoints import RunFolder
from agents.training.config import ConfigError, TrainingConfig
from agents.training.self_play import check_players


@pytest.mark.parametrize(
    ("section", "match"),
    [
        ({"rating": {"opponents": ()}}, "rating.opponents"),
        ({"table": {"stacks": 3}}, "no hand has a decision"),
        ({"table": {"stacks": (500, 4)}}, "no hand has a decision"),
        ({"ppo": {"big_bets_per_reward": float("inf")}}, "big_bets_per_reward"),
        ({"ppo": {"value_weight": float("inf")}}, "value_weight"),
        ({"pool": {"baselines": {"random": float("inf")}}}, "pool.baselines"),
        ({"rating": {"num_players": (6,)}}, "rating.num_players: rated at tables of 6 players"),
        ({"runs": "s3://bucket/runs"}, "runs='s3://bucket/runs' is an address"),
    ],
)
def test_values_that_cannot_work(section: dict[str, Any], match: str) -> None:
    with pytest.raises(ConfigError, match=match):
        TrainingConfig(**section)


def test_a_player_of_another_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    player = SimpleNamespace(name="made up", num_players=3)
    monkeypatch.setitem(check_players.__globals__, "resolve_agent", lambda _: player)
    with pytest.raises(ConfigError, match="plays at tables of 3 players, not of 2"):
        check_players(TrainingConfig())


def test_players_are_tried_at_the_tables_that_they_play_at() -> None:
    """A player of two can be an opponent in the ratings of two, not at tables of six."""
    heads_up: dict[str, Any] = {"opponents": ("trained:heads_up",), "num_players": (2,)}
    two_sizes = {"num_players": (2, 6)}
    check_players(TrainingConfig(table=two_sizes, rating=heads_up))
    with pytest.raises(ConfigError, match=r"rating.opponents: .* not of 6"):
        check_players(TrainingConfig(table=two_sizes, rating=heads_up | {"num_players": (2, 6)}))


def test_a_file_in_the_way_of_the_runs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    with pytest.raises(ConfigError, match="runs: no folder can be made there"):
        RunFolder.create(TrainingConfig(runs=str(tmp_path / "runs")))
