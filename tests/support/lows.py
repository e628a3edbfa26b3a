"""Ace-to-five lows written down a second time, plainly and slowly (RULES 1).

Cards are ints ``rank * 4 + suit``, rank 0 = ace .. 12 = king.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)

Key = tuple[tuple[int, ...], tuple[int, ...]]


def card(text: str) -> int:
    """``"Ah"`` -> 2."""
    return RANKS.index(text[0]) * 4 + SUITS.index(text[1])


def cards(text: str) -> tuple[int, ...]:
    """``"Ah 2c"`` -> (2, 4)."""
    text = text.replace(" ", "")
    return tuple(card(text[i : i + 2]) for i in range(0, len(text), 2))


def _key_of_five(ranks: Sequence[int]) -> Key:
    groups = sorted(((n, r) for r, n in Counter(ranks).items()), reverse=True)
    return tuple(n for n, _ in groups), tuple(r for _, r in groups)


def low_key(ranks: Iterable[int]) -> Key:
    """(group sizes, group ranks) of the best low of 1 to 7 ranks; a smaller key is a better low.

    Group sizes compare as RULES 1 orders the classes: (1,1,1,1,1) no pair, (2,1,1,1) pair,
    (2,2,1) two pair, (3,1,1) trips, (3,2) full house, (4,1) quads.
    """
    ranks = sorted(ranks)
    return min(_key_of_five(five) for five in combinations(ranks, min(5, len(ranks))))


def low_key_of_cards(hand: Iterable[int]) -> Key:
    """``low_key`` of card ints."""
    return low_key(int(c) // 4 for c in hand)
