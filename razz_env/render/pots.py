"""The pots that lie in the middle, by the public record alone."""

from razz_env.render.scene import ScenePot
from razz_env.rules.lowball import Low
from razz_env.rules.record import Record
from razz_env.rules.showdown import is_eligible, next_pot_level, pot_chips


def scene_pots(public: Record, lows: dict[int, Low], won_chips: list[int]) -> tuple[ScenePot, ...]:
    """Main pot first.

    Args:
        public: all that everyone knows.
        lows: those shown at the end, by seat.
        won_chips: what every seat has taken from the pots.

    Returns:
        The pots. Bets that still lie in front of the seats are in none yet.
    """
    collected, over = public, bool(public.over)
    if not over:
        collected = public.copy()
        collected.total_chips -= public.street_chips
    found: list[tuple[int, tuple[int, ...]]] = []
    bottom, seats = 0, range(int(public.num_seats))
    while top := int(next_pot_level(collected, bottom)):
        eligible = tuple(seat for seat in seats if is_eligible(collected, seat, top))
        found.append((int(pot_chips(collected, bottom, top)), eligible))
        bottom = top
    return tuple(
        ScenePot(
            pot_name(number, len(found)),
            chips,
            eligible,
            _winners(eligible, lows, won_chips) if over else (),
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


def _winners(
    eligible: tuple[int, ...], lows: dict[int, Low], won_chips: list[int]
) -> tuple[int, ...]:
    """The seats of the best low; every winner at a showdown shows (RULES 7)."""
    paid = tuple(seat for seat in eligible if won_chips[seat])
    if not all(seat in lows for seat in paid):
        return paid
    best = min(lows[seat] for seat in paid)
    return tuple(seat for seat in paid if lows[seat] == best)
