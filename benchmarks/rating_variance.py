"""How much of the variance of single hands duplicate and AIVAT take away, alone and together.

python -m benchmarks.rating_variance [--hands 40000] [--seed 31] [--only TEXT]

With --only there are the rows of players whose names have this text, such as "against 5 x".

"aivat" takes every hand for one of its own, as if there were no duplicate. The microseconds are
processor time, for playing a hand and for its estimate.
"""

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat import Aivat
from agents.evaluation.duplicate import DuplicateTables
from agents.evaluation.report import copies_text, markdown_table
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent

LINEUPS = (
    ("scripted:tight", "scripted:loose"),
    ("book", "scripted:tight"),
    ("book", "equity"),
    ("trained:heads_up", "book"),
    ("trained:heads_up", "trained:table"),
    ("scripted:tight", *["scripted:loose"] * 5),
    ("book", *["scripted:tight"] * 5),
    ("trained:table", *["scripted:tight"] * 5),
)
COLUMNS = ("players", "duplicate", "aivat", "both", "us to play", "us to estimate")


class Single:
    """AIVAT, which also keeps the estimates of single hands of the first player and its time."""

    def __init__(self, first: Agent) -> None:
        self.aivat, self.first = Aivat(), first
        self.name, self.units_per_chip = self.aivat.name, self.aivat.units_per_chip
        self.hands: list[NDArray[np.int64]] = []
        self.seconds = 0.0

    def estimate(self, hands: NDArray[Any], players: Sequence[Agent]) -> NDArray[np.int64]:
        """See `agents.evaluation.duplicate.Estimator`."""
        start = time.process_time()
        found = self.aivat.estimate(hands, players)
        self.seconds += time.process_time() - start
        self.hands.append(found[:, [player is self.first for player in players].index(True)])
        return found


def main(words: Sequence[str] | None = None) -> int:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rating_variance")
    parser.add_argument("--hands", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--only", default="", help="only rows with this text in the first column")
    options = parser.parse_args(words)
    chosen = [names for names in LINEUPS if options.only in title(names)]
    if not chosen:
        parser.error(f"no row has {options.only!r}; there are: {'; '.join(map(title, LINEUPS))}")
    print(f"{Aivat().name}, {options.hands:,} hands, seed {options.seed}\n")
    rows = [row_of(names, options.hands, options.seed) for names in chosen]
    print(markdown_table(COLUMNS, rows))
    return 0


def title(names: Sequence[str]) -> str:
    """The first column of a row."""
    return f"{names[0]} against {copies_text(names[1], len(names) - 1)}"


def row_of(names: Sequence[str], hands: int, seed: int) -> tuple[str, ...]:
    """The variance of single hands over that of each estimate, for the first player."""
    lineup = [resolve_agent(name) for name in names]
    single = Single(lineup[0])
    tables = DuplicateTables(lineup, seed, "full_tilt", 500, estimators=[single])
    tables.play_block(0, 2)  # compiles
    single.hands.clear()
    single.seconds, start = 0.0, time.process_time()
    blocks = [
        tables.play_block(block) for block in range(-(-hands // (1000 * tables.hands_per_deck)))
    ]
    seconds = time.process_time() - start
    chips = np.concatenate([block.chips[:, 0] for block in blocks])
    both = np.concatenate([block.estimates[single.name][:, 0] for block in blocks])
    played = len(chips) * tables.hands_per_deck
    squares = sum(block.hand_squares[0] for block in blocks)
    raw = squares / played - (chips.sum() / played) ** 2
    alone = np.concatenate(single.hands) / single.units_per_chip
    each = tables.hands_per_deck
    ratios = (
        raw * each / chips.var(),
        raw / alone.var(),
        raw * each / (both / single.units_per_chip).var(),
    )
    times = 1e6 * (seconds - single.seconds) / played, 1e6 * single.seconds / played
    return (
        title(names),
        *(f"1/{ratio:.1f}" for ratio in ratios),
        *(f"{value:.0f}" for value in times),
    )


if __name__ == "__main__":
    raise SystemExit(main())
