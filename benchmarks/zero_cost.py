"""A `VecEnv` that costs nothing: what a learner alone can do at equal shapes."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from stable_baselines3.common.vec_env import VecEnv

from razz_env.observation import spec
from razz_env.rules.terms import NUM_ACTIONS


class ZeroCostVecEnv(VecEnv):
    """N tables with the spaces of `RazzVecEnv` that always show the same random observation.

    Four actions are legal everywhere, and a tenth of the tables end in every step.
    """

    def __init__(self, tables: int, seats: int) -> None:
        """Make everything that will ever be shown."""
        layout = spec(seats)
        super().__init__(tables, Box(layout.low, layout.high), Discrete(NUM_ACTIONS))
        rng = np.random.default_rng(0)
        self._shown = rng.random((tables, layout.size), np.float32)
        self._rewards = rng.standard_normal(tables).astype(np.float32)
        self._dones = np.arange(tables) % 10 == 0
        self._masks = np.zeros((tables, NUM_ACTIONS), np.bool_)
        self._masks[:, :4] = True
        nothing: dict[str, Any] = {}
        last = {"terminal_observation": self._shown[0]}
        self._infos = [last if done else nothing for done in self._dones]

    def action_masks(self) -> Any:
        """The same masks always, bool[N, 7]."""
        return self._masks

    def reset(self) -> Any:
        """The observation, float32[N, D]."""
        return self._shown

    def step_async(self, actions: Any) -> None:
        """Take no notice."""

    def step_wait(self) -> Any:
        """The same step always."""
        return self._shown, self._rewards, self._dones, self._infos

    def close(self) -> None:
        """Nothing is held open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, once for each of the tables."""
        if attr_name == "render_mode":
            return [None] * self.num_envs
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: there is nothing to set."""
        raise AttributeError(attr_name)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` of all tables."""
        return list(getattr(self, method_name)())

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No table is wrapped."""
        return [False] * self.num_envs
