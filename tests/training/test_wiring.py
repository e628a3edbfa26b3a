"""The configuration reaches the learner: every number of a run in which none has its default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn

from agents.players.inputs import Inputs
from agents.players.trained import PolicyPlayer
from agents.training import self_play
from agents.training.config import TrainingConfig
from agents.training.self_play import SelfPlay
from razz_env import HouseRules
from razz_env.observation import spec

from .runs import session

RULES = HouseRules.preset("pokerstars", small_bet=10, big_bet=25, burn_cards=True)
WIRED: dict[str, Any] = {
    "seed": 9,
    "frames": 960,  # ten updates
    "table": {
        "num_players": 3,
        "seats": 4,
        "rules": "pokerstars",
        "house_rules": {"small_bet": 10, "big_bet": 25, "burn_cards": True},
        "stacks": (300, 200, 400),
        "observation": "infostate",
        "win_chance": True,
    },
    "ppo": {
        "num_tables": 12,
        "steps": 8,
        "minibatch": 48,
        "epochs": 3,
        "learning_rate": 2e-3,
        "final_learning_rate": 1e-3,
        "learning_rate_shape": "cosine",
        "clip_range": 0.22,
        "entropy": 0.03,
        "final_entropy": 0.01,
        "entropy_shape": "cosine",
        "magnet": 0.02,
        "magnet_every": 3,
        "critic": "all_cards",
        "products": "bfloat16",
        "value_weight": 0.7,
        "gae_lambda": 0.8,
        "max_grad_norm": 0.9,
        "big_bets_per_reward": 2.5,
        "layers": (24, 12),
        "activation": "tanh",
    },
    "pool": {
        "baselines": {"caller": 1.0, "random": 3.0},
        "self_share": 0.25,
        "copies_share": 0.75,
        "priority_bb_per_100": 1e9,
        "priority_floor": 0.1,
        "snapshot_share": 0.75,
        "snapshot_every": 2,
        "max_snapshots": 3,
        "snapshots_in_play": 2,
    },
    "rating": {
        "opponents": ("random", "caller"),
        "every": 0,
        "decks": 30,
        "final_decks": 40,
        "snapshots": 2,
    },
}
INPUTS = Inputs(spec(3, "infostate", 4), win_chance=True)


def wired(folder: Path, **changes: Any) -> SelfPlay:
    return session(folder, **WIRED | changes)


class Watch(BaseCallback):
    """Notes, at every step, the frames so far and who sits at the tables.

    At the start of every rollout it looks at the newest snapshot beside the policy it was made of.
    """

    def __init__(self, run: SelfPlay) -> None:
        super().__init__()
        self.run = run
        self.seated: list[tuple[int, list[str]]] = []
        self.frozen: list[int] = []

    def _on_rollout_start(self) -> None:
        newest = self.run.pool.snapshots.get(self.num_timesteps)
        if newest is not None:
            self.frozen.append(self.num_timesteps)
            assert alike(newest, self.run.player())

    def _on_step(self) -> bool:
        names = [name for row in self.run.env.opponents for name in row if name]
        self.seated.append((self.num_timesteps, names))
        return True


def alike(one: PolicyPlayer, other: PolicyPlayer) -> bool:
    """Whether two networks have the same parameters."""
    mine, theirs = ([tensor for layer in p.layers for tensor in layer] for p in (one, other))
    return all(torch.equal(a, b) for a, b in zip(mine, theirs, strict=True))


def widths(layers: nn.Sequential) -> list[tuple[int, int]]:
    return [(part.in_features, part.out_features) for part in layers if isinstance(part, nn.Linear)]


@pytest.mark.parametrize("section", ["table", "ppo", "pool"])
def test_no_number_of_this_run_is_a_default(section: str, tmp_path: Path) -> None:
    """So a number that is not handed on cannot look as if it were."""
    config = getattr(wired(tmp_path).config, section)
    default = getattr(TrainingConfig(), section)
    for key in type(config).model_fields:
        assert getattr(config, key) != getattr(default, key), key


def test_the_learner_has_the_numbers_of_the_configuration(tmp_path: Path) -> None:
    model = wired(tmp_path).model
    assert (model.n_steps, model.batch_size, model.n_epochs) == (8, 48, 3)
    assert (model.gamma, model.gae_lambda) == (1.0, 0.8)
    assert (model.rollout_buffer.gamma, model.rollout_buffer.gae_lambda) == (1.0, 0.8)
    assert (model.rollout_buffer.buffer_size, model.rollout_buffer.n_envs) == (8, 12)
    assert (model.ent_coef, model.vf_coef, model.max_grad_norm) == (0.03, 0.7, 0.9)
    assert [model.clip_range(left) for left in (1.0, 0.5, 0.0)] == [0.22] * 3
    rates = [model.lr_schedule(left) for left in (1.0, 0.75, 0.5, 0.0)]
    assert rates == pytest.approx([2e-3, 1e-3 * (1 + 0.8535534), 1.5e-3, 1e-3])
    assert (model.magnet_weight, model.magnet_every) == (0.02, 3)
    assert model._products == "bfloat16"
    assert model.device.type == "cpu"


@pytest.mark.parametrize(("name", "activation"), [("tanh", nn.Tanh), ("relu", nn.ReLU)])
def test_the_networks_have_the_layers_of_the_configuration(
    name: str, activation: type[nn.Module], tmp_path: Path
) -> None:
    """Both activations, because one is what Stable-Baselines3 takes if it is not told."""
    policy = wired(tmp_path, ppo={**WIRED["ppo"], "activation": name}).model.policy
    seen = INPUTS.size
    networks = policy.mlp_extractor.policy_net, policy.mlp_extractor.value_net
    for network, size in zip(networks, (seen, seen + 3 * 13), strict=True):
        assert widths(network) == [(size, 24), (24, 12)]
        assert [type(part) for part in network][1::2] == [activation, activation]
    assert (policy.action_net.in_features, policy.action_net.out_features) == (12, 7)
    assert (policy.value_net.in_features, policy.value_net.out_features) == (12, 1)


def test_the_tables_are_those_of_the_configuration(tmp_path: Path) -> None:
    run = wired(tmp_path)
    env = run.env
    assert env.num_envs == 12
    assert env.batch.num_players == 3
    assert env.batch.rules == RULES
    assert env._scale == np.float32(1 / 2.5)
    assert env.observation_space.shape == (INPUTS.size + 39,)
    assert (env._seats._self_share, env._seats._copies_share) == (0.25, 0.75)
    env.reset()
    assert env.batch.hands["public"]["starting_stack"][:, :3].tolist() == [[300, 200, 400]] * 12
    assert env.batch.hand(0).rules == RULES
    names = {name for row in env.opponents for name in row}
    assert names == {"", "caller", "random"}
    assert (run.player().inputs, run.player().num_players) == (INPUTS, 3)


def test_a_run_ends_with_the_numbers_that_it_was_to_fall_to(tmp_path: Path) -> None:
    """Ten updates; the last is made when a tenth of the frames are left for the entropy bonus."""
    run = wired(tmp_path)
    run.learn()
    assert run.model.num_timesteps == 960
    assert run.model.policy.optimizer.param_groups[0]["lr"] == pytest.approx(1e-3)
    assert run.model.ent_coef == pytest.approx(0.01 + 0.0244717 * 0.02)


def test_rewards_are_the_learners_chips_in_the_unit_of_the_configuration(tmp_path: Path) -> None:
    """A reward of 1 is 2.5 big bets of 25 chips."""
    run = wired(tmp_path)
    run.learn()
    buffer = run.model.rollout_buffer
    rewards = buffer.payoffs[buffer.ended].astype(np.float64)
    chips = rewards * 2.5 * 25
    assert np.abs(chips - chips.round()).max() < 1e-4
    assert {-3, -9} & {*chips.round().ravel().tolist()}  # the ante, or ante and bring-in
    assert np.abs(chips).max() > 9


def test_snapshots_sit_among_the_opponents(tmp_path: Path) -> None:
    run = wired(tmp_path)
    watch = Watch(run)
    run.learn(watch)
    assert watch.frozen == [192, 384, 576, 768]
    assert len(run.pool.snapshots) == 3
    early = {name for frames, names in watch.seated if frames <= 192 for name in names}
    assert early == {"caller", "random"}
    late = [name for frames, names in watch.seated if frames > 240 for name in names]
    assert {"snapshot:192", "snapshot:384", "snapshot:576", "snapshot:768"} <= {*late}
    share = sum(name.startswith("snapshot:") for name in late) / len(late)
    assert 0.6 < share < 0.9  # snapshot_share is 0.75
    fixed = late.count("random") / (late.count("random") + late.count("caller"))
    assert 0.5 < fixed < 0.95  # three to one


def test_snapshots_that_sit_at_the_tables_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, int] = {}
    act = PolicyPlayer.act

    def watched(self: PolicyPlayer, views: Any, *rest: Any) -> Any:
        asked[self.name] = asked.get(self.name, 0) + len(views)
        return act(self, views, *rest)

    monkeypatch.setattr(PolicyPlayer, "act", watched)
    wired(tmp_path).learn()
    assert {*asked} == {f"snapshot:{frames}" for frames in (192, 384, 576, 768)}
    assert sum(asked.values()) > 200


def test_without_a_share_no_snapshot_plays(tmp_path: Path) -> None:
    run = wired(tmp_path, pool={**WIRED["pool"], "snapshot_share": 0.0})
    watch = Watch(run)
    run.learn(watch)
    assert {name for _, names in watch.seated for name in names} == {"caller", "random"}


def test_ratings_are_of_the_table_that_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = wired(tmp_path)
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(self_play, "rate", lambda *args: asked.append(args) or [])
    run.rate()
    [(player, *rest)] = asked
    assert alike(player, run.player())
    assert rest == [["random", "caller"], 30, 9, RULES, (300, 200, 400), 3]
    for frames in (96, 192, 288):
        run.pool.add(frames, run.model.policy.state_dict())
    run.model.num_timesteps = 288  # so that the third is the policy of now
    run.rate()
    assert [str(one) for one in asked[-1][1]] == [
        "random",
        "caller",
        "<PolicyPlayer snapshot:96>",
        "<PolicyPlayer snapshot:192>",
    ]
