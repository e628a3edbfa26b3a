"""What a seat can still win or lose in a hand: the exact bounds of its result."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import inlined, kernel
from razz_env.rules.record import Record

Floats = NDArray[np.float32]


@kernel
def look_at_stakes(
    publics: NDArray[Any], seats: NDArray[np.int8], low: Floats, high: Floats, streets: Any
) -> None:
    """Write, for one live seat of each of N hands in play, the bounds of its result in big bets.

    Stakes are table stakes: nobody loses more than it brought, or than the largest opponent can
    make it match; it wins from a folded seat at most what that has put in, and from a live one at
    most what that brought, and from neither more than it can match itself. So no result of the hand
    lies outside, and as the hand goes on the bounds only come closer together.

    Args:
        publics: PUBLIC[N].
        seats: int8[N].
        low: float32[N], written, and
        high: float32[N], written.
        streets: int8[N], written: 0 for third street to 4 for seventh.
    """
    for table in range(len(publics)):
        public, seat = publics[table], seats[table]
        per_chip = 1.0 / public.rules.big_bet
        low[table] = -most_lost(public, seat) * per_chip
        high[table] = most_won(public, seat) * per_chip
        streets[table] = public.street - 3


@inlined
def most_lost(public: Record, seat: int) -> int:
    """Chips that a live seat can lose at most."""
    largest = 0
    for other in range(public.num_seats):
        if other != seat:
            largest = max(largest, _brings(public, other))
    return int(min(public.starting_stack[seat], largest))


@inlined
def most_won(public: Record, seat: int) -> int:
    """Chips that a live seat can win at most."""
    own, won = public.starting_stack[seat], 0
    for other in range(public.num_seats):
        if other != seat:
            won += min(own, _brings(public, other))
    return won


@inlined
def _brings(public: Record, seat: int) -> int:
    """The most chips that a seat can have put in when the hand ends."""
    return int(public.starting_stack[seat] if public.live[seat] else public.total_chips[seat])
