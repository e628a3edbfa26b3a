"""A report made again is the same, or the first difference is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.cli import main
from agents.evaluation import provenance, verify
from agents.evaluation.provenance import packages_of, source_hash
from agents.evaluation.verify import difference
from agents.players.basic import caller

from ..support.errors import refused
from .players import Uniform

PAIR = {"agent": "caller", "opponent": "random"}
MATCH = ["evaluate", "random", "scripted:loose", "--hands", "200", "--seed", "5"]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("match") / "report.json"
    assert main([*MATCH, "--players", "3", "--json", str(file)]) == 0
    return file


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament")
    words = ["tournament", "--agents", "random", "caller", "raiser", "--hands", "120"]
    words += ["--seats", "3", "--tables", "mixed", "--no-plots", "--out", str(folder)]
    assert main(words) == 0
    return folder / "report.json"


def report(request: dict[str, str], **more: Any) -> str:
    """The text of a finished report."""
    return json.dumps({"request": request, "finished": True, **more})


def changed(file: Path, change: Any, folder: Path) -> Path:
    told = json.loads(file.read_text())
    change(told)
    other = folder / "changed.json"
    other.write_text(json.dumps(told))
    return other


@pytest.mark.parametrize("kind", ["match", "tournament"])
def test_a_report_comes_out_the_same(
    kind: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    file = request.getfixturevalue(kind)
    capsys.readouterr()
    assert main(["evaluate", "--verify", str(file)]) == 0
    printed = capsys.readouterr().out
    decks = {"match": 67, "tournament": 40}[kind]
    assert printed == (
        f"{3 * decks} hands of {file} are played again.\n"
        f"{file} comes out the same: {decks} decks were played again.\n"
    )


def test_a_tournament_with_another_estimator_comes_out_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tournament", "--agents", "random", "caller", "--hands", "20", "--no-plots"]
    assert main([*words, "--estimator", "aivat", "--out", str(tmp_path)]) == 0
    file = tmp_path / "report.json"
    assert main(["evaluate", "--verify", str(file)]) == 0
    assert "comes out the same" in capsys.readouterr().out

    def other_numbers(told: Any) -> None:
        told["definition"]["estimators"] = ["duplicate + aivat:0123"]

    assert main(["evaluate", "--verify", str(changed(file, other_numbers, tmp_path))]) == 2
    assert "'duplicate + aivat:0123', and here is only" in capsys.readouterr().err


def raise_rating(told: Any) -> None:
    told["matches"][0]["bb_per_100"] += 1e-9


def raise_total(told: Any) -> None:
    told["players"][1]["total"]["bb_per_100"] += 1e-9


def drop_entry(told: Any) -> None:
    told["matches"][0]["estimates"].pop()


def other_seed(told: Any) -> None:
    told["request"]["seed"] = 6


def other_player(told: Any) -> None:
    told["identities"]["random"] = "policy:0123"


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("match", raise_rating, ["matches[0].bb_per_100 is", "in the report", "again"]),
        ("match", drop_entry, ["matches[0].estimates has 1 entries in the report and 2 again"]),
        ("match", other_seed, ["matches[0].bb_per_100"]),
        ("match", other_player, ["the player 'random' is another one", "policy:0123"]),
        ("tournament", raise_total, ["players[1].total.bb_per_100 is"]),
        ("tournament", other_player, ["the player 'random' is another one"]),
    ],
)
def test_the_first_difference_is_named(
    kind: str,
    change: Any,
    words: list[str],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = changed(request.getfixturevalue(kind), change, tmp_path)
    assert main(["evaluate", "--verify", str(file)]) == 1
    printed = capsys.readouterr().out
    assert f"{file} does not come out the same: " in printed
    for word in words:
        assert word in printed


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("request.hands", "abc"),
        ("request.rules", 3),
        ("request.agent", None),
        ("request.until", "x"),
        ("request.estimator", 5),
        ("request.stacks", [500, 500]),
        ("request", []),
        ("matches", None),
        ("matches", [1]),
        ("identities", []),
        ("versions", ["numpy"]),
        ("source", "q"),
    ],
)
def test_an_edited_report_is_refused_with_the_place(
    place: str, value: Any, match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(told: Any) -> None:
        *outer, last = place.split(".")
        (told[outer[0]] if outer else told)[last] = value

    file = changed(match, change, tmp_path)
    assert main(["evaluate", "--verify", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"{str(file)!r} is damaged: {place}" in said
    assert len(said.splitlines()) == 1


def test_a_file_of_brackets_is_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)
    assert main(["evaluate", "--verify", str(file)]) == 2
    assert "is no JSON" in capsys.readouterr().err


def test_other_versions_and_source_are_noted_and_do_no_harm(
    match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def older(told: Any) -> None:
        told["versions"]["numpy"] = "1.0"
        told["source"]["agents"] = "0123"

    assert main(["evaluate", "--verify", str(changed(match, older, tmp_path))]) == 0
    _, first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("note: numpy was 1.0, here it is ")
    assert second == "note: the source of 'agents' is not what it was"


def test_what_was_stopped_is_compared_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.json"

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("agents.evaluation.command.terminal_progress", lambda: interrupt)
        assert main(["evaluate", "caller", "random", "--hands", "4000", "--json", str(file)]) == 130
    assert main(["evaluate", "--verify", str(file)]) == 0
    assert "1,000 decks were played again" in capsys.readouterr().out


def test_a_match_that_could_end_early_ends_there_again(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    words = ["evaluate", "raiser", "random", "--until-decided", "--hands", "20000"]
    assert main([*words, "--json", str(file)]) == 0
    assert json.loads(file.read_text())["matches"][0]["decks"] == 1000
    announced: list[int] = []
    assert verify.verify(file, announce=announced.append).difference is None
    assert announced == [2000]  # of 20,000 that it could have taken


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, ["cannot be read"]),
        ("{", ["no JSON"]),
        ("[]", ["no report"]),
        ("{}", ["cannot be made again"]),
        ('{"request": {"nobody": 1}, "finished": true}', ["damaged", "nobody"]),
        (report(PAIR | {"agent": "callr"}, matches=[{"decks": 2}]), ["'caller'"]),
        (report(PAIR), ["damaged", "'matches'"]),
        (report(PAIR, matches=[{}]), ["damaged", "'decks'"]),
        (report(PAIR, matches=[{"decks": 2.5}]), ["damaged", "matches[0].decks cannot be 2.5"]),
        (report(PAIR, matches=[]), ["before any result"]),
        (json.dumps({"request": PAIR, "finished": False, "matches": []}), ["before any result"]),
        ('{"definition": {}}', ["damaged", "names"]),
    ],
)
def test_what_is_no_report_is_refused(
    content: str | None, words: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "report.json"
    if content is not None:
        file.write_text(content)
    with refused("report.json" if "'caller'" not in words else "", *words, kind=ValueError):
        verify.verify(file)


def test_players_beside_a_report_are_refused(
    match: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "caller", "random", "--verify", str(match)]) == 2
    assert "leave out 'caller'" in capsys.readouterr().err


def test_differences_are_told_in_the_order_of_the_report() -> None:
    one = {"a": [1, {"b": 2}], "c": 3, "command": "x"}
    assert difference(one, {"a": [1, {"b": 2}], "c": 3, "command": "y"}) is None
    assert difference(one, {"a": (1, {"b": 4}), "c": 5}) == (
        "a[1].b is 2 in the report and 4 again"
    )
    assert difference(one, {"a": [1, {"b": 2, "d": 0}], "c": 3}) == "a[1].d is only there again"
    assert difference(one, {"a": [1, {"b": 2}]}) == "c is only there in the report"


# ---- the source


def test_the_source_is_that_of_the_players_too(tmp_path: Path, monkeypatch: Any) -> None:
    assert packages_of([caller()]) == ["agents", "razz_env"]
    assert packages_of([caller(), Uniform()]) == ["agents", "razz_env", "tests"]
    package = tmp_path / "their_player"
    (package / "part").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "part" / "play.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = source_hash("their_player")
    assert before == source_hash("their_player")
    (package / "part" / "play.py").write_text("x = 2\n")
    assert source_hash("their_player") != before
    assert source_hash("no_such_package") == "unknown"


def test_a_report_names_machine_and_versions() -> None:
    told = provenance.provenance("razz evaluate a b", [caller()])
    assert told["command"] == "razz evaluate a b"
    assert told["identities"] == {"caller": "caller"}
    assert len(told["source"]["razz_env"]) == 64
    assert told["versions"]["razz-env"]
