"""Timing of several players in turn, round by round, so that a noisy machine hits all alike."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

Play: TypeAlias = Callable[[], int]
"""Does a small piece of work, some milliseconds of it, and returns how many units it was."""


class Missing(Exception):
    """What a contestant needs is not there; the text says what, and how to get it."""


@dataclass(frozen=True)
class Contestant:
    """Something to be timed.

    Attributes:
        name: what it is called in tables.
        unit: what is counted, such as "decisions".
        make: makes the play, compiling and dealing what it needs; `Missing` if it cannot.
        clock: seconds. By default the processor time of all threads, which is the time on one core
            that does nothing else, whatever runs beside; the wall clock to see what threads gain.
    """

    name: str
    unit: str
    make: Callable[[], Play]
    clock: Callable[[], float] = time.process_time


@dataclass
class Timed:
    """A contestant's units per second of every round, or why there are none."""

    contestant: Contestant
    rates: list[float] = field(default_factory=list)
    missing: str = ""

    @property
    def median(self) -> float:
        """Units per second."""
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """Half the distance of the quartiles as a share of the median."""
        if len(self.rates) < 2:
            return 0.0
        lower, _, upper = statistics.quantiles(self.rates, n=4, method="inclusive")
        return (upper - lower) / 2 / self.median


def race(contestants: Sequence[Contestant], rounds: int, seconds: float) -> dict[str, Timed]:
    """Time all contestants, each for `seconds` in each of the rounds; by name.

    Every play is made and warmed up for a round's time before the first round.
    """
    table = {one.name: Timed(one) for one in contestants}
    plays = dict(_made(table))
    for _ in range(rounds + 1):
        for name, play in plays.items():
            table[name].rates.append(rate(play, seconds, table[name].contestant.clock))
    for timed in table.values():
        del timed.rates[:1]
    return table


def _made(table: dict[str, Timed]) -> Iterator[tuple[str, Play]]:
    for name, timed in table.items():
        try:
            yield name, timed.contestant.make()
        except Missing as missing:
            timed.missing = str(missing)


def rate(play: Play, seconds: float, clock: Callable[[], float]) -> float:
    """Units per second of a play that is repeated for at least so many seconds of a clock."""
    units, start = 0, clock()
    while True:
        units += play()
        spent = clock() - start
        if spent >= seconds:
            return units / spent


def ratio(ours: Timed, theirs: Timed) -> float:
    """Median over the rounds of ours / theirs."""
    return statistics.median(mine / other for mine, other in zip(ours.rates, theirs.rates))


@contextmanager
def needed(package: str, command: str) -> Iterator[None]:
    """Inside, a missing import becomes `Missing` with the pip command that mends it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise Missing(f"{package} is not installed: pip install {command}") from error
