"""Burn cards and what the stub can serve on seventh street (RULES 6, option `burn_cards`)."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from razz_env import Action, Hand, HouseRules

from ..support.shared import SHARED

SHORTAGE = SHARED / "data" / "tables" / "seventh_street_shortage_cases.csv"
LIVE = HouseRules(burn_cards=True)


def reach_seventh(alive: list[int], rules: HouseRules) -> Hand:
    """A hand of alive[0] seats of which alive[k] are left on street 3 + k, on seventh street."""
    hand = Hand.deal(alive[0], rules, stacks=50_000, seed=5)
    for left in alive[1:]:
        street = hand.street
        while not hand.is_over and hand.street == street:
            legal = hand.legal_actions()
            if Action.CALL not in legal:
                hand.apply(legal[-1])
            else:
                hand.apply(Action.FOLD if len(hand.live_seats) > left else Action.CALL)
    return hand


# dealt in, left on fourth .. seventh, individual cards?, stub mixed with the burns?
WORKED = [
    ([8, 8, 8, 8, 8], False, True),  # 1 left and 3 burnt: 4 < 8 + 2; too few for burn + 1 + 1 too
    ([8, 8, 8, 8, 2], True, True),  # 1 left, with the burns 4 >= 2 + 2
    ([8, 8, 8, 8, 3], False, True),  # 4 < 3 + 2
    ([8, 8, 7, 7, 7], False, False),  # 3 left: burn, community card, one card stays
    ([8, 7, 7, 7, 5], True, True),  # 4 left < 5 + 2, with the burns 7 >= 7
    ([8, 6, 6, 6, 5], True, False),  # 7 left >= 5 + 2
    ([7, 7, 7, 7, 6], True, True),  # 7 left < 6 + 2, with the burns 10
    ([6, 6, 6, 6, 6], True, False),  # 13 left
]


@pytest.mark.parametrize(("alive", "individual", "mixed"), WORKED)
def test_rules_6_seventh_street_with_burn_cards(
    alive: list[int], individual: bool, mixed: bool
) -> None:
    hand = reach_seventh(alive, LIVE)
    assert (hand.community is None) == individual
    assert all(len(hand.down_cards(seat)) == 2 + individual for seat in hand.live_seats)
    assert bool(hand.record.scrambled_cards) == mixed
    assert hand.record.burns == 4


def test_rules_6_every_row_of_the_shortage_table() -> None:
    if not SHORTAGE.exists():
        pytest.skip("shared data not found: ../shared/data/tables")
    with Path(SHORTAGE).open() as file:
        for row in csv.DictReader(file):
            alive = [int(row[key]) for key in ("dealt_in", "got_4th", "got_5th", "got_6th")]
            hand = reach_seventh([*alive, int(row["alive_at_7th"])], LIVE)
            said = row["live_result_TDA_RP10H_WSOP238"]
            assert (hand.community is not None) == ("community" in said), row
            assert bool(hand.record.scrambled_cards) == ("scramble" in said), row


def test_rules_6_mucked_and_dealt_cards_never_come_back() -> None:
    hand = reach_seventh([8, 8, 8, 8, 2], LIVE)
    out = [card for seat in range(8) for card in hand.up_cards(seat) + hand.down_cards(seat)]
    assert len(out) == len(set(out)) == 50
    burnt = hand.record.burnt[: hand.record.burns].tolist()
    assert burnt[3] not in out, "the last burn card stays out of play"


def test_r14_with_burn_cards_one_fold_on_third_street_is_not_enough() -> None:
    assert reach_seventh([8, 7, 7, 7, 7], LIVE).community is not None
    assert reach_seventh([8, 7, 7, 7, 7], HouseRules()).community is None


def test_the_mixed_stub_is_decided_by_the_deck_alone() -> None:
    one, two = (reach_seventh([8, 8, 8, 8, 2], LIVE) for _ in range(2))
    assert one == two
    again = Hand.deal(8, LIVE, 50_000, seed=99, deck=one.record.deck.tolist())
    for entry in one.record.public.log[: one.record.public.log_length]:
        again.apply(int(entry) % 8)
    assert [again.down_cards(s) for s in again.live_seats] == [
        one.down_cards(s) for s in one.live_seats
    ]


def test_planned_cards_are_never_burnt() -> None:
    cards = ["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd"]
    hand = Hand.from_cards(cards, rules=LIVE)
    while not hand.is_over:
        hand.apply(hand.legal_actions()[1])  # call, check or complete
    assert [shown.cards for shown in hand.showdown]
    assert hand.record.burns == 4
    assert len(hand.events) > 20
