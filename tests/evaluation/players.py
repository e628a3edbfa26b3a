"""Fast players for the matches: vectorised, and some that fail on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.seeds import deck_seed
from razz_env import Action, Hand
from razz_env.envs.agent import Agent

Ints = NDArray[np.int64]


class Preferring:
    """The first legal action of a list; looks at nothing but the mask."""

    needs_observations = False

    def __init__(self, name: str, *wishes: Action) -> None:
        self.name = name
        rest = [action for action in Action if action not in wishes]
        self.order = np.array([*wishes, *rest])

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Ints:
        return self.order[np.argmax(masks[:, self.order], axis=1)]


def caller() -> Preferring:
    """Never folds and never raises."""
    return Preferring("caller", Action.CHECK, Action.CALL, Action.BRING_IN)


def raiser() -> Preferring:
    """Always the most aggressive action."""
    return Preferring("raiser", *reversed(Action))


class Uniform:
    """Any legal action, each with the same chance."""

    needs_observations = False
    name = "uniform"

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Ints:
        return np.argmax(masks * rng.random(masks.shape), axis=1)


class LowDoor:
    """Raises with a door card no higher than an eight, else calls a third of the time or gives up.

    It reads its views, and draws random numbers only when it needs some.
    """

    needs_observations = False
    name = "low door"

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Ints:
        doors = views["public"]["up"][np.arange(len(views)), views["seat"], 0] >> 2
        low = doors <= 7
        calls = np.zeros(len(views), bool)
        calls[~low] = rng.random(np.count_nonzero(~low)) < 1 / 3
        gives_up = Preferring("", Action.CHECK, Action.BRING_IN, Action.FOLD).act
        others = np.where(calls, caller().act(0, 0, masks, rng), gives_up(0, 0, masks, rng))
        return np.where(low, raiser().act(0, 0, masks, rng), others)


class Named(LowDoor):
    """Plays as `LowDoor` does under another name, or identity."""

    def __init__(self, name: str, identity: str | None = None) -> None:
        self.name = name
        if identity is not None:
            self.identity = identity


class Halving:
    """An estimator: half the chips, in quarters of a chip. Biased, but known."""

    name = "halved"
    units_per_chip = 4

    def estimate(self, hands: NDArray[Any], players: Sequence[Agent]) -> Ints:
        public = hands["public"]
        net: Ints = (public["stack"] - public["starting_stack"])[:, : len(players)]
        return 2 * net


class Watching:
    """Calls, and keeps the shapes of the observations it was given."""

    def __init__(self, needs_observations: bool | None = None) -> None:
        self.name = "watching"
        if needs_observations is not None:
            self.needs_observations = needs_observations
        self.widths: set[int] = set()
        self.resets = 0

    def reset(self) -> None:
        self.resets += 1

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Ints:
        assert observations.dtype == np.float32
        assert len(observations) == len(views) == len(masks)
        self.widths.add(observations.shape[1])
        return caller().act(views, observations, masks, rng)


class Stumbling:
    """Calls, until it has seen a view in which its first down card is `card`: then it fails."""

    needs_observations = False
    name = "stumbling"

    def __init__(self, card: int, failure: Any) -> None:
        self.card = card
        self.failure = failure

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        actions = caller().act(views, observations, masks, rng)
        at = np.flatnonzero(views["down"][:, 0] == self.card)
        if not len(at):
            return actions
        if isinstance(self.failure, Exception):
            raise self.failure
        if isinstance(self.failure, np.ndarray):
            return self.failure
        actions[at] = self.failure
        return actions


class Late:
    """Calls, but raises an exception with the cards that seat 1 gets with the deck `deck`.

    In a match of seed 0 and two players nobody is dealt them before.
    """

    needs_observations = False
    name = "stumbling"
    deck = 2345

    def __init__(self) -> None:
        hand = Hand.deal(2, seed=deck_seed(0), index=self.deck)
        self.cards = np.array([*hand.down_cards(1), *hand.up_cards(1)])

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Ints:
        doors = views["public"]["up"][np.arange(len(views)), views["seat"], 0]
        own = np.column_stack([views["down"][:, :2], doors])
        if (own == self.cards).all(axis=1).any():
            raise RuntimeError("these cards are too much")
        return caller().act(views, observations, masks, rng)
