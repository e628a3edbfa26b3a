"""The generated page about observations: `python -m razz_env.observation.docs [--check]`."""

import sys

from razz_env._page import DOCS, write_or_check
from razz_env.observation.spec import MODES, spec

PAGE = DOCS / "observation.md"

_HEAD = """# Observations

This page is generated: `python -m razz_env.observation.docs` writes it and `--check` compares it.

An observation is a float32 vector made from a `SeatView`, all that one seat may know. Seats are
relative: 0 is the observing seat, 1 the seat to its left, and so on. Cards appear by rank only,
ace first: suits only break ties of the bring-in, of odd chips and, in some rule books, of boards.
"What a hand can cost" is the ante and every round bet to its cap, and half a bet more a round for
all-ins. Where a rule book lifts the cap for two players, a hand can cost more: numbers
of chips and of bets then stay at their 1, and raises left at 0 though a raise is legal. The action
mask tells what is legal, and `betting` goes on to count.

The mode "infostate" ends with all actions in order and has perfect recall, up to suits. So it keeps
which seat acted first on every street. What it forgets is whose exposed cards were to open an
earlier street, where suits broke a tie and a tied seat was all-in, such as two kings of which one
was all-in for its ante: `first_to_act` tells that of the street in play alone.

`razz_env.observation.spec(num_players, mode)` gives these tables as an object: `size`, `low`,
`high`, `slices`, `split(vector)` and `describe(vector)`.
"""


def page() -> str:
    """The whole page as Markdown, for the example of a six-handed table."""
    tables = []
    for mode in MODES:
        layout = spec(6, mode)
        sizes = ", ".join(f"{spec(seats, mode).size} at {seats}" for seats in range(2, 9))
        tables.append(
            f'\n## mode "{mode}", six seats: {layout.size} numbers\n\nSizes: {sizes} seats.\n\n'
            f"{layout.table()}\n"
        )
    return _HEAD + "".join(tables)


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, page(), "razz_env.observation.docs"))
