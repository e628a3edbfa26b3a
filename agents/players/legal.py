"""Choosing among legal actions: what every player may need, and the check that there are any."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Masks = NDArray[np.int8]
Actions = NDArray[np.int64]


def require_legal(masks: Masks | NDArray[np.bool_], seats: NDArray[np.int8] | None = None) -> None:
    """Refuse masks with a row that allows nothing: nobody is to act there.

    Args:
        masks: int8[K, 7] (or bool), a row for each decision.
        seats: int8[K], the seats that are asked, for the message.

    Raises:
        ValueError: naming the first such row and its seat.
    """
    empty = np.flatnonzero(~(masks != 0).any(axis=1))
    if not len(empty):
        return
    row = int(empty[0])
    seat = "" if seats is None else f" (seat {int(seats[row])})"
    raise ValueError(
        f"Row {row}{seat} of the action masks allows no action: that seat is not to act. "
        "Ask only the seats to act."
    )


def sample_legal(
    masks: Masks, rng: np.random.Generator, seats: NDArray[np.int8] | None = None
) -> Actions:
    """A legal action for each row, all of its legal ones equally likely -> int64[K].

    Raises:
        ValueError: as `require_legal`, before anything is sampled.
    """
    require_legal(masks, seats)
    so_far = (masks != 0).cumsum(axis=1)
    chosen = rng.integers(0, so_far[:, -1])
    actions: Actions = (so_far > chosen[:, np.newaxis]).argmax(axis=1)
    return actions


def first_legal(
    masks: Masks, preference: Sequence[int], seats: NDArray[np.int8] | None = None
) -> Actions:
    """For each row the first legal action in an order of `preference` over all actions -> int64[K].

    Raises:
        ValueError: as `require_legal`.
    """
    require_legal(masks, seats)
    order = np.asarray(preference, np.int64)
    place: NDArray[np.intp] = (masks[:, order] != 0).argmax(axis=1)
    return order[place]
