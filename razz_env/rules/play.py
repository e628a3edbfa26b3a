"""The course of a hand: `start` deals it up to the first decision, `apply` plays one action.

Both go on by themselves until somebody has a decision. Whoever decides the cards one by one takes
the same steps singly: `post_antes`, `take_turn`, and `go_on` for every street that is due.
"""

from razz_env._jit import inlined, kernel
from razz_env.rules.betting import (
    SEVENTH,
    THIRD,
    count_live,
    next_street,
    open_round,
    pass_turn,
    take_action,
)
from razz_env.rules.dealing import (
    clear_cards,
    deal_seventh_street,
    deal_third_street,
    deal_up_cards,
    shuffle,
)
from razz_env.rules.record import LOG_SIZE, MAX_SEATS, Record
from razz_env.rules.showdown import settle


@kernel
def start(hand: Record) -> None:
    """Post the antes, deal third street from the hand's deck and open the betting.

    The record must hold the rules, `num_seats`, the starting stacks and a deck. A hand in which
    fewer than two seats have chips after the antes is played out here.
    """
    post_antes(hand)
    _run(hand)


@kernel
def post_antes(hand: Record) -> None:
    """The beginning of `start`: no card is dealt yet and nobody is to act."""
    public = hand.public
    clear_cards(hand)
    _clear_betting(public)
    for seat in range(public.num_seats):
        _post_ante(public, seat)


@kernel
def start_shuffled(hand: Record) -> None:
    """`start` with the deck that belongs to the hand's (seed, table, index)."""
    shuffle(hand)
    start(hand)


@inlined
def apply(hand: Record, action: int) -> None:
    """Play a legal action of the seat to act, and all that follows up to the next decision."""
    take_turn(hand.public, action)
    _run(hand)


@inlined
def take_turn(public: Record, action: int) -> None:
    """Play a legal action of the seat to act and pass the turn; nothing is dealt or settled."""
    take_action(public, action)
    pass_turn(public)


@kernel
def _clear_betting(public: Record) -> None:
    for seat in range(MAX_SEATS):
        public.stack[seat] = public.starting_stack[seat]
        public.street_chips[seat] = 0
        public.total_chips[seat] = 0
        public.live[seat] = 1 if seat < public.num_seats else 0
        public.acted[seat] = 0
    for place in range(LOG_SIZE):
        public.log[place] = 0
    for street in range(5):
        public.street_start[street] = -1
        public.aggressor[street] = -1
        for seat in range(MAX_SEATS):
            public.action_counts[street, seat] = 0
    public.log_length = 0
    public.street = THIRD
    public.actor = -1
    public.bring_in_seat = -1
    public.over = 0


@kernel
def _post_ante(public: Record, seat: int) -> None:
    """An ante, all-in if short. It is no wager of third street."""
    chips = min(public.rules.ante, public.stack[seat])
    public.stack[seat] -= chips
    public.total_chips[seat] += chips


@kernel
def _run(hand: Record) -> None:
    """While nobody has a decision: settle, or deal the next street."""
    while hand.public.actor < 0 and not hand.public.over:
        go_on(hand)


@kernel
def street_due(hand: Record) -> int:
    """The street to be dealt where nobody has a decision, 0 if the hand is to be settled."""
    if hand.next_card == 0:
        return THIRD
    return 0 if count_live(hand.public) == 1 else next_street(hand.public)


@kernel
def go_on(hand: Record) -> None:
    """Where nobody has a decision: deal the street that is due and open its betting, or settle."""
    public, street = hand.public, street_due(hand)
    if street == 0:
        settle(hand)
        return
    public.street = street
    if street == THIRD:
        deal_third_street(hand)
    elif street == SEVENTH:
        deal_seventh_street(hand)
    else:
        deal_up_cards(hand)
    open_round(public)
