"""The desk of one table: dealing, playing and looking, each a single call of a compiled function.

What a turn costs is mostly what Python does around the kernels. So everything that a call needs,
but the hand itself, stands ready in one small array, and nothing is read out of records in Python.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import atomic, ready
from razz_env.envs.units import as_action
from razz_env.observation.encoding import encode_view
from razz_env.observation.spec import Part, spec
from razz_env.rules.betting import legal_actions
from razz_env.rules.checks import is_whole
from razz_env.rules.hand import Hand
from razz_env.rules.play import apply, start_shuffled
from razz_env.rules.record import HAND, MAX_SEATS, SEAT_VIEW, Record
from razz_env.rules.seat_view import seat_view
from razz_env.rules.terms import NUM_ACTIONS

Observation: TypeAlias = dict[str, NDArray[Any]]

OVER: Final = -1
"""In the place of the seat to act: the hand is over."""

_REFUSED = -2

_TOOLS = np.dtype(
    [
        ("seen", SEAT_VIEW),  # through which a seat looks
        ("offsets", "<i8", (len(Part),)),  # layout of the observation
        ("room", "<i8"),  # its seats
        ("net_chips", "<i8", (MAX_SEATS,)),
        ("legal", "i1", (NUM_ACTIONS,)),
    ],
    align=True,
)


class Desk:
    """Serves the hands of one table, with memory of its own and no state of the game.

    So a copy, by `copy` or `pickle`, is a new desk. The kernels keep the GIL, or two threads that
    look at once could see each other's view.
    """

    def __init__(self, num_players: int, mode: str) -> None:
        """A desk for so many seats and "features" or "infostate" observations.

        Raises:
            ValueError: an unknown mode or an impossible number of seats.
        """
        layout = spec(num_players, mode)
        self._made_for = num_players, mode
        self._size = layout.size
        self._tools = np.zeros(1, _TOOLS)
        self._tools["offsets"] = layout.offsets
        self._tools["room"] = layout.seats
        self._net_chips = self._tools["net_chips"][0, :num_players]
        self._ready_play, self._ready_look = _ready_kernels()

    def __reduce__(self) -> tuple[Any, tuple[int, str]]:
        return Desk, self._made_for

    def deal(self, hand: Hand, seed: int, index: int) -> int:
        """Deal hand `index` of table 0 under a seed into a blank one; the seat to act or OVER."""
        seat: int = _deal(hand.array, seed, index)
        return seat

    def play(self, hand: Hand, action: Any) -> int:
        """Play an action of the seat to act, given as `Hand.apply` takes it; the next seat or OVER.

        An array of no dimensions, in which policies return a single action, will do too.

        Raises:
            IllegalAction, ValueError: as `Hand.apply`; the hand is untouched.
        """
        number = action if type(action) is int else _number(action)
        if 0 <= number < NUM_ACTIONS:
            seat: int = self._ready_play(hand.array, number, self._tools)
            if seat != _REFUSED:
                return seat
        hand.apply(as_action(action))
        return OVER if hand.actor is None else hand.actor

    def look(self, hand: Hand, seat: int) -> Observation:
        """What a seat sees, and its legal actions if it is to act, else zeros; new arrays."""
        row = np.empty(self._size, np.float32)
        mask = np.empty(NUM_ACTIONS, np.int8)
        self._ready_look(hand.array, seat, self._tools, row, mask)
        return {"observation": row, "action_mask": mask}

    def net_chips(self, hand: Hand) -> list[int]:
        """Net chips of every seat of a hand that is over."""
        _count_net_chips(hand.array, self._tools)
        net: list[int] = self._net_chips.tolist()
        return net


def _number(action: Any) -> int:
    """The number of an action that is given as a whole number, -1 for everything else."""
    given = as_action(action)
    return int(given) if is_whole(given) else -1


@atomic
def _deal(hands: Record, seed: int, index: int) -> int:
    hand = hands[0]
    hand.seed = seed
    hand.index = index
    start_shuffled(hand)
    return int(hand.public.actor)


@atomic
def _play(hands: Record, action: int, tools: Record) -> int:
    """_REFUSED where an action is illegal, or the hand's own way is needed to play it."""
    hand = hands[0]
    legal_actions(hand.public, tools[0].legal)
    if hand.planned or not tools[0].legal[action]:
        return _REFUSED
    apply(hand, action)
    return int(hand.public.actor)


@atomic
def _look(
    hands: Record,
    seat: int,
    tools: Record,
    row: NDArray[np.float32],
    mask: NDArray[np.int8],
) -> None:
    hand, view = hands[0], tools[0].seen
    seat_view(hand, seat, view)
    encode_view(view, tools[0].offsets, tools[0].room, row)
    if seat == hand.public.actor:
        legal_actions(hand.public, mask)
    else:
        mask[:] = 0


@atomic
def _count_net_chips(hands: Record, tools: Record) -> None:
    public = hands[0].public
    for seat in range(public.num_seats):
        tools[0].net_chips[seat] = public.stack[seat] - public.starting_stack[seat]


@cache
def _ready_kernels() -> tuple[Callable[..., int], Callable[..., None]]:
    """`_play` and `_look` for the arrays that a desk gives them."""
    hands, tools = np.zeros(1, HAND), np.zeros(1, _TOOLS)
    row, mask = np.zeros(1, np.float32), np.zeros(NUM_ACTIONS, np.int8)
    return ready(_play, hands, 0, tools), ready(_look, hands, 0, tools, row, mask)
