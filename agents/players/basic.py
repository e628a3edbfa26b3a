"""The basic players: random, caller and raiser. They know the legal actions and nothing else."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from agents.players.legal import (
    Actions,
    CertainPlayer,
    Masks,
    Probabilities,
    equally_likely,
    first_legal,
    sample_legal,
)
from razz_env.rules.terms import Action

PASSIVE_FIRST = (
    Action.CHECK,
    Action.CALL,
    Action.BRING_IN,
    Action.COMPLETE,
    Action.BET,
    Action.RAISE,
    Action.FOLD,
)
AGGRESSIVE_FIRST = tuple(reversed(Action))


@dataclass(frozen=True)
class RandomPlayer:
    """Takes any legal action, all equally likely."""

    name: str = "random"
    needs_observations: ClassVar[bool] = False

    def act(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: Masks,
        rng: np.random.Generator,
    ) -> Actions:
        """See `razz_env.envs.agent.Agent.act`; ValueError where a mask allows nothing."""
        return sample_legal(masks, rng, views["seat"])

    def action_probabilities(
        self, views: NDArray[Any], observations: NDArray[np.float32], masks: Masks
    ) -> Probabilities:
        """See `razz_env.envs.agent.OpenAgent`; ValueError where a mask allows nothing."""
        return equally_likely(masks, views["seat"])


@dataclass(frozen=True)
class PreferringPlayer(CertainPlayer):
    """Takes the first action of its preference that is legal, whatever its cards.

    Attributes:
        name: name of the player.
        preference: all actions, the preferred ones first.
    """

    name: str
    preference: tuple[Action, ...]

    def _choices(self, views: NDArray[Any], masks: Masks) -> Actions:
        return first_legal(masks, self.preference, views["seat"])


def random(argument: str | None = None) -> RandomPlayer:
    """The player "random": uniform over the legal actions."""
    refuse_argument("random", argument)
    return RandomPlayer()


def caller(argument: str | None = None) -> PreferringPlayer:
    """The player "caller": checks, calls and brings in; it never folds and never raises."""
    refuse_argument("caller", argument)
    return PreferringPlayer("caller", PASSIVE_FIRST)


def raiser(argument: str | None = None) -> PreferringPlayer:
    """The player "raiser": always the most aggressive legal action; it never folds."""
    refuse_argument("raiser", argument)
    return PreferringPlayer("raiser", AGGRESSIVE_FIRST)


def refuse_argument(name: str, argument: str | None) -> None:
    """ValueError if a player that takes no argument was given one."""
    if argument is not None:
        raise ValueError(
            f"The player {name!r} takes no argument; write {name!r} instead of "
            f"{f'{name}:{argument}'!r}."
        )
