"""The dealer's announcements: what happens at a table, in sentences that everyone may hear.

They are made from the public events of a hand: a card that was dealt face down is never one of
them, and a mucked hand is named without its cards.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from razz_env.history.story import action_words, pot_words
from razz_env.rules.cards import format_card
from razz_env.rules.events import (
    ActionTaken,
    AntePosted,
    CardDealt,
    CommunityDealt,
    Event,
    HandMucked,
    HandShown,
    PotAwarded,
    UncalledReturned,
)
from razz_env.rules.hand import Hand
from razz_env.rules.terms import Street


class Dealer:
    """Announces one hand: `news` tells what has happened since it was last asked."""

    def __init__(self, names: Sequence[str]) -> None:
        """`names`: one for each seat."""
        self.names = tuple(names)
        self._told = 0
        self._street = Street.THIRD
        self._level = 0
        self._lows: dict[int, str] = {}

    def news(self, hand: Hand) -> list[str]:
        """The sentences about everything new in the hand, in order."""
        events = hand.events[self._told :]
        self._told += len(events)
        said: list[str] = []
        for kind, group in groupby(events, type):
            if kind is PotAwarded:
                said += self._awards(
                    [e for e in group if isinstance(e, PotAwarded)], len(hand.pots)
                )
            else:
                said += [line for event in group for line in self._say(event)]
        return said

    def _say(self, event: Event) -> Iterator[str]:
        match event:
            case CardDealt(street=street) if street != self._street:
                self._street, self._level = street, 0
                yield f"{street.name.capitalize()} street."
            case CommunityDealt(card):
                yield f"The deck is short: {format_card(card)} is everyone's seventh card."
            case AntePosted(seat, chips, all_in) if all_in:
                yield f"{self.names[seat]} is all-in with an ante of {chips}."
            case ActionTaken(seat=seat, to_chips=to_chips):
                yield f"{self.names[seat]} {action_words(event, self._level)}."
                self._level = max(self._level, to_chips)
            case UncalledReturned(seat, chips):
                yield f"{self.names[seat]} takes back {chips}, uncalled."
            case HandShown(seat, _, low):
                self._lows[seat] = low.name
                yield f"{self.names[seat]} shows {low.name}."
            case HandMucked(seat):
                yield f"{self.names[seat]} mucks."

    def _awards(self, awards: list[PotAwarded], pots: int) -> Iterator[str]:
        for number, group in groupby(awards, lambda award: award.pot):
            won = list(group)
            yield self._award(won, pot_words(number, pots))

    def _award(self, won: list[PotAwarded], pot: str) -> str:
        shares = " and ".join(f"{award.chips} to {self.names[award.seat]}" for award in won)
        low = self._lows.get(won[0].seat)
        if low is None:
            return f"{self.names[won[0].seat]} wins {pot}, {won[0].chips}."
        return f"{low} {'wins' if len(won) == 1 else 'splits'} {pot}: {shares}."
