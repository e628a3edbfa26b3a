"""Garbage, truncated hands, other games, wrong encodings, strange names: reported, never fatal."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from razz_env.history import (
    Failed,
    Found,
    HistoryError,
    Skipped,
    audit,
    convert,
    hand_text,
    read,
    scan,
)

from .dealt import FILES, dealt, fixture

STARS = fixture("stars_cash.txt")
FULL_TILT = fixture("full_tilt_cash.txt")
PHH = hand_text(dealt("pokerkit", 4, short=False)[0], "phh")
JSON = hand_text(dealt("full_tilt", 4, short=True)[0], "json")


def kinds(text: str | Path) -> list[type]:
    """What a text holds, in order."""
    return [type(result) for result in scan([text])]


def failures(source: str | Path) -> list[Failed]:
    """The failed hands of a source."""
    return [result for result in scan([source]) if isinstance(result, Failed)]


@pytest.mark.parametrize("data", [b"", b"\n\n  \n", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_empty_files_are_said_to_be_empty(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(data)
    (failed,) = failures(path)
    assert "empty" in failed.reason


def test_garbage_is_one_failure_that_names_the_file(tmp_path: Path) -> None:
    rng = random.Random(3)
    for suffix in (".txt", ".phh", ".phhs", ".jsonl"):
        path = tmp_path / f"garbage{suffix}"
        path.write_bytes(rng.randbytes(300_000))
        results = list(scan([path]))
        assert results
        assert all(isinstance(result, Failed) for result in results)
        assert all(str(result).startswith(f"{path}, line ") for result in results)


def test_a_line_without_end_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("x" * 3_000_000 + "\n\n\n" + STARS)
    assert [type(result) for result in scan([path])][-1] is Found


@pytest.mark.parametrize("text", [STARS, FULL_TILT], ids=["pokerstars", "full_tilt"])
def test_a_truncated_hand_leaves_its_neighbours_alone(text: str) -> None:
    lines = text.splitlines(keepends=True)
    cut = "".join(lines[: len(lines) // 2])
    assert kinds(f"{text}\n\n{cut}\n\n{text}") == [Found, Failed, Found]
    assert kinds(f"{text}{cut}{text}") == [Found, Failed, Found]
    (failed,) = failures(f"{text}\n\n{cut}")
    assert failed.hand_id == "101"
    assert failed.line == len(lines) + 3
    assert "cut off" in failed.reason


def test_every_truncation_of_a_hand_is_reported() -> None:
    lines = STARS.splitlines(keepends=True)
    end = next(number for number, line in enumerate(lines) if line.startswith("Total pot"))
    for count in range(1, end):
        assert Found not in kinds("".join(lines[:count]) + "\n"), count


def test_other_games_are_skipped_and_counted(tmp_path: Path) -> None:
    results = list(scan([FILES / "mixed_games.txt"]))
    assert [type(result) for result in results] == [Skipped, Found, Skipped]
    games = [result.game for result in results if isinstance(result, Skipped)]
    assert games == ["Hold'em No Limit", "Limit Stud H/L"]
    assert str(results[0]).endswith("hand #102 is a hand of Hold'em No Limit, not of Razz.")
    summary = convert([FILES / "mixed_games.txt"], tmp_path / "out.phhs")
    assert (summary.imported, dict(summary.skipped), summary.exit_status) == (
        1,
        {"Hold'em No Limit": 1, "Limit Stud H/L": 1},
        0,
    )


def test_hands_of_two_rooms_may_stand_in_one_file() -> None:
    assert kinds(f"{STARS}{FULL_TILT}{STARS}\n\n{FULL_TILT}") == [Found] * 4


@pytest.mark.parametrize("between", ["", "\n\n"], ids=["at once", "behind blank lines"])
@pytest.mark.parametrize("text", [STARS, FULL_TILT], ids=["pokerstars", "full_tilt"])
def test_a_hand_in_another_format_among_those_of_a_room_is_reported(
    text: str, between: str
) -> None:
    assert kinds(f"{text}{between}{JSON}{JSON}{between}{text}") == [Found, Failed, Failed, Found]
    for other, name in ((JSON, "JSON"), (PHH, "PHH"), (f"[1]\n{PHH}", "PHH")):
        (failed,) = failures(f"{text}{between}{other}{between}{text}")
        assert f"a hand in {name} among those of a room" in failed.reason


def test_phh_of_another_variant_is_skipped() -> None:
    other = PHH.replace("'FR'", "'F7S'")
    (result,) = scan([other])
    assert isinstance(result, Skipped)
    assert result.game == "fixed-limit seven-card stud"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_encodings_are_recognised(tmp_path: Path, encoding: str, ends: str) -> None:
    path = tmp_path / "hands.txt"
    text = FULL_TILT.replace("Ann", "Änn €").replace("\n", ends)
    path.write_bytes(text.encode(encoding))
    (record,) = read(path)
    assert record.seats[0].name == "Änn €"


def test_a_wrong_encoding_fails_the_hand_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(f"{STARS}\n\n{STARS.replace('Ann', 'Änn')}\n\n{STARS}".encode("cp1252"))
    assert kinds(path) == [Found, Failed, Found]
    (failed,) = failures(path)
    assert "0xc4" in failed.reason
    assert "encoding" in failed.reason
    assert [r.seats[0].name for r in read(path, encoding="cp1252")] == ["Ann", "Änn", "Ann"]


def test_an_unknown_encoding_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text(STARS)
    (failed,) = [r for r in scan([path], encoding="utf-99") if isinstance(r, Failed)]
    assert "utf-99" in failed.reason


@pytest.mark.parametrize(
    "name",
    [
        "[" + "x: raises $4 to $8 [5c] (" * 8 + "]",
        "Seat 2: Bob ($100 in chips)",
        "*** SUMMARY ***",
        "Dealt to Bob [Ah]",
        "Total pot $1 | Rake $0",
        "Bob folds",
        "Bob: folds",
        "Bob (",
        "ünïcødé 🂡",
        "a  b",
        "'\"\\",
    ],
)
@pytest.mark.parametrize("to", ["pokerstars", "fulltilt", "phh", "json"])
def test_strange_names_come_back_as_they_were(name: str, to: str) -> None:
    (record,) = read(STARS)
    ann, bob = record.seats
    named = record.__class__.from_hand(record.to_hand(), names=[name, bob.name], hero=0)
    (reread,) = read(hand_text(named, to))
    assert [seat.name for seat in reread.seats] == [name, "Bob"]
    assert reread.completed().payoffs == record.payoffs
    assert ann.name == "Ann"


def test_a_name_of_two_lines_is_refused() -> None:
    (record,) = read(STARS)
    named = record.__class__.from_hand(record.to_hand(), names=["A\nB", "Bob"])
    with pytest.raises(HistoryError, match="cannot stand in a line"):
        hand_text(named, "pokerstars")


@pytest.mark.parametrize("text", [STARS, FULL_TILT, PHH, JSON], ids=["ps", "ft", "phh", "json"])
def test_random_damage_never_raises(text: str) -> None:
    rng = random.Random(11)
    for _ in range(400):
        damaged = damage(text, rng)
        for result in scan([damaged + "\n"]):
            if isinstance(result, Found):
                audit(result.record)
                result.record.fill(np.random.default_rng(0))


@pytest.mark.parametrize("text", [STARS, FULL_TILT, PHH], ids=["ps", "ft", "phh"])
def test_random_damage_makes_no_wrong_hand(text: str, tmp_path: Path) -> None:
    """What is written after damage was the same play: the same moves, amounts and results."""
    rng = random.Random(12)
    texts = [damage(text, rng) + "\n" for _ in range(300)]
    summary = convert(texts, tmp_path / "out.jsonl")
    (record,) = read(text)
    right = record.completed()
    written = list(read(tmp_path / "out.jsonl"))
    assert len(written) == summary.imported < 300
    for result in written:
        assert result.payoffs == right.payoffs
        assert [move[:5] for move in result.moves] == [move[:5] for move in right.moves]


def damage(text: str, rng: random.Random) -> str:
    """The text with a few lines or characters lost, doubled or changed."""
    for _ in range(rng.randint(1, 3)):
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        kind = rng.randrange(5)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif kind == 2:
            lines = lines[:at]
        else:
            line = lines[at]
            place = rng.randrange(len(line) + 1)
            new = rng.choice(["", "9", "[", "$", " ", "-1", "٣", "As", "\x00", "99999999999999999"])
            lines[at] = line[:place] + new + line[place + rng.randrange(3) :]
        text = "\n".join(lines) or " "
    return text


def test_a_damaged_amount_is_no_wrong_hand(tmp_path: Path) -> None:
    """Converted hands are checked by the rules: a changed amount fails with the reason."""
    wrong = STARS.replace("Ann: bets $4", "Ann: bets $6", 1)
    path = tmp_path / "in.txt"
    path.write_text(f"{STARS}\n\n{wrong}\n\n{STARS}")
    summary = convert([path], tmp_path / "out.txt", "pokerstars")
    assert (summary.imported, summary.failures, summary.exit_status) == (2, 1, 1)
    (failed,) = summary.failed
    assert (failed.file, failed.hand_id) == (str(path), "101")
    assert failed.line == STARS.count("\n") + 3
    assert "Ann" in failed.reason
    assert "amount" in str(audit(next(iter(read(wrong)))).findings[0])


def test_a_card_that_stands_twice_fails() -> None:
    (failed,) = failures(STARS.replace("Kh", "9c"))
    assert "9c" in failed.reason


def test_without_a_callback_a_damaged_hand_raises() -> None:
    with pytest.raises(HistoryError, match="text, line 1, hand #101: the hand is cut off"):
        list(read("\n".join(STARS.splitlines()[:20])))
    problems: list[object] = []
    assert list(read("\n".join(STARS.splitlines()[:20]), on_problem=problems.append)) == []
    assert len(problems) == 1


def test_a_missing_file_raises() -> None:
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        list(read("nowhere/at/all.txt"))
