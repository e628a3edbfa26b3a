"""Small questions about arguments that come from outside."""

from typing import Any

import numpy as np

from razz_env.rules.record import SEAT_VIEW


def is_whole(value: object) -> bool:
    """Whether a value is a whole number: an int of Python or NumPy, and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def require_view(view: Any, wanted: str) -> None:
    """Refuse anything but one seat's view; `wanted` says who wants it, such as "encode takes".

    Raises:
        TypeError: something else, such as a hand's record.
    """
    if getattr(view, "dtype", None) != SEAT_VIEW or np.shape(view) != ():
        raise TypeError(
            f"{wanted} one seat's view (dtype SEAT_VIEW, from Hand.view), not {type(view)}."
        )
