"""What a seat knows in a spot, and what a player would do there."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.inspection.action_chances import SAMPLES, chances
from agents.players.reading import winnable_chips
from razz_env.envs.agent import Agent
from razz_env.equity import visible_equity
from razz_env.observation import unseen_ranks
from razz_env.render.prompts import Choice as DrawnChoice
from razz_env.render.prompts import choices
from razz_env.rules import lowball
from razz_env.rules.betting import to_call
from razz_env.rules.cards import NO_CARD, RANKS, format_card, format_cards
from razz_env.rules.checks import require_view
from razz_env.rules.record import SEAT_VIEW, SeatView
from razz_env.rules.terms import Action, Street


@dataclass(frozen=True)
class Choice:
    """A legal action and how likely a player is to take it.

    Attributes:
        action: it.
        chips: that it puts in now.
        to_chips: the street total that it makes.
        probability: 0 to 1.
        standard_error: of the probability; 0 where the player tells it.
    """

    action: Action
    chips: int
    to_chips: int
    probability: float
    standard_error: float

    @property
    def text(self) -> str:
        """The action with its chips: "complete to 20", "call 5", "fold"."""
        words = self.action.name.lower().replace("_", " ")
        if self.action in (Action.COMPLETE, Action.RAISE):
            return f"{words} to {self.to_chips}"
        return f"{words} {self.chips}" if self.chips else words


@dataclass(frozen=True)
class Insight:
    """A spot as one seat sees it, and what a player does there.

    Attributes:
        player: its name.
        seat: that acts.
        street: in play.
        choices: the legal actions, in the order of `Action`.
        samples: how often the player was asked; None if it tells its probabilities.
        equity: share of the pot, 0 to 1, if all live hands were dealt out and shown, and every hole
            card that is not seen were equally likely.
        equity_error: standard error of it; 0 where every deal was counted.
        pot_chips: chips put in so far that the seat can win after a call: all of them, but for what
            others have put in beyond its last chip.
        call_chips: what a call costs; 0 if there is nothing to call.
        pot_odds: share of the pot after a call that the call pays; 0 if it is free.
        low: the own low as it stands, "8-6-4-3-A low"; empty before there are five cards.
        dead: up cards of the seats that have folded, by seat.
        left: how many cards of each rank, ace to king, this seat has not seen; they are in the
            deck or face down in other hands.
        live_low_cards: of those, cards up to an eight that do not pair the own hand.
    """

    player: str
    seat: int
    street: Street
    choices: tuple[Choice, ...]
    samples: int | None
    equity: float
    equity_error: float
    pot_chips: int
    call_chips: int
    pot_odds: float
    low: str
    dead: dict[int, str]
    left: tuple[int, ...]
    live_low_cards: int

    def probability(self, action: Action) -> float:
        """How likely an action is; 0 for one that is not legal."""
        return sum(one.probability for one in self.choices if one.action == action)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, for JSON."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return told | {
            "street": int(self.street),
            "choices": [
                {
                    "action": one.action.name,
                    "text": one.text,
                    "chips": one.chips,
                    "to_chips": one.to_chips,
                    "probability": one.probability,
                    "standard_error": one.standard_error,
                }
                for one in self.choices
            ],
            "dead": {str(seat): cards for seat, cards in self.dead.items()},
            "left": dict(zip(RANKS, self.left)),
        }


def look_at(view: SeatView, player: Agent, *, samples: int = SAMPLES, seed: int = 0) -> Insight:
    """What a player does with a seat's view of its turn, and what the seat knows there.

    Only the view is looked at: the hidden cards of the others are in no way part of the answer.

    Args:
        view: of the seat to act, from `Hand.view` or a row of `TableBatch.views`.
        player: the one to ask. Its memory of earlier hands is forgotten first.
        samples: how often to ask a player that does not tell its probabilities.
        seed: of the samples, and of an equity that takes too long to be counted.

    Raises:
        TypeError: something else than a seat's view, such as a hand's record.
        ValueError: the view of a seat that is not to act, or a player that fails to answer.
    """
    require_view(view, "look_at takes")
    public, seat = view.public, int(view.seat)
    if public.actor != seat:
        turn = "nobody" if public.actor < 0 else f"seat {public.actor}"
        raise ValueError(f"Seat {seat} is not to act but {turn}: ask for the view of that seat.")
    views = np.array([view], SEAT_VIEW)
    found = chances(player, views, samples, np.random.default_rng(seed))
    share, error = visible_equity(view, seed=seed)
    pot, call = int(winnable_chips(view)), int(to_call(public, seat))
    left = tuple(unseen_ranks(view).tolist())
    return Insight(
        player=player.name,
        seat=seat,
        street=Street(int(public.street)),
        choices=tuple(_choice(drawn, found.shares[0], found.errors[0]) for drawn in choices(view)),
        samples=found.samples,
        equity=share,
        equity_error=error,
        pot_chips=pot,
        call_chips=call,
        pot_odds=call / (pot + call) if call else 0.0,
        low=_low(view),
        dead=_dead(public),
        left=left,
        live_low_cards=_live_low_cards(view, left),
    )


def _choice(drawn: DrawnChoice, shares: NDArray[np.float64], errors: NDArray[np.float64]) -> Choice:
    action = drawn.action
    return Choice(action, drawn.chips, drawn.to_chips, float(shares[action]), float(errors[action]))


def _dealt(cards: Any) -> list[int]:
    return [int(card) for card in cards if card != NO_CARD]


def _low(view: SeatView) -> str:
    own = _dealt([*view.down, *view.public.up[view.seat], view.public.community])
    return lowball.evaluate(format_cards(own)).name if len(own) >= lowball.PLAYED_CARDS else ""


def _dead(public: Any) -> dict[int, str]:
    gone = [seat for seat in range(public.num_seats) if not public.live[seat]]
    return {seat: " ".join(map(format_card, _dealt(public.up[seat]))) for seat in gone}


def _live_low_cards(view: SeatView, left: tuple[int, ...]) -> int:
    own = _dealt([*view.down, *view.public.up[view.seat], view.public.community])
    held = {card // 4 for card in own}
    return sum(count for rank, count in enumerate(left[:8]) if rank not in held)
