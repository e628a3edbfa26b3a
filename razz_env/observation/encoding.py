"""Observations: a seat's view written as numbers, one small writer for each part of the layout."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import inlined, kernel, trailing_zeros
from razz_env.observation.spec import LOW_CARDS, ObservationSpec, Part, spec
from razz_env.rules.betting import bet_size, can_bet, to_call
from razz_env.rules.record import DOWN_CARDS, SEAT_VIEW, UP_CARDS, Record, SeatView

Offsets = NDArray[np.int64]
Floats = NDArray[np.float32]

_RANKS = 13
_RANK_BITS = sum(1 << 4 * rank for rank in range(_RANKS))
_PER_RANK = np.float32(1 / _RANKS)
_QUARTER = np.float32(1 / 4)

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
    if getattr(view, "dtype", None) != SEAT_VIEW or np.shape(view) != ():
        raise TypeError(
            f"encode takes one seat's view (dtype SEAT_VIEW, from Hand.view), not {type(view)}."
        )
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
    out[:] = 0
    limit = hand_limit(view.public)
    _cards(view, offsets, out)
    _seats(view, offsets, limit, out)
    _round(view, offsets, limit, out)
    _betting(view, offsets, seats, out)
    if offsets[ACTION_LOG] >= 0:
        _action_log(view, offsets[ACTION_LOG], out)


@inlined
def _put(out: Floats, place: int, value: Any) -> None:
    """out[place] = value; an unsigned index saves the question whether it counts from the end."""
    out[np.uintp(place)] = value


@inlined
def relative_seat(view: Record, seat: int) -> int:
    """How many seats to the left of the viewer: 0 is the viewer."""
    away = seat - view.seat
    return away if away >= 0 else away + view.public.num_seats


@inlined
def hand_limit(public: Record) -> float:
    """What a hand can cost one seat at most: the ante and full rounds, half a bet for all-ins."""
    rules = public.rules
    bets = 2 * rules.small_bet + 3 * rules.big_bet
    return rules.ante + (rules.max_bets_per_round + 0.5) * bets


@inlined
def _one_hot(out: Floats, start: int, card: int) -> None:
    """Mark a card's rank in the 13 numbers from `start`; no card (-1) marks nothing.

    Without a branch, because whether a card is there is what a processor cannot guess.
    """
    _put(out, start + (max(card, 0) >> 2), np.float32(card >= 0))


@inlined
def _count(counts: int, card: int) -> int:
    """`counts` (13 numbers of four bits) with one more card; no card (-1) adds nothing."""
    return counts + (int(card >= 0) << (4 * (max(card, 0) >> 2)))


@inlined
def _cards(view: Record, offsets: Offsets, out: Floats) -> None:
    """Own and up cards, the boards' lows, and the ranks that are dead or unseen."""
    public = view.public
    own, dead = 0, 0
    for place in range(DOWN_CARDS):
        own = _count(own, view.down[place])
    for seat in range(public.num_seats):
        away = relative_seat(view, seat)
        board = _board(public, seat, offsets[UP] + away * (UP_CARDS * _RANKS), out)
        _lowest_ranks(board, _dealt_up(public), offsets[BOARD_LOWS] + away * UP_CARDS, out)
        own += board * (away == 0)
        dead += board * (away != 0)
        if public.over and away != 0:
            for place in range(DOWN_CARDS):
                dead = _count(dead, public.shown_down[seat, place])
    dead = _count(dead, public.community)
    _own_down(view, offsets, out)
    _one_hot(out, offsets[COMMUNITY], public.community)
    _lowest_ranks(_count(own, public.community), LOW_CARDS, offsets[OWN_LOW], out)
    _seen_ranks(view, own, dead, offsets, out)


@inlined
def _dealt_up(public: Record) -> int:
    """How many up cards a seat may have by now."""
    return min(public.street - 2, UP_CARDS)


@inlined
def _board(public: Record, seat: int, start: int, out: Floats) -> int:
    """Write a seat's up cards; its ranks as counts of four bits."""
    board = 0
    for place in range(_dealt_up(public)):
        card = public.up[seat, place]
        board = _count(board, card)
        _one_hot(out, start + place * _RANKS, card)
    return board


@inlined
def _own_down(view: Record, offsets: Offsets, out: Floats) -> None:
    _one_hot(out, offsets[OWN_DOWN], view.down[0])
    out[offsets[OWN_DOWN] + (max(view.down[1], 0) >> 2)] += np.float32(view.down[1] >= 0)
    _one_hot(out, offsets[OWN_RIVER], view.down[2])


@inlined
def _seen_ranks(view: Record, own: int, dead: int, offsets: Offsets, out: Floats) -> None:
    rules = view.public.rules
    for rank in range(rules.deck_ranks):
        mine = (own >> (4 * rank)) & 15
        others = (dead >> (4 * rank)) & 15
        _put(out, offsets[DEAD] + rank, np.float32(others) * _QUARTER)
        _put(out, offsets[UNSEEN] + rank, np.float32(rules.deck_suits - mine - others) * _QUARTER)


@inlined
def _lowest_ranks(counts: int, wanted: int, start: int, out: Floats) -> None:
    """How low the lowest different ranks are, lowest first; 0 where there are no more."""
    ranks = (counts | counts >> 1 | counts >> 2) & _RANK_BITS
    for place in range(wanted):
        rank = trailing_zeros(ranks) >> 2
        _put(out, start + place, np.float32(max(_RANKS - rank, 0)) * _PER_RANK)
        ranks &= ranks - 1


@inlined
def _seats(view: Record, offsets: Offsets, limit: float, out: Floats) -> None:
    public = view.public
    one = np.float32(1.0)
    per_limit = np.float32(1.0 / limit)
    per_bets = np.float32(1.0 / (bet_size(public) * (public.rules.max_bets_per_round + 1)))
    for seat in range(public.num_seats):
        away = relative_seat(view, seat)
        live = public.live[seat]
        _put(out, offsets[PRESENT] + away, 1)
        _put(out, offsets[LIVE] + away, live)
        _put(out, offsets[ALL_IN] + away, live * (public.stack[seat] == 0))
        street = np.float32(public.street_chips[seat]) * per_bets
        total = np.float32(public.total_chips[seat]) * per_limit
        stack = np.float32(public.stack[seat]) * per_limit
        _put(out, offsets[STREET_CHIPS] + away, min(street, one))
        _put(out, offsets[TOTAL_CHIPS] + away, np.sqrt(min(total, one)))
        _put(out, offsets[STACK] + away, np.sqrt(min(stack, one)))
    _mark(view, public.bring_in_seat, offsets[BRING_IN_SEAT], out)
    _mark(view, public.first_to_act, offsets[FIRST], out)
    _mark(view, public.aggressor[public.street - 3], offsets[AGGRESSOR], out)
    _mark(view, public.actor, offsets[TO_ACT], out)


@inlined
def _mark(view: Record, seat: int, start: int, out: Floats) -> None:
    if seat >= 0:
        _put(out, start + relative_seat(view, seat), 1)


@inlined
def _round(view: Record, offsets: Offsets, limit: float, out: Floats) -> None:
    public = view.public
    rules = public.rules
    _put(out, offsets[STREET] + public.street - 3, 1)
    owed = to_call(public, view.seat) * public.live[view.seat]
    pot, live, with_chips = 0, 0, 0
    for seat in range(public.num_seats):
        pot += public.total_chips[seat]
        live += public.live[seat]
        with_chips += can_bet(public, seat)
    live -= public.live[view.seat]
    with_chips -= can_bet(public, view.seat)
    cap = public.rules.max_bets_per_round
    at, seats = offsets[ROUND], np.float32(public.num_seats)
    per_pot = 1.0 / (limit * public.num_seats)
    _put(out, at, min(np.float32(public.bets) / np.float32(cap), np.float32(1.0)))
    _put(out, at + 1, np.float32(max(cap - public.bets, 0)) / np.float32(cap))
    _put(out, at + 2, np.sqrt(min(np.float32(pot * per_pot), np.float32(1.0))))
    _put(
        out,
        at + 3,
        min(np.float32(owed) / np.float32(bet_size(public) * (cap + 1)), np.float32(1.0)),
    )
    _put(out, at + 4, np.float32(owed) / np.float32(max(pot + owed, 1)))
    _put(out, at + 5, np.float32(live) / seats)
    _put(out, at + 6, np.float32(with_chips) / seats)
    _put(out, at + 7, public.must_open)
    _put(out, offsets[STAKES], rules.ante / (rules.ante + rules.big_bet))
    _put(out, offsets[STAKES] + 1, rules.bring_in / rules.small_bet)
    _put(out, offsets[STAKES] + 2, rules.small_bet / rules.big_bet)


@inlined
def _betting(view: Record, offsets: Offsets, seats: int, out: Floats) -> None:
    """Counts of checks, calls and aggressive actions by street and seat; folds show in LIVE."""
    public = view.public
    for street in range(public.street - 2):
        start = offsets[BETTING] + street * seats * 3
        for seat in range(public.num_seats):
            at = start + relative_seat(view, seat) * 3
            for kind in range(3):
                _put(out, at + kind, public.action_counts[street, seat, kind])


@kernel
def _street_end(public: Record, street: int) -> int:
    """Place in the log after the last action of a street (0 third .. 4 seventh)."""
    if street < public.street - 3:
        return public.street_start[street + 1]
    return public.log_length


@kernel
def _action_log(view: Record, start: int, out: Floats) -> None:
    public = view.public
    for street in range(public.street - 2):
        for place in range(public.street_start[street], _street_end(public, street)):
            at = start + 3 * place
            _put(out, at, (relative_seat(view, public.log[place] >> 3) + 1) / 8)
            _put(out, at + 1, ((public.log[place] & 7) + 1) / 7)
            _put(out, at + 2, (street + 1) / 5)
