"""All that a comparison asks of a hand in one state, read by one compiled call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env import Action, Hand
from razz_env._jit import kernel
from razz_env.rules.betting import action_chips, legal_actions, to_call
from razz_env.rules.hand import Pot

_SEATS, _SINGLE = 8, 7
_SIZE = _SINGLE + 4 * _SEATS + 7
_CHIPS = np.zeros(_SIZE, np.int64)
_MASK = np.zeros(7, np.int8)


@dataclass(frozen=True)
class Glance:
    """A state of a hand. Chips; `stacks`, `street_chips`, `total_chips` and `live` by seat."""

    hand: Hand
    is_over: bool
    street: int
    actor: int
    must_open: bool
    has_acted: bool  # the actor has acted since the last full bet
    bets: int
    to_call: int
    stacks: list[int]
    street_chips: list[int]
    total_chips: list[int]
    live: list[int]
    menu: dict[Action, int]  # legal actions and the chips each puts in now

    @property
    def pot_chips(self) -> int:
        """All chips put in so far."""
        return sum(self.total_chips)

    @cached_property
    def pots(self) -> tuple[Pot, ...]:
        """`Hand.pots`."""
        return self.hand.pots


def glance(hand: Hand) -> Glance:
    """The state of a hand now."""
    _read(hand.array, _CHIPS, _MASK)
    numbers = _CHIPS.tolist()
    over, street, actor, must_open, has_acted, bets, owed = numbers[:_SINGLE]
    seats = hand.num_players
    rows = [numbers[start : start + seats] for start in range(_SINGLE, _SIZE - 7, _SEATS)]
    amounts = numbers[-7:]
    menu = {action: amounts[action] for action in Action if amounts[action] >= 0}
    return Glance(
        hand,
        bool(over),
        street,
        actor,
        bool(must_open),
        bool(has_acted),
        bets,
        owed,
        *rows,
        menu,
    )


@kernel
def _read(hands: Any, numbers: NDArray[np.int64], mask: NDArray[np.int8]) -> None:
    public = hands[0].public
    actor = public.actor
    numbers[0], numbers[1], numbers[2] = public.over, public.street, actor
    numbers[3], numbers[4] = public.must_open, public.acted[max(actor, 0)]
    numbers[5] = public.bets
    numbers[6] = to_call(public, actor) if actor >= 0 else 0
    for seat in range(8):
        numbers[7 + seat] = public.stack[seat]
        numbers[15 + seat] = public.street_chips[seat]
        numbers[23 + seat] = public.total_chips[seat]
        numbers[31 + seat] = public.live[seat]
    legal_actions(public, mask)
    for action in range(7):
        numbers[39 + action] = action_chips(public, actor, action) if mask[action] else -1
