"""The global generators of random numbers, which nothing here may use or touch."""

from __future__ import annotations

import random

import numpy as np
import pytest


def global_states() -> tuple[str, ...]:
    """The states of the global generators of NumPy, Python and PyTorch."""
    torch = pytest.importorskip("torch")
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002
    numpy_state = f"{kind} {keys.tolist()} {rest}"
    return numpy_state, str(random.getstate()), str(torch.get_rng_state().tolist())


def draw_globally() -> None:
    """Move all of them on, as the code of a user may."""
    torch = pytest.importorskip("torch")
    np.random.rand(), random.random(), torch.rand(1)  # noqa: NPY002
