"""PPO in one file: what its decisions are credited with, and that it runs and learns."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

import torch

from razz_env import make_batch
from tests.examples.running import run


@pytest.fixture(scope="module")
def ppo() -> dict[str, Any]:
    return run("numpy_ppo")


def played(ppo: dict[str, Any], index: int = 0) -> Any:
    batch = make_batch(40, 3, seed=5, auto_deal=False)
    network = ppo["Network"](batch.observations.shape[1])
    return ppo["play"](network, batch, index)


def test_every_decision_is_legal_and_every_hand_is_played_out(ppo: dict[str, Any]) -> None:
    data = played(ppo)
    chosen = data.masks[np.arange(len(data.actions)), data.actions]
    assert chosen.all()
    assert set(data.tables) == set(range(40))
    assert np.abs(data.results.sum(axis=1)).max() < 1e-5
    assert data.results.any(axis=1).all()


def test_without_bootstrap_a_decision_is_credited_with_its_seats_own_result(
    ppo: dict[str, Any],
) -> None:
    data = played(ppo)
    gains = ppo["advantages"](data, 0.5, 1.0)
    own = 0.5 * data.results[data.tables, data.seats]
    assert gains + data.values == pytest.approx(own, abs=1e-5)


def test_one_step_advantages_compare_with_the_seats_own_next_decision(ppo: dict[str, Any]) -> None:
    data = played(ppo)
    gains = ppo["advantages"](data, 1.0, 0.0)
    for table, seat in {*zip(data.tables, data.seats, strict=True)}:
        own = np.flatnonzero((data.tables == table) & (data.seats == seat))
        after = [*data.values[own[1:]], data.results[table, seat]]
        assert gains[own] == pytest.approx(np.array(after) - data.values[own], abs=1e-5)


def test_it_trains_and_repeats_itself(ppo: dict[str, Any]) -> None:
    words = ["--iterations", "2", "--tables", "32", "--players", "2"]
    losses = [ppo["main"](words)[1] for _ in range(2)]
    assert np.isfinite(losses).all()
    assert losses[0] == losses[1]


@pytest.mark.slow
def test_it_learns_to_beat_a_player_who_calls_everything(ppo: dict[str, Any]) -> None:
    network, _ = ppo["main"](["--iterations", "100", "--players", "2"])
    batch, total, hands = make_batch(500, 2, seed=9, auto_deal=False), 0.0, 0
    for index in range(8):
        tables = np.arange(500)
        batch.deal(tables, tables, np.full(500, index))
        while (live := np.flatnonzero(batch.actors >= 0)).size:
            masks = batch.action_masks[live]
            calling = np.where(masks[:, 1], 1, np.where(masks[:, 2], 2, 3))
            with torch.no_grad():
                seen = torch.from_numpy(batch.observations[live])
                chances, _ = network(seen, torch.from_numpy(masks != 0))
            own = chances.sample().numpy()
            learner = (batch.actors[live] + live + index) % 2 == 0
            rewards, dones = batch.step(np.where(learner, own, calling), live)
            seats = (live + index) % 2
            total += float(rewards[np.arange(len(live)), seats].sum())
            hands += int(dones.sum())
    assert total / hands > 0.2  # big bets a hand
