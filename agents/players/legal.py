"""Choosing among legal actions: what every player may need, and the check that there are any."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.rules.terms import NUM_ACTIONS

Masks = NDArray[np.int8]
Actions = NDArray[np.int64]
Probabilities = NDArray[np.float64]


def require_legal(masks: Masks | NDArray[np.bool_], seats: NDArray[np.int8] | None = None) -> None:
    """Refuse masks with a row that allows nothing: nobody is to act there.

    Args:
        masks: int8[K, 7] (or bool), a row for each decision.
        seats: int8[K], the seats that are asked, for the message.

    Raises:
        ValueError: naming the first such row and its seat.
    """
    row = int(_find_empty(masks))
    if row < 0:
        return
    seat = "" if seats is None else f" (seat {int(seats[row])})"
    raise ValueError(
        f"Row {row}{seat} of the action masks allows no action: that seat is not to act. "
        "Ask only the seats to act."
    )


def sample_legal(
    masks: Masks, rng: np.random.Generator, seats: NDArray[np.int8] | None = None
) -> Actions:
    """A legal action for each row, all of its legal ones equally likely -> int64[K].

    Raises:
        ValueError: as `require_legal`, before anything is sampled.
    """
    require_legal(masks, seats)
    counts, actions = np.empty(len(masks), np.int64), np.empty(len(masks), np.int64)
    _count_legal(masks, counts)
    _choose_legal(masks, rng.integers(0, counts), actions)
    return actions


def first_legal(
    masks: Masks, preference: Sequence[int], seats: NDArray[np.int8] | None = None
) -> Actions:
    """For each row the first legal action in an order of `preference` over all actions -> int64[K].

    Raises:
        ValueError: as `require_legal`.
    """
    require_legal(masks, seats)
    actions = np.empty(len(masks), np.int64)
    _first_legal(masks, _as_order(tuple(preference)), actions)
    return actions


def certain(actions: Actions) -> Probabilities:
    """Probabilities float64[K, 7] of a player that takes these actions int64[K] for sure."""
    return np.eye(NUM_ACTIONS)[actions]


class CertainPlayer(ABC):
    """A player whose action follows from what it sees: it draws nothing."""

    needs_observations: ClassVar[bool] = False
    is_certain: ClassVar[bool] = True

    def act(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: Masks,
        rng: np.random.Generator,
    ) -> Actions:
        """See `razz_env.envs.agent.Agent.act`; ValueError where a mask allows nothing."""
        return self._choices(views, masks)

    def action_probabilities(
        self, views: NDArray[Any], observations: NDArray[np.float32], masks: Masks
    ) -> Probabilities:
        """See `razz_env.envs.agent.OpenAgent`; ValueError where a mask allows nothing."""
        return certain(self._choices(views, masks))

    @abstractmethod
    def _choices(self, views: NDArray[Any], masks: Masks) -> Actions:
        """Its action int64[K] for each row; ValueError where a mask allows nothing."""


def equally_likely(
    masks: Masks | NDArray[np.bool_], seats: NDArray[np.int8] | None = None
) -> Probabilities:
    """Probabilities float64[K, 7] that are the same for every legal action of a row.

    Raises:
        ValueError: as `require_legal`.
    """
    require_legal(masks, seats)
    legal = np.asarray(masks) != 0
    chances: Probabilities = legal / legal.sum(axis=1, keepdims=True)
    return chances


@cache
def _as_order(preference: tuple[int, ...]) -> Actions:
    return np.asarray(preference, np.int64)


@kernel
def _find_empty(masks: Masks | NDArray[np.bool_]) -> int:
    """The first row of masks that allows nothing, -1 if there is none."""
    for row in range(len(masks)):
        allowed = 0
        for action in range(masks.shape[1]):
            allowed |= masks[row, action] != 0
        if not allowed:
            return row
    return -1


@kernel
def _count_legal(masks: Masks, counts: Actions) -> None:
    for row in range(len(masks)):
        counts[row] = 0
        for action in range(masks.shape[1]):
            counts[row] += masks[row, action] != 0


@kernel
def _choose_legal(masks: Masks, chosen: Actions, actions: Actions) -> None:
    """Of each row's legal actions the one with the number chosen int64[K], counted from 0."""
    for row in range(len(masks)):
        left = chosen[row]
        for action in range(masks.shape[1]):
            if masks[row, action] != 0:
                if left == 0:
                    actions[row] = action
                left -= 1


@kernel
def _first_legal(masks: Masks, order: Actions, actions: Actions) -> None:
    for row in range(len(masks)):
        for place in range(len(order) - 1, -1, -1):
            if masks[row, order[place]] != 0:
                actions[row] = order[place]
