"""The tournament's report and its command."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from agents.cli import main
from agents.evaluation import field, tournament_command
from agents.evaluation.field import make_field
from agents.evaluation.plots import draw_all
from agents.evaluation.sequences import FIRST_LOOK
from agents.evaluation.standings import Standings
from agents.evaluation.tournament import Tournament
from agents.evaluation.tournament_report import csv_text, html_text, markdown_text, report_dict
from agents.evaluation.tournament_tables import heading, sections
from agents.lock import locked

from ..support.errors import refused
from .players import Halving, Late, LowDoor, Named, Uniform, caller, raiser

AGENTS = ["--agents", "random", "caller", "raiser", "--hands", "200", "--no-plots"]
FOUR = ["--agents", "random", "caller", "raiser", "scripted:tight", "--seats", "4"]


@pytest.fixture(scope="module")
def standings() -> Standings:
    tournament = Tournament(make_field([caller(), Uniform(), LowDoor(), raiser()], 200, 5))
    tournament.play()
    return Standings(tournament)


class Cells(HTMLParser):
    """The rows of all tables, and whatever a page asks for from elsewhere."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.elsewhere: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.elsewhere += [
            value
            for name, value in attributes
            if name in ("src", "href") and not value.startswith("data:")
        ]

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_all_files_tell_the_same_figures(standings: Standings) -> None:
    parts, title = sections(standings), heading(standings)
    told = json.loads(json.dumps(report_dict(standings, "razz")))
    best = told["players"][0]
    page = Cells(html_text(title, parts, "razz", {}))
    text = markdown_text(title, parts, "razz")
    shown = f"{best['total']['bb_per_100']:+.2f}"
    assert page.rows[1][:3] == [best["name"], "1", shown]
    assert re.search(rf"\| {best['name']} +\| +1 \| +{re.escape(shown)} \|", text)
    rows = list(csv.DictReader(io.StringIO(csv_text(standings))))
    assert [
        (row["player"], row["estimate"], float(row["bb_per_100"]), float(row["standard_error"]))
        for row in rows
    ] == [
        (match["player"], one["name"], one["bb_per_100"], one["standard_error"])
        for match in told["matches"]
        for one in match["estimates"]
    ]


def test_the_ranking_is_by_what_was_won_in_all(standings: Standings) -> None:
    won = [standings.totals()[player].bb_per_100 for player in standings.order]
    assert won == sorted(won, reverse=True)
    assert won[0] > 0 > won[-1]


def test_a_report_says_what_decides_it(standings: Standings) -> None:
    told = report_dict(standings, "razz tournament --agents a b")
    assert told["definition"]["rules"]["big_bet"] == 40
    assert told["definition"]["seed"] == 5
    assert set(told["definition"]["identities"]) == {"caller", "uniform", "low door", "raiser"}
    assert {"python", "numpy", "razz-env", "scipy"} <= set(told["versions"])
    assert told["command"] == "razz tournament --agents a b"
    assert "same 200 decks" in heading(standings)
    assert "rules full_tilt" in heading(standings)


def test_few_decks_decide_nothing_and_all_texts_say_so() -> None:
    """Results that are far apart; with as many decks as are needed, they are decided."""
    tournament = Tournament(make_field([raiser(), Uniform()], FIRST_LOOK, 5))
    tournament.play()
    enough = Standings(tournament)
    tournament = Tournament(make_field([raiser(), Uniform()], FIRST_LOOK - 1, 5))
    tournament.play()
    few = Standings(tournament)
    for standings, told in ((enough, "yes"), (few, "no")):
        parts, title = sections(standings), heading(standings)
        texts = markdown_text(title, parts, ""), html_text(title, parts, "", {}), title
        assert ["Fewer than 1,000 decks decide nothing" in text for text in texts] == [
            told == "no"
        ] * 3
        assert ["anytime interval stays valid" in text for text in texts[:2]] == [told == "yes"] * 2
        ((*_, p, adjusted, decided),) = next(one for one in parts if "better" in one.title).rows
        assert (decided, p == "-", adjusted == "-") == (told, told == "no", told == "no")
        assert [row[-1] == "-" for row in parts[0].rows] == [told == "no"] * 2
    assert report_dict(few, "")["comparisons"][0]["adjusted_p"] is None


def test_names_cannot_break_out_of_the_tables() -> None:
    nasty = Named('<script>alert("1")</script>|x')
    tournament = Tournament(make_field([nasty, caller()], 20, estimators=[Halving()]))
    tournament.play()
    standings = Standings(tournament)
    parts = sections(standings)
    page = html_text("t", parts, "c", {"picture": b"png"})
    assert "<script" not in page
    cells = Cells(page)
    assert cells.elsewhere == []
    assert nasty.name in [row[0] for row in cells.rows]
    for line in markdown_text("t", parts, "c").splitlines():
        if line.startswith("| <script"):
            assert r"\|x" in line
    assert "halved" in [row[2] for row in cells.rows if len(row) > 2]


def test_a_cycle_is_told() -> None:
    class Cycle(Standings):
        cycles = [(0, 2, 1)]  # type: ignore[assignment]  # noqa: RUF012

    tournament = Tournament(make_field([caller(), Uniform(), LowDoor()], 50))
    tournament.play()
    text = " ".join(part.text for part in sections(Cycle(tournament)))
    assert "intransitive: caller beats uniform beats low door beats caller." in text


def test_pictures_are_drawn_alike_twice(standings: Standings, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    paths = draw_all(standings, tmp_path / "one")
    again = draw_all(standings, tmp_path / "two")
    assert [path.name for path in paths] == [
        "1_crosstable.png",
        "2_intervals.png",
        "3_running.png",
        "4_style.png",
    ]
    for one, other in zip(paths, again, strict=True):
        assert one.read_bytes().startswith(b"\x89PNG")
        assert one.read_bytes() == other.read_bytes()


# ---- the command


def test_the_command_prints_a_crosstable_and_writes_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", *AGENTS, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "3 players, heads-up: 3 line-ups on the same 100 decks, 600 hands" in printed
    assert "| caller" in printed
    assert sorted(path.name for path in tmp_path.glob("report.*")) == [
        "report.csv",
        "report.html",
        "report.json",
        "report.md",
    ]
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["finished"] is True
    assert told["command"] == (
        "razz tournament --agents caller raiser random --hands 200 --seats 2 --seed 0 "
        "--rules full_tilt --stacks 500"
    )


def test_the_same_command_finds_its_folder_and_writes_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any order of the players, with any number of workers, however often."""
    monkeypatch.chdir(tmp_path)
    written = []
    for agents in (["random", "caller", "raiser"], ["raiser", "random", "caller"]):
        assert main(["tournament", "--agents", *agents, "--hands", "200", "--no-plots"]) == 0
        (folder,) = Path("tournaments").iterdir()
        written.append({path.name: path.read_bytes() for path in folder.glob("report.*")})
    assert written[0] == written[1]


def test_two_tournaments_in_one_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tournament", *AGENTS, "--out", str(tmp_path / "new" / "x")]
    assert main(words) == 0
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    capsys.readouterr()
    with locked(tmp_path / "new" / "x", "tournament"):
        assert main(words) == 2
    told = capsys.readouterr().err
    assert f"{tmp_path / 'new' / 'x'} is in use: another tournament runs in it." in told
    assert told.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert main(words) == 0


def test_a_page_shows_no_pictures_of_fewer_decks(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ["tournament", "--agents", "random", "caller", "--out", str(tmp_path)]
    assert main([*words, "--hands", "40"]) == 0
    assert (tmp_path / "report.html").read_text().count("<img") == 4
    own = tmp_path / "plots" / "own.png"
    own.write_bytes(b"mine")
    assert main([*words, "--hands", "400", "--no-plots"]) == 0
    page = (tmp_path / "report.html").read_text()
    assert "same 200 decks" in page
    assert "<img" not in page
    assert list((tmp_path / "plots").iterdir()) == [own]


def test_ctrl_c_says_what_is_kept_and_the_same_command_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    words = ["tournament", "--agents", "random", "caller", "--hands", "4400", "--no-plots"]
    assert main([*words, "--out", str(whole)]) == 0
    calls = iter([None, KeyboardInterrupt()])

    def interrupt(done: int, total: int) -> None:
        error = next(calls)
        if error is not None:
            raise error

    monkeypatch.setattr(tournament_command, "terminal_progress", lambda: interrupt)
    capsys.readouterr()
    assert main([*words, "--out", str(broken)]) == 130
    told = capsys.readouterr().err
    assert f"Stopped: 2,000 of 2,200 decks are kept in {broken}" in told
    assert "The same command goes on" in told
    assert json.loads((broken / "report.json").read_text())["finished"] is False
    assert (broken / "report.md").read_text().splitlines()[2].startswith("Unfinished, 2,200 decks")
    monkeypatch.undo()
    assert main([*words, "--out", str(broken)]) == 0
    assert f"Going on in {broken}: 2,000 of 2,200 decks." in capsys.readouterr().err
    for name in ("report.json", "report.csv", "report.md", "report.html"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()


def test_a_fault_is_told_in_the_report_of_what_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[str, Any] = {"caller": caller, "raiser": raiser, "stumbling": Late}
    monkeypatch.setattr(field, "resolve_agent", lambda name: known[name]())
    words = ["tournament", "--agents", "caller", "raiser", "stumbling", "--hands", "8000"]
    assert main([*words, "--no-plots", "--out", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["finished"] is False
    assert told["decks"] == 2000
    assert (told["fault"]["agent"], told["fault"]["deck"]) == ("stumbling", Late.deck)
    assert told["fault"]["sentence"] in printed.err
    assert told["fault"]["sentence"] in (tmp_path / "report.md").read_text()
    assert "Stopped: " in printed.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--agents", "caller"], "two players"),
        (["--agents", "caller", "randm"], "'random'"),
        (["--agents", "caller", "random", "--hands", "3"], "3 hands"),
        (
            [*FOUR, "--tables", "mixed", "--seatings", "all", "--hands", "10"],
            "a deck takes 24 hands",
        ),
        (["--agents", "caller", "random", "--seats", "9"], "2 to 8"),
        (["--agents", "caller", "random", "--workers", "0"], "workers=0"),
    ],
)
def test_nonsense_is_told_in_one_sentence(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", *words, "--no-plots", "--out", str(tmp_path / "x")]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_missing_matplotlib_is_told_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    words = ["tournament", *AGENTS[:-1], "--out", str(tmp_path / "x")]
    assert main(words) == 2
    assert 'pip install "razz-env[report]"' in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_tables_of_three_are_played_both_ways(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for tables, lineups in (("copies", 6), ("mixed", 1)):
        words = ["tournament", *AGENTS, "--seats", "3", "--tables", tables]
        assert main([*words, "--out", str(tmp_path / tables)]) == 0
        printed = capsys.readouterr().out
        assert f"{lineups} line-up{'s' if lineups > 1 else ''} on the same 67 decks" in printed
        command = json.loads((tmp_path / tables / "report.json").read_text())["command"]
        assert f"--tables {tables} --seatings cyclic" in command


def test_rate_refuses_a_text_for_a_list() -> None:
    from agents.evaluation import rate

    with refused("list", "['caller']", kind=TypeError):
        rate("caller", "caller")
