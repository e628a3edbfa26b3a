"""All-in: antes, bring-ins, calls and who is still asked (RULES 5)."""

from __future__ import annotations

import pytest

from razz_env import Action, IllegalAction, Street
from razz_env.rules.events import ActionTaken, AntePosted, UncalledReturned

from ..support.errors import refused
from ..support.tables import (
    check_down,
    deal,
    ladder_hand,
    limp,
    menu,
    payoffs,
    play,
    pots,
    table_rules,
)

ANTE = 4


# --- antes ------------------------------------------------------------------------------------


def test_r09_all_in_for_less_than_the_ante_heads_up() -> None:
    """No bring-in and no decision at all: the cards run out."""
    hand = deal(
        "6c7c 7d7s3sJd Jc",
        "9d9s 2cKsTdJh 2s",
        rules=table_rules(ante=7, bring_in=10, small_bet=40, big_bet=80),
        stacks=[994, 6],
    )
    assert hand.is_over
    assert hand.actor is None
    assert list(hand.returned) == [1, 0]
    assert pots(hand) == [(12, (0, 1))]
    assert payoffs(hand) == [-6, 6]
    assert list(hand.stacks) == [988, 12]
    assert not any(isinstance(e, ActionTaken) for e in hand.events)
    assert AntePosted(0, 7, False) in hand.events
    assert AntePosted(1, 6, True) in hand.events
    assert UncalledReturned(0, 1) in hand.events
    assert hand.showdown[0].low.name != hand.showdown[1].low.name
    lows = {s.seat: s.low.name for s in hand.showdown}
    assert lows == {0: "pair of sevens, J-6-3", 1: "K-J-T-9-2 low"}


def test_rules_5_short_antes_make_side_pots_at_once() -> None:
    hand = deal("????6c", "????7c", "????8c", "????Ks", stacks=[2, 3, 500, 500])
    assert list(hand.total_chips) == [2, 3, 4, 4]
    play(hand, "S4 BRING_IN, S3 CALL")
    check_down(hand)
    # layers: 2 x 4, then 1 x 3, then (1 + 5) x 2
    assert pots(hand) == [(8, (0, 1, 2, 3)), (3, (1, 2, 3)), (12, (2, 3))]
    payoffs(hand)


def test_rules_5_all_but_one_all_in_for_the_ante_runs_out() -> None:
    hand = ladder_hand(3, stacks=[4, 3, 500])
    assert hand.is_over
    assert list(hand.returned) == [0, 0, 0]
    assert pots(hand) == [(9, (0, 1, 2)), (2, (0, 2))]
    payoffs(hand)


def test_rules_5_everybody_all_in_for_the_ante_runs_out() -> None:
    hand = ladder_hand(3, stacks=[4, 2, 3])
    assert hand.is_over
    assert pots(hand) == [(6, (0, 1, 2)), (2, (0, 2))]
    assert list(hand.returned) == [1, 0, 0]
    payoffs(hand)


# --- the highest door card is all-in for the ante ---------------------------------------------


def test_rules_5_duty_passes_to_the_left_of_an_all_in_door() -> None:
    hand = deal("????Ks", "????5c", "????6c", "????7c", stacks=[4, 500, 500, 500])
    assert hand.first_to_act == 0
    assert hand.actor == 1
    assert menu(hand) == {"FOLD": 0, "BRING_IN": 5, "COMPLETE": 20}


def test_rules_5_the_next_seat_with_chips_opens() -> None:
    hand = deal("????Ks", "????5c", "????6c", "????7c", stacks=[4, 4, 500, 500])
    assert hand.actor == 2
    hand = deal("????6c", "????5c", "????Jc", "????Ks", stacks=[4, 500, 500, 2])
    assert hand.actor == 1


def test_rules_5_if_it_folds_the_duty_passes_on_to_the_left() -> None:
    hand = deal("????Ks", "????5c", "????6c", "????7c", stacks=[4, 500, 500, 500])
    assert (hand.first_to_act, hand.bring_in_seat, hand.actor) == (0, 1, 1)
    play(hand, "S2 FOLD")
    assert (hand.first_to_act, hand.bring_in_seat, hand.actor) == (0, 2, 2)
    assert menu(hand) == {"FOLD": 0, "BRING_IN": 5, "COMPLETE": 20}
    play(hand, "S3 BRING_IN 5")
    assert menu(hand) == {"FOLD": 0, "CALL": 5, "COMPLETE": 20}
    play(hand, "S4 CALL 5")
    assert hand.street == Street.FOURTH
    assert hand.bring_in_seat == 2


def test_rules_5_all_fold_to_the_last_seat_with_chips() -> None:
    """One seat with chips that owes nothing: no bring-in and no decision."""
    hand = deal("????Ks", "????5c", "????6c", stacks=[3, 500, 500])
    play(hand, "S2 FOLD")
    assert hand.is_over
    assert hand.bring_in_seat is None
    # 3 x 3 for all, and the last chip of S3 was matched by the folded S2
    assert sum(chips for chips, _ in pots(hand)) == 11
    assert pots(hand)[0][1] == (0, 2)
    payoffs(hand)


def test_rules_5_the_opener_in_place_of_an_all_in_door_gets_no_option() -> None:
    hand = deal("????Ks", "????5c", "????6c", "????7c", stacks=[4, 500, 500, 500])
    play(hand, "S2 BRING_IN, S3 CALL, S4 CALL")
    assert hand.street == Street.FOURTH


def test_rules_8_all_in_bring_in_next_may_not_fold() -> None:
    rules = table_rules(all_in_bring_in_may_fold=False)
    hand = deal("????Ks", "????5c", "????6c", stacks=[4, 500, 500], rules=rules)
    assert hand.actor == 1
    assert menu(hand) == {"BRING_IN": 5, "COMPLETE": 20}


def test_rules_5_the_opener_in_place_may_be_short_of_the_bring_in() -> None:
    hand = deal("????Ks", "????5c", "????6c", "????7c", stacks=[4, 4 + 3, 500, 500])
    assert menu(hand) == {"FOLD": 0, "BRING_IN": 3}


def test_rules_5_a_bring_in_nobody_with_chips_calls_comes_back() -> None:
    """S1 is all-in for the ante, S2 folds: S3 has no live opponent with chips left."""
    hand = deal("????5c", "????6c", "????Ks", stacks=[4, 500, 500])
    play(hand, "S3 BRING_IN 5, S2 FOLD")
    assert hand.is_over
    assert list(hand.returned) == [0, 0, 5]
    assert pots(hand) == [(12, (0, 2))]
    payoffs(hand)


# --- the short bring-in -----------------------------------------------------------------------


@pytest.mark.parametrize("chips", [1, 4, 5])
def test_rules_5_bring_in_seat_with_no_more_than_the_bring_in(chips: int) -> None:
    hand = ladder_hand(3, stacks=[500, 500, ANTE + chips])
    assert menu(hand) == {"BRING_IN": chips}
    play(hand, f"S3 BRING_IN {chips}")
    assert hand.events[-1] == ActionTaken(2, Street.THIRD, Action.BRING_IN, chips, chips, True)


def test_rules_5_others_must_call_the_full_bring_in_or_complete() -> None:
    hand = ladder_hand(4, stacks=[500, 500, 500, ANTE + 3])
    play(hand, "S4 BRING_IN 3")
    assert menu(hand) == {"FOLD": 0, "CALL": 5, "COMPLETE": 20}
    play(hand, "S1 CALL 5, S2 CALL 5, S3 FOLD")
    assert hand.street == Street.FOURTH
    check_down(hand)
    assert pots(hand) == [(4 * 4 + 3 * 3, (0, 1, 3)), (2 * 2, (0, 1))]
    payoffs(hand)


def test_rules_8_short_bring_in_call_short() -> None:
    rules = table_rules(short_bring_in_call="short")
    hand = ladder_hand(4, stacks=[500, 500, 500, ANTE + 3], rules=rules)
    play(hand, "S4 BRING_IN 3")
    assert menu(hand) == {"FOLD": 0, "CALL": 3, "COMPLETE": 20}
    play(hand, "S1 CALL 3, S2 COMPLETE to 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}


def test_rules_5_a_call_never_costs_more_than_a_live_opponent_can_match() -> None:
    """Heads-up against an all-in bring-in of 9 the call is 9."""
    rules = table_rules(ante=7, bring_in=20, small_bet=40, big_bet=80)
    hand = ladder_hand(2, stacks=[500, 16], rules=rules)
    play(hand, "S2 BRING_IN 9")
    assert menu(hand) == {"FOLD": 0, "CALL": 9}
    assert hand.to_call == 9
    play(hand, "S1 CALL 9")
    assert hand.is_over
    assert list(hand.returned) == [0, 0]
    assert pots(hand) == [(32, (0, 1))]


def test_rules_5_call_of_a_short_bring_in_once_the_others_have_folded() -> None:
    hand = ladder_hand(3, stacks=[500, 500, ANTE + 3])
    play(hand, "S3 BRING_IN 3, S1 FOLD")
    assert menu(hand) == {"FOLD": 0, "CALL": 3}
    play(hand, "S2 CALL 3")
    assert hand.is_over
    assert pots(hand) == [(12 + 6, (1, 2))]


def test_rules_5_call_of_a_short_bring_in_is_capped_by_the_deepest_live_opponent() -> None:
    """S3 brings in 3 of 5, S1 has 4 chips: its call of 4 is all S2 could be matched for."""
    hand = ladder_hand(3, stacks=[ANTE + 4, 500, ANTE + 3])
    play(hand, "S3 BRING_IN 3")
    play(hand, "S1 CALL 4")
    assert menu(hand) == {"FOLD": 0, "CALL": 4}
    play(hand, "S2 CALL 4")
    assert pots(hand) == [(12 + 9, (0, 1, 2)), (2, (0, 1))]
    assert list(hand.returned) == [0, 0, 0]


def test_rules_5_call_before_a_short_live_opponent_is_what_he_can_match() -> None:
    hand = ladder_hand(3, stacks=[500, ANTE + 4, ANTE + 3])
    play(hand, "S3 BRING_IN 3")
    assert hand.to_call == 4  # S2 behind has 4 chips, S3 put in 3


def test_rules_5_excess_over_a_short_bring_in_is_returned() -> None:
    hand = ladder_hand(3, stacks=[500, 500, ANTE + 3])
    play(hand, "S3 BRING_IN 3, S1 CALL 5, S2 FOLD")
    assert hand.is_over
    assert list(hand.returned) == [2, 0, 0]
    assert pots(hand) == [(12 + 6, (0, 2))]


# --- calls and raises with few chips ----------------------------------------------------------


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        (4, {"FOLD": 0, "CALL": 4}),
        (5, {"FOLD": 0, "CALL": 5}),
        (6, {"FOLD": 0, "CALL": 5, "COMPLETE": 6}),
        (19, {"FOLD": 0, "CALL": 5, "COMPLETE": 19}),
        (20, {"FOLD": 0, "CALL": 5, "COMPLETE": 20}),
        (21, {"FOLD": 0, "CALL": 5, "COMPLETE": 20}),
    ],
)
def test_rules_5_completing_with_few_chips(chips: int, expected: dict[str, int]) -> None:
    hand = play(ladder_hand(3, stacks=[ANTE + chips, 500, 500]), "S3 BRING_IN")
    assert menu(hand) == expected


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        (19, {"FOLD": 0, "CALL": 19}),
        (20, {"FOLD": 0, "CALL": 20}),
        (21, {"FOLD": 0, "CALL": 20, "RAISE": 21}),
        (39, {"FOLD": 0, "CALL": 20, "RAISE": 39}),
        (40, {"FOLD": 0, "CALL": 20, "RAISE": 40}),
        (41, {"FOLD": 0, "CALL": 20, "RAISE": 40}),
    ],
)
def test_rules_5_raising_with_few_chips(chips: int, expected: dict[str, int]) -> None:
    hand = limp(ladder_hand(3, stacks=[500, ANTE + 5 + chips, 500]))
    play(hand, "S1 BET 20")
    assert menu(hand) == expected


@pytest.mark.parametrize(("chips", "bet"), [(1, 1), (19, 19), (20, 20), (21, 20)])
def test_rules_5_opening_bet_with_few_chips(chips: int, bet: int) -> None:
    hand = limp(ladder_hand(3, stacks=[ANTE + 5 + chips, 500, 500]))
    assert menu(hand) == {"CHECK": 0, "BET": bet}


@pytest.mark.parametrize("chips", [6, 19])
def test_rules_5_bring_in_seat_completing_with_few_chips(chips: int) -> None:
    hand = ladder_hand(3, stacks=[500, 500, ANTE + chips])
    assert menu(hand) == {"BRING_IN": 5, "COMPLETE": chips}


# --- who is still asked -----------------------------------------------------------------------


def test_m03b_no_decision_after_the_only_opponent_is_all_in() -> None:
    """S1 bets 40, S2 is all-in for 30 of it, 10 returned, and S1 is asked nothing more."""
    hand = check_down(limp(ladder_hand(2, stacks=[500, ANTE + 5 + 30])), until=5)
    play(hand, "S1 BET 40")
    assert menu(hand) == {"FOLD": 0, "CALL": 30}
    play(hand, "S2 CALL 30")
    assert hand.is_over
    assert list(hand.returned) == [10, 0]
    assert pots(hand) == [(78, (0, 1))]
    payoffs(hand)


def test_m03c_no_raise_when_no_opponent_has_chips() -> None:
    hand = limp(ladder_hand(3, stacks=[ANTE + 5 + 20 + 40, ANTE + 5 + 20, 500]))
    play(hand, "S1 BET 20, S2 CALL 20, S3 CALL 20")
    assert hand.street == Street.FIFTH
    play(hand, "S1 BET 40")  # all-in; S2 is all-in already
    assert hand.actor == 2
    assert menu(hand) == {"FOLD": 0, "CALL": 40}


def test_m03a_nothing_is_legal_when_the_hand_is_over() -> None:
    hand = play(ladder_hand(2), "S2 BRING_IN, S1 FOLD")
    assert hand.legal_actions() == ()
    assert not hand.action_mask().any()
    for action in Action:
        with refused(kind=IllegalAction):
            hand.apply(action)


def test_rules_4_a_raise_is_offered_while_one_opponent_behind_has_chips() -> None:
    hand = limp(ladder_hand(3, stacks=[ANTE + 5 + 20, 500, 500]))
    play(hand, "S1 BET 20")  # all-in
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}
    play(hand, "S2 FOLD")
    assert menu(hand) == {"FOLD": 0, "CALL": 20}


def test_rules_4_no_decision_without_a_live_opponent_with_chips() -> None:
    hand = limp(ladder_hand(3, stacks=[ANTE + 5 + 20, 500, 500]))
    play(hand, "S1 BET 20, S2 CALL 20, S3 FOLD")
    assert hand.is_over
    assert len(hand.up_cards(0)) == len(hand.up_cards(1)) == 4
    assert len(hand.down_cards(0)) == len(hand.down_cards(1)) == 3
    payoffs(hand)


def test_rules_4_betting_goes_on_between_the_seats_with_chips() -> None:
    hand = limp(ladder_hand(3, stacks=[ANTE + 5 + 20, 500, 500]))
    play(hand, "S1 BET 20, S2 CALL 20, S3 CALL 20")
    assert hand.first_to_act == 0  # an all-in seat keeps its place in the order
    assert hand.actor == 1  # only the turn passes, clockwise
    play(hand, "S2 CHECK, S3 BET 40, S2 CALL 40")
    assert hand.street == Street.SIXTH


def test_rules_4_turn_passes_clockwise_from_an_all_in_lowest_board() -> None:
    """Not to the next lowest board: S3 has it, but S2 is next to the left."""
    hand = limp(deal("????2c3c4c", "????KsQd9c", "????6d7d8d", stacks=[ANTE + 5 + 20, 500, 500]))
    play(hand, "S1 BET 20, S2 CALL, S3 CALL")
    assert hand.first_to_act == 0
    assert hand.actor == 1


def test_rules_5_bet_into_an_all_in_seat_after_the_rest_fold_is_returned() -> None:
    hand = limp(ladder_hand(3, stacks=[500, 500, ANTE + 5]))
    play(hand, "S1 BET 20, S2 FOLD")
    assert hand.is_over
    assert list(hand.returned) == [20, 0, 0]
    assert pots(hand) == [(27, (0, 2))]
    payoffs(hand)


def test_rules_5_a_call_of_the_deeper_all_in_makes_a_side_pot() -> None:
    hand = limp(ladder_hand(3, stacks=[ANTE + 5 + 12, ANTE + 5 + 30, 500]))
    play(hand, "S1 BET 12, S2 RAISE 30")  # 12 is more than half a bet: the full raise is to 32
    assert menu(hand) == {"FOLD": 0, "CALL": 30}
    play(hand, "S3 CALL 30")
    assert hand.is_over
    assert list(hand.returned) == [0, 0, 0]
    assert pots(hand) == [(27 + 36, (0, 1, 2)), (36, (1, 2))]


def test_rules_5_call_for_less_than_the_bet_returns_the_excess() -> None:
    hand = limp(ladder_hand(3, stacks=[500, ANTE + 5 + 12, ANTE + 5 + 7]))
    play(hand, "S1 BET 20, S2 CALL 12, S3 CALL 7")
    assert hand.is_over
    assert list(hand.returned) == [8, 0, 0]
    assert pots(hand) == [(27 + 21, (0, 1, 2)), (10, (0, 1))]
    payoffs(hand)


def test_rules_5_run_out_deals_every_street() -> None:
    hand = ladder_hand(2, stacks=[ANTE + 20, 500])
    play(hand, "S2 BRING_IN, S1 COMPLETE 20, S2 CALL 15")
    assert hand.is_over
    assert hand.street == Street.SEVENTH
    assert [len(hand.up_cards(s)) for s in (0, 1)] == [4, 4]
    assert [len(hand.down_cards(s)) for s in (0, 1)] == [3, 3]


def test_rules_5_big_stack_is_never_asked_again_heads_up_after_an_all_in_call() -> None:
    hand = limp(ladder_hand(2, stacks=[500, ANTE + 5 + 13]))
    play(hand, "S1 CHECK, S2 BET 13, S1 CALL 13")
    assert hand.is_over
    assert pots(hand) == [(18 + 26, (0, 1))]
