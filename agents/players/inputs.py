"""What a network is fed with: an observation and, if it wants that, its chance to win.

The chance to win a showdown sums up what the cards say, dead ones too, which a network is slow to
find out from them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.players.low_chances import win_chance
from agents.players.reading import live_rivals
from agents.players.showdown import Desk, desk, showdown_share
from razz_env._jit import kernel
from razz_env.observation import ObservationSpec, encode_batch
from razz_env.rules.betting import THIRD
from razz_env.rules.record import Record

SCALE = 10.0
"""The chance is fed as `SCALE` (chance - 1/2): so large that a network soon heeds it."""
CHANCE_VERSION = 2
"""Raised whenever the chance, or how it is fed, changes."""


class Inputs(NamedTuple):
    """The inputs of a network.

    Attributes:
        layout: of its observations.
        win_chance: whether the chance to end lower than all who are left comes behind them (a tie
            counts half). Nobody is given credit for what he did: any hole cards are as likely as
            others.
    """

    layout: ObservationSpec
    win_chance: bool = False

    @property
    def size(self) -> int:
        """How many they are."""
        return self.layout.size + self.win_chance

    @property
    def version(self) -> str:
        """Text that changes whenever their meaning does; models are bound to it."""
        more = f"+win_chance-{CHANCE_VERSION}" if self.win_chance else ""
        return f"{self.layout.version}{more}"

    def of(self, views: NDArray[Any], observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """The inputs float32[K, size] in SEAT_VIEW[K].

        `observations` float32[K, D] are used if they are of this layout, else the views are
        encoded.
        """
        if observations.shape[1] != self.layout.size:
            observations = encode_batch(views, self.layout)
        if not self.win_chance:
            return observations
        inputs = np.empty((len(views), self.size), np.float32)
        inputs[:, :-1] = observations
        write_chances(np.ascontiguousarray(views), self.layout.size, desk(), inputs)
        return inputs


@kernel
def write_chances(views: NDArray[Any], place: int, room: Desk, out: NDArray[np.float32]) -> None:
    """Write every view's chance to win, as it is fed, into a row; 0 where the hand is over.

    Args:
        views: SEAT_VIEW[K].
        place: column.
        room: a `desk()`, to work in.
        out: float32[K, more than `place`].
    """
    for row in range(len(views)):
        view, fed = views[row], 0.0
        if not view.public.over:
            fed = SCALE * (fed_chance(view, room) - 0.5)
        out[row, place] = fed


@kernel
def fed_chance(view: Record, room: Desk) -> float:
    """The chance to win: counted out from fourth street on, on third by an approximation.

    On third street so many cards are to come that counting takes 40 us heads-up and 200 at a full
    table, some sixty times the approximation; and all that the chance must tell there is which
    cards to start with.
    """
    rivals = live_rivals(view)
    if view.public.street == THIRD:
        return win_chance(view, rivals, 0, 0.0)
    return showdown_share(view, rivals, room)
