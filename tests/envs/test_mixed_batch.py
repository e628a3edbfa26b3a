"""Tables of different sizes in one batch."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from razz_env import Hand, make_batch
from razz_env.observation import encode, spec

from ..support.errors import refused

SIZES = [2, 6, 3, 8]


def step(batch, rng):
    return batch.step((batch.action_masks * (rng.random((4, 7)) + 0.01)).argmax(axis=1))


def test_every_table_plays_its_own_hands_and_has_zeros_for_seats_that_it_lacks():
    batch, rng = make_batch(4, SIZES, seed=3), np.random.default_rng(0)
    assert (batch.num_players, batch.spec) == (8, spec(8))
    hands = [Hand.deal(size, seed=3, table=table) for table, size in enumerate(SIZES)]
    ended = 0
    for _ in range(200):
        for table, hand in enumerate(hands):
            assert batch.actors[table] == hand.actor
            assert (batch.observations[table] == encode(hand.view(hand.actor), seats=8)).all()
        actions = (batch.action_masks * (rng.random((4, 7)) + 0.01)).argmax(axis=1)
        rewards, dones = batch.step(actions)
        assert rewards.shape == (4, 8)
        for table, hand in enumerate(hands):
            hand.apply(int(actions[table]))
            assert dones[table] == hand.is_over
            if hand.is_over:
                size = SIZES[table]
                assert (rewards[table, :size] * 40 == hand.payoffs).all()
                assert not rewards[table, size:].any()
                ended += 1
                index = int(batch.hands["index"][table])
                hands[table] = Hand.deal(size, seed=3, table=table, index=index)
    assert ended > 30


def test_copies_and_saved_bytes_go_on_alike():
    batch, rng = make_batch(4, SIZES, seed=3), np.random.default_rng(0)
    for _ in range(30):
        step(batch, rng)
    other, twin = make_batch(4, SIZES, seed=9), copy.deepcopy(batch)
    other.load_bytes(batch.to_bytes())
    for made in (other, twin):
        step(made, np.random.default_rng(5))
    step(batch, np.random.default_rng(5))
    assert batch.to_bytes() == other.to_bytes() == twin.to_bytes()
    with refused("4 tables of 2, 3, 6, 8 seats", "4 of 2, 3, 8"):
        make_batch(4, [2, 3, 3, 8], seed=1).load_bytes(batch.to_bytes())


@pytest.mark.parametrize(
    ("sizes", "options", "told"),
    [
        ([2, 3], {}, "each of the 4 tables, not 2"),
        ([2, 3, 9, 2], {}, "9"),
        ([2, 3, 3, 2], {"stacks": [500, 500]}, "stack"),
        (SIZES, {"seats": 6}, "seats=6"),
    ],
)
def test_what_does_not_fit_is_refused(sizes, options, told):
    with refused(told):
        make_batch(4, sizes, **options)
