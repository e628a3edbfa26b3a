"""What a player would do in spots that somebody looks at: asked and checked in this one way.

Some tell how likely they are to take each action, all of them choose one.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.envs.agent import (
    RAISED,
    Agent,
    OpenAgent,
    PlayerError,
    told_error,
    wants_observations,
)
from razz_env.envs.answers import BadAnswer, answer_of, check_answer
from razz_env.observation import encode_batch, spec
from razz_env.rules.betting import legal_actions
from razz_env.rules.terms import NUM_ACTIONS, Action

Floats = NDArray[np.float64]

TOLERANCE = 1e-6
"""How far from 1 a row may sum: the softmax of a network in float32 misses by up to some 1e-7."""

ROUNDING = 1e-9
"""How far rows sum from 1 that are left bit for bit as they were told: float64 rounds so."""


class BadProbabilities(ValueError):
    """What a player told are no chances of its legal actions; the sentence names the player."""


def told_probabilities(player: OpenAgent, views: NDArray[Any]) -> Floats:
    """The chances of the actions in K spots, each seen by the seat to act, as a player tells them.

    Args:
        player: it gets copies, so nothing it does to them reaches the caller.
        views: SEAT_VIEW[K].

    Returns:
        float64[K, 7], 0 for what is not legal; rows sum to 1, up to the rounding of float64: those
        that a player computed more coarsely are divided by their sum.

    Raises:
        BadProbabilities: an error of the player, another shape, something else than numbers of 0
            to 1, a chance for an action that is not legal, or a row that does not sum to 1.
    """
    masks = legal_masks(views)
    seen = observations_for(player, views)
    try:
        answer = player.action_probabilities(views.copy(), seen, masks.copy())
    except RAISED as error:
        raise BadProbabilities(
            f"The action_probabilities of the player {player.name!r} raised {told_error(error)}."
        ) from error
    told = _as_floats(player, answer, masks.shape)
    _check_legal(player, told, masks)
    sums = told.sum(axis=1, keepdims=True)
    misses = np.abs(sums - 1)
    if (misses > TOLERANCE).any():
        raise BadProbabilities(
            f"The action_probabilities of the player {player.name!r} sum to "
            f"{sums.flat[np.argmax(misses)]}, not to 1: give every row chances that sum to 1."
        )
    return np.where(misses > ROUNDING, told / sums, told)


def chosen_actions(
    player: Agent, views: NDArray[Any], rng: np.random.Generator
) -> NDArray[np.int64]:
    """The action int64[K] that a player chooses in each of K spots, seen by the seat to act.

    Args:
        player: it gets copies, so nothing it does to them reaches the caller.
        views: SEAT_VIEW[K].
        rng: for the player's decisions.

    Raises:
        PlayerError: an error of the player, or no legal action for every spot; names the player.
    """
    masks = legal_masks(views)
    seen = observations_for(player, views)
    try:
        answer = answer_of(lambda: player.act(views.copy(), seen, masks.copy(), rng))
        return check_answer(answer, masks, views["public"].__getitem__)
    except BadAnswer as bad:
        raise PlayerError(f"The player {player.name!r} {bad}.") from bad.__cause__


def _as_floats(player: OpenAgent, answer: Any, shape: tuple[int, ...]) -> Floats:
    try:
        given = np.asarray(answer)
    except RAISED as error:
        raise BadProbabilities(
            f"The action_probabilities of the player {player.name!r} are no array of numbers: "
            f"{told_error(error)}."
        ) from error
    if given.dtype.kind not in "fiub" or np.ma.is_masked(answer):
        raise BadProbabilities(
            f"The action_probabilities of the player {player.name!r} are {given.dtype}"
            f"{', partly masked' if np.ma.is_masked(answer) else ''}: give an array of floats."
        )
    told = given.astype(np.float64)
    if told.shape != shape:
        raise BadProbabilities(
            f"The action_probabilities of the player {player.name!r} have the shape {told.shape}, "
            f"not {shape}: give a row for each seat that it is asked about."
        )
    return told


def _check_legal(player: OpenAgent, told: Floats, masks: NDArray[np.int8]) -> None:
    """Refuse what is no chance, and a chance for an action that is not legal."""
    wrong = ~((told >= 0) & (told <= 1 + TOLERANCE)) | ((masks == 0) & (told != 0))
    if wrong.any():
        row, action = np.argwhere(wrong)[0]
        legal = [Action(int(number)).name for number in np.flatnonzero(masks[row])]
        raise BadProbabilities(
            f"The action_probabilities of the player {player.name!r} give {told[row, action]} to "
            f"{Action(int(action)).name}, but they must be 0 to 1, and 0 for what is not legal; "
            f"legal: {', '.join(legal)}."
        )


def legal_masks(views: NDArray[Any]) -> NDArray[np.int8]:
    """What the seats to act may do, int8[K, 7], from views SEAT_VIEW[K]."""
    masks = np.zeros((len(views), NUM_ACTIONS), np.int8)
    _legal_of_each(np.ascontiguousarray(views), masks)
    return masks


@kernel
def _legal_of_each(views: NDArray[Any], masks: NDArray[np.int8]) -> None:
    for row in range(len(views)):
        legal_actions(views[row].public, masks[row])


def observations_for(player: Agent, views: NDArray[Any]) -> NDArray[np.float32]:
    """What a player may want beside views SEAT_VIEW[K] of tables of one size.

    Returns:
        float32[K, D]; of no columns for a player that needs none.
    """
    if not wants_observations(player) or not len(views):
        return np.zeros((len(views), 0), np.float32)
    layout = spec(int(views["public"]["num_seats"][0]))
    return encode_batch(np.ascontiguousarray(views), layout)
