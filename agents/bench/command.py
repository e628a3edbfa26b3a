"""`razz bench`: how fast the layers of this package are on this machine."""

import json
from typing import Annotated

import tyro

from agents.bench.layers import LAYERS
from agents.bench.machine import facts
from agents.bench.timing import Timed, race


def bench_command(
    *,
    seconds: float = 2.0,
    rounds: int = 5,
    as_json: Annotated[bool, tyro.conf.arg(name="json")] = False,
) -> int:
    """Time the layers of the package on this machine, in turn, round by round.

    The figures are medians per second of processor time on one thread; the spread is half the
    distance between the quartiles of the rounds. Compiling and a first round are not counted.

    Args:
        seconds: how long each layer is timed in all.
        rounds: in how many rounds.
        as_json: print JSON instead of a table.
    """
    if rounds < 1 or not 0 < seconds < float("inf"):
        raise ValueError("razz bench wants --rounds of at least 1 and --seconds above 0.")
    machine = facts()
    table = race(LAYERS, rounds, seconds / rounds)
    print(json_text(machine, table) if as_json else table_text(machine, table))
    return 0


def table_text(machine: dict[str, str], table: dict[str, Timed]) -> str:
    """Lines for a person."""
    lines = [f"{name}: {text}" for name, text in machine.items()]
    width = max(len(name) for name in table)
    return "\n".join([*lines, "", *(_line(timed, width) for timed in table.values())])


def _line(timed: Timed, width: int) -> str:
    name = f"{timed.contestant.name:<{width}}"
    if timed.missing:
        return f"{name}  {timed.missing}"
    unit = timed.contestant.unit
    return f"{name}  {timed.median:14,.0f} {unit}/s  ± {timed.spread:.0%}"


def json_text(machine: dict[str, str], table: dict[str, Timed]) -> str:
    """One object: `machine`, and `layers` with `per_second`, `spread` and `unit`, or `missing`."""
    return json.dumps({"machine": machine, "layers": {k: _entry(v) for k, v in table.items()}})


def _entry(timed: Timed) -> dict[str, str | float]:
    if timed.missing:
        return {"missing": timed.missing}
    unit = timed.contestant.unit
    return {"unit": unit, "per_second": timed.median, "spread": timed.spread}
