"""Third street: who brings in, what may be chosen, and when it ends (RULES 3)."""

from __future__ import annotations

from itertools import combinations

import pytest

from razz_env import Action, Hand, Street
from razz_env.rules.events import CardDealt, HandShown, UncalledReturned

from ..support.lows import DECK
from ..support.tables import (
    deal,
    fill,
    ladder_hand,
    menu,
    payoffs,
    play,
    pots,
    table_rules,
)


def doors(*cards: str) -> Hand:
    """A table T hand in which only the door cards are named."""
    return deal(*(f"????{door}" for door in cards))


def test_r01_the_highest_door_card_brings_in_and_aces_are_lowest() -> None:
    # S6 of the source hand sits out: its S7 and S8 are the sixth and seventh seats here
    hand = doors("6s", "Jd", "Ad", "3s", "7h", "As", "Qc")
    assert hand.bring_in_seat == hand.actor == hand.first_to_act == 6
    hand.apply(Action.BRING_IN)
    assert hand.actor == 0


def test_rules_3_highest_door_by_rank_then_suit_for_every_two_doors() -> None:
    """Spades > hearts > diamonds > clubs break ties of rank; the king of spades is worst."""
    rules = table_rules()
    for low, high in combinations(range(52), 2):  # ints: rank first, then suit c d h s
        for seat_of_high in (0, 1):
            pair = [DECK[low], DECK[low]]
            pair[seat_of_high] = DECK[high]
            hand = Hand.from_cards(fill(*(f"????{c}" for c in pair)), rules=rules, stacks=500)
            assert hand.bring_in_seat == hand.actor == seat_of_high, pair


@pytest.mark.parametrize(
    ("door_cards", "seat"),
    [
        (("Kc", "Kd", "Kh", "Ks"), 3),
        (("Ks", "Kh", "Kd", "Kc"), 0),
        (("9c", "9h", "9d", "2s"), 1),
        (("Ac", "Ad", "Ah", "As"), 3),
        (("As", "2c", "Ah", "Ad"), 1),
    ],
)
def test_rules_3_ties_of_rank_go_to_the_higher_suit(door_cards: tuple[str, ...], seat: int) -> None:
    assert doors(*door_cards).bring_in_seat == seat


def test_m07_bring_in_seat_may_only_bring_in_or_complete() -> None:
    hand = ladder_hand(3)
    assert hand.actor == 2
    assert menu(hand) == {"BRING_IN": 5, "COMPLETE": 20}


def test_rules_3_then_clockwise_fold_call_or_complete() -> None:
    hand = ladder_hand(4)
    play(hand, "S4 BRING_IN 5")
    for seat in range(2):
        assert hand.actor == seat
        assert menu(hand) == {"FOLD": 0, "CALL": 5, "COMPLETE": 20}
        assert hand.to_call == 5
        hand.apply(Action.CALL)
    assert hand.actor == 2
    hand.apply(Action.FOLD)
    assert hand.street == Street.FOURTH


def test_rules_3_after_a_completion_fold_call_or_raise_by_the_small_bet() -> None:
    hand = ladder_hand(4)
    play(hand, "S4 BRING_IN 5, S1 COMPLETE to 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}
    play(hand, "S2 CALL 20, S3 RAISE to 40")
    assert menu(hand) == {"FOLD": 0, "CALL": 35, "RAISE": 55}  # S4 has its 5 in
    assert hand.to_amount(Action.CALL) == 40
    assert hand.to_amount(Action.RAISE) == 60


def test_rules_3_the_bring_in_seat_may_complete_at_once() -> None:
    hand = ladder_hand(3)
    play(hand, "S3 COMPLETE to 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}
    play(hand, "S1 FOLD, S2 CALL 20")
    assert hand.street == Street.FOURTH


def test_rules_3_when_all_call_the_bring_in_it_gets_no_option() -> None:
    hand = ladder_hand(3)
    play(hand, "S3 BRING_IN 5, S1 CALL 5, S2 CALL 5")
    assert hand.street == Street.FOURTH
    assert hand.pot_chips == 3 * 9


def test_rules_3_when_all_fold_the_bring_in_wins_the_antes() -> None:
    hand = ladder_hand(4)
    play(hand, "S4 BRING_IN 5, S1 FOLD, S2 FOLD, S3 FOLD")
    assert payoffs(hand) == [-4, -4, -4, 12]
    assert list(hand.returned) == [0, 0, 0, 5]
    assert pots(hand) == [(16, (3,))]


def test_rules_3_completion_not_called_beyond_the_bring_in() -> None:
    hand = ladder_hand(3)
    play(hand, "S3 BRING_IN 5, S1 CALL 5, S2 COMPLETE 20, S3 FOLD, S1 FOLD")
    assert list(hand.returned) == [0, 15, 0]
    assert payoffs(hand) == [-9, 18, -9]


def test_r16_everybody_else_folds_and_the_hand_is_over_at_once() -> None:
    hand = ladder_hand(3)
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 FOLD, S3 FOLD")
    assert hand.is_over
    assert hand.actor is None
    assert list(hand.returned) == [15, 0, 0]
    assert pots(hand) == [(22, (0,))]
    assert payoffs(hand) == [13, -4, -9]
    assert not any(isinstance(e, CardDealt) and e.street > 3 for e in hand.events)
    assert not any(isinstance(e, HandShown) for e in hand.events)
    assert hand.showdown == ()
    assert UncalledReturned(0, 15) in hand.events


def test_m01_bring_in_and_completion_are_bet_one_of_four() -> None:
    hand = ladder_hand(4)
    play(hand, "S4 BRING_IN 5, S1 COMPLETE to 20, S2 RAISE to 40, S3 RAISE to 60, S4 RAISE to 80")
    assert hand.actor == 0
    assert menu(hand) == {"FOLD": 0, "CALL": 60}
    assert [int(m) for m in hand.action_mask()] == [1, 0, 1, 0, 0, 0, 0]


def test_rules_3_bring_in_alone_uses_no_bet() -> None:
    """With a cap of one bet the completion is still there, and nothing after it."""
    hand = ladder_hand(3, rules=table_rules(max_bets_per_round=1))
    play(hand, "S3 BRING_IN 5, S1 CALL 5, S2 COMPLETE to 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 15}


def test_rules_3_completion_reopens_for_those_who_called_the_bring_in() -> None:
    hand = ladder_hand(3)
    play(hand, "S3 BRING_IN 5, S1 CALL 5, S2 COMPLETE to 20, S3 CALL 15")
    assert menu(hand) == {"FOLD": 0, "CALL": 15, "RAISE": 35}


def test_rules_2_named_stakes_full_tilt_2_4() -> None:
    """$2/$4 in cents: ante 40, bring-in 50."""
    rules = table_rules(ante=40, bring_in=50, small_bet=200, big_bet=400)
    hand = ladder_hand(2, stacks=10_000, rules=rules)
    assert hand.pot_chips == 80
    assert menu(hand) == {"BRING_IN": 50, "COMPLETE": 200}


def test_rules_2_bring_in_may_equal_the_ante() -> None:
    hand = ladder_hand(2, rules=table_rules(ante=5, bring_in=5))
    play(hand, "S2 BRING_IN 5")
    assert menu(hand) == {"FOLD": 0, "CALL": 5, "COMPLETE": 20}


def test_rules_2_no_ante() -> None:
    hand = ladder_hand(2, rules=table_rules(ante=0))
    assert hand.pot_chips == 0
    play(hand, "S2 BRING_IN 5, S1 FOLD")
    assert payoffs(hand) == [0, 0]
    assert list(hand.returned) == [0, 5]


def test_antes_are_not_street_chips() -> None:
    hand = ladder_hand(3)
    assert list(hand.street_chips) == [0, 0, 0]
    assert list(hand.total_chips) == [4, 4, 4]
    play(hand, "S3 BRING_IN, S1 COMPLETE")
    assert list(hand.street_chips) == [20, 0, 5]
    assert list(hand.total_chips) == [24, 4, 9]
    assert list(hand.stacks) == [476, 496, 491]
    assert hand.pot_chips == 37
