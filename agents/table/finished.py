"""Finished hands as they can be looked up: with every hand that reached the showdown (RULES 7).

A hand that was folded, or that won because all others folded, stays with its owner. Mucked hands
are not shown at the table, but can be looked up when the hand is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from razz_env.history import HandRecord
from razz_env.rules.cards import NO_CARD
from razz_env.rules.record import DOWN_PLACES


@dataclass(frozen=True)
class FinishedHand:
    """A hand that was played at a table, all cards included.

    Attributes:
        number: of the hand at its table, from 1.
        record: the whole hand; what a viewer may look up of it is `seen_by`.
        net_chips: result of each seat, chips.
    """

    number: int
    record: HandRecord
    net_chips: tuple[int, ...]

    def won(self, names: Sequence[str], big_bet: int) -> str:
        """`"Ann +3.0 BB and Ben +0.5 BB"`: everyone who won chips, with the amount."""
        won = [
            f"{name} {net / big_bet:+.1f} BB"
            for name, net in zip(names, self.net_chips, strict=True)
            if net > 0
        ]
        return " and ".join(won) or "nobody won anything"

    def seen_by(self, seat: int | None, *, open_cards: bool = False) -> HandRecord:
        """What a seat may look up, or a spectator (None): the others' unseen cards are unknown.

        Args:
            seat: whose own down cards are known, and who is the record's hero.
            open_cards: every card, for spectators of a table where only bots sit.
        """
        if open_cards:
            return self.record
        live = self.record.live_seats
        shown = {*(live if len(live) > 1 else ()), *(() if seat is None else (seat,))}
        cards = (
            own.cards if number in shown else _without_down(own.cards)
            for number, own in enumerate(self.record.seats)
        )
        return replace(self.record.with_cards(cards), hero=seat)


def _without_down(cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(NO_CARD if p in DOWN_PLACES else card for p, card in enumerate(cards))
