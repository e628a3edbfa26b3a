"""Play the ladder of players from the bottom up: `python -m benchmarks.ladder --decks 50000`.

Every player meets those below it heads-up, and at a mixed table of six where it and the player next
below sit alternately, three and three. Prints the tables of docs/players.md.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from agents.evaluation import play_match
from agents.evaluation.asking import SeatedAgent
from agents.evaluation.duplicate import play_hands
from agents.evaluation.report import markdown_table
from agents.evaluation.seeds import deck_seed
from agents.evaluation.statistics import Z_95
from razz_env import make_batch
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent

LADDER = ("random", "caller", "scripted:loose", "scripted:tight", "book", "equity")
OTHERS = ("raiser", "equity:uniform")
SEATS = 6
BLOCK = 1000


@dataclass(frozen=True)
class Lead:
    """Mean big bets per 100 hands by which a player's seats beat the other's, and its error."""

    bb_per_100: float
    standard_error: float

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.bb_per_100 - Z_95 * self.standard_error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.bb_per_100 + Z_95 * self.standard_error


def play_alternating(better: Agent, worse: Agent, decks: int, seed: int) -> Lead:
    """Two players alternately in six seats; every deck is played twice, with seats exchanged.

    Args:
        better: the player that is rated.
        worse: the other one.
        decks: at least 2.
        seed: of the decks, as in `play_match`, and of the players' randomness.

    Returns:
        what a seat of `better` wins, in BB/100. A seat of `worse` loses as much.
    """
    leads = np.concatenate([*_play_blocks((better, worse), decks, seed)])
    return Lead(float(leads.mean()), float(leads.std(ddof=1)) / math.sqrt(decks))


def _play_blocks(
    players: tuple[Agent, Agent], decks: int, seed: int
) -> Iterator[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """For every block of decks the mean result of a seat of the first player, in BB/100."""
    batch = make_batch(
        BLOCK, SEATS, seed=deck_seed(seed), stacks=500, observation=None, auto_deal=False
    )
    for first in range(0, decks, BLOCK):
        numbers = np.arange(first, min(first + BLOCK, decks))
        chips = np.zeros(len(numbers))
        for turn in range(2):
            seated = [
                SeatedAgent(players[(seat + turn) % 2], seat, _rng(seed, first, turn, seat), None)
                for seat in range(SEATS)
            ]
            chips += play_hands(batch, seated, numbers)[:, turn::2].sum(axis=1)
        yield chips * 100 / (SEATS * batch.rules.big_bet)


def _rng(*key: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(key))


def heads_up_table(names: Sequence[str], decks: int, seed: int) -> str:
    """What every player wins heads-up from those before it in the list, in BB/100."""
    rows = []
    for place, name in enumerate(names[1:], 1):
        results = [play_match(name, other, decks, seed) for other in names[:place]]
        cells = [_cell(one.bb_per_100, one.half_width) for one in results]
        rows.append((name, *cells, *[""] * (len(names) - 1 - place)))
    return markdown_table(("heads-up", *names[:-1]), rows)


def mixed_table(names: Sequence[str], decks: int, seed: int) -> str:
    """What every player wins from the one before it at a table of three and three, in BB/100."""
    rows = []
    for worse, better in pairwise(names):
        lead = play_alternating(resolve_agent(better), resolve_agent(worse), decks, seed)
        interval = f"{lead.low:+.2f} to {lead.high:+.2f}"
        rows.append((f"3 x {better}, 3 x {worse}", f"{lead.bb_per_100:+.2f}", interval))
    return markdown_table(("six seats", "BB/100", "95 % interval"), rows)


def _cell(mean: float, half_width: float) -> str:
    return f"{mean:+.2f} ± {half_width:.2f}"


def main() -> None:
    """Read the arguments, play, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=50_000, help="of every match")
    parser.add_argument("--seed", type=int, default=1, help="of the decks and the players")
    chosen = parser.parse_args()
    print(heads_up_table((*OTHERS, *LADDER), chosen.decks, chosen.seed), end="\n\n")
    print(mixed_table(LADDER, chosen.decks, chosen.seed))


if __name__ == "__main__":
    main()
