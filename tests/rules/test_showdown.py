"""Showdown: who shows, in which order, who may muck, who wins (RULES 7)."""

from __future__ import annotations

import pytest

from razz_env import Hand, HouseRules
from razz_env.rules.events import HandMucked, HandShown, PotAwarded

from ..support.tables import (
    check_down,
    deal,
    ladder_hand,
    limp,
    payoffs,
    play,
    table_rules,
)

ORDERS = ("last_aggressor", "first_seat", "first_to_act")


def shown(hand: Hand) -> list[tuple[int, str]]:
    """(seat, "shows" or "mucks") in showdown order."""
    return [(int(s.seat), "mucks" if s.mucked else "shows") for s in hand.showdown]


def order(hand: Hand) -> list[int]:
    return [int(s.seat) for s in hand.showdown]


# --- case R17: S1 9-7-4-3-A, S2 7-6-5-4-2, S4 8-6-4-2-A, S3 folded -----------------------------

R17 = ("9c7c 4c3cAcQc Jc", "7d6d 5d4d2dKd Jd", "???? Ks", "As2h 4h6h8hKh Qh")


def r17(rules: HouseRules) -> Hand:
    hand = deal(*R17, rules=rules)
    play(hand, "S3 BRING_IN, S4 COMPLETE, S1 CALL, S2 CALL, S3 FOLD")
    check_down(hand, until=6)
    play(hand, "S1 CHECK, S2 CHECK, S4 BET, S1 CALL, S2 CALL")
    return check_down(hand)


def test_r17_full_tilt_last_aggressor_of_the_last_street_with_a_bet_shows_first() -> None:
    hand = r17(table_rules())
    assert shown(hand) == [(3, "shows"), (0, "mucks"), (1, "shows")]
    assert list(hand.pots[0].winners) == [1]
    # three live seats put in 4 + 20 + 40 each, S3 left 4 + 5
    assert payoffs(hand) == [-64, 137, -9, -64]


def test_r17_pokerstars_no_river_bet_so_the_first_seat_shows_first() -> None:
    hand = r17(table_rules("pokerstars"))
    assert shown(hand) == [(0, "shows"), (1, "shows"), (3, "mucks")]
    assert list(hand.pots[0].winners) == [1]


def test_r17_low_names() -> None:
    lows = {s.seat: s.low.name for s in r17(table_rules()).showdown}
    assert lows == {0: "9-7-4-3-A low", 1: "7-6-5-4-2 low", 3: "8-6-4-2-A low"}


def test_r17_events_show_and_muck_in_the_same_order_before_the_pot_is_paid() -> None:
    hand = r17(table_rules())
    kinds = [
        (type(e).__name__, e.seat)
        for e in hand.events
        if isinstance(e, HandShown | HandMucked | PotAwarded)
    ]
    assert kinds == [("HandShown", 3), ("HandMucked", 0), ("HandShown", 1), ("PotAwarded", 1)]


# --- order ------------------------------------------------------------------------------------

# S2 opens every street; S4 brings in. Lows, best first: S2 8-5-4-3-2, S1 J-T-9-8-7,
# S3 Q-T-9-7-6, S4 K-Q-J-T-3.
FOUR = ("KcQc 9cTcJc7c 8c", "8d8s 2c3d4d5d Kd", "9d6s 6d7dTd9s Qd", "QhQs KsJdJhTs 3h")


def four(rules: HouseRules) -> Hand:
    return limp(deal(*FOUR, rules=rules))


@pytest.mark.parametrize("showdown_order", ORDERS)
def test_rules_7_a_river_bet_puts_its_last_aggressor_first(showdown_order: str) -> None:
    hand = check_down(four(table_rules(showdown_order=showdown_order)), until=7)
    play(hand, "S2 CHECK, S3 BET, S4 RAISE, S1 CALL, S2 CALL, S3 CALL")
    assert order(hand) == [3, 0, 1, 2]


def test_rules_7_last_aggressor_is_that_of_the_latest_street_that_had_one() -> None:
    hand = four(table_rules())
    play(hand, "S2 BET, S3 CALL, S4 CALL, S1 CALL")  # fourth
    play(hand, "S2 CHECK, S3 BET, S4 CALL, S1 CALL, S2 CALL")  # fifth
    check_down(hand)
    assert order(hand) == [2, 3, 0, 1]


def test_rules_7_last_aggressor_of_a_street_is_the_last_raiser() -> None:
    hand = four(table_rules())
    play(hand, "S2 BET, S3 RAISE, S4 CALL, S1 CALL, S2 CALL")
    check_down(hand)
    assert order(hand) == [2, 3, 0, 1]


def test_rules_7_the_completion_is_an_aggression() -> None:
    hand = deal(*FOUR)
    play(hand, "S4 BRING_IN, S1 CALL, S2 CALL, S3 COMPLETE, S4 CALL, S1 CALL, S2 CALL")
    check_down(hand)
    assert order(hand) == [2, 3, 0, 1]


def test_rules_7_after_a_free_fold_of_the_last_aggressor_the_next_seat_shows_first() -> None:
    hand = four(table_rules(fold_when_check_is_free=True))
    play(hand, "S2 CHECK, S3 BET, S4 CALL, S1 CALL, S2 CALL")  # fourth
    play(hand, "S2 CHECK, S3 FOLD, S4 CHECK, S1 CHECK")  # fifth
    check_down(hand)
    assert order(hand) == [3, 0, 1]


def test_rules_7_no_aggressor_at_all_the_first_to_act_shows_first() -> None:
    """The bring-in is not a bet; the first to act on seventh street is S2."""
    hand = check_down(four(table_rules()))
    assert order(hand) == [1, 2, 3, 0]


def test_rules_7_first_seat() -> None:
    hand = four(table_rules(showdown_order="first_seat"))
    play(hand, "S2 CHECK, S3 BET, S4 CALL, S1 CALL, S2 CALL")
    check_down(hand)
    assert order(hand) == [0, 1, 2, 3]


def test_rules_7_first_seat_is_the_first_live_seat() -> None:
    hand = four(table_rules(showdown_order="first_seat"))
    play(hand, "S2 CHECK, S3 BET, S4 CALL, S1 FOLD, S2 CALL")
    check_down(hand)
    assert order(hand) == [1, 2, 3]


def test_rules_7_first_to_act() -> None:
    hand = four(table_rules(showdown_order="first_to_act"))
    play(hand, "S2 CHECK, S3 BET, S4 CALL, S1 CALL, S2 CALL")
    check_down(hand)
    assert order(hand) == [1, 2, 3, 0]


def test_rules_7_first_to_act_counts_an_all_in_seat() -> None:
    """Seats that are all-in never lose their place in the order; only the turn passes."""
    rules = table_rules(showdown_order="first_to_act")
    hand = limp(deal(*FOUR, rules=rules, stacks=[500, 9 + 20, 500, 500]))
    play(hand, "S2 BET 20, S3 CALL, S4 CALL, S1 CALL")
    assert hand.first_to_act == 1
    assert hand.actor == 2
    check_down(hand)
    assert order(hand) == [1, 2, 3, 0]


# --- showing and mucking ----------------------------------------------------------------------


def test_rules_7_losers_muck_and_better_hands_must_show() -> None:
    """Order S2 (8-5), S3, S4, S1: only the first shows."""
    hand = check_down(four(table_rules()))
    assert shown(hand) == [(1, "shows"), (2, "mucks"), (3, "mucks"), (0, "mucks")]


def test_rules_7_every_improvement_must_show() -> None:
    """Order S1 (J-T), S2 (8-5), S3 (Q-T), S4 (K-Q)."""
    hand = check_down(four(table_rules(showdown_order="first_seat")))
    assert shown(hand) == [(0, "shows"), (1, "shows"), (2, "mucks"), (3, "mucks")]


def test_rules_7_a_tie_must_show_and_splits() -> None:
    hand = deal("Ah2c 3c4c7cKc Kd", "Ac2d 3d4d7sQd Qh")
    hand = check_down(limp(hand))
    assert [mucked for _, mucked in shown(hand)] == ["shows", "shows"]
    assert list(hand.pots[0].winners) == [0, 1]
    assert payoffs(hand) == [0, 0]


def test_rules_7_suits_never_break_a_tie_for_the_pot() -> None:
    hand = check_down(limp(deal("AsKs 2s3s4s5s Qs", "AcKc 2c3c4c5c Qc")))
    assert list(hand.pots[0].shares) == [9, 9]


def test_rules_7_two_beaten_hands_that_tie_may_both_muck() -> None:
    """S1 shows a wheel first; S2 and S3 tie with 6-4 and are both beaten."""
    hand = deal("Ah2h 3h4h5hKh Qh", "Ac2c 3c4c6cKc Qc", "Ad2d 3d4d6dKd Qd")
    hand = check_down(limp(hand))
    assert shown(hand) == [(0, "shows"), (1, "mucks"), (2, "mucks")]


def test_rules_7_when_a_live_player_is_all_in_all_live_hands_are_shown() -> None:
    hand = limp(deal(*FOUR, stacks=[500, 9 + 20, 500, 500]))
    play(hand, "S2 BET 20, S3 CALL, S4 CALL, S1 CALL")
    check_down(hand)
    assert {s for _, s in shown(hand)} == {"shows"}
    assert len(hand.showdown) == 4
    assert not any(isinstance(e, HandMucked) for e in hand.events)


def test_rules_7_a_run_out_shows_all_live_hands() -> None:
    hand = ladder_hand(2, stacks=[24, 500])
    play(hand, "S2 BRING_IN, S1 COMPLETE 20, S2 CALL")
    assert [s for _, s in shown(hand)] == ["shows", "shows"]


def test_rules_7_all_in_on_the_river_shows_all() -> None:
    hand = check_down(limp(deal(*FOUR, stacks=[500, 500, 500, 9 + 30])), until=7)
    play(hand, "S2 BET 40, S3 CALL, S4 CALL 30, S1 CALL")
    assert shown(hand) == [(1, "shows"), (2, "shows"), (3, "shows"), (0, "shows")]


def test_rules_7_everybody_but_one_folds_no_hand_is_shown() -> None:
    hand = check_down(four(table_rules()), until=7)
    play(hand, "S2 BET, S3 FOLD, S4 FOLD, S1 FOLD")
    assert hand.showdown == ()
    assert not any(isinstance(e, HandShown) for e in hand.events)
    assert payoffs(hand) == [-9, 27, -9, -9]
    assert list(hand.returned) == [0, 40, 0, 0]


def test_rules_7_all_hands_that_reached_the_showdown_can_be_looked_up() -> None:
    """Mucked hands are in the record, with their cards and lows."""
    hand = check_down(four(table_rules()))
    mucked = {s.seat: s for s in hand.showdown if s.mucked}
    assert set(mucked) == {0, 2, 3}
    for seat, entry in mucked.items():
        held = set(hand.up_cards(seat)) | set(hand.down_cards(seat))
        assert set(entry.cards) == held
        assert len(held) == 7
        assert entry.low.name


def test_rules_7_folded_seats_have_no_part_in_the_showdown() -> None:
    hand = four(table_rules())
    play(hand, "S2 BET, S3 FOLD, S4 CALL, S1 FOLD")
    check_down(hand)
    assert sorted(order(hand)) == [1, 3]


def test_rules_7_best_low_of_the_eligible_wins_although_a_folded_hand_was_better() -> None:
    hand = four(table_rules())
    play(hand, "S2 CHECK, S3 BET, S4 CALL, S1 CALL, S2 FOLD")
    check_down(hand)
    assert list(hand.pots[0].winners) == [0]
