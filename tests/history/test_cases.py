"""Cases of the kind IO: faults that people met in other converters. Named after the cases."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from razz_env import Action, HouseRules
from razz_env.history import HandRecord, Move, audit, hand_text, read
from razz_env.history.money import CENTS, format_amount, parse_amount
from razz_env.history.story import tell
from razz_env.rules.cards import format_cards, parse_cards

from ..support.tables import TABLE_T, deal, play, table_rules
from .dealt import fixture

HEADERS = {
    "Razz Limit ($2.50 / $5)": (250, 500),
    "Razz Limit ($0.04/$0.08 USD)": (4, 8),
    "Tournament #1, $200+$15 USD Razz Limit - Level IV (50/100)": (50, 100),
}
FULL_TILT_HEADERS = {
    "Table X - $0.10/$0.20 Ante $0.02 - Limit Razz - 17:10:10 CCT - 2010/12/07 "
    "[04:10:10 ET - 2010/12/07]": (2, 10, 20),
    "Table X - 80/160 Ante 15 - Limit Razz - 19:53:37 ET - 2012/11/08": (15, 80, 160),
}


def one(text: str) -> HandRecord:
    """The only hand of a text."""
    (record,) = read(text)
    return record


def p01() -> HandRecord:
    """Case P01: a main pot and a side pot."""
    hand = deal("Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd", "7h8hQs9dJsQc2h", stacks=[30, 70, 200])
    play(hand, "S3 BRING_IN, S1 COMPLETE, S2 CALL, S3 CALL")
    play(hand, "S2 BET, S3 CALL, S1 CALL 6, S2 BET 26, S3 CALL 26")
    return HandRecord.from_hand(hand, names=["S1", "S2", "S3"], max_seats=8, hand_id="1")


def test_i01_seventh_street_is_the_last_down_card() -> None:
    text = fixture("stars_cash.txt")
    record = one(text)
    assert format_cards(record.seats[1].cards) == "2h8dKh6h3d6d4h"
    hand = record.to_hand()
    assert format_cards(hand.down_cards(1)) == "2h8d4h"
    assert format_cards(hand.up_cards(1)) == "Kh6h3d6d"
    assert hand.showdown[0].low.name == "8-6-4-3-2 low"
    line = "Bob: shows [2h 8d Kh 6h 3d 6d 4h] (Lo: 8,6,4,3,2)"
    assert line in text
    assert line in hand_text(record, "pokerstars")


@pytest.mark.parametrize("header", HEADERS)
def test_i03_headers_of_pokerstars(header: str) -> None:
    old = "Razz Limit ($2/$4 USD)"
    text = fixture("stars_cash.txt").replace(old, header)
    if "Tournament" in header:
        text = text.replace("$100 in", "100 in")
    head = text.splitlines()[0]
    assert header in head
    rules = _stakes_only(text)
    assert (rules.small_bet, rules.big_bet) == HEADERS[header]


def _stakes_only(text: str) -> HouseRules:
    from razz_env.history.pokerstars import _header

    draft, small, big = _header(text.splitlines()[0])
    assert draft.unit == (1 if "Tournament" in text else CENTS)
    return HouseRules(ante=1, bring_in=1, small_bet=small, big_bet=big)


@pytest.mark.parametrize("header", HEADERS)
def test_i03_a_hand_under_such_a_header_is_read_whole_with_its_names(header: str) -> None:
    small, big = HEADERS[header]
    rules = HouseRules.preset("pokerstars", ante=1, bring_in=2, small_bet=small, big_bet=big)
    hand = play(deal("????2c", "????Ks", rules=rules), "S2 BRING_IN, S1 COMPLETE, S2 FOLD")
    currency = None if "Tournament" in header else "USD"
    names = ["$1 (50/100)", "Razz Limit"]
    record = HandRecord.from_hand(
        hand, names=names, currency=currency, table="Level IV", hand_id="1"
    )
    text = hand_text(record, "pokerstars")
    read_again = one(re.sub(r"Razz Limit \(.*?\)", lambda _: header, text, count=1))
    assert [seat.name for seat in read_again.seats] == names
    assert read_again.table == "Level IV"
    assert (read_again.rules.small_bet, read_again.rules.big_bet) == (small, big)
    assert read_again.payoffs == record.payoffs == (3, -3)


@pytest.mark.parametrize("header", FULL_TILT_HEADERS)
def test_i03_headers_of_full_tilt(header: str) -> None:
    from razz_env.history.fulltilt import _header

    draft, stakes = _header(f"Full Tilt Poker Game #1: {header}")
    assert stakes == FULL_TILT_HEADERS[header]
    assert draft.facts["table"] == "X"
    assert draft.facts["zone"] == "ET"
    if "CCT" in header:
        assert draft.facts["time"] == datetime(2010, 12, 7, 4, 10, 10)


def test_i05_names_with_brackets_colons_and_verbs() -> None:
    record = one(fixture("stars_names.txt"))
    assert [seat.name for seat in record.seats] == ["PC [Mittel]", "a.b$c", "x: folds", "(eli)"]
    assert format_cards(record.seats[0].cards) == "9h3s5c9s2cAs"
    assert sum(move.action == Action.FOLD for move in record.moves) == 3
    assert sum(move.seat == 2 for move in record.moves) == 1
    assert audit(record).agrees
    assert one(hand_text(record, "pokerstars")) == record


def test_i07_streets_after_an_all_in() -> None:
    record = one(fixture("full_tilt_all_in.txt"))
    assert record.moves == ()
    assert [len(seat.cards) for seat in record.seats] == [7, 7]
    assert len(record.showings) == 2
    hand = record.to_hand()
    assert (hand.is_over, hand.returned.tolist(), hand.stacks.tolist()) == (True, [1, 0], [988, 12])
    assert audit(record).agrees


def test_i09_shared_seventh_card_and_mucked_hands_of_the_summary() -> None:
    text = fixture("stars_community.txt")
    record = one(text)
    assert record.community == parse_cards("6s")[0]
    assert all(len(seat.cards) == 6 for seat in record.seats)
    assert [s.seat for s in record.showings if s.mucked] == [4, 5, 6, 7]
    assert format_cards(record.seats[4].cards) == "4h5h6h8hThQh"
    assert record.to_hand().showdown[0].low.name == "7-6-3-2-A low"
    assert hand_text(record, "pokerstars") == text


def test_i11_two_pots_are_two_lines() -> None:
    record = p01()
    text = hand_text(record, "pokerstars")
    assert "S2 collected 80 from side pot\nS1 collected 90 from main pot\n" in text
    assert "Total pot 170 Main pot 90. Side pot 80. | Rake 0" in text
    assert one(text).payoffs == record.payoffs == (60, 10, -70)


def test_i11_a_split_side_pot() -> None:
    """Case P02: the side pot of 90 is tied."""
    hand = deal("Ah2h3h4h5hKhQh", "As2s3s6s8sTs9s", "Ac2c3c6c8cTc9c", stacks=[30, 75, 75])
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1])
    record = HandRecord.from_hand(hand, names=["S1", "S2", "S3"], max_seats=8, hand_id="2")
    assert record.pots == (90, 90)
    text = hand_text(record, "pokerstars")
    assert text.count("collected 45 from side pot") == 2
    assert sum(record.collected) + record.rake == record.total_pot
    assert one(text).payoffs == record.payoffs == (60, -30, -30)
    full_tilt = hand_text(record, "fulltilt")
    assert full_tilt.count("ties for the side pot (45) with 8,6,3,2,A") == 2
    assert one(full_tilt).payoffs == record.payoffs


@pytest.mark.parametrize(
    ("cents", "text"), [(7, "$0.07"), (30, "$0.30"), (123450, "$1234.50"), (500, "$5")]
)
def test_i13_money_is_whole_cents(cents: int, text: str) -> None:
    assert format_amount(cents, "USD") == text
    assert parse_amount(text, CENTS) == cents


def test_i13_amounts_that_floats_spoil() -> None:
    assert parse_amount("$1,234.50", CENTS) == 123450
    assert parse_amount("0.1", CENTS) + parse_amount("0.2", CENTS) == parse_amount("0.30", CENTS)
    assert format_amount(123450, None) == "123450"
    for text in ("0.005", "1,23", "1e5", "-3", "", "$", "1.2.3", "½"):
        with pytest.raises(ValueError, match=r"amount|finer"):
            parse_amount(text, CENTS)
    with pytest.raises(ValueError, match="whole chips"):
        parse_amount("0.5")


def test_i13_small_stakes_in_text() -> None:
    rules = HouseRules.preset("pokerstars", ante=1, bring_in=2, small_bet=4, big_bet=8)
    hand = deal("", "", "", "", "", "", "????Ks", rules=rules, stacks=[123450] + [159] * 6)
    while not hand.is_over:
        hand.apply(Action.FOLD if Action.FOLD in hand.legal_actions() else hand.legal_actions()[0])
    record = HandRecord.from_hand(hand, currency="USD")
    text = hand_text(record, "pokerstars")
    assert "Razz Limit ($0.04/$0.08 USD)" in text
    assert "Seat 1: Player1 ($1234.50 in chips)" in text
    assert "Total pot $0.07 | Rake $0" in text
    assert "$" not in hand_text(HandRecord.from_hand(hand), "pokerstars")


def test_u05_a_raise_is_printed_by_and_to() -> None:
    hand = deal("????2c", "????Ks", rules=table_rules())
    play(hand, "S2 BRING_IN 5, S1 COMPLETE to 20, S2 RAISE 35")
    while not hand.is_over:
        hand.apply(Action.FOLD)
    record = HandRecord.from_hand(hand, names=["Ann", "Bob"])
    assert record.moves[2] == Move(1, 3, Action.RAISE, 35, 40)
    assert "Bob: raises 20 to 40\n" in hand_text(record, "pokerstars")
    assert "Bob raises to 40\n" in hand_text(record, "fulltilt")
    assert "  Bob raises 20 to 40" in tell(record)[0]
    assert TABLE_T["small_bet"] == 20


def test_u05_a_wrong_raise_names_the_right_one() -> None:
    hand = deal("????2c", "????Ks", rules=table_rules())
    play(hand, "S2 BRING_IN 5, S1 COMPLETE to 20, S2 RAISE 35, S1 FOLD")
    text = hand_text(HandRecord.from_hand(hand, names=["Ann", "Bob"]), "pokerstars")
    said = audit(one(text.replace("raises 20 to 40", "raises 30 to 50")))
    assert said.findings[0].kind == "amount"
    assert "the rules 35 to 40" in said.findings[0].sentence
