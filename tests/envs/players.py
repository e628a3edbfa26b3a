"""Small players for the tests: they look at nothing but the mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_env import Action


class RandomPlayer:
    """Any legal action."""

    name = "random for tests"

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


class Preferring:
    """The first legal action of a list."""

    def __init__(self, *wishes: Action) -> None:
        self.name = f"prefers {wishes[0].name}"
        self.wishes = [*wishes, *Action]

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return np.array([next(w for w in self.wishes if mask[w]) for mask in masks])


def folder() -> Preferring:
    """Checks, else folds, else brings in."""
    return Preferring(Action.CHECK, Action.FOLD)


def caller() -> Preferring:
    """Never folds and never raises."""
    return Preferring(Action.CHECK, Action.CALL, Action.BRING_IN)


class Fixed:
    """Answers always the same."""

    name = "fixed"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return self.answer


def pick(mask: Any, rng: np.random.Generator) -> int:
    """A random legal action, folding less often than the rest so that hands grow long."""
    legal = np.flatnonzero(mask)
    weights = np.where(legal == Action.FOLD, 0.2, 1.0)
    return int(rng.choice(legal, p=weights / weights.sum()))
