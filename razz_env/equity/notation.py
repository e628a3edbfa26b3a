"""Cards as a person writes them for an equity: exact ones, ranks only, and unknown ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from razz_env.rules.cards import NO_CARD, RANKS, SUITS, CardsLike, format_card, parse_cards

UNKNOWN = -1

_CARD = re.compile(rf"([{RANKS}])([{SUITS}])?|[x?]", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,|]+")


@dataclass(frozen=True)
class Written:
    """Cards of one hand, in order.

    Attributes:
        ranks: rank of each card, 0 ace .. 12 king, or UNKNOWN.
        exact: those among the cards whose suit is known too, 0..51.
        text: how to name them in a message or a table.
    """

    ranks: tuple[int, ...]
    exact: tuple[int, ...]
    text: str

    @property
    def known(self) -> tuple[int, ...]:
        """The ranks that are known."""
        return tuple(rank for rank in self.ranks if rank != UNKNOWN)

    @property
    def unknown(self) -> int:
        """How many of the cards are unknown."""
        return self.ranks.count(UNKNOWN)


def read_cards(cards: CardsLike, owner: str) -> Written:
    """Cards from text or from integers 0..51, -1 for an unknown card.

    In a text a card is a rank (`A`, `2` .. `9`, `T` or `10`, `J`, `Q`, `K`), alone or with its
    suit, or `x` for an unknown card. So is `?`; where all known cards are written with suits, `??`
    is one unknown card, as in hands elsewhere. Spaces, commas and `|` may stand between cards.

    Raises:
        ValueError: a text that is no cards; `owner` says whose.
        TypeError: neither text nor a list.
    """
    if isinstance(cards, str):
        return _read_text(cards, owner)
    given: object = cards
    if isinstance(given, Sequence | np.ndarray) and not isinstance(given, bytes):
        return _read_numbers(cards)
    raise TypeError(f"{owner} is a text or a list of card numbers, not {given!r}.")


def _read_text(text: str, owner: str) -> Written:
    compact = _SEPARATORS.sub("", text).replace("10", "T")
    if _all_suits_written(compact):
        compact = compact.replace("??", "x")
    ranks, exact, place = [], [], 0
    while place < len(compact):
        found = _CARD.match(compact, place)
        if found is None:
            raise ValueError(
                f"{owner} ({text!r}) cannot be read at {compact[place:]!r}: write cards such as "
                "'Ah' or 'A', and x for an unknown card."
            )
        ranks.append(RANKS.index(found[1].upper()) if found[1] else UNKNOWN)
        if found[2]:
            exact.append(4 * ranks[-1] + SUITS.index(found[2].lower()))
        place = found.end()
    return Written(tuple(ranks), tuple(exact), text.strip())


def _all_suits_written(compact: str) -> bool:
    known = [found for found in _CARD.finditer(compact) if found[1]]
    return bool(known) and all(found[2] for found in known)


def _read_numbers(cards: Sequence[int]) -> Written:
    exact = parse_cards([card for card in cards if card != NO_CARD])
    ranks = tuple(UNKNOWN if card == NO_CARD else int(card) // 4 for card in cards)
    text = "".join("x" if card == NO_CARD else format_card(int(card)) for card in cards)
    return Written(ranks, exact, text)
