"""Hands whose observations are worked out by hand, part by part.

The stakes are those of table T, 4/5/20/40 with four bets a round. So a hand can cost a seat
4 + (4 + 1/2) x (2 x 20 + 3 x 40) = 724 chips, and a round five bets of its street.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from razz_env import Hand, HouseRules

from ..support.lows import DECK
from ..support.tables import check_down, limp, play, table_rules
from .worked import boards, by_street, check, log, ranks, same, seen, thirteenths

LIMIT = 724
THIRD = "S3 BRING_IN 5, S1 COMPLETE 20, S2 RAISE to 40"
FOURTH = f"{THIRD}, S3 CALL 35, S1 CALL 20, S2 BET 20, S3 CALL 20, S1 RAISE to 40, S2 FOLD"
SEVENTH = (
    f"{FOURTH}, S3 CALL 20, S1 BET 40, S3 CALL 40, S1 CHECK, S3 BET 40, S1 CALL 40,"
    "S1 BET 40, S3 RAISE to 80, S1 RAISE to 120"
)
END = f"{SEVENTH}, S3 CALL 40"


def three(script: str) -> Hand:
    """Three seats, of which the second folds on fourth street."""
    cards = ["AhAd 2c7d9h3s Kc", "5c6c 2d4h", "8c8d Ks5h5sQd 6h"]
    return play(Hand.from_cards(cards, table_rules(), [500, 1000, 300]), script)


def six() -> Hand:
    """Six seats: the second is all-in for the completion, the third has folded, the fifth acts."""
    cards = ["AcAd2c", "3c3d6d", "4c4d7d", "5c5d8d", "9c9h9d", "TcTdKs"]
    hand = Hand.from_cards(cards, table_rules(), [500, 24, 500, 500, 500, 500])
    return play(hand, "S6 BRING_IN 5, S1 COMPLETE 20, S2 CALL 20, S3 FOLD, S4 CALL 20")


def roots(limit: int, *chips: int) -> np.ndarray:
    return np.sqrt(np.array(chips) / limit)


def test_three_seats_on_third_street_by_the_seat_to_act() -> None:
    """Seats from the third: itself, then the first and the second."""
    check(
        seen(three(THIRD), 2),
        {
            "own_down": ranks("88"),
            "own_river": 0,
            "up_cards": boards("K", "2", "2"),
            "community": 0,
            "dead_ranks": ranks("22") / 4,
            # A 2 3 4 5 6 7 8 9 T J Q K: 47 cards not seen
            "unseen_ranks": np.array([4, 2, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4, 3]) / 4,
            "present": 1,
            "live": 1,
            "all_in": 0,
            "bring_in": [1, 0, 0],
            "first_to_act": [1, 0, 0],
            "last_aggressor": [0, 0, 1],
            "to_act": [1, 0, 0],
            "street_chips": [0.05, 0.2, 0.4],  # 5, 20 and 40 of 5 x 20
            "total_chips": roots(LIMIT, 9, 24, 44),
            "stack": roots(LIMIT, 291, 476, LIMIT),  # 956 is more than a hand can cost
            "street": [1, 0, 0, 0, 0],
            # 35 to call into 77
            "round": [2 / 4, 2 / 4, np.sqrt(77 / 2172), 0.35, 35 / 112, 2 / 3, 2 / 3, 0],
            "stakes": [4 / 44, 5 / 20, 20 / 40],
            "betting": by_street(3, [[0, 1, 0], [0, 0, 1], [0, 0, 1]]),
            "own_low": thirteenths(6, 1, places=5),
            "board_lows": [thirteenths(n, places=4) for n in (1, 12, 12)],
        },
    )


def test_three_seats_on_fourth_street_by_another_seat_after_a_fold() -> None:
    """The folded seat's up cards stay, and so does the mark that it opened the street."""
    check(
        seen(three(FOURTH), 0),
        {
            "own_down": ranks("AA"),
            "own_river": 0,
            "up_cards": boards("27", "24", "K5"),
            "community": 0,
            "dead_ranks": ranks("24K5") / 4,
            "unseen_ranks": np.array([2, 2, 4, 3, 3, 4, 3, 4, 4, 4, 4, 4, 3]) / 4,
            "present": 1,
            "live": [1, 0, 1],
            "all_in": 0,
            "bring_in": [0, 0, 1],
            "first_to_act": [0, 1, 0],
            "last_aggressor": [1, 0, 0],
            "to_act": [0, 0, 1],
            "street_chips": [0.4, 0.2, 0.2],
            "total_chips": roots(LIMIT, 84, 64, 64),
            "stack": roots(LIMIT, 416, LIMIT, 236),
            "street": [0, 1, 0, 0, 0],
            "round": [2 / 4, 2 / 4, np.sqrt(212 / 2172), 0, 0, 1 / 3, 1 / 3, 0],
            "stakes": [4 / 44, 5 / 20, 20 / 40],
            "betting": by_street(
                3, [[0, 1, 1], [0, 0, 1], [0, 2, 0]], [[0, 0, 1], [0, 0, 1], [0, 1, 0]]
            ),
            "own_low": thirteenths(13, 12, 7, places=5),
            "board_lows": [thirteenths(*n, places=4) for n in ((12, 7), (12, 10), (9, 1))],
        },
    )


def test_three_seats_on_seventh_street() -> None:
    check(
        seen(three(SEVENTH), 2),
        {
            "own_down": ranks("88"),
            "own_river": ranks("6"),
            "up_cards": boards("K55Q", "2793", "24"),
            "community": 0,
            "dead_ranks": ranks("279324") / 4,
            "unseen_ranks": np.array([4, 2, 3, 3, 2, 3, 3, 2, 3, 4, 4, 3, 3]) / 4,
            "present": 1,
            "live": [1, 1, 0],
            "all_in": 0,
            "bring_in": [1, 0, 0],
            "first_to_act": [0, 1, 0],
            "last_aggressor": [0, 1, 0],
            "to_act": [1, 0, 0],
            "street_chips": [0.4, 0.6, 0],  # 80 and 120 of 5 x 40
            "total_chips": roots(LIMIT, 244, 284, 64),
            "stack": roots(LIMIT, 56, 216, LIMIT),
            "street": [0, 0, 0, 0, 1],
            "round": [3 / 4, 1 / 4, np.sqrt(592 / 2172), 40 / 200, 40 / 632, 1 / 3, 1 / 3, 0],
            "stakes": [4 / 44, 5 / 20, 20 / 40],
            "betting": by_street(
                3,
                [[0, 2, 0], [0, 1, 1], [0, 0, 1]],
                [[0, 2, 0], [0, 0, 1], [0, 0, 1]],
                [[0, 1, 0], [0, 0, 1], [0, 0, 0]],
                [[0, 0, 1], [1, 1, 0], [0, 0, 0]],
                [[0, 0, 1], [0, 0, 2], [0, 0, 0]],
            ),
            "own_low": thirteenths(9, 8, 6, 2, 1, places=5),
            "board_lows": [
                thirteenths(*n, places=4) for n in ((9, 2, 1), (12, 11, 7, 5), (12, 10))
            ],
        },
    )


def test_six_seats_of_which_one_is_all_in_and_one_has_folded() -> None:
    """Seats from the fifth: itself, bring-in, completion, all-in, fold, call."""
    check(
        seen(six(), 4),
        {
            "own_down": ranks("99"),
            "own_river": 0,
            "up_cards": boards("9", "K", "2", "6", "7", "8"),
            "community": 0,
            "dead_ranks": ranks("K2678") / 4,
            "unseen_ranks": np.array([4, 3, 4, 4, 4, 3, 3, 3, 1, 4, 4, 4, 3]) / 4,
            "present": 1,
            "live": [1, 1, 1, 1, 0, 1],
            "all_in": [0, 0, 0, 1, 0, 0],
            "bring_in": [0, 1, 0, 0, 0, 0],
            "first_to_act": [0, 1, 0, 0, 0, 0],
            "last_aggressor": [0, 0, 1, 0, 0, 0],
            "to_act": [1, 0, 0, 0, 0, 0],
            "street_chips": [0, 0.05, 0.2, 0.2, 0, 0.2],
            "total_chips": roots(LIMIT, 4, 9, 24, 24, 4, 24),
            "stack": roots(LIMIT, 496, 491, 476, 0, 496, 476),
            "street": [1, 0, 0, 0, 0],
            # four opponents live, three of them with chips
            "round": [1 / 4, 3 / 4, np.sqrt(89 / 4344), 0.2, 20 / 109, 4 / 6, 3 / 6, 0],
            "stakes": [4 / 44, 5 / 20, 20 / 40],
            "betting": by_street(
                6, [[0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 0], [0, 1, 0]]
            ),
            "own_low": thirteenths(5, places=5),
            "board_lows": [thirteenths(n, places=4) for n in (5, 1, 12, 8, 7, 6)],
        },
    )


def test_two_seats_at_other_stakes_while_the_bring_in_is_due() -> None:
    """A hand can cost 10 + (3 + 1/2) x (2 x 20 + 3 x 30) = 465, which one seat has just left."""
    rules = HouseRules(ante=10, bring_in=5, small_bet=20, big_bet=30, max_bets_per_round=3)
    hand = Hand.from_cards(["AhKd3c", "2h2sKc"], rules, [475, 126])
    check(
        seen(hand, 1),
        {
            "own_down": ranks("22"),
            "own_river": 0,
            "up_cards": boards("K", "3"),
            "community": 0,
            "dead_ranks": ranks("3") / 4,
            "unseen_ranks": np.array([4, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3]) / 4,
            "present": 1,
            "live": 1,
            "all_in": 0,
            "bring_in": [1, 0],
            "first_to_act": [1, 0],
            "last_aggressor": 0,
            "to_act": [1, 0],
            "street_chips": 0,
            "total_chips": roots(465, 10, 10),
            "stack": roots(465, 116, 465),
            "street": [1, 0, 0, 0, 0],
            "round": [0, 1, np.sqrt(20 / 930), 0, 0, 1 / 2, 1 / 2, 1],
            "stakes": [10 / 40, 5 / 20, 20 / 30],
            "betting": 0,
            "own_low": thirteenths(12, 1, places=5),
            "board_lows": [thirteenths(n, places=4) for n in (1, 11)],
        },
    )
    play(hand, "S2 BRING_IN 5")
    # a call of 5 into 25, of three bets of 20 and one more; nobody has bet yet
    same(seen(hand, 0)["round"], [0, 1, np.sqrt(25 / 930), 5 / 80, 5 / 30, 1 / 2, 1 / 2, 0])
    same(seen(hand, 0)["bring_in"], [0, 1])
    play(hand, "S1 COMPLETE to 20, S2 RAISE to 40")
    same(seen(hand, 0)["round"][:2], [2 / 3, 1 / 3])


def test_what_a_seat_owes_is_its_own_and_a_folded_seat_owes_nothing() -> None:
    hand = three(FOURTH)
    same(seen(hand, 2)["round"][3:7], [20 / 100, 20 / 232, 1 / 3, 1 / 3])
    same(seen(hand, 1)["round"][3:7], [0, 0, 2 / 3, 2 / 3])
    same(seen(three(THIRD), 0)["round"][3:7], [20 / 100, 20 / 97, 2 / 3, 2 / 3])


def test_an_all_in_seat_is_no_opponent_with_chips_but_has_some() -> None:
    hand = six()
    same(seen(hand, 1)["round"][3:7], [0, 0, 4 / 6, 4 / 6])
    same(seen(hand, 1)["all_in"], [1, 0, 0, 0, 0, 0])
    same(seen(hand, 2)["round"][3:7], [0, 0, 5 / 6, 4 / 6])


def test_the_last_aggressor_is_that_of_this_street() -> None:
    hand = three(FOURTH)
    same(seen(hand, 2)["last_aggressor"], [0, 1, 0])
    play(hand, "S3 CALL")
    same(seen(hand, 2)["last_aggressor"], 0)
    same(seen(hand, 2)["first_to_act"], [0, 1, 0])
    play(hand, "S1 CHECK, S3 BET 40")
    same(seen(hand, 2)["last_aggressor"], [1, 0, 0])
    same(seen(hand, 2)["first_to_act"], [0, 1, 0])


def test_eight_seats_share_the_last_card() -> None:
    """All but the aces lie on the table: seat 0 has 2222 33, seat 1 33 4444, .. seat 7 QQ KKKK."""
    cards = ["".join(DECK[at : at + 6]) for at in range(4, 52, 6)]
    hand = limp(Hand.from_cards(cards, table_rules(), community="Ah"))
    same(seen(hand, 0)["community"], 0)
    check_down(hand, until=7)
    parts = seen(hand, 0)
    same(parts["community"], ranks("A"))
    same(parts["own_down"], ranks("22"))
    same(parts["own_river"], 0)
    same(parts["up_cards"][:2], boards("2233", "4444"))
    same(parts["dead_ranks"], np.array([1, 0, 0, 4, 2, 2, 4, 2, 2, 4, 2, 2, 4]) / 4)
    same(parts["unseen_ranks"], np.array([3, 0, 2, 0, 2, 2, 0, 2, 2, 0, 2, 2, 0]) / 4)
    same(parts["own_low"], thirteenths(13, 12, 11, places=5))
    same(parts["board_lows"][:2], [thirteenths(*n, places=4) for n in ((12, 11), (10,))])


def test_hands_shown_at_the_end_are_dead_and_mucked_ones_are_not() -> None:
    """The first seat shows A A . . . . K and wins; the third mucks 8 8 . . . . 6."""
    before, after = three(SEVENTH), three(END)
    assert after.is_over
    dead = {seat: seen(before, seat)["dead_ranks"] * 4 for seat in range(3)}
    same(seen(after, 2)["dead_ranks"] * 4, dead[2] + ranks("AAK"))
    same(seen(after, 1)["dead_ranks"] * 4, dead[1] + ranks("AAK"))
    same(seen(after, 0)["dead_ranks"] * 4, dead[0])
    same(seen(after, 2)["unseen_ranks"] * 4, [2, 2, 3, 3, 2, 3, 3, 2, 3, 4, 4, 3, 2])
    same(seen(after, 0)["unseen_ranks"], seen(before, 0)["unseen_ranks"])
    same(seen(after, 2)["to_act"], 0)
    same(seen(after, 2)["stack"], roots(LIMIT, 16, LIMIT, LIMIT))


def test_the_action_log_of_six_seats() -> None:
    hand = six()
    same(
        seen(hand, 4, "infostate")["action_log"],
        log((1, 3, 3), (2, 4, 3), (3, 2, 3), (4, 0, 3), (5, 2, 3)),
    )
    same(
        seen(hand, 0, "infostate")["action_log"],
        log((5, 3, 3), (0, 4, 3), (1, 2, 3), (2, 0, 3), (3, 2, 3)),
    )


def test_the_action_log_over_streets() -> None:
    third = [(0, 3, 3), (1, 4, 3), (2, 6, 3), (0, 2, 3), (1, 2, 3)]
    fourth = [(2, 5, 4), (0, 2, 4), (1, 6, 4), (2, 0, 4), (0, 2, 4)]
    later = [(1, 5, 5), (0, 2, 5), (1, 1, 6), (0, 5, 6), (1, 2, 6), (1, 5, 7), (0, 6, 7), (1, 6, 7)]
    parts = seen(three(SEVENTH), 2, "infostate")
    same(parts["action_log"], log(*third, *fourth, *later))
    shared = seen(three(SEVENTH), 2)
    check({name: parts[name] for name in shared}, shared)


def test_streets_that_a_small_variant_leaves_out_are_left_out_of_the_action_log() -> None:
    """`mini24` is played on third, fourth and seventh street."""
    hand = Hand.deal(2, "mini24", seed=3)
    hand.apply("BRING_IN")
    opener, other = 1 - int(hand.actor), int(hand.actor)  # type: ignore[arg-type]
    play(hand, f"S{other + 1} CALL")
    fourth = [hand.actor, 1 - int(hand.actor)]  # type: ignore[arg-type]
    play(hand, f"S{fourth[0] + 1} CHECK, S{fourth[1] + 1} CHECK")
    assert hand.street == 7
    me = int(hand.actor)  # type: ignore[arg-type]
    played = [(opener, 3, 3), (other, 2, 3), (fourth[0], 1, 4), (fourth[1], 1, 4)]
    turned = [((seat - me) % 2, action, street) for seat, action, street in played]
    full, features = seen(hand, me, "infostate"), seen(hand, me)
    same(full["action_log"], log(*turned))
    check({name: full[name] for name in features}, features)


@pytest.mark.parametrize("script", [THIRD, FOURTH, SEVENTH, END])
def test_another_viewer_sees_the_same_seats_turned(script: str) -> None:
    hand = three(script)
    names = (
        "up_cards present live all_in bring_in first_to_act last_aggressor to_act street_chips "
        "total_chips stack board_lows"
    ).split()
    views: list[dict[str, Any]] = [seen(hand, seat) for seat in range(3)]
    for seat in (1, 2):
        for name in names:
            same(np.roll(views[seat][name], seat, axis=0), views[0][name], name)
        same(np.roll(views[seat]["betting"], seat, axis=1), views[0]["betting"])
