"""Players that tell what they do, rightly or wrongly."""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_env import Action


class Telling:
    """Presses with a chance by its door card (king 0, ace 1), else calls or checks as it may."""

    needs_observations = False
    name = "telling"

    def __init__(self) -> None:
        self.asked = 0

    def action_probabilities(self, views: Any, observations: Any, masks: Any) -> Any:
        self.asked += 1
        doors = views["public"]["up"][np.arange(len(views)), views["seat"], 0] // 4
        shares = np.zeros(masks.shape)
        rows = np.arange(len(views))
        press = [Action.RAISE, Action.BET, Action.COMPLETE]
        calm = [Action.CHECK, Action.CALL, Action.BRING_IN]
        shares[rows, np.take(press, masks[:, press].argmax(axis=1))] = 1 - doors / 12
        shares[rows, np.take(calm, masks[:, calm].argmax(axis=1))] += doors / 12
        return shares

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        raise AssertionError("a player that tells its chances is not asked to act")


class Wrong(Telling):
    """Tells something that is no probabilities of legal actions."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def action_probabilities(self, views: Any, observations: Any, masks: Any) -> Any:
        return self.answer(super().action_probabilities(views, observations, masks), masks)


class Answering:
    """Acts by a function of the masks."""

    needs_observations = False
    name = "answering"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return self.answer(masks, rng)
