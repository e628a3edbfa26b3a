"""The command `razz inspect`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.cli import main
from agents.inspection.command import with_stakes
from razz_env import HouseRules

from ..support.errors import refused

SPOT = ["inspect", "scripted:tight", "--hand", "(A2)3 | K 7f 8", "--samples", "50"]


def test_a_spot_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SPOT) == 0
    printed = capsys.readouterr().out
    assert "> seat 0 (me) [Ac 2c] 3c" in printed
    assert "seat 1 brings in, seat 2 folds, seat 3 calls" in printed
    assert "complete to 20  100.0 %" in printed
    assert "equity    64" in printed
    assert "dead      7c (seat 2)" in printed


def test_options_reach_the_hand(capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--actions", "iofo", "--seat", "2", "--json"]
    assert main([*SPOT, *more]) == 2
    assert "may not COMPLETE" in capsys.readouterr().err
    more = ["--stakes", "1/2/10/20", "--stacks", "100", "200", "300", "400", "--json"]
    assert main([*SPOT, *more]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pot_chips"] == 4 + 2 + 2
    assert [one["text"] for one in told["choices"]] == ["fold", "call 2", "complete to 10"]
    assert told["street"] == 3


def test_starting_hands_are_drawn_and_summed_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.csv"
    words = ["inspect", "raiser", "--starting-hands", str(file), "--boards", "1"]
    assert main([*words, "--facing", "completion", "--players", "3"]) == 0
    printed = capsys.readouterr().out
    assert "raiser, facing a completion, 3 players, 1 random boards a hand" in printed
    assert f"Written: {file}" in printed
    assert len(file.read_text().splitlines()) == 1184
    assert main([*words, "--players", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["spot"] == "first in, heads-up, 1 random boards a hand"
    assert told["hands"][0] == {"door": "A", "down": "AA", "raise": 1.0, "call": 0.0, "fold": 0.0}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["caller"], "--starting-hands"),
        (["callr", "--hand", "(A2)3 | K"], "'caller'"),
        (["caller", "--hand", "A23"], "brackets"),
        (["caller", "--hand", "(A2)3 | K", "--rules", "full"], "full_tilt"),
        (["caller", "--hand", "(A2)3 | K", "--stakes", "4/5"], "ante/bring-in"),
        (["caller", "--starting-hands", "x.pdf"], ".png"),
    ],
)
def test_nonsense_is_told_in_one_sentence(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.splitlines()) == 1


def test_stakes_keep_the_other_rules() -> None:
    rules = HouseRules.preset("wsop_live")
    assert with_stakes(rules, None) is rules
    changed = with_stakes(rules, "5/10/50/100")
    assert changed == HouseRules.preset("wsop_live", ante=5, bring_in=10, small_bet=50, big_bet=100)
    with refused("bring_in"):
        with_stakes(rules, "5/60/50/100")
