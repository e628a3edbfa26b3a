"""The dealer's announcements."""

from __future__ import annotations

from agents.table.dealer import Dealer
from razz_env import Hand

from ..support.tables import check_down, deal, limp, play

NAMES = ("Ann", "Bob", "Cid")


def test_a_whole_hand_is_told_in_order() -> None:
    hand = deal("AhKc 5d4s6c8hKh", "AsKd 3h7c9sTcQd", "2h2d KsQs9d9cJs")
    dealer = Dealer(NAMES)
    assert dealer.news(hand) == []
    play(hand, "S3 BRING_IN, S1 COMPLETE, S2 RAISE, S3 FOLD, S1 CALL")
    assert dealer.news(hand) == [
        "Cid brings in for 5.",
        "Ann completes to 20.",
        "Bob raises 20 to 40.",
        "Cid folds.",
        "Ann calls 20.",
        "Fourth street.",
    ]
    check_down(hand)
    assert dealer.news(hand)[-6:] == [
        "Seventh street.",
        "Ann checks.",
        "Bob checks.",
        "Bob shows T-9-7-3-A low.",
        "Ann shows 8-6-5-4-A low.",
        "8-6-5-4-A low wins the pot: 97 to Ann.",
    ]
    assert dealer.news(hand) == []


def test_the_winning_low_is_called() -> None:
    hand = check_down(limp(deal("AhKc 5d4s6c8hKh", "AsKd 3h7c9sTcQd")))
    said = Dealer(NAMES).news(hand)
    assert said[-1] == "8-6-5-4-A low wins the pot: 18 to Ann."
    assert said[-2] == "Bob mucks."


def test_split_and_side_pots_are_told_one_by_one() -> None:
    cards = ["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd", "7h8hQs9dJsQc2h"]
    hand = Hand.from_cards(cards, stacks=[30, 70, 200])
    play(hand, "S3 BRING_IN, S1 COMPLETE, S2 CALL, S3 CALL, S2 BET, S3 CALL, S1 CALL 6")
    play(hand, "S2 BET 26, S3 CALL")
    said = Dealer(NAMES).news(hand)
    assert "Ann calls 6, all-in." in said
    assert said[-2:] == [
        "wheel wins the main pot: 90 to Ann.",
        "6-4-3-2-A low wins side pot 1: 80 to Bob.",
    ]


def test_a_tie_splits_and_a_walk_has_no_low() -> None:
    hand = check_down(limp(deal("AhKc 5d4s6c8hKh", "AsKd 5h4c6s8cQd")))
    assert Dealer(NAMES).news(hand)[-1] == "8-6-5-4-A low splits the pot: 9 to Ann and 9 to Bob."
    hand = deal("????2c", "????Ks")
    play(hand, "S2 BRING_IN, S1 FOLD")
    assert Dealer(NAMES).news(hand)[-2:] == [
        "Bob takes back 5, uncalled.",
        "Bob wins the pot, 8.",
    ]


def test_no_card_that_lies_face_down_is_ever_told() -> None:
    hand = deal("AhKc 5d4s6c8hKh", "AsKd 3h7c9sTcQd")
    dealer = Dealer(NAMES)
    assert dealer.news(hand) == []  # down and door cards have been dealt
