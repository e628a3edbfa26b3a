"""Compiled replay: the moves of many hands played through the engine in one call.

A move is a row of int64[COLUMNS]. A replay writes into each row what the engine says of it, so the
same kernel checks a history, names its actions and fills in amounts that a file does not print.
"""

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.rules.action_log import log_action, log_seat
from razz_env.rules.betting import action_chips, aggressive_action, is_aggressive, legal_actions
from razz_env.rules.dealing import PLAN_TOO_SHORT
from razz_env.rules.play import apply, start
from razz_env.rules.record import Record

SEAT, STREET, ACTION, CHIPS, TO_CHIPS, ALL_IN = range(6)
COLUMNS = 6
UNKNOWN = -1
"""An amount that the file does not print."""

CHECK, CALL = 1, 2
START_FAILED = -1


@kernel
def play_hands(
    hands: NDArray[np.void],
    script: NDArray[np.int64],
    first: NDArray[np.int64],
    fitted: NDArray[np.int64],
    mask: NDArray[np.int8],
) -> None:
    """Play every hand's moves as far as they fit.

    Args:
        hands: HAND[N] with rules, seats, stacks and cards; nothing dealt. They are played.
        script: int64[M, COLUMNS], the moves of all hands one after the other; amounts may be
            UNKNOWN. Rows that fit get the engine's action and amounts.
        first: int64[N + 1], row of each hand's first move, and M.
        fitted: int64[N], written: how many moves fit; START_FAILED if the deal itself lacked cards.
        mask: int8[7], room to work in.
    """
    for index in range(len(hands)):
        start(hands[index])
        if hands[index].planned == PLAN_TOO_SHORT:
            fitted[index] = START_FAILED
            continue
        row = first[index]
        while row < first[index + 1] and _play_move(hands[index], script[row], mask):
            row += 1
        fitted[index] = row - first[index]


@kernel
def _play_move(hand: Record, move: NDArray[np.int64], mask: NDArray[np.int8]) -> bool:
    """Play one move if it fits, and write the engine's words and amounts for it."""
    public = hand.public
    seat = public.actor
    if public.over or seat != move[SEAT] or public.street != move[STREET]:
        return False
    legal_actions(public, mask)
    action = engine_action(public, move[ACTION], move[CHIPS], mask)
    if not mask[action]:
        return False
    chips = action_chips(public, seat, action)
    to_chips = public.street_chips[seat] + chips
    if move[CHIPS] not in (UNKNOWN, chips) or move[TO_CHIPS] not in (UNKNOWN, to_chips):
        return False
    move[ACTION] = action
    move[CHIPS] = chips
    move[TO_CHIPS] = to_chips
    move[ALL_IN] = 1 if 0 < chips == public.stack[seat] else 0
    apply(hand, action)
    return bool(hand.planned != PLAN_TOO_SHORT)


@kernel
def engine_action(public: Record, action: int, chips: int, mask: NDArray[np.int8]) -> int:
    """The engine's word for a file's action.

    Files call a completion a bet or a raise as they please, and PHH has one word for check and
    call.
    """
    if is_aggressive(action):
        return aggressive_action(public)
    if action in (CHECK, CALL) and chips == UNKNOWN:
        return CHECK if mask[CHECK] else CALL
    return action


@kernel
def retell_hands(
    hands: NDArray[np.void],
    logs: NDArray[np.int8],
    first: NDArray[np.int64],
    moves: NDArray[np.int64],
) -> None:
    """Play every hand again by its log, int8[N, LOG_SIZE], and write its moves.

    Rows first[i] to first[i + 1] of `moves`, int64[M, COLUMNS], get the moves of hand i.
    """
    for index in range(len(hands)):
        start(hands[index])
        for row in range(first[index], first[index + 1]):
            _retell_move(hands[index], logs[index, row - first[index]], moves[row])


@kernel
def _retell_move(hand: Record, entry: int, move: NDArray[np.int64]) -> None:
    seat, action = log_seat(entry), log_action(entry)
    public = hand.public
    chips = action_chips(public, seat, action)
    move[SEAT] = seat
    move[STREET] = public.street
    move[ACTION] = action
    move[CHIPS] = chips
    move[TO_CHIPS] = public.street_chips[seat] + chips
    move[ALL_IN] = 1 if 0 < chips == public.stack[seat] else 0
    apply(hand, action)
