"""A spot as a person writes it: own cards, the boards of the others, what was done.

"(A2)3 | K | 7f" are own down cards in brackets and own up cards; behind each bar stand the up
cards of one other seat, clockwise from the own one, with an `f` if it has folded. A card is a rank
(`A`, `2` .. `9`, `T` or `10`, `J`, `Q`, `K`), alone or with its suit.
"""

import re
from typing import NamedTuple

from razz_env.rules.cards import RANKS, SUITS
from razz_env.rules.house_rules import nearest
from razz_env.rules.terms import Action


class SpotError(ValueError):
    """A spot that cannot be read or cannot be: a sentence with the way out."""


class WrittenCard(NamedTuple):
    """A card: rank 0 ace .. 12 king, suit 0 .. 3, or None where any will do."""

    rank: int
    suit: int | None

    def __str__(self) -> str:
        return RANKS[self.rank] + ("" if self.suit is None else SUITS[self.suit])


Cards = tuple[WrittenCard, ...]


class OtherSeat(NamedTuple):
    """The up cards of another seat, in street order, and whether it has folded."""

    up: Cards
    folded: bool
    text: str


class WrittenSpot(NamedTuple):
    """The cards of a spot.

    Attributes:
        down: own down cards of third street.
        up: own up cards, in street order.
        river: own down card of seventh street, or None.
        others: the other seats, clockwise from the own one.
    """

    down: Cards
    up: Cards
    river: WrittenCard | None
    others: tuple[OtherSeat, ...]


_OWN = re.compile(r"\s*\(([^()]*)\)([^()]*)(?:\(([^()]*)\))?\s*")
_CARD = re.compile(rf"([{RANKS}]|10)([{SUITS}])?", re.IGNORECASE)
_BRING_IN = re.compile(r"bring[-_ ]in", re.IGNORECASE)

LETTERS = {
    "f": Action.FOLD,
    "x": Action.CHECK,
    "c": Action.CALL,
    "i": Action.BRING_IN,
    "o": Action.COMPLETE,
    "b": Action.BET,
    "r": Action.RAISE,
}
"""Short for an action: fold, x for a check, call, bring in, cOmplete, bet, raise."""


def read_cards_of_spot(text: str) -> WrittenSpot:
    """The cards of a spot, not yet checked against each other.

    Raises:
        SpotError: something that is not in this notation.
    """
    own, *parts = text.replace("[", "(").replace("]", ")").split("|")
    found = _OWN.fullmatch(own)
    if found is None:
        raise SpotError(
            f"{own.strip()!r} are no own cards: write the down cards in brackets and the up cards "
            "behind them, such as (A2)3, on seventh street (A2)3456(7)."
        )
    down, up = read_cards(found[1], "Your down cards"), read_cards(found[2], "Your up cards")
    river = read_cards(found[3] or "", "Your seventh card")
    if len(river) > 1:
        raise SpotError(f"Seventh street is one down card, not {len(river)} ({found[3]!r}).")
    seats = [seat for part in parts for seat in _seats_of(part, len(up))]
    others = tuple(_other_seat(seat, number) for number, seat in enumerate(seats, 1))
    return WrittenSpot(down, up, river[0] if river else None, others)


def _seats_of(part: str, own_up: int) -> list[str]:
    """The seats between two bars: one, but on third street each word is one."""
    if own_up > 1:
        return [part]
    return re.sub(r"\s+f\b", "f", part).split() or [part]


def _other_seat(text: str, number: int) -> OtherSeat:
    cards = text.strip()
    folded = cards.endswith("f")
    up = read_cards(cards.removesuffix("f"), f"The up cards of the seat {number} to your left")
    if not up:
        raise SpotError(
            f"The seat {number} to your left shows no card: write its up cards, and f behind them "
            "if it has folded, such as 7f."
        )
    return OtherSeat(up, folded, cards)


def read_cards(text: str, owner: str) -> Cards:
    """Cards from text; spaces and commas may stand between them.

    Raises:
        SpotError: anything else in it, naming the owner.
    """
    compact = re.sub(r"[\s,]+", "", text)
    cards, place = [], 0
    while place < len(compact):
        found = _CARD.match(compact, place)
        if found is None:
            raise SpotError(
                f"{owner} ({text.strip()!r}) cannot be read at {compact[place:]!r}: write a rank "
                f"of {RANKS}, with a suit of {SUITS} where it matters, such as K or Kh."
            )
        rank = RANKS.index(found[1].upper().replace("10", "T"))
        cards.append(WrittenCard(rank, SUITS.index(found[2].lower()) if found[2] else None))
        place = found.end()
    return tuple(cards)


def read_actions(text: str) -> list[list[Action]]:
    """The actions of some streets, of which the last is the one in play.

    Streets stand between `/`, actions between spaces or commas: names or the `LETTERS`, which may
    be written together. "i o c / b" is "bring-in complete call / bet" and "ioc/b".

    Raises:
        SpotError: a word that is no action.
    """
    streets = _BRING_IN.sub("i", text).split("/")
    return [
        [action for word in re.split(r"[\s,]+", street.strip()) for action in _actions(word)]
        for street in streets
    ]


def _actions(word: str) -> list[Action]:
    name = word.upper()
    if name in Action.__members__:
        return [Action[name]]
    if all(letter in LETTERS for letter in word.lower()):
        return [LETTERS[letter] for letter in word.lower()]
    names = [action.name.lower().replace("_", "-") for action in Action]
    letters = ", ".join(f"{letter} {LETTERS[letter].name.lower()}" for letter in LETTERS)
    raise SpotError(f"There is no action {word!r}{nearest(word, names)}; or in short {letters}.")
