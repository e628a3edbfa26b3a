"""What players tell of their chances is what they do: exactly, or by chi-squared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from agents.players.basic import caller, raiser, random
from agents.players.book import book
from agents.players.equity import equity
from agents.players.inputs import Inputs
from agents.players.scripted import scripted
from agents.players.trained import PolicyPlayer
from razz_env import make_batch
from razz_env.envs.agent import Agent, OpenAgent
from razz_env.observation import spec

from ..evaluation.players import LowDoor
from ..support.errors import refused

NOTHING = np.zeros((0, 0), np.float32)
SPOTS, TIMES = 1500, 400


def network(greedy: bool = False) -> PolicyPlayer:
    rng = torch.Generator().manual_seed(0)
    layout = spec(2)
    shapes = [(32, layout.size), (7, 32)]
    layers = [(torch.randn(s, generator=rng) * 0.3, torch.zeros(s[0])) for s in shapes]
    return PolicyPlayer("network", layers, "tanh", Inputs(layout), 2, greedy)


CERTAIN = {
    "caller": caller,
    "raiser": raiser,
    "scripted:tight": scripted,
    "scripted:loose": lambda: scripted("loose"),
    "equity": equity,
    "equity:uniform": lambda: equity("uniform"),
    "policy?greedy": lambda: network(greedy=True),
}
MIXED = {"random": random, "book": book, "policy": network}
ALL = CERTAIN | MIXED
EVERY = pytest.mark.parametrize("make", ALL.values(), ids=ALL)


def spots() -> tuple[Any, Any]:
    """Views and masks of heads-up decisions on all streets."""
    batch = make_batch(100, 2, seed=5, observation=None)
    rng, views, masks = np.random.default_rng(0), [], []
    players = [caller(), book(), random(), scripted("loose")]
    for step in range(SPOTS // 100):
        views.append(batch.views.copy())
        masks.append(batch.action_masks.copy())
        player = players[step % len(players)]
        batch.step(player.act(batch.views, NOTHING, batch.action_masks, rng))
    return np.concatenate(views), np.concatenate(masks)


def pearson(chances: Any, drawn: Any) -> tuple[float, float]:
    """Pearson's statistic of frequencies against chances, both [spots, 7], and its freedom."""
    expected = TIMES * chances
    counted = expected > 5
    statistic = ((drawn - expected) ** 2)[counted] / expected[counted]
    return float(statistic.sum()), float((counted.sum(axis=1) - 1).clip(0).sum())


def frequencies(player: Agent, views: Any, masks: Any) -> Any:
    """How often [spots, 7] a player takes each action, asked many times."""
    rng, drawn = np.random.default_rng(1), np.zeros(masks.shape)
    for _ in range(TIMES):
        drawn[np.arange(len(masks)), player.act(views, NOTHING, masks, rng)] += 1
    return drawn


@EVERY
def test_rows_sum_to_one_and_are_zero_where_nothing_is_legal(make: Any) -> None:
    views, masks = spots()
    player = make()
    assert isinstance(player, OpenAgent)
    chances = player.action_probabilities(views, NOTHING, masks)
    assert chances.shape == masks.shape
    assert chances.dtype == np.float64
    assert (chances >= 0).all()
    assert (chances[masks == 0] == 0).all()
    assert np.abs(chances.sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize("make", CERTAIN.values(), ids=CERTAIN)
def test_a_player_that_is_sure_does_what_it_tells(make: Any) -> None:
    views, masks = spots()
    chances = make().action_probabilities(views, NOTHING, masks)
    actions = make().act(views, NOTHING, masks, np.random.default_rng(2))
    assert (chances == np.eye(7)[actions]).all()


@pytest.mark.parametrize("make", MIXED.values(), ids=MIXED)
def test_a_player_that_mixes_does_so_as_often_as_it_tells(make: Any) -> None:
    views, masks = spots()
    chances = make().action_probabilities(views, NOTHING, masks)
    unsure = chances.max(axis=1) < 1
    assert unsure.sum() > 20
    views, masks, chances = views[unsure][:200], masks[unsure][:200], chances[unsure][:200]
    drawn = frequencies(make(), views, masks)
    assert (drawn[chances == 0] == 0).all()
    statistic, freedom = pearson(chances, drawn)
    assert abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5
    wrong = 0.9 * chances + 0.1 * masks / masks.sum(axis=1, keepdims=True)
    if make is not random:  # for which the wrong chances are the right ones
        statistic, freedom = pearson(wrong, drawn)
        assert statistic > freedom + 5 * (2 * freedom) ** 0.5  # and the test would have seen it


def test_the_book_is_unsure_only_where_it_may_steal_or_bluff() -> None:
    views, masks = spots()
    chances = book().action_probabilities(views, NOTHING, masks)
    unsure = chances.max(axis=1) < 1
    assert set(views["public"]["street"][unsure]) == {3, 7}


@EVERY
def test_other_rows_do_not_matter(make: Any) -> None:
    views, masks = spots()
    player = make()
    chances = player.action_probabilities(views, NOTHING, masks)
    alone = player.action_probabilities(views[77:78], NOTHING, masks[77:78])
    assert np.abs(chances[77:78] - alone).max() < 1e-6


@EVERY
def test_a_row_without_a_legal_action_is_refused(make: Any) -> None:
    views, masks = spots()
    masks[5] = 0
    with refused("row 5", "allows no action"):
        make().action_probabilities(views, NOTHING, masks)


def test_a_player_without_the_method_is_not_open() -> None:
    assert isinstance(LowDoor(), Agent)
    assert not isinstance(LowDoor(), OpenAgent)
