"""This package beside others on the same kind of work, in one run on one core; a Markdown page.

    python -m benchmarks.peers [--out docs/speed_table.md] [--rounds 9] [--seconds 0.3]

Nothing is installed: a package that is missing is a line that says how to get it; the extra `bench`
brings them all. All contestants are timed in turn, round by round. docs/speed.md tells what is
measured.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from agents.bench.machine import facts
from agents.bench.timing import Contestant, Timed, race, ratio
from benchmarks.contests import BARS, OURS, PEERS, Bar
from benchmarks.memory import bytes_per_table

PACKAGES = (
    "razz-env numpy numba torch stable-baselines3 sb3-contrib pokerkit rlcard pettingzoo "
    "open-spiel pgx jax poker-equity"
).split()
MOST_BYTES = 1024


def main(words: Sequence[str] | None = None) -> int:
    """Time all contestants and write the page."""
    options = _options(words)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    machine = facts(tuple(PACKAGES))
    chosen = [one for one in (*OURS, *PEERS) if _is_asked_for(one, options.only)]
    table = race(chosen, options.rounds, options.seconds)
    machine["measured"] = (
        f"{options.rounds} rounds of {options.seconds} s each, contestants in turn, on one core, "
        "in seconds of processor time (threads: of the clock)"
    )
    text = page(machine, table)
    if options.out is None:
        print(text)
    else:
        options.out.write_text(text)
    return 0


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--out", type=Path, help="write the page there instead of printing it")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3, help="of one contestant's round")
    parser.add_argument("--only", default="", help="only contests one of whose names has this text")
    return parser.parse_args(words)


def _is_asked_for(one: Contestant, text: str) -> bool:
    contests = [bar for bar in BARS if one.name in (bar.ours, bar.theirs)]
    names = [one.name, *(name for bar in contests for name in (bar.ours, bar.theirs))]
    return any(text.lower() in name.lower() for name in names)


def page(machine: dict[str, str], table: dict[str, Timed]) -> str:
    """The Markdown page."""
    contests = [bar for bar in BARS if bar.ours in table and bar.theirs in table]
    lines = [
        "<!-- Made by `python -m benchmarks.peers --out docs/speed_table.md`. -->",
        "# Speed beside other packages",
        "",
        *(f"- {name}: {text}" for name, text in machine.items()),
        "",
        "| ours | beside | ratio | at least | |",
        "|---|---|---:|---:|---|",
        *(_contest(bar, table) for bar in contests),
        _memory(),
        "",
        "| | median per second | spread |",
        "|---|---:|---:|",
        *(_figure(timed) for timed in table.values()),
    ]
    return "\n".join(lines) + "\n"


def _contest(bar: Bar, table: dict[str, Timed]) -> str:
    ours, theirs = table[bar.ours], table[bar.theirs]
    row = f"| {bar.ours} | {bar.theirs}"
    missing = ours.missing or theirs.missing
    if missing:
        return f"{row} | | {_times(bar.least)} | {missing} |"
    found = ratio(ours, theirs)
    return f"{row} | {_times(found)} | {_times(bar.least)} | {_verdict(found >= bar.least)} |"


def _memory() -> str:
    used = bytes_per_table()
    row = f"| bytes a table besides the observation | | {used:,.0f} | under {MOST_BYTES:,} |"
    return f"{row} {_verdict(used < MOST_BYTES)} |"


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "**missed**"


def _times(factor: float) -> str:
    return f"{factor:,.0f} x" if factor >= 20 else f"{factor:.2f} x"


def _figure(timed: Timed) -> str:
    one = timed.contestant
    if timed.missing:
        return f"| {one.name} | {timed.missing} | |"
    return f"| {one.name} | {timed.median:,.0f} {one.unit} | ± {timed.spread:.0%} |"


if __name__ == "__main__":
    sys.exit(main())
