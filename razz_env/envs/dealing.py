"""Which hand of a table's stream is dealt next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from razz_env.rules.setup import check_seed, fresh_seed


@dataclass(frozen=True)
class Place:
    """A hand of the stream of table 0: `Hand.deal(seed=seed, index=index)`, as in `make_batch`."""

    seed: int
    index: int


def next_place(place: Place | None, seed: int | None) -> Place:
    """The hand to deal after `place`: hand 0 of a seed that is given, else the next of its stream.

    Without a seed and without a hand before, the seed is a fresh one.

    Raises:
        ValueError: a seed that is no whole number from 0 to 2**63 - 1.
    """
    if seed is not None:
        return Place(check_seed(seed), 0)
    if place is None:
        return Place(fresh_seed(), 0)
    return Place(place.seed, place.index + 1)


def deal_options(options: Mapping[str, Any] | None, stacks: Any) -> dict[str, Any]:
    """The arguments `deck` and `stacks` of a deal, from the options of a `reset`."""
    chosen = options or {}
    return {"deck": chosen.get("deck"), "stacks": chosen.get("stacks", stacks)}
