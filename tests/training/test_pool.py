"""The opponent pool: weights, drop rule, and what a snapshot costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from agents.players.inputs import Inputs
from agents.players.model_file import ModelError
from agents.players.trained import PolicyPlayer
from agents.training.config import PoolConfig
from agents.training.pool import OpponentPool
from razz_env.observation import spec

from ..support.errors import refused
from .runs import session

LAYOUT = spec(2)


def make(**options: Any) -> OpponentPool:
    return OpponentPool(PoolConfig(**options), Inputs(LAYOUT), (2,), "relu")


def state(value: float = 0.0, width: int = 32) -> dict[str, torch.Tensor]:
    """Parameters as MaskablePPO's policy names them, critic included."""
    shapes = {
        "mlp_extractor.policy_net.0.weight": (width, LAYOUT.size),
        "mlp_extractor.policy_net.0.bias": (width,),
        "mlp_extractor.value_net.0.weight": (width, LAYOUT.size),
        "action_net.weight": (7, width),
        "action_net.bias": (7,),
        "value_net.weight": (1, width),
    }
    return {name: torch.full(shape, value) for name, shape in shapes.items()}


def test_fixed_players_share_by_weight_until_there_are_snapshots():
    pool = make(baselines={"caller": 3.0, "random": 1.0}, snapshot_share=0.5)
    agents, weights = pool.draw(np.random.default_rng(0))
    assert [agent.name for agent in agents] == ["caller", "random"]
    assert weights.tolist() == [0.75, 0.25]
    pool.add(10, state())
    agents, weights = pool.draw(np.random.default_rng(0))
    assert [agent.name for agent in agents] == ["caller", "random", "snapshot:10"]
    assert weights.tolist() == [0.375, 0.125, 0.5]


def test_the_newest_snapshot_plays_always_and_others_by_chance():
    pool = make(snapshots_in_play=3)
    for frames in range(1, 9):
        pool.add(frames, state())
    rng, met = np.random.default_rng(0), set()
    for _ in range(40):
        agents, weights = pool.draw(rng)
        names = [agent.name for agent in agents if agent.name.startswith("snapshot")]
        assert len(set(names)) == 3
        assert names[-1] == "snapshot:8"
        assert weights.sum() == pytest.approx(1)
        met |= {*names}
    assert len(met) == 8


def test_a_full_pool_keeps_snapshots_spread_over_all_of_training():
    pool = make(max_snapshots=5)
    for frames in range(1, 101):
        pool.add(frames, state())
        assert len(pool.snapshots) <= 5
        assert 1 in pool.snapshots
        assert frames in pool.snapshots
    gaps = np.diff(list(pool.snapshots))
    assert gaps.max() <= 50


def test_a_pool_of_one_keeps_the_newest():
    pool = make(max_snapshots=1)
    for frames in (1, 2, 3):
        pool.add(frames, state())
    assert [*pool.snapshots] == [3]


def test_a_snapshot_is_a_copy_that_later_learning_does_not_change():
    pool, parameters = make(), state(1.0)
    pool.add(1, parameters)
    for tensor in parameters.values():
        tensor.fill_(5.0)
    assert float(pool.snapshots[1].layers[0][0].max()) == 1.0


def test_g01_snapshots_cost_their_parameters_only():
    pool = make(max_snapshots=100)
    for frames in range(100):
        pool.add(frames, state(width=64))
    actor = 4 * (64 * LAYOUT.size + 64 + 7 * 64 + 7)
    assert all(snapshot.nbytes == actor for snapshot in pool.snapshots.values())
    storages = {
        tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes()
        for snapshot in pool.snapshots.values()
        for layer in snapshot.layers
        for tensor in layer
    }
    assert sum(storages.values()) <= 1.1 * 100 * actor
    arrays = pool.to_arrays()
    assert sum(array.nbytes for array in arrays.values()) == 100 * actor


def test_snapshots_come_back_from_arrays():
    pool, other = make(), make()
    for frames in (3, 20, 100):
        pool.add(frames, state(frames / 100))
    other.load_arrays(pool.to_arrays())
    assert [*other.snapshots] == [3, 20, 100]
    for frames in pool.snapshots:
        pairs = zip(pool.snapshots[frames].layers, other.snapshots[frames].layers, strict=True)
        assert all(torch.equal(a, b) for mine, theirs in pairs for a, b in zip(mine, theirs))


@pytest.mark.parametrize(
    ("rename", "width", "told"),
    [
        ({"7/0/weight": "weights"}, None, "'weights'"),
        ({"7/0/weight": "7/5/weight"}, None, "7/0/weight"),
        ({}, 8, "(32, 8)"),
    ],
)
def test_arrays_of_something_else_are_refused_and_change_nothing(rename, width, told):
    pool, other = make(), make()
    pool.add(7, state())
    other.add(3, state())
    arrays = {rename.get(name, name): array for name, array in pool.to_arrays().items()}
    if width:
        arrays["7/0/weight"] = arrays["7/0/weight"][:, :width]
    with refused(told, kind=ValueError):
        other.load_arrays(arrays)
    assert [*other.snapshots] == [3]


def test_a_run_whose_pool_is_of_something_else_is_refused_with_a_sentence(tmp_path):
    run = session(tmp_path, frames=256)
    run.learn()
    np.savez(run.folder.path / "pool.npz", weights=np.zeros(3))
    with refused("pool.npz", "damaged", "'weights'", kind=ModelError):
        session(tmp_path, resume=run.folder.path, frames=512)


def test_snapshots_play_in_batches_with_the_generator_they_are_given():
    pool = make()
    pool.add(1, state())
    snapshot = pool.snapshots[1]
    assert isinstance(snapshot, PolicyPlayer)
    views = np.zeros(50, [("seat", "i1"), ("public", [("num_seats", "i1")])])
    views["public"]["num_seats"] = 2
    masks = np.tile(np.array([1, 0, 1, 0, 0, 0, 1], np.int8), (50, 1))
    before = torch.random.get_rng_state()
    args = (views, np.zeros((50, LAYOUT.size), np.float32), masks)
    first = snapshot.act(*args, np.random.default_rng(3))
    assert (first == snapshot.act(*args, np.random.default_rng(3))).all()
    assert {*first.tolist()} == {0, 2, 6}
    assert torch.equal(torch.random.get_rng_state(), before)


def test_priority_shifts_weights_to_those_who_win_with_a_floor():
    pool = make(baselines={"caller": 1.0, "random": 1.0}, priority_bb_per_100=20.0)
    pool.note([("caller", 9000, 900.0), ("random", 9000, -900.0)])
    # With 1,000 hands won by nobody added: +9 and -9 BB/100.
    assert (pool.bb_per_100("caller"), pool.bb_per_100("random")) == (9.0, -9.0)
    _, weights = pool.draw(np.random.default_rng(0))
    shares = np.exp([9 / 20, -9 / 20])
    assert weights == pytest.approx(0.3 * 0.5 + 0.7 * shares / shares.sum())
    assert weights.sum() == pytest.approx(1)


def test_without_a_priority_results_change_nothing():
    pool = make(baselines={"caller": 1.0, "random": 3.0})
    pool.note([("caller", 9000, 900.0)])
    assert pool.draw(np.random.default_rng(0))[1].tolist() == [0.25, 0.75]


def test_older_results_count_half_after_20_000_hands_and_lost_opponents_are_forgotten():
    pool = make(baselines={"caller": 1.0}, max_snapshots=1)
    pool.add(1, state())
    pool.note([("caller", 100, 50.0), ("snapshot:1", 10, 1.0), ("stranger", 5, 5.0)])
    pool.note([("caller", 20_000, 0.0)])
    assert pool.results["caller"] == (20_050.0, 25.0)
    assert {*pool.results} == {"caller", "snapshot:1"}
    pool.add(2, state())
    pool.note([])
    assert {*pool.results} == {"caller"}


def test_older_snapshots_that_win_play_more_often():
    pool = make(snapshots_in_play=2, priority_bb_per_100=10.0, priority_floor=0.2)
    for frames in (1, 2, 3):
        pool.add(frames, state())
    pool.note([("snapshot:1", 9000, 4500.0)])
    rng, met = np.random.default_rng(0), []
    for _ in range(400):
        met.append(pool.draw(rng)[0][-2].name)
    assert met.count("snapshot:1") / 400 == pytest.approx(0.9, abs=0.05)


def test_a_player_that_is_never_met_does_not_drown_the_others():
    pool = make(baselines={"caller": 0.0, "random": 1.0}, priority_bb_per_100=0.01)
    pool.note([("caller", 90_000, 90_000.0)])
    assert pool.draw(np.random.default_rng(0))[1].tolist() == [0.0, 1.0]
