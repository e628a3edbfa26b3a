"""Whether saved tables may be put into a batch: it must have been made alike."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.rules.record import RULE_NAMES


def check_alike(saved: NDArray[Any], tables: NDArray[Any]) -> None:
    """Refuse saved tables that are not like those of a batch.

    At a table the same stacks may stand before other seats: vector environments move the players
    on with every hand.

    Args:
        saved: HAND[M].
        tables: HAND[N].

    Raises:
        ValueError: another number of tables or seats, other rules, or other stacks.
    """
    here, there = tables["public"], saved["public"]
    seats = int(here["num_seats"][0])
    found = int(there["num_seats"][0]) if len(saved) else 0
    if len(saved) != len(tables) or (there["num_seats"] != seats).any():
        raise ValueError(
            f"The saved batch has {len(saved)} tables of {found} seats; this one has "
            f"{len(tables)} of {seats}."
        )
    for name in RULE_NAMES:
        _refuse_other(f"{name} in numbers", there["rules"][name], here["rules"][name])
    stacks = (np.sort(hands["starting_stack"][:, :seats], axis=1) for hands in (there, here))
    _refuse_other("the stacks, smallest first,", *stacks)


def _refuse_other(what: str, there: NDArray[Any], here: NDArray[Any]) -> None:
    """Refuse values [N, ...] by table that differ from those here."""
    for table in np.flatnonzero((there != here).reshape(len(here), -1).any(axis=1))[:1]:
        raise ValueError(
            f"Table {table} of the saved batch has other rules or stacks: {what} "
            f"{'is' if here.ndim == 1 else 'are'} {there[table].tolist()} there and "
            f"{here[table].tolist()} here; load it into a batch made as that one was."
        )
