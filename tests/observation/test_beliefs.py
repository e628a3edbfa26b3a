"""Uniform beliefs about two down cards: exact counts of pairs of ranks."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from razz_env import Hand
from razz_env.equity import PAIRS
from razz_env.observation import pair_counts, uniform_beliefs, unseen_ranks
from razz_env.rules.record import SEAT_VIEW
from razz_env.rules.resampling import resample_views

from ..support.errors import refused


def counted(unseen: list[int]) -> list[int]:
    """Pairs of ranks among all pairs of cards, by plain counting."""
    found = [tuple(sorted((a >> 2, b >> 2))) for a, b in combinations(unseen, 2)]
    return [found.count(pair) for pair in PAIRS]


@pytest.mark.parametrize(("rules", "num_players"), [("full_tilt", 6), ("mini20", 2), ("mini24", 4)])
def test_counts_are_those_of_all_pairs_of_unseen_cards(rules: str, num_players: int) -> None:
    for seed in range(5):
        hand = Hand.deal(num_players, rules, seed=seed)
        hand.apply("bring in")
        view = hand.view(1)
        seen = {*hand.down_cards(1), *(c for s in range(num_players) for c in hand.up_cards(s))}
        deck = [card for card in hand.record.deck.tolist() if card >= 0]
        unseen = [card for card in deck if card not in seen]
        assert unseen_ranks(view).sum() == len(unseen)
        assert pair_counts(view).tolist() == counted(unseen)
        beliefs = uniform_beliefs(view, 0)
        assert beliefs.shape == (91,)
        assert beliefs.sum() == pytest.approx(1)
        np.testing.assert_allclose(
            beliefs, np.array(counted(unseen)) / len([*combinations(unseen, 2)])
        )


def test_resampled_hands_hold_pairs_that_often() -> None:
    view = Hand.deal(4, seed=9).view(2)
    drawn = resample_views(
        np.repeat(np.asarray([view], SEAT_VIEW), 50_000), np.random.default_rng(1)
    )
    ranks = np.sort(drawn["down"][:, 0, :2] >> 2, axis=1)
    found = np.array([np.mean((ranks == pair).all(axis=1)) for pair in PAIRS])
    assert np.abs(found - uniform_beliefs(view, 0)).max() < 0.004


def test_what_was_shown_is_certain() -> None:
    hand = Hand.deal(2, stacks=30, seed=2)
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1])
    beliefs = uniform_beliefs(hand.view(0), 1)
    pair = tuple(sorted(card >> 2 for card in hand.down_cards(1)[:2]))
    assert beliefs[PAIRS.index(pair)] == 1


def test_refusals() -> None:
    hand = Hand.deal(3, seed=1)
    with refused("SEAT_VIEW", kind=TypeError):
        unseen_ranks(hand.record)  # type: ignore[arg-type]
    for seat in (1, 3, -1):
        with refused("opponent", kind=ValueError):
            uniform_beliefs(hand.view(1), seat)
    with refused("one down card", kind=ValueError):
        uniform_beliefs(Hand.deal(2, "kuhn", seed=1).view(0), 1)
