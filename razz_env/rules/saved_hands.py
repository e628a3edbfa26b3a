"""Whether saved records are hands that the rules can have led to.

A checksum tells damage, but not who wrote the bytes, and kernels look up seats and cards by what
stands in a record. A hand follows from its rules, stacks, cards and actions: these are checked, the
hand is played again, and the record must be what comes of it.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.rules.action_log import log_action, log_seat
from razz_env.rules.betting import legal_actions
from razz_env.rules.cards import DECK_SIZE, NO_CARD
from razz_env.rules.dealing import PLAN_TOO_SHORT, deck_size, fill_deck
from razz_env.rules.house_rules import MAX_CHIPS, HouseRules, check_table_size
from razz_env.rules.play import go_on, post_antes, take_turn
from razz_env.rules.record import CARDS_PER_SEAT, HAND, LOG_SIZE, MAX_SEATS, RULES, Record
from razz_env.rules.terms import NUM_ACTIONS

_STACKS, _CARDS, _NUMBERS, _ACTIONS = 1, 2, 3, 4
_FAULTS = {
    _STACKS: f"a seat has not 1 to {MAX_CHIPS} chips",
    _CARDS: "its deck or its plan are not the cards of its rules",
    _NUMBERS: "its seed, table or index is negative",
    _ACTIONS: "an action in its log is not legal",
}


def check_hands(hands: NDArray[Any], *, may_be_due: bool = False) -> None:
    """Refuse records that no hand can have come to.

    Args:
        hands: HAND[N], anything; it is only read.
        may_be_due: whether hands may stand where a street is due, as chance nodes do.

    Raises:
        ValueError: names the first such hand and what is wrong with it.
    """
    kinds = {
        (rules.tobytes(), seats): row
        for row, rules, seats in zip(
            range(len(hands)),
            hands["public"]["rules"],
            hands["public"]["num_seats"].tolist(),
            strict=True,
        )
    }
    for (rules, seats), row in kinds.items():
        if fault := _fault_of_rules(rules, seats):
            raise _refusal(hands, row, fault)
    again = np.zeros(len(hands), HAND)
    again["burnt"] = again["scrambled"] = NO_CARD
    faults = np.zeros(len(hands), np.int8)
    _play_rows(hands, again, may_be_due, np.zeros(NUM_ACTIONS, np.int8), faults)
    for row in np.flatnonzero(faults)[:1].tolist():
        raise _refusal(hands, row, _FAULTS[int(faults[row])])
    for row in np.flatnonzero((_bytes_of(hands) != _bytes_of(again)).any(axis=1))[:1].tolist():
        field = _first_difference(hands[row], again[row])
        raise _refusal(hands, row, f"{field} is not what its cards and actions lead to")


def _refusal(hands: NDArray[Any], row: int, fault: str) -> ValueError:
    which = "The saved hand" if len(hands) == 1 else f"The saved hand of table {row}"
    return ValueError(f"{which} cannot be: {fault}. Load what to_bytes gave, unaltered.")


@lru_cache(256)
def _fault_of_rules(numbers: bytes, num_seats: int) -> str:
    """What is wrong with rules in numbers, or with so many seats under them; "" if nothing."""
    try:
        rules = HouseRules.from_record(np.frombuffer(numbers, RULES)[0])
        check_table_size(rules, num_seats)
    except (ValueError, IndexError) as error:
        return f"its rules or seats are impossible ({str(error).rstrip('.')})"
    return "" if rules.record().tobytes() == numbers else "its rules are not house rules in numbers"


def _bytes_of(hands: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(hands.tobytes(), np.uint8).reshape(len(hands), HAND.itemsize)


def _first_difference(one: Any, other: Any) -> str:
    """The name of the first field in which two records differ, such as "public.actor"."""
    for name in one.dtype.names:
        if one[name].tobytes() != other[name].tobytes():
            is_record = one[name].dtype.names is not None
            return f"{name}.{_first_difference(one[name], other[name])}" if is_record else name
    return ""


@kernel
def _play_rows(
    hands: Record,
    again: Record,
    may_be_due: bool,
    mask: NDArray[np.int8],
    faults: NDArray[np.int8],
) -> None:
    """Play every hand again, into `again`; faults int8[N] tell which cannot be played.

    `again` HAND[N] is zero, but without burn cards. `mask` int8[7] is room to work in. Rules and
    numbers of seats are sound.
    """
    for row in range(len(hands)):
        faults[row] = _lay_out(hands[row], again[row])
        if faults[row] == 0:
            faults[row] = _play(hands[row], again[row], may_be_due, mask)
        if faults[row] == 0:
            _take_mixed_stub(hands[row], again[row])


@kernel
def _lay_out(saved: Record, hand: Record) -> int:
    """Rules, stacks, cards and numbers of a saved hand, checked; the fault, or 0."""
    public = hand.public
    public.rules = saved.public.rules
    public.num_seats = saved.public.num_seats
    for seat in range(public.num_seats):
        public.starting_stack[seat] = saved.public.starting_stack[seat]
        if not 1 <= public.starting_stack[seat] <= MAX_CHIPS:
            return _STACKS
    fill_deck(hand)
    size = deck_size(hand)
    if _set_of(saved.deck, size) != _set_of(hand.deck, size):
        return _CARDS
    for place in range(size):
        hand.deck[place] = saved.deck[place]
    if not 0 <= saved.planned <= PLAN_TOO_SHORT or not _copy_plan(saved, hand):
        return _CARDS
    hand.planned = min(saved.planned, 1)
    hand.seed, hand.table, hand.index = saved.seed, saved.table, saved.index
    return _NUMBERS if min(saved.seed, saved.table, saved.index) < 0 else 0


@kernel
def _set_of(cards: NDArray[np.int8], count: int) -> int:
    """The first `count` cards as a set, a bit each; -1 if one is no card or stands twice."""
    cards_in = 0
    for place in range(count):
        card = cards[place]
        if not 0 <= card < DECK_SIZE or cards_in >> card & 1:
            return -1
        cards_in |= 1 << card
    return cards_in


@kernel
def _copy_plan(saved: Record, hand: Record) -> bool:
    """Whether a plan holds nothing but cards and places without one."""
    for seat in range(MAX_SEATS):
        for place in range(CARDS_PER_SEAT):
            hand.plan[seat, place] = saved.plan[seat, place]
            if not NO_CARD <= hand.plan[seat, place] < DECK_SIZE:
                return False
    hand.plan_community = saved.plan_community
    return bool(NO_CARD <= hand.plan_community < DECK_SIZE)


@kernel
def _play(saved: Record, hand: Record, may_be_due: bool, mask: NDArray[np.int8]) -> int:
    """Play the actions of a saved hand as far as it has come; the fault, or 0."""
    public, length = hand.public, saved.public.log_length
    if not 0 <= length <= LOG_SIZE:
        return _ACTIONS
    post_antes(hand)
    for place in range(length):
        _run(hand, -1)
        seat, action = log_seat(saved.public.log[place]), log_action(saved.public.log[place])
        legal_actions(public, mask)
        if seat != public.actor or action >= NUM_ACTIONS or not mask[action]:
            return _ACTIONS
        take_turn(public, action)
    is_due = may_be_due and saved.public.actor < 0 and not saved.public.over
    _run(hand, saved.next_card if is_due else -1)
    return 0


@kernel
def _run(hand: Record, stop: int) -> None:
    """Deal and settle until somebody has a decision, or where `stop` cards have been dealt."""
    while hand.public.actor < 0 and not hand.public.over and hand.next_card != stop:
        go_on(hand)


@kernel
def _take_mixed_stub(saved: Record, hand: Record) -> None:
    """Take burn cards and a mixed stub as they are, where the hand has a plan and they are sound.

    A plan may have come only when the stub was mixed: it tells what was dealt, but neither what
    was burnt before nor in which order the other cards lie, which nobody looks at any more.
    """
    cards, burns, deck = hand.scrambled_cards, hand.burns, _set_of(hand.deck, deck_size(hand))
    if not hand.planned or not cards or saved.scrambled_cards != cards or saved.burns != burns:
        return
    if _set_of(saved.scrambled, cards) != _set_of(hand.scrambled, cards):
        return
    for place in range(burns):  # the last one may be one of the others, mixed in before
        if not 0 <= saved.burnt[place] < DECK_SIZE or not deck >> saved.burnt[place] & 1:
            return
    for place in range(DECK_SIZE):
        hand.deck[place] = saved.deck[place]
    for place in range(cards):
        hand.scrambled[place] = saved.scrambled[place]
    for place in range(burns):
        hand.burnt[place] = saved.burnt[place]
