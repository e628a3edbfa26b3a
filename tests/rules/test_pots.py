"""Main pot, side pots, returned chips and odd chips (RULES 5)."""

from __future__ import annotations

import pytest

from razz_env import Hand
from razz_env.rules.cards import parse_cards
from razz_env.rules.events import PotAwarded, UncalledReturned
from razz_env.rules.showdown import settle

from ..support.tables import (
    check_down,
    deal,
    limp,
    menu,
    payoffs,
    play,
    pots,
    table_rules,
)


def awards(hand: Hand) -> list[tuple[int, dict[int, int]]]:
    """(chips, winner -> share) of every pot."""
    return [
        (int(p.amount), {int(w): int(s) for w, s in zip(p.winners, p.shares, strict=True)})
        for p in hand.pots
    ]


def test_p01_main_pot_and_side_pot() -> None:
    hand = deal("Ah2c 3d5h4s9c Kc", "As2d 3h4c6sTc Kd", "7h8h Qs9dJsQc 2h", stacks=[30, 70, 200])
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 CALL 20, S3 CALL 15")
    play(hand, "S2 BET 20, S3 CALL 20, S1 CALL 6")
    assert hand.first_to_act == 0  # all-in S1 shows the lowest board
    play(hand, "S2 BET 26, S3 CALL 26")
    assert pots(hand) == [(90, (0, 1, 2)), (80, (1, 2))]
    assert awards(hand) == [(90, {0: 90}), (80, {1: 80})]
    assert list(hand.stacks) == [90, 80, 130]
    assert payoffs(hand) == [60, 10, -70]
    assert [e for e in hand.events if isinstance(e, PotAwarded)] == [
        PotAwarded(0, 0, 90),
        PotAwarded(1, 1, 80),
    ]


def test_p03_folded_only_layer_cannot_arise_and_chips_never_vanish() -> None:
    """S1 and S2 in for 40, S3 and S4 for 70, and folding for nothing is allowed.

    Once one of S3 and S4 has folded, the other has no live opponent with chips: its fold is never
    asked for, and it keeps the 60 above 40.
    """
    rules = table_rules(ante=10, bring_in=5, small_bet=30, big_bet=30, fold_when_check_is_free=True)
    hand = deal(
        "Ac2c 3c4c9cKc Kd",  # 9-4-3-2-A
        "Ad2d 3d4d5d8d Qd",  # the wheel
        "KhQh 7hThJh9h 8s",
        "QsJs KsTs9s6s 7s",
        rules=rules,
        stacks=[40, 40, 500, 500],
    )
    play(hand, "S4 BRING_IN 5, S1 COMPLETE 30, S2 CALL 30, S3 CALL 30, S4 CALL 25")
    play(hand, "S3 BET 30, S4 CALL 30")
    assert list(hand.total_chips) == [40, 40, 70, 70]
    assert "FOLD" in menu(hand)
    folder = hand.actor
    assert folder in (2, 3)
    play(hand, f"S{folder + 1} FOLD")
    keeper = 5 - folder
    assert hand.is_over
    assert pots(hand) == [(160, (0, 1, keeper)), (60, (keeper,))]
    expected = [-40, 120, 0, 0]
    expected[folder], expected[keeper] = -70, -10
    assert payoffs(hand) == expected


def test_p03_a_layer_that_only_folded_seats_paid_joins_the_pot_below() -> None:
    """The case itself, which no play leads to: 40, 40 all-in, 70, 70 folded."""
    hand = deal("KdQd 9cJcTcKc 9d", "Ad2d 3d4d5d8d Qc", "", "", stacks=[40, 40, 500, 500])
    public = hand.record.public
    public.total_chips[:4] = [40, 40, 70, 70]
    public.stack[:4] = [0, 0, 430, 430]
    public.live[:4] = [1, 1, 0, 0]
    hand.record.down[:2, 2] = [parse_cards("9d")[0], parse_cards("Qc")[0]]
    public.up[:2] = [parse_cards("9cJcTcKc"), parse_cards("3d4d5d8d")]
    settle(hand.record)
    assert awards(hand) == [(220, {1: 220})]
    assert list(hand.returned) == [0, 0, 0, 0]
    assert hand.payoffs.tolist() == [-40, 180, -70, -70]


def test_p05_an_all_in_seat_keeps_its_claim_through_checked_streets() -> None:
    hand = deal("Ac2c 3c4c5c8c 9c", "KdQd 6d7d8dTd Jd", "KhQh KsJs9sTs 9h", stacks=[24, 200, 200])
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 CALL 20, S3 CALL 15")
    check_down(hand)
    assert awards(hand) == [(72, {0: 72})]
    assert pots(hand) == [(72, (0, 1, 2))]
    assert payoffs(hand) == [48, -24, -24]


def test_p07_unmatched_part_of_the_largest_all_in_is_returned_first() -> None:
    """In: S1 63 and S2 63 all-in, S3 90 (not fully called), S4 4 (folded); S3 has the best low."""
    rules = table_rules(small_bet=23, big_bet=40)
    hand = deal(
        "KcQc KsJc8c7c 7h",
        "KdQd TdJd8d7d 7s",
        "Ah2h 3h4h5h8h 9h",
        "KhQh 9cQsJsTs 9s",
        rules=rules,
        stacks=[63, 63, 500, 500],
    )
    play(hand, "S1 BRING_IN 5, S2 COMPLETE 23, S3 CALL 23, S4 FOLD, S1 CALL 18")
    play(hand, "S3 BET 23, S1 CALL 23, S2 CALL 23")
    play(hand, "S3 BET 40, S1 CALL 13, S2 CALL 13")
    assert list(hand.returned) == [0, 0, 27, 0]
    assert pots(hand) == [(193, (0, 1, 2))]
    assert payoffs(hand) == [-63, -63, 130, -4]
    assert UncalledReturned(2, 27) in hand.events


def test_rules_5_three_all_ins_make_three_pots_with_three_winners() -> None:
    """Shortest stack best, next second best, and so on: each takes its own layer."""
    hand = deal(
        "Ac2c 3c4c5cKc Kd",  # wheel
        "Ad2d 3d4d6dQd Qc",  # 6-4
        "Ah2h 3h4h7hJh Jc",  # 7-4
        "As2s Ks4s8sTs Td",  # T-8-4-2-A
        stacks=[14, 34, 64, 500],
    )
    play(hand, "S4 BRING_IN 5, S1 COMPLETE 10, S2 CALL 10, S3 CALL 10, S4 CALL 5")
    # S1's 10 of 20 is half a bet; fourth street now, S2 has 20 left
    play(hand, "S2 BET 20, S3 RAISE to 40, S4 CALL 40")
    # fifth: S3 has 10 left
    play(hand, "S3 BET 10, S4 CALL 10")
    assert pots(hand) == [(56, (0, 1, 2, 3)), (60, (1, 2, 3)), (60, (2, 3))]
    assert awards(hand) == [(56, {0: 56}), (60, {1: 60}), (60, {2: 60})]
    assert payoffs(hand) == [42, 26, -4, -64]


def test_rules_5_best_hand_with_the_largest_stack_takes_every_pot() -> None:
    hand = deal(
        "Ac2c 3c4cTcKc Kd",
        "Ad2d 3d4d9dQd Qc",
        "Ah2h 3h4h5hJh Jc",
        stacks=[14, 34, 500],
    )
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 10, S2 CALL 10, S3 CALL 5, S2 BET 20, S3 CALL 20")
    assert awards(hand) == [(42, {2: 42}), (40, {2: 40})]
    assert payoffs(hand) == [-14, -34, 48]


def test_rules_5_folded_chips_stay_in_the_layers_they_reached() -> None:
    """S2 folds after putting in 34: 14 of it lie in the main pot, 20 in the side pot."""
    hand = deal(
        "Ac2c 3c4c5cKc Kd",
        "KhQh 9hJhThKs Qs",
        "Ah2h 3h6h7hJs Jc",
        "9s9d Qd8s8d7s 7d",
        stacks=[14, 500, 500, 500],
    )
    play(hand, "S4 BRING_IN 5, S1 COMPLETE 10, S2 CALL 10, S3 CALL 10, S4 FOLD")
    play(hand, "S2 CHECK, S3 BET 20, S2 CALL 20, S2 CHECK, S3 BET 40, S2 FOLD")
    assert list(hand.returned) == [0, 0, 40, 0]
    # main: 3 x 14 and the 9 of S4; side: 20 of S2 and 20 of S3
    assert awards(hand) == [(51, {0: 51}), (40, {2: 40})]
    assert pots(hand) == [(51, (0, 2)), (40, (2,))]
    assert payoffs(hand) == [37, -34, 6, -9]


def test_rules_5_only_live_stacks_cut_layers() -> None:
    """Folders of 4, 9 and 24 chips make no pots of their own."""
    hand = deal("????5c", "????6d7s", "????8d9s", "????TdJs", "????Ks")
    play(hand, "S5 BRING_IN, S1 FOLD, S2 COMPLETE 20, S3 CALL, S4 CALL, S5 FOLD")
    play(hand, "S2 BET, S3 FOLD, S4 CALL")
    check_down(hand)
    assert pots(hand) == [(4 + 9 + 24 + 2 * 44, (1, 3))]
    payoffs(hand)


# --- odd chips --------------------------------------------------------------------------------

# S1 and S2 tie with 7-4-3-2-A; S3 brings in and folds, so the pot is 4 * 3 + 5 + 40 = 57.
# S1: highest card 7c, lowest card of all seven Ah. S2: highest card 7s, lowest card Ac.
TIE_OF_TWO = ("Ah2c 3c4c7cKc Kd", "Ac2d 3d4d7sQd Qh", "???? Kh")


@pytest.mark.parametrize(
    ("odd_chip", "shares"),
    [
        ("high_suit", {0: 28, 1: 29}),  # 7s over 7c
        ("low_suit", {0: 28, 1: 29}),  # Ac under Ah
        ("first_seat", {0: 29, 1: 28}),
    ],
)
def test_rules_5_odd_chip_of_a_pot_of_57(odd_chip: str, shares: dict[int, int]) -> None:
    hand = deal(*TIE_OF_TWO, rules=table_rules(odd_chip=odd_chip))
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 CALL, S3 FOLD")
    check_down(hand)
    assert awards(hand) == [(57, shares)]
    assert payoffs(hand) == [shares[0] - 24, shares[1] - 24, -9]


@pytest.mark.parametrize(("odd_chip", "winner"), [("high_suit", 0), ("low_suit", 1)])
def test_rules_5_high_and_low_suit_look_at_different_cards(odd_chip: str, winner: int) -> None:
    """S1 holds the higher seven (7h over 7d), S2 the lower ace (Ad under As)."""
    hand = deal(
        "As2c 3c4c7hKc Kd", "Ad2d 3d4d7dQd Qh", "???? Kh", rules=table_rules(odd_chip=odd_chip)
    )
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 CALL, S3 FOLD")
    check_down(hand)
    assert awards(hand)[0][1][winner] == 29


def test_rules_5_of_two_cards_of_the_highest_rank_the_higher_suit_counts() -> None:
    """S1 holds 7c and 7s, S2 7h: the seven of spades may be counted."""
    hand = deal("Ah2c 3c4c7cKc 7s", "Ac2d 3d4d7hQd Qh", "???? Kh")
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 CALL, S3 FOLD")
    check_down(hand)
    assert awards(hand) == [(57, {0: 29, 1: 28})]


def test_rules_5_the_highest_card_is_that_of_the_five_that_play() -> None:
    """S2's king of spades does not play; its seven of diamonds is under S1's seven of hearts."""
    hand = deal("Ah2c 3c4c7hJc Qc", "Ac2d 3d4d7dKs Qh", "???? Kh")
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 CALL, S3 FOLD")
    check_down(hand)
    assert awards(hand) == [(57, {0: 29, 1: 28})]


def test_rules_5_the_highest_card_of_a_pair_hand_is_by_rank() -> None:
    """Both have a pair of twos with 9-4-3: the nine decides, not the paired card."""
    hand = deal(
        "2s2h 3s4s9c9d 4c",
        "2c2d 3d4d9h3c 4h",
        "???? Kh",
    )
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 CALL, S3 FOLD")
    check_down(hand)
    # S1 has 9c and 9d, S2 has 9h
    assert awards(hand) == [(57, {0: 28, 1: 29})]


@pytest.mark.parametrize(
    ("odd_chip", "one", "other", "community"),
    [
        ("high_suit", "2c3c4c5c", "2d3d4d5s", "6s"),  # 6-5-4-3-2 both; S2 has the higher five
        ("low_suit", "2d3d4d5d", "2c3c4c5c", "As"),  # a wheel both; S2 has the lower deuce
    ],
)
def test_rules_5_where_the_community_card_decides_for_both_the_first_seat_gets_the_odd_chip(
    odd_chip: str, one: str, other: str, community: str
) -> None:
    """Seven are left of eight, all but S1 and S2 fold to the river bet: 8 * 9 + 7 * 21 + 2 * 42."""
    rules = table_rules(small_bet=21, big_bet=42, odd_chip=odd_chip)
    hand = limp(deal(f"QcKd{one}", f"QdKh{other}", *[""] * 6, rules=rules, community=community))
    play(hand, "S1 BET 21, S2 CALL, S3 CALL, S4 CALL, S5 CALL, S6 CALL, S7 CALL, S8 FOLD")
    check_down(hand, until=7)
    play(hand, "S1 BET 42, S2 CALL, S3 FOLD, S4 FOLD, S5 FOLD, S6 FOLD, S7 FOLD")
    assert hand.community == parse_cards(community)[0]
    assert awards(hand) == [(303, {0: 152, 1: 151})]


# Three seats tie with 7-4-3-2-A, S4 folds: 4 * 4 + n. Sevens: S1 7c, S2 7s, S3 7h.
# Aces: S1 Ah, S2 As, S3 Ad.
TIE_OF_THREE = ("Ah2c 3c4c7cJc Jd", "As2d 3d4d7sQd Qh", "Ad2h 3h4h7hTd Th", "???? Ks")


@pytest.mark.parametrize(
    ("odd_chip", "shares"),
    [
        ("high_suit", {0: 27, 1: 28, 2: 28}),  # S2, then S3
        ("low_suit", {0: 28, 1: 27, 2: 28}),  # S3 (Ad), then S1 (Ah)
        ("first_seat", {0: 29, 1: 27, 2: 27}),  # the whole remainder to the first winner
    ],
)
def test_rules_5_two_odd_chips_among_three_winners(odd_chip: str, shares: dict[int, int]) -> None:
    """Ante 5, bring-in 3: 20 + 3 + 60 = 83 = 3 * 27 + 2."""
    rules = table_rules(ante=5, bring_in=3, odd_chip=odd_chip)
    hand = deal(*TIE_OF_THREE, rules=rules)
    play(hand, "S4 BRING_IN 3, S1 COMPLETE 20, S2 CALL, S3 CALL, S4 FOLD")
    check_down(hand)
    assert awards(hand) == [(83, shares)]


@pytest.mark.parametrize(
    ("odd_chip", "main", "side"),
    [
        ("high_suit", {0: 22, 1: 23, 2: 23}, {1: 74, 2: 73}),
        ("low_suit", {0: 23, 1: 22, 2: 23}, {1: 73, 2: 74}),
        ("first_seat", {0: 24, 1: 22, 2: 22}, {1: 74, 2: 73}),
    ],
)
def test_rules_5_each_pot_is_split_alone(
    odd_chip: str, main: dict[int, int], side: dict[int, int]
) -> None:
    """S1 is all-in for 17: main pot 4 * 17 = 68, side pot 3 * 21 + 2 * 42 = 147."""
    rules = table_rules(ante=5, bring_in=3, small_bet=21, big_bet=42, odd_chip=odd_chip)
    hand = deal(*TIE_OF_THREE, rules=rules, stacks=[17, 500, 500, 500])
    play(hand, "S4 BRING_IN 3, S1 COMPLETE 12, S2 CALL 12, S3 CALL 12, S4 CALL 9")
    play(hand, "S2 BET 21, S3 CALL 21, S4 CALL 21, S2 BET 42, S3 CALL 42, S4 FOLD")
    check_down(hand)
    assert awards(hand) == [(68, main), (147, side)]
    payoffs(hand)
