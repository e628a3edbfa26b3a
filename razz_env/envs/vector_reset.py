"""The arguments of a vector's `reset`: which tables deal which hands of which streams."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from razz_env.rules.checks import is_whole
from razz_env.rules.setup import check_seed, fresh_seed

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Seeds: TypeAlias = int | Sequence[int | None] | None
RESET_MASK = "reset_mask"


class Deals(NamedTuple):
    """The hands that a `reset` deals.

    Attributes:
        tables: int64[K], in order.
        seeds: int64[K], of their streams.
        indices: int64[K], of the hands in the streams.
        is_start: whether all tables start a stream.
        options: what the options say about these hands.
    """

    tables: Ints
    seeds: Ints
    indices: Ints
    is_start: bool
    options: Mapping[str, Any]


def plan_deals(
    seed: Seeds, options: Mapping[str, Any] | None, seeds: Ints, indices: Ints, is_dealt: bool
) -> Deals:
    """The hands that a `reset(seed, options)` deals; nothing is changed.

    Args:
        seed: s for s + i in environment i; or one for each, where None goes on with its stream.
        options: "reset_mask" and others.
        seeds: int64[N], of the streams now, and
        indices: int64[N], of their latest hands, if `is_dealt`.
        is_dealt: whether all tables have been dealt a hand; otherwise streams get fresh seeds.

    Raises:
        ValueError: a seed out of range, another number of them, a mask of another shape or with
            nothing in it, or options that are no mapping.
        TypeError: a mask that is no array of bool.
    """
    count = len(seeds)
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options must be a mapping, not {options!r}.")
    others = {} if options is None else dict(options)
    mask = check_mask(others.pop(RESET_MASK, np.ones(count, np.bool_)), count)
    wanted = _one_for_each(seed, count)
    tables = np.flatnonzero(mask)
    rows = [wanted[table] for table in tables]
    is_new = np.array([given is not None or not is_dealt for given in rows])
    started = [fresh_seed() if given is None else given for given in rows] if is_new.any() else 0
    return Deals(
        tables,
        np.where(is_new, started, seeds[tables]),
        np.where(is_new, 0, indices[tables] + 1),
        bool(is_new.all()) and len(tables) == count,
        others,
    )


def check_mask(mask: Any, count: int) -> Flags:
    """A "reset_mask" itself, bool[N].

    Raises:
        TypeError: no array of bool.
        ValueError: another shape, or nothing in it.
    """
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['{RESET_MASK}'] must be an array of bool, not {mask!r}.")
    if mask.shape != (count,):
        raise ValueError(f"options['{RESET_MASK}'] must be of shape ({count},), not {mask.shape}.")
    if not mask.any():
        raise ValueError(f"options['{RESET_MASK}'] names no environment to reset.")
    return mask


def _one_for_each(seed: Seeds, count: int) -> list[int | None]:
    """A seed, or None, for each environment."""
    if seed is None:
        return [None] * count
    if is_whole(seed):
        return [check_seed(int(seed) + place) for place in range(count)]  # type: ignore[arg-type]
    given: Any = seed
    is_row = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str | bytes)
    if not is_row or np.shape(np.array(given, object))[:1] != (count,):
        raise ValueError(f"seed must be a whole number or {count} of them, not {seed!r}.")
    return [None if one is None else check_seed(one) for one in given]
