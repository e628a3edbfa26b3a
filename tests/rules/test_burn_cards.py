"""Burn cards and what the stub can serve on seventh street (RULES 6, option `burn_cards`)."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from razz_env import Action, Hand, HouseRules
from razz_env.rules.action_log import logged_actions
from razz_env.rules.cards import format_card, format_cards
from razz_env.rules.events import CardDealt

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
    for _, action in logged_actions(one.record.public):
        again.apply(action)
    assert [again.down_cards(s) for s in again.live_seats] == [
        one.down_cards(s) for s in one.live_seats
    ]


def calling_down(cards: list[str], rules: HouseRules) -> Hand:
    """A hand with these cards in which everybody calls and checks to the end."""
    hand = Hand.from_cards(cards, rules=rules, stacks=50_000)
    while not hand.is_over:
        legal = hand.legal_actions()
        hand.apply(next(a for a in (Action.CHECK, Action.CALL, Action.BRING_IN) if a in legal))
    return hand


@pytest.mark.parametrize("preset", ["roberts", "tda", "wsop_live"])
@pytest.mark.parametrize("num_players", range(2, 8))
def test_planned_cards_are_never_burnt(num_players: int, preset: str) -> None:
    """Every planned card comes out in its place; with seven players the stub is mixed for it."""
    order = np.random.default_rng(num_players).permutation(52)
    for shift in range(0, 52, 13):
        deck = [format_card(int(card)) for card in np.roll(order, shift)]
        plan = ["".join(deck[7 * seat : 7 * seat + 7]) for seat in range(num_players)]
        hand = calling_down(plan, HouseRules.preset(preset))
        assert bool(hand.record.scrambled_cards) == (num_players == 7)
        came = {shown.seat: format_cards(shown.cards) for shown in hand.showdown}
        assert came == dict(enumerate(plan))
        burnt = hand.record.burnt[: hand.record.burns].tolist()
        assert len(burnt) == 4
        assert not {format_card(card) for card in burnt} & {*deck[: 7 * num_players]}


def test_the_cards_of_a_hand_with_burn_cards_are_those_planned() -> None:
    hand = calling_down(["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd"], LIVE)
    shown = {each.seat: format_cards(each.cards) for each in hand.showdown}
    assert shown == {0: "Ah2c3d5h4s9cKc", 1: "As2d3h4c6sTcKd"}
    dealt = [event.card for event in hand.events if isinstance(event, CardDealt)]
    assert len(dealt) == len(set(dealt)) == 14


def test_a_deck_that_the_burn_would_empty_is_refused() -> None:
    rules = HouseRules(deck_ranks=3, deck_suits=3, third_street=1, streets=(3, 7), burn_cards=True)
    with pytest.raises(ValueError, match="4 players need 10 cards and this deck has 9"):
        Hand.deal(4, rules, 500, seed=3)
    hand = Hand.deal(3, rules, 500, seed=3)
    while not hand.is_over:
        hand.apply(hand.legal_actions()[1])
    assert hand.community is not None or all(len(hand.down_cards(s)) == 2 for s in range(3))
