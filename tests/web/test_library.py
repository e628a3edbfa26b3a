"""`razz replay FILE --web`: the hands of a file in the page, and the commands' refusals."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from agents.cli import main
from razz_env.history import read

from .clients import page, served

FILES = Path(__file__).parents[1] / "history" / "files"


def test_the_hands_of_a_file_are_stepped_through() -> None:
    records = list(read(FILES / "stars_cash.txt")) + list(read(FILES / "full_tilt_cash.txt"))
    with served(records=records) as (client, server), page(client) as ann:
        assert server.lobby()["library"]
        ann.say(do="titles")
        told = ann.until("titles")
        assert told["total"] == len(records)
        assert "PokerStars" in told["titles"][0]["text"]
        ann.say(do="step", hand=1, step=0, equity=True, player="book")
        first = ann.until("step")
        assert (first["hand"], first["step"], first["line"]) == (1, 0, "")
        assert sum(entry["share"] for entry in first["equity"]) == pytest.approx(1, abs=0.001)
        assert first["advice"]
        ann.say(do="step", hand=1, step=10_000)
        last = ann.until("step")
        assert last["step"] == last["steps"] == len(records[0].moves)
        ann.say(do="step", hand=len(records) + 1, step=0)
        assert f"the file has {len(records)}" in ann.until("refused")["sentence"]
        ann.say(do="step", hand=1, step=0, player="ppo:/etc/passwd")
        assert "no player" in ann.until("refused")["sentence"]
        ann.say(do="download", format="pokerstars")
        assert len(list(read(ann.until("file")["text"]))) == len(records)


def test_a_table_can_be_opened_beside_a_file() -> None:
    records = list(read(FILES / "stars_cash.txt"))
    with served(records=records) as (client, _), page(client) as ann:
        ann.open(["me", "caller"])
        ann.my_turn()
        ann.say(do="titles")
        assert ann.until("titles")["total"] == 0
        ann.say(do="leave")
        ann.say(do="titles")
        assert ann.until("titles")["total"] == len(records)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["web", "--opponents", "nobody"], "There is no player 'nobody'"),
        (["web", "--port", "99999"], "--port 99999 must be 0 to 65535"),
        (["web", "--port", "-1"], "--port -1 must be"),
        (["web", "--host", "no.such.host.invalid"], "choose another with --host"),
        (["replay", "nowhere.phh", "--web"], "no file or folder"),
        (["replay", str(FILES / "stars_cash.txt"), "--web", "--hand", "9"], "There is no hand 9"),
        (["replay", str(FILES / "stars_cash.txt"), "--web", "--players", "x"], "no player 'x'"),
    ],
)
def test_impossible_commands_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out = capsys.readouterr()
    assert said in out.out + out.err


def test_a_taken_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["web", "--port", str(port)]) == 2
    assert "choose another with --port" in capsys.readouterr().err


def test_the_command_serves_loopback_until_it_is_stopped() -> None:
    command = [sys.executable, "-c", "from agents.cli import main; main()", "web", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        line = running.stdout.readline()
        address = line.split()[1]
        assert address.startswith("http://127.0.0.1:")
        for _ in range(50):
            try:
                text = urllib.request.urlopen(address, timeout=5).read().decode()
                break
            except OSError:
                time.sleep(0.1)
        assert "<title>Razz</title>" in text
        running.terminate()
        assert running.wait(timeout=30) is not None
