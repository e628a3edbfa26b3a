"""Equities beside those of the package poker-equity (Rust), which shares no code with ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from razz_env import lowball
from razz_env.equity import equity

from ..support.lows import DECK

SAMPLES = 40_000
peer = pytest.importorskip("poker_equity")


def random_situation(number: int) -> tuple[list[str], str]:
    """Two to six hands on one street, some cards unknown ("*"), some written by rank, some dead."""
    rng = np.random.default_rng(number)
    hands, street = int(rng.integers(2, 7)), int(rng.integers(3, 8))
    cards = [DECK[c] for c in rng.permutation(52)]
    dead = "".join(cards.pop() for _ in range(int(rng.integers(0, 52 - 7 * hands + 1)) // 2))
    texts = [cards[street * hand : street * (hand + 1)] for hand in range(hands)]
    for hand in range(hands):
        for place in (0, 1, 6):
            if place < street and rng.random() < 0.4:
                texts[hand][place] = "*"
    return ["".join(text) for text in texts], dead


def theirs(hands: list[str], dead: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    found = peer.chunk_from_text("razz", hands, dead=dead, samples=SAMPLES, seed=seed, threads=1)
    seats = found["players"]
    shares = np.array([seat["equity"] for seat in seats])
    return shares, np.array([seat["std_error"] for seat in seats])


@pytest.mark.parametrize("method", ["auto", "monte_carlo"])
@pytest.mark.parametrize("number", range(200))
def test_equities_agree_with_poker_equity(number: int, method: Any) -> None:
    hands, dead = random_situation(number)
    shares, errors = theirs(hands, dead, number)
    ours = [hand.replace("*", "x") for hand in hands]
    found = equity(ours, dead=dead, method=method, samples=SAMPLES, seed=number)
    # A share that was never seen to vary has no error of its own: one deal is the least.
    error = np.maximum(np.hypot(errors, found.standard_errors), 1 / SAMPLES)
    assert (np.abs(found.equities - shares) <= 4 * error).all()


def test_lows_order_random_hands_as_poker_equity_does() -> None:
    rng = np.random.default_rng(0)
    hands = rng.random((20_000, 52)).argsort(axis=1)[:, :7].astype(np.int8)
    scores = peer.score_batch("low_a5", ["".join(DECK[c] for c in hand) for hand in hands])
    keys, ranks = np.unique(lowball.evaluate_batch(hands), return_inverse=True)
    assert len(keys) > 1000
    assert (np.unique(scores, return_inverse=True)[1] == ranks).all()
