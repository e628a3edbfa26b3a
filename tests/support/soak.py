"""Random hands at full speed, every invariant of the record checked after every action.

    python -m tests.support.soak --hands 1000000

plays so many hands for every seat count 2..8 and prints what it saw.
"""

import argparse
import time
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from razz_env import HouseRules
from razz_env.rules.betting import legal_actions
from razz_env.rules.play import apply, start_shuffled
from razz_env.rules.random import mix, next_state
from razz_env.rules.setup import blank_hands
from razz_env.rules.showdown import rake

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
RULE_BOOKS = (
    "full_tilt",
    "pokerstars",
    "roberts",
    "wsop_live",
    "wsop_tournament",
    "tda",
    "pokerkit",
)
SMALL_VARIANTS = ("kuhn", "mini20", "mini24", "mini32")
COUNTS = ("hands", "decisions", "all-ins", "side-pot hands", "community cards", "no decision")


@numba.njit
def _cards_problem(hand: Any) -> int:
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
    others = [public.community, hand.burnt[0], hand.burnt[1], hand.burnt[2], hand.burnt[3]]
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


@numba.njit
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


@numba.njit
def _turn_problem(public: Any, mask: NDArray[np.int8]) -> int:
    legal = mask.sum()
    if public.over:
        return 7 if legal or public.actor >= 0 else 0
    if not legal:
        return 5
    seat = public.actor
    return 6 if not public.live[seat] or public.stack[seat] <= 0 else 0


@numba.njit
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


@numba.njit
def _problem(hand: Any, mask: NDArray[np.int8]) -> int:
    for found in (
        _cards_problem(hand),
        _chips_problem(hand.public),
        _turn_problem(hand.public, mask),
    ):
        if found:
            return found
    return _payoff_problem(hand.public) if hand.public.over else 0


@numba.njit
def _random_stacks(public: Any, state: int) -> int:
    """Half the stacks are short: a few chips up to two bets; the others up to 25 big bets."""
    for seat in range(public.num_seats):
        state = next_state(state)
        draw = (mix(state) >> 20) & 0xFFFFFFF
        limit = 60 if draw & 1 else 1000
        public.starting_stack[seat] = 1 + (draw >> 1) % limit
    return state


@numba.njit
def _pick(mask: NDArray[np.int8], draw: int) -> int:
    left = ((draw >> 20) & 0xFFFFFFF) % mask.sum()
    for action in range(7):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return -1


@numba.njit
def play(hands: Any, count: int, first: int, counts: NDArray[np.int64]) -> tuple[int, int]:
    """Play hands first..first+count-1; (index of a hand with a problem, its number) or (-1, 0)."""
    mask = np.zeros(7, np.int8)
    for index in range(first, first + count):
        hand = hands[index % len(hands)]
        hand.index = index
        state = _random_stacks(hand.public, mix(index))
        start_shuffled(hand)
        decisions = 0
        while True:
            legal_actions(hand.public, mask)
            problem = _problem(hand, mask)
            if problem or decisions > 256:
                return index, problem or 8
            if hand.public.over:
                break
            state = next_state(state)
            apply(hand, _pick(mask, mix(state)))
            decisions += 1
        _count(hand.public, decisions, counts)
    return -1, 0


@numba.njit
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


def soak(seats: int, hands: int, rules: list[HouseRules], seed: int = 0) -> NDArray[np.int64]:
    """Play random hands at a table of `seats` under several rules in turn; the COUNTS seen.

    Raises:
        AssertionError: naming the hand (seed, table 0, index, rules) that breaks an invariant.
    """
    records = np.concatenate([blank_hands(1, seats, house, 500) for house in rules])
    records["seed"] = seed
    counts = np.zeros(len(COUNTS), np.int64)
    index, problem = play(records, hands, 0, counts)
    if problem:
        house = rules[index % len(rules)]
        raise AssertionError(
            f"hand {index} of seed {seed}, {seats} seats, {house}: {PROBLEMS[problem]}"
        )
    return counts


def every_rules() -> list[HouseRules]:
    """The rule books, and every value of every option once."""
    presets = [HouseRules.preset(name) for name in RULE_BOOKS]
    changes: list[dict[str, Any]] = [
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
    ]
    return presets + [HouseRules(**change) for change in changes]


def main() -> None:
    """Play and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print("seats", *COUNTS, "seconds", sep="  ")
    for seats in range(2, 9):
        start = time.perf_counter()
        counts = soak(seats, args.hands, every_rules(), args.seed)
        print(
            seats,
            *(f"{count:,}" for count in counts),
            f"{time.perf_counter() - start:.0f}",
            sep="  ",
        )


if __name__ == "__main__":
    main()
