"""Histories step by step: what is seen, equities, and what a player would have done (I07, I09)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.players.basic import caller
from agents.table.replays import SteppedHand
from razz_env import Hand
from razz_env.history import HandRecord, read
from razz_env.rules.cards import NO_CARD, parse_cards

FILES = Path(__file__).parents[1] / "history" / "files"


def stepped(file: str, place: int = 0) -> SteppedHand:
    return SteppedHand(list(read(FILES / file))[place])


def test_i07_all_streets_of_an_all_in_ante_are_seen_and_nobody_acts() -> None:
    hand = stepped("full_tilt_all_in.txt")
    assert (hand.last_step, hand.disagreement, hand.sentence(0)) == (0, "", "")
    scene = hand.scene(0)
    assert scene.is_over
    assert [len(seat.up) + len(seat.down) for seat in scene.seats] == [7, 7]
    assert all(card is not None for seat in scene.seats for card in seat.down)
    assert [(pot.chips, pot.winners) for pot in scene.pots] == [(12, (1,))]
    assert [seat.net_chips for seat in scene.seats] == [-6, 6]
    assert [share for _, share in hand.equities(0)] == [0.0, 1.0]


def test_i09_the_shared_card_is_seen_once_and_mucked_cards_are_known() -> None:
    hand = stepped("stars_community.txt")
    scene = hand.scene(hand.last_step)
    assert scene.community == hand.record.community
    known = [(seat, own) for seat, own in zip(scene.seats, hand.record.seats, strict=True)]
    mucked = [(seat, own) for seat, own in known if seat.is_mucked]
    assert mucked
    for seat, own in mucked:
        assert None not in seat.down
        assert {*seat.down, *seat.up} == {*own.cards}
        assert len(own.cards) == 6
        assert not seat.low
    assert any(seat.low for seat in scene.seats)


@pytest.mark.parametrize("file", sorted(path.name for path in FILES.iterdir()))
def test_every_step_of_the_files_shows_what_the_record_knows(file: str) -> None:
    for record in read(FILES / file, on_problem=lambda _: None):
        hand = SteppedHand(record)
        known = {card for seat in record.seats for card in seat.cards} | {record.community}
        assert hand.last_step == len(record.moves) or hand.disagreement
        for step in range(hand.last_step + 1):
            scene = hand.scene(step)
            drawn = [c for seat in scene.seats for c in (*seat.up, *seat.down) if c is not None]
            assert set(drawn) <= known
            assert len(set(drawn)) == len(drawn)
            assert bool(hand.sentence(step)) == (step > 0)


def hidden_hand() -> SteppedHand:
    """Two players, of whom the record knows one."""
    hand = Hand.from_cards(["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd"])
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1] if hand.street == 3 else "check")
    record = HandRecord.from_hand(hand, names=["Ann", "Bob"])
    cards = record.seats[1].cards
    blank = tuple(NO_CARD if place in (0, 1, 6) else card for place, card in enumerate(cards))
    return SteppedHand(record.with_cards([record.seats[0].cards, blank]))


def test_unknown_cards_lie_face_down_and_are_never_told() -> None:
    hand = hidden_hand()
    for step in range(hand.last_step + 1):
        seat = hand.scene(step).seats[1]
        assert {*seat.down} == {None}
        assert not seat.low


def test_equities_go_by_the_cards_that_are_known() -> None:
    hand = hidden_hand()
    shares = [dict(hand.equities(step)) for step in range(hand.last_step + 1)]
    assert all(sum(share.values()) == pytest.approx(1) for share in shares)
    assert 0 < shares[-1][1] < shares[-1][0] < 1  # a wheel can at worst be tied
    other = hidden_hand()
    assert [dict(other.equities(step)) for step in range(3)] == shares[:3]


def test_what_a_player_would_have_done() -> None:
    hand = hidden_hand()
    actors = [hand.hand(step).actor for step in range(hand.last_step)]
    mine, theirs = actors.index(0), actors.index(1)
    assert hand.advice(mine, caller()).startswith("In the place of Ann: caller would choose: ")
    assert hand.advice(theirs, caller()) == "The cards of Bob are not known, so no player can say."
    assert hand.advice(hand.last_step, caller()) == "The hand is over."


def test_a_hand_that_the_rules_do_not_take_ends_with_the_reason() -> None:
    hand = Hand.deal(3, seed=1)
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1])
    record = HandRecord.from_hand(hand)
    broken = SteppedHand(
        HandRecord(record.rules, record.seats, (*record.moves[:3], record.moves[0]))
    )
    assert broken.last_step == 3
    assert "action 4" in broken.disagreement
    assert broken.scene(3).actor is not None
    assert parse_cards("Ah") == (0 * 4 + 2,)
    assert np.isfinite(broken.equities(3)[0][1])
