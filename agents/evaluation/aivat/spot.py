"""Where a hand stands, for the value function: ranks by seat, what is unseen, and the money."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat.prospects import BINS, Prospects, look_ahead
from razz_env._jit import kernel
from razz_env.rules.betting import count_live
from razz_env.rules.cards import NUM_RANKS
from razz_env.rules.record import MAX_SEATS, Record
from razz_env.rules.showdown import (
    in_pots,
    is_eligible,
    matched_level,
    next_pot_level,
    pot_chips,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

EVERYBODY = -1
"""Instead of a seat: the community card, which is everybody's seventh."""


UNKNOWN = -1


class Spot(NamedTuple):
    """All arrays by seat, but for `unseen`, and the pots.

    Attributes:
        held: int64[8], number of cards.
        ranks: int64[8], set of their ranks.
        up_held: int64[8], number of up cards.
        up_ranks: int64[8], set of their ranks.
        door: int64[8], rank of the door card, -1 if there is none yet.
        unseen: int64[13], cards of each rank that have not been dealt to a seat.
        chances: float32[8, BINS], see `prospects.look_ahead`.
        beats: float32[8, BINS], the same.
        board_beats: float32[8, BINS], the same of the up cards alone.
        low: int64[8], class of the low of a complete hand, else UNKNOWN.
        pots: float64[8], chips of each pot if betting ended here.
        eligible: int64[8], set of the seats that can win it.
        num_pots: int64[1].
        paid: float64[8], chips that a seat has in the pots.
        owed: float64[8], chips that it must put in to call.
        behind: float64[8], chips that it has left.
        shares: float64[8], of a pot, to work with.
    """

    held: Ints
    ranks: Ints
    up_held: Ints
    up_ranks: Ints
    door: Ints
    unseen: Ints
    chances: NDArray[np.float32]
    beats: NDArray[np.float32]
    board_beats: NDArray[np.float32]
    low: Ints
    pots: Floats
    eligible: Ints
    num_pots: Ints
    paid: Floats
    owed: Floats
    behind: Floats
    shares: Floats


def new_spot() -> Spot:
    """Room for a spot."""

    def seats() -> Ints:
        return np.zeros(MAX_SEATS, np.int64)

    def bins() -> NDArray[np.float32]:
        return np.zeros((MAX_SEATS, BINS), np.float32)

    return Spot(
        held=seats(),
        ranks=seats(),
        up_held=seats(),
        up_ranks=seats(),
        door=seats(),
        unseen=np.zeros(NUM_RANKS, np.int64),
        chances=bins(),
        beats=bins(),
        board_beats=bins(),
        low=seats(),
        pots=np.zeros(MAX_SEATS),
        eligible=seats(),
        num_pots=np.zeros(1, np.int64),
        paid=np.zeros(MAX_SEATS),
        owed=np.zeros(MAX_SEATS),
        behind=np.zeros(MAX_SEATS),
        shares=np.zeros(MAX_SEATS),
    )


@kernel
def clear_cards(spot: Spot, rules: Record) -> None:
    """No card has been dealt."""
    for seat in range(MAX_SEATS):
        spot.held[seat] = spot.ranks[seat] = 0
        spot.up_held[seat] = spot.up_ranks[seat] = 0
        spot.door[seat] = -1
    for rank in range(NUM_RANKS):
        spot.unseen[rank] = rules.deck_suits if rank < rules.deck_ranks else 0


@kernel
def count_unseen(spot: Spot) -> int:
    """Number of cards that have not been dealt to a seat."""
    cards = 0
    for rank in range(NUM_RANKS):
        cards += spot.unseen[rank]
    return cards


@kernel
def give_card(spot: Spot, public: Record, seat: int, rank: int, is_up: bool) -> None:
    """Deal a card of a rank to a seat, or the community card to `EVERYBODY`."""
    spot.unseen[rank] -= 1
    for other in range(public.num_seats):
        if other == seat or (seat == EVERYBODY and public.live[other]):
            spot.held[other] += 1
            spot.ranks[other] |= 1 << rank
    if is_up:
        spot.up_held[seat] += 1
        spot.up_ranks[seat] |= 1 << rank
        if spot.up_held[seat] == 1:
            spot.door[seat] = rank


@kernel
def is_meant(seat: int, other: int) -> bool:
    """Whether `seat`, which may be EVERYBODY, is or includes the other one."""
    if seat == EVERYBODY:
        return True
    return seat == other


@kernel
def look(spot: Spot, public: Record, known: Prospects, seat: int) -> None:
    """Work out the prospects of the hand and the board of a seat, or of all live ones."""
    for other in range(public.num_seats):
        if public.live[other] and is_meant(seat, other):
            look_at_seat(spot, known, other)


@kernel
def look_at_seat(spot: Spot, known: Prospects, seat: int) -> None:
    """Work out the prospects of the hand and the board of a seat."""
    chances, beats = spot.chances[seat], spot.beats[seat]
    look_ahead(known, spot.held[seat], spot.ranks[seat], spot.unseen, chances, beats)
    board = known.beats[spot.up_held[seat], spot.up_ranks[seat]]
    for place in range(BINS):
        spot.board_beats[seat, place] = board[place]
    is_complete = spot.held[seat] == known.cards
    spot.low[seat] = known.lows[spot.ranks[seat]] if is_complete else UNKNOWN


@kernel
def count_money(spot: Spot, public: Record) -> None:
    """Read pots, wagers and stacks from a hand that may be in the middle of a round."""
    matched = matched_level(public)
    for seat in range(public.num_seats):
        spot.paid[seat] = in_pots(public, seat, matched)
        spot.behind[seat] = public.starting_stack[seat] - public.total_chips[seat]
        spot.owed[seat] = 0.0
        if public.live[seat] and public.actor >= 0:
            owed = max(public.to_match - public.street_chips[seat], 0)
            spot.owed[seat] = min(owed, spot.behind[seat])
    if _is_side_pot_possible(spot, public):
        _count_pots(spot, public)
    else:
        _count_one_pot(spot, public)


@kernel
def _is_side_pot_possible(spot: Spot, public: Record) -> bool:
    for seat in range(public.num_seats):
        if public.live[seat] and spot.behind[seat] == 0:
            return count_live(public) > 2
    return False


@kernel
def _count_one_pot(spot: Spot, public: Record) -> None:
    spot.num_pots[0], spot.eligible[0], spot.pots[0] = 1, 0, 0.0
    for seat in range(public.num_seats):
        spot.pots[0] += spot.paid[seat]
        if public.live[seat]:
            spot.eligible[0] |= 1 << seat


@kernel
def _count_pots(spot: Spot, public: Record) -> None:
    """Main pot and side pots (RULES 5)."""
    bottom, count = 0, 0
    top = next_pot_level(public, bottom)
    while top > 0:
        spot.pots[count] = pot_chips(public, bottom, top)
        spot.eligible[count] = 0
        for seat in range(public.num_seats):
            if is_eligible(public, seat, top):
                spot.eligible[count] |= 1 << seat
        count += 1
        bottom, top = top, next_pot_level(public, top)
    spot.num_pots[0] = count
