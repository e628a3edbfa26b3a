"""Reading the table from one seat: ranks held and shown, cards gone, who is in and at what price.

Small compiled functions over one SeatView or its public part. A set, of ranks or of seats, is an
integer with bit i set for member i: in Razz a second card of a rank is of no use, so the ranks of
a hand are a set.
"""

from razz_env._jit import inlined, kernel
from razz_env.rules.action_log import log_action, log_seat
from razz_env.rules.betting import BRING_IN, CALL, SEVENTH, THIRD, to_call
from razz_env.rules.cards import NO_CARD
from razz_env.rules.lowball import PLAYED_CARDS, count_rank
from razz_env.rules.record import (
    CALLS_PLACE,
    COUNT_MASK,
    DOWN_CARDS,
    MAX_SEATS,
    ONE_CHECK,
    RAISES_PLACE,
    UP_CARDS,
    Record,
)

KING = 12
NUM_STREETS = SEVENTH - THIRD + 1

_LOW_NIBBLES = 0x000F0F0F0F0F0F0F  # of the seven bytes that hold thirteen ranks
_ONES = 0x0001010101010101


@inlined
def count_up_to(members: int, last: int) -> int:
    """How many of the set's members are no greater than `last`."""
    left, count = members & ((2 << last) - 1), 0
    while left:  # LLVM makes one instruction of this
        left &= left - 1
        count += 1
    return count


@kernel
def count_seats(seats: int) -> int:
    """Size of a set of seats."""
    return count_up_to(seats, MAX_SEATS - 1)


@kernel
def add_rank(ranks: int, card: int) -> int:
    """The set with the rank of one more card, if there is a card."""
    return ranks if card == NO_CARD else ranks | 1 << (card >> 2)


@kernel
def board_ranks(public: Record, seat: int) -> int:
    """Set of the ranks that a seat shows, and of the community card if there is one."""
    ranks = add_rank(0, public.community)
    for place in range(UP_CARDS):
        ranks = add_rank(ranks, public.up[seat, place])
    return ranks


@kernel
def own_ranks(view: Record) -> int:
    """Set of the ranks in the own hand."""
    ranks = board_ranks(view.public, view.seat)
    for place in range(DOWN_CARDS):
        ranks = add_rank(ranks, view.down[place])
    return ranks


@kernel
def door_rank(public: Record, seat: int) -> int:
    """Rank of a seat's door card, its first up card."""
    return int(public.up[seat, 0] >> 2)


@inlined
def streets_to_come(public: Record) -> int:
    """Number of streets that the rules still have after this one."""
    return count_up_to(public.rules.streets >> (public.street - THIRD + 1), NUM_STREETS)


@inlined
def low_size(rules: Record) -> int:
    """Number of cards that a low is made of: five, or a whole hand of fewer (RULES 10)."""
    cards = int(rules.third_street) + count_up_to(rules.streets, NUM_STREETS)
    return min(cards, PLAYED_CARDS)


@kernel
def add_seen(seen: int, card: int) -> int:
    """The counts with one more card, if there is a card."""
    return seen if card == NO_CARD else count_rank(seen, card)


@kernel
def seen_cards(view: Record) -> int:
    """How many cards of each rank this seat has seen, packed as by `lowball.count_rank`.

    Its own cards and every up card ever shown, those of folded seats too: none of them can come.
    """
    public = view.public
    seen = add_seen(0, public.community)
    for place in range(DOWN_CARDS):
        seen = add_seen(seen, view.down[place])
    for seat in range(public.num_seats):
        for place in range(UP_CARDS):
            seen = add_seen(seen, public.up[seat, place])
    return seen


@inlined
def live_cards(rules: Record, seen: int, ranks: int, top: int) -> int:
    """How many cards no higher than rank `top` and of none of these `ranks` may still come."""
    return count_cards(live_by_rank(rules, seen, ranks), top)


@inlined
def live_of_rank(rules: Record, seen: int, rank: int) -> int:
    """How many cards of one rank may still come; none of a rank that the deck lacks."""
    dealt = int(rules.deck_suits) if rank < rules.deck_ranks else 0
    return dealt - (seen >> 4 * rank & 15)


@inlined
def live_by_rank(rules: Record, seen: int, ranks: int) -> int:
    """How many cards of every rank but these `ranks` may still come, packed as `seen_cards`."""
    useful = in_nibbles(~ranks & ((1 << rules.deck_ranks) - 1))
    live: int = useful * rules.deck_suits - (seen & useful * 15)
    return live


@inlined
def count_cards(cards: int, top: int) -> int:
    """How many of the cards, packed as `seen_cards`, are no higher than rank `top`."""
    left = cards & ((16 << 4 * top) - 1)
    pairs = (left & _LOW_NIBBLES) + (left >> 4 & _LOW_NIBBLES)
    count: int = pairs * _ONES >> 48 & 255  # the seventh byte of the product is the sum of them all
    return count


@inlined
def unseen_cards(rules: Record, seen: int) -> int:
    """How many cards of the deck this seat has not seen."""
    deck = int(rules.deck_ranks) * int(rules.deck_suits)
    return deck - count_cards(seen, KING)


@inlined
def in_nibbles(ranks: int) -> int:
    """A set of ranks with four bits for each: 1 where the rank is in it."""
    spread = (ranks | ranks << 24) & 0x000000FF000000FF
    spread = (spread | spread << 12) & 0x000F000F000F000F
    spread = (spread | spread << 6) & 0x0303030303030303
    return (spread | spread << 3) & 0x1111111111111111


@kernel
def live_rivals(view: Record) -> int:
    """Set of the other seats that have cards."""
    rivals = 0
    for seat in range(view.public.num_seats):
        if seat != view.seat and view.public.live[seat]:
            rivals |= 1 << seat
    return rivals


@kernel
def willing_seats(public: Record) -> int:
    """Set of the seats that have put chips in by their own will: more than ante and bring-in."""
    seats = 0
    for place in range(public.log_length):
        action = log_action(public.log[place])
        if action >= CALL and action != BRING_IN:
            seats |= 1 << log_seat(public.log[place])
    return seats


@kernel
def count_actions(public: Record, seat: int, street: int) -> tuple[int, int, int]:
    """A seat's checks, calls (the bring-in is one) and bets on a street (0 third .. 4 seventh)."""
    counts = int(public.action_counts[street, seat])
    calls, bets = counts >> CALLS_PLACE & COUNT_MASK, counts >> RAISES_PLACE & COUNT_MASK
    return counts & ONE_CHECK, calls, bets


@kernel
def lowest_door(public: Record, seats: int) -> int:
    """Rank of the lowest door card of a set of seats; 13, above the king, for the empty set."""
    lowest = 13
    for seat in range(public.num_seats):
        if seats >> seat & 1:
            lowest = min(lowest, door_rank(public, seat))
    return lowest


@kernel
def shown_lead(view: Record, rivals: int, top: int) -> int:
    """Ranks up to `top` on the own board less those on the board of the rival who shows most."""
    most = 0
    for seat in range(view.public.num_seats):
        if rivals >> seat & 1:
            most = max(most, count_up_to(board_ranks(view.public, seat), top))
    return count_up_to(board_ranks(view.public, view.seat), top) - most


@kernel
def pot_chips(public: Record) -> int:
    """All chips that have been put in."""
    chips = 0
    for seat in range(public.num_seats):
        chips += public.total_chips[seat]
    return chips


@kernel
def price_of_call(view: Record) -> float:
    """Pot odds: the share of the pot after a call that the call itself pays; 0 if it is free."""
    owed = to_call(view.public, view.seat)
    return owed / (pot_chips(view.public) + owed)


@kernel
def winnable_chips(view: Record) -> int:
    """Chips put in so far in the pots that the seat plays for when it calls (RULES 5).

    If another live seat stays ahead of its call, the call is all-in, and what goes beyond is in
    side pots without it or comes back uncalled.
    """
    public = view.public
    mine = public.total_chips[view.seat] + to_call(public, view.seat)
    is_short = False
    for seat in range(public.num_seats):
        is_short |= public.live[seat] == 1 and public.total_chips[seat] > mine
    chips = 0
    for seat in range(public.num_seats):
        total = public.total_chips[seat]
        chips += min(total, mine) if is_short else total
    return chips
