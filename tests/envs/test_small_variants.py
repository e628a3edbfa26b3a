"""The PettingZoo environment plays the small variants of RULES 10."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test

from razz_env.envs.aec import env
from razz_env.observation import spec

from .players import pick

TABLES = [
    (name, seats)
    for name, most in (("kuhn", 6), ("mini20", 5), ("mini24", 5), ("mini32", 7))
    for seats in (2, most)
]


@pytest.mark.parametrize(("rules", "num_players"), TABLES)
def test_pettingzoo_api_test(rules: str, num_players: int) -> None:
    table = env(num_players=num_players, rules=rules)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what every classic environment with a mask hears
        api_test(table, num_cycles=50)


@pytest.mark.parametrize("observation", ["features", "infostate"])
@pytest.mark.parametrize(("rules", "num_players"), TABLES)
def test_hands_are_played_out_and_sum_to_zero(
    rules: str, num_players: int, observation: str
) -> None:
    table = env(num_players=num_players, rules=rules, observation=observation)
    size = spec(num_players, observation).size
    rng = np.random.default_rng(0)
    for seed in range(20):
        table.reset(seed=seed)
        rewards = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            seen, reward, terminated, _, _ = table.last()
            rewards[agent] += reward
            assert seen["observation"].shape == (size,)
            table.step(None if terminated else pick(seen["action_mask"], rng))
        assert sum(rewards.values()) == pytest.approx(0)
