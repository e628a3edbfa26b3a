"""Dealing, the five streets, and running out of cards (RULES 1, 4 and 6)."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from razz_env import Action, Hand, Street
from razz_env.rules.cards import parse_cards
from razz_env.rules.events import CardDealt, CommunityDealt

from ..support.errors import refused
from ..support.lows import DECK, low_key_of_cards
from ..support.shared import SHARED
from ..support.tables import (
    check_down,
    deal,
    fill,
    ladder,
    ladder_hand,
    limp,
    payoffs,
    play,
    table_rules,
)

SHORTAGE = Path("data", "tables", "seventh_street_shortage_cases.csv")


def deals(hand: Hand, street: int) -> list[CardDealt]:
    return [e for e in hand.events if isinstance(e, CardDealt) and e.street == street]


def dealt_cards(hand: Hand) -> list[int]:
    """Every card that left the stub, community card included."""
    return [int(e.card) for e in hand.events if isinstance(e, CardDealt | CommunityDealt)]


def reach(alive: tuple[int, ...], seed: int = 3) -> Hand:
    """A hand of ``alive[0]`` seats of which ``alive[k]`` are left on street 3 + k.

    The first to act of every street bets and the next seats fold down to the number wanted.
    """
    hand = Hand.deal(num_players=alive[0], rules=table_rules(), stacks=5_000, seed=seed)
    for street, left in zip(range(3, 7), alive[1:], strict=True):
        assert hand.street == street
        while hand.street == street:
            legal = hand.legal_actions()
            if Action.CALL not in legal:
                hand.apply(legal[-1])  # complete or bet
            elif len(hand.live_seats) > left:
                hand.apply(Action.FOLD)
            else:
                hand.apply(Action.CALL)
        assert len(hand.live_seats) == left
    return hand


# --- dealing ----------------------------------------------------------------------------------


def test_rules_1_two_down_and_one_up_then_three_up_then_one_down() -> None:
    hand = limp(deal("Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd"))
    given = {0: "Ah2c3d5h4s9cKc", 1: "As2d3h4c6sTcKd"}
    for street in range(4, 8):
        assert hand.street == street
        for seat, text in given.items():
            cards = parse_cards(text)
            up = 4 if street == 7 else street - 2
            assert tuple(hand.up_cards(seat)) == tuple(cards[2 : 2 + up])
            down = cards[:2] + (cards[6:] if street == 7 else cards[:0])
            assert tuple(hand.down_cards(seat)) == tuple(down)
        while hand.street == street and not hand.is_over:
            hand.apply(Action.CHECK)


def test_rules_1_events_of_a_deal_that_is_checked_down() -> None:
    hand = check_down(limp(ladder_hand(3)))
    third = deals(hand, Street.THIRD)
    assert sorted((e.seat, e.face_up) for e in third) == sorted(
        (seat, up) for seat in range(3) for up in (False, False, True)
    )
    for street, face_up in ((4, True), (5, True), (6, True), (7, False)):
        assert [(e.seat, e.face_up) for e in deals(hand, street)] == [
            (seat, face_up) for seat in range(3)
        ]
    assert not any(isinstance(e, CommunityDealt) for e in hand.events)
    assert len(set(dealt_cards(hand))) == 21


def test_rules_1_deal_order_of_later_streets_is_seat_order_from_the_deck() -> None:
    """``deck`` is in dealing order: after six cards of third street, seat by seat."""
    deck = "".join(DECK)
    hand = limp(Hand.deal(num_players=2, rules="full_tilt", stacks=500, deck=deck))
    check_down(hand)
    order = parse_cards(deck)
    for street in range(4, 8):
        first = 6 + 2 * (street - 4)
        assert [int(e.card) for e in deals(hand, street)] == list(order[first : first + 2])


def test_rules_1_folded_seats_get_no_more_cards() -> None:
    hand = ladder_hand(3)
    play(hand, "S3 BRING_IN, S1 COMPLETE, S2 FOLD, S3 CALL")
    check_down(hand)
    assert [e.seat for e in deals(hand, 4)] == [0, 2]
    assert len(hand.up_cards(1)) == 1
    assert len(hand.down_cards(1)) == 2


@pytest.mark.parametrize("num_players", range(2, 9))
def test_rules_1_two_to_eight_seats(num_players: int) -> None:
    hand = check_down(limp(Hand.deal(num_players=num_players, rules="full_tilt", stacks=500)))
    cards = dealt_cards(hand)
    assert len(set(cards)) == len(cards)
    payoffs(hand)


# --- running out of cards ---------------------------------------------------------------------


def test_r14a_seven_alive_after_a_fold_on_third_get_their_own_river_cards() -> None:
    hand = reach((8, 7, 7, 7, 7))
    assert hand.street == Street.SEVENTH
    assert hand.community is None
    assert len(set(dealt_cards(hand))) == 52  # the stub ends empty
    assert all(len(hand.down_cards(s)) == 3 for s in hand.live_seats)


def test_r14b_seven_alive_after_a_fold_on_fourth_share_one_card() -> None:
    hand = reach((8, 8, 7, 7, 7))
    assert hand.street == Street.SEVENTH
    assert hand.community is not None
    cards = dealt_cards(hand)
    assert len(set(cards)) == len(cards) == 47  # 46 dealt, one shared card, 5 left
    assert all(len(hand.down_cards(s)) == 2 for s in hand.live_seats)


def shortage_cases() -> list[dict[str, str]]:
    if not (SHARED / SHORTAGE).exists():
        return []
    with (SHARED / SHORTAGE).open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "case", shortage_cases(), ids=lambda case: "-".join(list(case.values())[:5])
)
def test_rules_6_seventh_street_shortage_table_online(case: dict[str, str]) -> None:
    counts = [int(case[k]) for k in ("dealt_in", "got_4th", "got_5th", "got_6th", "alive_at_7th")]
    hand = reach(tuple(counts))
    assert hand.street == Street.SEVENTH
    shared_card = case["online_result"] == "community card"
    assert (hand.community is not None) == shared_card
    before = 3 * counts[0] + sum(counts[1:4])
    assert 52 - before == int(case["online_left_no_burn"])
    cards = dealt_cards(hand)
    assert len(set(cards)) == len(cards) == before + (1 if shared_card else counts[4])
    check_down(hand)
    payoffs(hand)


def test_rules_6_community_card_counts_as_everyones_seventh_card() -> None:
    """S7 holds 9-8-7-6-5-4; the shared ace makes it 7-6-5-4-A."""
    hand = deal("????Ks", *["??????"] * 5, "9s8s 7s6s5c4c", "", community="As")
    check_down(limp(hand))
    shared_card = parse_cards("As")[0]
    assert [e.card for e in hand.events if isinstance(e, CommunityDealt)] == [shared_card]
    assert hand.community == shared_card
    keys = {
        seat: low_key_of_cards((*hand.down_cards(seat), *hand.up_cards(seat), shared_card))
        for seat in range(8)
    }
    best = min(keys.values())
    assert list(hand.pots[0].winners) == [seat for seat in keys if keys[seat] == best]
    assert {s.seat: s.low.name for s in hand.showdown}[6] == "7-6-5-4-A low"
    payoffs(hand)


def test_rules_6_a_tie_through_the_community_card_splits() -> None:
    hand = deal("QcKd 2c3c4c5c", "QdKh 2d3d4d5d", *[""] * 6, community="As")
    check_down(limp(hand))
    assert list(hand.pots[0].winners) == [0, 1]
    assert list(hand.pots[0].shares) == [36, 36]


def test_rules_6_community_card_is_no_part_of_a_board() -> None:
    """S1 shows 4-3-2-A: the shared ace would pair it and let S2 (5-4-3-2) act first."""
    hand = deal("???? 2c3c4cAc", "???? 2d3d4d5d", *[""] * 6, community="As")
    check_down(limp(hand), until=7)
    assert hand.community is not None
    assert hand.first_to_act == hand.actor == 0
    assert all(len(hand.up_cards(s)) == 4 for s in range(8))
    assert all(len(hand.down_cards(s)) == 2 for s in range(8))


def test_rules_6_community_card_in_a_run_out_of_eight() -> None:
    hand = Hand.deal(num_players=8, rules=table_rules(), stacks=4, seed=5)
    assert hand.is_over
    assert hand.community is not None
    assert len(set(dealt_cards(hand))) == 8 * 6 + 1
    assert len(hand.showdown) == 8
    payoffs(hand)


# --- fixed cards ------------------------------------------------------------------------------


def test_from_cards_may_be_short_for_a_seat_that_folds_early() -> None:
    full = fill(*ladder(3))
    hand = Hand.from_cards([full[0], full[1][:6], full[2]], rules=table_rules(), stacks=500)
    play(hand, "S3 BRING_IN, S1 COMPLETE, S2 FOLD, S3 CALL")
    check_down(hand)
    payoffs(hand)


@pytest.mark.parametrize(("given", "street"), [(3, 4), (4, 5), (5, 6), (6, 7)])
def test_from_cards_names_seat_and_street_of_a_missing_card(given: int, street: int) -> None:
    full = fill(*ladder(3))
    texts = [full[0], full[1][: 2 * given], full[2]]
    hand = limp_or_stop(Hand.from_cards(texts, rules=table_rules(), stacks=500), street - 1)
    before = hand.to_bytes()
    move = Action.CALL if street == 4 else Action.CHECK
    with refused("seat 1", Street(street).name, kind=ValueError):
        hand.apply(move)
    assert hand.to_bytes() == before


def limp_or_stop(hand: Hand, street: int) -> Hand:
    """Play checks and calls up to the last decision of ``street``."""
    play(hand, "S3 BRING_IN, S1 CALL")
    if street == 3:
        return hand
    play(hand, "S2 CALL")
    while hand.street < street or hand.actor != 2:
        hand.apply(Action.CHECK)
    return hand
