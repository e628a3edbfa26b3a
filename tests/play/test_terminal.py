"""`razz play` with typed input: what is offered, help and hints, and every way to leave."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from agents import cli
from agents.play.screen import Screen
from agents.table.choices import choices
from razz_env.history import audit, read

from ..support.tables import ladder_hand
from ..support.tables import play as play_script

CAPPED = "S4 BRING_IN 5, S1 COMPLETE to 20, S2 RAISE to 40, S3 RAISE to 60, S4 RAISE to 80"

TABLE = ["--seed", "4", "--seats", "3", "--opponents", "caller"]


@pytest.fixture
def played(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def play(typed: str, *options: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = cli.main(["play", *TABLE, *options])
        out = capsys.readouterr()
        return status, out.out + out.err

    return play


def test_every_way_to_leave_is_clean(played) -> None:
    for typed in ("", "q\n", "quit\n", "?\nq\n"):
        status, shown = played(typed)
        assert status == 0
        assert "You leave the table." in shown
        assert "Traceback" not in shown


def test_ctrl_c_at_the_prompt_is_clean_and_loses_no_hand(
    played, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, *_args: int) -> str:
            return super().readline() or (_ for _ in ()).throw(KeyboardInterrupt)

    file = tmp_path / "mine.phhs"
    typed = Interrupted("c\n" * 60)
    monkeypatch.setattr(io, "StringIO", lambda _text: typed)
    status, shown = played("", "--save", str(file))
    assert status == 130
    hands = int(re.findall(r"After (\d+) hand", shown)[-1])
    assert hands > 1
    assert f"{hands} hands saved" in shown
    assert len(list(read(file))) == hands


def test_bad_input_is_refused_and_asked_again(played) -> None:
    status, shown = played("40\nraise fifty\ncall 6\nundo\n\x1b[2J\n\n\n")
    assert status == 0
    assert "'40' is no choice here. You may: [f] Fold, [c] Call 5, [r] Complete to 20." in shown
    assert "you can call 5, not 6" in shown
    assert "There is no undo" in shown
    assert "\x1b" not in shown


def test_of_a_long_line_only_the_beginning_is_repeated(played) -> None:
    _, shown = played("x" * 5000 + "\n")
    assert f"'{'x' * 30}\u2026' is no choice here. You may: " in shown
    assert shown.count("x" * 31) == (5000 // 31)  # what a pipe types is told as it is


def test_the_prompt_and_the_farewell_are_on_lines_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = io.StringIO()
    screen = Screen(Console(file=out, width=100, force_terminal=True), ["Ann", "Bob"])
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with pytest.raises(EOFError):
        screen.prompt(())
    assert out.getvalue().endswith("\n")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_closed_window_loses_no_hand(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.phhs"
    command = [sys.executable, "-c", "import sys; from agents.cli import main; sys.exit(main())"]
    with subprocess.Popen(
        [*command, "play", *TABLE, "--save", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("f\n")
        process.stdin.flush()
        while "After 1 hand" not in process.stdout.readline():
            pass
        process.send_signal(getattr(signal, name))
        assert process.wait(60) == 128 + getattr(signal, name)
    assert len(list(read(file))) == 1
    assert list(tmp_path.iterdir()) == [file]


def test_hints_help_score_and_auto_muck(played) -> None:
    _, shown = played("h\n?\ns\nm\nm\n", "--adviser", "scripted:tight")
    assert re.search(r"Equity \d+\.\d%", shown)
    assert "Pot odds: a call of 5" in shown
    assert "scripted:tight would choose: " in shown
    assert "There is no undo." in shown
    assert "After 0 hands" in shown
    assert "Auto-muck is off" in shown
    assert "Auto-muck is on" in shown


def test_the_last_hands_are_listed_and_told(played) -> None:
    _, shown = played("l 1\nl\n" + "c\n" * 30 + "l\nl 1\nl 99\n")
    assert "There is no hand 1 to look up; none is over yet." in shown
    assert "hand #1, ante/bring-in/bets 4/5/20/40" in shown
    assert "There is no hand 99 to look up; those kept are 1 to" in shown


def test_saved_hands_hold_what_the_person_saw(played, tmp_path: Path) -> None:
    file = tmp_path / "mine.phhs"
    status, shown = played("b\nf\nc\n" * 100, "--save", str(file), "--hands", "8", "--seat", "1")
    assert status == 0
    records = list(read(file))
    assert len(records) == 8
    assert all(audit(record).agrees and record.hero == 1 for record in records)
    hidden = [seat for record in records for seat, _ in record.unknown_cards]
    assert 1 not in hidden
    assert "8 hands saved" in shown
    assert f"Hero {sum(record.completed().payoffs[1] for record in records) / 40:+.1f}" in shown


def test_equal_seeds_and_lines_are_equal_games(played) -> None:
    assert played("c\nr\n" * 12) == played("c\nr\n" * 12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--opponents", "nobody"], "There is no player 'nobody'"),
        (["--rules", "fulltilt"], "did you mean 'full_tilt'"),
        (["--seats", "9"], "2 to 8 seats"),
        (["--seat", "3"], "not 3 of 3"),
        (["--save", "x.txt"], "does not tell the format"),
        (["--rules", "kuhn"], "full game"),
        (["--stacks", "0"], "The stack of seat 0 is 0"),
        (["--stacks", "4"], "no hand has a decision"),
        (["--hands", "-1"], "--hands -1: play at least one hand"),
        (["--name", " "], "--name must say something"),
    ],
)
def test_impossible_tables_are_refused_in_one_sentence(played, options, words) -> None:
    status, shown = played("", *options)
    assert status == 2
    assert words in shown
    assert "Traceback" not in shown
    assert "Razz: the lowest hand wins" not in shown


def test_a_real_process_with_a_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from agents.cli import main; main()", "play", *TABLE],
        input="c\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0
    assert "[c] Call 5" in done.stdout
    assert "You leave the table." in done.stdout


def test_nothing_hidden_is_printed(played) -> None:
    status, shown = played("f\n" * 30)
    assert status == 0
    rows = re.findall(r"^[> ] caller.*\[(.. ..)\]", shown, re.MULTILINE)
    assert set(rows) == {"?? ??"}


@pytest.mark.parametrize(
    ("script", "seat", "shown"),
    [
        (CAPPED, 0, "Your turn: [f] Fold   [c] Call 60   [?] help"),
        ("", 3, "Your turn: [b] Bring in 5   [r] Complete to 20   [?] help"),
    ],
)
def test_u03_the_prompt_offers_the_mask(
    script: str, seat: int, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    screen = Screen(Console(file=out, width=100), ["Ann", "Bob", "Cid", "Dan"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n"))
    hand = play_script(ladder_hand(4), script)
    assert screen.prompt(choices(hand.view(seat))) == "c"
    assert out.getvalue().splitlines()[0] == shown
