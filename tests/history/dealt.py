"""Hands that the engine dealt, and the fixture files of these tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from razz_env import make_batch
from razz_env.history import HandRecord
from razz_env.history.making import records_of
from razz_env.rules.house_rules import RulesLike

FILES = Path(__file__).parent / "files"
SHORT_STACKS = (500, 23, 60, 8, 120, 5, 37, 3)
"""Stacks at stakes 4/5/20/40: some cannot pay the ante, the bring-in or a bet."""


def fixture(name: str) -> str:
    """The text of a fixture file."""
    return (FILES / name).read_text(encoding="utf-8")


def dealt(
    rules: RulesLike, seats: int, *, short: bool, tables: int = 40, folding: float = 0.25
) -> list[HandRecord]:
    """Random hands; with `short` some seats are all-in early, `folding` is how likely folds are."""
    rng = np.random.default_rng(seats + 10 * short)
    stacks = list(SHORT_STACKS[:seats]) if short else 500
    batch = make_batch(tables, seats, rules, stacks, seed=seats, auto_deal=False, observation=None)
    while len(running := np.flatnonzero(batch.actors >= 0)):
        weights = batch.action_masks[running] * np.array([folding, 1, 1, 1, 1, 1, 1])
        weights *= rng.random(weights.shape)
        batch.step(weights.argmax(axis=1), running)
    return records_of(batch.hands)
