"""How long a duplicate match takes beside PokerKit playing as many hands at random, in one run.

    python -m benchmarks.match_speed [AGENT OPPONENT] [--decks 100000] [--rounds 10] [--seconds 2]

The match is played as `razz evaluate` does it, by one process: in each round its next tenth, then
PokerKit for some seconds. Both are timed by the processor time of the process, so that whatever
else the machine does hits both alike, and PokerKit's sample is scaled up to the hands of the match.
PokerKit only draws legal actions at random and writes no observations; the players of the match
think, and the time of their first calls, which compile, is left out. PokerKit comes with the extra
`test`.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from agents.bench.timing import Missing, rate
from agents.evaluation.duplicate import DECKS_PER_BLOCK
from agents.evaluation.match import Match, Stopping, make_match
from agents.evaluation.report import markdown_table
from benchmarks.peer_plays import pokerkit_razz

WANTED = 200
"""The match shall take less than one part in so many of PokerKit's time."""


class Round(NamedTuple):
    """Hands per second of processor time in one round."""

    ours: float
    theirs: float


def main(words: Sequence[str] | None = None) -> int:
    """Time, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.match_speed")
    parser.add_argument("agents", nargs="*", default=["scripted:tight", "scripted:loose"])
    parser.add_argument("--decks", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=2.0, help="of PokerKit in each round")
    options = parser.parse_args(words)
    if len(options.agents) != 2 or options.decks < options.rounds * DECKS_PER_BLOCK:
        parser.error(f"name two players, and at least {DECKS_PER_BLOCK} decks a round")
    try:
        rounds = race(options.agents, options.decks, options.rounds, options.seconds)
    except Missing as missing:
        print(missing)
        return 1
    print(page(options.agents, options.decks, rounds))
    return 0


def race(agents: Sequence[str], decks: int, rounds: int, seconds: float) -> list[Round]:
    """Play the match in so many parts, PokerKit between them.

    Raises:
        Missing: PokerKit is not installed.
    """
    theirs = one_hand(pokerkit_razz(2))
    rate(theirs, seconds / 4, time.process_time)
    made = make_match(*agents, decks)
    made.plan.tables().play_block(10**6)  # compiles
    blocks = decks // DECKS_PER_BLOCK
    ends = [blocks * (number + 1) // rounds for number in range(rounds)]
    found = []
    for first, end in zip([0, *ends], ends):
        spent = _play_blocks(made, first, end)
        hands = 2 * DECKS_PER_BLOCK * (end - first)
        found.append(Round(hands / spent, rate(theirs, seconds, time.process_time)))
    return found


def _play_blocks(match: Match, first: int, end: int) -> float:
    """Seconds of processor time for some blocks of a match, kept as the match keeps them."""
    part = Match(match.plan, (end - first) * DECKS_PER_BLOCK, Stopping())
    tables = match.plan.tables()
    start = time.process_time()
    for block in range(first, end):
        part.add(tables.play_block(block))
    part.result()
    return time.process_time() - start


def one_hand(play: Callable[[], int]) -> Callable[[], int]:
    """The same play, counted in hands instead of decisions."""

    def count() -> int:
        play()
        return 1

    return count


def page(agents: Sequence[str], decks: int, rounds: Sequence[Round]) -> str:
    """The result as text: rates, times for the whole, and the ratio with its verdict."""
    ours, theirs = (statistics.median(column) for column in zip(*rounds))
    ratios = sorted(one.ours / one.theirs for one in rounds)
    hands = 2 * decks
    rows = [
        (f"{agents[0]} against {agents[1]}", f"{ours:,.0f}", f"{hands / ours:,.2f}"),
        ("PokerKit, random players", f"{theirs:,.1f}", f"{hands / theirs:,.0f}"),
    ]
    header = ("heads-up", "hands a second", f"seconds for {hands:,} hands")
    found = statistics.median(ratios)
    verdict = "met" if found >= WANTED else "missed"
    return (
        f"{markdown_table(header, rows)}\n\nratio {found:,.0f} (rounds: {ratios[0]:,.0f} to "
        f"{ratios[-1]:,.0f}); wanted {WANTED}: {verdict}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
