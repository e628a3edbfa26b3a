"""The page that `python -m benchmarks.peers` writes."""

from pathlib import Path

import pytest

from agents.bench.timing import Contestant, Missing, Timed
from benchmarks import peers
from benchmarks.contests import BARS, OURS, PEERS
from benchmarks.memory import bytes_per_table
from benchmarks.peer_plays import pokerkit_copies, pokerkit_razz


def timed(name: str, rates: list[float], missing: str = "") -> Timed:
    return Timed(Contestant(name, "cups", lambda: lambda: 1), rates, missing)


def table(ours: float) -> dict[str, Timed]:
    bar = BARS[0]
    return {
        bar.ours: timed(bar.ours, [ours] * 3),
        bar.theirs: timed(bar.theirs, [1.0] * 3),
        BARS[1].theirs: timed(BARS[1].theirs, [], "pgx is not installed: pip install it"),
    }


@pytest.mark.parametrize(("ours", "verdict"), [(401.0, "400 x | met"), (399.0, "**missed**")])
def test_a_contest_tells_ratio_bar_and_verdict(ours: float, verdict: str) -> None:
    line = next(
        line for line in peers.page({}, table(ours)).splitlines() if f"{ours:,.0f} x" in line
    )
    assert verdict in line


def test_a_peer_that_is_missing_is_a_line_that_says_how_to_get_it() -> None:
    text = peers.page({}, table(1.0))
    assert text.count("pgx is not installed: pip install it") == 2


def test_every_bar_is_between_contestants_that_are_timed_and_each_name_is_one() -> None:
    names = [one.name for one in (*OURS, *PEERS)]
    assert len(set(names)) == len(names)
    assert {name for bar in BARS for name in (bar.ours, bar.theirs)} <= set(names)


def test_only_keeps_both_sides_of_a_contest() -> None:
    chosen = {one.name for one in (*OURS, *PEERS) if peers._is_asked_for(one, "clone")}
    assert chosen == {"Hand.clone", "copy.deepcopy of a PokerKit state"}


def test_the_command_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise Missing("nothing to drink: pip install tea")

    monkeypatch.setattr(peers, "OURS", (Contestant("Hand.clone", "cups", lambda: lambda: 1),))
    monkeypatch.setattr(peers, "PEERS", (Contestant("clone of tea", "cups", gone),))
    monkeypatch.setattr(peers.os, "sched_setaffinity", lambda *_: None, raising=False)
    out = tmp_path / "page.md"
    words = ["--out", str(out), "--rounds", "1", "--seconds", "0", "--only", "clone"]
    assert peers.main(words) == 0
    assert "| Hand.clone | " in out.read_text()
    assert "nothing to drink" in out.read_text()


def test_plays_over_pokerkit_do_the_work_that_they_count() -> None:
    pytest.importorskip("pokerkit")
    assert pokerkit_razz(6)() > 0
    assert pokerkit_copies(6)() > 0


def test_bytes_of_a_table_do_not_depend_on_the_number_of_tables() -> None:
    assert bytes_per_table(2000) == pytest.approx(bytes_per_table(4000), rel=0.1)
