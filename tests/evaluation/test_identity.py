"""Players are told apart by what they are, not by what they are called."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.evaluation import play_match
from agents.players.inputs import Inputs
from agents.players.trained import PolicyPlayer, ppo
from razz_env.envs.agent import identity_of
from razz_env.observation import spec

from ..support.errors import refused
from ..training.runs import session
from .players import LowDoor, Named, Uniform, caller


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = session(tmp_path_factory.mktemp("runs"), frames=256)
    run.learn()
    path: Path = run.folder.model_path
    return path


def network(seed: int = 0, scale: float = 0.3, greedy: bool = False) -> PolicyPlayer:
    rng = torch.Generator().manual_seed(seed)
    layout = spec(2)
    layers = [
        (torch.randn(shape, generator=rng) * scale, torch.zeros(shape[0]))
        for shape in ((32, layout.size), (7, 32))
    ]
    return PolicyPlayer(f"network {seed}", layers, "tanh", Inputs(layout), 2, greedy)


def test_a_player_without_an_identity_is_its_name() -> None:
    assert identity_of(caller()) == "caller"
    assert identity_of(Named("x", "content")) == "content"
    with refused("identity", "'x'", "7", kind=TypeError):
        identity_of(Named("x", 7))  # type: ignore[arg-type]


def test_a_new_name_changes_no_draw_and_another_identity_all() -> None:
    results = [
        play_match(Named(name, identity), Uniform(), 500).deck_chips
        for name, identity in (("a", "same"), ("b", "same"), ("a", "other"))
    ]
    np.testing.assert_array_equal(results[0], results[1])
    assert (results[0] != results[2]).any()


def test_two_spellings_and_a_copy_of_one_model_draw_alike(model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "renamed.zip"
    shutil.copy(model, copy)
    spellings = [str(model), str(model.parent), f"{model.parent}/./{model.name}", str(copy)]
    players = [ppo(spelling) for spelling in spellings]
    assert len({player.name for player in players}) == 4
    assert len({player.identity for player in players}) == 1
    chips = [play_match(player, Uniform(), 200).deck_chips for player in players]
    assert chips[0].any()
    for others in chips[1:]:
        np.testing.assert_array_equal(chips[0], others)
    assert not play_match(players[0], players[3], 200).deck_chips.any()


def test_an_identity_is_all_that_decides_how_a_network_plays() -> None:
    one = network()
    assert one.identity == network().identity
    others = [network(seed=1), network(scale=0.2), network(greedy=True)]
    others.append(PolicyPlayer("relu", one.layers, "relu", one.inputs, 2))
    assert len({player.identity for player in (one, *others)}) == 5


def test_the_draws_of_players_that_are_known_by_name_are_what_they_were() -> None:
    """Chips of the first decks as they were when seatings were told by names alone."""
    result = play_match(Uniform(), LowDoor(), 8, seed=1)
    assert result.deck_chips.tolist() == [-268, -68, -68, -20, 0, -35, 15, -248]
