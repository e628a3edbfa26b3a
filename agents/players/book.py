"""The player "book": Razz street by street, as it is taught.

It knows its own cards, every card that was ever shown (dead cards count in every chance), who came
in by choice, and the pot odds. A low card is an eight or lower that pairs nothing. Its ideas:

- Third street: bring in, and with the bring-in's king fold to a completion. Complete with three low
  live cards, raise with the better ones. Steal when no door behind is lower than the own one, with
  two low cards and no more often than lets the last caller break even; a caller then believes the
  completion less, so the bring-in is defended against a likely steal.
- Fourth street: who catches good bets into who catches bad, whatever is in the hole. Who catches
  bad against good lets go, unless the pot has grown big enough to pay for a brick.
- Fifth and sixth street: made hands bet and raise; draws go on against them if they are worth the
  price, and are given up two cards behind.
- Seventh street: bet what is likely best, call by pot odds, and now and then bluff with nothing.

Others are presumed to have two low cards in the hole if they came in by choice, one if not. How
likely the own hand ends lowest is `low_chances.win_chance`. The Generator decides steals and
bluffs.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.players.basic import refuse_argument
from agents.players.legal import Actions, Masks, Probabilities, require_legal
from agents.players.low_chances import EIGHT, start_worth, win_chance
from agents.players.moves import fair_shares, give_up, go_along, press
from agents.players.reading import (
    board_ranks,
    count_seats,
    count_up_to,
    door_rank,
    live_rivals,
    low_size,
    lowest_door,
    own_ranks,
    pot_chips,
    price_of_call,
    shown_lead,
    streets_to_come,
    willing_seats,
)
from agents.players.scripted import Resolve
from razz_env._jit import kernel
from razz_env.rules.betting import BRING_IN, CHECK, THIRD, bet_size
from razz_env.rules.record import Record
from razz_env.rules.terms import NUM_ACTIONS, Street

FOURTH = int(Street.FOURTH)
MOST_LEAD = 2

ByLead: TypeAlias = tuple[float, float, float, float, float]
"""A number for each lead in low cards over the best rival: -2 or less, -1, 0, 1, 2 or more."""


class Plan(NamedTuple):
    """What it takes to put chips in on a street with cards to come.

    Attributes:
        bet: fair shares with which it bets, by the lead that the boards show.
        press: fair shares with which it raises, by the lead that the hands are presumed to have.
        caution: how many times the pot odds its win chance must be to call, by that lead too.
    """

    bet: ByLead
    press: ByLead
    caution: ByLead


class Lines(NamedTuple):
    """The numbers of the book. A fair share is a win chance of 1 / (hands in the pot).

    Attributes:
        start: least `start_worth` of three cards to come in with.
        credit: chance that somebody who came in has low hole cards.
        steal_credit: the same of a completion that may be a steal.
        heed: what each bet of a later street adds to that credit.
        third: resolve on third street.
        fourth: plan for fourth street, where a call leads to three streets of big bets.
        middle: plan for fifth and sixth street.
        river: resolve on the last street.
        again: how many times as good a hand must be to raise a raise as to raise a bet.
        hopeless: win chance up to which a hand on the last street may bluff.
        bluffs: hopeless hands that bluff for each hand that would let a caller break even.
    """

    start: float
    credit: float
    steal_credit: float
    heed: float
    third: Resolve
    fourth: Plan
    middle: Plan
    river: Resolve
    again: float
    hopeless: float
    bluffs: float


LINES = Lines(
    start=0.25,
    credit=0.6,
    steal_credit=0.55,
    heed=0.2,
    third=Resolve(bet=1.0, press=1.05, caution=1.2),
    fourth=Plan(
        bet=(0.9, 0.8, 0.7, 0.4, 0.3),
        press=(1.5, 1.15, 1.1, 1.0, 0.95),
        caution=(2.4, 1.6, 1.1, 1.0, 1.0),
    ),
    middle=Plan(
        bet=(1.1, 1.1, 1.05, 0.8, 0.5),
        press=(1.5, 1.1, 1.05, 1.0, 0.9),
        caution=(1.4, 1.3, 1.15, 1.05, 1.0),
    ),
    river=Resolve(bet=0.95, press=1.4, caution=1.2),
    again=1.15,
    hopeless=0.2,
    bluffs=0.5,
)

STARTS_FOR_TWO_LOWS = 0.54
"""Three low cards for each hand of two, behind a low door: 26 % and 48 % of all hole cards."""


@kernel
def choose(view: Record, lines: Lines, mask: NDArray[np.int8], luck: float) -> int:
    """The action of the seat to act, one that `mask` int8[7] allows; `luck` is from [0, 1)."""
    return choose_if(view, lines, mask, luck < boldness(view, lines))


@kernel
def boldness(view: Record, lines: Lines) -> float:
    """How often it steals or bluffs, if it has a hand for that; nothing else is left to chance."""
    if view.public.street == THIRD:
        return steal_frequency(view)
    return bluff_frequency(view, lines)


@kernel
def choose_if(view: Record, lines: Lines, mask: NDArray[np.int8], bold: bool) -> int:
    """The action of the seat to act, depending on whether it is `bold` this time."""
    if view.public.street == THIRD:
        if view.public.bets == 0:
            return open_pot(view, lines, mask, bold)
        return answer_completion(view, lines, mask)
    if streets_to_come(view.public) == 0:
        return last_street(view, lines, mask, bold)
    plan = lines.fourth if view.public.street == FOURTH else lines.middle
    return middle_street(view, lines, plan, mask)


@kernel
def open_pot(view: Record, lines: Lines, mask: NDArray[np.int8], bold: bool) -> int:
    """Third street while nobody has completed."""
    if mask[BRING_IN] and view.seat == view.public.first_to_act:
        return BRING_IN  # the highest door is behind every other one
    if start_worth(view) >= lines.start:
        return press(mask)  # three low cards want few rivals, and those to pay
    rivals = live_rivals(view)
    if bold and can_steal(view, rivals):
        return press(mask)
    if count_seats(rivals) == 1:
        chance = win_chance(view, rivals, willing_seats(view.public), lines.credit)
        if chance > lines.third.caution * price_of_call(view):
            return go_along(mask)  # nobody behind can make it dearer but the bring-in itself
    return give_up(mask)


@kernel
def can_steal(view: Record, rivals: int) -> bool:
    """Whether two low cards can pass for three: at most two rivals, and none with a lower door."""
    if count_seats(rivals) > 2 or count_up_to(own_ranks(view), EIGHT) < 2:
        return False
    return door_rank(view.public, view.seat) < lowest_door(view.public, rivals)


@kernel
def steal_frequency(view: Record) -> float:
    """How often to complete with two low cards, so that the last one to call breaks even.

    Of all completions the share that are steals must be the pot odds that the caller gets.
    """
    public = view.public
    completion = public.rules.small_bet - public.street_chips[view.seat]
    owed = public.rules.small_bet - public.rules.bring_in
    steals_for_starts = float(owed / (pot_chips(public) + completion))
    return STARTS_FOR_TWO_LOWS * steals_for_starts


@kernel
def answer_completion(view: Record, lines: Lines, mask: NDArray[np.int8]) -> int:
    """Third street against a completion: own three cards against the door cards that came in."""
    public, rivals = view.public, live_rivals(view)
    opened = rivals & willing_seats(public)
    is_start = start_worth(view) >= lines.start
    if not is_start and opened != rivals:
        return give_up(mask)  # with others still to come, less than a start is not worth it
    may_be_steal = count_seats(rivals) == 1 and public.bets == 1
    credit = lines.steal_credit if may_be_steal else lines.credit
    chance = win_chance(view, opened, opened, credit)
    wanted = lines.third.press * (lines.again if public.bets > 1 else 1.0)
    if is_start and chance >= fair_shares(wanted, opened):
        return press(mask)
    if chance > lines.third.caution * price_of_call(view):
        return go_along(mask)
    return give_up(mask)


@kernel
def middle_street(view: Record, lines: Lines, plan: Plan, mask: NDArray[np.int8]) -> int:
    """Fourth to sixth street: who has caught good, against whom, and at what price."""
    rivals = live_rivals(view)
    chance = chance_later(view, rivals, lines)
    lead = place_of(presumed_lead(view, rivals))
    wanted = plan.press[lead] * (lines.again if view.public.bets > 1 else 1.0)
    if mask[CHECK]:
        wanted = plan.bet[place_of(shown_lead(view, rivals, EIGHT))]
    if chance >= fair_shares(wanted, rivals):
        return press(mask)
    if chance > plan.caution[lead] * price_of_call(view):
        return go_along(mask)
    return give_up(mask)


@kernel
def last_street(view: Record, lines: Lines, mask: NDArray[np.int8], bold: bool) -> int:
    """Seventh street: bet for value, bluff a little, call with pot odds."""
    rivals, river = live_rivals(view), lines.river
    chance = chance_later(view, rivals, lines)
    wanted = river.press * (lines.again if view.public.bets > 1 else 1.0)
    if chance >= fair_shares(river.bet if mask[CHECK] else wanted, rivals):
        return press(mask)
    if bold and mask[CHECK] and count_seats(rivals) == 1 and chance < lines.hopeless:
        return press(mask)
    if chance > river.caution * price_of_call(view):
        return go_along(mask)
    return give_up(mask)


@kernel
def bluff_frequency(view: Record, lines: Lines) -> float:
    """How often to bet with nothing on the last street."""
    bet = bet_size(view.public)
    return float(lines.bluffs * bet / (pot_chips(view.public) + bet))


@kernel
def chance_later(view: Record, rivals: int, lines: Lines) -> float:
    """Chance to end lowest; the more bets there are on the street, the better the others are."""
    credit = min(lines.credit + lines.heed * view.public.bets, 1.0)
    return win_chance(view, rivals, willing_seats(view.public), credit)


@kernel
def presumed_lead(view: Record, rivals: int) -> int:
    """Own low cards less those that the best rival is presumed to have."""
    public, size = view.public, low_size(view.public.rules)
    willing, best = willing_seats(public), 0
    for seat in range(public.num_seats):
        if rivals >> seat & 1:
            in_hole = 1 + (willing >> seat & 1)
            best = max(best, count_up_to(board_ranks(public, seat), EIGHT) + in_hole)
    own = count_up_to(own_ranks(view), EIGHT)
    return min(own, size) - min(best, size)


@kernel
def place_of(lead: int) -> int:
    """The place of a lead in ByLead."""
    return min(max(lead, -MOST_LEAD), MOST_LEAD) + MOST_LEAD


@kernel
def choose_each(
    views: NDArray[Any],
    lines: Lines,
    masks: NDArray[np.int8],
    luck: NDArray[np.float64],
    actions: NDArray[np.int64],
) -> None:
    """`choose` for every row, into `actions` int64[K]."""
    for row in range(len(views)):
        actions[row] = choose(views[row], lines, masks[row], luck[row])


@kernel
def tell_each(
    views: NDArray[Any],
    lines: Lines,
    masks: NDArray[np.int8],
    probabilities: NDArray[np.float64],
) -> None:
    """The chances of `choose` for every row, into `probabilities` float64[K, 7]."""
    for row in range(len(views)):
        view, mask, chances = views[row], masks[row], probabilities[row]
        bold = min(max(boldness(view, lines), 0.0), 1.0)
        chances[:] = 0.0
        chances[choose_if(view, lines, mask, True)] += bold
        chances[choose_if(view, lines, mask, False)] += 1.0 - bold


@dataclass(frozen=True)
class BookPlayer:
    """Plays by the rules of this module.

    Attributes:
        name: name of the player.
        lines: its numbers.
    """

    name: str = "book"
    lines: Lines = LINES
    needs_observations: ClassVar[bool] = False

    def act(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: Masks,
        rng: np.random.Generator,
    ) -> Actions:
        """See `razz_env.envs.agent.Agent.act`; ValueError where a mask allows nothing."""
        require_legal(masks, views["seat"])
        actions = np.empty(len(views), np.int64)
        choose_each(
            np.ascontiguousarray(views),
            self.lines,
            np.ascontiguousarray(masks, dtype=np.int8),
            rng.random(len(views)),
            actions,
        )
        return actions

    def action_probabilities(
        self, views: NDArray[Any], observations: NDArray[np.float32], masks: Masks
    ) -> Probabilities:
        """See `razz_env.envs.agent.OpenAgent`; ValueError where a mask allows nothing."""
        require_legal(masks, views["seat"])
        probabilities = np.empty((len(views), NUM_ACTIONS))
        tell_each(
            np.ascontiguousarray(views),
            self.lines,
            np.ascontiguousarray(masks, dtype=np.int8),
            probabilities,
        )
        return probabilities


def book(argument: str | None = None) -> BookPlayer:
    """The player "book".

    Raises:
        ValueError: an argument, which it does not take.
    """
    refuse_argument("book", argument)
    return BookPlayer()
