"""What writers leave beside a file that they are killed over, or still at work on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from razz_env.history import convert, write
from razz_env.history.writing import HistoryWriter

from .dealt import dealt, fixture

RECORDS = dealt("pokerkit", 2, short=False, tables=1)


def test_two_writers_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with HistoryWriter(out) as first:
        write(RECORDS * 2, out)
        for record in RECORDS:
            first.write(record)
    assert out.read_text().count("\n") == 1
    assert list(tmp_path.iterdir()) == [out]


def test_a_part_that_a_killed_writer_left_stays(tmp_path: Path) -> None:
    """It may hold the hands of a long evening, or be another writer's that waits."""
    part = tmp_path / "out.phhs.0123abcd.part"
    part.write_text("half")
    os.utime(part, (0, 0))
    write(RECORDS, tmp_path / "out.phhs")
    assert part.read_text() == "half"


def test_a_part_is_no_source_of_its_own_file(tmp_path: Path) -> None:
    part = tmp_path / "out.phhs.0123abcd.part"
    part.write_text(fixture("stars_cash.txt"))
    with pytest.raises(ValueError, match="rename it to read it"):
        convert([part], tmp_path / "out.phhs")
    assert part.exists()
