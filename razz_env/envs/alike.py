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
    check_same_tables(saved, tables)
    here, there = tables["public"], saved["public"]
    seats = int(here["num_seats"].max())
    stacks = (np.sort(hands["starting_stack"][:, :seats], axis=1) for hands in (there, here))
    _refuse_other("the stacks, smallest first,", *stacks)


def check_same_tables(saved: NDArray[Any], tables: NDArray[Any]) -> None:
    """`check_alike` where the stacks of a hand may be its own.

    Raises:
        ValueError: another number of tables or seats, or other rules.
    """
    here, there = tables["public"], saved["public"]
    same_count = len(saved) == len(tables)
    if not same_count or (there["num_seats"] != here["num_seats"]).any():
        raise ValueError(
            f"The saved batch has {len(saved)} tables of {_sizes(there)} seats; this one has "
            f"{len(tables)} of {_sizes(here)}."
        )
    for name in RULE_NAMES:
        _refuse_other(f"{name} in numbers", there["rules"][name], here["rules"][name])


def _sizes(publics: NDArray[Any]) -> str:
    """The different numbers of seats, such as "2, 6"; "0" of no tables."""
    return ", ".join(map(str, np.unique(publics["num_seats"]).tolist())) or "0"


def _refuse_other(what: str, there: NDArray[Any], here: NDArray[Any]) -> None:
    """Refuse values [N, ...] by table that differ from those here."""
    for table in np.flatnonzero((there != here).reshape(len(here), -1).any(axis=1))[:1]:
        raise ValueError(
            f"Table {table} of the saved batch has other rules or stacks: {what} "
            f"{'is' if here.ndim == 1 else 'are'} {there[table].tolist()} there and "
            f"{here[table].tolist()} here; load it into a batch made as that one was."
        )
