"""Dealing: the order of the deck, third street, the later streets and the community card.

RULES 1 and 6. A hand's cards come from the top of its deck; a hand made by `Hand.from_cards` has a
plan instead, whose cards are moved to the top of the deck as they are dealt, so that in the end
the deck alone tells how the hand was dealt.
"""

from razz_env._jit import kernel
from razz_env.rules.cards import NO_CARD
from razz_env.rules.random import below, next_state, stream
from razz_env.rules.record import CARDS_PER_SEAT, DOWN_CARDS, MAX_SEATS, UP_CARDS, Record

PLAN_TOO_SHORT = 2
"""Value of `hand.planned` once a card was needed that the plan does not give."""

_SEVENTH_PLACE = CARDS_PER_SEAT - 1


@kernel
def shuffle(hand: Record) -> None:
    """Order the deck by the stream of the hand's (seed, table, index): Fisher-Yates."""
    for card in range(52):
        hand.deck[card] = card
    state = stream(hand.seed, hand.table, hand.index)
    for last in range(51, 0, -1):
        state = next_state(state)
        other = below(state, last + 1)
        hand.deck[last], hand.deck[other] = hand.deck[other], hand.deck[last]


@kernel
def clear_cards(hand: Record) -> None:
    """Take all cards from the table: nothing of the hand before may stay in the record."""
    public = hand.public
    for seat in range(MAX_SEATS):
        for place in range(UP_CARDS):
            public.up[seat, place] = NO_CARD
        for place in range(DOWN_CARDS):
            public.shown_down[seat, place] = NO_CARD
            hand.down[seat, place] = NO_CARD
        public.shown[seat] = 0
        hand.low[seat] = 0
    public.community = NO_CARD
    hand.next_card = 0


@kernel
def _next_card(hand: Record, planned: int) -> int:
    if hand.planned and planned == NO_CARD:
        hand.planned = PLAN_TOO_SHORT
    elif hand.planned:
        place = hand.next_card
        while hand.deck[place] != planned:
            place += 1
        hand.deck[place] = hand.deck[hand.next_card]
        hand.deck[hand.next_card] = planned
    card = hand.deck[hand.next_card]
    hand.next_card += 1
    return card


@kernel
def deal_third_street(hand: Record) -> None:
    """Two down cards and the door card to every seat, in seat order."""
    public = hand.public
    for seat in range(public.num_seats):
        hand.down[seat, 0] = _next_card(hand, hand.plan[seat, 0])
        hand.down[seat, 1] = _next_card(hand, hand.plan[seat, 1])
        public.up[seat, 0] = _next_card(hand, hand.plan[seat, 2])


@kernel
def deal_up_cards(hand: Record) -> None:
    """Fourth, fifth or sixth street: one up card to every live seat."""
    public = hand.public
    place = public.street - 3
    for seat in range(public.num_seats):
        if public.live[seat]:
            public.up[seat, place] = _next_card(hand, hand.plan[seat, place + 2])


@kernel
def stub_is_short(hand: Record) -> bool:
    """Whether the stub has too few cards to give every live seat a seventh one (RULES 6)."""
    live = 0
    for seat in range(hand.public.num_seats):
        live += hand.public.live[seat]
    return 52 - hand.next_card < live


@kernel
def deal_seventh_street(hand: Record) -> None:
    """One down card to every live seat, or one community card for all when the stub is short."""
    public = hand.public
    if stub_is_short(hand):
        public.community = _next_card(hand, hand.plan_community)
        return
    for seat in range(public.num_seats):
        if public.live[seat]:
            hand.down[seat, 2] = _next_card(hand, hand.plan[seat, _SEVENTH_PLACE])
