"""The command `razz evaluate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents import paths
from agents.evaluation import (
    AgentFault,
    command,
    match,
    match_report,
    play_match,
    rating_table,
)
from agents.evaluation.aivat import Aivat
from agents.evaluation.progress import ProgressLine
from agents.evaluation.report import estimate_table, interval_notes
from agents.evaluation.request import decks_for
from razz_env.envs.opponents import resolve_agent

from ..support.errors import refused
from .players import Late, Uniform, caller, raiser


@pytest.fixture(autouse=True)
def _players(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, Any] = {
        "caller": caller,
        "raiser": raiser,
        "uniform": Uniform,
        "stumbling": Late,
    }
    monkeypatch.setattr(match, "resolve_agent", lambda name: known[name]())


def test_evaluate_prints_heading_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    command.evaluate("caller", "uniform", hands=601, seed=4)
    printed = capsys.readouterr()
    result = play_match("caller", "uniform", decks=301, seed=4)
    assert printed.out.startswith(
        "caller against uniform, heads-up: 602 hands (301 decks in 2 seats)"
    )
    assert f"\n\n{rating_table([result])}\n" in printed.out
    assert f"\n\n{estimate_table(result)}\n" in printed.out
    assert printed.out.endswith(f"\n\n{interval_notes(result)}\n")
    assert printed.err == ""


def test_evaluate_prints_a_better_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    command.evaluate("caller", "uniform", hands=60, estimator="aivat")
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "| duplicate + " in line]
    assert line.startswith(f"| {Aivat().name} |")
    with refused("'divat'", "known: aivat"):
        command.evaluate("caller", "uniform", hands=60, estimator="divat")


def test_evaluate_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    command.evaluate("caller", "raiser", hands=60, players=3, rules="pokerstars", json=file)
    told = json.loads(file.read_text())
    expected = play_match("caller", "raiser", 20, rules="pokerstars", num_players=3)
    all_of_it = expected.to_dict() | {"bootstrap": expected.bootstrap}
    assert told["matches"] == [json.loads(json.dumps(all_of_it))]
    assert (told["finished"], told["fault"]) == (True, None)
    assert told["command"] == (
        "razz evaluate caller raiser --hands 60 --seed 0 --rules pokerstars --stacks 500 "
        "--players 3"
    )
    assert told["identities"] == {"caller": "caller", "raiser": "raiser"}
    assert set(told["source"]) == {"agents", "razz_env", "tests"}
    assert {"python", "numpy", "numba"} <= set(told["versions"])


@pytest.mark.parametrize(
    ("hands", "hands_per_deck", "decks"), [(4, 2, 2), (5, 2, 3), (40_000, 2, 20_000), (100, 6, 17)]
)
def test_hands_are_rounded_up_to_whole_decks(hands: int, hands_per_deck: int, decks: int) -> None:
    assert decks_for(hands, hands_per_deck) == decks


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hands": 0}, ["0 hands", "at least 4"]),
        ({"hands": -5}, ["-5 hands"]),
        ({"hands": 10**26}, ["1.0e+26 hands are too many", "1,000,000,000,000 are the most"]),
        ({"hands": 11, "players": 6}, ["11 hands", "at least 12"]),
        ({"players": 1}, ["2 to 8"]),
        ({"players": 0}, ["2 to 8"]),
        ({"seed": -1}, ["seed"]),
        ({"rules": "full tilt"}, ["full_tilt"]),
        ({"stacks": 0}, ["stack"]),
        ({"until": 0.0}, ["half-width", "0.0"]),
        ({"until": float("nan")}, ["half-width", "nan"]),
        ({"workers": 0}, ["workers=0", "at least 1"]),
        ({"json": Path("no such folder") / "x.json"}, ["no such folder", "x.json"]),
        ({"json": Path()}, ["folder"]),
        ({"json": Path("n.safetensors")}, ["--json 'n.safetensors'", "players"]),
        ({"json": Path("runs/model.ZIP")}, ["--json", "players"]),
    ],
)
def test_evaluate_refuses_nonsense_before_it_plays(wrong: dict[str, Any], words: list[str]) -> None:
    with refused(*words):
        command.evaluate("caller", "uniform", **({"hands": 100} | wrong))


def test_progress_is_one_line_that_is_wiped_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter([10.0, 20.0, 40.0])
    line = ProgressLine(lambda: next(seconds))
    for done in (1000, 1500, 2500):
        line(done, 2500)
    first, second, last = capsys.readouterr().err.split("\r", 2)
    assert first.startswith("1,000 of 2,500 decks\033[K")
    assert second.startswith("1,500 of 2,500 decks, 0:20 left")
    assert last.endswith("\r\033[K")


def test_a_match_that_may_end_early_says_so_and_how_long_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command.evaluate("raiser", "uniform", until_decided=True)
    printed = capsys.readouterr().out
    assert "2,000 hands (1,000 decks in 2 seats)" in printed
    assert "this one could end early" in printed


def test_a_file_that_must_not_be_written_to_is_told_before_the_match(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The tests may run as root, whom nothing is forbidden: the system's refusal is played."""

    def denied(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(paths.tempfile, "TemporaryFile", denied)
    with refused("x.json", "cannot be written", "Permission denied", kind=ValueError):
        command.evaluate("caller", "uniform", json=tmp_path / "x.json")
    old = tmp_path / "old.json"
    old.write_text("kept")
    monkeypatch.setattr(Path, "open", denied)
    with refused("old.json", "cannot be written", kind=ValueError):
        paths.check_file(old)
    monkeypatch.undo()
    paths.check_file(old)
    assert old.read_text() == "kept"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_that_cannot_be_written_loses_no_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_report, "SAVE_SECONDS", 0.0)
    with refused("'/dev/full' cannot be written", "No space left", kind=ValueError):
        command.evaluate("caller", "uniform", hands=60, json=Path("/dev/full"))
    assert "BB/100" in capsys.readouterr().out
    with pytest.raises(AgentFault):
        command.evaluate("raiser", "stumbling", hands=8000, json=Path("/dev/full"))
    printed = capsys.readouterr()
    assert "BB/100" in printed.out
    assert "'/dev/full' cannot be written" in printed.err


# ---- matches that are ended early by somebody


@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_keeps_the_result_so_far_and_names_player_seat_and_deck(
    workers: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.json"
    with pytest.raises(AgentFault) as fault:
        command.evaluate("raiser", "stumbling", hands=8000, workers=workers, json=file)
    printed = capsys.readouterr()
    assert (fault.value.agent, fault.value.seat) == ("stumbling", 1)
    assert fault.value.deck == Late.deck
    told = json.loads(file.read_text())
    assert told["finished"] is False
    assert told["fault"] == {
        "agent": "stumbling",
        "seat": 1,
        "deck": fault.value.deck,
        "sentence": str(fault.value),
    }
    assert told["matches"][0] == json.loads(json.dumps(as_told("raiser", "caller", 2000)))
    assert "4,000 hands (2,000 decks in 2 seats)" in printed.out
    assert f"Stopped: 2,000 of 4,000 decks were played, and {file} tells so." in printed.err


def as_told(agent: str, opponent: str, decks: int) -> dict[str, Any]:
    """The match against a player that calls under the name "stumbling"."""
    result = play_match(agent, opponent, decks)
    names = {"opponent": "stumbling", "identities": ["raiser", "stumbling"]}
    return result.to_dict() | {"bootstrap": list(result.bootstrap)} | names


def test_a_fault_at_once_leaves_no_result_but_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.json"
    monkeypatch.setattr(Late, "deck", 345)
    with pytest.raises(AgentFault):
        command.evaluate("raiser", "stumbling", hands=8000, json=file)
    told = json.loads(file.read_text())
    assert told["matches"] == []
    assert told["fault"]["agent"] == "stumbling"


def test_ctrl_c_keeps_the_result_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.json"

    def interrupt(done: int, total: int) -> None:
        if done == 2000:
            raise KeyboardInterrupt

    monkeypatch.setattr(command, "terminal_progress", lambda: interrupt)
    with pytest.raises(KeyboardInterrupt):
        command.evaluate("raiser", "caller", hands=8000, json=file)
    told = json.loads(file.read_text())
    assert (told["finished"], told["fault"], told["matches"][0]["decks"]) == (False, None, 2000)
    assert "Stopped: 2,000 of 4,000 decks" in capsys.readouterr().err


def test_a_crash_leaves_the_report_of_some_seconds_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "report.json"

    def crash(done: int, total: int) -> None:
        if done == 3000:
            raise SystemExit("killed")

    monkeypatch.setattr(match_report, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(command, "terminal_progress", lambda: crash)
    with pytest.raises(SystemExit):
        command.evaluate("raiser", "caller", hands=8000, json=file)
    told = json.loads(file.read_text())
    assert (told["finished"], told["matches"][0]["decks"]) == (False, 3000)
    assert told["matches"][0]["bootstrap"] is None
    assert list(tmp_path.iterdir()) == [file]


def test_two_players_must_be_named() -> None:
    with refused("Name two players"):
        command.evaluate("caller")


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["scripted:loose", "book"])
def test_the_report_is_the_same_to_the_byte_for_any_number_of_workers(
    opponent: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both with hands that one kernel plays out and with players that are asked."""
    monkeypatch.setattr(match, "resolve_agent", resolve_agent)
    reports = []
    for workers in (1, 2, 4):
        file = tmp_path / f"{workers}.json"
        command.evaluate(
            "scripted:tight", opponent, hands=4200, estimator="aivat", workers=workers, json=file
        )
        reports.append(file.read_bytes())
    assert reports[0] == reports[1] == reports[2]
