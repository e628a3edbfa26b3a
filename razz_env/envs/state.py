"""A hand's full record as one vector, for critics that may see everything.

The vector holds every number of the record that belongs to the hand, in the record's order: all of
`public`, then `down`, `deck`, `next_card`, the burn cards, the stub mixed with them, and `low`. The
seed and the plan of `Hand.from_cards` are left out: the deck, in dealing order, says all that they
do.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numpy.lib.recfunctions import structured_to_unstructured
from numpy.typing import NDArray

from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import MAX_CHIPS
from razz_env.rules.record import HAND, MAX_SEATS

FIELDS = ["public", "down", "deck", "next_card", "burnt", "scrambled", "scrambled_next", "low"]

_BOUNDS = {
    "i1": (-1, 127),
    "i2": (-1, 2**15 - 1),
    "i4": (0, 2**31 - 1),
    "i8": (0, MAX_SEATS * MAX_CHIPS),
}
"""Bounds by the field's type: -1 stands for "none"; int64 fields are chips."""


def state_vector(hand: Hand) -> NDArray[np.int64]:
    """The full record of a hand, int64[S]: hidden cards and the cards to come included."""
    fields = np.asarray(hand.record)[FIELDS]
    state: NDArray[np.int64] = structured_to_unstructured(fields, dtype=np.int64)
    return state


@lru_cache(1)
def state_layout() -> dict[str, slice]:
    """Where each field lies in the state: "public.stack", "down", "deck", ... -> its slice.

    Fields of several dimensions lie in C order; the record's comments tell what they mean.
    """
    layout: dict[str, slice] = {}
    for name, dtype in _numbers():
        start = layout[next(reversed(layout))].stop if layout else 0
        layout[name] = slice(start, start + int(np.prod(dtype.shape)))
    return layout


def state_space() -> Box:
    """The space of `state_vector`: int64[S], chips 0..2**56, other numbers from -1 or 0 up."""
    bounds = [
        np.tile(np.array(_BOUNDS[dtype.base.str[1:]], np.int64), (int(np.prod(dtype.shape)), 1))
        for _, dtype in _numbers()
    ]
    low, high = np.concatenate(bounds).T
    return Box(low, high, dtype=np.int64)


def _numbers() -> list[tuple[str, np.dtype[Any]]]:
    return [leaf for name in FIELDS for leaf in _leaves(name, HAND[name])]


def _leaves(name: str, dtype: np.dtype[Any]) -> list[tuple[str, np.dtype[Any]]]:
    if dtype.names is None:
        return [(name, dtype)]
    return [leaf for part in dtype.names for leaf in _leaves(f"{name}.{part}", dtype[part])]
