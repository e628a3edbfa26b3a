"""Ace-to-five lows: their exact order and their names (RULES 1).

A low is an int32 key, smaller is better: `category << 20 | ranks`, where the ranks are packed four
bits each, largest group first and then highest card first. The best five of up to seven cards
play; fewer than five are compared on all of them. Straights, flushes and suits do not count.
"""

from dataclasses import dataclass
from functools import total_ordering

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel, trailing_zeros
from razz_env.rules.cards import RANKS, CardsLike, parse_cards

CATEGORIES = ("no pair", "one pair", "two pair", "three of a kind", "full house", "four of a kind")
RANK_NAMES = "ace deuce three four five six seven eight nine ten jack queen king".split()
PLAYED_CARDS = 5
WORST_LOW = 2**31 - 1

_ONES = 0x1111111111111
"""One of every rank, as `count_rank` packs them."""


@kernel
def count_rank(counts: int, card: int) -> int:
    """`counts` (13 numbers of four bits, one a rank) with one more card."""
    return counts + (1 << (4 * (card >> 2)))


@kernel
def low_key(counts: int) -> int:
    """Key of the best low that can be made of the ranks in `counts` (see `count_rank`)."""
    cards = (counts * _ONES) >> (4 * 12) & 15  # the product's highest number is the sum of all
    present = (counts | counts >> 1 | counts >> 2) & _ONES
    played = min(cards, PLAYED_CARDS)
    key, taken, rest = 0, 0, present
    while taken < played and rest != 0:
        key |= (trailing_zeros(rest) >> 2) << (4 * taken)
        rest &= rest - 1
        taken += 1
    if taken == played:
        return key
    return _paired_key(_choose_copies(counts, present, played - taken))


@kernel
def _choose_copies(counts: int, present: int, extra: int) -> int:
    """One card of every rank, then `extra` more: second copies first, lowest ranks first.

    That is the best choice because the classes get worse by the size of their groups and equal
    classes compare their groups first.
    """
    chosen, copy = present, 2
    while extra > 0:
        for rank in range(13):
            if extra > 0 and ((counts >> (4 * rank)) & 15) >= copy:
                chosen += 1 << (4 * rank)
                extra -= 1
        copy += 1
    return chosen


@kernel
def _paired_key(chosen: int) -> int:
    """Key of exactly these ranks, at most five of them, at least one twice."""
    fours, twos, ones = chosen >> 2 & _ONES, chosen >> 1 & _ONES, chosen & _ONES
    key, taken = 0, 0
    for copies, group in ((1, ones & ~twos), (2, twos & ~ones), (3, twos & ones), (4, fours)):
        rest = group
        while rest != 0:
            rank = trailing_zeros(rest) >> 2
            for _ in range(copies):
                key |= rank << (4 * taken)
                taken += 1
            rest &= rest - 1
    return key | _category(twos & ~ones, twos & ones, fours) << 20


@kernel
def _category(pairs: int, threes: int, fours: int) -> int:
    """Index in CATEGORIES, from the ranks held twice, three times and four times."""
    if fours:
        return 5
    if threes:
        return 4 if pairs else 3
    return 2 if pairs & (pairs - 1) else 1


@kernel
def _evaluate_rows(cards: NDArray[np.int8], keys: NDArray[np.int32]) -> None:
    for row in range(len(cards)):
        counts = 0
        for place in range(cards.shape[1]):
            counts = count_rank(counts, cards[row, place])
        keys[row] = low_key(counts)


@total_ordering
@dataclass(frozen=True)
class Low:
    """A low of one to five cards. `a < b` means that `a` is the better (lower) hand.

    Attributes:
        key: int32 order key, smaller is better; comparable among lows of equally many cards.
        size: number of cards that play, 1..5.
    """

    key: int
    size: int

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Low):
            return NotImplemented
        if self.size != other.size:
            raise ValueError(
                f"A low of {self.size} cards cannot be compared with one of {other.size} cards."
            )
        return self.key < other.key

    @property
    def ranks(self) -> tuple[int, ...]:
        """Ranks that play (0 ace .. 12 king): largest group first, then highest first."""
        return tuple((self.key >> (4 * place)) & 15 for place in range(self.size - 1, -1, -1))

    @property
    def category(self) -> str:
        """One of CATEGORIES."""
        return CATEGORIES[self.key >> 20]

    @property
    def name(self) -> str:
        """How a dealer calls it: `"wheel"`, `"8-6-5-4-A low"`, `"pair of sevens, J-6-3"`."""
        if self.category == "no pair":
            return "wheel" if self.ranks == (4, 3, 2, 1, 0) else f"{_dashed(self.ranks)} low"
        return _paired_name(self.category, self.ranks)

    def __str__(self) -> str:
        return self.name


def _dashed(ranks: tuple[int, ...]) -> str:
    return "-".join(RANKS[rank] for rank in ranks)


def _plural(rank: int) -> str:
    name = RANK_NAMES[rank]
    return f"{name}es" if name == "six" else f"{name}s"


def _paired_name(category: str, ranks: tuple[int, ...]) -> str:
    groups = list(dict.fromkeys(ranks))
    first = _plural(groups[0])
    if category == "full house":
        return f"{first} full of {_plural(groups[1])}"
    if category == "two pair":
        name, rest = f"two pair, {first} and {_plural(groups[1])}", groups[2:]
    else:
        words = {"one pair": "pair of", "three of a kind": "three", "four of a kind": "four"}
        name, rest = f"{words[category]} {first}", groups[1:]
    return f"{name}, {_dashed(tuple(rest))}" if rest else name


def low_from_key(key: int, size: int = PLAYED_CARDS) -> Low:
    """The friendly object of a key; `size` is the number of cards that play."""
    return Low(int(key), size)


def evaluate(cards: CardsLike) -> Low:
    """Best ace-to-five low of one to seven cards (text or integers 0..51).

    Raises:
        ValueError: no card, more than seven, an unknown card or one that stands there twice.
    """
    found = parse_cards(cards)
    if not 1 <= len(found) <= 7:
        raise ValueError(f"A low is made of one to seven cards, not of {len(found)} ({cards!r}).")
    key = evaluate_batch(np.array([found], np.int8))[0]
    return Low(int(key), min(len(found), PLAYED_CARDS))


def evaluate_batch(cards: NDArray[np.int8]) -> NDArray[np.int32]:
    """Keys of N hands: `cards` int8[N, k] with 1 <= k <= 7 cards 0..51 each -> int32[N].

    Smaller is better. The cards of a row are taken to be different.

    Raises:
        ValueError: another shape, or numbers outside 0..51.
    """
    given = np.asarray(cards)
    if given.ndim != 2 or not 1 <= given.shape[1] <= 7:
        raise ValueError(f"Lows want cards of shape (N, 1..7), not {given.shape}.")
    if given.dtype.kind not in "iu" or (given.size and not 0 <= given.min() <= given.max() <= 51):
        raise ValueError("Lows want card numbers 0..51 of an integer dtype.")
    keys = np.empty(len(given), np.int32)
    _evaluate_rows(np.ascontiguousarray(given, dtype=np.int8), keys)
    return keys
