"""What the scripted players count: live cards, the height of lows to come, the chance to win."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from agents.players import chances, reading
from razz_env import Hand, lowball
from razz_env.rules.cards import parse_cards

from ..support.shared import shared_path
from ..support.tables import check_down, deal, limp, play

HEIGHTS = {
    "Bicycle (5-4-3-2-A)": (4, 3),
    "Six-High": (5, 4),
    "Six-High (or better)": (5, 3),
    "Seven-High": (6, 5),
    "Seven-High (or better)": (6, 3),
    "Eight-High": (7, 6),
    "Eight-High (or better)": (7, 3),
}
"""Outcome in the published table -> the height it ends within and the one that is too good."""


def within(cards: str, top: int) -> float:
    """Chance that three cards alone on the table end within a height."""
    view = deal(cards, "??????").view(0)
    dead = 0
    for card in parse_cards(cards):
        dead = reading.add_dead(dead, card)
    return chances.own_chance_within(view, top, dead)


def test_three_cards_make_the_lows_of_caros_table() -> None:
    path = shared_path("data", "tables", "caro_supersystem_table46_razz_improvement.csv")
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 20
    for row in rows:
        top, too_good = HEIGHTS[row["outcome"]]
        percent = 100 * (within(row["start"], top) - within(row["start"], too_good))
        assert percent == pytest.approx(float(row["exact_percent_enumerated_by_helper"]), abs=0.01)


def test_dead_cards_are_the_own_ones_and_every_card_shown_folded_seats_too() -> None:
    hand = deal("AsAh2c5c", "????2d6d", "????3d7d", "????KsQs")
    play(hand, "S4 BRING_IN, S1 CALL, S2 FOLD, S3 CALL")  # so S2's fourth card is never dealt
    dead = reading.dead_cards(hand.view(0))
    assert [dead >> 4 * rank & 15 for rank in range(13)] == [2, 2, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1]


def test_the_chance_to_win_agrees_with_dealing_the_hands_out() -> None:
    rng = np.random.default_rng(1)
    errors = np.array([error(hand, rng) for hand in middle_hands(rng, 60)])
    assert abs(errors.mean()) < 0.01
    assert np.sqrt((errors**2).mean()) < 0.04


def middle_hands(rng: np.random.Generator, count: int) -> list[Hand]:
    """Hands of two to four seats somewhere in the middle of random play."""
    hands: list[Hand] = []
    for seed in range(10 * count):
        hand = Hand.deal(2 + seed % 3, seed=seed)
        for _ in range(int(rng.integers(1, 14))):
            legal = [a for a in hand.legal_actions() if a or rng.random() < 0.2]
            if legal:
                hand.apply(legal[rng.integers(len(legal))])
        if not hand.is_over:
            hands.append(hand)
    return hands[:count]


def error(hand: Hand, rng: np.random.Generator, deals: int = 2000) -> float:
    """Computed less sampled chance that the seat to act ends lowest, against any hole cards."""
    me = hand.actor
    assert me is not None
    seats = [me, *(seat for seat in hand.live_seats if seat != me)]
    known = [list(hand.down_cards(me) + hand.up_cards(me))]
    known += [list(hand.up_cards(seat)) for seat in seats[1:]]
    seen = {card for seat in range(hand.num_players) for card in hand.up_cards(seat)}
    unseen = np.array(sorted(set(range(52)) - seen - set(known[0])))
    rest = rng.permuted(np.tile(unseen, (deals, 1)), axis=1)
    lows, used = [], 0
    for cards in known:
        more = 7 - len(cards)
        own = np.tile(np.array(cards), (deals, 1))
        lows.append(lowball.evaluate_batch(np.hstack([own, rest[:, used : used + more]])))
        used += more
    best = np.min(lows[1:], axis=0)
    sampled = (lows[0] < best).mean() + (lows[0] == best).mean() / 2
    view = hand.view(me)
    return float(chances.win_chance(view, reading.live_rivals(view), 0, 0.0) - sampled)


def test_low_hole_cards_make_a_rival_stronger() -> None:
    hand = play(deal("Ah2h3h", "????7d", "????Ks"), "S3 BRING_IN, S1 COMPLETE, S2 RAISE")
    view = hand.view(0)
    assert chances.win_chance(view, 0b10, 0b10, 1.0) < chances.win_chance(view, 0b10, 0, 1.0) - 0.1


def test_a_smooth_low_is_worth_more_than_a_rough_one() -> None:
    def river(cards: str) -> float:
        hand = check_down(limp(deal(cards, "????Ks8s3s2s")), until=7)
        view = hand.view(0)
        return chances.win_chance(view, 0b10, 0, 0.0)

    assert river("Ah2d8h5h4cKhQd") > river("Ah2d8h7h6cKhQd") + 0.02


def test_start_worth_orders_starts_as_the_books_do() -> None:
    starts = "AhKd2h 9d2hAh 8h7d6h 8d2hAh 7d6h5h 5d4h3h".split()
    worths = [chances.start_worth(deal(cards, "????Ks").view(0)) for cards in starts]
    assert worths == sorted(worths)
    assert chances.start_worth(deal("AhAd2h", "????Ks").view(0)) < worths[1]
