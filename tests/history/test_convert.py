"""Conversion of files and folders, and the commands on top of it."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from agents.cli import main
from agents.history_commands import convert_command, replay_command
from razz_env.history import convert, read, write

from .dealt import FILES, dealt, fixture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good file, a mixed one, a damaged one and one that is no history."""
    place = tmp_path / "in"
    place.mkdir()
    (place / "a.txt").write_text(fixture("stars_cash.txt"))
    (place / "b.txt").write_text(fixture("mixed_games.txt"))
    (place / "c.txt").write_text("\n".join(fixture("stars_names.txt").splitlines()[:20]))
    (place / "sub").mkdir()
    (place / "sub" / "d.txt").write_text(fixture("full_tilt_cash.txt"), encoding="utf-16")
    (place / "picture.png").write_bytes(b"\x89PNG")
    return place


@pytest.mark.parametrize("name", ["out.phhs", "out.jsonl", "out.txt"])
@pytest.mark.parametrize("to", ["pokerstars", "fulltilt"])
def test_a_folder(folder: Path, tmp_path: Path, name: str, to: str) -> None:
    out = tmp_path / name
    seen: list[tuple[int, int]] = []
    summary = convert(
        [folder],
        out,
        to if name.endswith(".txt") else None,
        on_progress=lambda done, total: seen.append((done, total)),
    )
    assert (summary.imported, sum(summary.skipped.values()), summary.failures) == (3, 2, 1)
    assert summary.exit_status == 1
    assert [Path(failed.file).name for failed in summary.failed] == ["c.txt"]
    assert seen == sorted(seen)
    assert [record.hand_id for record in read(out)] == ["101", "103", "101"]
    assert not list(tmp_path.glob("*.part"))


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(fixture("stars_cash.txt"))
    seen: list[tuple[int, int]] = []
    convert([path], tmp_path / "o.phhs", on_progress=lambda *pair: seen.append(pair))
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)


def test_nothing_to_import_is_status_2(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(fixture("mixed_games.txt").partition("PokerStars Home Game Hand #103")[0])
    assert convert([path], tmp_path / "o.phhs").exit_status == 2


def test_the_result_may_not_be_a_source(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text(fixture("stars_cash.txt"))
    with pytest.raises(ValueError, match="is one of the files to read"):
        convert([tmp_path], path, "pokerstars")
    assert path.read_text() == fixture("stars_cash.txt")


def test_formats_are_named_or_told_by_the_ending(tmp_path: Path) -> None:
    records = dealt("pokerkit", 3, short=False)[:2]
    with pytest.raises(ValueError, match="does not tell the format; the formats are phh, poker"):
        write(records, tmp_path / "x.txt")
    with pytest.raises(ValueError, match="no format 'stars'"):
        write(records, tmp_path / "x.txt", "stars")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="holds one hand"):
        write(records, tmp_path / "x.phh")
    assert not list(tmp_path.iterdir())
    assert write(records[:1], tmp_path / "x.phh") == 1
    assert [r.completed() for r in read(tmp_path / "x.phh")] == records[:1]
    assert write(records, tmp_path / "x.phhs") == 2
    assert [r.completed() for r in read(tmp_path / "x.phhs")] == records


def test_a_hand_that_phh_cannot_hold_fails_alone(tmp_path: Path) -> None:
    """Under PokerKit's rules a fifth bet is not legal: JSON takes the hand, PHH refuses it."""
    records = [
        replace(record, hand_id=str(number), room="PokerStars")
        for number, record in enumerate(dealt("pokerstars", 6, short=True), 1)
    ]
    source = tmp_path / "in.jsonl"
    write(records, source)
    summary = convert([source], tmp_path / "out.phhs")
    assert summary.imported + summary.failures == len(records)
    assert all("PokerKit's rules" in failed.reason for failed in summary.failed)
    assert convert([source], tmp_path / "again.jsonl").imported == len(records)
    assert list(read(tmp_path / "again.jsonl")) == records


def run(command: Callable[..., int], *args: object, **options: object) -> tuple[int, str]:
    """Exit status and output of a command."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = command(*args, **options)
    return status, output.getvalue().replace("\n         ", "\n")


def test_convert_command(folder: Path, tmp_path: Path) -> None:
    status, text = run(convert_command, [folder], out=tmp_path / "out.phhs")
    assert status == 1
    assert "imported 3 hands" in text
    assert "skipped  2 hands of other games" in text
    assert "1 of Hold'em No Limit" in text
    assert "c.txt, line 1, hand #101: the hand is cut off before its summary." in text


def test_convert_command_without_a_source(tmp_path: Path) -> None:
    status, text = run(convert_command, [tmp_path / "none"], out=tmp_path / "out.phhs")
    assert status == 2
    assert "There is no file or folder" in text
    status, text = run(convert_command, [FILES], out=tmp_path / "out.xyz")
    assert status == 2
    assert "the formats are" in text


def test_replay_command() -> None:
    status, text = run(replay_command, FILES / "stars_cash.txt")
    assert status == 0
    assert "fifth street, pot $8.80" in text
    assert "  Bob raises" not in text
    assert "  Ann completes to $2" in text
    assert "1 agree, 0 disagree" in text


def test_replay_command_of_one_hand() -> None:
    assert run(replay_command, FILES / "mixed_games.txt", hand="103")[0] == 0
    status, text = run(replay_command, FILES / "mixed_games.txt", hand="999")
    assert (status, "no hand 999" in text) == (2, True)


def test_replay_command_of_hands_without_a_number(tmp_path: Path) -> None:
    """The text of a room gives them the number 0, which nobody can ask for: the line names them."""
    path = tmp_path / "unnumbered.txt"
    (record,) = read(FILES / "stars_cash.txt")
    write([replace(record, hand_id="")] * 2, path, "pokerstars")
    status, text = run(replay_command, path)
    second = path.read_text().splitlines().index(path.read_text().splitlines()[0], 1) + 1
    assert (status, f"{path}, line 1:" in text, f"{path}, line {second}:" in text) == (
        0,
        True,
        True,
    )
    status, text = run(replay_command, path, hand="0")
    assert (status, text) == (2, f"There is no hand 0 in {path}; 2 of its hands have no number.\n")


def test_replay_command_reports_disagreements(tmp_path: Path) -> None:
    path = tmp_path / "wrong.txt"
    text = fixture("stars_cash.txt").replace("Ann: bets $4", "Ann: bets $2", 1)
    path.write_text(text + "\n\n" + fixture("stars_names.txt"))
    status, output = run(replay_command, path, quiet=True)
    assert status == 1
    assert "! amount: action 7, Ann BET: the file says 200 to 200, the rules 400 to 400." in output
    assert "1 agree, 1 disagree" in output
    assert "(eli)" not in output


def test_convert_command_does_not_write_over_a_player(folder: Path, tmp_path: Path) -> None:
    player = tmp_path / "best.safetensors"
    player.write_bytes(b"kept")
    status, text = run(convert_command, [folder], out=player, to="phh")
    assert status == 2
    assert "ending of players" in text
    assert player.read_bytes() == b"kept"


def test_an_empty_path_is_not_the_folder_one_is_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as a variable of the shell that is not set."""
    monkeypatch.chdir(folder)
    with pytest.raises(FileNotFoundError, match="A path is empty: name a file or a folder"):
        list(read(""))
    for words in (
        ["convert", "", "--out", "../o.phhs"],
        ["convert", "a.txt", "", "--out", "o.phhs"],
    ):
        assert main(words) == 2
        assert "`razz convert` was given an empty argument" in capsys.readouterr().err
    assert main(["replay", ""]) == 2
