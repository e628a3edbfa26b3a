"""The same million hands, whatever is done for speed: one number for all their cards and play."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from razz_env import make_batch
from razz_env.rules.random import mix

HANDS = 1_000_000
SEATS = range(2, 9)


@numba.njit
def note(digests: Any, actors: Any, masks: Any) -> None:
    """Take the seats to act and their legal actions into the digest of every hand in play."""
    for row in range(len(actors)):
        bits = actors[row]
        if bits < 0:
            continue
        for action in range(7):
            bits = bits * 2 + masks[row, action]
        digests[row] = mix(digests[row] ^ bits)


@numba.njit
def close(digests: Any, hands: Any) -> int:
    """The sum of the hands' digests with their cards, logs and stacks: any order gives the same."""
    total = 0
    for row in range(len(hands)):
        hand, digest = hands[row], digests[row]
        public = hand.public
        for seat in range(public.num_seats):
            digest = mix(digest ^ public.stack[seat])
            for place in range(4):
                digest = mix(digest ^ public.up[seat, place])
            for place in range(3):
                digest = mix(digest ^ hand.down[seat, place])
        for place in range(public.log_length):
            digest = mix(digest ^ public.log[place])
        total += digest
    return total


def digest_of(seats: int, hands: int, tables: int, threads: int) -> int:
    """Play hands 0..hands-1, each at a table of its own number, some tables at a time."""
    batch = make_batch(
        tables, seats, stacks=400, seed=11, threads=threads, observation=None, auto_deal=False
    )
    total = 0
    for first in range(0, hands, tables):
        rows = np.arange(min(tables, hands - first))
        batch.deal(rows, first + rows, np.zeros_like(rows))
        digests = np.zeros(tables, np.int64)
        while (batch.actors >= 0).any():
            note(digests, batch.actors, batch.action_masks)
            batch.rollout(steps=1)
        total += int(close(digests[rows], batch.hands[rows]))
    return total


def all_seats(hands: int, tables: int, threads: int = 1) -> str:
    share = hands // len(SEATS)
    total = sum(digest_of(seats, share, tables, threads) for seats in SEATS)
    return f"{total % 2**64:016x}"


def test_a_million_seeded_hands_are_what_they_were() -> None:
    assert all_seats(HANDS, tables=16_384) == "93947f210964ba8c"


@pytest.mark.parametrize(("tables", "threads"), [(1_000, 1), (37, 1), (1_000, 2), (333, 5)])
def test_any_number_of_tables_and_threads_plays_the_same_hands(tables: int, threads: int) -> None:
    assert all_seats(14_000, tables, threads) == all_seats(14_000, tables=2_000)
