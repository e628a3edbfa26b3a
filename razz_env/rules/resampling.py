"""Hands that a seat cannot tell from the one it plays: what it has not seen is drawn anew.

A hand follows from rules, stacks, deck and actions. So a deck is drawn that agrees with every card
the seat has seen, uniformly among all such decks, the hand is played again with the actions taken,
and kept if the seat has seen the same. It always has, but where a hand was mucked at the showdown,
which tells that it was beaten: there decks are drawn until one agrees, so that the distribution is
the exact one everywhere. The actions of others do not weigh: the prior is that of the deal.

Where the stub was mixed with the burn cards (RULES 6), any of these may be any card that came on
seventh street. So the cards are drawn without places for burn cards, and the hand gets them by a
plan, as in `Hand.from_cards`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.rules.action_log import log_action, log_seat
from razz_env.rules.betting import FOLD, SEVENTH, THIRD
from razz_env.rules.cards import DECK_SIZE, NO_CARD
from razz_env.rules.dealing import clear_burns, deck_size, fill_deck, must_mix, serves_seventh
from razz_env.rules.play import apply, start
from razz_env.rules.random import mix_cards
from razz_env.rules.record import (
    CARDS_PER_SEAT,
    DOWN_CARDS,
    HAND,
    MAX_SEATS,
    SEAT_VIEW,
    SHOWN,
    UP_CARDS,
    Record,
)

TRIES = 1_000_000
"""Decks that are tried; a hand whose public part no deck can explain was not dealt by the rules."""

_FOURTH, _SIXTH = 4, 6


def resample_views(views: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """One full record for each view: a hand as it may be, given what the seat knows.

    Args:
        views: SEAT_VIEW[K], as from `Hand.view` or `TableBatch.views`.
        rng: draws a seed for each row.

    Returns:
        HAND[K]. The records are as `Hand.deal(deck=...)` makes them: cards to come follow in the
        order of `deck`, and seed, table and index are 0. Where the stub has been mixed they have a
        plan, as `Hand.from_cards` makes it.

    Raises:
        TypeError: another dtype of views.
        ValueError: a view that no hand can have come to.
    """
    if getattr(views, "dtype", None) != SEAT_VIEW or np.ndim(views) != 1:
        raise TypeError("resample_views takes an array [K] of seats' views (dtype SEAT_VIEW).")
    hands = np.zeros(len(views), HAND)
    hands["burnt"] = hands["scrambled"] = NO_CARD
    seeds = rng.integers(2**63, size=len(views))
    known, unseen = np.zeros(DECK_SIZE, np.int8), np.zeros(DECK_SIZE, np.int8)
    row = int(_resample_rows(views, seeds, known, unseen, hands))
    if row < len(views):
        raise ValueError(
            f"View {row} is of no hand that the rules can have dealt: no deck leads to it."
        )
    return hands


@kernel
def _resample_rows(
    views: Record,
    seeds: NDArray[np.int64],
    known: NDArray[np.int8],
    unseen: NDArray[np.int8],
    hands: Record,
) -> int:
    """Fill every row of `hands`; the number of rows done before one had no deck."""
    for row in range(len(views)):
        if not _resample(views[row], seeds[row], known, unseen, hands[row]):
            return row
    return len(views)


@kernel
def _resample(
    view: Record,
    seed: int,
    known: NDArray[np.int8],
    unseen: NDArray[np.int8],
    hand: Record,
) -> bool:
    """Draw decks until one leads to the view. `known` and `unseen` int8[52] are room to work in."""
    hand.public = view.public
    fill_deck(hand)
    size = deck_size(hand)
    if _retrace(view, hand, known) > size:
        return False
    count, state = _find_unseen(hand, known, unseen), seed
    for _ in range(TRIES):
        state = mix_cards(unseen, count, state)
        taken = 0
        for place in range(size):
            hand.deck[place] = known[place]
            if known[place] == NO_CARD:
                hand.deck[place] = unseen[taken]
                taken += 1
        if hand.planned:
            _plan_in_order(view, hand)
        _play_again(view, hand)
        if _is_seen(view, hand):
            return True
    return False


@kernel
def _find_unseen(hand: Record, known: NDArray[np.int8], unseen: NDArray[np.int8]) -> int:
    """The cards of the deck that stand at no known place, into `unseen`; how many."""
    seen, count = 0, 0
    for place in range(len(known)):
        if known[place] != NO_CARD:
            seen |= 1 << known[place]
    for place in range(deck_size(hand)):
        card = hand.deck[place]
        if not seen >> card & 1:
            unseen[count] = card
            count += 1
    return count


@kernel
def _retrace(view: Record, hand: Record, known: NDArray[np.int8]) -> int:
    """Write the cards that the seat has seen to their places in the deck, no card elsewhere.

    `hand` has the deck in order and the public part of the view. It is marked as planned where the
    stub was mixed: then there are no places for burn cards.

    Returns:
        how many cards have been dealt; more than the deck has if the view cannot be.
    """
    public, burn = hand.public, hand.public.rules.burn_cards
    place = _retrace_to_sixth(view, known, burn)
    if public.street < SEVENTH or place > deck_size(hand):
        return place
    hand.next_card = place
    hand.burns = burn * _streets_with_burns(public)
    _seat_live_before_seventh(view, public)
    serves = serves_seventh(hand)
    if must_mix(hand):
        hand.planned = 1
        place = _retrace_to_sixth(view, known, 0)
    else:
        place += burn
    if not serves:
        return _place_card(known, place, public.community)
    for seat in range(public.num_seats):
        if public.live[seat]:
            place = _place_card(known, place, _down_card(view, seat, DOWN_CARDS - 1))
    return place


@kernel
def _place_card(known: NDArray[np.int8], place: int, card: int) -> int:
    """Write a card to its place, if there is one; the place after it."""
    if place < len(known):
        known[place] = card
    return place + 1


@kernel
def _retrace_to_sixth(view: Record, known: NDArray[np.int8], burn: int) -> int:
    """The places of the cards up to sixth street; how many have been dealt."""
    public, place = view.public, 0
    known[:] = NO_CARD
    for seat in range(public.num_seats):
        for down in range(public.rules.third_street):
            place = _place_card(known, place, _down_card(view, seat, down))
        place = _place_card(known, place, public.up[seat, 0])
    for street in range(_FOURTH, min(public.street, _SIXTH) + 1):
        if public.rules.streets >> (street - THIRD) & 1:
            place += burn
            for seat in range(public.num_seats):
                if public.up[seat, street - THIRD] != NO_CARD:
                    place = _place_card(known, place, public.up[seat, street - THIRD])
    return place


@kernel
def _streets_with_burns(public: Record) -> int:
    """Streets from fourth to sixth that have been dealt."""
    streets = 0
    for street in range(_FOURTH, min(public.street, _SIXTH) + 1):
        streets += (public.rules.streets >> (street - THIRD)) & 1
    return streets


@kernel
def _seat_live_before_seventh(view: Record, public: Record) -> None:
    """The seats that seventh street is dealt to: folds after it are undone."""
    seen = view.public
    for seat in range(seen.num_seats):
        public.live[seat] = seen.live[seat]
    for place in range(seen.street_start[SEVENTH - THIRD], seen.log_length):
        if log_action(seen.log[place]) == FOLD:
            public.live[log_seat(seen.log[place])] = 1


@kernel
def _plan_in_order(view: Record, hand: Record) -> None:
    """Plan the cards of the deck, in order, for a hand whose stub is mixed."""
    public, place = view.public, 0
    for seat in range(public.num_seats):
        for down in range(public.rules.third_street):
            hand.plan[seat, down] = hand.deck[place]
            place += 1
        hand.plan[seat, 2] = hand.deck[place]
        place += 1
    for street in range(_FOURTH, _SIXTH + 1):
        for seat in range(public.num_seats):
            hand.plan[seat, street - 1] = NO_CARD
            if public.up[seat, street - THIRD] != NO_CARD:
                hand.plan[seat, street - 1] = hand.deck[place]
                place += 1
    _seat_live_before_seventh(view, hand.public)
    hand.plan_community = public.community
    for seat in range(public.num_seats):
        hand.plan[seat, CARDS_PER_SEAT - 1] = NO_CARD
        if hand.public.live[seat] and public.community == NO_CARD:
            hand.plan[seat, CARDS_PER_SEAT - 1] = hand.deck[place]
            place += 1


@kernel
def _down_card(view: Record, seat: int, place: int) -> int:
    """A down card as far as the viewer has seen it, else no card."""
    if seat == view.seat:
        return view.down[place]
    public = view.public
    return public.shown_down[seat, place] if public.shown[seat] == SHOWN else NO_CARD


@kernel
def _play_again(view: Record, hand: Record) -> None:
    """The view's actions from the deal on, as far as there is anyone to take them."""
    clear_burns(hand)
    start(hand)
    for place in range(view.public.log_length):
        if hand.public.actor != log_seat(view.public.log[place]):
            return
        apply(hand, log_action(view.public.log[place]))


@kernel
def _is_seen(view: Record, hand: Record) -> bool:
    """Whether the viewer has seen the same, where a deck that agrees with `_retrace` may differ."""
    seen, public = view.public, hand.public
    if public.log_length != seen.log_length or public.actor != seen.actor:
        return False
    if public.community != seen.community or public.street != seen.street:
        return False
    for place in range(DOWN_CARDS):
        if hand.down[view.seat, place] != view.down[place]:
            return False
    for seat in range(MAX_SEATS):
        if public.shown[seat] != seen.shown[seat] or public.stack[seat] != seen.stack[seat]:
            return False
        for place in range(UP_CARDS):
            if public.up[seat, place] != seen.up[seat, place]:
                return False
        for place in range(DOWN_CARDS):
            if public.shown_down[seat, place] != seen.shown_down[seat, place]:
                return False
    return True
