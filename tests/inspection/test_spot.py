"""Spots as text become the hands that are meant, or are refused with the way out."""

from __future__ import annotations

from typing import Any

import pytest

from agents.inspection import SpotError, read_spot
from razz_env import Action, Hand, HouseRules, Street
from razz_env.rules.action_log import logged_actions
from razz_env.rules.cards import RANKS, format_cards

from ..support.errors import refused


def ranks(cards: Any) -> str:
    return "".join(RANKS[card // 4] for card in cards)


def done(hand: Hand) -> str:
    """What was done, as "1i 2f 0c"."""
    letters = dict(zip(Action, "fxciobr", strict=True))
    log = logged_actions(hand.record.public)
    return " ".join(f"{seat}{letters[action]}" for seat, action in log)


@pytest.mark.parametrize("text", ["(A2)3 | K 7", "(a2)3|K|7", "[A 2] 3 | K | 7", "(A,2)3 | K 7"])
def test_the_spot_of_three_players_in_several_spellings(text: str) -> None:
    hand = read_spot(text)
    assert hand.actor == 0
    assert hand.street == Street.THIRD
    assert (ranks(hand.down_cards(0)), ranks(hand.up_cards(0))) == ("A2", "3")
    assert [ranks(hand.up_cards(seat)) for seat in (1, 2)] == ["K", "7"]
    assert done(hand) == "1i 2c"


def test_cards_with_suits_are_those_cards() -> None:
    hand = read_spot("(As 2h) 3c 10d | Kd 8c | 7s 7h")
    assert format_cards(hand.down_cards(0)) == "As2h"
    assert [format_cards(hand.up_cards(seat)) for seat in range(3)] == ["3cTd", "Kd8c", "7s7h"]


def test_no_card_is_dealt_twice_though_many_are_of_one_rank() -> None:
    hand = read_spot("(88)8 | 8 9 9 9 9 K Q")
    assert sorted(ranks(hand.up_cards(seat)) for seat in range(8)) == sorted("88999" + "9KQ")
    cards = [card for seat in range(8) for card in (*hand.down_cards(seat), *hand.up_cards(seat))]
    assert len(set(cards)) == 24


@pytest.mark.parametrize(
    ("text", "how", "street", "actions"),
    [
        ("(A2)3 | K | 7f | Qf", {}, 3, "1i 2f 3f"),
        ("(A2)K | 3 | 7", {}, 3, ""),
        ("(A2)3 | Q | 7f | Kf | 8", {"actions": "iorcffr"}, 3, "3i 4o 0r 1c 2f 3f 4r"),
        ("(A2)34 | K8 | 79 | Tf", {}, 4, "1i 2o 3f 0c 1c"),
        ("(A2)34 | K8 | 79 | Tf", {"seat": 2}, 4, "3i 0o 1f 2c 3c"),
        ("(A2)9T | 34 | K8f", {}, 4, "2i 0o 1c 2c 1b 2f"),
        ("(A2)9T | 34 | 38f | K2", {}, 4, "3i 0o 1c 2c 3c 1b 2f 3c"),
        ("(A2)3456(7) | KQJT", {}, 7, "1i 0o 1c 0b 1c 0b 1c 0b 1c"),
        ("(A2)3456 (7c) | KQJT | 8f | 9Tf", {}, 7, None),
        ("(A2)345 | 89T", {"actions": "br"}, 5, "1i 0o 1c 0b 1c 0b 1r"),
        ("(A2)345 | 89T", {"actions": "i c/ x b c /b, raise"}, 5, "1i 0c 0x 1b 0c 0b 1r"),
        ("(A2)345 | 89T", {"actions": "bring-in complete raise call / / "}, 5, None),
        ("(A2)3 | K", {"actions": "Bring In"}, 3, "1i"),
    ],
)
def test_what_was_done_is_told_or_usual(
    text: str, how: dict[str, Any], street: int, actions: str | None
) -> None:
    hand = read_spot(text, **how)
    assert hand.street == street
    assert hand.actor == how.get("seat", 0)
    if actions is not None:
        assert done(hand) == actions


def test_stacks_are_in_the_order_of_the_text_wherever_the_seat_is() -> None:
    for seat in range(3):
        hand = read_spot("(A2)3 | K | 7", stacks=[100, 200, 300], seat=seat)
        assert [int(hand.starting_stacks[(seat + k) % 3]) for k in range(3)] == [100, 200, 300]
        assert ranks(hand.up_cards((seat + 1) % 3)) == "K"


def test_stakes_and_small_variants_are_those_of_the_rules() -> None:
    kuhn = read_spot("(2)3 | 4", rules="kuhn")
    assert kuhn.legal_actions() == (Action.FOLD, Action.CALL, Action.COMPLETE)
    mini = read_spot("(A2)34(5) | 45", rules="mini24")
    assert mini.street == Street.SEVENTH
    dear = read_spot(
        "(A2)3 | K",
        rules=HouseRules.preset("wsop_live", ante=50, bring_in=70, small_bet=200, big_bet=400),
        stacks=5000,
    )
    assert dear.pot_chips == 170


def test_eight_on_seventh_street_share_a_community_card() -> None:
    boards = "9TJQ | 9TJQ | 9TJQ | Q8KK | 8KA2 | 2345 | 6677"
    hand = read_spot(f"(A2)3456 | {boards}", community="8", seat=3, stacks=2000)
    assert hand.street == Street.SEVENTH
    assert hand.community is not None
    assert RANKS[hand.community // 4] == "8"


def test_burn_cards_take_nothing_that_is_written() -> None:
    hand = read_spot("(A2)3456(7) | KQJT | 89TJ", rules="wsop_live")
    assert ranks(hand.up_cards(1)) == "KQJT"
    assert ranks(hand.down_cards(0)) == "A27"


@pytest.mark.parametrize(
    ("text", "how", "words"),
    [
        ("A23 | K", {}, ["brackets", "(A2)3"]),
        ("(A2)3", {}, ["nobody else", "|"]),
        ("(A2) | K", {}, ["0 up cards"]),
        ("(A)3 | K", {}, ["1 down cards", "deal 2"]),
        ("(A2)3 | K7", {}, ["K7", "2 cards on third street", "separated by |"]),
        ("(A2)34 | K", {}, ["1 cards on fourth street", "f behind"]),
        ("(A2)3 | K | ", {}, ["seat 2", "no card"]),
        ("(A2)3 | K 7x", {}, ["'x'", "suit"]),
        ("(xx)3 | K", {}, ["down cards", "'xx'"]),
        ("(A2)3 | K | 78f", {}, ["78f", "2 cards, more than your 1", "after folding"]),
        ("(As2)3 | As", {}, ["As", "twice"]),
        ("(AA)3 | K | AA | 4", {}, ["AA"]),
        ("(AA)3 | K A 9 A A", {}, ["rank A"]),
        ("(A2)3 | K K", {}, ["2 seats", "door card K", "Ks"]),
        ("(A2)3(7) | K", {}, ["seventh card", "after 4 up cards"]),
        ("(A2)3456(78) | KQJT", {}, ["one down card"]),
        ("(A2)3456(7) | KQJT", {"community": "8"}, ["leave out your own"]),
        ("(A2)3456 | KQJT", {"community": "8"}, ["not short"]),
        ("(A2)3 | K", {"seat": 2}, ["no seat 2", "0 to 1"]),
        ("(A2)3 | K", {"actions": "complete raise raise raise raise"}, ["RAISE", "legal", "5"]),
        ("(A2)3 | K", {"actions": "i c"}, ["CALL", "third street is over"]),
        ("(A2)3 | K", {"actions": "i f"}, ["over"]),
        ("(A2)34 | K5", {"actions": "i"}, ["fourth street may not BRING_IN", "action 1"]),
        ("(A2)34 | K5", {"actions": "i/x"}, ["third street end while seat 0"]),
        ("(A2)34 | K5", {"actions": "i o c"}, ["legal"]),
        ("(A2)3 | K", {"actions": "i/x"}, ["2 streets", "third"]),
        ("(A2)3 | K 7", {"actions": "i f"}, ["seat 2 folds", "f behind"]),
        ("(A2)3 | K 7", {"actions": "i"}, ["seat 2 is to act", "not you in seat 0"]),
        ("(A2)3 | Kf 7", {}, ["seat 1 is marked as folded", "tell the actions"]),
        ("(A2)34 | K5 | 78f", {"actions": "ifoc/"}, ["seat 2 folds with 1 up cards", "2 are"]),
        ("(A2)3 | K", {"actions": "bing"}, ["'bing'", "bring-in"]),
        ("(A2)3 | K", {"rules": "full"}, ["full_tilt"]),
        ("(A2)3 | K", {"stacks": 4}, ["no hand has a decision"]),
        ("(A2)3 | K", {"stacks": [1, 2, 3]}, ["2 players"]),
        ("(A2)3 | " + "K " * 8, {}, ["2 to 8"]),
        ("(A7)3 | 4", {"rules": "mini20"}, ["rank 7"]),
    ],
)
def test_what_cannot_be_is_refused_with_the_way_out(
    text: str, how: dict[str, Any], words: list[str]
) -> None:
    with refused(*words, kind=ValueError):
        read_spot(text, **how)


def test_the_highest_of_equal_doors_may_be_told_by_one_spade() -> None:
    assert read_spot("(A2)3 | K Ks").bring_in_seat == 2
    with pytest.raises(SpotError):
        read_spot("(A2)3 | K Kh")
