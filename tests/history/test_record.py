"""Records: plain data, to a hand and back, unknown cards."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from razz_env import Action, Hand
from razz_env.history import HandRecord, HistoryError, Move, audit, hand_text, read
from razz_env.history.making import records_of
from razz_env.rules.cards import NO_CARD

from .dealt import dealt, fixture

STARS = fixture("stars_cash.txt")


def stars() -> HandRecord:
    """The hand of the fixture."""
    return next(iter(read(STARS)))


def test_a_record_is_frozen_plain_data() -> None:
    record = stars()
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.rake = 5  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(record)) == record == copy.deepcopy(record)
    assert hash(record.seats) == hash(stars().seats)


def test_facts_of_the_text() -> None:
    record = stars()
    assert (record.room, record.hand_id, record.table) == ("PokerStars", "101", "Testudo")
    assert (record.currency, record.hero, record.max_seats) == ("USD", 0, 8)
    assert str(record.time) == "2024-05-01 20:00:00"
    assert record.stacks == (10000, 10000)
    assert record.total_pot == 3280
    assert record.moves[1] == Move(0, 3, Action.COMPLETE, 200, 200, False)
    assert record.payoffs == (-1640, 1640)


def test_unknown_cards_are_filled_and_flagged() -> None:
    (record,) = read(fixture("stars_names.txt"))
    unknown = record.unknown_cards
    assert (1, 0) in unknown
    filled = record.fill(np.random.default_rng(1))
    assert filled.filled == frozenset(unknown)
    cards = [card for seat in filled.seats for card in seat.cards]
    assert NO_CARD not in cards
    assert len(set(cards)) == len(cards)
    assert filled == record.fill(np.random.default_rng(1))
    assert filled != record.fill(np.random.default_rng(2))


def test_unknown_cards_need_a_generator() -> None:
    (record,) = read(fixture("stars_names.txt"))
    with pytest.raises(HistoryError, match="unknown cards: give a numpy Generator"):
        record.to_hand()


def test_a_hand_mucked_unseen_gets_cards_that_lose() -> None:
    text = STARS.replace("Ann mucked [9c 3s 7d Qc 2c Ts Kd]", "Ann mucked")
    for line in ("[9c 3s 7d]", "[9c 3s 7d Qc]", "[9c 3s 7d Qc 2c]"):
        text = text.replace(f"Ann {line}", f"Ann [{line[7:]}")
    text = text.replace("Dealt to Ann [9c 3s 7d Qc 2c Ts] [Kd]\n", "")
    (record,) = read(text)
    assert record.unknown_cards == ((0, 0), (0, 1), (0, 6))
    for seed in range(20):
        hand = record.to_hand(np.random.default_rng(seed))
        assert [pot.winners for pot in hand.pots] == [(1,)]


def test_a_part_of_the_moves_can_be_replayed_and_played_on() -> None:
    hand = stars().to_hand(moves=3)
    assert (hand.street, hand.actor) == (4, 0)
    hand.apply(Action.BET)
    assert not hand.is_over


def test_a_move_against_the_rules_raises() -> None:
    record = stars()
    moves = (record.moves[1], *record.moves[1:])
    with pytest.raises(HistoryError, match="hand #101, action 1, Ann COMPLETE: the bring-in is"):
        dataclasses.replace(record, moves=moves).to_hand()


def test_only_a_finished_hand_has_a_record() -> None:
    with pytest.raises(HistoryError, match="finished"):
        HandRecord.from_hand(Hand.deal(3, seed=1))


def test_small_variants_have_no_history() -> None:
    hand = Hand.deal(2, "kuhn", seed=1)
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1])
    with pytest.raises(HistoryError, match="small variants"):
        HandRecord.from_hand(hand)


def test_rake_of_the_rules() -> None:
    record = stars()
    rules = dataclasses.replace(record.rules, rake_basis_points=500, rake_cap=100)
    raked = HandRecord.from_hand(dataclasses.replace(record, rules=rules).to_hand(), hand_id="9")
    assert (raked.rake, raked.total_pot, sum(raked.collected)) == (100, 3280, 3180)
    assert raked.payoffs == (-1640, 1540)
    for to in ("phh", "json"):
        (again,) = read(hand_text(raked, to))
        assert again.completed() == raked
    (again,) = read(hand_text(raked, "pokerstars"))
    assert (again.payoffs, again.rake) == (raked.payoffs, 100)
    assert audit(again).agrees


def test_a_hand_with_a_community_card_can_be_played_by_rules_with_burn_cards() -> None:
    (record,) = read(fixture("stars_community.txt"))
    hand = record.with_preset("pokerstars", burn_cards=True).to_hand()
    assert hand.is_over
    assert hand.record.burns == 4
    assert hand.community == record.community


@pytest.mark.parametrize("card", [0, 52, -2])
def test_impossible_cards_are_refused(card: int) -> None:
    record = stars()
    cards = [(card, 0, *seat.cards[2:]) for seat in record.seats]
    with pytest.raises(HistoryError, match="stands twice or does not exist"):
        record.with_cards(cards).to_hand()


def test_from_hand_takes_names_and_facts() -> None:
    record = HandRecord.from_hand(stars().to_hand(), names=["A", "B"], hand_id="7", currency="EUR")
    assert [seat.name for seat in record.seats] == ["A", "B"]
    assert (record.hand_id, record.currency) == ("7", "EUR")
    assert HandRecord.from_hand(record.to_hand(), like=record) == record


def test_many_hands_at_once_are_the_same_records() -> None:
    records = dealt("full_tilt", 5, short=True)
    hands = [record.to_hand() for record in records]
    array = np.concatenate([hand._array for hand in hands])
    assert records_of(array) == records == [HandRecord.from_hand(hand) for hand in hands]
