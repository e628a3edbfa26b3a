"""What a cluster would carry: bytes and processor time of blocks of decks, decisions and weights.

    python -m benchmarks.scaling [--players 6] [--layers 256 256] [--rounds 5]

Everything is measured in this process on one thread, in seconds of processor time, in turn: a block
of a match between two scripted players, the decisions that a rollout actor makes with a network of
these layers, and what a learner does with them (four epochs of PPO). docs/scaling.md counts on from
these figures. It needs the extra `train`.
"""

import argparse
import pickle
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from agents.evaluation.duplicate import DuplicateTables
from agents.evaluation.statistics import DeckSums
from razz_env import HouseRules, make_batch
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.terms import NUM_ACTIONS

TABLES, STEPS, EPOCHS, MINIBATCH = 512, 32, 4, 2048


@dataclass
class Piece:
    """A piece of work: its name, its unit, and a function that does some units of it."""

    name: str
    unit: str
    work: Callable[[], int]


def network(inputs: int, layers: list[int], outputs: int) -> torch.nn.Sequential:
    """A perceptron of tanh layers."""
    parts: list[torch.nn.Module] = []
    for one, other in pairwise([inputs, *layers]):
        parts += [torch.nn.Linear(one, other), torch.nn.Tanh()]
    return torch.nn.Sequential(*parts, torch.nn.Linear([inputs, *layers][-1], outputs))


def blocks_of_decks(players: int) -> tuple[Piece, Piece]:
    """A thousand decks of a match, every deck once in every seat; and taking such results in."""
    lineup = [resolve_agent("scripted:tight"), *[resolve_agent("scripted:loose")] * (players - 1)]
    tables = DuplicateTables(lineup, 1, HouseRules(), 500)
    sent = pickle.dumps(tables.play_block(0))
    print(f"a block of 1,000 decks, {players} seats: {len(sent):,} bytes")

    def work() -> int:
        tables.play_block(1)
        return 1

    def take() -> int:
        for _ in range(100):
            chips = pickle.loads(sent).chips[:, 0].copy()
            DeckSums.of(chips)
            np.count_nonzero(chips)
        return 100

    playing = Piece(f"match of scripted players, {players} seats", "blocks", work)
    return playing, Piece("taking their results in", "blocks", take)


def rollouts(players: int, layers: list[int]) -> tuple[Piece, Piece]:
    """An actor with a copy of the policy, and the learner that takes what it has seen."""
    batch = make_batch(TABLES, players, seed=1)
    inputs = batch.observations.shape[1]
    policy, value = network(inputs, layers, NUM_ACTIONS), network(inputs, layers, 1)
    weights = sum(one.numel() * one.element_size() for one in policy.parameters())
    critic = sum(one.numel() * one.element_size() for one in value.parameters())
    row = 4 * inputs + NUM_ACTIONS + 1 + 4 + 4  # observation, mask, action, log probability, payoff
    print(f"policy {weights:,} bytes, critic {critic:,} bytes, a decision {row:,} bytes")

    def choose() -> torch.distributions.Categorical:
        logits = policy(torch.from_numpy(batch.observations))
        return torch.distributions.Categorical(
            logits=logits.masked_fill(torch.from_numpy(batch.action_masks == 0), -1e9)
        )

    @torch.no_grad()
    def act() -> int:
        for _ in range(STEPS):
            chances = choose()
            actions = chances.sample()
            chances.log_prob(actions)
            batch.step(actions.numpy())
        return STEPS * TABLES

    parameters = [*policy.parameters(), *value.parameters()]
    optimizer = torch.optim.Adam(parameters, 1e-4)
    rng = np.random.default_rng(1)
    seen = torch.from_numpy(np.tile(batch.observations, (MINIBATCH // TABLES, 1)))
    wanted = torch.from_numpy(rng.normal(size=MINIBATCH).astype(np.float32))

    def learn() -> int:
        for _ in range(EPOCHS):
            logits = torch.log_softmax(policy(seen), -1)[:, 0]
            ratio = (logits - logits.detach()).exp()
            gain = torch.min(ratio * wanted, ratio.clamp(0.8, 1.2) * wanted).mean()
            loss = (value(seen).squeeze(-1) - wanted).square().mean() - gain
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 0.5)
            optimizer.step()
        return MINIBATCH

    return Piece("actor", "decisions", act), Piece("learner", "decisions", learn)


def rate(piece: Piece) -> float:
    """Units per second of processor time."""
    start = time.process_time()
    units = piece.work()
    return units / (time.process_time() - start)


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--layers", type=int, nargs="+", default=[256, 256])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(words)
    torch.set_num_threads(1)
    pieces = [*blocks_of_decks(options.players), *rollouts(options.players, options.layers)]
    rates = [[rate(piece) for piece in pieces] for _ in range(options.rounds + 1)][1:]
    for piece, column in zip(pieces, zip(*rates, strict=True), strict=True):
        print(f"{piece.name}: {statistics.median(column):,.2f} {piece.unit} per second")


if __name__ == "__main__":
    main()
