"""Equities at a table: of a seat's hand by what it sees, of all hands by what cards are known.

Down cards that are not known are any cards that are not seen. The cards of seats that have folded
cannot come: those that are known are dead, their unknown hole cards make the stub smaller.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from razz_env.equity.calculation import SAMPLES, equity
from razz_env.equity.result import Equity
from razz_env.rules.betting import SEVENTH
from razz_env.rules.cards import NO_CARD
from razz_env.rules.checks import require_view
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.record import DOWN_CARDS, MAX_SEATS, Record, SeatView

HowToCount = Literal["auto", "exact", "monte_carlo"]


def visible_equity(
    view: SeatView, *, method: HowToCount = "auto", samples: int = SAMPLES, seed: int = 0
) -> tuple[float, float]:
    """The equity of a seat's hand by what the seat sees, and its standard error.

    It is against the up cards of all live seats, their hole cards being any that it does not see.

    Args:
        view: of a live seat, from `Hand.view`.
        method: as for `equity`; by default every deal is counted where there are few enough.
        samples: as for `equity`.
        seed: as for `equity`. Equal views give equal numbers.

    Raises:
        TypeError: something else than a seat's view, such as a hand's record.
        ValueError: a seat that has folded, or that no other seat is left against.
    """
    require_view(view, "visible_equity takes")
    public, seat = view.public, int(view.seat)
    if not public.live[seat]:
        raise ValueError(f"Seat {seat} has folded, so it has no equity: ask for a live seat.")
    down = np.full((MAX_SEATS, DOWN_CARDS), NO_CARD, np.int8)
    down[seat] = view.down
    found = known_equities(public, down, method=method, samples=samples, seed=seed)
    place = int(public.live[:seat].sum())
    return float(found.equities[place]), float(found.standard_errors[place])


def known_equities(
    public: Record,
    down: NDArray[np.int8],
    *,
    method: HowToCount = "auto",
    samples: int = SAMPLES,
    seed: int = 0,
) -> Equity:
    """Equities of the live seats, in their order, by the cards that are known.

    Args:
        public: what everyone at the table knows, `PUBLIC`.
        down: int8[n, 3], down cards by seat in the places of `HAND.down`; -1 for one that is not
            known, or not dealt.
        method: as for `equity`.
        samples: as for `equity`.
        seed: as for `equity`.

    Raises:
        ValueError: fewer than two live seats.
    """
    seats = range(int(public.num_seats))
    gone = [seat for seat in seats if not public.live[seat]]
    return equity(
        [_held(public, down, seat) for seat in seats if public.live[seat]],
        dead=[card for seat in gone for card in _folded(public, down, seat)],
        community=_dealt([public.community]),
        method=method,
        samples=samples,
        seed=seed,
        rules=HouseRules.from_record(public.rules),
    )


def _held(public: Record, down: NDArray[np.int8], seat: int) -> list[int]:
    """The cards that a live seat was dealt, in dealing order, those that are not known as -1."""
    hole = int(public.rules.third_street)
    has_last = public.street == SEVENTH and public.community == NO_CARD
    last = down[seat, 2:].tolist() if has_last else []
    return [*down[seat, :hole].tolist(), *_dealt(public.up[seat]), *last]


def _folded(public: Record, down: NDArray[np.int8], seat: int) -> list[int]:
    """The cards of a seat that has folded, its hole cards as -1 where they are not known.

    A seventh card that is not known is left out: when it has come, no other card does.
    """
    hole = int(public.rules.third_street)
    return [*down[seat, :hole].tolist(), *_dealt(public.up[seat]), *_dealt(down[seat, 2:])]


def _dealt(cards: Any) -> list[int]:
    return [int(card) for card in cards if card != NO_CARD]
