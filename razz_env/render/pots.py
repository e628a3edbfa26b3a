"""The pots that lie in the middle, by the public record alone."""

from typing import Any

from razz_env.render.scene import ScenePot
from razz_env.rules.record import Record
from razz_env.rules.showdown import is_eligible, next_pot_level, pot_chips


def scene_pots(public: Record, lows: dict[int, Any]) -> tuple[ScenePot, ...]:
    """Main pot first; `lows` are those shown at the end, by seat.

    Bets that still lie in front of the seats are in no pot yet.
    """
    collected = public
    if not public.over:
        collected = public.copy()
        collected.total_chips -= public.street_chips
    found: list[tuple[int, tuple[int, ...]]] = []
    bottom = 0
    while top := int(next_pot_level(collected, bottom)):
        seats = range(public.num_seats)
        eligible = tuple(seat for seat in seats if is_eligible(collected, seat, top))
        found.append((int(pot_chips(collected, bottom, top)), eligible))
        bottom = top
    return tuple(
        ScenePot(
            pot_name(number, len(found)),
            chips,
            eligible,
            _winners(eligible, lows) if public.over else (),
        )
        for number, (chips, eligible) in enumerate(found)
    )


def pot_name(number: int, count: int) -> str:
    """How the dealer calls pot `number` of so many."""
    if count == 1:
        return "pot"
    if number == 0:
        return "main pot"
    return "side pot" if count == 2 else f"side pot {number}"


def _winners(eligible: tuple[int, ...], lows: dict[int, Any]) -> tuple[int, ...]:
    """The seats of the best low; every winner at a showdown shows (RULES 7)."""
    showing = [seat for seat in eligible if seat in lows]
    if not showing:
        return eligible
    best = min(lows[seat] for seat in showing)
    return tuple(seat for seat in showing if lows[seat] == best)
