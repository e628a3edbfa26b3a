"""What a killed writer left goes when a later one has written the same file."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from razz_env.history import convert, write
from razz_env.history.writing import HistoryWriter

from .dealt import dealt, fixture

RECORDS = dealt("pokerkit", 2, short=False, tables=1)
DAY = 24 * 3600


def left(path: Path, age_seconds: int) -> Path:
    """A file that nobody has written to for so long."""
    path.write_text("half")
    then = time.time() - age_seconds
    os.utime(path, (then, then))
    return path


def test_parts_of_the_same_file_go_after_a_day(tmp_path: Path) -> None:
    old = left(tmp_path / "out.phhs.0123abcd.part", DAY + 60)
    kept = [
        left(tmp_path / "out.phhs.0123abce.part", DAY - 60),
        left(tmp_path / "out.phh.0123abcd.part", 2 * DAY),
        left(tmp_path / "out.phhs.mine.part", 2 * DAY),
    ]
    write(RECORDS, tmp_path / "out.phhs")
    assert not old.exists()
    assert all(path.exists() for path in kept)


def test_two_writers_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with HistoryWriter(out) as first:
        write(RECORDS * 2, out)
        for record in RECORDS:
            first.write(record)
    assert out.read_text().count("\n") == 1
    assert list(tmp_path.iterdir()) == [out]


def test_parts_stay_where_nothing_was_written(tmp_path: Path) -> None:
    old = left(tmp_path / "out.phhs.0123abcd.part", 2 * DAY)
    write([], tmp_path / "out.phhs")
    assert old.exists()


def test_a_part_is_no_source_of_its_own_file(tmp_path: Path) -> None:
    part = tmp_path / "out.phhs.0123abcd.part"
    part.write_text(fixture("stars_cash.txt"))
    with pytest.raises(ValueError, match="rename it to read it"):
        convert([part], tmp_path / "out.phhs")
    assert part.exists()
