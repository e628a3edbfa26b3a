"""Tournaments: line-ups, common decks, the order of the players, interruptions, faults."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.evaluation import AgentFault, play_match
from agents.evaluation.field import Field, make_field
from agents.evaluation.standings import Standings
from agents.evaluation.tournament import Tournament

from ..support.errors import refused
from .players import Halving, LowDoor, Named, Stumbling, Uniform, Watching, caller, raiser

FIELD = [caller, Uniform, LowDoor, raiser]


def field_of(*players: Any, decks: int = 300, **how: Any) -> Field:
    chosen = players or tuple(make() for make in FIELD)
    return make_field(chosen, decks, **{"seed": 3, **how})


def played(field: Field, folder: Path | None = None, **how: Any) -> Standings:
    tournament = Tournament(field, folder)
    tournament.play(**how)
    assert tournament.is_finished
    return Standings(tournament)


def figures(standings: Standings) -> Any:
    """Everything that is told, by the names of the players."""
    names = standings.field.names
    totals = {names[n]: one for n, one in enumerate(standings.totals())}
    matches = {
        (names[one.player], tuple(names[other] for other in one.others)): one
        for one in standings.matches
    }
    styles = {name: standings.style(n).tolist() for n, name in enumerate(names)}
    return totals, matches, styles, standings.payoffs.tolist(), standings.comparisons


# ---- who meets whom


@pytest.mark.parametrize(
    ("how", "lineups"),
    [
        ({}, {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}),
        ({"num_players": 3}, {(a, b, b) for a, b in itertools.permutations(range(4), 2)}),
        (
            {"num_players": 3, "tables": "mixed"},
            {(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)},
        ),
        ({"num_players": 4, "tables": "mixed"}, {(0, 1, 2, 3)}),
        (
            {"num_players": 5, "tables": "mixed"},
            {(0, 0, 1, 2, 3), (0, 1, 1, 2, 3), (0, 1, 2, 2, 3), (0, 1, 2, 3, 3)},
        ),
    ],
)
def test_the_line_ups_of_four_players(how: Any, lineups: set[tuple[int, ...]]) -> None:
    found = field_of(**how).lineups()
    assert len(found) == len(lineups)
    assert set(found) == lineups


def test_heads_up_every_match_is_the_one_that_play_match_plays() -> None:
    standings = played(field_of())
    for match in standings.matches:
        names = [standings.field.players[n] for n in (match.player, *match.others)]
        alone = play_match(names[0], names[1], 300, seed=3)
        assert match.estimates == alone.estimates
        assert match.bootstrap == alone.bootstrap


def test_against_copies_every_match_is_the_one_that_play_match_plays() -> None:
    standings = played(field_of(caller(), Uniform(), LowDoor(), num_players=4, decks=100))
    for match in standings.matches:
        one, other = (standings.field.players[n] for n in (match.player, match.others[0]))
        alone = play_match(one, other, 100, seed=3, num_players=4)
        assert match.estimates == alone.estimates


def test_all_line_ups_have_the_same_cards() -> None:
    """Two players that play alike, under names that draw nothing, win the same of a third."""
    standings = played(field_of(caller(), Watching(needs_observations=False), raiser(), Uniform()))
    names = standings.field.names
    calls, watches, raises = (names.index(name) for name in ("caller", "watching", "raiser"))
    assert standings.crosstable[calls][raises] == standings.crosstable[watches][raises]
    assert standings.payoffs[calls, watches] == 0


# ---- what results depend on


@pytest.mark.parametrize(
    "how", [{}, {"num_players": 3}, {"num_players": 3, "tables": "mixed", "seatings": "all"}]
)
def test_the_order_in_which_players_are_named_changes_nothing(how: Any) -> None:
    orders = [FIELD[:3], FIELD[2::-1], [FIELD[1], FIELD[2], FIELD[0]]]
    told = [
        figures(played(field_of(*(make() for make in order), decks=60, **how))) for order in orders
    ]
    assert told[0] == told[1] == told[2]


def test_two_workers_play_the_same_tournament() -> None:
    field = field_of(LowDoor(), Uniform(), caller(), decks=1100, estimators=[Halving()])
    assert figures(played(field)) == figures(played(field, workers=2))


def test_results_add_up() -> None:
    """Heads-up and at mixed tables nobody else wins what is lost; totals are means of matches."""
    for how in ({}, {"num_players": 3, "tables": "mixed"}):
        standings = played(field_of(**how))
        totals = [one.bb_per_100 for one in standings.totals()]
        assert sum(totals) == pytest.approx(0, abs=1e-9)
        np.testing.assert_allclose(standings.payoffs, -standings.payoffs.T, atol=1e-9)
        for number, total in enumerate(totals):
            own = [m.estimates[1].bb_per_100 for m in standings.matches if m.player == number]
            assert total == pytest.approx(np.mean(own))
    heads_up = played(field_of())
    rows = heads_up.payoffs.sum(axis=1) / 3
    np.testing.assert_allclose(rows, [one.bb_per_100 for one in heads_up.totals()])


def test_the_error_of_a_total_allows_for_the_decks_that_its_matches_share() -> None:
    """One player against two that play alike: it knows no more than from one match."""
    standings = played(field_of(caller(), Watching(needs_observations=False), LowDoor()))
    number = standings.field.names.index("low door")
    (first, second) = [m.estimates[1] for m in standings.matches if m.player == number]
    total = standings.totals()[number].standard_error
    independent = np.hypot(first.standard_error, second.standard_error) / 2
    assert total > 1.2 * independent


def test_estimators_stand_beside_the_chips() -> None:
    standings = played(field_of(decks=50, estimators=[Halving()]))
    for match in standings.matches:
        raw, duplicate, halved = match.estimates
        assert (raw.name, duplicate.name, halved.name) == ("single hands", "duplicate", "halved")
        assert halved.bb_per_100 == pytest.approx(duplicate.bb_per_100 / 2)
        assert raw.bb_per_100 == pytest.approx(duplicate.bb_per_100)


def test_rankings_and_crosstable_go_by_the_last_estimator() -> None:
    for how in ({}, {"num_players": 3, "tables": "mixed"}, {"num_players": 3}):
        plain, halved = (
            played(field_of(decks=50, estimators=estimators, **how))
            for estimators in ([], [Halving()])
        )
        assert halved.best_estimate == "halved"
        np.testing.assert_allclose(halved.payoffs, plain.payoffs / 2)
        for whole, half in zip(plain.totals(), halved.totals(), strict=True):
            assert half.name == "halved"
            assert half.bb_per_100 == pytest.approx(whole.bb_per_100 / 2)
            assert half.standard_error == pytest.approx(whole.standard_error / 2)


# ---- interruptions


class Interrupting:
    """Progress that stops the tournament after so many blocks."""

    def __init__(self, blocks: int) -> None:
        self.left = blocks

    def __call__(self, done: int, total: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("blocks", [1, 5, 8, 17])
def test_a_stopped_tournament_goes_on_and_ends_in_the_same_numbers(
    tmp_path: Path, blocks: int
) -> None:
    field = field_of(decks=2_300)
    whole = played(field)
    stopped = Tournament(field, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        stopped.play(progress=Interrupting(blocks))
    assert Tournament(field, tmp_path).decks_done == stopped.decks_done > 0
    assert figures(played(field, tmp_path)) == figures(whole)


def test_what_all_line_ups_have_played_can_be_told_before_the_end(tmp_path: Path) -> None:
    stopped = Tournament(field_of(decks=2_300), tmp_path)
    with pytest.raises(KeyboardInterrupt):
        stopped.play(progress=Interrupting(8))  # six line-ups: one block of all, two more
    assert stopped.common_decks == 1000
    assert figures(Standings(stopped)) == figures(played(field_of(decks=1000)))
    with refused("no standings yet", kind=ValueError):
        Standings(Tournament(field_of()))


def test_more_decks_prolong_a_tournament_and_fewer_shorten_it(tmp_path: Path) -> None:
    played(field_of(decks=1_500), tmp_path)
    longer = Tournament(field_of(decks=2_200), tmp_path)
    assert longer.decks_done == 6 * 1000  # a block that was cut short is played again
    assert figures(played(field_of(decks=2_200), tmp_path)) == figures(
        played(field_of(decks=2_200))
    )
    shorter = Tournament(field_of(decks=1_000), tmp_path)
    assert shorter.is_finished


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 4}, ["seed", "3", "4"]),
        ({"stacks": 300}, ["stacks"]),
        ({"num_players": 3}, ["num_players"]),
    ],
)
def test_a_folder_of_another_tournament_is_refused(
    tmp_path: Path, change: Any, words: list[str]
) -> None:
    Tournament(field_of(), tmp_path)
    with refused("another tournament", "--out", *words, kind=ValueError):
        Tournament(field_of(**change), tmp_path)


def test_a_player_that_has_changed_is_refused(tmp_path: Path) -> None:
    Tournament(field_of(Named("x", "before"), caller()), tmp_path)
    with refused("identities", "before", kind=ValueError):
        Tournament(field_of(Named("x", "after"), caller()), tmp_path)


def test_damaged_files_are_told(tmp_path: Path) -> None:
    played(field_of(decks=50), tmp_path)
    block = tmp_path / "blocks" / "00000.npz"
    for size in (-40, 0):
        block.write_bytes(block.read_bytes()[:size])
        with refused("00000.npz is damaged", "remove it", kind=ValueError):
            Tournament(field_of(decks=50), tmp_path)
    block.unlink()
    assert Tournament(field_of(decks=50), tmp_path).decks_done == 0
    (tmp_path / "tournament.json").write_text("{")
    with refused("tournament.json is damaged", kind=ValueError):
        Tournament(field_of(decks=50), tmp_path)
    file = tmp_path / "file"
    file.write_text("")
    with refused("file", "cannot be a folder", kind=ValueError):
        Tournament(field_of(), file)


def test_a_fault_is_named_and_what_was_played_is_kept(tmp_path: Path) -> None:
    guilty = Stumbling(30, ZeroDivisionError("by zero"))
    field = field_of(guilty, caller(), Uniform(), decks=400)
    assert field.names == ("caller", "stumbling", "uniform")
    reordered = Tournament(replace(field, players=(caller(), Uniform(), guilty)), tmp_path)
    with pytest.raises(AgentFault, match=r"On deck .* 'stumbling' in seat . raised ZeroDiv"):
        reordered.play()
    assert reordered.decks_done == 400
    kept = Tournament(replace(field, players=(caller(), Uniform(), guilty)), tmp_path)
    assert kept.decks_done == 400


# ---- fields that are refused


@pytest.mark.parametrize(
    ("players", "how", "words"),
    [
        ([caller()], {}, ["two players"]),
        ([caller(), caller()], {}, ["'caller'", "twice"]),
        ([Named("a", "same"), Named("b", "same")], {}, ["'a'", "twice", "'b'"]),
        ([Named("a", "x"), Named("a", "y")], {}, ["different players", "'a'"]),
        ("caller", {}, ["list", "caller"]),
        ([caller(), raiser()], {"tables": "round"}, ["round", "mixed"]),
        ([caller(), raiser()], {"num_players": 9}, ["2 to 8"]),
        ([caller(), raiser()], {"decks": 1}, ["decks=1"]),
        ([caller(), raiser()], {"seed": -1}, ["seed"]),
        ([caller(), raiser()], {"stacks": [500, 500, 500]}, ["2 players"]),
        ([Named(str(n)) for n in range(46)], {}, ["1,035 matches", "1,000"]),
        (
            [Named(str(n)) for n in range(8)],
            {"num_players": 7, "tables": "mixed", "seatings": "all"},
            ["5,040"],
        ),
    ],
)
def test_a_field_that_cannot_play_is_refused(players: Any, how: Any, words: list[str]) -> None:
    with refused(*words):
        make_field(players, **{"decks": 10, **how})


def test_players_for_tables_of_another_size_are_refused_at_once() -> None:
    class ForSix(Named):
        num_players = 6

    with refused("'six'", "tables of 6", "not of 2", kind=ValueError):
        make_field([ForSix("six"), caller()], 10)
    with refused("'six'", "tables of 6", "not of 2", kind=ValueError):
        play_match(ForSix("six"), caller(), 10)
