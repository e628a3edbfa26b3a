"""What the seat to act may choose, with amounts: prompts, keys and buttons come from here."""

from dataclasses import dataclass

import numpy as np

from razz_env.rules.betting import action_chips, legal_actions
from razz_env.rules.record import Record, SeatView
from razz_env.rules.terms import NUM_ACTIONS, Action

_WORDS = {
    Action.FOLD: "Fold",
    Action.CHECK: "Check",
    Action.CALL: "Call {chips:,}",
    Action.BRING_IN: "Bring in {chips:,}",
    Action.COMPLETE: "Complete to {to_chips:,}",
    Action.BET: "Bet {chips:,}",
    Action.RAISE: "Raise to {to_chips:,}",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action of the seat to act.

    Attributes:
        action: what it is.
        chips: put in now.
        to_chips: the street total that it makes.
        words: as a button says it, such as "Raise to 60".
    """

    action: Action
    chips: int
    to_chips: int
    words: str


def choices(view: SeatView) -> tuple[Choice, ...]:
    """The legal actions in the order of `Action`; none unless the view's own seat is to act."""
    public = view.public
    if public.actor != view.seat:
        return ()
    mask = np.zeros(NUM_ACTIONS, np.int8)
    legal_actions(public, mask)
    return tuple(_choice(public, Action(int(number))) for number in np.flatnonzero(mask))


def _choice(public: Record, action: Action) -> Choice:
    seat = int(public.actor)
    chips = int(action_chips(public, seat, int(action)))
    to_chips = int(public.street_chips[seat]) + chips
    return Choice(action, chips, to_chips, _WORDS[action].format(chips=chips, to_chips=to_chips))
