"""The scripted players "scripted:tight" and "scripted:loose": Razz as the books play it.

Their rules are the functions below, read from the top; the two differ only in the numbers of their
`Style`. They look at their own cards, every up card that was ever shown, the pot and who has put
chips in, draw no random numbers and keep no memory, so the same view always gets the same action.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.players.legal import Actions, CertainPlayer, Masks, require_legal
from agents.players.low_chances import start_worth, win_chance
from agents.players.moves import fair_shares, give_up, go_along, press
from agents.players.reading import (
    count_seats,
    door_rank,
    live_rivals,
    lowest_door,
    price_of_call,
    streets_to_come,
    willing_seats,
)
from razz_env._jit import kernel
from razz_env.rules.betting import BRING_IN, CHECK, THIRD
from razz_env.rules.record import Record
from razz_env.rules.terms import Street

FOURTH = int(Street.FOURTH)


class Resolve(NamedTuple):
    """What it takes to put chips in. A fair share is a win chance of 1 / (hands in the pot).

    Attributes:
        bet: fair shares with which it bets, or completes as a steal.
        press: fair shares with which it raises.
        caution: how many times the pot odds its win chance must be to call.
    """

    bet: float
    press: float
    caution: float


class Style(NamedTuple):
    """A character.

    Attributes:
        start: least `start_worth` of three cards to come in with.
        credit: chance that somebody who came in has low hole cards.
        heed: what each bet of the street adds to that credit.
        third: resolve on third street.
        fourth: resolve on fourth street, where a call leads to three streets of big bets.
        middle: resolve on fifth and sixth street.
        river: resolve on the last street, where there is nothing left to draw.
    """

    start: float
    credit: float
    heed: float
    third: Resolve
    fourth: Resolve
    middle: Resolve
    river: Resolve


STYLES = {
    "tight": Style(
        start=0.25,
        credit=0.5,
        heed=0.2,
        third=Resolve(bet=1.0, press=1.05, caution=1.0),
        fourth=Resolve(bet=0.75, press=1.05, caution=1.5),
        middle=Resolve(bet=0.75, press=1.05, caution=1.1),
        river=Resolve(bet=0.9, press=1.4, caution=1.0),
    ),
    "loose": Style(
        start=0.2,
        credit=0.4,
        heed=0.0,
        third=Resolve(bet=0.9, press=1.05, caution=1.0),
        fourth=Resolve(bet=0.75, press=1.05, caution=1.2),
        middle=Resolve(bet=0.75, press=1.05, caution=1.0),
        river=Resolve(bet=0.75, press=1.05, caution=0.9),
    ),
}
"""Name -> style. The tight one comes in with better cards, heeds bets and wants a better price."""


@kernel
def choose(view: Record, style: Style, mask: NDArray[np.int8]) -> int:
    """The action of the seat to act, one that `mask` int8[7] allows."""
    if view.public.street > THIRD:
        return later_street(view, style, mask)
    if view.public.bets == 0:
        return open_pot(view, style, mask)
    return answer_completion(view, style, mask)


@kernel
def open_pot(view: Record, style: Style, mask: NDArray[np.int8]) -> int:
    """Third street while nobody has completed."""
    public = view.public
    if mask[BRING_IN] and view.seat == public.first_to_act:
        return BRING_IN  # the highest door is behind every other one and may still raise later
    if start_worth(view) >= style.start:
        return press(mask)  # three low cards want few rivals, and those to pay
    rivals = live_rivals(view)
    if count_seats(rivals) > 2:
        return give_up(mask)
    chance = win_chance(view, rivals, willing_seats(public), style.credit)
    if can_steal(view, rivals) and chance >= fair_shares(style.third.bet, rivals):
        return press(mask)
    if count_seats(rivals) == 1 and chance > style.third.caution * price_of_call(view):
        return go_along(mask)  # nobody behind can make it dearer but the bring-in itself
    return give_up(mask)


@kernel
def can_steal(view: Record, rivals: int) -> bool:
    """Whether every rival shows a higher door card: they are to believe in three low cards."""
    return door_rank(view.public, view.seat) < lowest_door(view.public, rivals)


@kernel
def answer_completion(view: Record, style: Style, mask: NDArray[np.int8]) -> int:
    """Third street against a completion: own three cards against the door cards that came in."""
    rivals = live_rivals(view)
    opened = rivals & willing_seats(view.public)
    is_start = start_worth(view) >= style.start
    if not is_start and opened != rivals:
        return give_up(mask)  # with others still to come, less than a start is not worth it
    chance = win_chance(view, opened, opened, style.credit)
    if is_start and chance >= fair_shares(style.third.press, opened):
        return press(mask)
    if chance > style.third.caution * price_of_call(view):
        return go_along(mask)
    return give_up(mask)


@kernel
def later_street(view: Record, style: Style, mask: NDArray[np.int8]) -> int:
    """Fourth to seventh street: the own hand against every live board."""
    public = view.public
    resolve = resolve_on(public, style)
    rivals = live_rivals(view)
    credit = min(style.credit + style.heed * public.bets, 1.0)
    chance = win_chance(view, rivals, willing_seats(public), credit)
    wanted = resolve.bet if mask[CHECK] else resolve.press
    if chance >= fair_shares(wanted, rivals):
        return press(mask)  # ahead: the others pay, or give up what they could draw for nothing
    if chance > resolve.caution * price_of_call(view):
        return go_along(mask)
    return give_up(mask)


@kernel
def resolve_on(public: Record, style: Style) -> Resolve:
    """The resolve on a street from fourth on."""
    if streets_to_come(public) == 0:
        return style.river
    return style.fourth if public.street == FOURTH else style.middle


@kernel
def choose_each(
    views: NDArray[Any], style: Style, masks: NDArray[np.int8], actions: NDArray[np.int64]
) -> None:
    """`choose` for every row, into `actions` int64[K]."""
    for row in range(len(views)):
        actions[row] = choose(views[row], style, masks[row])


@dataclass(frozen=True)
class ScriptedPlayer(CertainPlayer):
    """Plays by the rules of this module; deterministic.

    Attributes:
        name: "scripted:" and the name of its style.
        style: its numbers.
    """

    name: str
    style: Style

    def _choices(self, views: NDArray[Any], masks: Masks) -> Actions:
        require_legal(masks, views["seat"])
        actions = np.empty(len(views), np.int64)
        choose_each(
            np.ascontiguousarray(views),
            self.style,
            np.ascontiguousarray(masks, dtype=np.int8),
            actions,
        )
        return actions


def scripted(argument: str | None = None) -> ScriptedPlayer:
    """The player "scripted:tight" (also "scripted") or "scripted:loose".

    Raises:
        ValueError: another style, naming the known ones.
    """
    name = "tight" if argument is None else argument
    if name not in STYLES:
        known = ", ".join(f"scripted:{style}" for style in STYLES)
        raise ValueError(f"There is no scripted player {name!r}; known: {known}.")
    return ScriptedPlayer(f"scripted:{name}", STYLES[name])
