"""What can be written as a hand, and the sentences about what cannot."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from agents.cli import main
from razz_env.equity import equity
from razz_env.equity.notation import read_cards

from ..support.errors import refused


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("A23", [0, 1, 2]),
        ("a 2, 10", [0, 1, 9]),
        ("As2h|3c", [0, 1, 2]),
        ("xx7", [-1, -1, 6]),
        ("??7", [-1, -1, 6]),
        ("??7 Kd", [-1, -1, 6, 12]),
        ("????7d", [-1, -1, 6]),
        ("????7dTh", [-1, -1, 6, 9]),
        ("XXtc", [-1, -1, 9]),
        ("", []),
    ],
)
def test_ways_to_write_a_hand(text: str, ranks: list[int]) -> None:
    assert list(read_cards(text, "Hand 1").ranks) == ranks


@pytest.mark.parametrize(
    ("hands", "options", "words"),
    [
        (["A23"], {}, ["2 to 8 hands", "not 1"]),
        (["A23"] * 9, {}, ["not 9"]),
        (["AhAh3c", "678"], {}, ["Ah", "2 times"]),
        (["Ah23", "678"], {"dead": "Ah"}, ["Ah", "2 times"]),
        (["AAA", "A2A"], {}, ["5 cards of rank A"]),
        (["AAA", "A23"], {"dead": "A"}, ["5 cards of rank A"]),
        (["A2", "678"], {}, ["Hand 1", "'A2'", "third street"]),
        (["A23", "6789TJQK"], {}, ["Hand 2", "8 cards", "at most 7"]),
        (["A23", "67Z"], {}, ["Hand 2", "'Z'"]),
        (["A23", "67h h"], {}, ["Hand 2", "'h'"]),
        (["A2345", "678"], {"street": 4}, ["Hand 1", "5 cards", "street 4"]),
        (["A23", "678"], {"street": 8}, ["no street 8"]),
        (["A23", "678"], {"street": 3.0}, ["no street 3.0"]),
        (["A23", "678"], {"community": "KQ"}, ["community", "one known card"]),
        (["A234567", "678"], {"community": "K"}, ["Hand 1", "at most 6"]),
        (["A23", "678"], {"dead": "x" * 47}, ["too many cards"]),
        (["A234567", *["xxxxxx"] * 7], {}, ["too many cards", "seventh"]),
        (["A23", "678"], {"method": "guess"}, ["'guess'"]),
        (["A23", "678"], {"samples": 0}, ["samples=0"]),
        (["A23", "678"], {"seed": -1}, ["seed=-1"]),
        (["A23", "678"], {"seed": None}, ["seed=None"]),
        ("A23 678", {}, ["list", "['A23', '678']"]),
        (["A23", "xx8", "xxx"], {"method": "exact"}, ["exact count", "monte_carlo"]),
        (["A29", "A23"], {"rules": "mini32"}, ["rank 9", "the deck has 0"]),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(hands, options, words) -> None:
    with refused(*words, kind=ValueError):
        equity(hands, **options)


def test_the_table_of_a_result() -> None:
    lines = str(equity(["A23", "678"])).splitlines()
    assert lines[1].split()[:3] == ["A23", "59.56", "%"]
    assert lines[-1] == "exact: all 18,265,297,050 deals"
    sampled = str(equity(["A23", "678"], method="monte_carlo", samples=1000)).splitlines()
    assert sampled[-1] == "Monte Carlo: 1,000 deals"


def test_a_result_is_frozen_numbers() -> None:
    found = equity(["A23", "678"])
    assert found.equities.dtype == np.float64
    with pytest.raises(AttributeError):
        found.method = "monte_carlo"  # type: ignore[misc]


def test_the_command_prints_the_table(capsys) -> None:
    assert main(["equity", "A23", "678", "--dead", "K", "Kh"]) == 0
    assert capsys.readouterr().out.strip() == str(equity(["A23", "678"], dead="KKh"))


def test_the_command_prints_json(capsys) -> None:
    options = ["--samples", "5000", "--seed", "3", "--json"]
    assert main(["equity", "xx7", "A23", *options]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = equity(["xx7", "A23"], method="monte_carlo", samples=5000, seed=3)
    assert printed == found.to_dict()
    assert [hand["hand"] for hand in printed["hands"]] == ["xx7", "A23"]


@pytest.mark.parametrize("hand", [None, b"A23", 7])
def test_what_is_neither_text_nor_a_list_is_refused(hand: object) -> None:
    with refused("Hand 2", "text or a list", kind=TypeError):
        equity(["A23", hand])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["A23"], "2 to 8 hands"),
        (["A23", "AAAA"], "5 cards of rank A"),
        (["A23", "678", "--exact", "--samples", "5"], "give one of them"),
        (["A23", "xx8", "xxx", "--exact"], "exact count"),
    ],
)
def test_the_command_tells_what_is_wrong_in_one_line(capsys, words: list[str], told: str) -> None:
    assert main(["equity", *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_missing_package_is_named_with_the_small_extra(capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "tyro", None)
    assert main(["equity", "A23", "678"]) == 2
    assert 'pip install "razz-env[history]"' in capsys.readouterr().err


def test_an_empty_hand_is_one_of_which_nothing_is_known(capsys) -> None:
    assert main(["equity", "A23", ""]) == 0
    known = capsys.readouterr().out
    assert main(["equity", "A23", "xxx"]) == 0
    shares = [line.split()[1:3] for line in known.splitlines()[1:3]]
    assert [line.split()[1:3] for line in capsys.readouterr().out.splitlines()[1:3]] == shares
