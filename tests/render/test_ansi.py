"""The text of a table: goldens a person can read."""

from __future__ import annotations

import numpy as np
import pytest

from razz_env import Hand
from razz_env.render.ansi import hand_text, seat_text

from ..support.errors import refused
from ..support.tables import check_down, deal, limp, play

CARDS = ["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd", "7h8hQs9dJsQc2h"]


def lines(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def test_a_seat_sees_its_own_down_cards_and_everyones_up_cards() -> None:
    hand = Hand.from_cards(CARDS)
    assert lines(seat_text(hand.view(2))) == lines("""
Third street, 20/40, ante 4, bring-in 5; pot 12; bets 0 of 4
  seat 0      [?? ??] 3d                 496 behind
  seat 1      [?? ??] 3h                 496 behind
> seat 2 (me) [7h 8h] Qs                 496 behind
seat 2 to act: bring in 5, complete to 20
""")


def test_actions_amounts_folds_and_all_ins_are_told() -> None:
    hand = Hand.from_cards(CARDS, stacks=[500, 30, 500])
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 RAISE 26, S3 FOLD")
    assert lines(seat_text(hand.view(0))) == lines("""
Third street, 20/40, ante 4, bring-in 5; pot 63; bets 1 of 4
> seat 0 (me) [Ah 2c] 3d                 476 behind  in 20
  seat 1      [?? ??] 3h                   0 behind  in 26, all-in
  seat 2      [?? ??] Qs                 491 behind  folded, in 5
seat 2 brings in, seat 0 completes, seat 1 raises, seat 2 folds
seat 0 to act: fold, call 6
""")


def test_at_the_end_shown_hands_are_seen_and_mucked_ones_are_not() -> None:
    hand = check_down(limp(Hand.from_cards(CARDS)))
    assert lines(seat_text(hand.view(1))) == lines("""
Seventh street, 20/40, ante 4, bring-in 5; pot 27; bets 0 of 4
  seat 0      [Ah 2c] 3d 5h 4s 9c [Kc]   518 behind  shows wheel, +18
  seat 1 (me) [As 2d] 3h 4c 6s Tc [Kd]   491 behind  mucks, -9
  seat 2      [?? ??] Qs 9d Js Qc [??]   491 behind  mucks, -9
seat 0 checks, seat 1 checks, seat 2 checks
The hand is over.
""")


def test_spectators_see_what_everyone_may_know_or_all_cards() -> None:
    hand = limp(Hand.from_cards(CARDS))
    assert "[?? ??] 3d 5h" in hand_text(hand)
    assert "[Ah 2c] 3d 5h" in hand_text(hand, open_cards=True)
    for text in (hand_text(hand), hand_text(hand, open_cards=True)):
        assert "(me)" not in text
        assert text.count("\n") == 4


def test_the_community_card_is_in_the_heading_and_nobody_has_a_seventh() -> None:
    hand = check_down(limp(deal(*["??"] * 8, community="6h")))
    text = seat_text(hand.view(0))
    assert "community card 6h" in text
    assert text.count("[") == 8


def test_only_a_seats_view_is_drawn_for_a_seat() -> None:
    hand = Hand.deal(2, seed=1)
    for wrong in (hand, hand.record, None):
        with refused("view", kind=TypeError):
            seat_text(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("num_players", range(2, 9))
def test_every_point_of_random_hands_can_be_drawn(num_players: int) -> None:
    rng = np.random.default_rng(num_players)
    for seed in range(20):
        hand = Hand.deal(num_players, stacks=rng.integers(1, 300, num_players), seed=seed)
        while True:
            for seat in range(num_players):
                assert len(max(lines(seat_text(hand.view(seat))[:-1]), key=len)) > 40
            assert hand_text(hand, open_cards=True).count("??") == 0
            if hand.is_over:
                break
            hand.apply(int(rng.choice(hand.legal_actions())))
