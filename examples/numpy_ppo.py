"""PPO in one file on `make_batch`: self-play, one network plays and learns every seat.

pip install -c constraints.txt -e ".[train]"
python examples/numpy_ppo.py --iterations 200

An iteration plays one hand at every table to its end, so that every decision is learned from
together with what its own seat won or lost in that hand, whoever acted last.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.distributions import Categorical

from razz_env import make_batch
from razz_env.envs.batch import TableBatch
from razz_env.rules.terms import NUM_ACTIONS

NEVER = -1e9  # a logit whose probability is 0


@dataclass
class Arguments:
    """What can be chosen on the command line."""

    players: int = 6
    tables: int = 512
    iterations: int = 20
    learning_rate: float = 3e-4
    epochs: int = 3
    minibatch: int = 2048
    clip: float = 0.2
    gae_lambda: float = 0.95
    entropy: float = 0.01
    scale: float = 0.1  # big bets are multiplied by it, so that values are of about unit size
    seed: int = 1


@dataclass
class Decisions:
    """All decisions of one hand at every table, in the order in which they were made."""

    observations: torch.Tensor  # float32[K, D]
    masks: torch.Tensor  # bool[K, 7]
    actions: torch.Tensor  # int64[K]
    log_probs: torch.Tensor  # float32[K], of the actions when they were chosen
    values: NDArray[np.float32]  # [K], what the seats expected to win, scaled
    tables: NDArray[np.int64]  # [K], where
    seats: NDArray[np.int64]  # [K], and whose decision it was
    results: NDArray[np.float32]  # [tables, players], net big bets of the hands


class Network(nn.Module):
    """A policy and a value, each with two hidden layers of its own."""

    def __init__(self, inputs: int, width: int = 128) -> None:
        super().__init__()
        self.policy, self.value = (
            nn.Sequential(
                *(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh()),
                nn.Linear(width, outputs),
            )
            for outputs in (NUM_ACTIONS, 1)
        )

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The choice among the legal actions, and the values [K]."""
        logits = self.policy(seen).masked_fill(~masks, NEVER)
        return Categorical(logits=logits), self.value(seen).squeeze(-1)


@torch.no_grad()
def play(network: Network, batch: TableBatch, index: int) -> Decisions:
    """Deal hand `index` at every table and play it to its end."""
    tables = np.arange(batch.num_tables)
    batch.deal(tables, tables, np.full(batch.num_tables, index))
    results = np.zeros((batch.num_tables, batch.num_players), np.float32)
    rows = []
    while (live := np.flatnonzero(batch.actors >= 0)).size:
        seen = torch.from_numpy(batch.observations[live])
        masks = torch.from_numpy(batch.action_masks[live] != 0)
        chances, values = network(seen, masks)
        actions = chances.sample()
        seats = batch.actors[live].astype(np.int64)
        log_probs = chances.log_prob(actions)
        rows.append((seen, masks, actions, log_probs, values.numpy(), live, seats))
        rewards, dones = batch.step(actions.numpy(), live)
        results[live[dones]] = rewards[dones]
    columns = list(zip(*rows, strict=True))
    tensors = [torch.cat(column) for column in columns[:4]]
    return Decisions(*tensors, *(np.concatenate(column) for column in columns[4:]), results)


def advantages(data: Decisions, scale: float, gae_lambda: float) -> NDArray[np.float32]:
    """Generalised advantage estimation for every seat by itself, float32[K], discount 1.

    A seat's next state is its own next decision in the hand, or the end of the hand, where it is
    paid; what the others do between is part of its environment.
    """
    expected = data.results * scale  # of every seat from its next decision on; at the end: its pay
    lasting = np.zeros_like(expected)  # advantage of that next decision
    found = np.zeros_like(data.values)
    for k in range(len(found) - 1, -1, -1):
        place = data.tables[k], data.seats[k]
        found[k] = expected[place] - data.values[k] + gae_lambda * lasting[place]
        expected[place], lasting[place] = data.values[k], found[k]
    return found


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    data: Decisions,
    arguments: Arguments,
    rng: np.random.Generator,
) -> float:
    """A few epochs of clipped policy gradients; the mean loss."""
    gains = torch.from_numpy(advantages(data, arguments.scale, arguments.gae_lambda))
    targets = gains + torch.from_numpy(data.values)
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    losses = []
    for _ in range(arguments.epochs):
        order = torch.from_numpy(rng.permutation(len(gains)))
        for rows in order.split(arguments.minibatch):
            chances, values = network(data.observations[rows], data.masks[rows])
            ratio = (chances.log_prob(data.actions[rows]) - data.log_probs[rows]).exp()
            clipped = ratio.clamp(1 - arguments.clip, 1 + arguments.clip)
            objective = torch.min(ratio * gains[rows], clipped * gains[rows]).mean()
            value_loss = 0.5 * (values - targets[rows]).square().mean()
            loss = value_loss - objective - arguments.entropy * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            losses.append(loss.item())
    return float(np.mean(losses))


def train(arguments: Arguments) -> tuple[Network, list[float]]:
    """Train a network; it and the loss of every iteration."""
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)  # small networks: more threads are slower
    rng = np.random.default_rng(arguments.seed)
    batch = make_batch(arguments.tables, arguments.players, seed=arguments.seed, auto_deal=False)
    network = Network(batch.observations.shape[1])
    optimizer = torch.optim.Adam(network.parameters(), arguments.learning_rate, eps=1e-5)
    losses = []
    for iteration in range(arguments.iterations):
        data = play(network, batch, iteration)
        losses.append(learn(network, optimizer, data, arguments, rng))
        spread = data.results.std()  # big bets: how much is won and lost in a hand
        print(f"{iteration}: {len(data.seats)} decisions, loss {losses[-1]:.4f}, ±{spread:.2f}")
    return network, losses


def main(words: Sequence[str] | None = None) -> tuple[Network, list[float]]:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in vars(Arguments()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    return train(Arguments(**vars(parser.parse_args(words))))


if __name__ == "__main__":
    main()
