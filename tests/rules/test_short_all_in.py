"""Short all-in raises, bets and completions in the three modes of RULES 5, worked by hand.

L is the last full level, X the all-in total. Stacks are built as 4 (ante) + 5 (limped third
street) + the chips a seat has on fourth street, where a bet is 20.
"""

from __future__ import annotations

import pytest

from razz_env import Hand, Street

from ..support.tables import ladder_hand, limp, menu, play, table_rules

MODES = ("half_bet", "next_level", "full_on_top")
DEEP = 400


def fourth_street(mode: str, *chips: int, **stakes: int) -> Hand:
    """A limped table T hand on fourth street, S1 to act, each seat with these chips left."""
    rules = table_rules(short_all_in_raise=mode, **stakes)
    return limp(ladder_hand(len(chips), stacks=[9 + c for c in chips], rules=rules))


def third_street(mode: str, *chips: int) -> Hand:
    """Third street, the last seat has brought in 5, each seat with these chips after the ante."""
    rules = table_rules(short_all_in_raise=mode)
    hand = ladder_hand(len(chips), stacks=[4 + c for c in chips], rules=rules)
    return play(hand, f"S{len(chips)} BRING_IN 5")


# --- half_bet: less than half a bet -----------------------------------------------------------


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
def test_less_than_half_is_only_a_call_for_those_who_acted(mode: str) -> None:
    """L = 20, X = 25: S1 acted on 20 and may only fold or call."""
    hand = fourth_street(mode, DEEP, 25, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 25, S3 CALL 25")
    assert menu(hand) == {"FOLD": 0, "CALL": 5}
    play(hand, "S1 CALL 5")
    assert hand.street == Street.FIFTH


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
def test_less_than_half_can_be_completed_by_those_yet_to_act(mode: str) -> None:
    """L = 20, X = 25: S3 may fold, call 25, or complete to 40; that uses the second bet."""
    hand = fourth_street(mode, DEEP, 25, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 25")
    assert menu(hand) == {"FOLD": 0, "CALL": 25, "RAISE": 40}
    play(hand, "S3 RAISE to 40")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}
    play(hand, "S1 RAISE to 60, S3 RAISE to 80")
    assert menu(hand) == {"FOLD": 0, "CALL": 20}


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
def test_less_than_half_after_three_bets_leaves_the_fourth(mode: str) -> None:
    hand = fourth_street(mode, DEEP, DEEP, DEEP, 65)
    play(hand, "S1 BET 20, S2 RAISE to 40, S3 RAISE to 60, S4 RAISE 65")
    assert menu(hand) == {"FOLD": 0, "CALL": 45, "RAISE": 60}
    play(hand, "S1 RAISE to 80")
    assert menu(hand) == {"FOLD": 0, "CALL": 40}


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
def test_a_seat_that_has_not_acted_on_the_last_full_level_may_raise(mode: str) -> None:
    """S1 acted on 20 only; L = 40, X = 45. S2 made the 40 and may not raise again."""
    hand = fourth_street(mode, DEEP, DEEP, 45)
    play(hand, "S1 BET 20, S2 RAISE to 40, S3 RAISE 45")
    assert menu(hand) == {"FOLD": 0, "CALL": 25, "RAISE": 40}
    assert hand.to_amount(hand.legal_actions()[-1]) == 60
    play(hand, "S1 CALL 25")
    assert menu(hand) == {"FOLD": 0, "CALL": 5}


# --- half_bet: half a bet or more -------------------------------------------------------------


def test_half_bet_counts_as_a_full_bet_and_reopens() -> None:
    """L = 20, X = 30: the next raise goes to 50."""
    hand = fourth_street("half_bet", DEEP, 30, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 30")
    assert menu(hand) == {"FOLD": 0, "CALL": 30, "RAISE": 50}
    play(hand, "S3 CALL 30")
    assert menu(hand) == {"FOLD": 0, "CALL": 10, "RAISE": 30}
    play(hand, "S1 RAISE to 50, S3 RAISE to 70")
    assert menu(hand) == {"FOLD": 0, "CALL": 20}  # 20, 30, 50, 70: four bets


def test_half_bet_may_be_the_last_bet_of_the_cap() -> None:
    hand = fourth_street("half_bet", DEEP, DEEP, DEEP, 72)
    play(hand, "S1 BET 20, S2 RAISE to 40, S3 RAISE to 60, S4 RAISE 72")
    assert menu(hand) == {"FOLD": 0, "CALL": 52}


@pytest.mark.parametrize(("chips", "raise_to"), [(29, 40), (30, 50), (31, 51), (39, 59)])
def test_half_bet_edge_of_an_even_bet(chips: int, raise_to: int) -> None:
    hand = fourth_street("half_bet", DEEP, chips, DEEP)
    play(hand, f"S1 BET 20, S2 RAISE {chips}")
    assert menu(hand) == {"FOLD": 0, "CALL": chips, "RAISE": raise_to}


@pytest.mark.parametrize(("chips", "raise_to"), [(37, 50), (38, 63)])
def test_half_bet_edge_of_an_odd_bet(chips: int, raise_to: int) -> None:
    """Half of 25 is 12.5: 12 above the level is less, 13 is enough."""
    hand = fourth_street("half_bet", DEEP, chips, DEEP, small_bet=25)
    play(hand, f"S1 BET 25, S2 RAISE {chips}")
    assert menu(hand) == {"FOLD": 0, "CALL": chips, "RAISE": raise_to}


def test_half_bet_uses_the_bet_of_the_street() -> None:
    """On fifth street half a bet is 20."""
    for chips, raise_to in ((59, 80), (60, 100)):
        hand = fourth_street("half_bet", DEEP, chips, DEEP)
        play(hand, f"S1 CHECK, S2 CHECK, S3 CHECK, S1 BET 40, S2 RAISE {chips}")
        assert menu(hand) == {"FOLD": 0, "CALL": chips, "RAISE": raise_to}


def test_several_short_all_ins_add_up() -> None:
    """L stays 20: 25 and 30 are 5 each, together half a bet, so S1 may raise again."""
    hand = fourth_street("half_bet", DEEP, 25, 30, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 25")
    assert menu(hand) == {"FOLD": 0, "CALL": 25, "RAISE": 30}
    play(hand, "S3 RAISE 30")
    assert menu(hand) == {"FOLD": 0, "CALL": 30, "RAISE": 50}
    play(hand, "S4 CALL 30")
    assert menu(hand) == {"FOLD": 0, "CALL": 10, "RAISE": 30}


def test_several_short_all_ins_that_stay_below_half() -> None:
    hand = fourth_street("half_bet", DEEP, 24, 29, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 24, S3 RAISE 29")
    assert menu(hand) == {"FOLD": 0, "CALL": 29, "RAISE": 40}
    play(hand, "S4 CALL 29")
    assert menu(hand) == {"FOLD": 0, "CALL": 9}


def test_after_a_counted_short_raise_the_new_level_is_measured_from_it() -> None:
    """X = 30 is the level now; 38 is 8 above it and only a call amount."""
    hand = fourth_street("half_bet", DEEP, 30, 38, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 30, S3 RAISE 38")
    assert menu(hand) == {"FOLD": 0, "CALL": 38, "RAISE": 50}
    play(hand, "S4 CALL 38")
    # S1 has acted on 20 but not on 30
    assert menu(hand) == {"FOLD": 0, "CALL": 18, "RAISE": 30}


# --- short opening bets, L = 0 ----------------------------------------------------------------


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
def test_short_opening_bet_below_half_is_raised_to_one_bet(mode: str) -> None:
    """S1 checked (it acted on L = 0), S2 is all-in for 8, S3 may make it 20."""
    hand = fourth_street(mode, DEEP, 8, DEEP)
    play(hand, "S1 CHECK, S2 BET 8")
    assert menu(hand) == {"FOLD": 0, "CALL": 8, "RAISE": 20}
    play(hand, "S3 RAISE to 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}
    play(hand, "S1 RAISE to 40, S3 RAISE to 60, S1 RAISE to 80")
    assert menu(hand) == {"FOLD": 0, "CALL": 20}


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
def test_short_opening_bet_below_half_does_not_reopen_for_a_checker(mode: str) -> None:
    hand = fourth_street(mode, DEEP, 8, DEEP)
    play(hand, "S1 CHECK, S2 BET 8, S3 CALL 8")
    assert menu(hand) == {"FOLD": 0, "CALL": 8}


@pytest.mark.parametrize(("mode", "raise_to"), [("half_bet", 32), ("next_level", 40)])
def test_short_opening_bet_of_half_or_more_is_bet_one(mode: str, raise_to: int) -> None:
    hand = fourth_street(mode, DEEP, 12, DEEP)
    play(hand, "S1 CHECK, S2 BET 12")
    assert menu(hand) == {"FOLD": 0, "CALL": 12, "RAISE": raise_to}
    play(hand, "S3 CALL 12")
    assert menu(hand) == {"FOLD": 0, "CALL": 12, "RAISE": raise_to}
    play(hand, f"S1 RAISE to {raise_to}, S3 RAISE to {raise_to + 20}")
    play(hand, f"S1 RAISE to {raise_to + 40}")
    assert menu(hand) == {"FOLD": 0, "CALL": 20}


# --- short completions, L = 0 -----------------------------------------------------------------


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
@pytest.mark.parametrize("chips", [6, 8, 9])
def test_short_completion_below_half(mode: str, chips: int) -> None:
    """S1 called the bring-in and has acted; S3 may still complete to 20, and only by that name."""
    hand = third_street(mode, DEEP, chips, DEEP, DEEP)
    play(hand, f"S1 CALL 5, S2 COMPLETE {chips}")
    assert menu(hand) == {"FOLD": 0, "CALL": chips, "COMPLETE": 20}
    play(hand, f"S3 CALL {chips}")
    assert hand.actor == 3
    assert menu(hand) == {"FOLD": 0, "CALL": chips - 5}  # it chose to bring in only
    play(hand, f"S4 CALL {chips - 5}")
    assert menu(hand) == {"FOLD": 0, "CALL": chips - 5}
    play(hand, f"S1 CALL {chips - 5}")
    assert hand.street == Street.FOURTH


@pytest.mark.parametrize("mode", ["half_bet", "next_level"])
def test_short_completion_below_half_then_completed(mode: str) -> None:
    hand = third_street(mode, DEEP, 8, DEEP, DEEP)
    play(hand, "S1 CALL 5, S2 COMPLETE 8, S3 COMPLETE to 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 15, "RAISE": 35}
    play(hand, "S4 RAISE to 40, S1 RAISE to 60, S3 RAISE to 80")
    assert menu(hand) == {"FOLD": 0, "CALL": 40}  # 20, 40, 60, 80: the all-in used no bet


@pytest.mark.parametrize(("mode", "raise_to"), [("half_bet", 32), ("next_level", 40)])
def test_short_completion_of_half_or_more_is_bet_one(mode: str, raise_to: int) -> None:
    hand = third_street(mode, 12, DEEP, DEEP)
    play(hand, "S1 COMPLETE 12")
    assert menu(hand) == {"FOLD": 0, "CALL": 12, "RAISE": raise_to}
    play(hand, "S2 CALL 12")
    assert menu(hand) == {"FOLD": 0, "CALL": 7, "RAISE": raise_to - 5}
    play(hand, f"S3 RAISE to {raise_to}, S2 RAISE to {raise_to + 20}")
    play(hand, f"S3 RAISE to {raise_to + 40}")
    assert menu(hand) == {"FOLD": 0, "CALL": 20}


@pytest.mark.parametrize(
    ("chips", "expected"),
    [
        (9, {"FOLD": 0, "CALL": 9, "COMPLETE": 20}),
        (10, {"FOLD": 0, "CALL": 10, "RAISE": 30}),
    ],
)
def test_short_completion_edge_of_half(chips: int, expected: dict[str, int]) -> None:
    hand = third_street("half_bet", chips, DEEP, DEEP)
    play(hand, f"S1 COMPLETE {chips}")
    assert menu(hand) == expected


def test_short_completion_by_the_bring_in_seat_itself() -> None:
    hand = ladder_hand(3, stacks=[500, 500, 4 + 12])
    play(hand, "S3 COMPLETE 12")
    assert menu(hand) == {"FOLD": 0, "CALL": 12, "RAISE": 32}
    hand = ladder_hand(3, stacks=[500, 500, 4 + 8])
    play(hand, "S3 COMPLETE 8")
    assert menu(hand) == {"FOLD": 0, "CALL": 8, "COMPLETE": 20}


# --- next_level -------------------------------------------------------------------------------


@pytest.mark.parametrize(("chips", "raise_to"), [(25, 40), (29, 40), (30, 60), (39, 60)])
def test_next_level_raises_to_the_next_full_level(chips: int, raise_to: int) -> None:
    """L + size, or L + 2 * size once the all-in has passed it by half."""
    hand = fourth_street("next_level", DEEP, chips, DEEP)
    play(hand, f"S1 BET 20, S2 RAISE {chips}")
    assert menu(hand) == {"FOLD": 0, "CALL": chips, "RAISE": raise_to}


def test_next_level_reopens_as_half_bet_does() -> None:
    hand = fourth_street("next_level", DEEP, 30, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 30, S3 CALL 30")
    assert menu(hand) == {"FOLD": 0, "CALL": 10, "RAISE": 40}
    play(hand, "S1 RAISE to 60, S3 RAISE to 80")
    assert menu(hand) == {"FOLD": 0, "CALL": 20}


@pytest.mark.parametrize(
    ("more", "raise_to"),
    [
        (35, 60),  # under the level of 40: a call amount
        (40, 60),
        (49, 60),  # less than half a bet above it
        (50, 80),  # half a bet above it: bet three, to the level of 60
    ],
)
def test_next_level_measures_the_next_all_in_from_the_full_level(more: int, raise_to: int) -> None:
    """S2's 30 is bet two and makes the level 40, above all that anyone has put in."""
    hand = fourth_street("next_level", DEEP, 30, more, DEEP)
    play(hand, f"S1 BET 20, S2 RAISE 30, S3 RAISE {more}")
    assert menu(hand) == {"FOLD": 0, "CALL": more, "RAISE": raise_to}
    play(hand, f"S4 RAISE to {raise_to}, S1 CALL {raise_to - 20}")
    assert hand.street == Street.FIFTH


# --- full_on_top ------------------------------------------------------------------------------


@pytest.mark.parametrize("chips", [25, 30, 38])
def test_full_on_top_never_reopens_for_those_who_acted(chips: int) -> None:
    hand = fourth_street("full_on_top", DEEP, chips, DEEP)
    play(hand, f"S1 BET 20, S2 RAISE {chips}")
    assert menu(hand) == {"FOLD": 0, "CALL": chips, "RAISE": chips + 20}
    play(hand, f"S3 CALL {chips}")
    assert menu(hand) == {"FOLD": 0, "CALL": chips - 20}


def test_full_on_top_counts_each_all_in_for_the_cap() -> None:
    """20, 25, 45, 65: four bets; the full raise to 45 reopens for S1."""
    hand = fourth_street("full_on_top", DEEP, 25, DEEP, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 25, S3 RAISE to 45, S4 RAISE to 65")
    assert menu(hand) == {"FOLD": 0, "CALL": 45}
    hand = fourth_street("full_on_top", DEEP, 25, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 25, S3 RAISE to 45")
    assert menu(hand) == {"FOLD": 0, "CALL": 25, "RAISE": 45}


def test_full_on_top_several_short_all_ins_are_a_bet_each() -> None:
    """20, 25, 30, and 50 is the last."""
    hand = fourth_street("full_on_top", DEEP, 25, 30, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 25, S3 RAISE 30")
    assert menu(hand) == {"FOLD": 0, "CALL": 30, "RAISE": 50}
    play(hand, "S4 RAISE to 50")
    assert menu(hand) == {"FOLD": 0, "CALL": 30}


def test_full_on_top_short_opening_bet() -> None:
    hand = fourth_street("full_on_top", DEEP, 8, DEEP)
    play(hand, "S1 CHECK, S2 BET 8")
    assert menu(hand) == {"FOLD": 0, "CALL": 8, "RAISE": 28}
    play(hand, "S3 CALL 8")
    assert menu(hand) == {"FOLD": 0, "CALL": 8}


def test_full_on_top_short_completion() -> None:
    hand = third_street("full_on_top", DEEP, 8, DEEP, DEEP)
    play(hand, "S1 CALL 5, S2 COMPLETE 8")
    fold, call, aggressive = hand.legal_actions()
    assert (fold.name, call.name) == ("FOLD", "CALL")
    assert hand.to_amount(aggressive) == 28
    play(hand, "S3 CALL 8")
    assert menu(hand) == {"FOLD": 0, "CALL": 3}


# --- all modes --------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_an_all_in_for_exactly_the_full_raise_is_a_full_raise(mode: str) -> None:
    hand = fourth_street(mode, DEEP, 40, DEEP)
    play(hand, "S1 BET 20, S2 RAISE 40, S3 CALL 40")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}


@pytest.mark.parametrize("mode", MODES)
def test_no_short_all_in_raise_at_the_cap(mode: str) -> None:
    hand = fourth_street(mode, DEEP, DEEP, DEEP, DEEP, 85)
    play(hand, "S1 BET, S2 RAISE, S3 RAISE, S4 RAISE to 80")
    assert menu(hand) == {"FOLD": 0, "CALL": 80}


@pytest.mark.parametrize("mode", MODES)
def test_short_all_in_call_changes_nothing(mode: str) -> None:
    hand = fourth_street(mode, DEEP, 15, DEEP)
    play(hand, "S1 BET 20, S2 CALL 15")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}
