"""Small questions about arguments that come from outside."""

import numpy as np


def is_whole(value: object) -> bool:
    """Whether a value is a whole number: an int of Python or NumPy, and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
