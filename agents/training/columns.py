"""What a rollout consists of: the learner's decisions at some tables, step by step, as arrays."""

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from razz_env.envs.tables import Flags, Floats, Ints
from razz_env.rules.terms import NUM_ACTIONS


class Turn(NamedTuple):
    """What the learner's seats to act see, one at each of N tables; overwritten by the next `play`.

    Attributes:
        observations: float32[N, D]; with `all_cards` float32[N, D + E].
        masks: int8[N, 7], their legal actions.
        seats: int8[N], which seats they are.
        streets: int8[N], 0 for third to 4 for seventh street.
        low, high: float32[N], between what their results of the hand must lie, in rewards.
    """

    observations: Floats
    masks: NDArray[np.int8]
    seats: NDArray[np.int8]
    streets: NDArray[np.int8]
    low: Floats
    high: Floats


class Choices(NamedTuple):
    """What the learner chose at N tables.

    Attributes:
        actions: int64[N].
        log_probs: float32[N], of the chosen actions, under the policy that chose them.
        values: float32[N], the value network's.
        entropies: float32[N], of the policy at the decision.
    """

    actions: Ints
    log_probs: Floats
    values: Floats
    entropies: Floats


class Columns(NamedTuple):
    """T decisions at each of N tables, row by row; every table is a column.

    Attributes:
        observations float32[T, N, D], action_masks bool[T, N, 7], actions int64[T, N, 1],
        log_probs, values, entropies float32[T, N]: of the decisions; values within the bounds.
        seats, streets: int64[T, N] and int8[T, N], of the decisions.
        ended: bool[T, N], and
        payoffs: float32[T, N, P], whether the hand was over before the table's next decision, and
            what every seat won in it, in rewards.
        next_seats: int8[N], the seats to act behind the last row, and
        next_values: float32[N], their values, within the bounds.
    """

    observations: Floats
    action_masks: Flags
    actions: Ints
    log_probs: Floats
    values: Floats
    entropies: Floats
    seats: NDArray[np.int8]
    streets: NDArray[np.int8]
    ended: Flags
    payoffs: Floats
    next_seats: NDArray[np.int8]
    next_values: Floats

    @classmethod
    def empty(cls, steps: int, tables: int, size: int, players: int) -> Self:
        """Room for `steps` decisions at each table, with observations of `size` numbers."""
        numbers = [np.zeros((steps, tables), np.float32) for _ in range(3)]
        places = [np.zeros((steps, tables), np.int8) for _ in range(2)]
        return cls._make(
            [
                np.zeros((steps, tables, size), np.float32),
                np.zeros((steps, tables, NUM_ACTIONS), np.bool_),
                np.zeros((steps, tables, 1), np.int64),
                *numbers,
                *places,
                *ending(steps, tables, players),
            ]
        )

    def add_decisions(self, step: int, turn: Turn, choices: Choices) -> None:
        """Note the decisions of a step, one at every table."""
        self.observations[step] = turn.observations
        self.action_masks[step] = turn.masks
        self.seats[step], self.streets[step] = turn.seats, turn.streets
        self.actions[step, :, 0] = choices.actions
        self.log_probs[step], self.entropies[step] = choices.log_probs, choices.entropies
        np.clip(choices.values, turn.low, turn.high, out=self.values[step])

    def add_results(self, step: int, ended: Flags, payoffs: Floats) -> None:
        """Note what came of a step: see the attributes `ended` and `payoffs`."""
        self.ended[step], self.payoffs[step] = ended, payoffs

    def add_next(self, turn: Turn, values: Floats) -> None:
        """Note the seats to act behind the last step, and their values float32[N]."""
        self.next_seats[:] = turn.seats
        np.clip(values, turn.low, turn.high, out=self.next_values)

    def of_tables(self, start: int, stop: int) -> "Columns":
        """Those of some of the tables; what is written there is written here."""
        return Columns._make(a[start:stop] if a.ndim == 1 else a[:, start:stop] for a in self)

    def take(self, other: "Columns") -> None:
        """Take over all that another of the same shape holds."""
        for name in self._fields:
            getattr(self, name)[...] = getattr(other, name)


def ending(steps: int, tables: int, players: int) -> tuple[Any, ...]:
    """Room for what came of the decisions: `Columns` from `ended` on."""
    return (
        np.zeros((steps, tables), np.bool_),
        np.zeros((steps, tables, players), np.float32),
        np.zeros(tables, np.int8),
        np.zeros(tables, np.float32),
    )
