"""The guard of a table: PettingZoo's three standard wrappers in one.

Its classic games wear `OrderEnforcingWrapper`, `AssertOutOfBoundsWrapper` and
`TerminateIllegalWrapper` one over the other. Every question passes through all of them, which
costs several times as much as a whole turn of this game.
"""

from typing import Any, TypeAlias

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from razz_env.envs.desk import Observation
from razz_env.rules.terms import NUM_ACTIONS

_WHOLE_NUMBERS = (int, np.int64)

Table: TypeAlias = AECEnv[str, Observation, int | None]


class GuardedTable(OrderEnforcingWrapper[str, Observation, int | None]):
    """Enforces the order of calls, actions within their space, and legal actions.

    It answers as `OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(table,
    illegal_reward)))` does, errors and warnings included, but that `env` is the table itself and a
    bool is no action: there it ends in an error of NumPy.
    `illegal_reward` is minus the table's `largest_loss` in the hand in play.
    The table is one of Razz: its actions are `Discrete(7)`, its observations hold an `action_mask`.

    An illegal action ends the hand with a warning: the agent that took it gets `illegal_reward`,
    the others nothing, and all are terminated and truncated. What is legal is read off the mask
    that the selected agent observed last, as PettingZoo's wrapper does.

    Raises:
        AssertionError: `step`, `observe`, `render`, `state` or `agent_iter` before `reset`; an
            action outside of the action space, such as a bool; an `agent_iter` loop that does not
            step.
        AttributeError: what only a hand in play has, asked for before `reset`.
        ValueError: an action other than None of a terminated agent.
    """

    def __init__(self, env: Table) -> None:
        super().__init__(env)
        self._seen: Observation | None = None  # by the selected agent since the last step
        self._own_attributes = len(vars(self)) + 1

    def __getattr__(self, name: str) -> Any:
        """The table's attribute, if it is public and may be asked for now."""
        if name.startswith("_") or not self._has_reset:
            return super().__getattr__(name)
        return getattr(self.env, name)

    def __str__(self) -> str:
        return str(self.env)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Reset the table."""
        self._seen = None
        super().reset(seed, options)

    def observe(self, agent: str) -> Observation | None:
        """What the table lets an agent see."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        table = self.env
        observation = table.observe(agent)
        if agent == table.agent_selection:
            self._seen = observation
        return observation

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, flags and info of the selected agent."""
        if self._hides_something() or not self._has_reset:
            return super().last(observe)
        table = self.env
        agent = table.agent_selection
        return (
            self.observe(agent) if observe else None,
            table._cumulative_rewards[agent],
            table.terminations[agent],
            table.truncations[agent],
            table.infos[agent],
        )

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None for an agent that is terminated."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        table = self.env
        if not (self.agents if self._hides_something() else table.agents):
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = table.agent_selection
        if not (action is None and _is_gone(table, agent)):
            _check_bounds(table, agent, action)
        seen: Any = self._seen or self.observe(agent)
        self._seen = None
        if _is_gone(table, agent) or seen["action_mask"][action]:
            table.step(action)
        else:
            EnvLogger.warn_on_illegal_move()
            _end_hand(table, agent, -table.largest_loss)  # type: ignore[attr-defined]

    def to_bytes(self) -> bytes:
        """The table's state as bytes, for `load_bytes` of a table made alike."""
        data: bytes = self.env.to_bytes()  # type: ignore[attr-defined]
        return data

    def load_bytes(self, data: bytes) -> None:
        """Put back the state saved by `to_bytes`, here or of a `raw_env`.

        Raises:
            ValueError, TypeError: as `raw_env.load_bytes`.
        """
        self.env.load_bytes(data)  # type: ignore[attr-defined]
        self._seen = None
        self._has_reset = self._has_updated = self.env._hand is not None  # type: ignore[attr-defined]

    def _hides_something(self) -> bool:
        """Whether an attribute was set on the wrapper: from then on it stands for the table's."""
        return len(vars(self)) > self._own_attributes


def _is_gone(table: Table, agent: str) -> bool:
    return table.terminations[agent] or table.truncations[agent]


def _check_bounds(table: Table, agent: str, action: Any) -> None:
    space = table.action_space(agent)
    if type(action) in _WHOLE_NUMBERS and 0 <= action < NUM_ACTIONS:
        return  # what `contains` would say too, but takes 2 us for
    if isinstance(action, bool) or not space.contains(action):
        raise AssertionError("action is not in action space")


def _end_hand(table: Table, culprit: str, reward: float) -> None:
    """Terminate and truncate all agents; the culprit gets `reward`, the others nothing."""
    table._cumulative_rewards[culprit] = 0
    table.terminations = dict.fromkeys(table.agents, True)
    table.truncations = dict.fromkeys(table.agents, True)
    table.rewards = dict.fromkeys(table.agents, 0)
    table.rewards[culprit] = reward
    table._accumulate_rewards()
    table._deads_step_first()
