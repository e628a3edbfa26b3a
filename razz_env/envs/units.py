"""What the environments share: the unit of rewards, render modes, and actions as they come in."""

from typing import Any

import numpy as np

from razz_env.rules.house_rules import HouseRules, nearest

REWARD_UNITS = ("big_bets", "chips")
RENDER_MODES = {"ansi": "returns the table as text", "human": "prints it"}


def chips_per_reward(reward_unit: str, rules: HouseRules) -> int:
    """How many chips a reward of 1 is.

    Raises:
        ValueError: a unit other than "big_bets" or "chips".
    """
    if reward_unit not in REWARD_UNITS:
        raise ValueError(
            f"reward_unit={reward_unit!r} is no unit{nearest(reward_unit, REWARD_UNITS)}."
        )
    return rules.big_bet if reward_unit == "big_bets" else 1


def check_render_mode(mode: str | None) -> str | None:
    """The render mode itself.

    Raises:
        ValueError: a mode that is not there.
    """
    if mode is None or mode in RENDER_MODES:
        return mode
    there = ", ".join(f"{name!r} ({what})" for name, what in RENDER_MODES.items())
    raise ValueError(f"There is no render_mode {mode!r}; there are {there} and None.")


def as_action(action: Any) -> Any:
    """An action without the array of no dimensions in which policies return a single one."""
    return action.item() if isinstance(action, np.ndarray) and action.ndim == 0 else action
