"""PokerKit loads every PHH file we write and replays it to the same stacks."""

from __future__ import annotations

import warnings
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from razz_env.history import HandRecord, HistoryError, hand_text, read, write

from ..support.shared import shared_files
from .dealt import dealt

HandHistory = pytest.importorskip("pokerkit").HandHistory


def final_stacks(text: str) -> list[Decimal | int]:
    """The stacks after PokerKit's replay."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of the shared seventh card
        *_, state = HandHistory.loads(text)
    return list(state.stacks)


def our_stacks(record: HandRecord) -> list[int]:
    """The stacks after our replay, before rake."""
    hand = record.to_hand(np.random.default_rng(0))
    return [int(stack) for stack in hand.stacks]


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("seats", range(2, 9))
def test_hands_of_the_engine(seats: int, short: bool) -> None:
    for record in dealt("pokerkit", seats, short=short, tables=15):
        assert final_stacks(hand_text(record, "phh")) == our_stacks(record)


@pytest.mark.parametrize("preset", ["full_tilt", "pokerstars"])
@pytest.mark.parametrize("seats", [2, 4, 6, 8])
def test_hands_under_other_presets_are_the_same_or_refused(preset: str, seats: int) -> None:
    written = 0
    for record in dealt(preset, seats, short=True, tables=30):
        try:
            text = hand_text(record, "phh")
        except HistoryError:
            continue
        written += 1
        assert final_stacks(text) == our_stacks(record)
    assert written > 10


def test_money_with_cents() -> None:
    for record in dealt("pokerkit", 4, short=False, tables=20):
        money = replace(record, currency="USD", hand_id="5")
        text = hand_text(money, "phh")
        assert "currency = 'USD'" in text
        assert "small_bet = 0.20" in text
        assert [stack * 100 for stack in final_stacks(text)] == our_stacks(money)


def test_half_a_cent_is_refused() -> None:
    refused = 0
    for record in dealt("pokerkit", 8, short=True, tables=60):
        money = replace(record, currency="USD")
        try:
            text = hand_text(money, "phh")
        except HistoryError as error:
            refused += "fractions of a cent" in str(error)
            continue
        assert [stack * 100 for stack in final_stacks(text)] == our_stacks(money)
    assert refused < 60


def test_a_file_of_many(tmp_path: Path) -> None:
    records = dealt("pokerkit", 6, short=True)
    write(records, tmp_path / "many.phhs")
    with (tmp_path / "many.phhs").open("rb") as file:
        hands = list(HandHistory.load_all(file))
    assert [hand.starting_stacks for hand in hands] == [list(r.stacks) for r in records]


def test_pokerkit_writes_what_we_read() -> None:
    """A file that PokerKit has written again, in its own style, is the same hand."""
    for record in dealt("pokerkit", 5, short=False, tables=10):
        text = hand_text(record, "phh")
        (reread,) = read(HandHistory.loads(text).dumps() + "\n")
        assert reread.completed() == record


def test_files_with_required_fields_only() -> None:
    (record,) = dealt("pokerkit", 3, short=False, tables=1)
    required = hand_text(record, "phh").partition("seats = ")[0]
    (reread,) = read(required)
    assert reread.completed() == record


@pytest.mark.parametrize("path", [*shared_files("data/hands", "*")], ids=lambda path: path.stem)
def test_real_hands(path: Path) -> None:
    for record in read(path):
        unit = 100 if record.currency else 1
        stacks = [stack * unit for stack in final_stacks(hand_text(record, "phh"))]
        assert stacks == our_stacks(record)
