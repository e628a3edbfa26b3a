"""Finished hands again from the start, and a correction for everything that was left to chance."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat.prospects import Prospects
from agents.evaluation.aivat.spot import (
    EVERYBODY,
    Spot,
    clear_cards,
    count_money,
    count_unseen,
    give_card,
    look,
    new_spot,
)
from agents.evaluation.aivat.value import NO_BETTING, TABLE_SHAPE, Weights, gather, value
from razz_env._jit import kernel
from razz_env.rules.action_log import log_action
from razz_env.rules.betting import (
    SEVENTH,
    THIRD,
    count_can_bet,
    count_live,
    next_street,
    pass_turn,
    take_action,
)
from razz_env.rules.cards import NO_CARD, NUM_RANKS
from razz_env.rules.play import apply, start
from razz_env.rules.record import DOWN_CARDS, HAND, MAX_SEATS, Record
from razz_env.rules.terms import NUM_ACTIONS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


FIRST_DOWN, UP = 0, 2


class Room(NamedTuple):
    """What corrections are worked out with, one after the other.

    Attributes:
        known: the tables of prospects.
        weights: of the value function.
        spot: where the hand stands.
        saved: int64[5, 8], its cards before the one that is dealt.
        values: float64[13, 8], of every seat, by rank of that card or by action.
        after: HAND[1], the hand after an action.
        terms: float64[2, 7, 8, 8, 4], or of no places where nothing is fitted: what multiplies the
            numbers of the value function in the corrections of one seat.
        focus: int64[1], that seat.
        corrections: float64[8], of a hand while something is fitted.
        used: int64[M], to work with while something is fitted.
    """

    known: Prospects
    weights: Weights
    spot: Spot
    saved: Ints
    values: Floats
    after: NDArray[Any]
    terms: Floats
    focus: Ints
    corrections: Floats
    used: Ints


def new_room(known: Prospects, weights: Weights, fitted: bool = False) -> Room:
    """Room for the hands of one game."""
    return Room(
        known,
        weights,
        new_spot(),
        np.zeros((5, MAX_SEATS), np.int64),
        np.zeros((NUM_RANKS, MAX_SEATS)),
        np.zeros(1, HAND),
        np.zeros(TABLE_SHAPE if fitted else (0, 0, 0, 0, 0)),
        np.zeros(1, np.int64),
        np.zeros(MAX_SEATS),
        np.zeros(int(np.prod(TABLE_SHAPE)), np.int64),
    )


@kernel
def correct_each(
    hands: NDArray[Any],
    replayed: NDArray[Any],
    chances: Floats,
    room: Room,
    corrections: Floats,
) -> None:
    """Correct for all that was left to chance in finished hands.

    Args:
        hands: HAND[K], finished.
        replayed: HAND[K], copies of them, in which they are played again.
        chances: float64[K, L, 7], of the actions of each hand in the order of its log: what the
            player that acted told, and zeros where it told nothing.
        room: to work in.
        corrections: float64[K, 8], added to.
    """
    for row in range(len(hands)):
        correct_hand(hands[row], replayed[row], chances[row], room, corrections[row])


@kernel
def correct_hand(
    finished: Record, hand: Record, chances: Floats, room: Room, corrections: Floats
) -> None:
    """Correct for all that was left to chance in a hand, while a copy of it is played again."""
    begin(hand)
    street, length = 0, finished.public.log_length
    for place in range(length + 1):
        deal_streets(hand, street, room, corrections)
        if place < length:
            action = log_action(finished.public.log[place])
            if 0.0 < chances[place, action] < 1.0:
                correct_action(hand, action, chances[place], room, corrections)
            street = hand.public.street
            apply(hand, action)


@kernel
def begin(hand: Record) -> None:
    """Bring a finished hand back to its first decision."""
    hand.planned = 0  # what a plan gave lies in the deck in the order of the deal
    start(hand)


@kernel
def deal_streets(hand: Record, last: int, room: Room, corrections: Floats) -> None:
    """Correct for the cards of all streets after `last` (0: none was dealt) up to the hand's."""
    public = hand.public
    for street in range(max(last + 1, THIRD), public.street + 1):
        if public.rules.streets >> (street - THIRD) & 1:
            read_cards(room.spot, hand, street - 1)
            count_money(room.spot, public)
            betting = street if count_with_chips(room.spot, public) > 1 else NO_BETTING
            deal_street(hand, street, betting, room, corrections)


@kernel
def count_with_chips(spot: Spot, public: Record) -> int:
    """Number of live seats that have chips left, also after the chips of the hand were paid out."""
    seats = 0
    for seat in range(public.num_seats):
        if public.live[seat] and spot.behind[seat] > 0:
            seats += 1
    return seats


@kernel
def read_cards(spot: Spot, hand: Record, street: int) -> None:
    """The cards that were dealt up to a street, into the spot."""
    public = hand.public
    clear_cards(spot, public.rules)
    for seat in range(public.num_seats):
        for place in range(DOWN_CARDS):
            is_dealt = street == SEVENTH if place == 2 else street >= THIRD
            if is_dealt and hand.down[seat, place] != NO_CARD:
                give_card(spot, public, seat, hand.down[seat, place] >> 2, False)
        for place in range(min(street, SEVENTH - 1) - THIRD + 1):
            if public.up[seat, place] != NO_CARD:
                give_card(spot, public, seat, public.up[seat, place] >> 2, True)
    if street == SEVENTH and public.community != NO_CARD:
        give_card(spot, public, EVERYBODY, public.community >> 2, False)


@kernel
def deal_street(hand: Record, street: int, betting: int, room: Room, corrections: Floats) -> None:
    """Deal the cards of a street one by one, in the order of the deal, and correct for each."""
    public = hand.public
    for seat in range(EVERYBODY, public.num_seats):
        for place in range(FIRST_DOWN, UP + 1):
            card = card_of(hand, seat, street, place)
            if card != NO_CARD:
                deal_card(public, seat, card, place == UP, betting, room, corrections)


@kernel
def card_of(hand: Record, seat: int, street: int, place: int) -> int:
    """What a seat, or EVERYBODY, got on a street as its first or second down or as its up card."""
    public = hand.public
    if seat == EVERYBODY:
        is_community = street == SEVENTH and place == FIRST_DOWN
        return int(public.community) if is_community else NO_CARD
    if not public.live[seat]:
        return NO_CARD
    if place == UP:
        return int(public.up[seat, street - THIRD]) if street < SEVENTH else NO_CARD
    if street == SEVENTH:
        return int(hand.down[seat, 2]) if place == FIRST_DOWN else NO_CARD
    return int(hand.down[seat, place]) if street == THIRD else NO_CARD


@kernel
def deal_card(
    public: Record,
    seat: int,
    card: int,
    is_up: bool,
    street: int,
    room: Room,
    corrections: Floats,
) -> None:
    """Correct for one card, and deal it: the mean value over all ranks, less that of its own.

    Each rank is as likely as it has cards among those that no seat has got.
    """
    spot, values, taken = room.spot, room.values, card >> 2
    total = count_unseen(spot)
    look(spot, public, room.known, EVERYBODY)
    save_cards(spot, room.saved)
    for rank in range(NUM_RANKS):
        unseen = spot.unseen[rank]
        if unseen > 0:
            give_card(spot, public, seat, rank, is_up)
            look(spot, public, room.known, seat)
            value(spot, public, street, seat, room.weights, values[rank])
            times = unseen / total - (1.0 if rank == taken else 0.0)
            add_times(corrections, values[rank], times, public.num_seats)
            gather_if_fitted(public, street, seat, times, room)
            spot.unseen[rank] = unseen
            restore_cards(spot, room.saved)
    give_card(spot, public, seat, taken, is_up)


@kernel
def save_cards(spot: Spot, saved: Ints) -> None:
    """Keep what `give_card` changes, but for `unseen`."""
    for seat in range(MAX_SEATS):
        saved[0, seat], saved[1, seat] = spot.held[seat], spot.ranks[seat]
        saved[2, seat], saved[3, seat] = spot.up_held[seat], spot.up_ranks[seat]
        saved[4, seat] = spot.door[seat]


@kernel
def restore_cards(spot: Spot, saved: Ints) -> None:
    """Bring back what `save_cards` has kept."""
    for seat in range(MAX_SEATS):
        spot.held[seat], spot.ranks[seat] = saved[0, seat], saved[1, seat]
        spot.up_held[seat], spot.up_ranks[seat] = saved[2, seat], saved[3, seat]
        spot.door[seat] = saved[4, seat]


@kernel
def add_times(corrections: Floats, values: Floats, times: float, seats: int) -> None:
    """Add values, so many times."""
    for seat in range(seats):
        corrections[seat] += times * values[seat]


@kernel
def gather_if_fitted(public: Record, street: int, seat: int, times: float, room: Room) -> None:
    """While the value function is fitted, gather what its numbers are multiplied by."""
    if len(room.terms):
        gather(room.spot, public, street, seat, room.focus[0], times, room.terms)


@kernel
def correct_action(
    hand: Record, action: int, chances: Floats, room: Room, corrections: Floats
) -> None:
    """Correct for one action: the mean value over all actions, less that of the one taken."""
    read_cards(room.spot, hand, hand.public.street)
    look(room.spot, hand.public, room.known, EVERYBODY)
    after = room.after[0]
    for other in range(NUM_ACTIONS):
        times = chances[other] - (1.0 if other == action else 0.0)
        if times != 0.0:
            after.public = hand.public
            take_action(after.public, other)
            pass_turn(after.public)
            street = street_after(after.public)
            count_money(room.spot, after.public)
            value(room.spot, after.public, street, EVERYBODY, room.weights, room.values[other])
            add_times(corrections, room.values[other], times, after.public.num_seats)
            gather_if_fitted(after.public, street, EVERYBODY, times, room)


@kernel
def street_after(public: Record) -> int:
    """The street whose betting goes on, or is next; NO_BETTING if nobody has a decision."""
    if public.actor >= 0:
        return int(public.street)
    if count_live(public) < 2 or count_can_bet(public) < 2 or next_street(public) == 0:
        return NO_BETTING
    return next_street(public)
