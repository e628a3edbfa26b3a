"""Moves as players think of them: press on, go along, give up; each the nearest legal action."""

import numpy as np
from numpy.typing import NDArray

from agents.players.reading import count_seats
from razz_env._jit import kernel
from razz_env.rules.betting import BET, BRING_IN, CALL, CHECK, COMPLETE, FOLD, RAISE


@kernel
def fair_shares(shares: float, rivals: int) -> float:
    """The win chance that is so many times a fair share of the pot."""
    return shares / (count_seats(rivals) + 1)


@kernel
def press(mask: NDArray[np.int8]) -> int:
    """Complete, bet or raise; where that is not legal, go along."""
    for action in (RAISE, BET, COMPLETE):
        if mask[action]:
            return action
    return go_along(mask)


@kernel
def go_along(mask: NDArray[np.int8]) -> int:
    """Stay in for as little as possible: check, call or bring in."""
    for action in (CHECK, CALL):
        if mask[action]:
            return action
    return BRING_IN


@kernel
def give_up(mask: NDArray[np.int8]) -> int:
    """Put nothing in: check where that is free, else fold; the bring-in may have to be paid."""
    for action in (CHECK, FOLD):
        if mask[action]:
            return action
    return BRING_IN
