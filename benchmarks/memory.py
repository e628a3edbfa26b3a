"""Memory of a batch: bytes a table, and whether it stays flat over millions of hands.

python -m benchmarks.memory [--hands 10000000]
"""

import argparse
import gc
import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.bench.random_play import choose
from razz_env import make_batch
from razz_env.envs.batch import TableBatch

TABLES = 4096


def bytes_per_table(tables: int = TABLES) -> float:
    """What Python and NumPy hold for each table of a batch of 6 seats, without the observations."""
    make_batch(1, 6)
    gc.collect()
    tracemalloc.start()
    batch = make_batch(tables, 6)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (held - batch.observations.nbytes) / tables


def resident_bytes() -> int:
    """Memory of this process, from Linux."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def play_hands(batch: TableBatch, hands: int) -> None:
    """Random legal play until so many hands have ended."""
    actions, state, ended = np.zeros(batch.num_tables, np.int64), 1, 0
    while ended < hands:
        state = int(choose(batch.action_masks, actions, state))
        _, dones = batch.step(actions)
        ended += int(dones.sum())


def main(words: Sequence[str] | None = None) -> int:
    """Play, and print the memory of the process after each tenth of the hands."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000_000)
    hands = parser.parse_args(words).hands
    print(f"{bytes_per_table():,.0f} bytes a table besides the observation")
    batch, sizes = make_batch(TABLES, 2, seed=0), []
    for tenth in range(1, 11):
        play_hands(batch, hands // 10)
        sizes.append(resident_bytes())
        print(f"{hands // 10 * tenth:12,} hands: {sizes[-1] / 1e6:.1f} MB")
    grown = sizes[-1] - sizes[0]
    print(f"grown by {grown / 1e6:.1f} MB over the last nine tenths")
    return 0 if grown < 1e6 else 1


if __name__ == "__main__":
    sys.exit(main())
