"""Stable-Baselines3: MaskablePPO at one seat of 64 tables, against players by name.

pip install -c constraints.txt -e ".[train]"
"""

import torch
from sb3_contrib import MaskablePPO

from razz_env.envs.sb3 import RazzVecEnv

torch.set_num_threads(1)  # small networks: more threads are slower
tables = RazzVecEnv(num_tables=64, num_players=6, opponents=["caller", "scripted:tight"], seed=1)
model = MaskablePPO(
    "MlpPolicy",
    tables,
    n_steps=80,
    batch_size=1024,
    n_epochs=2,
    gamma=1.0,  # a hand's result is not discounted
    policy_kwargs={"net_arch": [64, 64]},
    seed=1,
    device="cpu",
)
model.learn(total_timesteps=2 * 64 * 80)  # decisions of the learner

print(tables.finished_hands, tables.finished_big_bets)
