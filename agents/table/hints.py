"""Hints for a seat: its equity, the pot odds, and what a player would do in its place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.players.probabilities import BadProbabilities, chosen_actions, told_probabilities
from agents.players.reading import winnable_chips
from agents.table.choices import choices
from razz_env.envs.agent import Agent, OpenAgent, PlayerError
from razz_env.equity import visible_equity
from razz_env.rules.betting import to_call
from razz_env.rules.record import SEAT_VIEW, SeatView
from razz_env.rules.terms import NUM_ACTIONS


class AdviserFailed(PlayerError):
    """The player that was asked for a hint raised an error or gave no legal answer."""


@dataclass(frozen=True)
class Advice:
    """What a player would do in a seat's place.

    Attributes:
        player: its name.
        chances: (label of the choice, probability) of every legal action, by the player's own
            probabilities; or the one choice that it makes, where it has none or one is certain.
        is_choice: whether it is a single choice.
    """

    player: str
    chances: tuple[tuple[str, float], ...]
    is_choice: bool

    @property
    def line(self) -> str:
        """The advice in a sentence."""
        if self.is_choice:
            return f"{self.player} would choose: {self.chances[0][0]}."
        parts = ", ".join(f"{label} {chance:.0%}" for label, chance in self.chances)
        return f"{self.player} would: {parts}."


@dataclass(frozen=True)
class Hint:
    """What is to be said to the seat that is to act.

    Attributes:
        equity: share of the pot that its cards take on average against hands of which only the up
            cards are known, every other card being equally likely.
        standard_error: of the equity; 0 where every deal was counted.
        to_call_chips: what a call costs.
        pot_chips: chips put in so far that the seat can win after a call: all of them, but for what
            others have put in beyond its last chip.
        advice: of the player that was asked, if one was.
    """

    equity: float
    standard_error: float
    to_call_chips: int
    pot_chips: int
    advice: Advice | None

    @property
    def pot_odds(self) -> float:
        """Equity at which a call costs as much as it brings, if no more betting comes."""
        return self.to_call_chips / (self.pot_chips + self.to_call_chips)

    def lines(self) -> list[str]:
        """The hint in sentences."""
        margin = f"± {self.standard_error:.2%}" if self.standard_error else "exact"
        said = [f"Equity {self.equity:.1%} ({margin}), the others' hidden cards taken as random."]
        if self.to_call_chips:
            price = f"a call of {self.to_call_chips:,} into {self.pot_chips:,}"
            said.append(f"Pot odds: {price} needs {self.pot_odds:.1%}.")
        return [*said, self.advice.line] if self.advice else said


def hint(view: SeatView, adviser: Agent | None = None) -> Hint:
    """A hint for the seat to act, from what it may know.

    Raises:
        ValueError: it is not the seat's turn.
        AdviserFailed: the adviser raised an error or gave no legal answer.
    """
    if not choices(view):
        raise ValueError(f"Seat {view.seat} is not to act, so there is nothing to hint at.")
    return Hint(
        *visible_equity(view),
        int(to_call(view.public, int(view.seat))),
        int(winnable_chips(view)),
        advice_of(adviser, view) if adviser else None,
    )


def advice_of(agent: Agent, view: SeatView) -> Advice:
    """What a player would do in the place of the seat to act.

    Raises:
        AdviserFailed: it raised an error or gave no legal answer.
    """
    try:
        chances, is_choice = _asked(agent, view)
    except (PlayerError, BadProbabilities) as error:
        raise AdviserFailed(f"No advice: {error}") from error
    is_choice = is_choice or bool(chances.max() == 1)
    offered = [(one.label, float(chances[one.action])) for one in choices(view)]
    return Advice(agent.name, tuple(one for one in offered if one[1] or not is_choice), is_choice)


def _asked(agent: Agent, view: SeatView) -> tuple[NDArray[np.float64], bool]:
    """Probability of every action, float64[7], and whether the agent only made one choice."""
    views = np.zeros(1, SEAT_VIEW)
    views[0] = view
    if isinstance(agent, OpenAgent):
        return told_probabilities(agent, views)[0], False
    return np.eye(NUM_ACTIONS)[chosen_actions(agent, views, np.random.default_rng(0))[0]], True
