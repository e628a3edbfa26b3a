"""What Ray adds to a training: one worker of a local Ray beside this process, in turn.

    python -m benchmarks.training_overhead [--tables 512] [--steps 64] [--blocks 4] [--rounds 7]

Rollouts of the default configuration, heads-up, are played in blocks by this process and by the
worker. The processor time of the worker and of this process together, and the clock, are divided by
those of playing in this process; the medians over the rounds are printed, for the rollout alone and
for the rollout with the update that follows it, which is the same work on either side. It needs the
extras `train` and `ray`.
"""

import argparse
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from agents.evaluation.cluster import Cluster, connected
from agents.training.actors import FarRooms, store_bytes
from agents.training.config import TrainingConfig
from agents.training.learner import SelfPlayPPO
from agents.training.pool import OpponentPool
from agents.training.rooms import Rooms
from agents.training.self_play import make_env, make_learner
from benchmarks.cluster_overhead import spent, worker_seconds

Seconds = tuple[float, float]
"""Of the processors, and of the clock."""


def begin(rooms: Rooms, pool: OpponentPool) -> None:
    """Seed the rooms and deal."""
    rooms.set_opponents(*pool.draw(np.random.default_rng(1)))
    rooms.seed_choices(1)
    rooms.seed(1)
    rooms.reset()


def play(rooms: Rooms, learner: SelfPlayPPO) -> None:
    """A rollout."""
    buffer = learner.rollout_buffer
    buffer.reset()
    for _ in rooms.rollout(learner.chooser, buffer.columns):
        pass
    buffer.settle()


def measure(config: TrainingConfig, rounds: int, ray: Any) -> list[list[Seconds]]:
    """For every round: the rollout here, the rollout by the worker, and the update."""
    table, ask = config.table, ray.remote(num_cpus=1)(worker_seconds)
    pool = OpponentPool(config.pool, table.inputs(), table.sizes, config.ppo.activation)
    here, there = make_env(config, pool), FarRooms(config, pool, Cluster(workers=1))
    assert isinstance(here, Rooms)
    learner = make_learner(config, here, 1)
    learner._setup_learn(1)

    def worker() -> tuple[int, float]:
        told: tuple[int, float] = ray.get(ask.remote())
        return told

    with there:
        for rooms in (here, there):
            begin(rooms, pool)
        return [
            [
                spent(lambda: play(here, learner)),
                spent(lambda: play(there, learner), worker),
                spent(learner.train),
            ]
            for _ in range(rounds + 1)
        ][1:]


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training_overhead")
    parser.add_argument("--tables", type=int, default=512)
    parser.add_argument("--steps", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args(words)
    torch.set_num_threads(1)
    ppo = {"num_tables": given.tables, "steps": given.steps, "layers": (256, 128)}
    config = TrainingConfig(blocks=given.blocks, ppo=ppo)
    with connected(Cluster(workers=1), max(200_000_000, store_bytes(config))) as ray:
        rounds = measure(config, given.rounds, ray)
    for kind, place in (("processor time", 0), ("clock", 1)):
        alone = [there[place] / here[place] for here, there, _ in rounds]
        both = [(b[place] + u[place]) / (a[place] + u[place]) for a, b, u in rounds]
        told = statistics.median(alone), statistics.median(both)
        print(f"{kind}: rollout x {told[0]:.3f}, rollout and update x {told[1]:.3f}")


if __name__ == "__main__":
    main()
