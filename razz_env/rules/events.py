"""What happened in a hand, as frozen records in order: the feed of histories, replays, renderers.

Chips are whole numbers; seats count from 0; cards are integers 0..51.
"""

from dataclasses import dataclass
from typing import TypeAlias

from razz_env.rules.lowball import Low
from razz_env.rules.terms import Action, Street


@dataclass(frozen=True)
class AntePosted:
    """A seat has posted its ante, or all it has."""

    seat: int
    chips: int
    all_in: bool


@dataclass(frozen=True)
class CardDealt:
    """A seat has got a card, face up or down."""

    seat: int
    street: Street
    card: int
    face_up: bool


@dataclass(frozen=True)
class CommunityDealt:
    """The stub was short: this card is everyone's seventh (RULES 6)."""

    card: int


@dataclass(frozen=True)
class ActionTaken:
    """A seat has acted: `chips` put in now, `to_chips` its street total after that."""

    seat: int
    street: Street
    action: Action
    chips: int
    to_chips: int
    all_in: bool


@dataclass(frozen=True)
class UncalledReturned:
    """Betting is over and a seat gets back what no opponent matched."""

    seat: int
    chips: int


@dataclass(frozen=True)
class HandShown:
    """A seat shows its hand: its own cards in dealing order."""

    seat: int
    cards: tuple[int, ...]
    low: Low


@dataclass(frozen=True)
class HandMucked:
    """A beaten seat does not show."""

    seat: int


@dataclass(frozen=True)
class PotAwarded:
    """A seat wins chips from a pot; pot 0 is the main pot."""

    pot: int
    seat: int
    chips: int


Event: TypeAlias = (
    AntePosted
    | CardDealt
    | CommunityDealt
    | ActionTaken
    | UncalledReturned
    | HandShown
    | HandMucked
    | PotAwarded
)
