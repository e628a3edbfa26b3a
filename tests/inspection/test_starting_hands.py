"""Starting hands: every one is asked about, in the spot that is meant, and drawn where it is."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.inspection import random_boards
from agents.inspection import starting_hands_report as report
from agents.inspection.random_boards import random_views
from agents.inspection.starting_hands import Scene, StartingHands, combinations, starting_hands
from razz_env import Action, HouseRules
from razz_env.equity import PAIRS
from razz_env.rules.action_log import logged_actions
from razz_env.rules.cards import RANKS

from ..evaluation.players import Uniform, caller
from ..support.errors import refused
from .players import Telling

KING = 12


@pytest.fixture(scope="module")
def given() -> StartingHands:
    return starting_hands(Telling(), Scene(hand="(xx)x | Q | 7f"))


RNG = np.random.default_rng


@pytest.mark.parametrize("players", [2, 3, 6, 8])
@pytest.mark.parametrize("facing", ["nothing", "completion"])
def test_random_boards_show_every_hand_to_the_seat_that_is_to_act(
    players: int, facing: Any
) -> None:
    cells, views = random_views(HouseRules(), 500, players, facing, 1, RNG(0))
    assert cells.tolist() == list(range(91 * 13))
    public, seats, rows = views["public"], views["seat"], np.arange(len(views))
    assert (public["actor"] == seats).all()
    assert sorted(views["down"][5 * 13 + 2, :2] // 4) == sorted(PAIRS[5])
    assert (np.sort(views["down"][:, :2] // 4, axis=1) == np.array(PAIRS)[cells // 13]).all()
    assert (public["up"][rows, seats, 0] // 4 == cells % 13).all()
    assert (public["bring_in_seat"] != seats).all()
    assert len(np.unique(seats)) == players
    up = public["up"][:, :players, 0]
    assert len(np.unique(up, axis=0)) > 0.8 * len(up) or players == 2
    for view in views[::50]:
        check_what_was_done(view, facing, players)


def check_what_was_done(view: Any, facing: str, players: int) -> None:
    log = logged_actions(view.public)
    brought = int(view.public.bring_in_seat)
    between = [(brought + k) % players for k in range(1, (int(view.seat) - brought) % players)]
    if facing == "nothing":
        first = (brought, Action.BRING_IN)
        assert log == [first, *((seat, Action.FOLD) for seat in between)]
    elif players == 2:
        assert log == [(brought, Action.COMPLETE)]
    else:
        completed, *folded = between
        assert log[:2] == [(brought, Action.BRING_IN), (completed, Action.COMPLETE)]
        assert log[2:] == [(seat, Action.FOLD) for seat in folded]


def test_the_other_cards_are_drawn_evenly() -> None:
    """Heads-up with an ace in the door any other card may bring in, but for the hand's own."""
    cell = PAIRS.index((1, 2)) * 13
    picked = random_boards._views(np.full(4000, cell), HouseRules(), 500, 2, "nothing", RNG(1))
    doors = picked["public"]["up"][np.arange(len(picked)), 1 - picked["seat"], 0] // 4
    counts = np.bincount(doors, minlength=13)
    expected = np.array([1.5, 3, 3, *[4] * 10]) / 47.5 * len(picked)
    assert ((counts - expected) ** 2 / expected).sum() < 40  # 12 degrees of freedom


def test_what_a_player_tells_comes_to_the_right_place() -> None:
    found = starting_hands(Telling(), Scene(players=3, boards=2))
    assert found.samples is None
    for door in range(13):
        np.testing.assert_allclose(found.shares[:, door, 0], 1 - door / 12)
        np.testing.assert_allclose(found.shares[:, door, 1], door / 12)
    assert (found.shares[:, :, 2] == 0).all()
    np.testing.assert_allclose(found.by_door()[:, 0], 1 - np.arange(13) / 12)


def test_a_player_that_does_not_tell_acts_once_on_each_board() -> None:
    found = starting_hands(Uniform(), Scene(players=3, boards=30), samples=1000, seed=3)
    assert found.samples == 1
    np.testing.assert_allclose(found.by_door().sum(axis=1), 1)
    assert found.shares.mean(axis=(0, 1)) == pytest.approx([1 / 3] * 3, abs=0.01)
    again = starting_hands(Uniform(), Scene(players=3, boards=30), samples=1000, seed=3)
    assert (found.shares == again.shares).all()


def test_a_given_spot_leaves_out_hands_that_would_bring_in(given: StartingHands) -> None:
    found = given
    possible = ~np.isnan(found.shares[:, :, 0])
    assert possible[:, :11].sum() == 91 * 11
    assert not possible[:, KING].any()
    assert not possible[:, 11].any()  # equal doors, and no suits are written
    assert np.isnan(found.by_door()[KING]).all()


def test_actions_lead_to_another_spot() -> None:
    scene = Scene(hand="(xx)x | K | 7", actions="io")
    found = starting_hands(caller(), scene, samples=3)
    assert np.nanmin(found.shares[:, :, 1]) == 1
    with refused("legal"):
        starting_hands(caller(), Scene(hand="(xx)x | K | 7", actions="ib"))


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        (Scene(hand="(A2)3 | K"), ["(xx)x"]),
        (Scene(hand="(xx)x"), ["nobody else"]),
        (Scene(boards=0), ["boards=0"]),
        (Scene(players=9), ["2 to 8"]),
        (Scene(stacks=3), ["no hand has a decision"]),
        (Scene(stacks=[500, 4, 500], players=3), ["stacks", "more chips"]),
        (Scene(rules=HouseRules.preset("kuhn"), players=2), ["full game"]),
    ],
)
def test_scenes_that_cannot_be_are_refused(scene: Scene, words: list[str]) -> None:
    with refused(*words, kind=ValueError):
        starting_hands(Telling(), scene)


def test_combinations_are_all_deals() -> None:
    ways = combinations()
    assert ways.sum() == 52 * 51 * 50 / 2
    assert ways[PAIRS.index((0, 0)), 0] == 4 * 3
    assert ways[PAIRS.index((0, 1)), 2] == 64


# ---- the picture and the figures


def test_a_square_is_shared_by_what_is_done() -> None:
    shares = np.zeros((91, 3))
    shares[:, 2] = 1
    shares[PAIRS.index((1, 4))] = 0.5, 0.25, 0.25
    shares[PAIRS.index((2, 4))] = np.nan
    image = report._pixels(shares)
    cell = report.CELL
    middle = int(4.5 * cell)  # the row of the five
    line = [image[middle, int((1 + part) * cell)] for part in (0.06, 0.45, 0.58, 0.7, 0.8, 0.98)]
    colours = [report.COLOURS[deed] for deed in ("raise", "raise", "call", "call", "fold", "fold")]
    np.testing.assert_allclose(line, colours)
    np.testing.assert_allclose(image[middle, int(2.5 * cell)], report.IMPOSSIBLE)
    np.testing.assert_allclose(image[int(1.5 * cell), int(4.5 * cell)], report.BLANK)


def test_picture_and_figures_are_written(given: StartingHands, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture, table = report.write_picture_and_csv(given, tmp_path / "a.png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert table == tmp_path / "a.csv"
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == 1183
    assert rows[0] == {
        "door": "A",
        "down": "AA",
        "raise": "1.0000",
        "call": "0.0000",
        "fold": "0.0000",
    }
    assert rows[-1] == {"door": "K", "down": "KK", "raise": "", "call": "", "fold": ""}
    told = json.loads(json.dumps(given.to_dict()))
    assert told["hands"][-1]["raise"] is None


def test_the_summary_has_a_line_for_each_door(given: StartingHands) -> None:
    text = report.summary(given)
    assert "telling, (xx)x | Q | 7f, as it tells itself" in text
    assert "| A    |             100.0 |  0.0 |  0.0 |" in text
    assert f"| {RANKS[KING]}    |                 - |    - |    - |" in text


def test_files_that_cannot_be_are_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refused(".png", "a.pdf"):
        report.check_picture(tmp_path / "a.pdf")
    with refused("no folder"):
        report.check_picture(tmp_path / "none" / "a.png")

    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(report.importlib, "import_module", missing)
    with refused("razz-env[report]", ".csv", kind=ModuleNotFoundError):
        report.check_picture(tmp_path / "a.png")
    report.check_picture(tmp_path / "a.csv")
