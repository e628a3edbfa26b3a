"""The share of the pot with all cards dealt out, if any hole cards are as likely as others.

As in `agents.players.holdings` a hand's final low is one of 1,352 classes, and what comes to one
seat does not block another. But nobody's actions are weighed here, so nothing depends on pairs of
hole cards, and the sets of ranks that make a low are enough. They are gone through from the ace up:
at every rank first those with it, then those without. The fifth rank settles a low, and the cards
that are left may be any. That takes a fifth to a half of the time.
"""

from functools import cache
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.players.holdings import COPIES, tables
from agents.players.low_chances import unknown_cards
from agents.players.reading import (
    board_ranks,
    live_of_rank,
    low_size,
    own_ranks,
    seen_cards,
    streets_to_come,
)
from razz_env._jit import inlined, kernel
from razz_env.rules.cards import NUM_RANKS
from razz_env.rules.record import Record

CARDS = NUM_RANKS * COPIES
MOST_UNKNOWN = 6
"""Cards of a rival that are not seen on third street: two in the hole and four to come."""
WIDTH = COPIES + MOST_UNKNOWN + 1
"""Cards drawn, 0 to 6, behind as many zeros as a rank has cards: less than none in no way."""

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


class Desk(NamedTuple):
    """What is looked up, and room for one showdown after the other.

    The lines of `drawn`, `open`, `sets` and `sizes` stand for ranks: what is known when a rank is
    come to, with the ranks below decided.

    Attributes:
        classes: `holdings.Tables.classes`.
        copies: float64[5, 5], ways to draw so many copies of a rank, by its live cards.
        rest: float64[7, 53, 7], ways to fill up so many unknown cards from so many live ones, by
            how many have been drawn.
        live: int64[14], by rank: cards that are not seen.
        above: int64[14], by rank: cards that are not seen, of this rank and all higher ones.
        drawn: float64[14, WIDTH], whole numbers: ways to draw so many cards of the ranks below.
        open: bool[14], whether the lows without this rank are still to be gone through.
        sets: int64[14], set of the ranks below that the hand has.
        sizes: int64[14], how many they are.
        own: int64[classes], in how many ways the own hand ends with each low.
        rival: int64[classes], the same for a rival's.
        beaten: float64[classes], for each low the chance of each way to it times the chance
            that all rivals so far end with a worse one, where a tie counts half.
    """

    classes: NDArray[np.int16]
    copies: Floats
    rest: Floats
    live: Ints
    above: Ints
    drawn: Floats
    open: NDArray[np.bool_]
    sets: Ints
    sizes: Ints
    own: Ints
    rival: Ints
    beaten: Floats


@cache
def _copies() -> Floats:
    return np.array(
        [[comb(live, taken) for taken in range(COPIES + 1)] for live in range(COPIES + 1)],
        np.float64,
    )


@cache
def _rest() -> Floats:
    counts = range(MOST_UNKNOWN + 1)
    table = [
        [
            [comb(cards, unknown - drawn) if drawn <= unknown else 0 for drawn in counts]
            for cards in range(CARDS + 1)
        ]
        for unknown in counts
    ]
    return np.array(table, np.float64)


@cache
def _num_classes() -> int:
    return int(tables().classes.max()) + 1


def desk() -> Desk:
    """A desk of one's own; two threads must not share one."""
    count, ranks = _num_classes(), NUM_RANKS + 1
    return Desk(
        classes=tables().classes,
        copies=_copies(),
        rest=_rest(),
        live=np.zeros(ranks, np.int64),
        above=np.zeros(ranks, np.int64),
        drawn=np.zeros((ranks, WIDTH)),
        open=np.zeros(ranks, np.bool_),
        sets=np.zeros(ranks, np.int64),
        sizes=np.zeros(ranks, np.int64),
        own=np.zeros(count, np.int64),
        rival=np.zeros(count, np.int64),
        beaten=np.zeros(count),
    )


@kernel
def showdown_share(view: Record, rivals: int, room: Desk) -> float:
    """The own share of the pot against a set of seats, any hole cards as likely as others.

    The same as `holdings.equity_of` with a reading that weighs nothing.

    Args:
        view: of the seat that asks.
        rivals: the set of seats, as from `live_rivals`.
        room: a `desk()`, to work in.
    """
    public, size = view.public, low_size(view.public.rules)
    lay_out_live(view, room)
    total, worst = fill_lows(room.own, own_ranks(view), streets_to_come(public), size, room)
    room.beaten[: worst + 1] = 1.0 / total
    for seat in range(public.num_seats):
        if rivals >> seat & 1:
            board, unknown = board_ranks(public, seat), unknown_cards(public)
            ways, _ = fill_lows(room.rival, board, unknown, size, room)
            worse, half = ways, 0.5 / ways
            for low in range(worst + 1):
                not_worse = worse - room.rival[low]
                room.beaten[low] *= (worse + not_worse) * half
                worse = not_worse
    share = 0.0
    for low in range(worst + 1):
        share += room.own[low] * room.beaten[low]
    return share


@kernel
def lay_out_live(view: Record, room: Desk) -> None:
    """How many cards this seat has not seen, by rank and from each rank up."""
    rules, seen = view.public.rules, seen_cards(view)
    room.live[NUM_RANKS] = room.above[NUM_RANKS] = 0
    for rank in range(NUM_RANKS - 1, -1, -1):
        room.live[rank] = live_of_rank(rules, seen, rank)
        room.above[rank] = room.above[rank + 1] + room.live[rank]


@kernel
def fill_lows(lows: Ints, known: int, unknown: int, size: int, room: Desk) -> tuple[int, int]:
    """In how many ways a hand ends with each low.

    Args:
        lows: int64[classes], to be filled.
        known: set of its ranks that are known.
        unknown: cards that are not.
        size: cards in a low.
        room: with the live cards laid out.

    Returns:
        All ways together, and the worst class that there is a way to.
    """
    lows[:] = 0
    room.drawn[0, :] = 0.0
    room.drawn[0, COPIES] = 1.0
    room.sets[0] = room.sizes[0] = 0
    total, worst, rank, is_new = 0, 0, 0, True
    while rank >= 0:
        if not is_new:
            is_new = skip_rank(rank, room)
            rank += 1 if is_new else -1
        elif room.sizes[rank] == size or rank == NUM_RANKS:
            low, ways = int(room.classes[size, room.sets[rank]]), ways_to_end(rank, unknown, room)
            lows[low] += ways
            total += ways
            worst = max(worst, low if ways > 0 else 0)
            rank, is_new = rank - 1, False
        else:
            take_rank(rank, unknown, known >> rank & 1, room)
            rank += 1
    if total == 0:  # the deck has run out
        worst = len(lows) - 1
        lows[worst] = total = 1
    return total, worst


@inlined
def take_rank(rank: int, unknown: int, is_held: int, room: Desk) -> None:
    """Go on to the lows with this rank, or to those without if it cannot come."""
    before, after = room.drawn[rank], room.drawn[rank + 1]
    ways, held, any_way = room.copies[room.live[rank]], float(is_held), 0.0
    for place in range(COPIES, WIDTH):
        after[place] = (
            before[place] * held
            + before[place - 1] * ways[1]
            + before[place - 2] * ways[2]
            + before[place - 3] * ways[3]
            + before[place - 4] * ways[4]
        )
    for place in range(COPIES, COPIES + unknown + 1):
        any_way += after[place]
    if any_way > 0.0:
        room.open[rank] = not is_held
        room.sets[rank + 1] = room.sets[rank] | 1 << rank
        room.sizes[rank + 1] = room.sizes[rank] + 1
    else:
        leave_rank(rank, room)


@inlined
def skip_rank(rank: int, room: Desk) -> bool:
    """Go on to the lows without this rank, if they are still to be gone through."""
    if room.open[rank]:
        leave_rank(rank, room)
        return True
    return False


@inlined
def leave_rank(rank: int, room: Desk) -> None:
    """What is drawn and held behind a rank that the hand does not have."""
    room.open[rank] = False
    for place in range(COPIES, WIDTH):
        room.drawn[rank + 1, place] = room.drawn[rank, place]
    room.sets[rank + 1], room.sizes[rank + 1] = room.sets[rank], room.sizes[rank]


@inlined
def ways_to_end(rank: int, unknown: int, room: Desk) -> int:
    """In how many ways the low is the one with the ranks so far, all others as they come."""
    drawn, rest = room.drawn[rank], room.rest[unknown, room.above[rank]]
    ways = 0.0
    for cards in range(MOST_UNKNOWN + 1):
        ways += drawn[COPIES + cards] * rest[cards]
    return int(ways)
