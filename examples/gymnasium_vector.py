"""Gymnasium's vector of environments: one learning seat at each of 64 tables, all in one batch."""

import gymnasium
import numpy as np

import razz_env  # noqa: F401 - registers the environment

tables = 64
envs = gymnasium.make_vec(
    "razz_env/Razz-v0",
    num_envs=tables,
    opponents=["caller", "scripted:tight"],
    autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
)
observations, infos = envs.reset(seed=1)  # float32[64, D]
rng = np.random.default_rng(1)
hands, total = 0, 0.0  # big bets

for _ in range(200):
    masks = infos["action_mask"]  # int8[64, 7]
    actions = (rng.random(masks.shape) * masks).argmax(axis=1)
    observations, rewards, terminations, _, infos = envs.step(actions)
    hands += int(terminations.sum())
    total += float(rewards.sum())

print(hands, total)
