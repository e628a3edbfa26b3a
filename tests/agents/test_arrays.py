"""Files of arrays that are none end in one error with the reason, whatever is wrong with them."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from agents.arrays import read_arrays


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(60, len(content) - 200):
        content[place] ^= 0xFF
    path.write_bytes(content)


def pickled(path: Path) -> None:
    np.savez(path, numbers=np.array([{}, {}], object))


def one_array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


def other_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("numbers.npy", "no array")


DAMAGE: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(path.read_bytes()[:300]),
    lambda path: path.write_text("no zip"),
    lambda path: path.unlink(),
    flipped,
    pickled,
    one_array,
    other_zip,
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_files_have_one_error(damage: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    numbers = np.arange(5000)
    np.savez_compressed(path, numbers=numbers, others=numbers / 7)
    assert read_arrays(path)["numbers"].tolist() == numbers.tolist()
    damage(path)
    with pytest.raises(ValueError, match=r"\w"):
        read_arrays(path)
