"""Who sits where: the seatings in which every deck of a match is played.

A seating is a tuple of members of the line-up, by seat: `seating[seat]` is a place in the line-up.
"""

from collections.abc import Sequence
from itertools import permutations
from math import factorial, prod
from typing import Literal, TypeAlias

Seating: TypeAlias = tuple[int, ...]
Seatings: TypeAlias = Literal["cyclic", "all"]
"""Every rotation of the line-up, or every order that can be told from the others."""

MOST_SEATINGS = 840
"""More hands with one deck are refused: seven different players have 5,040 orders."""


def seatings_of(identities: Sequence[str], kind: Seatings = "cyclic") -> tuple[Seating, ...]:
    """The seatings of a line-up of n players.

    Cyclic: n rotations, in rotation r member m sits in seat (m + r) % n. All: every order in which
    not only players of equal identity have changed places. Heads-up the two are the same.

    Args:
        identities: of the members; equal ones are copies of one player.
        kind: "cyclic" or "all".

    Raises:
        ValueError: another kind, or more than `MOST_SEATINGS` orders.
    """
    count = len(identities)
    rotations = tuple(
        tuple((seat - rotation) % count for seat in range(count)) for rotation in range(count)
    )
    if kind == "cyclic" or count == 2:
        return rotations
    if kind != "all":
        raise ValueError(f"seatings={kind!r} is no choice; known: 'cyclic', 'all'.")
    _check_orders(identities)
    return _all_orders(identities)


def _all_orders(identities: Sequence[str]) -> tuple[Seating, ...]:
    """The first of all permutations that look alike."""
    different: dict[tuple[str, ...], Seating] = {}
    for order in permutations(range(len(identities))):
        different.setdefault(tuple(identities[member] for member in order), order)
    return tuple(different.values())


def _check_orders(identities: Sequence[str]) -> None:
    copies = [list(identities).count(identity) for identity in set(identities)]
    orders = factorial(len(identities)) // prod(factorial(number) for number in copies)
    if orders > MOST_SEATINGS:
        raise ValueError(
            f"seatings='all' would play every deck {orders:,} times, and {MOST_SEATINGS} is the "
            "limit: use seatings='cyclic' or fewer different players."
        )
