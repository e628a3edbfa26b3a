"""How players play: what they do on every street, counted in whole numbers from finished hands."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.rules.action_log import log_action, log_seat
from razz_env.rules.betting import BET, BRING_IN, CHECK, COMPLETE, FOLD, RAISE, count_live
from razz_env.rules.record import Record
from razz_env.rules.showdown import returned_chips
from razz_env.rules.terms import NUM_ACTIONS

Counts = NDArray[np.int64]

STREETS = 5
FACED = NUM_ACTIONS
"""Columns 0 to 6 count the actions; this one decisions after a completion, bet or raise, ..."""
FACED_FOLD = NUM_ACTIONS + 1
"""... this one the folds among them, ..."""
SEEN = NUM_ACTIONS + 2
"""... this one hands in which the player got a card of the street, ..."""
PLAYED = NUM_ACTIONS + 3
"""... this one hands in which it put chips in by choice on the street, ..."""
SHOWDOWN = NUM_ACTIONS + 4
"""... this one hands that saw the street and came to a showdown with the player in, ..."""
PLAYED_DOWN = NUM_ACTIONS + 5
"""... this one those of them in which it put chips in by choice on the street, ..."""
WON = NUM_ACTIONS + 6
"""... and this one those of these in which it took chips from a pot."""
COLUMNS = NUM_ACTIONS + 7


def no_counts(players: int) -> Counts:
    """int64[players, 5, 14], zeros."""
    return np.zeros((players, STREETS, COLUMNS), np.int64)


def count_style(hands: NDArray[Any], members: Counts, counts: Counts) -> None:
    """Add finished hands to the counts.

    Args:
        hands: HAND[K], all of them over.
        members: int64[n], which player of the line-up sits in each seat.
        counts: int64[players, 5, 14], added to.
    """
    _count_hands(hands["public"], members, counts)


def count_styles(
    hands: NDArray[Any], rows: NDArray[np.int64], members: NDArray[np.int64], counts: Counts
) -> None:
    """Add finished hands, each with its own line-up, to the counts.

    Args:
        hands: HAND[N].
        rows: int64[K], places of hands that are over.
        members: int64[K, n], which player sits in each seat of each of them.
        counts: int64[players, 5, 14], added to.
    """
    _count_rows(hands["public"], rows, members, counts)


@kernel
def _count_rows(
    publics: NDArray[Any], rows: NDArray[np.int64], members: NDArray[np.int64], counts: Counts
) -> None:
    for place in range(len(rows)):
        _count_hand(publics[rows[place]], members[place], counts)


@kernel
def _count_hands(publics: NDArray[Any], members: Counts, counts: Counts) -> None:
    for row in range(len(publics)):
        _count_hand(publics[row], members, counts)


@kernel
def _count_hand(public: Record, members: Counts, counts: Counts) -> None:
    """Walk through the log, street by street; streets dealt after an all-in have no actions."""
    live = (1 << public.num_seats) - 1
    for street in range(STREETS):
        if public.street_start[street] >= 0:
            for seat in range(public.num_seats):
                counts[members[seat], street, SEEN] += (live >> seat) & 1
            live, played = _count_actions(public, street, live, members, counts)
            if count_live(public) > 1:
                _count_showdown(public, street, played, members, counts)


@kernel
def _count_actions(
    public: Record, street: int, live: int, members: Counts, counts: Counts
) -> tuple[int, int]:
    """Count a street's actions; who is still in after it, and who played on it, a bit a seat."""
    aggressive, played = 0, 0
    for place in range(public.street_start[street], _street_end(public, street)):
        seat, action = log_seat(public.log[place]), log_action(public.log[place])
        member = members[seat]
        counts[member, street, action] += 1
        counts[member, street, FACED] += aggressive
        if action == FOLD:
            counts[member, street, FACED_FOLD] += aggressive
            live &= ~(1 << seat)
        elif action not in (CHECK, BRING_IN) and not (played >> seat) & 1:
            played |= 1 << seat
            counts[member, street, PLAYED] += 1
        if action in (COMPLETE, BET, RAISE):
            aggressive = 1
    return live, played


@kernel
def _street_end(public: Record, street: int) -> int:
    """Where the log of a street ends."""
    for later in range(street + 1, STREETS):
        if public.street_start[later] >= 0:
            return int(public.street_start[later])
    return int(public.log_length)


@kernel
def _count_showdown(
    public: Record, street: int, played: int, members: Counts, counts: Counts
) -> None:
    """Who came to the showdown, and who was paid there of those who played on the street."""
    for seat in range(public.num_seats):
        if public.live[seat]:
            counts[members[seat], street, SHOWDOWN] += 1
            if (played >> seat) & 1:
                paid = public.stack[seat] - public.starting_stack[seat] + public.total_chips[seat]
                counts[members[seat], street, PLAYED_DOWN] += 1
                counts[members[seat], street, WON] += paid > returned_chips(public, seat)


def shares(counts: Counts) -> dict[str, list[float | None]]:
    """The figures that a player is known by, each for third to seventh street; None where 0 / 0.

    play: of the hands that saw the street, those with chips put in by choice there. complete and
    raise: of the decisions, completions or bets, and raises. fold_to_raise: of the decisions after
    a completion, bet or raise, folds. showdown: of the hands that saw the street, those shown
    down. won_at_showdown: of the hands shown down that it played on the street, those that paid it.

    Args:
        counts: int64[5, 14], of one player.
    """
    decisions = counts[:, :NUM_ACTIONS].sum(axis=1)
    opened = counts[:, COMPLETE] + counts[:, BET]
    pairs = {
        "play": (counts[:, PLAYED], counts[:, SEEN]),
        "complete": (opened, decisions),
        "raise": (counts[:, RAISE], decisions),
        "fold_to_raise": (counts[:, FACED_FOLD], counts[:, FACED]),
        "showdown": (counts[:, SHOWDOWN], counts[:, SEEN]),
        "won_at_showdown": (counts[:, WON], counts[:, PLAYED_DOWN]),
    }
    return {name: _ratios(part, whole) for name, (part, whole) in pairs.items()}


def _ratios(parts: Counts, wholes: Counts) -> list[float | None]:
    return [
        part / whole if whole else None
        for part, whole in zip(parts.tolist(), wholes.tolist(), strict=True)
    ]
