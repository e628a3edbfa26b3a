"""Every starting hand before boards drawn at random, as the seat to act sees it."""

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.equity import PAIRS
from razz_env.rules.betting import BRING_IN, COMPLETE, FOLD
from razz_env.rules.cards import DECK_SIZE, RANKS
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.play import apply, start
from razz_env.rules.record import SEAT_VIEW, Record
from razz_env.rules.seat_view import seat_view
from razz_env.rules.setup import StacksLike, blank_hands, check_table

Facing = Literal["nothing", "completion"]
Ints: TypeAlias = NDArray[np.int64]

MOST_HANDS = 20_000
"""Hands that are dealt at once."""


def random_views(
    rules: HouseRules,
    stacks: StacksLike,
    players: int,
    facing: Facing,
    boards: int,
    rng: np.random.Generator,
) -> tuple[Ints, NDArray[Any]]:
    """Views of the seat with each starting hand when it is to act, and which hand that is.

    The other cards are drawn at random, again and again until the own door need not bring in.
    "nothing": all seats between the bring-in and the own one have folded. "completion": the first
    of them has completed, so that there must be one; heads-up the bring-in itself has completed.
    The own seat is drawn too.

    Args:
        rules: of the full game.
        stacks: chips of every seat, or one number for each seat.
        players: 2 to 8.
        facing: "nothing" or "completion".
        boards: random boards for each of the 91 x 13 starting hands.
        rng: of cards and seats.

    Returns:
        int64[K], number of the pair * 13 + door rank, and SEAT_VIEW[K].

    Raises:
        ValueError: numbers out of range, or stacks with which the seat has no decision.
    """
    if boards < 1:
        raise ValueError(f"boards={boards} must be at least 1.")
    check_table(players, rules, stacks)
    cells = np.repeat(np.arange(len(PAIRS) * len(RANKS)), boards)
    parts = [
        _views(cells[first : first + MOST_HANDS], rules, stacks, players, facing, rng)
        for first in range(0, len(cells), MOST_HANDS)
    ]
    return cells, np.concatenate(parts)


def _views(
    cells: Ints,
    rules: HouseRules,
    stacks: StacksLike,
    players: int,
    facing: Facing,
    rng: np.random.Generator,
) -> NDArray[Any]:
    seats = rng.integers(0, players, len(cells))
    hands = blank_hands(len(cells), players, rules, stacks)
    hands["deck"] = _decks(cells, seats, players, facing, rng)
    views = np.zeros(len(cells), SEAT_VIEW)
    bad = _play_each(hands, seats, facing == "completion", views)
    if bad >= 0:
        raise ValueError(
            f"With the stacks {stacks} the seat {seats[bad]} has no decision on some boards: use "
            "more chips."
        )
    return views


def _decks(
    cells: Ints, seats: Ints, players: int, facing: Facing, rng: np.random.Generator
) -> NDArray[np.int8]:
    """Decks int8[K, 52] in dealing order in which another seat brings in."""
    decks = np.empty((len(cells), DECK_SIZE), np.int8)
    left = np.arange(len(cells))
    while len(left):
        drawn = _shuffled(cells[left], seats[left], rng)
        decks[left] = drawn
        left = left[~_fits(drawn, seats[left], players, facing)]
    return decks


def _shuffled(cells: Ints, seats: Ints, rng: np.random.Generator) -> NDArray[np.int8]:
    """Random decks that deal the starting hands to their seats: down, down, up, seat by seat.

    The own three cards get different suits, which decide nothing but equal doors.
    """
    pairs = np.array(PAIRS)[cells // len(RANKS)]
    ranks = np.column_stack([pairs, cells % len(RANKS)])
    suits = np.argsort(rng.random((len(cells), 4)), axis=1)[:, :3]
    own = 4 * ranks + suits
    rows = np.arange(len(cells))
    keys = rng.random((len(cells), DECK_SIZE))
    keys[rows[:, np.newaxis], own] = 2.0
    decks = np.argsort(keys, axis=1)  # the own cards are the last three
    for place in range(3):
        at = 3 * seats + place
        decks[rows, DECK_SIZE - 3 + place] = decks[rows, at]
        decks[rows, at] = own[:, place]
    return decks.astype(np.int8)


def _fits(decks: NDArray[np.int8], seats: Ints, players: int, facing: Facing) -> NDArray[np.bool_]:
    """Whether another seat has the highest door, and somebody sits there to complete."""
    doors = decks[:, 2 : 3 * players : 3]
    behind = (seats - np.argmax(doors, axis=1)) % players
    nearest = 2 if facing == "completion" and players > 2 else 1
    fits: NDArray[np.bool_] = behind >= nearest
    return fits


@kernel
def _play_each(hands: NDArray[Any], seats: Ints, completion: bool, views: NDArray[Any]) -> int:
    """Play every hand up to the seat's turn; the first hand in which it has none, or -1."""
    for row in range(len(hands)):
        start(hands[row])
        if not _play_up_to(hands[row], seats[row], completion):
            return row
        seat_view(hands[row], seats[row], views[row])
    return -1


@kernel
def _play_up_to(hand: Record, seat: int, completion: bool) -> bool:
    """Bring in and fold up to the seat's turn; with a completion by the first who may."""
    public = hand.public
    completes = completion
    while not public.over and public.actor != seat:
        if completes and (public.num_seats == 2 or not public.must_open):
            action, completes = COMPLETE, False
        else:
            action = BRING_IN if public.must_open else FOLD
        apply(hand, action)
    return not public.over
