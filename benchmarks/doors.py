"""Decisions per second through every library that is installed here, beside the batch of tables.

    python -m benchmarks.doors [--rounds 5] [--seconds 1.0]

Each library is played as its example plays it, without its learning: RLlib, TorchRL and Tianshou
with a network of two layers of 64 that they ask for every decision, the others at random. All are
timed in turn, round by round, in seconds of processor time, on tables of six seats. What is not
installed is a line that says how to get it: run it in the environment of each library.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agents.bench.random_play import aec_play, batch_play
from agents.bench.timing import Contestant, Play, Timed, needed, race, ratio
from benchmarks.openspiel_speed import ours
from razz_env import make_batch, razz_v0

BATCH = "make_batch, 4,096 tables"
SEATS = 6
OPPONENTS = ["caller"] * (SEATS - 1)


def batch() -> Play:
    """Random play at 4,096 tables."""
    return batch_play(make_batch(4096, SEATS, seed=1))


def gymnasium_seat() -> Play:
    """The seat that learns plays at random; its own decisions are counted."""
    import gymnasium

    env = gymnasium.make("razz_env/Razz-v0", opponents=OPPONENTS)
    env.action_space.seed(1)
    env.reset(seed=1)

    def play() -> int:
        decisions, over = 0, False
        _, info = env.reset()
        while not over:
            _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
            decisions += 1
        return decisions

    return play


def gymnasium_vector() -> Play:
    """As `gymnasium_seat`, at 512 tables in one batch."""
    import gymnasium

    envs = gymnasium.make_vec("razz_env/Razz-v0", num_envs=512, opponents=OPPONENTS)
    envs.reset(seed=1)
    rng = np.random.default_rng(1)

    def play() -> int:
        masks = envs.unwrapped.action_masks()  # type: ignore[attr-defined]
        envs.step((rng.random(masks.shape) * masks).argmax(axis=1))
        return int(masks.any(axis=1).sum())

    return play


def sb3() -> Play:
    """As `gymnasium_vector`, through the `VecEnv` of Stable-Baselines3."""
    with needed("stable-baselines3", '"razz-env[train]"'):
        from razz_env.envs.sb3 import RazzVecEnv
    tables = RazzVecEnv(512, SEATS, OPPONENTS[:1], seed=1)
    tables.reset()
    rng = np.random.default_rng(1)

    def play() -> int:
        masks = tables.action_masks()
        tables.step((rng.random(masks.shape) * masks).argmax(axis=1))
        return len(masks)

    return play


def rllib() -> Play:
    """RLlib's runner of multi-agent environments at 16 tables, all seats counted."""
    with needed("ray[rllib]", '"razz-env[rllib]"'):
        from ray.rllib.algorithms.ppo import PPOConfig
        from ray.rllib.core.rl_module.rl_module import RLModuleSpec
        from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

        from razz_env.envs.rllib import MaskedModule, RazzMultiAgentEnv
    config = (
        PPOConfig()
        .environment(
            RazzMultiAgentEnv, env_config={"num_players": SEATS}, disable_env_checking=True
        )
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
        .multi_agent(policies={"everyone"}, policy_mapping_fn=lambda *_, **__: "everyone")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
        .debugging(seed=1)
    )
    runner = MultiAgentEnvRunner(config=config)
    return lambda: sum(len(one) for one in runner.sample(num_timesteps=160))


def torchrl() -> Play:
    """TorchRL's collector at one table."""
    with needed("torchrl", '"razz-env[torchrl]"'):
        import torch
        from tensordict.nn import TensorDictModule
        from torchrl.collectors import Collector
        from torchrl.envs.libs.pettingzoo import PettingZooWrapper
        from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor
    torch.set_num_threads(1)
    table = razz_v0.raw_env(num_players=SEATS)
    env = PettingZooWrapper(table, use_mask=True, group_map={"seats": table.possible_agents})
    look = ("observation", "observation")
    inputs = env.observation_spec["seats", *look].shape[-1]
    net = TensorDictModule(MLP(inputs, 7, num_cells=[64, 64]), [look], ["logits"])
    keys = {"logits": "logits", "mask": "action_mask"}
    actor = ProbabilisticActor(
        net, keys, distribution_class=MaskedCategorical, return_log_prob=True
    )
    player = TensorDictModule(actor, ["seats"], ["seats"])
    data: Iterator[Any] = iter(Collector(env, player, frames_per_batch=50, total_frames=-1))
    return lambda: len(next(data))


def tianshou() -> Play:
    """Tianshou's collector at 8 tables."""
    with needed("tianshou", '"razz-env[tianshou]"'):
        import torch
        from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
        from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
        from tianshou.algorithm.optim import AdamOptimizerFactory
        from tianshou.data import Collector, VectorReplayBuffer
        from tianshou.env import DummyVectorEnv, PettingZooEnv
        from tianshou.utils.net.common import Net
    torch.set_num_threads(1)
    tables = DummyVectorEnv([lambda: PettingZooEnv(razz_v0.raw_env(num_players=SEATS))] * 8)
    table = PettingZooEnv(razz_v0.raw_env(num_players=SEATS))
    look = table.observation_space["observation"].shape
    net = Net(state_shape=look, action_shape=7, hidden_sizes=[64, 64])
    policy = DiscreteQLearningPolicy(model=net, action_space=table.action_space, eps_inference=0.1)
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=3e-4))
    everyone = MultiAgentOffPolicyAlgorithm(algorithms=[learner] * SEATS, env=table)
    collector = Collector(everyone, tables, VectorReplayBuffer(8000, 8), exploration_noise=True)
    collector.reset()
    return lambda: int(collector.collect(n_step=80).n_collected_steps)


def openspiel() -> Play:
    """OpenSpiel's own loop over the game `razz`, without tensors; chance nodes are in the price."""
    return ours(SEATS, "full_tilt")


CONTESTANTS = (
    Contestant(BATCH, "decisions", batch),
    Contestant("PettingZoo raw_env", "decisions", lambda: aec_play(razz_v0.raw_env())),
    Contestant("PettingZoo env", "decisions", lambda: aec_play(razz_v0.env())),
    Contestant("Gymnasium, one seat", "its decisions", gymnasium_seat),
    Contestant("Gymnasium's vector, 512 tables", "their decisions", gymnasium_vector),
    Contestant("RazzVecEnv for SB3, 512 tables", "their decisions", sb3),
    Contestant("RLlib, 16 tables", "decisions", rllib),
    Contestant("TorchRL, 1 table", "decisions", torchrl),
    Contestant("Tianshou, 8 tables", "decisions", tianshou),
    Contestant("OpenSpiel", "decisions", openspiel),
)


def main(words: Sequence[str] | None = None) -> int:
    """Time what is installed and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doors", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of one contestant's round")
    parser.add_argument("--only", default="", help="only contestants with this text in the name")
    options = parser.parse_args(words)
    chosen = [one for one in CONTESTANTS if one.name == BATCH or options.only in one.name]
    print(table(race(chosen, options.rounds, options.seconds)))
    return 0


def table(timed: dict[str, Timed]) -> str:
    """A Markdown table: how many times as long a decision takes as in the batch of tables."""
    yardstick = timed[BATCH]
    lines = ["| | times the batch's time a decision | per second |", "|---|---:|---:|"]
    for name, one in timed.items():
        if one.missing:
            lines.append(f"| {name} | {one.missing} | |")
            continue
        slower = 1 / ratio(one, yardstick)
        rate = f"{one.median:,.0f} {one.contestant.unit}"
        lines.append(f"| {name} | {slower:,.3g} x | {rate} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
