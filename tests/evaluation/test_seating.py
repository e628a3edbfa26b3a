"""Who sits where."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agents.evaluation import play_match
from agents.evaluation.duplicate import DuplicateTables
from agents.evaluation.seating import MOST_SEATINGS, seatings_of

from ..support.errors import refused
from .players import LowDoor, Uniform, caller, raiser


@pytest.mark.parametrize("count", range(2, 9))
def test_rotations_put_every_player_once_in_every_seat(count: int) -> None:
    seatings = seatings_of([str(number) for number in range(count)])
    assert len(seatings) == count
    assert seatings[0] == tuple(range(count))
    for seat in range(count):
        assert sorted(seating[seat] for seating in seatings) == list(range(count))
    neighbours = {(seating[0], seating[1]) for seating in seatings}
    assert all((right - left) % count == 1 for left, right in neighbours)


def test_heads_up_the_rotations_are_all_orders() -> None:
    assert set(seatings_of("ab")) == set(seatings_of("ab", "all")) == {(0, 1), (1, 0)}


@pytest.mark.parametrize(
    ("players", "orders"), [("abc", 6), ("abb", 3), ("aabb", 6), ("abcde", 120)]
)
def test_all_orders_are_those_that_can_be_told_apart(players: str, orders: int) -> None:
    seatings = seatings_of(players, "all")
    assert len({tuple(players[member] for member in seating) for seating in seatings}) == orders
    assert len(seatings) == orders
    for seat in range(len(players)):  # everybody sits everywhere equally often
        counts = Counter(players[seating[seat]] for seating in seatings)
        assert {counts[one] * len(players) for one in counts} == {
            players.count(one) * orders for one in counts
        }


def test_too_many_orders_are_refused() -> None:
    with refused("5,040", MOST_SEATINGS, "cyclic", kind=ValueError):
        seatings_of("abcdefg", "all")
    with refused("seatings='some'", kind=ValueError):
        seatings_of("abc", "some")  # type: ignore[arg-type]


def test_against_copies_all_orders_are_the_rotations() -> None:
    one, other = (
        play_match(LowDoor(), Uniform(), 300, num_players=3, seatings=kind)
        for kind in ("cyclic", "all")
    )
    assert one.hands == other.hands == 900
    np.testing.assert_array_equal(one.deck_chips, other.deck_chips)


def test_all_orders_of_three_players_are_the_two_cyclic_ones_together() -> None:
    lineup = [LowDoor(), raiser(), caller()]
    chips = DuplicateTables(lineup, 4, "full_tilt", 500, "all").play_block(0, 200).chips
    ways = [
        DuplicateTables([lineup[member] for member in order], 4, "full_tilt", 500).play_block(
            0, 200
        )
        for order in ((0, 1, 2), (0, 2, 1))
    ]
    np.testing.assert_array_equal(chips, ways[0].chips + ways[1].chips[:, [0, 2, 1]])
