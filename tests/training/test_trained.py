"""Trained policies as players: sampling, masks, files and what is refused."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.players.inputs import Inputs
from agents.players.model_file import ModelError, read_model
from agents.players.sampling import sample
from agents.players.trained import PolicyPlayer, ppo
from razz_env import make_batch
from razz_env.envs.opponents import resolve_agent
from razz_env.observation import spec

from ..support.errors import refused
from .runs import session


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    """A model that has been trained a little."""
    run = session(tmp_path_factory.mktemp("runs"), frames=256)
    run.learn()
    return run.folder.model_path


def network(seed: int = 0, greedy: bool = False, players: int = 2) -> PolicyPlayer:
    rng = torch.Generator().manual_seed(seed)
    layout = spec(players)
    shapes = [(32, layout.size), (7, 32)]
    layers = [(torch.randn(s, generator=rng) * 0.3, torch.zeros(s[0])) for s in shapes]
    return PolicyPlayer("network", layers, "tanh", Inputs(layout), players, greedy)


def test_sample_draws_with_the_softmax_of_the_scores():
    scores = np.array([0.0, 1.0, -np.inf, 2.0, -np.inf, -1.0, 0.5])
    drawn = sample(np.tile(scores, (200_000, 1)), np.random.default_rng(0))
    expected = np.exp(scores) / np.exp(scores).sum()
    shares = np.bincount(drawn, minlength=7) / len(drawn)
    assert np.abs(shares - expected).max() < 0.005
    assert shares[2] == shares[4] == 0


@pytest.mark.parametrize("size", [1e4, -1e4, 1e30, 0.0])
def test_sample_bears_extreme_scores(size):
    rng = np.random.default_rng(0)
    scores = np.where(rng.random((1000, 7)) < 0.5, -np.inf, size * rng.standard_normal((1000, 7)))
    scores[:, 3] = np.where(np.isinf(scores).all(axis=1), size, scores[:, 3])
    drawn = sample(scores.astype(np.float32), rng)
    assert np.isfinite(scores[np.arange(1000), drawn]).all()


def test_it_plays_only_legal_actions_and_depends_on_the_generator_alone():
    player, batch = network(), make_batch(64, 2, seed=0)
    for step in range(200):
        masks = batch.action_masks.copy()
        seen = (batch.views, batch.observations, masks)
        actions = player.act(*seen, np.random.default_rng(step))
        torch.rand(3)
        assert (actions == player.act(*seen, np.random.default_rng(step))).all()
        assert masks[np.arange(64), actions].all()
        batch.step(actions)


def test_greedy_takes_the_likeliest_legal_action():
    player, batch = network(greedy=True), make_batch(64, 2, seed=0)
    scores = np.where(batch.action_masks, player.scores(batch.observations), -np.inf)
    actions = player.act(
        batch.views, batch.observations, batch.action_masks, np.random.default_rng()
    )
    assert (actions == scores.argmax(axis=1)).all()


def test_another_observation_is_not_used_but_encoded_anew():
    player, batch = network(), make_batch(16, 2, seed=0)
    other = make_batch(16, 2, seed=0, observation="infostate")
    blind = np.zeros((16, 0), np.float32)
    given = [batch.observations, other.observations, blind]
    drawn = [
        player.act(batch.views, seen, batch.action_masks, np.random.default_rng(1))
        for seen in given
    ]
    assert (drawn[0] == drawn[1]).all()
    assert (drawn[0] == drawn[2]).all()


def test_m05_a_row_without_a_legal_action_is_refused_before_any_tensor_maths(monkeypatch):
    player, batch = network(), make_batch(8, 2, seed=0)
    masks = batch.action_masks.copy()
    masks[5] = 0
    monkeypatch.setattr(player, "scores", lambda _: pytest.fail("the network was asked"))
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    with refused("row 5", f"seat {batch.actors[5]}", "allows no action"):
        player.act(batch.views, batch.observations, masks, rng)
    assert rng.bit_generator.state == before


def test_another_number_of_players_is_refused():
    batch = make_batch(4, 3, seed=0)
    with refused("2 players", "3"):
        network().act(batch.views, batch.observations, batch.action_masks, np.random.default_rng(0))


def test_a_saved_model_is_a_player_by_name(model):
    batch = make_batch(32, 2, seed=0)
    seen = (batch.views, batch.observations, batch.action_masks)
    for name in (f"ppo:{model}", f"ppo:{model}?greedy", f"ppo:{model.parent}"):
        player = resolve_agent(name)
        assert player.name == name
        actions = player.act(*seen, np.random.default_rng(0))
        assert batch.action_masks[np.arange(32), actions].all()


def test_the_card_tells_what_it_was_trained_on(model):
    card, weights = read_model(model)
    assert card.observation == spec(2).version
    assert card.num_players == 2
    assert card.rules["ante"] == 4
    assert card.stacks == [500, 500]
    assert card.frames == 256
    assert card.packages["torch"]
    beside = json.loads((model.parent / "model.json").read_text())
    assert beside == card.model_dump()
    with np.load(model.parent / "weights.npz") as arrays:
        assert {*arrays} == {*weights}
        assert all((arrays[name] == weights[name]).all() for name in arrays)


def with_card(model: Path, folder: Path, **changes: object) -> Path:
    """A copy of a model with another card."""
    path = folder / "changed.zip"
    with zipfile.ZipFile(model) as old, zipfile.ZipFile(path, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            if entry == "razz.json":
                data = json.dumps(json.loads(data) | changes).encode()
            new.writestr(entry, data)
    return path


def test_another_observation_spec_is_refused(model, tmp_path):
    path = with_card(model, tmp_path, observation="0-features-2-deadbeef")
    with refused(path, "0-features-2-deadbeef", spec(2).version, kind=ModelError):
        ppo(str(path))


@pytest.mark.parametrize(
    "changes", [{"format": 2}, {"layers": "many"}, {"extra": 1}, {"num_players": 99}]
)
def test_a_damaged_card_is_refused(model, tmp_path, changes):
    path = with_card(model, tmp_path, **changes)
    with refused(path, kind=ModelError):
        ppo(str(path))


def test_weights_that_do_not_fit_the_card_are_refused(model, tmp_path):
    path = with_card(model, tmp_path, layers=[99])
    with refused(path, "damaged", 99, kind=ModelError):
        ppo(str(path))


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_file_cut_short_is_refused(model, tmp_path, size):
    path = tmp_path / "cut.zip"
    path.write_bytes(model.read_bytes()[:size])
    with refused(path, "damaged", kind=ModelError):
        ppo(str(path))


def test_damaged_weights_are_refused(model, tmp_path):
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(model) as old, zipfile.ZipFile(path, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            new.writestr(entry, data[: len(data) // 2] if entry == "policy.pth" else data)
    with refused(path, "damaged", kind=ModelError):
        ppo(str(path))


def test_other_files_are_refused(model, tmp_path):
    with refused("no model file", kind=ModelError):
        ppo(str(tmp_path / "nothing.zip"))
    with refused("path"):
        ppo(None)
    foreign = tmp_path / "foreign.zip"
    shutil.make_archive(str(foreign.with_suffix("")), "zip", model.parent / "tensorboard")
    with refused(foreign, "razz.json", kind=ModelError):
        ppo(str(foreign))


@pytest.mark.parametrize("option", ["?greed", "?Greedy", "?", "?greedy=1"])
def test_a_misspelt_option_is_answered_with_the_right_one(model, option):
    with refused(f"no option {option!r}", f"'ppo:{model}?greedy'", kind=ModelError):
        ppo(f"{model}{option}")
