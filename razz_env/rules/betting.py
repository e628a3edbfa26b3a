"""The betting round: who acts, what is legal, what it costs and what it does (RULES 3 to 5).

Everything here works on the public record alone, so legality is the same question for the engine,
for a mask and for a seat that only has its own view. `legal_actions` is the one truth of legality.
"""

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import inlined, kernel
from razz_env.rules.action_log import log_entry
from razz_env.rules.boards import highest_door, lowest_board
from razz_env.rules.record import LOG_SIZE, ONE_CALL, ONE_CHECK, ONE_RAISE, Record
from razz_env.rules.terms import Action, Street

FOLD, CHECK, CALL = int(Action.FOLD), int(Action.CHECK), int(Action.CALL)
BRING_IN, COMPLETE = int(Action.BRING_IN), int(Action.COMPLETE)
BET, RAISE = int(Action.BET), int(Action.RAISE)
THIRD, FIFTH, SEVENTH = int(Street.THIRD), int(Street.FIFTH), int(Street.SEVENTH)

# Numbers of options: indices of house_rules.CHOICES.
CALL_SHORT_BRING_IN = 1
NEXT_LEVEL, FULL_ON_TOP = 1, 2
LIFTED_WHEN_HEADS_UP, LIFTED_ROUND_HEADS_UP, LIFTED_TWO_SEATS = 1, 2, 3

_COUNTED = np.array([0, ONE_CHECK, ONE_CALL, ONE_CALL, ONE_RAISE, ONE_RAISE, ONE_RAISE])
"""What an action adds to its seat's `action_counts`; a fold is not counted."""


@inlined
def is_aggressive(action: int) -> bool:
    """Whether the action completes, bets or raises."""
    return action >= COMPLETE


@inlined
def next_seat(public: Record, seat: int) -> int:
    """The seat to the left."""
    return seat + 1 if seat + 1 < public.num_seats else 0


@inlined
def count_live(public: Record) -> int:
    """Number of seats that have cards."""
    live = 0
    for seat in range(public.num_seats):
        live += public.live[seat]
    return live


@inlined
def can_bet(public: Record, seat: int) -> bool:
    """Whether a seat is live and has chips."""
    return public.live[seat] == 1 and public.stack[seat] > 0


@inlined
def count_can_bet(public: Record) -> int:
    """Number of live seats that have chips."""
    seats = 0
    for seat in range(public.num_seats):
        seats += can_bet(public, seat)
    return seats


@inlined
def has_opponent_with_chips(public: Record, seat: int) -> bool:
    """Whether some live opponent of a seat has chips left and so could respond to a raise."""
    for other in range(public.num_seats):
        if other != seat and can_bet(public, other):
            return True
    return False


@inlined
def call_level(public: Record, seat: int) -> int:
    """Street total that a call makes, if the chips suffice.

    It is never more than some live opponent could still match (RULES 5): heads-up against an
    all-in bring-in of 9 the call is 9 even where the full bring-in is 10.
    """
    matchable = 0
    for other in range(public.num_seats):
        if other != seat and public.live[other]:
            matchable = max(matchable, public.street_chips[other] + public.stack[other])
            if matchable >= public.to_match:
                return public.to_match
    return matchable


@inlined
def to_call(public: Record, seat: int) -> int:
    """Chips that a call costs a seat now: all its stack if that is less; 0 if nothing is owed."""
    if public.street_chips[seat] >= public.to_match:
        return 0
    owed = call_level(public, seat) - public.street_chips[seat]
    return min(max(owed, 0), public.stack[seat])


@inlined
def bet_size(public: Record) -> int:
    """Small bet on third and fourth street, big bet from fifth on (RULES 2)."""
    return public.rules.small_bet if public.street < FIFTH else public.rules.big_bet


@inlined
def next_full_level(public: Record) -> int:
    """Street total of the next full completion, bet or raise."""
    return public.level + bet_size(public)


@inlined
def aggressive_action(public: Record) -> int:
    """The name an aggressive action bears now (RULES 3)."""
    if public.street == THIRD and public.bets == 0:
        return COMPLETE
    return BET if public.to_match == 0 else RAISE


@kernel
def _capped_actions(public: Record) -> int:
    """More actions than two players can take in a whole hand of capped rounds.

    A round has a check and an answer to each of its bets, and a seat is all-in once.
    """
    return 5 * (public.rules.max_bets_per_round + 3)


@kernel
def cap_is_lifted(public: Record) -> bool:
    """Whether two players may raise on past the cap (RULES 8, `heads_up_cap`).

    Two players means two that are not all-in. The cap holds again when the rest of the action log
    is only just enough for a hand with capped rounds.
    """
    mode = public.rules.heads_up_cap
    if mode == 0 or public.log_length >= LOG_SIZE - _capped_actions(public):
        return False
    if mode == LIFTED_WHEN_HEADS_UP:
        return count_can_bet(public) == 2 and not public.capped_multiway
    if mode == LIFTED_ROUND_HEADS_UP:
        return public.round_seats == 2
    return public.num_seats == 2


@inlined
def may_raise(public: Record, seat: int, owed: int) -> bool:
    """Whether the seat to act, who owes so much, may complete, bet or raise, or all-in for less.

    Not at the cap, not twice on the same level (RULES 5, short all-ins), not without more chips
    than the call, and not when no opponent could respond.
    """
    return (
        (public.bets < public.rules.max_bets_per_round or cap_is_lifted(public))
        and not public.acted[seat]
        and public.stack[seat] > owed
        and has_opponent_with_chips(public, seat)
    )


@inlined
def legal_actions(public: Record, mask: NDArray[np.int8]) -> None:
    """Write 1 for each legal action of the seat to act into mask int8[7], 0 for the others."""
    mask[:] = 0
    seat = public.actor
    if seat < 0:
        return
    if public.must_open:
        _opening_actions(public, seat, mask)
        return
    owed = to_call(public, seat)
    if owed > 0:
        mask[FOLD] = 1
        mask[CALL] = 1
    else:
        mask[CHECK] = 1
        mask[FOLD] = public.rules.fold_when_check_is_free
    if may_raise(public, seat, owed):
        mask[aggressive_action(public)] = 1


@kernel
def _opening_actions(public: Record, seat: int, mask: NDArray[np.int8]) -> None:
    """RULES 3: bring in or complete; only a seat that opens for an all-in door may fold (5)."""
    mask[BRING_IN] = 1
    if public.stack[seat] > public.rules.bring_in:
        mask[COMPLETE] = 1
    if seat != public.first_to_act:
        mask[FOLD] = public.rules.all_in_bring_in_may_fold


@inlined
def action_chips(public: Record, seat: int, action: int) -> int:
    """Chips that a legal action puts in."""
    if action == CALL:
        return to_call(public, seat)
    if action == BRING_IN:
        return min(public.rules.bring_in, public.stack[seat])
    if is_aggressive(action):
        return min(next_full_level(public) - public.street_chips[seat], public.stack[seat])
    return 0


@inlined
def put_in(public: Record, seat: int, chips: int) -> None:
    """Move chips from a stack into the pot, as a wager of this street."""
    public.stack[seat] -= chips
    public.street_chips[seat] += chips
    public.total_chips[seat] += chips


@inlined
def take_action(public: Record, action: int) -> None:
    """Carry out a legal action of the seat to act; the turn is passed by the caller."""
    seat = public.actor
    _log(public, seat, action)
    if action == FOLD:
        public.live[seat] = 0
        return
    put_in(public, seat, action_chips(public, seat, action))
    if action == BRING_IN:
        _bring_in(public, seat)
    elif is_aggressive(action):
        _carry_out_raise(public, seat)
    public.acted[seat] = 1


@inlined
def _log(public: Record, seat: int, action: int) -> None:
    public.log[np.uintp(public.log_length)] = log_entry(seat, action)
    public.log_length += 1
    public.action_counts[public.street - 3, seat] += _COUNTED[np.uintp(action)]


@inlined
def _bring_in(public: Record, seat: int) -> None:
    """The bring-in is no bet for the cap; a short one must still be called in full (RULES 5)."""
    public.must_open = 0
    public.to_match = public.rules.bring_in
    if public.rules.short_bring_in_call == CALL_SHORT_BRING_IN:
        public.to_match = public.street_chips[seat]


@inlined
def _carry_out_raise(public: Record, seat: int) -> None:
    """A seat has completed, bet or raised to its street total, all-in perhaps for less."""
    public.must_open = 0
    total = public.street_chips[seat]
    public.to_match = max(public.to_match, total)
    public.aggressor[public.street - 3] = seat
    if total == next_full_level(public):
        _new_level(public, total)
    else:
        _short_all_in(public, total)


@inlined
def _new_level(public: Record, level: int) -> None:
    """A full bet stands: it uses one of the cap and everyone may act on it."""
    public.level = level
    _count_bet(public)
    for seat in range(public.num_seats):
        public.acted[seat] = 0


@kernel
def _count_bet(public: Record) -> None:
    public.bets += 1
    if public.bets == public.rules.max_bets_per_round:
        raiser = public.aggressor[public.street - 3]
        others = count_can_bet(public) - can_bet(public, raiser)
        public.capped_multiway = 1 if others > 1 else 0


@kernel
def _short_all_in(public: Record, total: int) -> None:
    """An all-in of less than a full raise, by the option `short_all_in_raise` (RULES 5)."""
    mode = public.rules.short_all_in_raise
    if mode == FULL_ON_TOP:
        public.level = total
        _count_bet(public)
    elif 2 * (total - public.level) >= bet_size(public):
        _new_level(public, next_full_level(public) if mode == NEXT_LEVEL else total)


@inlined
def must_act(public: Record, seat: int) -> bool:
    """Whether a seat still has a decision on this street."""
    if not can_bet(public, seat):
        return False
    if to_call(public, seat) > 0:
        return True
    return public.acted[seat] == 0 and has_opponent_with_chips(public, seat)


@inlined
def find_actor(public: Record, start: int) -> int:
    """First seat from `start` clockwise that has a decision, -1 when the round is over."""
    seat = start
    for _ in range(public.num_seats):
        if must_act(public, seat):
            return seat
        seat = next_seat(public, seat)
    return -1


@kernel
def find_opener(public: Record, start: int) -> int:
    """First seat from `start` clockwise that can bring in, -1 when fewer than two can bet."""
    if count_can_bet(public) < 2:
        return -1
    seat = start
    while not can_bet(public, seat):
        seat = next_seat(public, seat)
    return seat


@kernel
def next_street(public: Record) -> int:
    """The street that is played after this one, 0 if it is the last."""
    for street in range(public.street + 1, SEVENTH + 1):
        if (public.rules.streets >> (street - 3)) & 1:
            return street
    return 0


@kernel
def open_round(public: Record) -> None:
    """Begin the betting of the street that has just been dealt."""
    for seat in range(public.num_seats):
        public.street_chips[seat] = 0
        public.acted[seat] = 0
    public.level = 0
    public.to_match = 0
    public.bets = 0
    public.capped_multiway = 0
    public.round_seats = count_can_bet(public)
    public.street_start[public.street - 3] = public.log_length
    if public.street == THIRD:
        public.first_to_act = highest_door(public)
        public.actor = find_opener(public, public.first_to_act)
        public.bring_in_seat = public.actor
        public.must_open = 1 if public.actor >= 0 else 0
        return
    public.first_to_act = lowest_board(public)
    public.actor = find_actor(public, public.first_to_act)


@inlined
def pass_turn(public: Record) -> None:
    """After an action: the next seat to act, or -1 when the round is over."""
    following = next_seat(public, public.actor)
    if public.must_open:  # the opener for an all-in door has folded: the duty passes to the left
        public.actor = find_opener(public, following)
        public.bring_in_seat = public.actor
        public.must_open = 1 if public.actor >= 0 else 0
    else:
        public.actor = find_actor(public, following)
