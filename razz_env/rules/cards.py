"""Cards as small integers, and their text.

A card is `rank * 4 + suit`: rank 0 is the ace, 12 the king; suits are 0 clubs, 1 diamonds,
2 hearts, 3 spades. So the order of the integers is the order of door cards for the bring-in
(RULES 3): the king of spades, 51, is the worst card there is. -1 stands for "no card".
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from razz_env.rules.checks import is_whole

RANKS = "A23456789TJQK"
SUITS = "cdhs"
NUM_RANKS = len(RANKS)
DECK_SIZE = 52
NO_CARD = -1

CardsLike: TypeAlias = str | Sequence[int]


def format_card(card: int) -> str:
    """Text of one card, such as `"Ah"`; `"??"` for no card."""
    return "??" if card == NO_CARD else RANKS[card // 4] + SUITS[card % 4]


def format_cards(cards: Iterable[int]) -> str:
    """Text of several cards without spaces, such as `"Ah2c3d"`."""
    return "".join(format_card(int(card)) for card in cards)


def parse_cards(cards: CardsLike) -> tuple[int, ...]:
    """Cards from text (`"Ah 2c,Td"`, also `"10d"`) or from integers 0..51.

    Raises:
        ValueError: a card that does not exist or that stands there twice, with its place.
    """
    found = _parse_text(cards) if isinstance(cards, str) else _check_numbers(cards)
    repeated = [card for index, card in enumerate(found) if card in found[:index]]
    if repeated:
        text = cards if isinstance(cards, str) else format_cards(found)
        raise ValueError(
            f"The card {format_card(repeated[0])} stands more than once in {text!r}; "
            "a deck has one of each."
        )
    return found


def _parse_text(text: str) -> tuple[int, ...]:
    compact = text.replace("10", "T").replace(" ", "").replace(",", "")
    if len(compact) % 2:
        raise ValueError(
            f"The cards {text!r} do not come in pairs of a rank and a suit, such as 'Ah2cTd'."
        )
    return tuple(_parse_card(compact[at : at + 2], text) for at in range(0, len(compact), 2))


def _parse_card(name: str, text: str) -> int:
    rank, suit = RANKS.find(name[0].upper()), SUITS.find(name[1].lower())
    if rank < 0 or suit < 0:
        raise ValueError(
            f"{name!r} in {text!r} is no card: write a rank of {RANKS} and a suit of {SUITS}, "
            "such as 'Ah' or 'Td'."
        )
    return rank * 4 + suit


def _check_numbers(cards: Sequence[int]) -> tuple[int, ...]:
    for place, card in enumerate(cards):
        if not is_whole(card) or not 0 <= card < DECK_SIZE:
            raise ValueError(
                f"{card!r} (place {place}) is no card number 0..51; several cards as text are one "
                "string, such as 'Ah2cTd'."
            )
    return tuple(int(card) for card in cards)
