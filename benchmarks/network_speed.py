"""What a decision costs a trained player with and without PyTorch.

`python -m benchmarks.network_speed`. Both play the same spots in turn, with one thread; what counts
is processor time, and of that the ratio, as the numbers themselves depend on what else the machine
does.
"""

import time
from dataclasses import asdict, dataclass
from statistics import median

import numpy as np
import torch
import tyro

from agents.evaluation.plan import one_torch_thread
from agents.evaluation.report import markdown_table
from agents.players.inputs import Inputs
from agents.players.network import NetworkPlayer
from agents.players.network_file import NetworkCard
from agents.players.trained import PolicyPlayer
from razz_env import HouseRules, make_batch
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch
from razz_env.observation import spec

SHAPES = (
    (2, 2, (256, 128)),
    (2, 2, (256, 256)),
    (2, 8, (256, 256)),
    (6, 8, (256, 256)),
    (6, 8, (512, 512)),
)
"""Players at the table, seats that the observation has room for, hidden layers."""


@dataclass
class Options:
    """What is timed."""

    spots: int = 1000
    """Decisions in one call."""
    rounds: int = 15
    """Calls of each player; the median counts."""


def main(options: Options) -> None:
    """Print microseconds a decision, and the ratio."""
    one_torch_thread()
    rows = []
    for size, seats, layers in SHAPES:
        batch = make_batch(options.spots, size, seed=0, seats=seats)
        batch.rollout("random", steps=7)
        numpy, torch_ = [
            1e6 * cost for cost in _costs(_players(size, seats, layers), batch, options)
        ]
        shape = f"{size} players, room for {seats}, {' x '.join(map(str, layers))}"
        rows.append((shape, f"{numpy:.1f}", f"{torch_:.1f}", f"{numpy / torch_:.2f}"))
    print(markdown_table(("network", "trained: us", "ppo: us", "ratio"), rows))


def _players(size: int, seats: int, layers: tuple[int, ...]) -> tuple[Agent, Agent]:
    """One random network, without and with PyTorch."""
    layout, rules = spec(seats), asdict(HouseRules.preset("full_tilt"))
    card = NetworkCard(
        "network", layout.version, "features", seats, (size,), layers, "relu", rules, (500,), 0, 0,
        "", {}, (), {},
    )  # fmt: skip
    rng = np.random.default_rng(0)
    weights = [
        ((rng.standard_normal(s) / np.sqrt(s[1])).astype(np.float32), np.zeros(s[0], np.float32))
        for s in card.shapes
    ]
    tensors = [(torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in weights]
    return (
        NetworkPlayer("network", card, weights),
        PolicyPlayer("network", tensors, "relu", Inputs(layout), size),
    )


def _costs(players: tuple[Agent, Agent], batch: TableBatch, options: Options) -> list[float]:
    """Seconds of processor time a decision takes each player, asked in turn."""
    times: list[list[float]] = [[], []]
    for number in range(options.rounds + 1):
        for spent, player in zip(times, players, strict=True):
            rng, start = np.random.default_rng(0), time.thread_time()
            player.act(batch.views, batch.observations, batch.action_masks, rng)
            if number:  # the first call compiles
                spent.append(time.thread_time() - start)
    return [median(spent) / options.spots for spent in times]


if __name__ == "__main__":
    main(tyro.cli(Options))
