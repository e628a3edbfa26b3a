"""The command `razz evaluate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.evaluation import command, match, play_match, rating_table

from ..support.errors import refused
from .players import Uniform, caller, raiser


@pytest.fixture(autouse=True)
def _players(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, Any] = {"caller": caller, "raiser": raiser, "uniform": Uniform}
    monkeypatch.setattr(match, "resolve_agent", lambda name: known[name]())


def test_evaluate_prints_heading_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    command.evaluate("caller", "uniform", hands=601, seed=4)
    printed = capsys.readouterr()
    result = play_match("caller", "uniform", decks=301, seed=4)
    assert printed.out.startswith(
        "caller against uniform, heads-up: 602 hands (301 decks in 2 seats)"
    )
    assert printed.out.endswith(f"\n\n{rating_table([result])}\n")
    assert printed.err == ""


def test_evaluate_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    command.evaluate("caller", "raiser", hands=60, players=3, rules="pokerstars", json=file)
    told = json.loads(file.read_text())["matches"]
    expected = play_match("caller", "raiser", 20, rules="pokerstars", num_players=3)
    assert [{**match, "seconds": 0} for match in told] == [
        json.loads(json.dumps({**expected.to_dict(), "seconds": 0}))
    ]


@pytest.mark.parametrize(
    ("hands", "players", "decks"), [(4, 2, 2), (5, 2, 3), (40_000, 2, 20_000), (100, 6, 17)]
)
def test_hands_are_rounded_up_to_whole_decks(hands: int, players: int, decks: int) -> None:
    assert command.decks_for(hands, players) == decks


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hands": 0}, ["0 hands", "at least 4"]),
        ({"hands": -5}, ["-5 hands"]),
        ({"hands": 11, "players": 6}, ["11 hands", "at least 12"]),
        ({"players": 1}, ["2 to 8"]),
        ({"players": 0}, ["2 to 8"]),
        ({"seed": -1}, ["seed"]),
        ({"rules": "full tilt"}, ["full_tilt"]),
        ({"stacks": 0}, ["stack"]),
        ({"json": Path("no such folder") / "x.json"}, ["no such folder", "x.json"]),
        ({"json": Path()}, ["folder"]),
    ],
)
def test_evaluate_refuses_nonsense_before_it_plays(wrong: dict[str, Any], words: list[str]) -> None:
    with refused(*words):
        command.evaluate("caller", "uniform", **({"hands": 100} | wrong))


def test_progress_is_one_line_that_is_wiped_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    command._show_progress(1000, 2500)
    command._show_progress(2500, 2500)
    printed = capsys.readouterr()
    assert printed.err.startswith("1,000 of 2,500 decks\r")
    assert printed.err.endswith("\r\033[K")
    assert printed.out == ""
