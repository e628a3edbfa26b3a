"""The rollout buffer of self-play: credit along the decisions of one seat in one hand.

A column of the buffer is a table, and its rows are decisions of the learner's in any of its seats.
What follows a decision is the same seat's next decision in the hand, or the end of the hand with
that seat's own net result, whoever acts last; what other seats do in between is the environment.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)

from agents.training.columns import Columns, ending
from razz_env._jit import kernel
from razz_env.envs.tables import Flags, Floats, Ints


class Held(NamedTuple):
    """Decisions held over from the last rollout, and what has become of them.

    Attributes:
        rows: int64[N, P], place of the decision of a table's seat among the K, -1 for none.
        values, advantages, returns: float32[K].
        is_settled: bool[K], whether what follows them is known now.
    """

    rows: Ints
    values: Floats
    advantages: Floats
    returns: Floats
    is_settled: Flags


class SeatBuffer(MaskableRolloutBuffer):
    """Decisions of any seat, with GAE(lambda) along each seat's own; the discount is 1.

    The cut: a rollout ends while hands are in play. The seat to act next is looked at then, and its
    value stands for all that is to come, as usual. Of any other seat with an unfinished hand the
    next decision does not exist yet. Its last decision can be neither its own bootstrap, nor left
    out: folds end hands and are settled, so the actions left out would be bets and calls, and the
    gradient would lean towards folding. So it is held over, with the probability it was chosen
    with, and learnt from in the next update, when its sequel is known: one update late and exactly
    once, and PPO's ratio takes account of the policy that chose it. The seat's earlier decisions
    bootstrap at the value of this one.

    Bounds: values enter the estimates clipped to what the seat can still win or lose
    (`agents.training.stakes`). A target is a mean of later values and the result, all of them
    within the bounds of the decision because bounds only narrow, so targets are within them too.

    Attributes:
        columns: a rollout, of which every array is an attribute, too: observations, seats, ...
        advantages, returns: float32[T, N], of its decisions.
        is_open: bool[T, N], the decisions held over to the next rollout.
        held: how many decisions of the last rollout are learnt from in this one.
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = "cpu",
        gae_lambda: float = 1,
        gamma: float = 1.0,
        n_envs: int = 1,
        num_players: int = 2,
        seed: int = 0,
    ) -> None:
        """A buffer of T = `buffer_size` rows at N = `n_envs` tables of at most `num_players`.

        `seed` decides the order in which minibatches are drawn.

        Raises:
            ValueError: a discount other than 1.
        """
        if gamma != 1:
            raise ValueError(f"gamma={gamma}: a hand is paid at its end, so the discount is 1.")
        self._players = num_players
        self._rng = np.random.default_rng(seed)
        self._is_made = False
        self._held: Held
        super().__init__(
            buffer_size, observation_space, action_space, device, gae_lambda, gamma, n_envs
        )

    def restart(self, seed: int) -> None:
        """Forget what is held over, and start the random stream of the minibatches here."""
        self._rng = np.random.default_rng(seed)
        self._hold(np.zeros(0, np.int64), np.zeros(0, np.int64))

    def reset(self) -> None:
        """Make room for a rollout; what is held over stays."""
        if not self._is_made:
            self._make()
        self.pos, self.full, self.generator_ready = 0, False, False

    @property
    def columns(self) -> Columns:
        """Where a rollout is to be written, [T, N]."""
        return Columns._make(getattr(self, name) for name in Columns._fields)

    def settle(self) -> None:
        """Work out advantages and returns of a rollout that has been written to `columns`."""
        self.pos, self.full = self.buffer_size, True
        held = self._held
        scratch = np.zeros((3, self._players), np.float32)
        _credit(
            self.seats,
            self.ended,
            self.payoffs,
            self.values,
            float(self.gae_lambda),
            self.next_seats,
            self.next_values,
            self.advantages,
            self.returns,
            self.is_open,
            held,
            scratch,
            np.zeros(self._players, np.bool_),
        )
        count = self.buffer_size * self.n_envs
        settled = np.flatnonzero(held.is_settled)
        self.held = len(settled)
        extra = count + np.arange(self.held)
        for name, rows in self._rows.items():
            if name not in ("advantages", "returns"):
                rows[extra] = self._kept[name][settled]
        self._rows["advantages"][extra] = held.advantages[settled]
        self._rows["returns"][extra] = held.returns[settled]
        is_open = self.is_open.reshape(-1)
        self._samples = np.concatenate([np.flatnonzero(~is_open), extra])
        self._hold(np.flatnonzero(is_open), np.flatnonzero(~held.is_settled))

    @property
    def num_samples(self) -> int:
        """How many decisions are learnt from."""
        return len(self._samples)

    def column(self, name: str) -> NDArray[Any]:
        """All that is learnt from of "values", "returns", ...: [K, ...], in no special order."""
        column: NDArray[Any] = self._rows[name][self._samples]
        return column

    def batches(self, size: int) -> Iterator[Ints]:
        """All decisions to learn from in random order, in batches of about `size`, as rows.

        None has fewer than two, so there is none at all if there are not two decisions.
        """
        order = self._rng.permutation(self._samples)
        if len(order) >= 2:
            parts = min(round(len(order) / size), len(order) // 2)
            yield from np.array_split(order, max(1, parts))

    def samples(self, rows: Ints) -> MaskableRolloutBufferSamples:
        """The decisions in some rows as tensors."""
        take = self._rows
        return MaskableRolloutBufferSamples(
            *(
                torch.from_numpy(take[name][rows])
                for name in (
                    "observations",
                    "actions",
                    "values",
                    "log_probs",
                    "advantages",
                    "returns",
                    "action_masks",
                )
            )
        )

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """Minibatches, as Stable-Baselines3 asks for them."""
        for rows in self.batches(batch_size or self.num_samples):
            yield self.samples(rows)

    def _make(self) -> None:
        """Memory for T x N decisions and as many more as can be held over."""
        steps, tables, players = self.buffer_size, self.n_envs, self._players
        count, room = steps * tables, tables * (players - 1)
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observations": (self.obs_shape, np.float32),
            "action_masks": ((int(self.action_space.n),), np.bool_),  # type: ignore[attr-defined]
            "actions": ((1,), np.int64),
            **dict.fromkeys(("log_probs", "values", "advantages", "returns"), ((), np.float32)),
            "table": ((), np.int64),
            "seat": ((), np.int64),
        }
        self._rows = {n: np.zeros((count + room, *s), kind) for n, (s, kind) in shapes.items()}
        for name in ("observations", "action_masks", "actions", "log_probs", "values"):
            setattr(self, name, self._grid(name))
        self.advantages, self.returns = self._grid("advantages"), self._grid("returns")
        self._grid("table")[:] = np.arange(tables)
        self.mask_dims = shapes["action_masks"][0][0]
        self.seats, self.streets = self._grid("seat"), np.zeros((steps, tables), np.int8)
        self.entropies = np.zeros((steps, tables), np.float32)
        self.is_open = np.zeros((steps, tables), np.bool_)
        self.ended, self.payoffs, self.next_seats, self.next_values = ending(steps, tables, players)
        self.held = 0
        self._kept: dict[str, NDArray[Any]] = {n: rows[:0] for n, rows in self._rows.items()}
        self._held = _held(self._kept, tables, players)
        self._samples = np.zeros(0, np.int64)
        self._is_made = True

    def _grid(self, name: str) -> NDArray[Any]:
        """The part of a column that the rollout fills, [T, N, ...]."""
        rows, steps, tables = self._rows[name], self.buffer_size, self.n_envs
        grid: NDArray[Any] = rows[: steps * tables].reshape(steps, tables, *rows.shape[1:])
        return grid

    def _hold(self, fresh: Ints, older: Ints) -> None:
        """Hold over rows of this rollout, and those of the held ones that are still open."""
        self._kept = {
            name: np.concatenate([self._kept[name][older], rows[fresh]])
            for name, rows in self._rows.items()
        }
        self._held = _held(self._kept, self.n_envs, self._players)


def _held(kept: dict[str, NDArray[Any]], tables: int, players: int) -> Held:
    count = len(kept["values"])
    rows = np.full((tables, players), -1, np.int64)
    rows[kept["table"], kept["seat"]] = np.arange(count)
    return Held(
        rows,
        kept["values"],
        np.zeros(count, np.float32),
        np.zeros(count, np.float32),
        np.zeros(count, np.bool_),
    )


@kernel
def _credit(
    seats: Ints,
    ended: Flags,
    payoffs: Floats,
    values: Floats,
    gae_lambda: float,
    next_seats: NDArray[np.int8],
    next_values: Floats,
    advantages: Floats,
    returns: Floats,
    is_open: Flags,
    held: Held,
    scratch: Floats,
    is_known: Flags,
) -> None:
    """Walk through every column backwards, with what follows each seat's decisions at hand.

    scratch float32[3, P]: by seat, the reward before its next decision, the value of that, and its
    advantage; is_known bool[P], whether there is one or the end of the hand.
    """
    reward, value_after, advantage_after = scratch[0], scratch[1], scratch[2]
    steps, tables, players = payoffs.shape
    for table in range(tables):
        for seat in range(players):
            is_known[seat] = seat == next_seats[table]
            reward[seat], value_after[seat], advantage_after[seat] = 0, next_values[table], 0
        for step in range(steps - 1, -1, -1):
            if ended[step, table]:
                for seat in range(players):
                    is_known[seat] = True
                    reward[seat] = payoffs[step, table, seat]
                    value_after[seat], advantage_after[seat] = 0, 0
            seat, value = seats[step, table], values[step, table]
            is_open[step, table] = not is_known[seat]
            advantage = 0.0
            if is_known[seat]:
                advantage = reward[seat] + value_after[seat] - value
                advantage += gae_lambda * advantage_after[seat]
            advantages[step, table], returns[step, table] = advantage, advantage + value
            is_known[seat] = True
            reward[seat], value_after[seat], advantage_after[seat] = 0, value, advantage
        for seat in range(players):
            row = held.rows[table, seat]
            if row >= 0 and is_known[seat]:
                advantage = reward[seat] + value_after[seat] - held.values[row]
                advantage += gae_lambda * advantage_after[seat]
                held.advantages[row] = advantage
                held.returns[row] = advantage + held.values[row]
                held.is_settled[row] = True
