"""Hands in which every seat is a scripted player, played to their end in one compiled call.

These players draw nothing and remember nothing, so the order in which they are asked does not
matter: the hands come out as when all tables are played side by side, one decision at a time.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.players.scripted import ScriptedPlayer, Style, choose
from razz_env._jit import kernel
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch
from razz_env.rules.betting import legal_actions
from razz_env.rules.play import apply
from razz_env.rules.record import MAX_SEATS, SEAT_VIEW
from razz_env.rules.seat_view import seat_view
from razz_env.rules.terms import NUM_ACTIONS


def play_scripted(batch: TableBatch, players: Sequence[Agent], count: int) -> None:
    """Play the first hands of a batch as far as scripted players can play them by themselves.

    Nothing is played if anybody else sits at the tables. A hand in which an action is not legal
    stands before it, so that whoever asks that seat again learns who chose it.

    Args:
        batch: tables that wait for `deal` (`auto_deal=False`).
        players: by seat.
        count: of the hands.
    """
    styles = tuple(player.style for player in players if type(player) is ScriptedPlayer)
    if len(styles) < len(players):
        return
    by_seat = (styles * MAX_SEATS)[:MAX_SEATS]  # one type for all numbers of seats
    _play_each(batch.hands[:count], np.zeros(1, SEAT_VIEW), np.zeros(NUM_ACTIONS, np.int8), by_seat)
    batch.refresh()


@kernel
def _play_each(
    hands: NDArray[Any], views: NDArray[Any], mask: NDArray[np.int8], styles: tuple[Style, ...]
) -> None:
    """Play every hand on; `views` SEAT_VIEW[1] and `mask` int8[7] are room for what is seen."""
    view = views[0]
    for row in range(len(hands)):
        hand = hands[row]
        while not hand.public.over:
            seat = hand.public.actor
            seat_view(hand, seat, view)
            legal_actions(hand.public, mask)
            action = choose(view, styles[seat], mask)
            if not mask[action]:
                break
            apply(hand, action)
