"""Every real hand of the shared data: text, record, engine, record, text and PHH, with equal facts.

The files are read in place and not copied.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from razz_env.history import HandRecord, audit, hand_text, read
from razz_env.history.writing import Format

from ..support.shared import shared_files, shared_path

FOLDER = "data/hands"
FILES = [*shared_files(FOLDER, "*.txt"), *shared_files(FOLDER, "*.phh")]
HANDS = [(path, record) for path in FILES for record in read(path)]
every_hand = pytest.mark.parametrize(
    ("path", "record"), HANDS, ids=[f"{path.stem}-{record.hand_id}" for path, record in HANDS]
)
FULL_TILT_HEADS_UP = "4000767778"


def own_format(path: Path) -> Format:
    """The format a file is in."""
    if path.suffix == ".phh":
        return "phh"
    return "fulltilt" if path.name.startswith("ftp") else "pokerstars"


def test_the_hands_are_all_there() -> None:
    shared_path("data", "hands")
    assert [own_format(path) for path, _ in HANDS].count("phh") == 5
    assert len(HANDS) == 27


@every_hand
def test_file_to_record_to_engine_to_record_to_file(path: Path, record: HandRecord) -> None:
    hand = record.to_hand(np.random.default_rng(7))
    again = HandRecord.from_hand(hand, like=record.completed())
    if record.hand_id == FULL_TILT_HEADS_UP:  # see `test_the_auditor_finds_one_disagreement`
        assert sorted(again.showings) == sorted(record.showings)
        again = replace(again, showings=record.showings)
    assert again == record.completed()
    (reread,) = read(hand_text(again, own_format(path)))
    assert reread.completed() == record.completed()


@every_hand
def test_to_phh_and_back(path: Path, record: HandRecord) -> None:
    (reread,) = read(hand_text(record, "phh"))
    assert reread.completed() == record.completed()


@every_hand
def test_to_json_and_back(path: Path, record: HandRecord) -> None:
    (reread,) = read(hand_text(record, "json"))
    assert reread == record.completed()


@every_hand
def test_the_auditor_finds_one_disagreement(path: Path, record: HandRecord) -> None:
    """Full Tilt printed its one showdown without a bet in seat order, against RULES 7."""
    said = audit(record)
    if record.hand_id == FULL_TILT_HEADS_UP:
        assert [finding.kind for finding in said.findings] == ["showdown order"]
        assert "pokerstars" in said.explained_by
    else:
        assert said.agrees, said.findings


@every_hand
def test_printed_lines_come_back(path: Path, record: HandRecord) -> None:
    """Every line we print of a room's hand is a line of the room, but for unshown winners."""
    if path.suffix == ".phh":
        return
    printed = set(path.read_text(encoding="utf-8").splitlines())
    ours = hand_text(record, own_format(path)).splitlines()
    assert [
        line for line in ours if line not in printed and not line.endswith("doesn't show hand")
    ] == []


@every_hand
def test_the_amounts_of_a_file_add_up(path: Path, record: HandRecord) -> None:
    told = record.excess_chips
    assert told == 0 or (told is None and path.suffix == ".phh")
    assert record.completed().excess_chips == 0
