"""Lows and equities per second beside those of poker-equity, a Rust package, in one run.

    python -m benchmarks.equity_speed [--rounds 9] [--samples 1000000] [--lows 300000]

Both sides use one thread and are timed in turn by the processor time of the process, round by
round, so that a noisy machine hits both alike. `score_batch` of poker-equity takes text, and its
time includes reading it; `evaluate_batch` takes numbers. The equities of both are compared before
anything is timed. The peer comes with the extra `bench`.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from agents.bench.timing import Contestant, race, ratio
from razz_env import lowball
from razz_env.equity import equity
from razz_env.rules.cards import format_cards

SPOTS = (
    ["A23", "678"],
    ["xxx", "xxx"],
    ["A23", "678", "xx9"],
    ["A23KK", "678QQ", "xx9JT", "45TxK"],
)
EXACT = (["A23", "678"], ["A2K", "xx8"], ["A23K", "678Q", "459J"])


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compare(
    name: str, ours: Callable[[], object], theirs: Callable[[], object], n: int, rounds: int
) -> None:
    """Time both in turn and print the medians in millions per second, and of their ratios."""
    both = [contestant("ours", ours, n), contestant("theirs", theirs, n)]
    mine, peers = race(both, rounds, seconds=0).values()
    rates = f"{mine.median / 1e6:8.2f} {peers.median / 1e6:12.2f}"
    print(f"{name:<28} {rates} {ratio(mine, peers):8.1f}")


def contestant(name: str, work: Callable[[], object], n: int) -> Contestant:
    """Work that is n units a call."""

    def play() -> int:
        work()
        return n

    return Contestant(name, "units", lambda: play)


def compare_lows(peer: Any, count: int, rounds: int) -> None:
    """Lows of seven cards."""
    cards = np.random.default_rng(0).random((count, 52)).argsort(axis=1)[:, :7].astype(np.int8)
    texts = [format_cards(hand) for hand in cards]
    compare(
        "lows of seven cards",
        lambda: lowball.evaluate_batch(cards),
        lambda: peer.score_batch("low_a5", texts),
        count,
        rounds,
    )


def compare_equities(peer: Any, hands: list[str], samples: int, rounds: int) -> None:
    """Deals of a Monte Carlo run."""
    theirs = [hand.replace("x", "*") for hand in hands]

    def mine() -> Any:
        return equity(hands, method="monte_carlo", samples=samples)

    def peers() -> Any:
        return peer.chunk_from_text("razz", theirs, samples=samples, threads=1)

    shares = [seat["equity"] for seat in peers()["players"]]
    difference = np.abs(mine().equities - shares).max()
    assert difference < 5 * np.sqrt(0.5 / samples), difference
    compare(" v ".join(hands), mine, peers, samples, rounds)


def main() -> None:
    """Print one table of rates and one of exact counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--lows", type=int, default=300_000)
    args = parser.parse_args()
    try:
        import poker_equity as peer
    except ModuleNotFoundError:
        sys.exit("This benchmark needs poker-equity: pip install poker-equity")
    print(f"{'millions a second':<28} {'ours':>8} {'poker-equity':>12} {'ratio':>8}")
    compare_lows(peer, args.lows, args.rounds)
    for hands in SPOTS:
        compare_equities(peer, hands, args.samples, args.rounds)
    print("\nexact counts, seconds")
    for hands in EXACT:
        equity(hands, method="exact")
        times = [seconds(lambda: equity(hands, method="exact")) for _ in range(3)]  # noqa: B023
        print(f"{' v '.join(hands):<28} {statistics.median(times):8.3f}")


if __name__ == "__main__":
    main()
