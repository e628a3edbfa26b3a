"""Random hands at full speed, every invariant of the record checked after every action.

`razz soak` plays them under every rule book, every value of every option and the small variants.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env import HouseRules
from razz_env._jit import kernel
from razz_env.rules.betting import legal_actions
from razz_env.rules.house_rules import (
    RULE_BOOKS,
    SMALL_VARIANTS,
    cards_before_seventh,
    check_table_size,
)
from razz_env.rules.play import apply, start_shuffled
from razz_env.rules.random import mix, next_state
from razz_env.rules.record import MAX_SEATS
from razz_env.rules.setup import blank_hands, check_seed
from razz_env.rules.showdown import rake
from razz_env.rules.terms import NUM_ACTIONS, Street

PROBLEMS = (
    "fine",
    "a card is out twice or not from the deck",
    "the number of cards out differs from the number dealt",
    "chips were created or lost",
    "a stack is negative",
    "somebody must act but has no legal action",
    "somebody must act who has folded or has no chips",
    "a hand that is over still has legal actions",
    "the hand did not end",
    "payoffs do not sum to zero",
    "a seat paid more than it had or won more than all put in",
)
_CHANGES: tuple[dict[str, Any], ...] = (
    {"short_all_in_raise": "next_level"},
    {"short_all_in_raise": "full_on_top"},
    {"short_bring_in_call": "short"},
    {"fold_when_check_is_free": True},
    {"odd_chip": "low_suit"},
    {"max_bets_per_round": 1},
    {"max_bets_per_round": 5},
    {"ante": 0},
    {"ante": 30, "bring_in": 19},
    {"all_in_bring_in_may_fold": False, "odd_chip": "first_seat"},
    {"burn_cards": True},
    {"heads_up_cap": "lifted_when_heads_up"},
    {"heads_up_cap": "lifted_round_heads_up", "max_bets_per_round": 2},
    {"heads_up_cap": "lifted_two_seats", "short_all_in_raise": "next_level"},
    {"rake_basis_points": 500, "rake_cap": 12},
    {"rake_basis_points": 333},
)
COUNTS = ("hands", "decisions", "all-ins", "side-pot hands", "community cards", "no decision")


class BrokenInvariant(AssertionError):
    """The engine has done what no hand of Razz may do."""


@kernel
def _cards_problem(hand: Any) -> int:
    """No card is out twice, and deck, stub and table together hold the whole deck."""
    seen, out = np.uint64(0), 0
    public = hand.public
    for seat in range(8):
        for place in range(7):
            card = public.up[seat, place] if place < 4 else hand.down[seat, place - 4]
            if card >= 0:
                bit = np.uint64(1) << np.uint64(card)
                if seen & bit or card > 51 or seat >= public.num_seats:
                    return 1
                seen |= bit
                out += 1
    others = (public.community, hand.burnt[0], hand.burnt[1], hand.burnt[2], hand.burnt[3])
    mixed = hand.burns - 1 if hand.scrambled_cards else 0  # burn cards that may be dealt again
    for place in range(5):
        if others[place] >= 0 and not 0 < place <= mixed:
            bit = np.uint64(1) << np.uint64(others[place])
            if seen & bit:
                return 1
            seen |= bit
            out += 1
    size = public.rules.deck_ranks * public.rules.deck_suits
    left = size - hand.next_card + hand.scrambled_cards - hand.scrambled_next
    return 2 if out + left != size or left < 0 else 0


@kernel
def _chips_problem(public: Any) -> int:
    here, before = 0, 0
    for seat in range(public.num_seats):
        if public.stack[seat] < 0:
            return 4
        here += public.stack[seat]
        before += public.starting_stack[seat]
        if not public.over:
            here += public.total_chips[seat]
    if public.over:
        here += rake(public)
    return 3 if here != before else 0


@kernel
def _turn_problem(public: Any, mask: NDArray[np.int8]) -> int:
    legal = mask.sum()
    if public.over:
        return 7 if legal or public.actor >= 0 else 0
    if not legal:
        return 5
    seat = public.actor
    return 6 if not public.live[seat] or public.stack[seat] <= 0 else 0


@kernel
def _payoff_problem(public: Any) -> int:
    total, put_in = 0, 0
    for seat in range(public.num_seats):
        put_in += public.total_chips[seat]
    for seat in range(public.num_seats):
        payoff = public.stack[seat] - public.starting_stack[seat]
        total += payoff
        if payoff < -public.total_chips[seat] or payoff > put_in:
            return 10
    return 9 if total + rake(public) else 0


@kernel
def problem_of(hand: Any, mask: NDArray[np.int8]) -> int:
    """Index in `PROBLEMS` of an invariant that a hand and its mask int8[7] break; 0: none."""
    for found in (
        _cards_problem(hand),
        _chips_problem(hand.public),
        _turn_problem(hand.public, mask),
    ):
        if found:
            return found
    return _payoff_problem(hand.public) if hand.public.over else 0


@kernel
def _random_stacks(public: Any, state: int) -> int:
    """Half the stacks are short: a few chips up to two bets; the others up to 25 big bets."""
    for seat in range(public.num_seats):
        state = next_state(state)
        draw = (mix(state) >> 20) & 0xFFFFFFF
        limit = 60 if draw & 1 else 1000
        public.starting_stack[seat] = 1 + (draw >> 1) % limit
    return state


@kernel
def _pick(mask: NDArray[np.int8], draw: int) -> int:
    left = ((draw >> 20) & 0xFFFFFFF) % mask.sum()
    for action in range(7):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return -1


@kernel
def _play(
    hands: Any, count: int, mask: NDArray[np.int8], counts: NDArray[np.int64]
) -> tuple[int, int]:
    """Play hands 0..count-1; (index of a hand with a problem, its number) or (-1, 0)."""
    for index in range(count):
        hand = hands[index % len(hands)]
        hand.index = index
        state = _random_stacks(hand.public, mix(index))
        start_shuffled(hand)
        decisions = 0
        while True:
            legal_actions(hand.public, mask)
            problem = problem_of(hand, mask)
            if problem or decisions > 256:
                return index, problem or 8
            if hand.public.over:
                break
            state = next_state(state)
            apply(hand, _pick(mask, mix(state)))
            decisions += 1
        _count(hand.public, decisions, counts)
    return -1, 0


@kernel
def _count(public: Any, decisions: int, counts: NDArray[np.int64]) -> None:
    all_ins, levels, last = 0, 0, -1
    for seat in range(public.num_seats):
        all_in = public.total_chips[seat] == public.starting_stack[seat]
        all_ins += all_in
        if public.live[seat] and public.total_chips[seat] != last:
            levels += 1
            last = public.total_chips[seat]
    counts[0] += 1
    counts[1] += decisions
    counts[2] += all_ins
    counts[3] += levels > 1
    counts[4] += public.community >= 0
    counts[5] += decisions == 0


def soak(seats: int, hands: int, rules: Sequence[HouseRules], seed: int = 0) -> NDArray[np.int64]:
    """Play random hands at a table of `seats` under several rules in turn: int64, as `COUNTS`.

    Raises:
        BrokenInvariant: naming the hand that breaks one, with the call that deals it again.
    """
    records = np.concatenate([blank_hands(1, seats, house, 500) for house in rules])
    records["seed"] = seed
    counts = np.zeros(len(COUNTS), np.int64)
    index, problem = _play(records, hands, np.zeros(NUM_ACTIONS, np.int8), counts)
    if problem:
        turn = index % len(rules)
        stacks = records[turn]["public"]["starting_stack"][:seats].tolist()
        raise BrokenInvariant(
            f"{PROBLEMS[problem]}: Hand.deal({seats}, {rules[turn]}, {stacks}, seed={seed}, "
            f"index={index})"
        )
    return counts


def _compile() -> None:
    """Compile all that `soak` runs by playing no hand, so that speeds are of hands alone."""
    counts = np.zeros(len(COUNTS), np.int64)
    _play(blank_hands(1, 2, HouseRules(), 500), 0, np.zeros(NUM_ACTIONS, np.int8), counts)


def every_rules() -> list[HouseRules]:
    """The rule books, and every value of every option once."""
    presets = [HouseRules.preset(name) for name in RULE_BOOKS]
    return presets + [HouseRules(**change) for change in _CHANGES]


def rules_for(seats: int) -> list[HouseRules]:
    """`every_rules`, and the small variants whose deck serves so many seats."""
    return every_rules() + [
        HouseRules.preset(name) for name in SMALL_VARIANTS if seats <= most_seats(name)
    ]


def most_seats(preset: str) -> int:
    """The largest table that the deck of a preset serves."""
    rules = HouseRules.preset(preset)
    cards = rules.deck_ranks * rules.deck_suits - (Street.SEVENTH in rules.streets)
    return min(MAX_SEATS, cards // cards_before_seventh(rules, 1))


def soak_command(
    *, hands: int = 1_000_000, seats: tuple[int, ...] = tuple(range(2, 9)), seed: int = 0
) -> int:
    """Play random hands and check every invariant of cards, chips and turns after every action.

    Rule books, every value of every option and the small variants take turns. Half of the stacks
    are short, so that all-ins and side pots are many.

    Args:
        hands: Hands to play in all, shared evenly among the tables.
        seats: Numbers of seats of the tables, 2 to 8.
        seed: Decides the decks, the stacks and the actions.

    Returns:
        0 when no invariant broke, 1 when one did.

    Raises:
        ValueError: fewer hands than tables, no table, or a seed or number of seats out of range.
    """
    check_seed(seed)
    if not seats or hands < len(seats):
        raise ValueError(f"{hands} hands are too few for {len(seats)} tables: play one at each.")
    for players in seats:
        check_table_size(HouseRules(), players)
    _compile()
    print(_row(("seats", *COUNTS, "hands/s")))
    total = np.zeros(len(COUNTS), np.int64)
    for place, players in enumerate(seats):
        share = hands // len(seats) + (place < hands % len(seats))
        start = time.perf_counter()
        try:
            counts = soak(players, share, rules_for(players), seed)
        except BrokenInvariant as broken:
            print(f"broken: {broken}")
            return 1
        total += counts
        speed = share / (time.perf_counter() - start)
        print(_row((players, *counts.tolist(), round(speed))), flush=True)
    print(_row(("all", *total.tolist())))
    print("No invariant broke.")
    return 0


def _row(cells: Sequence[str | int]) -> str:
    widths = (5, *(max(len(name), 12) for name in COUNTS), 10)
    texts = [f"{cell:,}" if isinstance(cell, int) else cell for cell in cells]
    return "  ".join(text.rjust(width) for text, width in zip(texts, widths, strict=False))
