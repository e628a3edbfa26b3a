"""Resampling: what a seat cannot know is drawn from its exact distribution, all else stays."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from razz_env import Hand
from razz_env.rules.cards import parse_cards
from razz_env.rules.record import MUCKED, SEAT_VIEW, SHOWN
from razz_env.rules.resampling import resample_views

from ..support.errors import refused

TABLES = [
    ("full_tilt", 8),
    ("full_tilt", 2),
    ("wsop_live", 8),
    ("roberts", 5),
    ("kuhn", 6),
    ("mini20", 2),
    ("mini24", 4),
    ("mini32", 7),
]


def played(rules: str, num_players: int, seed: int, rng: np.random.Generator) -> list[Hand]:
    """A hand at every one of its decisions and at its end; folds are rare."""
    stacks = [int(chips) for chips in rng.integers(5, 600, num_players)]
    hand, hands = Hand.deal(num_players, rules, stacks=stacks, seed=seed), []
    while not hand.is_over:
        hands.append(hand.clone())
        legal = [a for a in hand.legal_actions() if a or rng.random() < 0.2] or [0]
        hand.apply(legal[rng.integers(len(legal))])
    return [*hands, hand]


@pytest.mark.parametrize(("rules", "num_players"), TABLES)
def test_the_seat_cannot_tell_and_the_hand_goes_on(rules: str, num_players: int) -> None:
    rng = np.random.default_rng(1)
    for seed in range(3):
        hands = played(rules, num_players, seed, rng)
        for hand in (*hands[:: max(1, len(hands) // 2)], hands[-1]):
            before, seat = hand.to_bytes(), int(rng.integers(num_players))
            other = hand.resample(seat, rng)
            assert other.view(seat).tobytes() == hand.view(seat).tobytes()
            assert hand.to_bytes() == before
            assert len(other.events) == len(hand.events)
            assert int(other.record.seed) == int(other.record.index) == 0
            while not other.is_over:
                other.apply(other.legal_actions()[-1])
            assert other.payoffs.sum() == 0


def test_the_stub_mixed_with_burn_cards() -> None:
    """Eight seats to the river with burn cards: one card is shared, out of stub and burn cards."""
    rng = np.random.default_rng(2)
    hand = Hand.deal(8, "roberts", stacks=5000, seed=3)
    while hand.street < 7:
        hand.apply(next(a for a in (1, 2, 3) if a in hand.legal_actions()))
    assert hand.record.scrambled_cards
    assert hand.community is not None
    for seat in range(8):
        other = hand.resample(seat, rng)
        assert other.view(seat).tobytes() == hand.view(seat).tobytes()
        assert [type(event) for event in other.events] == [type(event) for event in hand.events]


def test_exact_on_mini20() -> None:
    """Every ordered pair of unseen cards, and the card that comes next, is equally likely."""
    hand = Hand.deal(2, "mini20", deck=[*range(20)])
    hand.apply("bring in")
    views = np.repeat(np.asarray([hand.view(0)], SEAT_VIEW), 120_000)
    drawn = resample_views(views, np.random.default_rng(3))
    seen = {*hand.down_cards(0), *hand.up_cards(0), *hand.up_cards(1)}
    places = np.stack([drawn["down"][:, 1, 0], drawn["down"][:, 1, 1], drawn["deck"][:, 6]], axis=1)
    found = Counter(map(tuple, places.tolist()))
    possible = list(permutations(sorted({*range(20)} - seen), 3))
    assert set(found) <= set(possible)
    assert chisquare([found[cards] for cards in possible]).pvalue > 1e-4


def test_the_mucked_hand_was_beaten() -> None:
    """Kuhn at the showdown: the winner knows that the hand it did not see was worse."""
    hand = Hand.deal(2, "kuhn", deck=parse_cards("3c6cAd5d" + "Ac2c2d3d4c4d5c6d"))
    for action in ("bring in", "complete", "call"):
        hand.apply(action)
    winner, loser = 1, 0
    assert hand.record.public.shown[:2].tolist() == [MUCKED, SHOWN]
    best = int(hand.record.low[winner])
    views = np.repeat(np.asarray([hand.view(winner)], SEAT_VIEW), 5000)
    drawn = resample_views(views, np.random.default_rng(4))
    assert (drawn["low"][:, loser] > best).all()
    found = Counter(drawn["down"][:, loser, 0].tolist())
    assert chisquare(list(found.values())).pvalue > 1e-4


def test_marginals_on_the_full_game() -> None:
    """Each hidden place of a hand on fifth street holds each unseen card equally often."""
    hand = Hand.deal(6, "tda", seed=5, stacks=2000)
    while hand.street < 5:
        hand.apply(next(a for a in (1, 2, 3) if a in hand.legal_actions()))
    views = np.repeat(np.asarray([hand.view(4)], SEAT_VIEW), 20_000)
    drawn = resample_views(views, np.random.default_rng(6))
    seen = [*hand.down_cards(4), *(card for seat in range(6) for card in hand.up_cards(seat))]
    unseen = [card for card in range(52) if card not in seen]
    hidden = {
        "a down card": drawn["down"][:, 1, 0],
        "a burn card": drawn["burnt"][:, 1],
        "the next card": drawn["deck"][:, int(hand.record.next_card)],
        "the last card": drawn["deck"][:, 51],
    }
    for place, cards in hidden.items():
        counts = np.bincount(cards, minlength=52)
        assert counts[seen].sum() == 0, place
        assert chisquare(counts[unseen]).pvalue > 1e-4, place


def test_rows_do_not_depend_on_each_other() -> None:
    views = np.array([Hand.deal(3, seed=seed).view(1) for seed in range(4)], SEAT_VIEW)
    together = resample_views(views, np.random.default_rng(7))
    again = resample_views(views, np.random.default_rng(7))
    assert together.tobytes() == again.tobytes()
    first = resample_views(views[:1], np.random.default_rng(7))
    assert first.tobytes() == together[:1].tobytes()


def test_only_views_are_taken() -> None:
    hand, rng = Hand.deal(2, seed=1), np.random.default_rng(0)
    with refused("SEAT_VIEW", kind=TypeError):
        Hand.from_view(hand.record, rng)  # type: ignore[arg-type]
    with refused("SEAT_VIEW", kind=TypeError):
        resample_views(hand.array, rng)
    with refused("seat", "7", kind=ValueError):
        hand.resample(7, rng)
