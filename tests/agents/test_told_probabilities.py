"""All who ask a player for its chances check them alike: inspect, AIVAT, hints, best responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agents.evaluation.aivat.decision_chances import chances_in
from agents.evaluation.best_response import make_game, policy_of
from agents.inspection import look_at
from agents.players.basic import random
from agents.players.probabilities import (
    TOLERANCE,
    BadProbabilities,
    legal_masks,
    observations_for,
    told_probabilities,
)
from agents.table.hints import AdviserFailed, advice_of
from razz_env import Hand
from razz_env.rules.house_rules import as_house_rules
from razz_env.rules.record import SEAT_VIEW

from ..support.errors import refused


class Saying:
    """Tells a function of the masks."""

    needs_observations = False
    name = "saying"

    def __init__(self, say: Callable[[Any], Any]) -> None:
        self.say = say

    def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
        raise AssertionError("a player that tells its chances is not asked to act")

    def action_probabilities(self, views: Any, observations: Any, masks: Any) -> Any:
        return self.say(masks)


def first_views(count: int = 20) -> Any:
    hands = [Hand.deal(3, seed=seed) for seed in range(count)]
    return np.array([hand.view(hand.actor or 0) for hand in hands], SEAT_VIEW)


def inspected(player: Saying) -> None:
    look_at(first_views(1)[0], player)


def hinted(player: Saying) -> None:
    advice_of(player, first_views(1)[0])


def estimated(player: Saying) -> None:
    hand = Hand.deal(2, seed=1)
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1])
    chances_in(np.array([hand.record]), [player, player])


def responded_to(player: Saying) -> None:
    game = make_game(as_house_rules("kuhn"))
    policy_of(player)(game.points[0])  # type: ignore[arg-type]


ASKING = [inspected, hinted, estimated, responded_to]


def evenly(masks: Any) -> Any:
    return masks / masks.sum(axis=1, keepdims=True)


WRONG = {
    "shape (1,)": lambda masks: np.zeros(1),
    "<U4: give an array of floats": lambda masks: ["half"] * 7,
    "no array of numbers": lambda masks: [[0.5], [0.5, 0.5]],
    "sum to 1": lambda masks: evenly(masks) / 2,
    "give nan to": lambda masks: evenly(masks) * np.nan,
    "give inf to": lambda masks: np.full(masks.shape, np.inf),
    "give -1": lambda masks: -1.0 * masks,
    "0 for what is not legal": lambda masks: evenly(masks) / 2 + evenly(1 - masks) / 2,
}


@pytest.mark.parametrize("asked", ASKING)
@pytest.mark.parametrize("words", WRONG)
def test_what_is_no_probabilities_is_refused_by_all(asked: Any, words: str) -> None:
    with refused("saying", words, kind=(BadProbabilities, AdviserFailed)):
        asked(Saying(WRONG[words]))


def single(masks: Any) -> Any:
    """As a network tells it: a softmax in float32, which does not quite sum to 1."""
    scores = np.linspace(-3, 5, 7, dtype=np.float32) * np.ones(masks.shape, np.float32)
    rates = np.exp(np.where(masks, scores, np.float32(-np.inf)))
    shares = rates / rates.sum(axis=1, keepdims=True)
    return shares * np.float32(1 + 4e-7)


@pytest.mark.parametrize("asked", ASKING)
def test_a_softmax_of_float32_will_do_for_all(asked: Any) -> None:
    asked(Saying(single))


def test_coarse_rows_are_made_to_sum_to_one_and_fine_ones_are_left() -> None:
    views = first_views()
    coarse = told_probabilities(Saying(single), views)
    assert np.abs(single(legal_masks(views)).astype(float).sum(axis=1) - 1).min() > 1e-7
    assert np.abs(coarse.sum(axis=1) - 1).max() < 1e-15
    fine = evenly(legal_masks(views)) * (1 + 1e-13)
    assert told_probabilities(Saying(lambda masks: fine), views).tobytes() == fine.tobytes()
    with refused("not to 1"):
        told_probabilities(Saying(lambda masks: fine * (1 + 2 * TOLERANCE)), views)


def test_a_player_gets_copies_and_the_observations_that_it_wants() -> None:
    def spoil(masks: Any) -> Any:
        told = evenly(masks)
        masks[:] = 1
        return told

    views = first_views()
    assert (told_probabilities(Saying(spoil), views) > 0).sum() == legal_masks(views).sum()
    assert observations_for(random(), views).shape == (20, 0)
    assert observations_for(type("Seeing", (), {"name": "seeing"})(), views).shape[1] > 100
    assert told_probabilities(random(), views[:0]).shape == (0, 7)
