"""The numbers of the value function, fitted to hands of the players that come with the package.

python -m agents.evaluation.aivat.fit [--decks 1500] [--seed 77] [--out weights.npz]

The estimate of `agents.evaluation.aivat.estimator` is a sum that is linear in the numbers of the
value function, so the numbers for which it scatters least are found by least squares, with what
each number is multiplied by gathered while hands are replayed (M. White and M. Bowling, "Learning a
Value Analysis Tool for Agent Evaluation", IJCAI 2009). Whatever decks and players they are fitted
to, the estimate is unbiased on other decks. The decks of a match under another seed are others.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat.decision_chances import chances_in
from agents.evaluation.aivat.prospects import prospects_of
from agents.evaluation.aivat.replay import Room, correct_hand, new_room
from agents.evaluation.aivat.value import TABLE_SHAPE, Weights
from agents.evaluation.aivat.weights import SHIPPED, digest, no_weights, read_weights, write_weights
from agents.evaluation.duplicate import DuplicateTables, Estimator
from agents.players.basic import random
from razz_env._jit import kernel
from razz_env.envs.agent import Agent, OpenAgent
from razz_env.envs.opponents import resolve_agent

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RIDGE = 10.0
"""Added to the squares of every number, in big bets: it holds back what few hands tell of."""

LINEUPS = (
    (4, ("scripted:tight", "scripted:loose")),
    (3, ("book", "scripted:tight")),
    (3, ("book", "equity")),
    (2, ("equity", "scripted:tight")),
    (2, ("equity:uniform", "book")),
    (2, ("shaky:book", "shaky:scripted:tight")),
    (1, ("book", "scripted:tight", "scripted:loose", "book", "scripted:tight", "scripted:loose")),
    (0.5, ("equity", "book", "scripted:tight", "equity:uniform")),
)
"""Shares of the decks, and who plays them."""

SHAKY = 0.15


@dataclass(frozen=True)
class Shaky:
    """Plays as another player most of the time, and else takes any legal action.

    Attributes:
        player: the other one.
        share: of its decisions that are any legal action.
    """

    player: OpenAgent
    share: float = SHAKY
    needs_observations: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Name of the player."""
        return f"shaky:{self.player.name}"

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Ints:
        """See `razz_env.envs.agent.Agent.act`."""
        other = random().act(views, observations, masks, rng)
        own = self.player.act(views, observations, masks, rng)
        return np.where(rng.random(len(views)) < self.share, other, own)

    def action_probabilities(self, views: Any, observations: Any, masks: Any) -> Floats:
        """See `razz_env.envs.agent.OpenAgent`."""
        other = random().action_probabilities(views, observations, masks)
        own = self.player.action_probabilities(views, observations, masks)
        chances: Floats = self.share * other + (1 - self.share) * own
        return chances


def fitting_player(name: str) -> Agent:
    """A player by its name, or "shaky:" and the name of a player."""
    player = resolve_agent(name.removeprefix("shaky:"))
    if not name.startswith("shaky:"):
        return player
    assert isinstance(player, OpenAgent)
    return Shaky(player)


class Normal:
    """The normal equations of the fit, gathered as if it were an estimator.

    Attributes:
        gram: float64[M, M], sums of products of what the numbers are multiplied by.
        moment: float64[M], sums of products of that and the estimate without the numbers.
        hands: how many were gathered.
    """

    name = "normal equations"
    units_per_chip = 1

    def __init__(self) -> None:
        size = int(np.prod(TABLE_SHAPE))
        self.gram, self.moment = np.zeros((size, size)), np.zeros(size)
        self.hands, self._blocks = 0, 0

    def estimate(self, hands: NDArray[Any], players: Sequence[Agent]) -> Ints:
        """Gather some hands, each from the point of view of one seat; the estimates are zeros."""
        rules = hands[0]["public"]["rules"]
        room = new_room(prospects_of(rules), no_weights(), fitted=True)
        first = (self.hands + self._blocks) % len(players)  # so that the seats take turns
        chances = chances_in(hands, players)
        scale = 1 / float(rules["big_bet"])
        gather_each(hands, hands.copy(), chances, first, scale, room, self.gram, self.moment)
        self.hands += len(hands)
        self._blocks += 1
        return np.zeros((len(hands), len(players)), np.int64)


def solve(normal: Normal, ridge: float = RIDGE) -> Weights:
    """The numbers for which the estimate scatters least."""
    used = np.flatnonzero(np.diag(normal.gram) > 0)
    gram = normal.gram[np.ix_(used, used)] + ridge * np.eye(len(used))
    table = np.zeros(len(normal.gram))
    table[used] = -np.linalg.solve(gram, normal.moment[used])
    return Weights(table.reshape(TABLE_SHAPE), no_weights().owed)


def gather_lineups(decks: int, seed: int) -> Iterator[Normal]:
    """Play every line-up its share of the decks, and give what was gathered after each."""
    normal = Normal()
    estimators: list[Estimator] = [normal]
    for share, names in LINEUPS:
        lineup = [fitting_player(name) for name in names]
        tables = DuplicateTables(lineup, seed, "full_tilt", 500, estimators=estimators)
        for block in range(round(share * decks / 1000)):
            tables.play_block(block)
        yield normal


@kernel
def gather_each(
    hands: NDArray[Any],
    replayed: NDArray[Any],
    chances: Floats,
    first: int,
    scale: float,
    room: Room,
    gram: Floats,
    moment: Floats,
) -> None:
    """Add finished hands to the normal equations, each for one seat, in turn from `first` on."""
    for row in range(len(hands)):
        public = hands[row].public
        focus, corrections = (first + row) % public.num_seats, room.corrections
        room.focus[0] = focus
        clear(room)
        correct_hand(hands[row], replayed[row], chances[row], room, corrections)
        net = public.stack[focus] - public.starting_stack[focus]
        add_products(room, scale * (net + corrections[focus]), scale, gram, moment)


@kernel
def clear(room: Room) -> None:
    """Forget the hand before."""
    for seat in range(len(room.corrections)):
        room.corrections[seat] = 0.0
    terms = room.terms.reshape(-1)
    for place in range(len(terms)):
        terms[place] = 0.0


@kernel
def add_products(room: Room, result: float, scale: float, gram: Floats, moment: Floats) -> None:
    """Add the products of a hand; most of its terms are zero."""
    terms, used, count = room.terms.reshape(-1), room.used, 0
    for place in range(len(terms)):
        if terms[place] != 0.0:
            terms[place] *= scale
            used[count] = place
            count += 1
    for row in used[:count]:
        moment[row] += terms[row] * result
        for column in used[:count]:
            gram[row, column] += terms[row] * terms[column]


def main(words: Sequence[str] | None = None) -> int:
    """Fit, and write the numbers."""
    parser = argparse.ArgumentParser(prog="python -m agents.evaluation.aivat.fit")
    parser.add_argument("--decks", type=int, default=1500, help="for a share of one")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args(words)
    for normal in gather_lineups(options.decks, options.seed):
        print(f"{normal.hands:,} hands", flush=True)
    write_weights(options.out, solve(normal))
    print(f"{options.out}: {digest(read_weights(options.out))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
