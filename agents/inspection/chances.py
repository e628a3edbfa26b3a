"""How likely a player is to take each action: as it tells, or by asking it many times."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.envs.agent import Agent, OpenAgent, forget, wants_observations
from razz_env.observation import encode_batch, spec
from razz_env.rules.betting import legal_actions
from razz_env.rules.terms import NUM_ACTIONS, Action

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
        ValueError: no sample, or a player that answers with something else than legal actions or
            probabilities.
    """
    if samples < 1:
        raise ValueError(f"samples={samples} must be at least 1.")
    forget(player)
    masks = np.zeros((len(views), NUM_ACTIONS), np.int8)
    _legal_of_each(np.ascontiguousarray(views), masks)
    if isinstance(player, OpenAgent):
        shares = _told(player, views, masks)
        return Chances(masks != 0, shares, np.zeros_like(shares), None)
    counts = np.zeros(masks.shape, np.int64)
    for first in range(0, len(views), step := max(1, MOST_ROWS // samples)):
        rows = np.repeat(np.arange(first, min(first + step, len(views))), samples)
        np.add.at(counts, (rows, _acted(player, views[rows], masks[rows], rng)), 1)
    smoothed = (counts + 1) / (samples + 2)
    errors = np.sqrt(smoothed * (1 - smoothed) / (samples + 2)) * (masks != 0)
    alone = masks.sum(axis=1, keepdims=True) == 1
    return Chances(masks != 0, counts / samples, np.where(alone, 0.0, errors), samples)


@kernel
def _legal_of_each(views: NDArray[Any], masks: NDArray[np.int8]) -> None:
    for row in range(len(views)):
        legal_actions(views[row].public, masks[row])


def _told(player: OpenAgent, views: NDArray[Any], masks: NDArray[np.int8]) -> Floats:
    """The probabilities that a player tells, checked."""
    answer = player.action_probabilities(views.copy(), _observations(player, views), masks.copy())
    shares = np.asarray(answer, np.float64)
    if shares.shape != masks.shape:
        raise ValueError(
            f"The player {player.name!r} tells probabilities of shape {shares.shape}, not "
            f"{masks.shape}: a row for each seat that it was asked about."
        )
    wrong = ~np.isfinite(shares) | (shares < 0) | ((masks == 0) & (shares != 0))
    if wrong.any():
        row, action = np.argwhere(wrong)[0]
        raise ValueError(
            f"The player {player.name!r} tells {shares[row, action]} as the probability of "
            f"{Action(int(action)).name}, which is {'' if masks[row, action] else 'not '}legal."
        )
    sums = shares.sum(axis=1)
    if (abs(sums - 1) > 1e-6).any():
        raise ValueError(
            f"The probabilities that the player {player.name!r} tells sum to "
            f"{sums[np.argmax(abs(sums - 1))]}, not to 1."
        )
    return shares


def _acted(
    player: Agent, views: NDArray[Any], masks: NDArray[np.int8], rng: np.random.Generator
) -> NDArray[np.int64]:
    """One action of the player for each row, checked."""
    answer = np.asarray(player.act(views, _observations(player, views), masks.copy(), rng))
    if answer.shape != (len(views),) or answer.dtype.kind not in "iu":
        raise ValueError(
            f"The player {player.name!r} was asked for {len(views)} decisions and answered with "
            f"{answer.dtype} of shape {answer.shape}, not with as many whole numbers."
        )
    inside = (answer >= 0) & (answer < NUM_ACTIONS)
    legal = inside & (masks[np.arange(len(views)), np.where(inside, answer, 0)] != 0)
    if not legal.all():
        row = int(np.argmin(legal))
        known = [Action(int(number)).name for number in np.flatnonzero(masks[row])]
        raise ValueError(
            f"The player {player.name!r} in seat {views['seat'][row]} chose the action "
            f"{_name(int(answer[row]))}; legal: {', '.join(known)}."
        )
    return answer.astype(np.int64)


def _name(action: int) -> str:
    return Action(action).name if 0 <= action < NUM_ACTIONS else f"number {action}"


def _observations(player: Agent, views: NDArray[Any]) -> NDArray[np.float32]:
    """What the player may want beside the views; of no columns for one that needs none."""
    if not wants_observations(player):
        return np.zeros((len(views), 0), np.float32)
    layout = spec(int(views["public"]["num_seats"][0]))
    return encode_batch(np.ascontiguousarray(views), layout)
