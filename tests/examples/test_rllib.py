"""RLlib: the environment, the masked network, and PPO as the example has it."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="the extra rllib is not installed", exc_type=ImportError)

import ray
import torch
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

from razz_env import IllegalAction
from razz_env.envs.aec import raw_env
from razz_env.envs.rllib import MaskedModule, RazzMultiAgentEnv
from tests.examples.running import Watch, run


@pytest.fixture(scope="module")
def example() -> Any:
    """What the example leaves behind, and its decisions: at least 10,000 of them."""
    with pytest.MonkeyPatch.context() as patch:
        watch = Watch(patch)
        yield run("rllib_ppo"), watch.decisions, watch.illegal
    ray.shutdown()


def test_ppo_takes_no_illegal_action_and_its_loss_is_finite(example: Any) -> None:
    names, decisions, illegal = example
    assert decisions >= 10_000
    assert illegal == 0
    assert np.isfinite(names["losses"]).all()


def test_rllib_books_every_seats_result_to_its_own_last_decision(
    example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch(monkeypatch)
    runner = MultiAgentEnvRunner(config=example[0]["config"].copy(copy_frozen=False))
    booked = defaultdict(list)
    for episode in runner.sample(num_episodes=40):
        for seat, own in episode.agent_episodes.items():
            rewards = own.get_rewards()
            assert not rewards[:-1].any()
            booked[seat].append(rewards[-1])
    assert len(booked) == 6
    for number in range(6):
        paid = [result[number] for result in watch.results]
        for reward in booked[f"player_{number}"]:
            assert np.isclose(reward, paid).any()


def test_the_environment_deals_the_hands_of_the_pettingzoo_environment() -> None:
    env, table = RazzMultiAgentEnv({"num_players": 3}), raw_env(num_players=3)
    for hand in range(20):
        seen, _ = env.reset(seed=4 if hand == 0 else None)
        table.reset(seed=4 if hand == 0 else None)
        over = False
        while not over:
            (agent,) = seen
            assert agent == table.agent_selection
            look = table.observe(agent)
            assert (seen[agent]["observations"] == look["observation"]).all()
            assert (seen[agent]["action_mask"] == look["action_mask"]).all()
            assert env.observation_spaces[agent].contains(seen[agent])
            action = int(look["action_mask"].argmax())
            seen, rewards, ends, cuts, _ = env.step({agent: action})
            table.step(action)
            over = ends["__all__"]
            assert not cuts["__all__"]
        assert rewards == table.rewards
        assert set(seen) == set(table.possible_agents)


def first_look(worker: int, seed: int) -> bytes:
    env = RazzMultiAgentEnv(EnvContext({"num_players": 2}, worker_index=worker))
    (seen,) = env.reset(seed=seed)[0].values()
    return bytes(seen["observations"])


def test_workers_do_not_share_their_hands() -> None:
    looks = {first_look(w, 7 + w + i) for w in range(4) for i in range(8)}  # RLlib's own seeds
    assert len(looks) == 4 * 8
    assert first_look(2, 9) == first_look(2, 9)


def test_what_is_not_legal_is_refused() -> None:
    env = RazzMultiAgentEnv()
    seen, _ = env.reset(seed=1)
    (agent,) = seen
    with pytest.raises(IllegalAction, match="third street"):
        env.step({agent: 6})
    with pytest.raises(ValueError, match=f"{agent} is to act"):
        env.step({"player_9": 0})


def module(layers: list[int]) -> MaskedModule:
    env = RazzMultiAgentEnv()
    return MaskedModule(
        observation_space=env.observation_spaces["player_0"],
        action_space=env.action_spaces["player_0"],
        model_config={"layers": layers},
    )


def test_an_illegal_action_has_no_chance_and_entropies_are_finite() -> None:
    network = module([32])
    masks = torch.tensor([[1, 0, 1, 0, 0, 0, 1], [0, 1, 0, 0, 0, 1, 0], [0] * 7], dtype=torch.float)
    size = network.observation_space["observations"].shape[0]
    seen = {"observations": torch.randn(3, size), "action_mask": masks}
    out = network.forward_train({"obs": seen})
    logits = out["action_dist_inputs"]
    chances = network.get_train_action_dist_cls().from_logits(logits)
    assert (logits.softmax(-1)[:2][masks[:2] == 0] == 0).all()
    assert torch.isfinite(chances.entropy()).all()
    assert network.compute_values({"obs": seen}).shape == (3,)


def test_layers_are_chosen_in_the_model_config() -> None:
    assert [one.out_features for one in module([8, 4, 2]).policy[::2]] == [8, 4, 2, 7]
