"""A run that goes on with one more input, the chance to win."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.players.inputs import Inputs
from agents.players.network import trained
from agents.players.trained import ppo
from agents.shipping.export_command import export_command
from agents.training.arguments import Request
from agents.training.config import ConfigError
from agents.training.runner import train
from razz_env import make_batch
from razz_env.observation import spec

from .runs import session, tiny

GROWN: dict[str, Any] = {
    "table": {"num_players": (2, 3), "seats": 4},
    "ppo": {"critic": "all_cards", "magnet": 0.01},
    "pool": {"max_snapshots": 2},
}
WIDER = GROWN | {"table": {**GROWN["table"], "win_chance": True}}
SIZE = spec(4).size


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that began without the chance and went on with it."""
    folder = tmp_path_factory.mktemp("grown")
    train(Request(tiny(folder, **GROWN)))
    train(Request(tiny(folder, **WIDER | {"frames": 3072}), folder / "tiny"))
    return folder / "tiny"


@pytest.mark.parametrize("critic", ["all_cards", "own"])
@pytest.mark.parametrize("layers", [(16, SIZE), ()])
def test_the_new_input_changes_nothing_until_it_learns(
    critic: str, layers: tuple[int, ...], tmp_path: Path
) -> None:
    keys: dict[str, Any] = {"ppo": {"critic": critic, "layers": layers}}
    table: dict[str, Any] = {"num_players": 3, "seats": 4}
    narrow = session(tmp_path, frames=512, table=table, **keys)
    narrow.learn()
    wide = session(
        tmp_path, tmp_path / "tiny", frames=768, table={**table, "win_chance": True}, **keys
    )
    batch = make_batch(32, 3, seed=1, seats=4)
    batch.rollout(steps=5)
    hidden = np.random.default_rng(0).random((32, 39 if critic == "all_cards" else 0), np.float32)
    fed = Inputs(spec(4), True).of(batch.views, batch.observations)
    before = narrow.model.chooser.scores(np.hstack([batch.observations, hidden]))
    after = wide.model.chooser.scores(np.hstack([fed, hidden]))
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-6)
    olds, news = narrow.pool.snapshots, wide.pool.snapshots
    assert olds.keys() == news.keys()
    assert olds
    for taken, old in olds.items():
        scores = old.scores(batch.observations)
        np.testing.assert_allclose(scores, news[taken].scores(fed), rtol=0, atol=2e-6)


def test_it_learns_on_and_plays_by_what_it_learned(learned: Path) -> None:
    player = ppo(str(learned))
    assert player.inputs == Inputs(spec(3, seats=4), win_chance=True)
    first = player.layers[0][0].numpy()
    assert first.shape == (16, SIZE + 1)
    assert np.abs(first[:, -1]).max() > 1e-4, "nothing was learned of the chance"
    batch = make_batch(64, 3, seed=2)
    batch.rollout(steps=4)
    fed = player.inputs.of(batch.views, np.zeros((64, 0), np.float32))
    blind = fed.copy()
    blind[:, -1] = 0
    assert (player.scores(fed) != player.scores(blind)).any()


def test_it_is_exported_with_its_input(learned: Path, tmp_path: Path, capsys: Any) -> None:
    export_command(learned, out=tmp_path / "wide.safetensors")
    told = capsys.readouterr().out
    assert float(re.findall(r"at most (\S+) from PyTorch", told)[0]) <= 1e-5
    lines = [line for line in told.splitlines() if "razz train" in line]
    assert lines
    player, twin = trained(str(tmp_path / "wide.safetensors")), ppo(str(learned))
    assert player.card.win_chance
    assert player.card.observation == Inputs(spec(4), win_chance=True).version
    batch = make_batch(64, 2, seed=3)
    batch.rollout(steps=3)
    arguments = batch.views, batch.observations, batch.action_masks
    chances = player.action_probabilities(*arguments)
    folds = (batch.action_masks[:, 0] == 1) & (batch.action_masks[:, 1] == 1)
    np.testing.assert_allclose(
        chances[~folds], twin.action_probabilities(*arguments)[~folds], atol=1e-4
    )


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"num_players": (2, 3), "seats": 5, "win_chance": True}, r"table\.seats=5"),
        ({"num_players": (2, 3), "seats": 4}, r"table\.win_chance=False.*it is True"),
    ],
)
def test_all_else_of_the_network_stays(table: dict[str, Any], named: str, learned: Path) -> None:
    with pytest.raises(ConfigError, match=f"{named}.*Start a new run instead"):
        session(learned.parent, learned, **GROWN | {"table": table, "frames": 4096})
