"""Players for the tests of the table."""

from __future__ import annotations

import numpy as np


class Failing:
    """Raises an error from its n-th decision on."""

    name = "failing"

    def __init__(self, after: int = 0) -> None:
        self.left = after

    def act(self, views, observations, masks, rng):
        self.left -= 1
        if self.left < 0:
            raise OSError("the process is gone")
        return masks.argmax(axis=1)


class Open:
    """Tells its probabilities: all legal actions equally likely."""

    name = "open"

    def act(self, views, observations, masks, rng):
        return masks.argmax(axis=1)

    def action_probabilities(self, views, observations, masks):
        return masks / masks.sum(axis=1, keepdims=True)


class Seeing:
    """Keeps what it was given, and calls."""

    name = "seeing"

    def __init__(self) -> None:
        self.views: list[np.ndarray] = []

    def act(self, views, observations, masks, rng):
        self.views.append(views.copy())
        order = [1, 2, 3, 0]
        return np.array([next(a for a in order if mask[a]) for mask in masks])
