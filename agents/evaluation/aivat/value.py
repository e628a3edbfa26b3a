"""The value function: what every seat may expect to win, seeing all cards. It is only a guess.

The base is a share of every pot by the chances of all live hands, less what a seat has put in. To
that comes what each pair of live seats is expected to win from each other by playing on: a function
of what the cards of each are worth against the board of the other, which is what players see and
decide by, read from a table between whose places is interpolated. In the table stand four numbers:
shares of the pot and of a big bet, alone and times the lead in the cards. Everything that one seat
gets another one loses, so the values of a hand sum to zero.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat.prospects import BINS
from agents.evaluation.aivat.spot import UNKNOWN, Spot, is_meant
from razz_env._jit import kernel
from razz_env.rules.betting import THIRD, count_live
from razz_env.rules.record import Record

Floats = NDArray[np.float64]

KINDS, PHASES, GRID, PARTS = 2, 7, 8, 4
DEALING, HIGHER_DOOR, LOWER_DOOR, FOURTH = 0, 1, 2, 3
NO_BETTING = -1
"""Instead of a street: nobody has a decision any more."""
TABLE_SHAPE = (KINDS, PHASES, GRID, GRID, PARTS)
OWED_SHAPE = (KINDS, PHASES)


class Weights(NamedTuple):
    """The numbers that were fitted.

    Attributes:
        table: float64[2, 7, 8, 8, 4], by kind (two live seats, more), phase, worth of both seats,
            and part: pot, pot times lead, bet, bet times lead.
        owed: float64[2, 7], how far wagers that are not answered yet count as called.
    """

    table: Floats
    owed: Floats


class Pair(NamedTuple):
    """What two seats look like to each other.

    Attributes:
        row: place of the worth of the first seat's cards against the second's board.
        column: the same of the second.
        row_part: how far between this place and the next.
        column_part: the same of the second.
        lead: chance of the first to end lower, less one half.
        pot: chips.
        bet: chips.
    """

    row: int
    column: int
    row_part: float
    column_part: float
    lead: float
    pot: float
    bet: float


@kernel
def value(
    spot: Spot, public: Record, street: int, seat: int, weights: Weights, out: Floats
) -> None:
    """The value in chips of every seat -> out float64[8].

    Args:
        spot: with prospects and money.
        public: who is live.
        street: whose betting goes on or is next, or NO_BETTING.
        seat: what pairs without this seat win from each other is left out; EVERYBODY for nobody.
        weights: of the function.
        out: written.
    """
    seats, live = public.num_seats, count_live(public)
    for one in range(seats):
        out[one] = -spot.paid[one]
    owed_weight = 0.0
    if street != NO_BETTING:
        owed_weight = weights.owed[min(live - 2, 1), max(street - THIRD, 0)]
    share_pots(spot, public, owed_weight, out)
    if street == NO_BETTING or live < 2:
        return
    for one in range(seats):
        for other in range(one + 1, seats):
            concerned = is_meant(seat, one) or seat == other
            if concerned and public.live[one] and public.live[other]:
                gain = pair_value(spot, public, one, other, street, weights)
                out[one] += gain
                out[other] -= gain


@kernel
def share_pots(spot: Spot, public: Record, owed_weight: float, out: Floats) -> None:
    """Add every pot, by the chances to end lowest, and the last one with what is owed to it."""
    owed = 0.0
    for seat in range(public.num_seats):
        owed += owed_weight * spot.owed[seat]
        out[seat] -= owed_weight * spot.owed[seat]
    for pot in range(spot.num_pots[0]):
        chips = spot.pots[pot] + (owed if pot == spot.num_pots[0] - 1 else 0.0)
        seats, total = spot.eligible[pot], 0.0
        for seat in range(public.num_seats):
            spot.shares[seat] = 0.0
            if seats >> seat & 1:
                spot.shares[seat] = chance_to_win(spot, public, seat, seats)
                total += spot.shares[seat]
        for seat in range(public.num_seats):
            out[seat] += chips * spot.shares[seat] / total


@kernel
def chance_to_win(spot: Spot, public: Record, seat: int, seats: int) -> float:
    """The chance to end lower than all others of a set of seats, which need not be exact."""
    if seats == 1 << seat:
        return 1.0
    if are_known(spot, public, seats):
        return 1.0 if is_lowest(spot, public, seat, seats) else 0.0
    chance = 0.0
    for place in range(BINS):
        part = spot.chances[seat, place]
        for other in range(public.num_seats):
            if other != seat and seats >> other & 1:
                part *= spot.beats[other, place]
        chance += part
    return max(chance, 1e-6)


@kernel
def are_known(spot: Spot, public: Record, seats: int) -> bool:
    """Whether the hands of all seats of a set are complete."""
    for seat in range(public.num_seats):
        if seats >> seat & 1 and spot.low[seat] == UNKNOWN:
            return False
    return True


@kernel
def is_lowest(spot: Spot, public: Record, seat: int, seats: int) -> bool:
    """Whether no complete hand of a set of seats is lower."""
    for other in range(public.num_seats):
        if seats >> other & 1 and spot.low[other] < spot.low[seat]:
            return False
    return True


@kernel
def chance_to_beat(spot: Spot, one: int, other: int) -> float:
    """The chance of one seat to end lower than another; half of a tie counts."""
    if spot.low[one] != UNKNOWN and spot.low[other] != UNKNOWN:
        if spot.low[one] == spot.low[other]:
            return 0.5
        return 1.0 if spot.low[one] < spot.low[other] else 0.0
    chance = 0.0
    for place in range(BINS):
        chance += spot.chances[one, place] * spot.beats[other, place]
    return chance


@kernel
def look_at_pair(spot: Spot, public: Record, one: int, other: int) -> Pair:
    """What two live seats look like to each other."""
    mine, theirs, lead = 0.0, 0.0, chance_to_beat(spot, one, other)
    for place in range(BINS):
        mine += spot.chances[one, place] * spot.board_beats[other, place]
        theirs += spot.chances[other, place] * spot.board_beats[one, place]
    pot = 0.0
    for number in range(spot.num_pots[0]):
        pot += spot.pots[number]
    big_bet = float(public.rules.big_bet)
    bet = min(big_bet, spot.behind[one], spot.behind[other])
    at_row = min(max(mine, 0.0), 1.0) * (GRID - 1)
    at_column = min(max(theirs, 0.0), 1.0) * (GRID - 1)
    row, column = min(int(at_row), GRID - 2), min(int(at_column), GRID - 2)
    return Pair(row, column, at_row - row, at_column - column, lead - 0.5, pot, bet)


@kernel
def phase_of(spot: Spot, street: int, one: int, other: int) -> int:
    """The part of the table for one seat against another."""
    if street > THIRD:
        return FOURTH + street - THIRD - 1
    if spot.door[one] < 0 or spot.door[other] < 0:
        return DEALING
    return HIGHER_DOOR if spot.door[one] > spot.door[other] else LOWER_DOOR


@kernel
def pair_value(
    spot: Spot, public: Record, one: int, other: int, street: int, weights: Weights
) -> float:
    """Chips that one seat is expected to win from another by playing on."""
    pair = look_at_pair(spot, public, one, other)
    kind = min(count_live(public) - 2, 1)
    mine = weights.table[kind, phase_of(spot, street, one, other)]
    theirs = weights.table[kind, phase_of(spot, street, other, one)]
    gain = 0.0
    for place in range(4):
        down, right = place >> 1, place & 1
        share = pair.row_part if down else 1.0 - pair.row_part
        share *= pair.column_part if right else 1.0 - pair.column_part
        here = mine[pair.row + down, pair.column + right]
        there = theirs[pair.column + right, pair.row + down]
        part = pair.pot * (here[0] - there[0] + pair.lead * (here[1] + there[1]))
        part += pair.bet * (here[2] - there[2] + pair.lead * (here[3] + there[3]))
        gain += share * part
    return gain


@kernel
def gather(
    spot: Spot, public: Record, street: int, seat: int, focus: int, times: float, terms: Floats
) -> None:
    """Add what multiplies each number of the table in the value of a seat, so many times.

    Args:
        spot: as for `value`.
        public: the same.
        street: the same.
        seat: the same.
        focus: the seat.
        times: how often.
        terms: float64[2, 7, 8, 8, 4], added to.
    """
    if street == NO_BETTING or not public.live[focus]:
        return
    for other in range(public.num_seats):
        concerned = is_meant(seat, focus) or seat == other
        if concerned and other != focus and public.live[other]:
            gather_pair(spot, public, street, focus, other, times, terms)


@kernel
def gather_pair(
    spot: Spot, public: Record, street: int, one: int, other: int, times: float, terms: Floats
) -> None:
    """As `pair_value`, but what multiplies the numbers."""
    pair = look_at_pair(spot, public, one, other)
    kind = min(count_live(public) - 2, 1)
    mine = terms[kind, phase_of(spot, street, one, other)]
    theirs = terms[kind, phase_of(spot, street, other, one)]
    for place in range(4):
        down, right = place >> 1, place & 1
        share = pair.row_part if down else 1.0 - pair.row_part
        share *= times * (pair.column_part if right else 1.0 - pair.column_part)
        here = mine[pair.row + down, pair.column + right]
        there = theirs[pair.column + right, pair.row + down]
        here[0] += share * pair.pot
        there[0] -= share * pair.pot
        here[1] += share * pair.pot * pair.lead
        there[1] += share * pair.pot * pair.lead
        here[2] += share * pair.bet
        there[2] -= share * pair.bet
        here[3] += share * pair.bet * pair.lead
        there[3] += share * pair.bet * pair.lead
