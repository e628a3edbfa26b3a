"""Hands that our engine dealt at 2 to 8 seats, with and without short stacks, in every format."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest

from razz_env import HouseRules
from razz_env.history import HandRecord, HistoryError, Tournament, audit, hand_text, read, replay
from razz_env.rules.cards import NO_CARD

from .dealt import dealt

SEATS = range(2, 9)
TABLE_FACTS = {
    "hand_id": "12345",
    "table": "Testudo II",
    "max_seats": 8,
    "time": datetime(2024, 2, 29, 23, 59, 58),
    "zone": "ET",
    "clock": "2024-03-01 05:59:58 CET",
    "hero": 1,
}
CASH = {**TABLE_FACTS, "currency": "USD"}
TOURNAMENT = {**TABLE_FACTS, "tournament": Tournament("55", "100+9", "Level IV"), "mix": "HORSE"}


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("facts", [CASH, TOURNAMENT], ids=["cash", "tournament"])
def test_pokerstars(seats: int, short: bool, facts: dict[str, object]) -> None:
    for number, dealt_record in enumerate(dealt("pokerstars", seats, short=short)):
        record = replace(dealt_record, room="PokerStars", **facts)
        check_text(replace(record, hand_id=str(number + 1)), "pokerstars")


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("seats", SEATS)
def test_full_tilt(seats: int, short: bool) -> None:
    for dealt_record in dealt("full_tilt", seats, short=short):
        record = replace(dealt_record, room="Full Tilt Poker", **CASH)
        check_text(record, "fulltilt")


def check_text(record: HandRecord, room: str) -> None:
    """A room's text keeps everything but the down cards that nobody saw."""
    text = hand_text(record, room)
    (reread,) = read(text)
    unsaid = {name: getattr(record.rules, name) for name in ("burn_cards", "rake_basis_points")}
    reread = replace(reread, rules=replace(reread.rules, **unsaid))
    said = audit(reread)
    if reread.bring_in_known:
        assert said.agrees, (said.findings, text)
        again = reread.completed()
        assert replace(again, seats=record.seats, high_door=None) == record
    assert reread.payoffs == record.payoffs
    assert hand_text(replace(reread, rules=record.rules), room) == text
    for seat, known in zip(record.seats, reread.seats, strict=True):
        assert seat[:4] == known[:4]
        assert all(b in (a, NO_CARD) for a, b in zip(seat.cards, known.cards, strict=True))


@pytest.mark.parametrize("seats", [2, 5, 8])
@pytest.mark.parametrize("ante", [0, 4])
@pytest.mark.parametrize("rake", [0, 500, 10_000])
@pytest.mark.parametrize(
    ("to", "preset"), [("pokerstars", "pokerstars"), ("fulltilt", "full_tilt")]
)
def test_text_without_antes_and_with_any_rake(
    to: str, preset: str, rake: int, ante: int, seats: int
) -> None:
    rules = HouseRules.preset(preset, ante=ante, rake_basis_points=rake)
    room = "PokerStars" if to == "pokerstars" else "Full Tilt Poker"
    for record in dealt(rules, seats, short=True, tables=20):
        check_text(replace(record, room=room, **CASH), to)


@pytest.mark.parametrize("zone", ["", "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("to", ["pokerstars", "fulltilt"])
def test_times_in_any_zone(zone: str, to: str) -> None:
    record = dealt("full_tilt", 2, short=False, tables=1)[0]
    (reread,) = read(hand_text(replace(record, time=TABLE_FACTS["time"], zone=zone), to))
    assert (reread.time, reread.zone) == (TABLE_FACTS["time"], zone if zone.isalnum() else "")


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("seats", SEATS)
def test_json(seats: int, short: bool) -> None:
    for record in dealt("full_tilt", seats, short=short):
        full = replace(record, **CASH)
        assert list(read(hand_text(full, "json"))) == [full]


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("seats", SEATS)
def test_phh(seats: int, short: bool) -> None:
    for record in dealt("pokerkit", seats, short=short):
        full = replace(record, **TOURNAMENT)
        (reread,) = read(hand_text(full, "phh"))
        assert reread.completed() == full


def mixed_stubs(preset: str, seats: int) -> list[HandRecord]:
    """Hands in which the stub was mixed with the burn cards (RULES 6)."""
    records = dealt(HouseRules.preset(preset, burn_cards=True), seats, short=False, folding=0.1)
    played = replay(records)
    assert all(played.fits)
    mixed = np.flatnonzero(played.hands["scrambled_cards"]).tolist()
    assert len(mixed) > 10
    assert all(HandRecord.from_hand(played.hand(index)) == records[index] for index in mixed)
    return [records[index] for index in mixed]


@pytest.mark.parametrize("seats", [7, 8])
@pytest.mark.parametrize("preset", ["roberts", "wsop_live", "tda"])
def test_json_of_stubs_mixed_with_the_burn_cards(preset: str, seats: int) -> None:
    for record in mixed_stubs(preset, seats):
        assert list(read(hand_text(record, "json"))) == [record]


@pytest.mark.parametrize("seats", [7, 8])
def test_phh_of_stubs_mixed_with_the_burn_cards(seats: int) -> None:
    for record in mixed_stubs("pokerkit", seats):
        (reread,) = read(hand_text(record, "phh"))
        assert reread.completed() == record


@pytest.mark.parametrize("seats", [7, 8])
def test_text_of_stubs_mixed_with_the_burn_cards(seats: int) -> None:
    for record in mixed_stubs("pokerstars", seats):
        check_text(replace(record, room="PokerStars", **CASH), "pokerstars")
    for record in mixed_stubs("full_tilt", seats):
        check_text(replace(record, room="Full Tilt Poker", **CASH), "fulltilt")


@pytest.mark.parametrize("seats", SEATS)
def test_phh_refuses_what_pokerkit_plays_otherwise(seats: int) -> None:
    """Under Full Tilt's rules some short all-ins are what PokerKit does not allow."""
    refused = 0
    for record in dealt("full_tilt", seats, short=True):
        try:
            (reread,) = read(hand_text(record, "phh"))
        except HistoryError as error:
            assert "PokerKit's rules" in str(error)  # noqa: PT017  # both outcomes are right
            refused += 1
        else:
            assert reread.completed() == record
    assert refused < 20


@pytest.mark.parametrize("seats", SEATS)
def test_records_are_the_hands(seats: int) -> None:
    records = dealt("full_tilt", seats, short=True)
    played = replay(records)
    assert all(played.fits)
    for index, record in enumerate(records):
        hand = played.hand(index)
        assert record == HandRecord.from_hand(hand)
        assert record == record.completed()
        assert record.payoffs == tuple(hand.payoffs.tolist())
        assert record.pots == tuple(pot.amount for pot in hand.pots)
        shown = [(s.seat, s.mucked) for s in hand.showdown]
        assert shown == [(s.seat, s.mucked) for s in record.showings]
