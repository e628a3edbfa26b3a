"""Whom the learner plays against: fixed players and frozen snapshots of itself."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.players.inputs import Inputs
from agents.players.trained import Layer, PolicyPlayer, layers_of, policy_weights
from agents.training.config import PoolConfig
from agents.training.widening import Widening
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.terms import NUM_ACTIONS

HALF_LIFE_HANDS = 20_000
PRIOR_HANDS = 1_000


class OpponentPool:
    """Fixed players, and snapshots of the learner up to a limit.

    A snapshot holds copies of the policy's parameters and nothing else.

    Priority: with `priority_bb_per_100` = T an opponent that wins x BB/100 gets its weight times
    e^(x / T), and all weights are then mixed with the plain ones, `priority_floor` of them. x is
    what it has won at the tables of the training, all hands that it ended there, older ones
    counting half as much after 20,000 more of its hands, and 1,000 hands won by nobody added, so
    that a few lucky hands do not weigh.

    Drop rule: when a snapshot is added to a full pool, the one is dropped whose neighbours in time
    are closest to each other; the oldest of several, and never the first or the last. So the kept
    ones stay spread over the whole course of training.
    """

    def __init__(
        self,
        config: PoolConfig,
        inputs: Inputs,
        table_sizes: tuple[int, ...],
        activation: str,
    ) -> None:
        """A pool without snapshots.

        Args:
            config: fixed players, shares and limits.
            inputs: of the learner's network.
            table_sizes: seats of its tables, smallest first.
            activation: of its network.

        Raises:
            ValueError: an unknown fixed player.
        """
        self._config = config
        self._inputs, self._table_sizes, self._activation = inputs, table_sizes, activation
        self.baselines: list[Agent] = [resolve_agent(name) for name in config.baselines]
        self.snapshots: dict[int, PolicyPlayer] = {}
        """Snapshots by the frames after which they were taken, in that order."""
        self.results: dict[str, tuple[float, float]] = {}
        """By name: hands of an opponent, the older ones counting less, and big bets won there."""

    def add(self, frames: int, state: dict[str, torch.Tensor]) -> None:
        """Freeze a snapshot of the policy, and drop one if there are too many.

        Args:
            frames: frames it has learned from; more than those of all earlier snapshots.
            state: `policy.state_dict()`; copied.
        """
        self._keep(frames, layers_of(policy_weights(state)))

    def draw(self, rng: np.random.Generator) -> tuple[list[Agent], NDArray[np.float64]]:
        """The opponents of the next rollout and their weights.

        All fixed players share 1 - `snapshot_share` by their weights. The rest is shared equally by
        the newest snapshot and others by chance, `snapshots_in_play` in all. Then the priority
        shifts them, if there is one.
        """
        weights = np.array(list(self._config.baselines.values()), np.float64)
        weights /= weights.sum()
        agents: list[Agent] = list(self.baselines)
        share = self._config.snapshot_share
        if self.snapshots and share > 0:
            chosen = self._choose(rng)
            agents += chosen
            each = np.full(len(chosen), share / len(chosen))
            weights = np.concatenate([weights * (1 - share), each])
        return agents, self._prioritised(agents, weights)

    def note(self, results: Iterable[tuple[str, int, float]]) -> None:
        """Take account of what opponents have won: their names, hands and big bets."""
        for name, hands, won in results:
            before_hands, before_won = self.results.get(name, (0.0, 0.0))
            keep = 0.5 ** (hands / HALF_LIFE_HANDS)
            self.results[name] = keep * before_hands + hands, keep * before_won + won
        known = {agent.name for agent in (*self.baselines, *self.snapshots.values())}
        self.results = {name: kept for name, kept in self.results.items() if name in known}

    def bb_per_100(self, name: str) -> float:
        """What an opponent wins, by the results noted; see the class for how."""
        hands, won = self.results.get(name, (0.0, 0.0))
        return 100 * won / (hands + PRIOR_HANDS)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """All snapshots as named arrays, for `load_arrays`."""
        return {
            f"{frames}/{number}/{kind}": tensor.numpy()
            for frames, snapshot in self.snapshots.items()
            for number, layer in enumerate(snapshot.layers)
            for kind, tensor in zip(("weight", "bias"), layer, strict=True)
        }

    def load_arrays(self, arrays: dict[str, NDArray[Any]], inputs: Inputs | None = None) -> None:
        """Take over the snapshots that `to_arrays` gave.

        Args:
            arrays: their parameters.
            inputs: of their networks, if the pool's may be more: see `Widening`.

        Raises:
            ValueError: other names, shapes of another network, or what are no parameters; the
                pool is as it was.
        """
        _check_arrays(arrays)
        widening = Widening(self._inputs if inputs is None else inputs, self._inputs)
        times = sorted({_frames_of(name) for name in arrays})
        found = {frames: _snapshot_layers(arrays, frames) for frames in times}
        for frames, layers in found.items():
            weight, bias = layers[0]
            layers[0] = widening.of(weight, self._inputs.size), bias
            self._check_widths(frames, layers)
        self.snapshots = {}
        for frames, layers in found.items():
            self._keep(frames, layers)

    def _check_widths(self, frames: int, layers: list[Layer]) -> None:
        width = self._inputs.size
        for weight, bias in layers:
            if weight.shape != (len(bias), width):
                raise ValueError(f"a layer of snapshot {frames} is of shape {tuple(weight.shape)}")
            width = len(bias)
        if width != NUM_ACTIONS:
            raise ValueError(f"snapshot {frames} chooses among {width} actions")

    def _keep(self, frames: int, layers: list[Layer]) -> None:
        self.snapshots[frames] = PolicyPlayer(
            f"snapshot:{frames}",
            layers,
            self._activation,
            self._inputs,
            self._table_sizes[-1],
            table_sizes=self._table_sizes,
        )
        if len(self.snapshots) > self._config.max_snapshots:
            del self.snapshots[_crowded(list(self.snapshots))]

    def _choose(self, rng: np.random.Generator) -> list[PolicyPlayer]:
        *older, newest = self.snapshots.values()
        count = min(self._config.snapshots_in_play - 1, len(older))
        if not count:
            return [newest]
        chances = self._prioritised(older, np.full(len(older), 1 / len(older)))
        places = sorted(rng.choice(len(older), count, replace=False, p=chances))
        return [*(older[int(place)] for place in places), newest]

    def _prioritised(
        self, agents: Sequence[Agent], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Weights that sum to 1, shifted towards those who win."""
        scale, floor = self._config.priority_bb_per_100, self._config.priority_floor
        if scale is None:
            return weights
        wins = np.array([self.bb_per_100(agent.name) for agent in agents])
        best = wins[weights > 0].max()  # who is never met does not matter
        shifted = weights * np.exp(np.minimum(wins - best, 0) / scale)
        mixed: NDArray[np.float64] = floor * weights + (1 - floor) * shifted / shifted.sum()
        return mixed


def _check_arrays(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Look whether arrays can be the parameters of layers, whatever their shapes.

    Raises:
        ValueError: naming the array.
    """
    for name, array in arrays.items():
        rank = 2 if name.endswith("/weight") else 1
        if array.dtype != np.float32 or array.ndim != rank:
            raise ValueError(f"{name!r} is {array.dtype}{list(array.shape)}")
        if not np.isfinite(array).all():
            raise ValueError(f"some numbers of {name!r} are not finite")


def _frames_of(name: str) -> int:
    """The frames in the name of an array."""
    frames = name.split("/")[0]
    if not frames.isdecimal():
        raise ValueError(f"{name!r} is no array of a snapshot")
    return int(frames)


def _snapshot_layers(arrays: dict[str, NDArray[Any]], frames: int) -> list[Layer]:
    """The layers of one snapshot; ValueError if they are not complete."""
    names = {name for name in arrays if _frames_of(name) == frames}
    pairs = [
        (f"{frames}/{number}/weight", f"{frames}/{number}/bias")
        for number in range(len(names) // 2)
    ]
    expected = {name for pair in pairs for name in pair}
    if names != expected:
        odd = min(names ^ expected)
        raise ValueError(f"its snapshots do not have the layers they should, {odd!r} for one")
    return [(torch.from_numpy(arrays[w]), torch.from_numpy(arrays[b])) for w, b in pairs]


def _crowded(times: list[int]) -> int:
    """The time, neither first nor last unless there are two, whose neighbours are closest."""
    if len(times) < 3:
        return times[0]
    gaps = np.array(times[2:]) - np.array(times[:-2])
    return times[1 + int(gaps.argmin())]
