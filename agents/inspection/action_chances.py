"""How likely a player is to take each action: as it tells, or by asking it many times."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.players.probabilities import chosen_actions, legal_masks, told_probabilities
from razz_env.envs.agent import Agent, OpenAgent, forget

SAMPLES = 1000
MOST_ROWS = 8192
"""Decisions that a player is asked for at once."""

Floats = NDArray[np.float64]


class Chances(NamedTuple):
    """Chances of the actions in K spots.

    Attributes:
        legal: bool[K, 7].
        shares: float64[K, 7], rows sum to 1.
        errors: float64[K, 7], standard errors of the shares; 0 where they are exact.
        samples: how often the player was asked in each spot; None if it tells its probabilities.
    """

    legal: NDArray[np.bool_]
    shares: Floats
    errors: Floats
    samples: int | None


def chances(player: Agent, views: NDArray[Any], samples: int, rng: np.random.Generator) -> Chances:
    """What a player does in K spots, each seen by the seat to act.

    A player that tells its probabilities (`razz_env.envs.agent.OpenAgent`) is asked once. Any other
    one acts `samples` times in every spot. The standard errors of its shares are those
    of (times + 1) / (samples + 2), Laplace's rule: what never came may still be possible.

    Args:
        player: it forgets what it remembers of earlier hands.
        views: SEAT_VIEW[K].
        samples: at least 1.
        rng: of the samples.

    Raises:
        ValueError: no sample, or a player that answers with something else than legal actions.
        BadProbabilities: a player that tells something else than probabilities of legal actions.
    """
    if samples < 1:
        raise ValueError(f"samples={samples} must be at least 1.")
    forget(player)
    masks = legal_masks(views)
    if isinstance(player, OpenAgent):
        shares = told_probabilities(player, views)
        return Chances(masks != 0, shares, np.zeros_like(shares), None)
    counts = np.zeros(masks.shape, np.int64)
    for first in range(0, len(views), step := max(1, MOST_ROWS // samples)):
        rows = np.repeat(np.arange(first, min(first + step, len(views))), samples)
        np.add.at(counts, (rows, chosen_actions(player, views[rows], rng)), 1)
    smoothed = (counts + 1) / (samples + 2)
    errors = np.sqrt(smoothed * (1 - smoothed) / (samples + 2)) * (masks != 0)
    alone = masks.sum(axis=1, keepdims=True) == 1
    return Chances(masks != 0, counts / samples, np.where(alone, 0.0, errors), samples)
