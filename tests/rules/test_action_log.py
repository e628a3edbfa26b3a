"""The action log: what its entries say, and that a saved one keeps saying it."""

from __future__ import annotations

import numpy as np

from razz_env import Action
from razz_env.rules.action_log import log_action, log_entry, log_seat, logged_actions
from razz_env.rules.record import MAX_SEATS

from ..support.tables import ladder_hand, play

THIRD = "S3 BRING_IN, S1 COMPLETE, S2 CALL, S3 FOLD"
FOURTH = "S1 CHECK, S2 BET, S1 RAISE, S2 CALL"


def test_an_entry_gives_back_its_seat_and_action() -> None:
    for seat in range(MAX_SEATS):
        for action in Action:
            entry = log_entry(seat, int(action))
            assert np.int8(entry) == entry
            assert (log_seat(entry), log_action(entry)) == (seat, action)


def test_saved_hands_hold_seat_times_eight_plus_action() -> None:
    public = play(ladder_hand(3), THIRD).record.public
    assert public.log[: public.log_length].tolist() == [2 * 8 + 3, 0 * 8 + 4, 1 * 8 + 2, 2 * 8 + 0]


def test_the_logged_actions_are_those_played_in_order() -> None:
    public = play(play(ladder_hand(3), THIRD), FOURTH).record.public
    told = [f"S{seat + 1} {action.name}" for seat, action in logged_actions(public)]
    assert told == f"{THIRD}, {FOURTH}".split(", ")
    assert logged_actions(public, 4) == logged_actions(public)[4:]
