"""Tianshou: deep Q-learning by self-play on its wrapper of PettingZoo, one network for all seats.

pip install -c constraints/tianshou.txt -e ".[tianshou]"
"""

import numpy as np
import torch
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from razz_env import razz_v0

np.random.seed(1)  # noqa: NPY002 - Tianshou explores with the global generator
torch.manual_seed(1)
torch.set_num_threads(1)  # small networks: more threads are slower
tables = DummyVectorEnv([lambda: PettingZooEnv(razz_v0.raw_env(num_players=2))] * 8)
tables.seed(1)  # table i deals from seed 1 + i
table = PettingZooEnv(razz_v0.raw_env(num_players=2))
look = table.observation_space["observation"].shape
network = Net(state_shape=look, action_shape=7, hidden_sizes=[64, 64])
# In self-play the seats' policy is never told that it trains, and explores by `eps_inference`.
policy = DiscreteQLearningPolicy(model=network, action_space=table.action_space, eps_inference=0.1)
optimizer = AdamOptimizerFactory(lr=3e-4)
# A seat is paid in the step of whoever acts last: the horizon must reach to the end of the hand.
learner = DQN(policy=policy, optim=optimizer, gamma=1.0, n_step_return_horizon=200)
everyone = MultiAgentOffPolicyAlgorithm(algorithms=[learner] * 2, env=table)
buffer = VectorReplayBuffer(20_000, len(tables))
collector = Collector(everyone, tables, buffer, exploration_noise=True)
collector.reset()
losses = []
with policy_within_training_step(everyone.policy):
    for _ in range(50):
        collector.collect(n_step=208)
        losses += everyone.update(buffer, 256).get_loss_stats_dict().values()
print(losses)
