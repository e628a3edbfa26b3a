"""Lifted caps (RULES 4 and 8, option `heads_up_cap`)."""

from __future__ import annotations

import pytest

from razz_env import Action, Hand, HouseRules
from razz_env.rules.record import LOG_SIZE

DEEP = 100_000


def raise_until_refused(hand: Hand, most: int) -> int:
    """Raise as long as it is legal and the street lasts, at most so often; how often it was."""
    done = 0
    while done < most and hand.legal_actions()[-1] >= Action.COMPLETE:
        hand.apply(hand.legal_actions()[-1])
        done += 1
    return done


def table(seats: int, mode: str, **changes: object) -> Hand:
    return Hand.deal(seats, HouseRules(heads_up_cap=mode, **changes), DEEP, seed=8)


@pytest.mark.parametrize("seats", [2, 3])
def test_rules_8_always_capped_at_four_bets(seats: int) -> None:
    assert raise_until_refused(table(seats, "always"), 10) == 4


@pytest.mark.parametrize(
    "mode", ["lifted_two_seats", "lifted_round_heads_up", "lifted_when_heads_up"]
)
def test_rules_8_every_lifted_mode_lifts_at_a_table_of_two(mode: str) -> None:
    assert raise_until_refused(table(2, mode), 12) == 12


@pytest.mark.parametrize(
    "mode", ["lifted_two_seats", "lifted_round_heads_up", "lifted_when_heads_up"]
)
def test_rules_8_no_lifted_mode_lifts_for_three_in_the_round(mode: str) -> None:
    assert raise_until_refused(table(3, mode), 12) == 4


def three_with_one_fold_on_third(mode: str) -> Hand:
    """The opener completes, the next folds, the third is to act: heads-up after one bet."""
    hand = table(3, mode)
    hand.apply(Action.COMPLETE)
    hand.apply(Action.FOLD)
    return hand


@pytest.mark.parametrize(
    ("mode", "raises"),
    [("lifted_when_heads_up", 11), ("lifted_round_heads_up", 3), ("lifted_two_seats", 3)],
)
def test_rules_8_heads_up_before_the_cap_is_reached(mode: str, raises: int) -> None:
    assert raise_until_refused(three_with_one_fold_on_third(mode), 11) == raises


@pytest.mark.parametrize(
    ("mode", "bets"),
    [("lifted_when_heads_up", 11), ("lifted_round_heads_up", 11), ("lifted_two_seats", 4)],
)
def test_rules_8_the_next_round_starts_heads_up(mode: str, bets: int) -> None:
    hand = three_with_one_fold_on_third(mode)
    hand.apply(Action.CALL)
    assert raise_until_refused(hand, 11) == bets


def test_rules_8_a_cap_reached_three_handed_holds_when_one_folds_then() -> None:
    hand = table(3, "lifted_when_heads_up")
    assert raise_until_refused(hand, 12) == 4
    hand.apply(Action.FOLD)
    assert hand.legal_actions() == (Action.FOLD, Action.CALL)


def test_rules_8_an_all_in_third_player_does_not_count() -> None:
    rules = HouseRules(heads_up_cap="lifted_when_heads_up")
    hand = Hand.from_cards(["AhAd2c", "KhKd3c", "QhQdJc"], rules, stacks=[10, DEEP, DEEP])
    hand.apply(Action.COMPLETE)  # seat 2 shows the highest door
    hand.apply(Action.CALL)  # seat 0, all-in for 6
    assert raise_until_refused(hand, 12) == 12


@pytest.mark.parametrize(
    ("mode", "third", "fourth"),
    [
        ("lifted_when_heads_up", 10, 10),
        ("lifted_round_heads_up", 3, 10),
        ("lifted_two_seats", 3, 4),
        ("always", 3, 4),
    ],
)
def test_rules_8_a_round_starts_heads_up_beside_an_all_in_seat(
    mode: str, third: int, fourth: int
) -> None:
    """Two with chips beside one without: on third street three begin, on fourth two."""
    cards = ["AhAd2c3c", "KhKd3d4c", "QhQdJcTc"]
    for raises, street in ((third, 3), (fourth, 4)):
        hand = Hand.from_cards(cards, HouseRules(heads_up_cap=mode), stacks=[10, DEEP, DEEP])
        hand.apply(Action.COMPLETE)
        hand.apply(Action.CALL)  # seat 0, all-in for 6
        if street == 4:
            hand.apply(Action.CALL)
        assert hand.street == street
        assert raise_until_refused(hand, 10) == raises


def test_rules_8_a_lifted_cap_is_bounded_by_the_action_log() -> None:
    hand = table(2, "lifted_two_seats")
    raises = raise_until_refused(hand, 10_000)
    assert 150 < raises < LOG_SIZE
    assert hand.legal_actions() == (Action.FOLD, Action.CALL)
    while not hand.is_over:  # the rest of the hand still has its room, with capped rounds
        legal = hand.legal_actions()
        hand.apply(legal[-1])
    assert hand.record.public.log_length <= LOG_SIZE
    assert hand.payoffs.sum() == 0


def test_rules_8_a_lifted_cap_is_bounded_by_stacks() -> None:
    hand = Hand.deal(2, HouseRules(heads_up_cap="lifted_two_seats"), 200, seed=8)
    assert raise_until_refused(hand, 100) == 10  # 20, 40, .. 180, then all-in for 196
    assert hand.legal_actions() == (Action.FOLD, Action.CALL)
