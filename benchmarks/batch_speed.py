"""Decisions per second of the batch beside a random-play loop over PokerKit, in one run.

    python -m benchmarks.batch_speed [--seats 6] [--tables 1024] [--rounds 7]

Both play uniformly random legal actions. The two are timed in turn, round by round, so that a
noisy machine hits both alike; the medians and the median of the ratios are printed. PokerKit comes
with the extra `bench`.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from razz_env import make_batch
from razz_env.rules.random import mix, next_state

STAKES = {"ante": 4, "bring_in": 5, "small_bet": 20, "big_bet": 40}
STACK = 500


def _legal_tables() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By the bits of a mask: how many actions are legal, and which they are."""
    counts, actions = np.zeros(128, np.int64), np.zeros((128, 7), np.int64)
    for bits in range(128):
        legal = [action for action in range(7) if bits >> action & 1]
        counts[bits] = len(legal)
        actions[bits, : len(legal)] = legal
    return counts, actions


COUNTS, ACTIONS = _legal_tables()


@numba.njit
def choose(masks: NDArray[np.int8], actions: NDArray[np.int64], state: int) -> int:
    """A uniformly random legal action for every row of masks; the next state of the stream."""
    for row in range(len(masks)):
        state = next_state(state)
        bits = 0
        for action in range(7):
            bits |= masks[row, action] << action
        draw = mix(state) >> 33 & 0x7FFFFFFF
        actions[row] = ACTIONS[bits, (draw * COUNTS[bits]) >> 31]
    return state


def batch_player(tables: int, seats: int) -> Callable[[int], int]:
    """A function that plays some steps of a batch and returns the number of decisions."""
    batch = make_batch(tables, seats, stacks=STACK, seed=0)
    actions = np.zeros(tables, np.int64)
    stream = [1]

    def play(steps: int) -> int:
        for _ in range(steps):
            stream[0] = choose(batch.action_masks, actions, stream[0])
            batch.step(actions)
        return steps * tables

    return play


def pokerkit_player(seats: int) -> Callable[[int], int]:
    """A function that plays some hands over PokerKit and returns the number of decisions."""
    from pokerkit import Automation, FixedLimitRazz

    automations = tuple(Automation)
    rng = random.Random(0)

    def play(hands: int) -> int:
        return sum(_pokerkit_hand(FixedLimitRazz, automations, seats, rng) for _ in range(hands))

    return play


def _pokerkit_hand(game: Any, automations: Any, seats: int, rng: random.Random) -> int:
    state = game.create_state(
        automations,
        True,
        STAKES["ante"],
        STAKES["bring_in"],
        STAKES["small_bet"],
        STAKES["big_bet"],
        (STACK,) * seats,
        seats,
    )
    decisions = 0
    while state.status:
        rng.choice(_pokerkit_choices(state))()
        decisions += 1
    return decisions


def _pokerkit_choices(state: Any) -> list[Callable[[], Any]]:
    """The legal decisions, without the free folds that neither side plays."""
    choices = []
    if state.can_post_bring_in():
        choices.append(state.post_bring_in)
    if state.can_check_or_call():
        choices.append(state.check_or_call)
        if state.checking_or_calling_amount:
            choices.append(state.fold)
    if state.can_complete_bet_or_raise_to():
        choices.append(state.complete_bet_or_raise_to)
    return choices


def rate(play: Callable[[int], int], amount: int) -> float:
    """Decisions per second of one timed call."""
    start = time.perf_counter()
    decisions = play(amount)
    return decisions / (time.perf_counter() - start)


def main() -> None:
    """Time both in turn and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    ours, theirs = batch_player(args.tables, args.seats), pokerkit_player(args.seats)
    ours(20), theirs(5)
    pairs = [(rate(ours, 400), rate(theirs, 200)) for _ in range(args.rounds)]
    print(f"{args.seats} seats, {args.tables} tables, one thread, observations written")
    print(f"batch:    {statistics.median(pair[0] for pair in pairs):12,.0f} decisions/s")
    print(f"PokerKit: {statistics.median(pair[1] for pair in pairs):12,.0f} decisions/s")
    print(f"ratio:    {statistics.median(pair[0] / pair[1] for pair in pairs):12,.0f}")


if __name__ == "__main__":
    main()
