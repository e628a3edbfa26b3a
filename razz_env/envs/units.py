"""What the environments share: the unit of rewards, render modes, and actions as they come in."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from razz_env.render.extra import RASTER, need
from razz_env.rules.house_rules import HouseRules, nearest

REWARD_UNITS = ("big_bets", "chips")
RENDER_MODES = {
    "human": "shows the table in a window",
    "ansi": "returns it as text",
    "rgb_array": "returns it as pixels",
}
RENDER_FPS = 2
"""Decisions a second that a person can follow."""


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


def check_render_mode(mode: str | None, modes: Mapping[str, str] = RENDER_MODES) -> str | None:
    """The render mode itself.

    Raises:
        ValueError: a mode that is not there.
        ModuleNotFoundError: it needs a package that is not installed; the sentence names the
            command that installs it.
    """
    if mode is not None and mode not in modes:
        there = ", ".join(f"{name!r} ({what})" for name, what in modes.items())
        raise ValueError(f"There is no render_mode {mode!r}; there are {there} and None.")
    if modes is RENDER_MODES and mode in ("human", "rgb_array"):
        need(f'render_mode="{mode}"', RASTER)
    return mode


def as_action(action: Any) -> Any:
    """An action without the array of no dimensions in which policies return a single one."""
    return action.item() if isinstance(action, np.ndarray) and action.ndim == 0 else action
