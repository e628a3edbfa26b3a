"""The compiled loops over many tables: deal, show what the seat to act sees, play one action.

Rows are places in the arrays of `Tables`. Every row is independent of the others, so threads may
share the rows of a call among them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import inlined, kernel, prefetch
from razz_env.observation.encoding import encode_seat
from razz_env.observation.scale import Scale, scale_of
from razz_env.rules.betting import legal_actions
from razz_env.rules.play import apply, start_shuffled
from razz_env.rules.record import Record
from razz_env.rules.seat_view import seat_view
from razz_env.rules.terms import NUM_ACTIONS

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Masks = NDArray[np.int8]
Flags = NDArray[np.bool_]

OUT_OF_RANGE, TWICE = 1, 2
_AHEAD = 2  # rows; how far ahead of the one in play records are fetched


class Tables(NamedTuple):
    """The arrays that a step works on, handed to the kernels as one.

    Attributes:
        hands: HAND[N].
        actors, stale, observations, masks: what is shown of each table; see `TableBatch`.
        offsets, seats: layout of the observations.
    """

    hands: NDArray[Any]
    actors: NDArray[np.int8]
    stale: Flags
    observations: Floats
    masks: Masks
    offsets: Ints
    seats: int


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same memory, into which nothing can be written by this name."""
    seen = array.view()
    seen.flags.writeable = False
    return seen


@kernel
def find_bad_row(rows: Ints, called: Ints, call: int) -> int:
    """OUT_OF_RANGE or TWICE if a row is so, else 0.

    `called` int64[N] holds the number of the last call that named a row; this one is `call`.
    """
    for row in rows:
        if row < 0 or row >= len(called):
            return OUT_OF_RANGE
        if called[row] == call:
            return TWICE
        called[row] = call
    return 0


@kernel
def find_illegal(masks: Masks, rows: Ints, actions: Ints) -> int:
    """Place of the first action that its table's mask does not allow, -1 if there is none."""
    for place in range(len(rows)):
        action = actions[place]
        if action < 0 or action >= NUM_ACTIONS or masks[rows[place], action] != 1:
            return place
    return -1


@inlined
def show(tables: Tables, row: int, scale: Scale) -> None:
    """Write what the seat to act of a table sees; of the first seat where the hand is over."""
    hand = tables.hands[row]
    actor = hand.public.actor
    tables.actors[row] = actor
    tables.stale[row] = True
    legal_actions(hand.public, tables.masks[row])
    if tables.observations.shape[1] > 0:
        seat, out = max(actor, 0), tables.observations[row]
        down, layout = hand.down[seat], (tables.offsets, tables.seats)
        encode_seat(hand.public, down, seat, scale, *layout, out)


@inlined
def deal_next(hand: Record) -> None:
    """The next hand of this table."""
    hand.index += 1
    start_shuffled(hand)


@kernel
def refresh_views(hands: Record, stale: Flags, views: Record) -> None:
    """Bring the views of the seats to act up to date, where they are stale."""
    for row in range(len(views)):
        if stale[row]:
            seat_view(hands[row], max(hands[row].public.actor, 0), views[row])
            stale[row] = False


@kernel
def show_rows(tables: Tables, rows: Ints) -> None:
    """`show` for some rows."""
    for row in rows:
        show(tables, row, scale_of(tables.hands[row].public))


@kernel
def deal_rows(tables: Tables, rows: Ints) -> None:
    """Deal the hands whose seed, table and index stand in the records."""
    for row in rows:
        start_shuffled(tables.hands[row])
        show(tables, row, scale_of(tables.hands[row].public))


@kernel
def step_rows(
    tables: Tables, rows: Ints, actions: Ints, rewards: Floats, dones: Flags, auto_deal: bool
) -> None:
    """Play one legal action on every row; rewards [row, seat] and dones are zero before."""
    for place in range(len(rows)):
        hand = tables.hands[rows[place]]
        if place + _AHEAD < len(rows):
            prefetch(tables.hands[rows[place + _AHEAD]])
        apply(hand, actions[place])
        if hand.public.over:
            _pay(hand, rewards[place])
            dones[place] = True
            if auto_deal:
                deal_next(hand)
        show(tables, rows[place], scale_of(hand.public))


@kernel
def _pay(hand: Record, rewards: Floats) -> None:
    """Net big bets of every seat of a hand that is over."""
    public = hand.public
    for seat in range(public.num_seats):
        rewards[seat] = (public.stack[seat] - public.starting_stack[seat]) / public.rules.big_bet
