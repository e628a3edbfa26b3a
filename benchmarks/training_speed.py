"""Frames per second of training on the tables beside MaskablePPO on tables that cost nothing.

    python -m benchmarks.training_speed [--opponents caller every-seat] [--seats 2] [--tables 64]
        [--epochs 4] [--rounds 9] [--layers 64 64] [--minibatch 1024]

"caller", "random" and "self-play", whose opponents are those of a run with a full pool, are
MaskablePPO on `RazzVecEnv`, where one seat of a table learns. "every-seat" is what `razz train`
does: `SelfPlayPPO` on `SelfPlayTables` with the default configuration of the pool, all of its work
included, counted in decisions that are learnt from. Shapes are equal in a row.

The second learner's `VecEnv` gives the same arrays at every step: what it learns from them takes
as long, so the ratio tells how much of the training's time the tables and their players take. Both
learn in turn, one rollout and its update a round, on one thread; what counts is processor time, so
that others' work disturbs less. The medians and the median of the ratios are printed. It needs
the extra `train`.
"""

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from agents.players.inputs import Inputs
from agents.training.config import PoolConfig, PpoConfig
from agents.training.critic import TwoViewsPolicy
from agents.training.learner import SelfPlayPPO
from agents.training.pool import OpponentPool
from agents.training.seat_buffer import SeatBuffer
from agents.training.tables import SelfPlayTables
from razz_env.envs.sb3 import RazzVecEnv
from razz_env.observation import spec
from razz_env.rules.terms import NUM_ACTIONS

STEPS = 128
EVERY_SEAT = "every-seat"


@dataclass(frozen=True)
class Shape:
    """What both learners of a row have in common."""

    seats: int
    tables: int
    epochs: int
    minibatch: int
    layers: tuple[int, ...]

    def options(self) -> dict[str, Any]:
        """For the making of either learner."""
        return {
            "n_steps": STEPS,
            "batch_size": self.minibatch,
            "n_epochs": self.epochs,
            "gamma": 1.0,
            "device": "cpu",
        }


class Nothing(VecEnv):
    """N environments of the same shapes that answer every step with the same arrays."""

    def __init__(self, tables: int, seats: int) -> None:
        layout, rng = spec(seats), np.random.default_rng(0)
        space = Box(layout.low, layout.high, dtype=np.float32)
        super().__init__(tables, space, Discrete(NUM_ACTIONS))
        self._observations = (rng.random((tables, layout.size)) < 0.1).astype(np.float32)
        self._masks = rng.random((tables, NUM_ACTIONS)) < 0.45
        self._masks[:, 0] = True
        self._rewards, self._dones = np.zeros(tables, np.float32), np.zeros(tables, np.bool_)
        nothing: dict[str, Any] = {}
        self._infos = [nothing] * tables

    def reset(self) -> NDArray[np.float32]:
        """The observations, whatever was played."""
        return self._observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Any actions will do."""

    def step_wait(self) -> Any:
        """The same answer at every step."""
        return self._observations, self._rewards, self._dones, self._infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The same masks at every step."""
        return self._masks

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """The masks, which are all that is asked for."""
        return list(self._masks)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, for every environment."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """There is nothing to set."""

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No environment is wrapped."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Nothing is held open."""


def make_learner(env: VecEnv, shape: Shape) -> MaskablePPO:
    """A learner whose first rollout and update are behind it."""
    network: dict[str, Any] = {"net_arch": list(shape.layers)}
    if isinstance(env, SelfPlayTables):
        network["seen"] = spec(shape.seats).size
        network["activation_fn"] = torch.nn.Tanh
        learner: MaskablePPO = SelfPlayPPO(
            TwoViewsPolicy,
            env,
            policy_kwargs=network,
            rollout_buffer_class=SeatBuffer,
            rollout_buffer_kwargs={"num_players": shape.seats},
            **shape.options(),
        )
    else:
        learner = MaskablePPO("MlpPolicy", env, policy_kwargs=network, seed=1, **shape.options())
    learner.learn(env.num_envs * STEPS)
    return learner


def seconds_of(learner: MaskablePPO, env: VecEnv) -> float:
    """How long one rollout and its update take."""
    start = time.process_time()
    learner.learn(env.num_envs * STEPS, reset_num_timesteps=False)
    return time.process_time() - start


def opponents_of(kind: str, shape: Shape) -> tuple[list[Any], Any]:
    """Opponents and weights: of one name, or those of self-play with a full pool of snapshots."""
    if kind not in ("self-play", EVERY_SEAT):
        return [kind], None
    config = PoolConfig()
    pool = OpponentPool(config, Inputs(spec(shape.seats)), (shape.seats,), "tanh")
    policy = make_learner(Nothing(shape.tables, shape.seats), shape).policy
    for frames in range(config.max_snapshots):
        pool.add(frames, policy.state_dict())
    return pool.draw(np.random.default_rng(1))


def make_env(kind: str, shape: Shape) -> VecEnv:
    """The tables of a row."""
    opponents, weights = opponents_of(kind, shape)
    seats, tables = shape.seats, shape.tables
    if kind == EVERY_SEAT:
        share, unit = PoolConfig().self_share, PpoConfig().big_bets_per_reward
        return SelfPlayTables(
            [seats] * tables,
            opponents,
            weights,
            seed=1,
            self_share=share,
            big_bets_per_reward=unit,
        )
    return RazzVecEnv(tables, seats, opponents, weights, seed=1)


def measure(kind: str, shape: Shape, rounds: int) -> str:
    """One line of the table."""
    tables = shape.tables
    envs: Sequence[VecEnv] = make_env(kind, shape), Nothing(tables, shape.seats)
    learners = [make_learner(env, shape) for env in envs]
    times = [
        [seconds_of(learner, env) for learner, env in zip(learners, envs, strict=True)]
        for _ in range(rounds)
    ]
    ours, nothing = (tables * STEPS / statistics.median(side) for side in zip(*times, strict=True))
    ratio = statistics.median(free / own for own, free in times)
    return f"{kind:12}{ours:12,.0f}{nothing:12,.0f}{100 * ratio:10.1f} %"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (
        ("seats", 2),
        ("tables", 64),
        ("epochs", 4),
        ("rounds", 9),
        ("minibatch", 1024),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--layers", type=int, nargs="+", default=[64, 64])
    kinds = ["caller", "random", "self-play", EVERY_SEAT]
    parser.add_argument("--opponents", nargs="+", default=kinds, metavar="NAME")
    given = parser.parse_args()
    torch.set_num_threads(1)
    shape = Shape(given.seats, given.tables, given.epochs, given.minibatch, tuple(given.layers))
    print(f"{given.tables} tables of {given.seats}, {STEPS} steps, {given.epochs} epochs")
    print(f"{'opponents':12}{'frames/s':>12}{'at no cost':>12}{'ratio':>12}")
    for kind in given.opponents:
        print(measure(kind, shape, given.rounds), flush=True)


if __name__ == "__main__":
    main()
