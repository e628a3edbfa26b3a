"""Dealing: the order of the deck, the streets, burn cards and the community card.

RULES 1, 6 and 10. A hand's cards come from the top of its deck; a hand made by `Hand.from_cards`
has a plan instead, whose cards are moved to the top as they are dealt. Where a live dealer mixes
the stub with the burn cards, the order they get is decided by the order of the deck.
"""

import numpy as np

from razz_env._jit import inlined, kernel, scratch
from razz_env.rules.betting import SEVENTH, THIRD, count_live
from razz_env.rules.cards import DECK_SIZE, NO_CARD
from razz_env.rules.random import below, mix, mix_cards, next_state, stream
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
"""Value of `hand.planned` once a card was needed that the plan does not give, or not any more."""

_SEVENTH_PLACE = CARDS_PER_SEAT - 1
_SUITS = 4
_DRAWN = np.dtype([("places", "i1", (DECK_SIZE,))])


@kernel
def deck_size(hand: Record) -> int:
    """Number of cards in the deck: 52, fewer in the small variants."""
    return hand.public.rules.deck_ranks * hand.public.rules.deck_suits


@kernel
def fill_deck(hand: Record) -> None:
    """The deck in order: the lowest ranks and suits of the rules, then no cards."""
    for card in range(DECK_SIZE):
        hand.deck[card] = card
    size = deck_size(hand)
    if size < DECK_SIZE:
        suits = hand.public.rules.deck_suits
        for place in range(size):
            hand.deck[place] = place // suits * _SUITS + place % suits
        for place in range(size, DECK_SIZE):
            hand.deck[place] = NO_CARD


@kernel
def shuffle(hand: Record) -> None:
    """Order the deck by the stream of the hand's (seed, table, index): Fisher-Yates.

    All places are drawn before the first card moves, which lets the compiler draw several at once.
    """
    fill_deck(hand)
    drawn, deck, last = scratch(_DRAWN).places, hand.deck, deck_size(hand) - 1
    state = stream(hand.seed, hand.table, hand.index)
    for place in range(last):
        state = next_state(state)
        drawn[place] = below(state, last + 1 - place)
    for place in range(last):
        one, other = np.uintp(last - place), np.uintp(drawn[place])
        deck[one], deck[other] = deck[other], deck[one]


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
        clear_burns(hand)


@kernel
def clear_burns(hand: Record) -> None:
    """Forget the burn cards, and a stub that they were mixed with."""
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


@inlined
def _top_card(hand: Record) -> int:
    """Take the next card of the stub."""
    if hand.scrambled_cards:
        hand.scrambled_next += 1
        return hand.scrambled[hand.scrambled_next - 1]
    hand.next_card += 1
    return hand.deck[hand.next_card - 1]


@kernel
def _stub_card(hand: Record, place: int) -> int:
    """A card of the stub; 0 is the top."""
    if hand.scrambled_cards:
        return hand.scrambled[hand.scrambled_next + place]
    return hand.deck[hand.next_card + place]


@kernel
def _exchange(hand: Record, first: int, second: int) -> None:
    """Exchange two cards of the stub; 0 is the top."""
    if hand.scrambled_cards:
        first += hand.scrambled_next
        second += hand.scrambled_next
        card = hand.scrambled[first]
        hand.scrambled[first] = hand.scrambled[second]
        hand.scrambled[second] = card
    else:
        first += hand.next_card
        second += hand.next_card
        card = hand.deck[first]
        hand.deck[first] = hand.deck[second]
        hand.deck[second] = card


@kernel
def _find(hand: Record, card: int) -> int:
    """Place of a card in the stub; the number of cards left if it is not there."""
    place = 0
    while place < cards_left(hand) and _stub_card(hand, place) != card:
        place += 1
    return place


@kernel
def lay_card(hand: Record, place: int, card: int) -> None:
    """Bring a card of the stub to this place in it; the card there takes the other's."""
    _exchange(hand, place, _find(hand, card))


@kernel
def _bring_planned(hand: Record, planned: int) -> None:
    """Bring the card that the plan gives to the top of the stub."""
    place = _find(hand, planned)
    if planned == NO_CARD or place == cards_left(hand):
        hand.planned = PLAN_TOO_SHORT
    else:
        _exchange(hand, 0, place)


@inlined
def _next_card(hand: Record, planned: int) -> int:
    """The top card of the stub; if the hand has a plan, the card it gives, brought to the top."""
    if hand.planned:
        _bring_planned(hand, planned)
    return _top_card(hand)


@kernel
def _is_needed(hand: Record, card: int, places: int) -> bool:
    """Whether the plan still gives a card to a live seat, among its first `places` cards."""
    for seat in range(hand.public.num_seats):
        for place in range(places):
            if hand.public.live[seat] and hand.plan[seat, place] == card:
                return True
    return hand.plan_community == card


@kernel
def _choose_burn(hand: Record) -> int:
    """Place in the stub of the card to burn: one that the plan does not need.

    If there is none, one that it gives for seventh street, where the stub may be short anyway.
    """
    for places in (CARDS_PER_SEAT, _SEVENTH_PLACE):
        for place in range(cards_left(hand)):
            if not _is_needed(hand, _stub_card(hand, place), places):
                return place
    return 0


@kernel
def _burn(hand: Record) -> None:
    """Burn the top card; in a hand with a plan, a card that it does not need."""
    if hand.planned:
        _exchange(hand, 0, _choose_burn(hand))
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
    mix_cards(hand.scrambled, cards, state)
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
def serves_seventh(hand: Record) -> bool:
    """Whether every live seat gets a card of its own on seventh street (RULES 6).

    With burn cards the dealer wants two cards more than it deals: the burn and the last card of
    the deck. If the stub is short of that, it is mixed with the burn cards first.
    """
    if not hand.public.rules.burn_cards:
        return cards_left(hand) >= count_live(hand.public)
    return cards_left(hand) + hand.burns >= count_live(hand.public) + 2


@kernel
def must_mix(hand: Record) -> bool:
    """Whether the stub is to be mixed with the burn cards before seventh street (RULES 6)."""
    if not hand.public.rules.burn_cards:
        return False
    return cards_left(hand) < (count_live(hand.public) if serves_seventh(hand) else 1) + 2


@kernel
def cards_due(hand: Record, street: int) -> int:
    """How many cards of the deck, in its order, the dealing of a street takes, burn included.

    On seventh street those after mixing are meant if the stub must be mixed, without the burn.
    """
    public = hand.public
    if street == THIRD:
        return public.num_seats * (public.rules.third_street + 1)
    cards = count_live(hand.public)
    if street == SEVENTH and not serves_seventh(hand):
        cards = 1
    if public.rules.burn_cards and not (street == SEVENTH and must_mix(hand)):
        cards += 1
    return cards


@kernel
def deal_seventh_street(hand: Record) -> None:
    """One down card to every live seat, or one community card for all when the stub is short."""
    public = hand.public
    serves = serves_seventh(hand)
    if must_mix(hand):
        _scramble(hand)
    if public.rules.burn_cards:
        _burn(hand)
    if not serves:
        public.community = _next_card(hand, hand.plan_community)
        return
    for seat in range(public.num_seats):
        if public.live[seat]:
            hand.down[seat, 2] = _next_card(hand, hand.plan[seat, _SEVENTH_PLACE])
