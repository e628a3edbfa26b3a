"""Equities written down a second time: every deal of real cards, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

import numpy as np

from .lows import DECK, Key, card, low_key

Hand = Sequence[int]
ANY: Callable[[tuple[int, ...]], float] = lambda down: 1.0  # noqa: E731


@cache
def _key(ranks: tuple[int, ...]) -> Key:
    return low_key(ranks)


def key_of(cards: Hand) -> Key:
    """Low of some cards; quick from the second time on."""
    return _key(tuple(sorted(c // 4 for c in cards)))


def shares(hands: Sequence[Hand]) -> np.ndarray:
    """Share of the pot of each hand."""
    keys = [key_of(hand) for hand in hands]
    holds = np.array([key == min(keys) for key in keys])
    return holds / holds.sum()


def ways_to_deal(
    stub: Sequence[int], sizes: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to give so many cards of the stub to each hand."""
    if not sizes:
        yield ()
        return
    for cards in combinations(stub, sizes[0]):
        rest = [c for c in stub if c not in cards]
        for others in ways_to_deal(rest, sizes[1:]):
            yield (cards, *others)


def dealt_out(hands: Sequence[str], dead: str = "", size: int = 7, deck: Sequence[str] = DECK):
    """Equities of exact hands (texts such as "Ah2c3d") by dealing them up to `size` cards each."""
    held = [[card(text[i : i + 2]) for i in range(0, len(text), 2)] for text in hands]
    gone = {card(dead[i : i + 2]) for i in range(0, len(dead), 2)}.union(*held)
    stub = [c for c in map(card, deck) if c not in gone]
    total, count = np.zeros(len(hands)), 0
    for dealt in ways_to_deal(stub, [size - len(hand) for hand in held]):
        total += shares([[*hand, *more] for hand, more in zip(held, dealt, strict=True)])
        count += 1
    return total / count, count
