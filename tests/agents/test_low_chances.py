"""What the scripted players count: live cards, the height of lows to come, the chance to win."""

from __future__ import annotations

import csv
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from agents.players import low_chances, reading
from razz_env import Hand, lowball
from razz_env.rules.cards import parse_cards

from ..support.shared import shared_path
from ..support.tables import check_down, deal, limp, play
from .plain_low_chances import Table, deck_of

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
    seen = 0
    for card in parse_cards(cards):
        seen = reading.add_seen(seen, card)
    return low_chances.chance_within(view.public.rules, low_chances.own_draw(view, seen), top)


def test_three_cards_make_the_lows_of_caros_table() -> None:
    path = shared_path("data", "tables", "caro_supersystem_table46_razz_improvement.csv")
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 20
    [exact] = [column for column in rows[0] if column.startswith("exact_percent")]
    for row in rows:
        top, too_good = HEIGHTS[row["outcome"]]
        percent = 100 * (within(row["start"], top) - within(row["start"], too_good))
        assert percent == pytest.approx(float(row[exact]), abs=0.01)


def test_seen_cards_are_the_own_ones_and_every_card_shown_folded_seats_too() -> None:
    hand = deal("AsAh2c5c", "????2d6d", "????3d7d", "????KsQs")
    play(hand, "S4 BRING_IN, S1 CALL, S2 FOLD, S3 CALL")  # so S2's fourth card is never dealt
    seen = reading.seen_cards(hand.view(0))
    assert [seen >> 4 * rank & 15 for rank in range(13)] == [2, 2, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1]


def test_the_chance_to_win_agrees_with_dealing_the_hands_out() -> None:
    rng = np.random.default_rng(1)
    errors = np.array([error(hand, rng) for hand in middle_hands(rng, 60)])
    assert abs(errors.mean()) < 0.01
    assert np.sqrt((errors**2).mean()) < 0.04


def test_in_kuhn_the_chance_to_win_agrees_with_dealing_the_hands_out() -> None:
    rng = np.random.default_rng(1)
    errors = np.array([error(hand, rng) for hand in middle_hands(rng, 60, "kuhn")])
    assert abs(errors.mean()) < 0.01
    assert np.sqrt((errors**2).mean()) < 0.04


@pytest.mark.parametrize("rules", ["kuhn", "mini20", "mini24", "mini32"])
def test_in_the_small_variants_own_chances_agree_with_dealing_every_card(rules: str) -> None:
    for hand in middle_hands(np.random.default_rng(1), 20, rules):
        view, own, unseen, more = own_cards(hand)
        low = min(5, len(own) + more)
        ends = [{card // 4 for card in (*own, *cards)} for cards in combinations(unseen, more)]
        for top in range(hand.rules.deck_ranks):
            dealt = np.mean([sum(rank <= top for rank in end) >= low for end in ends])
            draw = low_chances.own_draw(view, reading.seen_cards(view))
            computed = low_chances.chance_within(view.public.rules, draw, top)
            assert computed == pytest.approx(dealt, abs=0.01)


@pytest.mark.parametrize(
    ("rules", "most"),
    [("full_tilt", 8), ("roberts", 3), ("kuhn", 4), ("mini20", 4), ("mini24", 4), ("mini32", 4)],
)
def test_chances_are_to_the_last_bit_those_counted_without_shortcuts(rules: str, most: int) -> None:
    rng = np.random.default_rng(5)
    for hand in middle_hands(rng, 40, rules, most):
        plain, view = Table(hand), hand.view(hand.actor)
        rivals, trusted = reading.live_rivals(view), int(rng.integers(256))
        credit = float(rng.choice([0.0, 0.4, 0.5, 0.7, 1.0]))
        assert low_chances.win_chance(view, rivals, trusted, credit) == plain.win_chance(
            trusted, credit
        )
        seen = reading.seen_cards(view)
        draw = low_chances.own_draw(view, seen)
        for top in range(hand.rules.deck_ranks + 1):
            assert low_chances.chance_within(view.public.rules, draw, top) == plain.own_within(top)
            for seat in plain.rivals:
                theirs = low_chances.rival_chance_within(view, seat, top, seen, credit)
                assert theirs == plain.rival_within(seat, top, credit)


def own_cards(hand: Hand) -> tuple[Any, tuple[int, ...], list[int], int]:
    """View and cards of the seat to act, the cards it has not seen, and how many it will get."""
    me = hand.actor
    assert me is not None
    own = hand.down_cards(me) + hand.up_cards(me)
    shown = {card for seat in range(hand.num_players) for card in hand.up_cards(seat)}
    unseen = sorted(deck_of(hand.rules) - shown - {*own})
    return hand.view(me), own, unseen, sum(street > hand.street for street in hand.rules.streets)


def middle_hands(
    rng: np.random.Generator, count: int, rules: str = "full_tilt", most: int = 4
) -> list[Hand]:
    """Hands of two to `most` seats somewhere in the middle of random play."""
    hands: list[Hand] = []
    for seed in range(10 * count):
        hand = Hand.deal(2 + seed % (most - 1), rules, seed=seed)
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
    unseen = np.array(sorted(deck_of(hand.rules) - seen - set(known[0])))
    size = hand.rules.third_street + len(hand.rules.streets)
    rest = rng.permuted(np.tile(unseen, (deals, 1)), axis=1)
    lows, used = [], 0
    for cards in known:
        more = size - len(cards)
        own = np.tile(np.array(cards), (deals, 1))
        lows.append(lowball.evaluate_batch(np.hstack([own, rest[:, used : used + more]])))
        used += more
    best = np.min(lows[1:], axis=0)
    sampled = (lows[0] < best).mean() + (lows[0] == best).mean() / 2
    view = hand.view(me)
    return float(low_chances.win_chance(view, reading.live_rivals(view), 0, 0.0) - sampled)


def test_low_hole_cards_make_a_rival_stronger() -> None:
    hand = play(deal("Ah2h3h", "????7d", "????Ks"), "S3 BRING_IN, S1 COMPLETE, S2 RAISE")
    view = hand.view(0)
    assert (
        low_chances.win_chance(view, 0b10, 0b10, 1.0)
        < low_chances.win_chance(view, 0b10, 0, 1.0) - 0.1
    )


def test_a_smooth_low_is_worth_more_than_a_rough_one() -> None:
    def river(cards: str) -> float:
        hand = check_down(limp(deal(cards, "????Ks8s3s2s")), until=7)
        view = hand.view(0)
        return low_chances.win_chance(view, 0b10, 0, 0.0)

    assert river("Ah2d8h5h4cKhQd") > river("Ah2d8h7h6cKhQd") + 0.02


def test_start_worth_orders_starts_as_the_books_do() -> None:
    starts = "AhKd2h 9d2hAh 8h7d6h 8d2hAh 7d6h5h 5d4h3h".split()
    worths = [low_chances.start_worth(deal(cards, "????Ks").view(0)) for cards in starts]
    assert worths == sorted(worths)
    assert low_chances.start_worth(deal("AhAd2h", "????Ks").view(0)) < worths[1]
