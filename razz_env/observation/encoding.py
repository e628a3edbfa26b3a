"""Observations: a seat's view written as numbers, one small writer for each part of the layout."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import apart, inlined, kernel, trailing_zeros
from razz_env.observation.scale import RANK_BITS, Scale, divided, scale_of
from razz_env.observation.spec import ObservationSpec, Part, spec
from razz_env.rules.action_log import log_action, log_seat
from razz_env.rules.betting import FIFTH, to_call
from razz_env.rules.cards import NUM_RANKS
from razz_env.rules.checks import require_view
from razz_env.rules.lowball import PLAYED_CARDS
from razz_env.rules.record import (
    CALLS_PLACE,
    COUNT_MASK,
    DOWN_CARDS,
    ONE_CHECK,
    RAISES_PLACE,
    SEAT_VIEW,
    UP_CARDS,
    Record,
    SeatView,
)

Offsets = NDArray[np.int64]
Floats = NDArray[np.float32]

_STREETS = 5

# Looked up rather than worked out, by card + 1: no card (-1) has place 0, mark 0 and count 0.
_PLACE = np.array([0, *(card >> 2 for card in range(52))])
_MARK = np.array([0, *[1] * 52], np.float32)
_COUNT = np.array([0, *(1 << 4 * (card >> 2) for card in range(52))])
# A small whole number as float32, and its quarter: a processor looks one up faster than it converts
# it. 127 is the most that `action_counts` holds.
_NUMBER = np.arange(COUNT_MASK + 1, dtype=np.float32)
_QUARTER = _NUMBER[:16] / np.float32(4)
# By the lowest set bit of packed counts; 64 means that no rank is left.
_LOWNESS = np.array([max(NUM_RANKS - (bit >> 2), 0) for bit in range(65)], np.float32) * np.float32(
    1 / NUM_RANKS
)

# The parts as plain integers, which compile faster than an enum's members.
OWN_DOWN, OWN_RIVER = int(Part.OWN_DOWN), int(Part.OWN_RIVER)
UP, COMMUNITY = int(Part.UP_CARDS), int(Part.COMMUNITY)
DEAD, UNSEEN = int(Part.DEAD_RANKS), int(Part.UNSEEN_RANKS)
PRESENT, LIVE, ALL_IN = int(Part.PRESENT), int(Part.LIVE), int(Part.ALL_IN)
BRING_IN_SEAT, FIRST = int(Part.BRING_IN), int(Part.FIRST_TO_ACT)
AGGRESSOR, TO_ACT = int(Part.LAST_AGGRESSOR), int(Part.TO_ACT)
STREET_CHIPS, TOTAL_CHIPS = int(Part.STREET_CHIPS), int(Part.TOTAL_CHIPS)
STACK, STREET, ROUND = int(Part.STACK), int(Part.STREET), int(Part.ROUND)
STAKES, BETTING = int(Part.STAKES), int(Part.BETTING)
OWN_LOW, BOARD_LOWS = int(Part.OWN_LOW), int(Part.BOARD_LOWS)
ACTION_LOG = int(Part.ACTION_LOG)


def encode(view: SeatView, mode: str = "features", seats: int | None = None) -> Floats:
    """The observation of one seat's view.

    Args:
        view: an element of dtype SEAT_VIEW, as from `Hand.view`.
        mode: "features" or "infostate".
        seats: room for so many seats; by default the seats dealt in.

    Returns:
        float32[D], laid out as `spec(num_players, mode, seats)` tells.

    Raises:
        TypeError: anything but a seat's view, such as a hand's record.
        ValueError: an unknown mode or an impossible number of seats.
    """
    require_view(view, "encode takes")
    layout = spec(int(view.public.num_seats), mode, seats)
    row: Floats = encode_batch(np.asarray([view], SEAT_VIEW), layout)[0]
    return row


def encode_batch(views: NDArray[Any], layout: ObservationSpec, out: Floats | None = None) -> Floats:
    """Observations of K views (dtype SEAT_VIEW) -> float32[K, D], into `out` if it is given.

    Raises:
        TypeError: another dtype of views.
        ValueError: `out` of another shape or dtype, or a view with more seats than the layout.
    """
    if getattr(views, "dtype", None) != SEAT_VIEW or np.ndim(views) != 1:
        raise TypeError("encode_batch takes an array [K] of seats' views (dtype SEAT_VIEW).")
    if out is None:
        out = np.empty((len(views), layout.size), np.float32)
    if out.shape != (len(views), layout.size) or out.dtype != np.float32:
        raise ValueError(f"out must be float32 of shape {(len(views), layout.size)}.")
    if len(views) and views["public"]["num_seats"].max() > layout.seats:
        raise ValueError(f"The layout has room for {layout.seats} seats; a view has more.")
    _encode_rows(views, layout.offsets, layout.seats, out)
    return out


@kernel
def _encode_rows(views: Record, offsets: Offsets, seats: int, out: Floats) -> None:
    for row in range(len(views)):
        encode_view(views[row], offsets, seats, out[row])


@inlined
def encode_view(view: Record, offsets: Offsets, seats: int, out: Floats) -> None:
    """Write the observation of one view into out float32[D]; `seats` is the layout's room."""
    scale = scale_of(view.public)
    encode_seat(view.public, view.down, view.seat, scale, offsets, seats, out)


@apart
def encode_seat(
    public: Record,
    down: Record,
    me: int,
    scale: Scale,
    offsets: Offsets,
    seats: int,
    out: Floats,
) -> None:
    """`encode_view` of what a view holds: all that is public, and the seat's own down cards.

    `out` overlaps none of the others: see `apart`. `scale` is given, so that who encodes many
    views of one table works it out once.
    """
    out[:] = 0
    _cards(public, down, me, scale.deck, offsets, out)
    _seats(public, me, offsets, scale, out)
    _marks(public, me, offsets, out)
    _round(public, me, offsets, scale, out)
    _betting(public, me, offsets[BETTING], seats, out)
    if offsets[ACTION_LOG] >= 0:
        _action_log(public, me, offsets[ACTION_LOG], out)


@inlined
def _put(out: Floats, place: int, value: Any) -> None:
    """out[place] = value; an unsigned index saves the question whether it counts from the end."""
    out[np.uintp(place)] = value


@inlined
def _number(value: int) -> float:
    """float32 of a whole number 0..127."""
    return _NUMBER[np.uintp(value)]


@inlined
def relative_seat(seat: int, me: int, num_seats: int) -> int:
    """How many seats a seat is to the left of the viewer: 0 is the viewer."""
    away = seat - me
    return away + num_seats * (away < 0)


@inlined
def _one_hot(out: Floats, start: int, card: int) -> None:
    """Mark a card's rank in the 13 numbers from `start`; no card (-1) marks nothing.

    Without a branch, because whether a card is there is what a processor cannot guess.
    """
    key = np.uintp(card + 1)
    _put(out, start + _PLACE[key], _MARK[key])


@inlined
def _count(counts: int, card: int) -> int:
    """`counts` (13 numbers of four bits) with one more card; no card (-1) adds nothing."""
    return counts + _COUNT[np.uintp(card + 1)]


@inlined
def _cards(public: Record, down: Record, me: int, deck: int, offsets: Offsets, out: Floats) -> None:
    """Own and up cards, the boards' lows, and the ranks that are dead or unseen."""
    own, dead = 0, 0
    for place in range(DOWN_CARDS):
        own = _count(own, down[place])
    up_at, lows_at = offsets[UP], offsets[BOARD_LOWS]
    num_seats, community = public.num_seats, public.community
    for seat in range(num_seats):
        away = relative_seat(seat, me, num_seats)
        board = _board(public.up[seat], up_at + away * (UP_CARDS * NUM_RANKS), out)
        _lowest_ranks(board, UP_CARDS, lows_at + away * UP_CARDS, out)
        own += board * (away == 0)
        dead += board * (away != 0)
    dead = _count(dead, community) + _shown_ranks(public, me)
    _own_down(down, offsets[OWN_DOWN], offsets[OWN_RIVER], out)
    _one_hot(out, offsets[COMMUNITY], community)
    _lowest_ranks(_count(own, community), PLAYED_CARDS, offsets[OWN_LOW], out)
    _quarters(dead, offsets[DEAD], out)
    _quarters(deck - own - dead, offsets[UNSEEN], out)


@inlined
def _board(up: Record, start: int, out: Floats) -> int:
    """Write a seat's up cards; its ranks as counts of four bits.

    All four places, dealt or not: no processor can guess where the loop would end.
    """
    board = 0
    for place in range(UP_CARDS):
        card = up[place]
        board = _count(board, card)
        _one_hot(out, start + place * NUM_RANKS, card)
    return board


@inlined
def _shown_ranks(public: Record, me: int) -> int:
    """Down cards that the others have shown, which they do at the end only."""
    shown = 0
    if public.over:
        for seat in range(public.num_seats):
            for place in range(DOWN_CARDS):
                shown = _count(shown, public.shown_down[seat, place] if seat != me else -1)
    return shown


@inlined
def _own_down(down: Record, at: int, river_at: int, out: Floats) -> None:
    first, second, river = down[0], down[1], down[2]
    _one_hot(out, at, first)
    key = np.uintp(second + 1)
    out[np.uintp(at + _PLACE[key])] += _MARK[key]
    _one_hot(out, river_at, river)


@inlined
def _quarters(counts: int, start: int, out: Floats) -> None:
    """How many cards of every rank, in quarters."""
    for rank in range(NUM_RANKS):
        _put(out, start + rank, _QUARTER[np.uintp(counts >> (4 * rank) & 15)])


@inlined
def _lowest_ranks(counts: int, wanted: int, start: int, out: Floats) -> None:
    """How low the lowest different ranks are, lowest first; 0 where there are no more."""
    ranks = (counts | counts >> 1 | counts >> 2) & RANK_BITS
    for place in range(wanted):
        _put(out, start + place, _LOWNESS[np.uintp(trailing_zeros(ranks))])
        ranks &= ranks - 1


@inlined
def _seats(public: Record, me: int, offsets: Offsets, scale: Scale, out: Floats) -> None:
    one, per_limit = np.float32(1.0), scale.per_limit
    per_bets = scale.per_small_bets if public.street < FIFTH else scale.per_big_bets
    present, live_at, all_in = offsets[PRESENT], offsets[LIVE], offsets[ALL_IN]
    street_at, total_at, stack_at = offsets[STREET_CHIPS], offsets[TOTAL_CHIPS], offsets[STACK]
    num_seats = public.num_seats
    for seat in range(num_seats):
        away = relative_seat(seat, me, num_seats)
        live, chips = public.live[seat], public.stack[seat]
        street = np.float32(public.street_chips[seat]) * per_bets
        total = np.float32(public.total_chips[seat]) * per_limit
        stack = np.float32(chips) * per_limit
        _put(out, present + away, one)
        _put(out, live_at + away, _number(live))
        _put(out, all_in + away, _number(live * (chips == 0)))
        _put(out, street_at + away, min(street, one))
        _put(out, total_at + away, np.sqrt(min(total, one)))
        _put(out, stack_at + away, np.sqrt(min(stack, one)))


@inlined
def _marks(public: Record, me: int, offsets: Offsets, out: Floats) -> None:
    """The seats with a part to play: bring-in, first to act, last aggressor, to act."""
    num_seats, aggressor = public.num_seats, public.aggressor[public.street - 3]
    first, actor = public.first_to_act, public.actor
    _mark(public.bring_in_seat, me, num_seats, offsets[BRING_IN_SEAT], out)
    _mark(first, me, num_seats, offsets[FIRST], out)
    _mark(aggressor, me, num_seats, offsets[AGGRESSOR], out)
    _mark(actor, me, num_seats, offsets[TO_ACT], out)


@inlined
def _mark(seat: int, me: int, num_seats: int, start: int, out: Floats) -> None:
    """Mark a seat; no seat (-1) marks nothing."""
    _put(out, start + relative_seat(max(seat, 0), me, num_seats), _number(seat >= 0))


@inlined
def _round(public: Record, me: int, offsets: Offsets, scale: Scale, out: Floats) -> None:
    num_seats, cap = public.num_seats, public.rules.max_bets_per_round
    owed = to_call(public, me) * public.live[me]
    pot, live, with_chips = 0, 0, 0
    for seat in range(num_seats):
        pot += public.total_chips[seat]
        others = public.live[seat] * (seat != me)
        live += others
        with_chips += others * (public.stack[seat] > 0)
    street, bets, due = public.street, public.bets, public.must_open
    by_bets = scale.by_small_bets if street < FIFTH else scale.by_big_bets
    at, stakes_at, one = offsets[ROUND], offsets[STAKES], np.float32(1.0)
    _put(out, offsets[STREET] + street - 3, one)
    _put(out, at, min(divided(bets, scale.by_cap), one))
    _put(out, at + 1, divided(max(cap - bets, 0), scale.by_cap))
    _put(out, at + 2, np.sqrt(min(np.float32(pot * scale.per_pot), one)))
    _put(out, at + 3, min(divided(owed, by_bets), one))
    _put(out, at + 4, np.float32(owed) / np.float32(max(pot + owed, 1)))
    _put(out, at + 5, divided(live, scale.by_seats))
    _put(out, at + 6, divided(with_chips, scale.by_seats))
    _put(out, at + 7, _number(due))
    _put(out, stakes_at, scale.ante)
    _put(out, stakes_at + 1, scale.bring_in)
    _put(out, stakes_at + 2, scale.small_bet)


@inlined
def _betting(public: Record, me: int, start: int, seats: int, out: Floats) -> None:
    """Counts of checks, calls and aggressive actions by street and seat; folds show in LIVE."""
    num_seats = public.num_seats
    for seat in range(num_seats):
        at = start + relative_seat(seat, me, num_seats) * 3
        for street in range(_STREETS):
            counts = int(public.action_counts[np.uintp(street), np.uintp(seat)])
            _put(out, at, _number(counts & ONE_CHECK))
            _put(out, at + 1, _number(counts >> CALLS_PLACE & COUNT_MASK))
            _put(out, at + 2, _number(counts >> RAISES_PLACE & COUNT_MASK))
            at += seats * 3


@kernel
def _street_end(public: Record, street: int) -> int:
    """Place in the log after the last action of a street (0 third .. 4 seventh)."""
    for later in range(street + 1, public.street - 2):
        if public.street_start[later] >= 0:
            return public.street_start[later]
    return public.log_length


@kernel
def _action_log(public: Record, me: int, start: int, out: Floats) -> None:
    """Seat, action and street of every action; streets that the rules leave out have none."""
    for street in range(public.street - 2):
        first = public.street_start[street]
        end = _street_end(public, street) if first >= 0 else first
        for place in range(first, end):
            at, entry = start + 3 * place, public.log[place]
            _put(out, at, (relative_seat(log_seat(entry), me, public.num_seats) + 1) / 8)
            _put(out, at + 1, (log_action(entry) + 1) / 7)
            _put(out, at + 2, (street + 1) / 5)
