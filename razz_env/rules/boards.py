"""Exposed boards: whose door card brings in, whose board opens a later street (RULES 3 and 4)."""

from razz_env._jit import kernel
from razz_env.rules.lowball import count_rank, low_key
from razz_env.rules.record import UP_CARDS, Record

TIE_BY_HIGH_SUIT = 1
"""Number of the option `board_tie`, an index of house_rules.CHOICES."""


@kernel
def highest_door(public: Record) -> int:
    """The seat whose door card brings in: highest rank, ties by suit (RULES 3)."""
    worst = 0
    for seat in range(1, public.num_seats):
        if public.up[seat, 0] > public.up[worst, 0]:
            worst = seat
    return worst


@kernel
def board_key(public: Record, seat: int) -> int:
    """Order of an exposed board, smaller is lower: as a low of so many cards (RULES 4)."""
    counts = 0
    for place in range(UP_CARDS):
        card = public.up[seat, place]
        if card >= 0:
            counts = count_rank(counts, card)
    return low_key(counts)


@kernel
def _high_card(public: Record, seat: int) -> int:
    high = public.up[seat, 0]
    for place in range(1, UP_CARDS):
        high = max(high, public.up[seat, place])
    return high


@kernel
def lowest_board(public: Record) -> int:
    """The live seat with the lowest exposed board; ties by the option `board_tie` (RULES 4, 8)."""
    first, first_key = -1, 0
    for seat in range(public.num_seats):
        if not public.live[seat]:
            continue
        key = board_key(public, seat)
        if first < 0 or key < first_key or (key == first_key and _wins_tie(public, seat, first)):
            first, first_key = seat, key
    return first


@kernel
def _wins_tie(public: Record, seat: int, holder: int) -> bool:
    if public.rules.board_tie != TIE_BY_HIGH_SUIT:
        return False
    return _high_card(public, seat) > _high_card(public, holder)
