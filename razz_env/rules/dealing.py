"""Dealing: the order of the deck, the streets, burn cards and the community card.

RULES 1, 6 and 10. A hand's cards come from the top of its deck; a hand made by `Hand.from_cards`
has a plan instead, whose cards are moved to the top as they are dealt. Where a live dealer mixes
the stub with the burn cards, the order they get is decided by the order of the deck.
"""

from razz_env._jit import kernel
from razz_env.rules.cards import NO_CARD
from razz_env.rules.random import below, mix, next_state, stream
from razz_env.rules.record import (
    CARDS_PER_SEAT,
    DOWN_CARDS,
    MAX_BURNS,
    MAX_SCRAMBLED,
    MAX_SEATS,
    UP_CARDS,
    Record,
)

PLAN_TOO_SHORT = 2
"""Value of `hand.planned` once a card was needed that the plan does not give."""

_SEVENTH_PLACE = CARDS_PER_SEAT - 1
_DECK_ROOM = 52


@kernel
def deck_size(hand: Record) -> int:
    """Number of cards in the deck: 52, fewer in the small variants."""
    return hand.public.rules.deck_ranks * hand.public.rules.deck_suits


@kernel
def fill_deck(hand: Record) -> None:
    """The deck in order: the lowest ranks and suits of the rules, then no cards."""
    suits, cards = hand.public.rules.deck_suits, deck_size(hand)
    for place in range(_DECK_ROOM):
        hand.deck[place] = place // suits * 4 + place % suits if place < cards else NO_CARD


@kernel
def shuffle(hand: Record) -> None:
    """Order the deck by the stream of the hand's (seed, table, index): Fisher-Yates."""
    fill_deck(hand)
    state = stream(hand.seed, hand.table, hand.index)
    for last in range(deck_size(hand) - 1, 0, -1):
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
    if hand.burns > 0:
        _clear_burns(hand)


@kernel
def _clear_burns(hand: Record) -> None:
    for place in range(MAX_BURNS):
        hand.burnt[place] = NO_CARD
    for place in range(MAX_SCRAMBLED):
        hand.scrambled[place] = NO_CARD
    hand.burns = 0
    hand.scrambled_cards = 0
    hand.scrambled_next = 0


@kernel
def cards_left(hand: Record) -> int:
    """Number of cards in the stub."""
    if hand.scrambled_cards:
        return hand.scrambled_cards - hand.scrambled_next
    return deck_size(hand) - hand.next_card


@kernel
def _top_card(hand: Record) -> int:
    """Take the next card of the stub."""
    if hand.scrambled_cards:
        hand.scrambled_next += 1
        return hand.scrambled[hand.scrambled_next - 1]
    hand.next_card += 1
    return hand.deck[hand.next_card - 1]


@kernel
def _bring_up(hand: Record, card: int) -> None:
    """Exchange the top card of the stub with another card of it."""
    if hand.scrambled_cards:
        place = hand.scrambled_next
        while hand.scrambled[place] != card:
            place += 1
        hand.scrambled[place] = hand.scrambled[hand.scrambled_next]
        hand.scrambled[hand.scrambled_next] = card
    else:
        place = hand.next_card
        while hand.deck[place] != card:
            place += 1
        hand.deck[place] = hand.deck[hand.next_card]
        hand.deck[hand.next_card] = card


@kernel
def _next_card(hand: Record, planned: int) -> int:
    if hand.planned and planned == NO_CARD:
        hand.planned = PLAN_TOO_SHORT
    elif hand.planned:
        _bring_up(hand, planned)
    return _top_card(hand)


@kernel
def _is_planned(hand: Record, card: int) -> bool:
    for seat in range(hand.public.num_seats):
        for place in range(CARDS_PER_SEAT):
            if hand.plan[seat, place] == card:
                return True
    return hand.plan_community == card


@kernel
def _burn(hand: Record) -> None:
    """Burn the top card; with planned cards, the first that the plan does not need."""
    if hand.planned and not hand.scrambled_cards:
        place = hand.next_card
        while place < deck_size(hand) - 1 and _is_planned(hand, hand.deck[place]):
            place += 1
        _bring_up(hand, hand.deck[place])
    hand.burnt[hand.burns] = _top_card(hand)
    hand.burns += 1


@kernel
def _scramble(hand: Record) -> None:
    """Mix the stub with the burn cards (RULES 6); the deck's order decides the new one."""
    state, cards = 0, 0
    for place in range(deck_size(hand)):
        state = mix(next_state(state ^ hand.deck[place]))
    for place in range(hand.next_card, deck_size(hand)):
        hand.scrambled[cards] = hand.deck[place]
        cards += 1
    for place in range(hand.burns):
        hand.scrambled[cards] = hand.burnt[place]
        cards += 1
    for last in range(cards - 1, 0, -1):
        state = next_state(state)
        other = below(state, last + 1)
        card = hand.scrambled[last]
        hand.scrambled[last] = hand.scrambled[other]
        hand.scrambled[other] = card
    hand.scrambled_cards = cards
    hand.next_card = deck_size(hand)


@kernel
def deal_third_street(hand: Record) -> None:
    """Down cards (two, in small variants perhaps one) and the door card, seat by seat."""
    public = hand.public
    for seat in range(public.num_seats):
        for place in range(public.rules.third_street):
            hand.down[seat, place] = _next_card(hand, hand.plan[seat, place])
        public.up[seat, 0] = _next_card(hand, hand.plan[seat, 2])


@kernel
def deal_up_cards(hand: Record) -> None:
    """Fourth, fifth or sixth street: one up card to every live seat."""
    public = hand.public
    if public.rules.burn_cards:
        _burn(hand)
    place = public.street - 3
    for seat in range(public.num_seats):
        if public.live[seat]:
            public.up[seat, place] = _next_card(hand, hand.plan[seat, place + 2])


@kernel
def _stub_serves(hand: Record) -> bool:
    """Whether every live seat gets a seventh card of its own (RULES 6).

    With burn cards the dealer wants two cards more than it deals: the burn and the last card of
    the deck. If the stub is short of that, it is mixed with the burn cards first.
    """
    live = 0
    for seat in range(hand.public.num_seats):
        live += hand.public.live[seat]
    if not hand.public.rules.burn_cards:
        return cards_left(hand) >= live
    serves = cards_left(hand) + hand.burns >= live + 2
    if cards_left(hand) < (live if serves else 1) + 2:
        _scramble(hand)
    _burn(hand)
    return serves


@kernel
def deal_seventh_street(hand: Record) -> None:
    """One down card to every live seat, or one community card for all when the stub is short."""
    public = hand.public
    if not _stub_serves(hand):
        public.community = _next_card(hand, hand.plan_community)
        return
    for seat in range(public.num_seats):
        if public.live[seat]:
            hand.down[seat, 2] = _next_card(hand, hand.plan[seat, _SEVENTH_PLACE])
