"""Random, caller and raiser: each by its rule; and the choice among legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.players.basic import caller, raiser, random
from agents.players.book import book
from agents.players.equity import equity
from agents.players.legal import first_legal, sample_legal
from agents.players.scripted import scripted
from razz_env import Action, make_batch
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.record import SEAT_VIEW

from ..support.errors import refused

NOTHING = np.zeros((0, 0), np.float32)
FACTORIES = [random, caller, raiser, scripted, book, equity]


def ask(player: Agent, *rows: tuple[Action, ...], seed: int = 0) -> list[Action]:
    """What a player does where these actions are legal, seen from seats 0, 1, ..."""
    masks = np.zeros((len(rows), 7), np.int8)
    for row, legal in enumerate(rows):
        masks[row, list(legal)] = 1
    views = np.zeros(len(rows), SEAT_VIEW)
    views["seat"] = np.arange(len(rows))
    actions = player.act(views, NOTHING, masks, np.random.default_rng(seed))
    return [Action(action) for action in actions]


A = Action
SITUATIONS = [
    (A.BRING_IN, A.COMPLETE),
    (A.BRING_IN,),
    (A.FOLD, A.BRING_IN, A.COMPLETE),
    (A.FOLD, A.CALL, A.COMPLETE),
    (A.FOLD, A.CALL, A.RAISE),
    (A.FOLD, A.CALL),
    (A.CHECK, A.BET),
    (A.CHECK,),
    (A.FOLD, A.CHECK, A.BET),
]


def test_the_caller_checks_calls_and_brings_in() -> None:
    assert ask(caller(), *SITUATIONS) == [
        *(A.BRING_IN, A.BRING_IN, A.BRING_IN),
        *(A.CALL, A.CALL, A.CALL),
        *(A.CHECK, A.CHECK, A.CHECK),
    ]


def test_the_raiser_takes_the_most_aggressive_legal_action_and_never_folds() -> None:
    assert ask(raiser(), *SITUATIONS) == [
        *(A.COMPLETE, A.BRING_IN, A.COMPLETE),
        *(A.COMPLETE, A.RAISE, A.CALL),
        *(A.BET, A.CHECK, A.BET),
    ]


@pytest.mark.parametrize("legal", SITUATIONS, ids=str)
def test_random_takes_every_legal_action_equally_often(legal: tuple[Action, ...]) -> None:
    chosen = np.bincount(ask(random(), *[legal] * 6000), minlength=7)
    assert chosen[list(legal)].sum() == 6000
    expected = 6000 / len(legal)
    assert (abs(chosen[list(legal)] - expected) < 5 * expected**0.5).all()


def test_random_depends_on_nothing_but_the_generator() -> None:
    assert ask(random(), *SITUATIONS * 20, seed=5) == ask(random(), *SITUATIONS * 20, seed=5)
    assert ask(random(), *SITUATIONS * 20, seed=5) != ask(random(), *SITUATIONS * 20, seed=6)


@pytest.mark.parametrize("make", FACTORIES)
def test_m05_a_mask_without_actions_is_refused_with_row_and_seat(make: Any) -> None:
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    views, masks = np.zeros(4, SEAT_VIEW), np.ones((4, 7), np.int8)
    views["seat"] = [3, 1, 5, 2]
    masks[2] = 0
    with refused("row 2", "seat 5", kind=ValueError):
        make().act(views, NOTHING, masks, rng)
    assert rng.bit_generator.state == before, "something was sampled"


def test_m05_the_sampler_names_the_row_where_no_seats_are_given() -> None:
    with refused("row 0", kind=ValueError):
        sample_legal(np.zeros((1, 7), np.int8), np.random.default_rng(0))
    with refused("row 1", kind=ValueError):
        first_legal(np.array([[0, 1], [0, 0]], np.int8), [1, 0])


def test_masks_may_be_bool_and_may_be_empty() -> None:
    rng = np.random.default_rng(0)
    masks = np.zeros((3, 7), np.bool_)
    masks[:, A.CALL] = True
    assert sample_legal(masks, rng).tolist() == [2, 2, 2]
    for make in FACTORIES:
        actions = make().act(np.zeros(0, SEAT_VIEW), NOTHING, np.zeros((0, 7), np.int8), rng)
        assert actions.shape == (0,)


NAMES = "random caller raiser scripted:tight scripted:loose book equity equity:uniform"


@pytest.mark.parametrize("name", NAMES.split())
def test_players_are_found_by_their_names(name: str) -> None:
    player = resolve_agent(name)
    assert isinstance(player, Agent)
    assert player.name == name


def test_scripted_alone_is_the_tight_one() -> None:
    assert resolve_agent("scripted") == resolve_agent("scripted:tight")


@pytest.mark.parametrize("make", [random, caller, raiser])
def test_basic_players_refuse_an_argument(make: Any) -> None:
    with refused(f"{make.__name__}:hard", kind=ValueError):
        make("hard")


def test_an_unknown_style_is_refused_with_the_known_ones() -> None:
    with refused("'wild'", "scripted:tight", "scripted:loose", kind=ValueError):
        scripted("wild")


@pytest.mark.parametrize("make", FACTORIES)
def test_actions_are_int64_one_for_each_row(make: Any) -> None:
    batch = make_batch(16, 4, seed=1, observation=None)
    actions = make().act(batch.views, NOTHING, batch.action_masks, np.random.default_rng(0))
    assert actions.dtype == np.int64
    assert actions.shape == (16,)
    batch.step(actions)
