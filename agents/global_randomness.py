"""The global generators of random numbers, for code of others that draws from nothing else."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def global_randomness_kept() -> Iterator[None]:
    """Let Python's, NumPy's and PyTorch's generators be seeded for a while; then put them back.

    PyTorch's is the one of the processor.
    """
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    pytorch = torch.get_rng_state()
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002
        torch.set_rng_state(pytorch)
