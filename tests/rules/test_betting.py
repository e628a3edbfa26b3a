"""Fourth to seventh street: who acts first, what may be done, the cap (RULES 2 and 4)."""

from __future__ import annotations

import pytest

from razz_env import Action, Hand, HouseRules, IllegalAction, Street

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


def boards(*up_cards: str, **kwargs: object) -> Hand:
    """A limped table T hand with these up cards, at the street where the boards are this long."""
    hand = limp(deal(*(f"????{cards}" for cards in up_cards), **kwargs))
    return check_down(hand, until=len(up_cards[0]) // 2 + 2)


def test_r03_a_pair_of_aces_is_a_higher_board_than_king_four() -> None:
    hand = boards("Kd4s", "5h4h", "AsAh")
    assert hand.street == Street.FOURTH
    assert hand.first_to_act == 1
    play(hand, "S2 CHECK, S3 CHECK, S1 CHECK")
    assert hand.street == Street.FIFTH


@pytest.mark.parametrize(
    ("up_cards", "first"),
    [
        (("7c3d", "7s2h", "Kh9c"), 1),  # the second card decides
        (("KdQs", "AsAh", "2c2d"), 0),  # any unpaired board is lower than any pair
        (("2c2d", "AsAh", "KdKs"), 1),  # a pair of aces is the lowest pair
        (("9c3dAh", "8s7h6h", "Kh2c3s"), 1),
        (("9c9dAh", "8s8hKd", "KhKc2c"), 1),
        (("KcQdJh", "AsAhAd", "2s2h3c"), 0),  # trips are worse than a pair
        (("AcAdAh", "KsKhQc", "QhQdJc"), 2),
        (("AcAd2h2s", "KsKhQc4h", "8h8d7c7s"), 1),  # two pair is worse than any pair
        (("AcAd2h2s", "3s3hAh4h", "8h8d7c7s"), 1),
        (("AcAd3h3s", "2s2h4h4d", "9h8d7c6s"), 2),
        (("AcAdKhKs", "2s2h2d3c", "4h4d3h3s"), 2),
        (("8c4d3h2s", "8s4hAh3c", "8h5dAcAd"), 1),
    ],
)
def test_rules_4_the_lowest_exposed_board_acts_first(up_cards: tuple[str, ...], first: int) -> None:
    hand = boards(*up_cards)
    assert hand.first_to_act == first
    assert hand.actor == first


@pytest.mark.parametrize(("board_tie", "first"), [("position", 0), ("high_suit", 1)])
def test_r05_equal_boards(board_tie: str, first: int) -> None:
    hand = boards("7c3d", "7s3h", "9h2c", rules=table_rules(board_tie=board_tie))
    assert hand.actor == hand.first_to_act == first


@pytest.mark.parametrize(
    ("preset", "board_tie", "first"),
    [("full_tilt", "position", 0), ("pokerstars", "high_suit", 1), ("tda", "high_suit", 1)],
)
def test_r05_the_preset_decides_and_the_hand_says_which_rule_it_was(
    preset: str, board_tie: str, first: int
) -> None:
    hand = boards("7c3d", "7s3h", "9h2c", rules=HouseRules.preset(preset))
    assert hand.actor == hand.first_to_act == first
    assert hand.rules.board_tie == board_tie
    assert Hand.from_bytes(hand.to_bytes()).rules.board_tie == board_tie


@pytest.mark.parametrize(
    ("up_cards", "first"),
    [
        (("7s3c", "7h3s", "Kc2d"), 0),  # the highest card counts, not the second
        (("7d3c", "7h3s", "7c3d"), 1),
        (("7c7d", "7h7s", "KsKd"), 1),
        (("9c5s4s", "9d5c4c", "KdQd2s"), 1),
        (("Kc2s2h", "Kd2c2d", "QdQc3s"), 1),  # highest by rank: the king beside the pair
    ],
)
def test_rules_8_board_tie_high_suit_compares_the_highest_card_by_suit(
    up_cards: tuple[str, ...], first: int
) -> None:
    """Spades act first."""
    hand = boards(*up_cards, rules=table_rules(board_tie="high_suit"))
    assert hand.first_to_act == first
    hand = boards(*up_cards, rules=table_rules(board_tie="position"))
    assert hand.first_to_act == 0


def test_rules_4_folded_boards_never_count() -> None:
    hand = deal("????2c3c4c", "????5d6d9d", "????Ks8h7h")
    play(hand, "S3 BRING_IN, S1 CALL, S2 CALL, S1 CHECK, S2 BET, S3 CALL, S1 FOLD")
    assert hand.street == Street.FIFTH
    assert hand.first_to_act == 1
    assert hand.live_seats == (1, 2)


def test_rules_4_seventh_street_keeps_the_order_of_sixth() -> None:
    # the down cards of S1 would make its whole hand worst
    hand = boards("2c3c4c5c", "6d7d8d9d", "KsTsJs8s")
    play(hand, "S1 CHECK, S2 CHECK, S3 CHECK")
    assert hand.street == Street.SEVENTH
    play(hand, "S1 CHECK, S2 CHECK, S3 CHECK")
    assert hand.is_over


def test_rules_4_seventh_street_when_the_first_seat_of_sixth_has_folded() -> None:
    """Folded seats never count: the lowest board still live opens, not the next seat."""
    hand = boards("2c3c4c5c", "KsQs9h8h", "6d7d8d9d")
    play(hand, "S1 CHECK, S2 CHECK, S3 BET, S1 FOLD, S2 CALL")
    assert hand.street == Street.SEVENTH
    assert hand.first_to_act == hand.actor == 2


def test_m07_first_actor_with_no_bet_may_check_or_bet() -> None:
    hand = limp(ladder_hand(3))
    assert menu(hand) == {"CHECK": 0, "BET": 20}
    assert hand.to_call == 0
    with refused(kind=IllegalAction):
        hand.apply(Action.FOLD)


def test_m07_the_fold_bit_follows_the_option() -> None:
    hand = limp(ladder_hand(3, rules=table_rules(fold_when_check_is_free=True)))
    assert menu(hand) == {"FOLD": 0, "CHECK": 0, "BET": 20}
    play(hand, "S1 FOLD")
    assert menu(hand) == {"FOLD": 0, "CHECK": 0, "BET": 20}


def test_m07_the_bring_in_seat_may_not_fold_even_when_free_folds_are_allowed() -> None:
    hand = ladder_hand(3, rules=table_rules(fold_when_check_is_free=True))
    assert menu(hand) == {"BRING_IN": 5, "COMPLETE": 20}


def test_rules_8_free_folds_win_the_pot_for_the_last_seat() -> None:
    hand = limp(ladder_hand(3, rules=table_rules(fold_when_check_is_free=True)))
    play(hand, "S1 FOLD, S2 FOLD")
    assert payoffs(hand) == [-9, -9, 18]


def test_rules_4_facing_a_bet_fold_call_or_raise() -> None:
    hand = play(limp(ladder_hand(3)), "S1 BET 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}


def test_rules_4_check_raising_is_allowed() -> None:
    hand = play(limp(ladder_hand(2)), "S1 CHECK, S2 BET 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}
    play(hand, "S1 RAISE to 40, S2 CALL 20")
    assert hand.street == Street.FIFTH


def test_rules_4_checking_round_ends_the_street() -> None:
    hand = play(limp(ladder_hand(3)), "S1 CHECK, S2 CHECK")
    assert hand.street == Street.FOURTH
    play(hand, "S3 CHECK")
    assert hand.street == Street.FIFTH


def test_rules_2_small_bet_on_fourth_big_bet_from_fifth_on() -> None:
    hand = limp(ladder_hand(2))
    for street, size in ((4, 20), (5, 40), (6, 40), (7, 40)):
        assert hand.street == street
        play(hand, f"S1 BET {size}")
        assert menu(hand) == {"FOLD": 0, "CALL": size, "RAISE": 2 * size}
        play(hand, f"S2 RAISE to {2 * size}, S1 RAISE to {3 * size}, S2 CALL {size}")
    assert hand.is_over


def test_rules_2_an_open_pair_on_fourth_street_allows_no_big_bet() -> None:
    hand = limp(deal("????2c2d", "????KsKh"))
    assert hand.street == Street.FOURTH
    assert menu(hand) == {"CHECK": 0, "BET": 20}


def test_rules_2_small_bet_may_equal_big_bet() -> None:
    hand = limp(ladder_hand(2, rules=table_rules(small_bet=40)))
    assert menu(hand)["BET"] == 40
    check_down(hand, until=5)
    assert menu(hand)["BET"] == 40


@pytest.mark.parametrize("cap", [1, 2, 4, 5])
def test_rules_4_cap_of_bets_per_round(cap: int) -> None:
    hand = limp(ladder_hand(2, stacks=5_000, rules=table_rules(max_bets_per_round=cap)))
    for size in (20, 40, 40, 40):
        hand.apply(Action.BET)
        for bets in range(2, cap + 1):
            assert hand.to_amount(Action.RAISE) == bets * size
            hand.apply(Action.RAISE)
        assert hand.legal_actions() == (Action.FOLD, Action.CALL)
        hand.apply(Action.CALL)
    assert hand.is_over


def test_rules_4_cap_example_of_2_4() -> None:
    """0.50 -> 2 -> 4 -> 6 -> 8 and no further."""
    rules = table_rules(ante=40, bring_in=50, small_bet=200, big_bet=400)
    hand = ladder_hand(2, stacks=10_000, rules=rules)
    play(
        hand,
        "S2 BRING_IN to 50, S1 COMPLETE to 200, S2 RAISE to 400, S1 RAISE to 600, S2 RAISE to 800",
    )
    assert menu(hand) == {"FOLD": 0, "CALL": 200}


def test_r07_betting_is_capped_with_two_players_left_and_chips_behind() -> None:
    """River, big bet 8, pot 92: 8, 16, 24, 32; each raise by a seat that has already acted."""
    rules = table_rules(ante=2, bring_in=1, small_bet=4, big_bet=8)
    hand = ladder_hand(2, rules=rules)
    play(hand, "S2 BRING_IN, S1 COMPLETE, S2 RAISE, S1 RAISE to 12, S2 CALL")
    play(hand, "S1 BET, S2 RAISE, S1 RAISE, S2 RAISE to 16, S1 CALL")
    play(hand, "S1 BET, S2 CALL, S1 BET, S2 CALL")
    assert hand.street == Street.SEVENTH
    assert hand.pot_chips == 92
    play(hand, "S1 BET to 8, S2 RAISE to 16, S1 RAISE to 24, S2 RAISE to 32")
    assert menu(hand) == {"FOLD": 0, "CALL": 8}
    play(hand, "S1 CALL")
    assert sum(chips for chips, _ in pots(hand)) == 156


def test_rules_3_names_complete_bet_and_raise() -> None:
    hand = ladder_hand(2)
    play(hand, "S2 BRING_IN, S1 COMPLETE, S2 RAISE, S1 CALL, S1 BET, S2 RAISE, S1 CALL")
    assert hand.street == Street.FIFTH


def test_rules_4_a_raise_reopens_for_those_who_called() -> None:
    hand = limp(ladder_hand(3))
    play(hand, "S1 BET, S2 CALL, S3 RAISE to 40, S1 CALL 20")
    assert menu(hand) == {"FOLD": 0, "CALL": 20, "RAISE": 40}


def test_rules_4_the_bettor_gets_no_second_turn_when_all_call() -> None:
    hand = limp(ladder_hand(3))
    play(hand, "S1 CHECK, S2 BET, S3 CALL, S1 CALL")
    assert hand.street == Street.FIFTH
