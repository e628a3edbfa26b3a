"""The numbers of the value function: those of the package, and files of others."""

import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from agents.arrays import read_arrays
from agents.evaluation.aivat.value import OWED_SHAPE, TABLE_SHAPE, Weights
from agents.whole_files import whole

SHIPPED = Path(__file__).with_name("weights.npz")


@cache
def shipped_weights() -> Weights:
    """The numbers that come with the package, made by `python -m agents.evaluation.aivat.fit`."""
    return read_weights(SHIPPED)


def read_weights(path: Path) -> Weights:
    """The numbers in a file that `write_weights` has made.

    Raises:
        ValueError: no such file, or something else.
    """
    try:
        arrays = read_arrays(path)
        weights = Weights(arrays["table"].astype(np.float64), arrays["owed"].astype(np.float64))
    except (KeyError, ValueError) as error:
        raise ValueError(f"{str(path)!r} holds no value function: {error}.") from error
    if weights.table.shape != TABLE_SHAPE or weights.owed.shape != OWED_SHAPE:
        raise ValueError(
            f"{str(path)!r} holds a value function of other shapes, {weights.table.shape} and "
            f"{weights.owed.shape}: fit it again with this version."
        )
    if not all(np.isfinite(array).all() for array in weights):
        raise ValueError(f"{str(path)!r} is of no use: some of its numbers are not finite.")
    return weights


def write_weights(path: Path, weights: Weights) -> None:
    """Keep numbers in a file, rounded to float32; it appears whole or not at all."""
    table, owed = (array.astype(np.float32) for array in weights)
    with whole(path) as part, part.open("wb") as file:
        np.savez_compressed(file, table=table, owed=owed)


def no_weights() -> Weights:
    """All zero: shares of the pot by the cards, and nothing for playing on."""
    return Weights(np.zeros(TABLE_SHAPE), np.ones(OWED_SHAPE))


def digest(weights: Weights) -> str:
    """SHA-256 of the numbers, as hexadecimal digits."""
    whole = hashlib.sha256()
    for array in weights:
        whole.update(np.ascontiguousarray(array, "<f8").tobytes())
    return whole.hexdigest()
