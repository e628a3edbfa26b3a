"""How replayed hands ended: pots, shares, returned chips and the showdown, of a whole batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.history.lows import low_text
from razz_env.history.record import Award, Showing
from razz_env.rules.lowball import low_from_key
from razz_env.rules.record import MAX_SEATS, MUCKED
from razz_env.rules.showdown import (
    first_to_show,
    next_pot_level,
    pot_chips,
    pot_share,
    returned_chips,
)


@kernel
def _describe(
    hands: NDArray[np.void],
    pots: NDArray[np.int64],
    shares: NDArray[np.int64],
    returned: NDArray[np.int64],
    first: NDArray[np.int64],
) -> None:
    """Write int64[N, 8] pots, int64[N, 8 pots, 8 seats] shares, int64[N, 8] returned chips."""
    for index in range(len(hands)):
        hand = hands[index]
        public = hand.public
        if not public.over:
            continue
        first[index] = first_to_show(public)
        for seat in range(public.num_seats):
            returned[index, seat] = returned_chips(public, seat)
        bottom, pot = 0, 0
        top = next_pot_level(public, bottom)
        while top > 0:
            pots[index, pot] = pot_chips(public, bottom, top)
            for seat in range(public.num_seats):
                if public.live[seat]:
                    shares[index, pot, seat] = pot_share(hand, seat, bottom, top)
            bottom, pot = top, pot + 1
            top = next_pot_level(public, bottom)


@dataclass(frozen=True, slots=True)
class End:
    """The end of one hand by the rules.

    Attributes:
        pots: amounts, main pot first.
        awards: what was won, pot by pot.
        shares: what each seat won in all.
        returned: uncalled chips of each seat.
        stacks: of each seat at the end.
        showdown: hands shown down, in order, with the names of the lows that were shown.
        keys: low keys of the seats that were shown down.
    """

    pots: tuple[int, ...]
    awards: tuple[Award, ...]
    shares: tuple[int, ...]
    returned: tuple[int, ...]
    stacks: tuple[int, ...]
    showdown: tuple[Showing, ...]
    keys: dict[int, int]


class Ends:
    """The ends of a batch of hands, HAND[N]; those of hands that are not over mean nothing."""

    def __init__(self, hands: NDArray[Any]) -> None:
        """Describe all hands in one compiled call."""
        count = len(hands)
        pots = np.zeros((count, MAX_SEATS), np.int64)
        shares = np.zeros((count, MAX_SEATS, MAX_SEATS), np.int64)
        returned = np.zeros((count, MAX_SEATS), np.int64)
        first = np.zeros(count, np.int64)
        _describe(hands, pots, shares, returned, first)
        public = hands["public"]
        self._pots: list[list[int]] = pots.tolist()
        self._shares: list[list[list[int]]] = shares.tolist()
        self._returned: list[list[int]] = returned.tolist()
        self._first: list[int] = first.tolist()
        self._sizes: list[int] = public["num_seats"].tolist()
        self._stacks: list[list[int]] = public["stack"].tolist()
        self._live: list[list[int]] = public["live"].tolist()
        self._shown: list[list[int]] = public["shown"].tolist()
        self._keys: list[list[int]] = hands["low"].tolist()

    def __getitem__(self, index: int) -> End:
        size = self._sizes[index]
        pots = tuple(pot for pot in self._pots[index] if pot)
        shares = self._shares[index]
        awards = tuple(
            Award(pot, seat, chips)
            for pot in range(len(pots))
            for seat, chips in enumerate(shares[pot][:size])
            if chips
        )
        return End(
            pots,
            awards,
            tuple(sum(shares[pot][seat] for pot in range(len(pots))) for seat in range(size)),
            tuple(self._returned[index][:size]),
            tuple(self._stacks[index][:size]),
            *self._showdown(index),
        )

    def _showdown(self, index: int) -> tuple[tuple[Showing, ...], dict[int, int]]:
        size, live = self._sizes[index], self._live[index]
        if sum(live) < 2:
            return (), {}
        places = ((self._first[index] + step) % size for step in range(size))
        seats = [seat for seat in places if live[seat]]
        keys = {seat: self._keys[index][seat] for seat in seats}
        mucked = {seat: self._shown[index][seat] == MUCKED for seat in seats}
        showings = tuple(
            Showing(seat, mucked[seat], "" if mucked[seat] else low_text(low_from_key(keys[seat])))
            for seat in seats
        )
        return showings, keys
