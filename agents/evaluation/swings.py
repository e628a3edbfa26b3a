"""The decks of a match with the biggest swings: where two players differ most, with their hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from agents.evaluation.duplicate import DECKS_PER_BLOCK
from agents.evaluation.match import Match
from agents.evaluation.result import Ints
from agents.evaluation.seating import Seating
from razz_env.history import HandRecord
from razz_env.rules.hand import Hand
from razz_env.rules.record import HAND

Side: TypeAlias = Literal["both", "won", "lost"]
"""Which swings are wanted: of any sign, or those that the first player won or lost."""


@dataclass(frozen=True)
class SwingHand:
    """One hand of a deck.

    Attributes:
        number: of the hand in its match, counted deck by deck from 1.
        seat: of the first player.
        net_chips: of the first player.
        record: the hand, with the players' names, `hand_id` its number and `table` its deck.
    """

    number: int
    seat: int
    net_chips: int
    record: HandRecord


@dataclass(frozen=True)
class Swing:
    """A deck and all hands that were played with it.

    Attributes:
        deck: its number.
        net_chips: of the first player in all these hands together.
        hands: one for each seating.
    """

    deck: int
    net_chips: int
    hands: tuple[SwingHand, ...]


def find_swings(match: Match, top: int = 20, side: Side = "both") -> list[Swing]:
    """The decks of a match that was played with the biggest results, the biggest first.

    Under duplicate the cards are the same for both players, so a deck's result comes from what they
    did with them. Decks that came out even are no swings. The blocks of these decks are played
    once more for their hands.

    Args:
        match: after `Match.play`.
        top: how many decks.
        side: those of either sign, or only those that the first player won or lost.

    Raises:
        ValueError: fewer than one deck is wanted, nothing was played, or a player that does not
            play a block alike twice.
    """
    check_top(top)
    chips = match.result().deck_chips
    decks = _biggest(chips, top, side)
    played = _played_again(match, chips, decks)
    return [Swing(deck, int(chips[deck]), tuple(played[deck])) for deck in decks]


def check_top(top: int) -> None:
    """Refuse a number of swings that is none.

    Raises:
        ValueError: fewer than one.
    """
    if top < 1:
        raise ValueError(f"top={top} must be at least 1.")


def _biggest(chips: Ints, top: int, side: Side) -> list[int]:
    sizes = {"both": np.abs(chips), "won": chips, "lost": -chips}[side]
    order = np.argsort(-sizes, kind="stable")[:top]
    return [int(deck) for deck in order if sizes[deck] > 0]


def _played_again(match: Match, chips: Ints, decks: Sequence[int]) -> dict[int, list[SwingHand]]:
    """The hands of some decks of a match."""
    tables = match.plan.tables()
    found: dict[int, list[SwingHand]] = {deck: [] for deck in decks}
    for block in sorted({deck // DECKS_PER_BLOCK for deck in decks}):
        first = block * DECKS_PER_BLOCK
        size = min(DECKS_PER_BLOCK, match.decks - first)
        wanted = [deck for deck in decks if first <= deck < first + size]
        for turn, (seating, net) in enumerate(tables.play_seatings(block, size)):
            for deck in wanted:
                number = deck * tables.hands_per_deck + turn + 1
                hand = Hand(np.frombuffer(tables.hands[deck - first].tobytes(), HAND))
                seat = seating.index(0)
                record = _record(match, hand, seating, deck, number)
                found[deck].append(SwingHand(number, seat, int(net[deck - first, seat]), record))
    _check_alike(match, chips, found)
    return found


def _check_alike(match: Match, chips: Ints, found: dict[int, list[SwingHand]]) -> None:
    for deck, hands in found.items():
        if sum(hand.net_chips for hand in hands) != chips[deck]:
            names = " or ".join(repr(agent.name) for agent in match.lineup[:2])
            raise ValueError(
                f"Deck {deck} does not come out the same twice: {names} depends on something else "
                "than its generator and what it sees since its last `reset`."
            )


def _record(match: Match, hand: Hand, seating: Seating, deck: int, number: int) -> HandRecord:
    names = seat_names([agent.name for agent in match.lineup])
    return HandRecord.from_hand(
        hand,
        names=[names[member] for member in seating],
        hand_id=str(number),
        table=f"deck {deck}",
    )


def seat_names(names: Sequence[str]) -> list[str]:
    """Names of a line-up that can be told apart: "caller", "caller (2)", ..."""
    told = []
    for place, name in enumerate(names):
        before = list(names[:place]).count(name)
        told.append(f"{name} ({before + 1})" if before else name)
    return told
