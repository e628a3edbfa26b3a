"""The biggest swings: the right decks, and their hands as files that replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.cli import main
from agents.evaluation import swings_command
from agents.evaluation.match import Match, make_match
from agents.evaluation.seeds import deck_seed
from agents.evaluation.swings import find_swings, seat_names
from razz_env import Hand
from razz_env.history import read

from ..support.errors import refused
from .players import LowDoor, Uniform, caller


def played(*players: Any, decks: int = 1500, **how: Any) -> Match:
    match = make_match(*(players or (LowDoor(), Uniform())), decks, seed=3, **how)
    match.play()
    return match


@pytest.mark.parametrize("how", [{}, {"num_players": 4, "rules": "pokerstars"}])
def test_swings_are_the_decks_with_the_biggest_results(how: Any) -> None:
    match = played(**how)
    found = find_swings(match, 15)
    chips = match.result().deck_chips
    sizes = [abs(swing.net_chips) for swing in found]
    assert sizes == sorted(np.abs(chips), reverse=True)[:15]
    assert [chips[swing.deck] for swing in found] == [swing.net_chips for swing in found]
    assert max(swing.deck for swing in found) >= 1000 or how  # both blocks are looked at
    for swing in found:
        assert sum(hand.net_chips for hand in swing.hands) == swing.net_chips
        check_hands(swing, len(match.lineup))


def check_hands(swing: Any, num_players: int) -> None:
    """One hand for each seat of the first player, with the cards of the deck."""
    assert sorted(hand.seat for hand in swing.hands) == list(range(num_players))
    dealt = Hand.deal(num_players, seed=deck_seed(3), index=swing.deck)
    for turn, hand in enumerate(swing.hands):
        record = hand.record
        assert hand.number == num_players * swing.deck + turn + 1
        assert (record.hand_id, record.table) == (str(hand.number), f"deck {swing.deck}")
        assert record.seats[hand.seat].name == "low door"
        assert record.payoffs[hand.seat] == hand.net_chips
        assert [seat.cards[:2] for seat in record.seats] == [
            dealt.down_cards(seat) for seat in range(num_players)
        ]


def test_one_side_alone() -> None:
    match = played(decks=300)
    won, lost, both = (find_swings(match, 10, side) for side in ("won", "lost", "both"))
    assert min(swing.net_chips for swing in won) > 0
    assert max(swing.net_chips for swing in lost) < 0
    assert {swing.deck for swing in both} <= {swing.deck for swing in (*won, *lost)}


def test_decks_that_came_out_even_are_no_swings() -> None:
    assert find_swings(played(caller(), caller(), decks=50)) == []
    match = played(decks=20)
    uneven = np.count_nonzero(match.result().deck_chips)
    assert len(find_swings(match, 100)) == uneven


class Fickle(Uniform):
    """Draws from a generator of its own, which is against the rules."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return super().act(views, observations, masks, self.rng)


def test_a_player_that_does_not_play_alike_twice_is_told() -> None:
    with refused("does not come out the same twice", "uniform", kind=ValueError):
        find_swings(played(LowDoor(), Fickle(), decks=100))


def test_nothing_wanted_is_refused() -> None:
    with refused("top=0"):
        find_swings(played(decks=10), 0)


def test_the_command_refuses_it_before_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "play", lambda *_: pytest.fail("the match was played"))
    with refused("top=-1", kind=ValueError):
        swings_command.swings("caller", "caller", top=-1)


def test_copies_can_be_told_apart() -> None:
    assert seat_names(["a", "b", "b", "a", "b"]) == ["a", "b", "b (2)", "a (2)", "b (3)"]


# ---- the command

WORDS = ["swings", "random", "scripted:tight", "--hands", "300", "--top", "4", "--seed", "2"]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("s.phhs", []),
        ("s.jsonl", ["--players", "3"]),
        ("s.txt", ["--to", "fulltilt", "--players", "3"]),
        ("s.txt", ["--to", "pokerstars", "--rules", "pokerstars"]),
    ],
)
def test_saved_hands_replay_without_complaint(
    name: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    assert main([*WORDS, *more, "--out", str(file)]) == 0
    printed = capsys.readouterr().out
    seats = 3 if "3" in more else 2
    assert f"{4 * seats} hands are written: razz replay {file}" in printed
    assert main(["replay", str(file), "--quiet"]) == 0
    assert f"{4 * seats} agree, 0 disagree, 0 skipped, 0 failed" in capsys.readouterr().out
    records = list(read(file))
    assert {seat.name for record in records for seat in record.seats} >= {
        "random",
        "scripted:tight",
    }
    table = [line.split("|") for line in printed.splitlines() if line.startswith("| ")][1:]
    assert len(table) == 4
    for row in table:
        total, *by_seat = (float(cell) for cell in row[2 : 3 + seats])
        assert total == pytest.approx(sum(by_seat), abs=0.02)
        for number in row[-2].split(","):
            assert number.strip() in {record.hand_id for record in records}


def test_hands_that_a_format_cannot_hold_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rules with more than four bets a street are not PokerKit's."""
    words = ["swings", "raiser", "random", "--hands", "300", "--rules", "wsop_live"]
    assert main([*words, "--out", str(tmp_path / "s.phhs")]) == 1
    told = capsys.readouterr()
    left = told.err.count("is left out: PHH means PokerKit's rules")
    assert 0 < left < 40
    assert f"{40 - left} hands are written" in told.out
    assert main(["replay", str(tmp_path / "s.phhs"), "--quiet"]) == 0
    assert main([*words, "--out", str(tmp_path / "s.jsonl")]) == 0
    assert "40 hands are written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "s.phh"], "s.phhs"),
        (["--out", "s.xyz"], "format"),
        (["--top", "0"], "top=0"),
        (["--hands", "3"], "3 hands"),
        (["--out", "no such folder/s.phhs"], "cannot be written"),
    ],
)
def test_nonsense_is_told_in_one_sentence(
    words: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*WORDS, *words]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_match_that_fails_leaves_no_half_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(swings_command, "terminal_progress", interrupt)
    assert main([*WORDS, "--out", str(tmp_path / "s.phhs")]) == 130
    assert list(tmp_path.iterdir()) == []


def test_without_a_file_the_decks_are_only_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(WORDS) == 0
    printed = capsys.readouterr().out
    assert "What random won with each deck, in big bets" in printed
    assert "written" not in printed
    assert json.dumps(printed).count("\\n| ") == 5


def test_swings_are_not_written_over_a_player(tmp_path: Path) -> None:
    player = tmp_path / "model.zip"
    player.write_bytes(b"kept")
    with refused("--out", "model.zip", "ending of players", kind=ValueError):
        swings_command.swings("caller", "caller", hands=2, out=player, to="json")
    assert player.read_bytes() == b"kept"
