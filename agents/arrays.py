"""Arrays in npz files: read all at once, and a damaged file is one sentence."""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DAMAGE = (OSError, ValueError, TypeError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What NumPy and zipfile raise for files that are none of theirs, empty, cut short or altered."""


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an npz file by name.

    Raises:
        ValueError: it is missing or damaged, with the reason.
    """
    try:
        with np.load(path) as arrays:
            found = dict(arrays)
    except _DAMAGE as error:
        raise ValueError(str(error)) from error
    for name, array in found.items():
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{name} is no array")
    return found
