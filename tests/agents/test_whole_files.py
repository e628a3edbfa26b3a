"""Files that appear whole: links and devices stay, and nothing half written is left."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agents.lock import locked
from agents.whole_files import is_device, whole, write_json, write_whole


def test_a_link_stays_and_what_it_points_at_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    link = tmp_path / "link"
    link.symlink_to("real")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_link_of_the_system_is_written_straight_to(tmp_path: Path) -> None:
    """As with --json /dev/stdout, when the output goes to a file."""
    file = tmp_path / "out"
    with file.open("w") as output:
        link = tmp_path / "stdout"
        link.symlink_to(f"/proc/self/fd/{output.fileno()}")
        before = file.stat().st_ino
        write_json(link, {"won": 1})
        assert link.is_symlink()
        assert is_device(link)
    assert file.stat().st_ino == before
    assert "won" in file.read_text()
    assert not is_device(file)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_what_goes_to_the_output_is_added_to_what_was_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "stdout"
    link.symlink_to("/proc/self/fd/1")
    print("before")
    write_json(link, 1)
    print("after")
    assert capfd.readouterr().out == "before\n1\nafter\n"


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    with pytest.raises(OSError, match="full"):
        _fill_the_disk(path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "old"


def test_two_that_write_one_path_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    with whole(path) as one:
        one.write_text("one, half ")
        with whole(path) as other:
            other.write_text("other")
        assert path.read_text() == "other"
        with one.open("a") as file:
            file.write("and whole")
    assert path.read_text() == "one, half and whole"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_place_of_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    with pytest.raises(OSError, match="kept"):
        write_whole(tmp_path / "kept", b"new")
    assert list(tmp_path.iterdir()) == [tmp_path / "kept"]


def _fill_the_disk(path: Path) -> None:
    with whole(path) as part:
        part.write_text("half")
        raise OSError(28, "the disk is full")


def test_who_locks_a_folder_sweeps_out_what_a_killed_writer_has_left(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    left = [tmp_path / "model.zip.0a1b2c3d.part", tmp_path / "checkpoints" / "1.zip.00000000.part"]
    for path in (*left, tmp_path / "mine.part"):
        path.touch()
    with locked(tmp_path):
        assert not any(path.exists() for path in left)
    assert (tmp_path / "mine.part").exists()
