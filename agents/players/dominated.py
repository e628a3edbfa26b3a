"""Actions that another action beats whatever the others hold: trained players do not take them."""

from typing import Any

from numpy.typing import NDArray

from agents.players.reading import own_ranks
from razz_env._jit import kernel
from razz_env.rules.betting import CALL, CHECK, FOLD, RAISE, SEVENTH, count_live
from razz_env.rules.record import Record

_WHEEL = 0b11111  # the ranks ace to five


@kernel
def drop_dominated(views: NDArray[Any], legal: NDArray[Any]) -> None:
    """Strike dominated actions from legal bool[K, 7] of the decisions SEAT_VIEW[K].

    They are a fold where a check is free, and, on the river with the best possible hand against the
    only opponent left, a call or a fold where a raise may win more and cannot lose.
    """
    for row in range(len(views)):
        if legal[row, CHECK]:
            legal[row, FOLD] = False
        elif legal[row, RAISE] and _cannot_lose(views[row]):
            legal[row, CALL] = legal[row, FOLD] = False


@kernel
def _cannot_lose(view: Record) -> bool:
    """Whether this seat has a wheel on the river and one opponent."""
    if view.public.street != SEVENTH or count_live(view.public) != 2:
        return False
    return own_ranks(view) & _WHEEL == _WHEEL
