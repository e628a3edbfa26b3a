"""What players tell of their chances, asked again about every decision of finished hands."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat.replay import begin
from agents.players.probabilities import BadProbabilities, told_probabilities
from razz_env._jit import kernel
from razz_env.envs.agent import Agent, OpenAgent
from razz_env.rules.action_log import log_action
from razz_env.rules.play import apply
from razz_env.rules.record import SEAT_VIEW
from razz_env.rules.seat_view import seat_view
from razz_env.rules.terms import NUM_ACTIONS, Action

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SEAT_PLACE, ACTION_MASK = 3, 7  # of an entry of the log, see `rules.action_log`


def chances_in(hands: NDArray[Any], players: Sequence[Agent]) -> Floats:
    """The chances that players tell for each decision of finished hands.

    Args:
        hands: HAND[K].
        players: by seat.

    Returns:
        float64[K, L, 7] in the order of the log; zeros where the player tells nothing, is certain
        anyway, or nobody acted.

    Raises:
        BadProbabilities: chances that are none, or none of an action that was taken.
    """
    lengths, log = hands["public"]["log_length"], hands["public"]["log"]
    longest = int(lengths.max(initial=0))
    chances = np.zeros((len(hands), longest, NUM_ACTIONS))
    asked = [seat for seat, player in enumerate(players) if is_asked(player)]
    if not asked:
        return chances
    replayed = hands.copy()
    begin_each(replayed)
    for place in range(longest):
        rows = np.flatnonzero(lengths > place)
        entries = log[rows, place].astype(np.int64)
        for seat in asked:
            own = entries >> SEAT_PLACE == seat
            if own.any():
                told = _ask(players[seat], replayed, rows[own])
                _check_taken(players[seat], told, entries[own] & ACTION_MASK)
                chances[rows[own], place] = told
        play_each(replayed, rows, entries)
    return chances


def is_asked(player: Agent) -> bool:
    """Whether a player tells its chances, and they are not certain anyway."""
    return isinstance(player, OpenAgent) and not getattr(player, "is_certain", False)


def _ask(player: Agent, hands: NDArray[Any], rows: Ints) -> Floats:
    """The chances float64[K, 7] of the actions of a player that is to act in some hands."""
    assert isinstance(player, OpenAgent)
    views = np.zeros(len(rows), SEAT_VIEW)
    view_each(hands, rows, views)
    return told_probabilities(player, views)


def _check_taken(player: Agent, told: Floats, actions: Ints) -> None:
    """Refuse chances with which actions int64[K] cannot have been chosen."""
    never = told[np.arange(len(actions)), actions] == 0
    if never.any():
        action = Action(int(actions[np.argmax(never)]))
        raise BadProbabilities(
            f"The action_probabilities of the player {player.name!r} give no chance to "
            f"{action.name}, which it has taken: they must be the chances with which act chooses."
        )


@kernel
def begin_each(hands: NDArray[Any]) -> None:
    """Bring finished hands back to their first decision."""
    for row in range(len(hands)):
        begin(hands[row])


@kernel
def view_each(hands: NDArray[Any], rows: Ints, views: NDArray[Any]) -> None:
    """What the seats to act know -> SEAT_VIEW[K]."""
    for place in range(len(rows)):
        hand = hands[rows[place]]
        seat_view(hand, hand.public.actor, views[place])


@kernel
def play_each(hands: NDArray[Any], rows: Ints, entries: Ints) -> None:
    """Play logged actions, one in each of some hands."""
    for place in range(len(rows)):
        apply(hands[rows[place]], log_action(entries[place]))
