"""What the others may hold, and the equity against it: exact over the 91 pairs of ranks.

The unseen down cards of a seat are a pair of ranks (one rank in Kuhn, RULES 10). Each pair comes in
as many ways as the unseen cards allow, times the weight that the seat's actions give it: `Reading`
says how likely each action is with a hand that is so many low cards short.

Suits do not matter, so the hole cards and the cards to come are one multiset of ranks, as in
`razz_env.equity`, and a multiset is weighed by all the pairs in it that may be the hole cards: on
third street 18,395 multisets stand for 91 pairs and four cards each. Two simplifications let one
decision take a tenth of a millisecond: what comes to one seat does not block another seat, and
lows with a pair are told apart by their number of ranks and their lowest rank only.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.players.low_chances import EIGHT, unknown_cards
from agents.players.reading import (
    add_rank,
    board_ranks,
    count_actions,
    count_up_to,
    live_of_rank,
    low_size,
    own_ranks,
    seen_cards,
    streets_to_come,
)
from razz_env._jit import kernel
from razz_env.rules.betting import THIRD
from razz_env.rules.cards import NUM_RANKS
from razz_env.rules.lowball import PLAYED_CARDS
from razz_env.rules.record import UP_CARDS, Record

COPIES = 4
MOST_LISTED = 5
SLOTS = COPIES + 1
MOST_SHORT = 3

Floats = NDArray[np.float64]
Likelihood: TypeAlias = tuple[float, float, float, float]
"""How likely an action is with a hand that lacks 0, 1, 2, 3 or more low cards."""


class Reading(NamedTuple):
    """How likely the actions of others are; only the ratios within a row matter.

    A hand lacks as many cards as it has too few different ranks up to the eight: none of the three
    of third street and the five from fifth on is missing in a good hand.

    Attributes:
        enter: calls on third street.
        complete: completes or raises on third street.
        check: checks on a later street.
        call: calls on a later street.
        bet: bets or raises on a later street.
    """

    enter: Likelihood
    complete: Likelihood
    check: Likelihood
    call: Likelihood
    bet: Likelihood


class Tables(NamedTuple):
    """What is looked up, the same for every decision.

    Attributes:
        classes: int16[6, 8192], by cards in a low and set of ranks: class of the best low.
        slots: int8[M, 5], multisets of 0 to 5 ranks in lexicographic order: for each card rank * 5
            + copy, 0 for the first copy of a rank.
        changed: int8[M], first place that differs from the multiset before.
        starts: int64[7], first multiset of each size.
    """

    classes: NDArray[np.int16]
    slots: NDArray[np.int8]
    changed: NDArray[np.int8]
    starts: NDArray[np.int64]


class Scratch(NamedTuple):
    """Where a decision is worked out; the last four hold what the first cards of a multiset make.

    Attributes:
        step: float64[65], by slot: ways to take this copy after those before; a fifth has none.
        weights: float64[13, 13], symmetric, by ranks of the two hole cards.
        own: float64[classes], chances of the own final low.
        rival: float64[classes], chances of a rival's.
        beaten: float64[classes], chance that the rivals so far end with a worse low than this.
        ranks: int64[6], set of their ranks, with those known.
        ways: float64[6], in how many ways they come.
        factor: float64[6], total weight of the hole cards that are among them.
        added: float64[6, 13], what one more card of each rank adds to that.
    """

    step: Floats
    weights: Floats
    own: Floats
    rival: Floats
    beaten: Floats
    ranks: NDArray[np.int64]
    ways: Floats
    factor: Floats
    added: Floats


@cache
def tables() -> Tables:
    """The tables, made once in a process."""
    parts = [_multisets(size) for size in range(MOST_LISTED + 1)]
    slots, changed = (np.concatenate(columns) for columns in zip(*parts))
    starts = np.cumsum([0, *(len(part[0]) for part in parts)])
    classes = np.stack([_classes(size) for size in range(PLAYED_CARDS + 1)])
    return Tables(classes, slots, changed, starts)


def _multisets(size: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """All multisets of so many ranks, at most four of each: slots and first changes."""
    ranks = np.array([*combinations_with_replacement(range(NUM_RANKS), size)], np.int8)
    copies = np.zeros_like(ranks)
    for place in range(1, size):
        same = ranks[:, place] == ranks[:, place - 1]
        copies[:, place] = np.where(same, copies[:, place - 1] + 1, 0)
    slots = (ranks * np.int8(SLOTS) + copies)[(copies < COPIES).all(axis=1)]
    changed, wide = np.zeros(len(slots), np.int8), np.zeros((len(slots), MOST_LISTED), np.int8)
    changed[1:] = (slots[1:] != slots[:-1]).argmax(axis=1) if size else 0
    wide[:, :size] = slots
    return wide, changed


def _as_set(ranks: Iterable[int]) -> int:
    return sum(1 << rank for rank in ranks)


def _classes(size: int) -> NDArray[np.int16]:
    """For every set of ranks the class of its best low of `size` cards, best first."""
    lows = [tuple(reversed(low)) for low in combinations(range(NUM_RANKS), size)]
    order = {_as_set(low): place for place, low in enumerate(sorted(lows))}
    classes = np.zeros(1 << NUM_RANKS, np.int16)
    for ranks in range(1 << NUM_RANKS):
        held = [rank for rank in range(NUM_RANKS) if ranks >> rank & 1]
        if len(held) >= size:
            classes[ranks] = order[_as_set(held[:size])]
        else:
            lacking = size - len(held)
            lowest = held[0] if held else 0
            classes[ranks] = len(order) + (lacking - 1) * NUM_RANKS + lowest
    return classes


def scratch() -> Scratch:
    """Room for decisions, one after the other."""
    classes, places = int(tables().classes.max()) + 1, MOST_LISTED + 1
    return Scratch(
        step=np.zeros(NUM_RANKS * SLOTS),
        weights=np.zeros((NUM_RANKS, NUM_RANKS)),
        own=np.zeros(classes),
        rival=np.zeros(classes),
        beaten=np.zeros(classes),
        ranks=np.zeros(places, np.int64),
        ways=np.zeros(places),
        factor=np.zeros(places),
        added=np.zeros((places, NUM_RANKS)),
    )


@kernel
def equity_of(view: Record, rivals: int, reading: Reading, known: Tables, room: Scratch) -> float:
    """The own share of the pot against a set of seats if all cards are dealt out.

    Args:
        view: of the seat that asks.
        rivals: the set of seats, as from `live_rivals`; their actions weigh what they hold.
        reading: how likely actions are.
        known: `tables()`.
        room: `scratch()`, to work in.
    """
    public = view.public
    fill_steps(view, room)
    fill_own(view, known, room)
    room.beaten[:] = 1.0
    for seat in range(public.num_seats):
        if rivals >> seat & 1:
            fill_rival(public, seat, reading, known, room)
            beat_rival(room)
    share = 0.0
    for place in range(len(room.own)):
        share += room.own[place] * room.beaten[place]
    return share


@kernel
def fill_steps(view: Record, room: Scratch) -> None:
    """The ways to take the cards that this seat has not seen, into `room.step`."""
    rules, seen = view.public.rules, seen_cards(view)
    for rank in range(NUM_RANKS):
        live = live_of_rank(rules, seen, rank)
        for copy in range(SLOTS):
            room.step[rank * SLOTS + copy] = max(live - copy, 0) / (copy + 1.0)


@kernel
def fill_own(view: Record, known: Tables, room: Scratch) -> None:
    """Chances of the own final low, into `room.own`."""
    to_come, size = streets_to_come(view.public), low_size(view.public.rules)
    room.ranks[0], room.factor[0] = own_ranks(view), 1.0
    room.added[0, :] = 0.0
    room.weights[:] = 0.0
    add_lows(room.own, to_come, size, known, room)


@kernel
def fill_rival(public: Record, seat: int, reading: Reading, known: Tables, room: Scratch) -> None:
    """Chances of the low that a rival ends with, over all its hole cards, into `room.rival`."""
    room.ranks[0], room.factor[0] = board_ranks(public, seat), 0.0
    fill_weights(public, seat, reading, room)
    add_lows(room.rival, unknown_cards(public), low_size(public.rules), known, room)


@kernel
def add_lows(chances: Floats, unknown: int, size: int, known: Tables, room: Scratch) -> None:
    """Chances of the lows that a hand with so many unknown cards ends with.

    `room.ranks[0]` holds the known ranks and `room.factor[0]` the weight of no unknown card. All
    multisets of all unknown cards but one are gone through, each with the cards that may be last.
    """
    chances[:] = 0.0
    room.ways[0] = 1.0
    if unknown == 0:
        chances[known.classes[size, room.ranks[0]]] = 1.0
        return
    others = unknown - 1
    for row in range(known.starts[others], known.starts[others + 1]):
        for place in range(known.changed[row], others):
            take(known.slots[row, place], place, room)
        after = known.slots[row, others - 1] + 1 if others > 0 else 0
        take_last(chances, others, after, known.classes[size], room)
    scale_to_one(chances)


@kernel
def take(slot: int, place: int, room: Scratch) -> None:
    """Add the card at a place of a multiset to what the cards before it make."""
    rank = slot // SLOTS
    room.ranks[place + 1] = room.ranks[place] | 1 << rank
    room.ways[place + 1] = room.ways[place] * room.step[slot]
    room.factor[place + 1] = room.factor[place] + room.added[place, rank]
    before, after, weights = room.added[place], room.added[place + 1], room.weights[rank]
    for other in range(NUM_RANKS):
        after[other] = before[other] + weights[other]


@kernel
def take_last(
    chances: Floats, place: int, after: int, classes: NDArray[np.int16], room: Scratch
) -> None:
    """Add the lows with each last card: another of the rank of slot `after`, or a higher one."""
    ranks, ways, factor = room.ranks[place], room.ways[place], room.factor[place]
    added, slot = room.added[place], after
    for rank in range(after // SLOTS, NUM_RANKS):
        weight = ways * room.step[slot] * (factor + added[rank])
        chances[classes[ranks | 1 << rank]] += weight
        slot = (rank + 1) * SLOTS


@kernel
def scale_to_one(chances: Floats) -> None:
    """Divide by the sum; where there is none, because the deck has run out, all is the worst."""
    total = 0.0
    for place in range(len(chances)):
        total += chances[place]
    if total == 0.0:
        chances[-1] = total = 1.0
    for place in range(len(chances)):
        chances[place] /= total


@kernel
def fill_weights(public: Record, seat: int, reading: Reading, room: Scratch) -> None:
    """How likely the actions of a seat are with each pair of hole cards, into `room.weights`.

    A single hole card (RULES 10) has its weight in `room.added[0]`, for the first card there is.
    """
    room.added[0, :] = 0.0
    room.weights[:] = 0.0
    for low in range(NUM_RANKS):
        if public.rules.third_street == 1:
            room.added[0, low] = weight_of(public, seat, 1 << low, reading)
            continue
        for high in range(low, NUM_RANKS):
            weight = weight_of(public, seat, 1 << low | 1 << high, reading)
            room.weights[low, high] = room.weights[high, low] = weight


@kernel
def weight_of(public: Record, seat: int, hole: int, reading: Reading) -> float:
    """How likely the actions of a seat so far are if these are its hole cards."""
    ranks, weight = hole, 1.0
    for street in range(public.street - THIRD + 1):
        if street < UP_CARDS:
            ranks = add_rank(ranks, public.up[seat, street])
        lacks = short_of_low(public.rules, ranks, street)
        checks, calls, bets = count_actions(public, seat, street)
        if street == 0:
            calls -= seat == public.bring_in_seat
        on_third, later = (reading.enter, reading.complete), (reading.call, reading.bet)
        for_call, for_bet = on_third if street == 0 else later
        weight *= reading.check[lacks] if checks > 0 else 1.0
        weight *= for_call[lacks] if calls > 0 else 1.0
        weight *= for_bet[lacks] if bets > 0 else 1.0
    return weight


@kernel
def short_of_low(rules: Record, ranks: int, street: int) -> int:
    """How many low ranks a hand lacks on a street (0 third .. 4 seventh), at most 3."""
    wanted = min(int(rules.third_street) + 1 + street, low_size(rules))
    return min(max(wanted - count_up_to(ranks, EIGHT), 0), MOST_SHORT)


@kernel
def beat_rival(room: Scratch) -> None:
    """Take a rival's low into account: what beats it, and half of what ties it."""
    worse = 1.0
    for place in range(len(room.rival)):
        worse -= room.rival[place]
        room.beaten[place] *= max(worse, 0.0) + room.rival[place] / 2.0
