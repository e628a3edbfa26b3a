"""`razz draw`: a hand of a file as picture or film."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.cli import main
from razz_env import Hand
from razz_env.history import HandRecord, read, write
from razz_env.render import hand_scene, table_svg

from .svg import Drawn

FILES = Path(__file__).parents[1] / "history" / "files"
NAMES = ["Ann", "Ben", "Cid"]


@pytest.fixture
def hands() -> list[Hand]:
    rng, made = np.random.default_rng(0), []
    for seed in range(2):
        hand = Hand.deal(3, seed=seed)
        while not hand.is_over:
            hand.apply(int(rng.choice([action for action in hand.legal_actions() if action])))
        made.append(hand)
    return made


@pytest.fixture
def file(hands: list[Hand], tmp_path: Path) -> Path:
    path = tmp_path / "hands.jsonl"
    records = [
        HandRecord.from_hand(hand, names=NAMES, hand_id=str(7 + at))
        for at, hand in enumerate(hands)
    ]
    write(records, path)
    return path


def test_the_last_step_of_a_hand_as_svg(hands: list[Hand], file: Path, tmp_path: Path) -> None:
    out = tmp_path / "hand.svg"
    assert main(["draw", str(file), "--hand", "8", "--out", str(out), "--theme", "dark"]) == 0
    scene = hand_scene(hands[1], NAMES, open_cards=True)
    assert out.read_text() == table_svg(scene, theme="dark")


def test_a_step_as_a_player_saw_it(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "hand.svg"
    assert main(["draw", str(file), "--out", str(out), "--step", "0", "--seen-by", "Ben"]) == 0
    assert f"{out}: step 0 of 0 to " in capsys.readouterr().out
    cards = Drawn(out.read_text()).cards()
    known = [name for name, card in cards.items() if "down" in name and card is not None]
    assert known == ["card-s1-down0", "card-s1-down1"]


def test_cards_that_the_file_does_not_show_lie_face_down(tmp_path: Path) -> None:
    path = FILES / "stars_cash.txt"
    (record, *_) = read(path)
    out = tmp_path / "hand.svg"
    assert main(["draw", str(path), "--out", str(out)]) == 0
    cards = Drawn(out.read_text()).cards()
    for seat, place in record.unknown_cards:
        assert cards.get(f"card-s{seat}-down{ {0: 0, 1: 1, 6: 2}[place] }") is None
    shown = {card for card in cards.values() if card is not None}
    assert shown <= {card for seat in record.seats for card in seat.cards}


@pytest.mark.parametrize("ending", [".png", ".gif", ".html"])
def test_other_endings(ending: str, file: Path, tmp_path: Path) -> None:
    if ending != ".html":
        pytest.importorskip("svg2png_py")
    out = tmp_path / f"hand{ending}"
    assert main(["draw", str(file), "--out", str(out), "--width", "160"]) == 0
    assert out.read_bytes()[:4] in (b"\x89PNG", b"GIF8", b"<!do")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--out", "x.jpg"], [".svg", "x.jpg"]),
        (["--out", "x.svg", "--hand", "99"], ["no hand 99"]),
        (["--out", "x.svg", "--step", "500"], ["--step 500", "0 to"]),
        (["--out", "x.svg", "--seen-by", "Dan"], ["'Dan'", "Ann, Ben, Cid"]),
        (["--out", "x.html", "--seconds", "0"], ["seconds=0"]),
        (["--out", "no/such/folder/x.svg"], ["no/such/folder"]),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    options: list[str],
    words: list[str],
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", str(file), *options]) == 2
    said = capsys.readouterr().err
    assert all(word in said for word in words), said
    assert not list(tmp_path.glob("x.*"))


def test_a_damaged_hand_is_told_and_no_other_is_drawn_for_it(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = file.read_text().splitlines()
    file.write_text(f"{first[: len(first) // 2]}\n{second}\n")
    out = tmp_path / "hand.svg"
    assert main(["draw", str(file), "--out", str(out)]) == 2
    assert f"{file}, line 1" in capsys.readouterr().err
    assert main(["draw", str(file), "--out", str(out), "--hand", "7"]) == 2
    said = capsys.readouterr().err
    assert f"no hand 7 of Razz in {file}" in said
    assert "1 could not be read, such as" in said
    assert not out.exists()
    assert main(["draw", str(file), "--out", str(out), "--hand", "8"]) == 0
