"""The players "equity" and "equity:uniform": pot odds against the equity of their hand.

They know what the book knows, and count: every pair of ranks that a rival may have in the hole, and
all that may come (`agents.players.holdings`). "equity" weighs the pairs by what the rival has done
on every street; "equity:uniform" believes nobody and takes all hole cards for equally likely. Both
draw no random numbers. Their ideas:

- Call when the equity is worth the price. It must be worth more while dear streets are to come,
  most of all on third street, and with five cards seen a little less will do.
- Bet, complete and raise when the equity is about a fair share of the pot or more: with fewer hands
  in it the others pay for what they could draw for nothing. To raise a raise takes more.
- Bet with less where the own board shows more low cards than any other: others may fold.
- On third street come in with three low live cards, and steal where no door behind is lower. An
  equity against seats that have yet to act would take hands that may still fold for hands that pay.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.players.holdings import Reading, Scratch, Tables, equity_of, scratch, tables
from agents.players.legal import Actions, CertainPlayer, Masks, require_legal
from agents.players.low_chances import EIGHT, start_worth
from agents.players.moves import fair_shares, give_up, go_along, press
from agents.players.reading import (
    count_seats,
    door_rank,
    live_rivals,
    lowest_door,
    price_of_call,
    shown_lead,
    willing_seats,
)
from agents.players.scripted import Resolve
from razz_env._jit import kernel
from razz_env.rules.betting import BRING_IN, CHECK, THIRD
from razz_env.rules.record import Record


class Style(NamedTuple):
    """The numbers of the players. A fair share is an equity of 1 / (hands in the pot).

    Attributes:
        reading: what the actions of others tell.
        start: least `start_worth` of three cards to come in with.
        limp: how many times the pot odds the equity must be to call the bring-in.
        streets: resolve on third to seventh street; on third `bet` is for a steal.
        again: how many times as good a hand must be to raise a raise as to raise a bet.
        look: how many times as good a hand must be to bet where the own board looks best.
    """

    reading: Reading
    start: float
    limp: float
    streets: tuple[Resolve, Resolve, Resolve, Resolve, Resolve]
    again: float
    look: float


WEIGHTED = Reading(
    enter=(1.0, 0.6, 0.3, 0.15),
    complete=(1.0, 0.3, 0.1, 0.05),
    check=(0.25, 0.6, 1.0, 1.0),
    call=(1.0, 0.9, 0.3, 0.1),
    bet=(1.0, 0.6, 0.2, 0.1),
)
UNIFORM = Reading(*[(1.0, 1.0, 1.0, 1.0)] * 5)
STYLE = Style(
    reading=WEIGHTED,
    start=0.25,
    limp=1.0,
    streets=(
        Resolve(bet=0.9, press=1.1, caution=1.5),
        Resolve(bet=0.75, press=1.0, caution=1.2),
        Resolve(bet=0.85, press=1.05, caution=1.05),
        Resolve(bet=0.75, press=1.1, caution=0.95),
        Resolve(bet=0.95, press=1.3, caution=0.95),
    ),
    again=1.1,
    look=0.7,
)
STYLES = {None: STYLE, "uniform": STYLE._replace(reading=UNIFORM)}
"""Argument of the name -> style."""


@kernel
def choose(view: Record, style: Style, mask: NDArray[np.int8], known: Tables, room: Scratch) -> int:
    """The action of the seat to act, one that `mask` int8[7] allows.

    `known` and `room` are `holdings.tables()` and `holdings.scratch()`.
    """
    if view.public.street > THIRD:
        return later_street(view, style, mask, known, room)
    if view.public.bets == 0:
        return open_pot(view, style, mask, known, room)
    return answer_completion(view, style, mask, known, room)


@kernel
def open_pot(
    view: Record, style: Style, mask: NDArray[np.int8], known: Tables, room: Scratch
) -> int:
    """Third street while nobody has completed."""
    public, rivals = view.public, live_rivals(view)
    if mask[BRING_IN] and view.seat == public.first_to_act:
        return BRING_IN  # the highest door is behind every other one and may still raise later
    if start_worth(view) >= style.start:
        return press(mask)
    if count_seats(rivals) > 2:
        return give_up(mask)
    share = equity_of(view, rivals, style.reading, known, room)
    can_steal = door_rank(public, view.seat) < lowest_door(public, rivals)
    if can_steal and share >= fair_shares(style.streets[0].bet, rivals):
        return press(mask)
    if count_seats(rivals) == 1 and share > style.limp * price_of_call(view):
        return go_along(mask)  # nobody behind can make it dearer but the bring-in itself
    return give_up(mask)


@kernel
def answer_completion(
    view: Record, style: Style, mask: NDArray[np.int8], known: Tables, room: Scratch
) -> int:
    """Third street against a completion: the equity against those who came in."""
    rivals = live_rivals(view)
    opened = rivals & willing_seats(view.public)
    if start_worth(view) < style.start and opened != rivals:
        return give_up(mask)  # with others still to come, less than a start is not worth it
    share = equity_of(view, opened, style.reading, known, room)
    return by_share(view, style, mask, opened, share)


@kernel
def later_street(
    view: Record, style: Style, mask: NDArray[np.int8], known: Tables, room: Scratch
) -> int:
    """Fourth to seventh street: the equity against all who are left."""
    rivals = live_rivals(view)
    share = equity_of(view, rivals, style.reading, known, room)
    return by_share(view, style, mask, rivals, share)


@kernel
def by_share(view: Record, style: Style, mask: NDArray[np.int8], rivals: int, share: float) -> int:
    """Press, go along or give up by the own share of the pot against a set of rivals."""
    resolve = style.streets[view.public.street - THIRD]
    wanted = resolve.press * (style.again if view.public.bets > 1 else 1.0)
    if mask[CHECK]:
        looks_best = shown_lead(view, rivals, EIGHT) > 0
        wanted = resolve.bet * (style.look if looks_best else 1.0)
    if share >= fair_shares(wanted, rivals):
        return press(mask)
    if share > resolve.caution * price_of_call(view):
        return go_along(mask)
    return give_up(mask)


@kernel
def choose_each(
    views: NDArray[Any],
    style: Style,
    masks: NDArray[np.int8],
    known: Tables,
    room: Scratch,
    actions: NDArray[np.int64],
) -> None:
    """`choose` for every row, into `actions` int64[K]."""
    for row in range(len(views)):
        actions[row] = choose(views[row], style, masks[row], known, room)


@dataclass(frozen=True)
class EquityPlayer(CertainPlayer):
    """Plays by the rules of this module; deterministic.

    Attributes:
        name: "equity" or "equity:uniform".
        style: its numbers.
    """

    name: str = "equity"
    style: Style = STYLE

    def _choices(self, views: NDArray[Any], masks: Masks) -> Actions:
        require_legal(masks, views["seat"])
        actions = np.empty(len(views), np.int64)
        choose_each(
            np.ascontiguousarray(views),
            self.style,
            np.ascontiguousarray(masks, dtype=np.int8),
            tables(),
            scratch(),
            actions,
        )
        return actions


def equity(argument: str | None = None) -> EquityPlayer:
    """The player "equity", or "equity:uniform".

    Raises:
        ValueError: another argument, naming the known players.
    """
    if argument not in STYLES:
        raise ValueError(f"There is no player 'equity:{argument}'; known: equity, equity:uniform.")
    return EquityPlayer("equity" if argument is None else f"equity:{argument}", STYLES[argument])
