"""Making a scene of the public record and the down cards that the onlooker may see."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from razz_env.render.pots import scene_pots
from razz_env.render.scene import Scene, SceneSeat, seat_names
from razz_env.render.words import (
    announcements,
    did,
    last_action,
    last_actions,
    low_of,
    ranks_of,
    stakes,
)
from razz_env.rules.cards import NO_CARD
from razz_env.rules.checks import require_view
from razz_env.rules.hand import Hand
from razz_env.rules.lowball import Low
from razz_env.rules.record import MUCKED, SHOWN, Record, SeatView
from razz_env.rules.showdown import returned_chips
from razz_env.rules.terms import Street

Cards = list[list[int]]


def seat_scene(
    view: SeatView, names: Sequence[str] | None = None, *, currency: str | None = None
) -> Scene:
    """The table as one seat sees it.

    Args:
        view: what the seat may know, from `Hand.view` or a batch.
        names: names of the players, one for each seat; "Seat 0", "Seat 1", ... by default.
        currency: such as "USD" where chips are cents of it.

    Raises:
        TypeError: anything but a seat's view, such as a hand's record.
        ValueError: another number of names than of seats.
    """
    require_view(view, "seat_scene takes")
    down = view.public.shown_down.tolist()
    down[view.seat] = view.down.tolist()
    return _scene(view.public, down, int(view.seat), names, currency)


def hand_scene(
    hand: Hand,
    names: Sequence[str] | None = None,
    *,
    open_cards: bool = False,
    currency: str | None = None,
) -> Scene:
    """The table for spectators: what everyone may know, or with `open_cards` every card dealt.

    See `seat_scene` for `names` and `currency`.

    Raises:
        ValueError: another number of names than of seats.
    """
    public = hand.record.public
    down = hand.record.down if open_cards else public.shown_down
    return _scene(public, down.tolist(), None, names, currency)


def _scene(
    public: Record,
    down: Cards,
    me: int | None,
    names: Sequence[str] | None,
    currency: str | None,
) -> Scene:
    called = seat_names(names, int(public.num_seats))
    lows, won = _lows(public, down), _won(public)
    pots = scene_pots(public, lows, won)
    return Scene(
        seats=_seats(public, down, called, lows, won, currency),
        pots=pots,
        street=Street(int(public.street)),
        stakes=stakes(public, currency),
        bets=int(public.bets),
        max_bets=int(public.rules.max_bets_per_round),
        me=me,
        actor=None if public.actor < 0 else int(public.actor),
        community=None if public.community < 0 else int(public.community),
        is_over=bool(public.over),
        last_action=last_action(public, called, currency),
        announcements=announcements(pots, called, lows) if public.over else (),
        currency=currency,
    )


def _lows(public: Record, down: Cards) -> dict[int, Low]:
    """Seat -> the low that it shows at the end."""
    if not public.over:
        return {}
    shared = [int(public.community)]
    up, shown = public.up.tolist(), public.shown.tolist()
    seats = [seat for seat in range(public.num_seats) if shown[seat] == SHOWN]
    return {seat: low_of([*down[seat], *up[seat], *shared]) for seat in seats}


def _seats(
    public: Record,
    down: Cards,
    names: tuple[str, ...],
    lows: dict[int, Low],
    won: list[int],
    currency: str | None,
) -> tuple[SceneSeat, ...]:
    said = last_actions(public)
    stacks, bets, live = _list(public.stack), _list(public.street_chips), _list(public.live)
    starting, shown, up = _list(public.starting_stack), _list(public.shown), public.up.tolist()
    over, actor, bring_in = bool(public.over), int(public.actor), int(public.bring_in_seat)
    first = int(public.rules.third_street)
    has_seventh = bool(public.street == Street.SEVENTH and public.community < 0)
    return tuple(
        SceneSeat(
            seat=seat,
            name=name,
            stack_chips=stacks[seat],
            bet_chips=0 if over else bets[seat],
            down=_down(down[seat], first, has_seventh, bool(live[seat])),
            first_down=first,
            up=tuple(card for card in up[seat] if card != NO_CARD),
            is_live=bool(live[seat]),
            is_actor=seat == actor,
            is_all_in=bool(live[seat]) and not stacks[seat] and not over,
            is_bring_in=seat == bring_in,
            action=did(said[seat], bets[seat], currency) if seat in said and not over else "",
            low=lows[seat].name if seat in lows else "",
            low_ranks=ranks_of(lows[seat]) if seat in lows else "",
            is_mucked=shown[seat] == MUCKED,
            won_chips=won[seat],
            net_chips=stacks[seat] - starting[seat] if over else None,
        )
        for seat, name in enumerate(names)
    )


def _down(down: list[int], first: int, has_seventh: bool, is_live: bool) -> tuple[int | None, ...]:
    """The down cards of a seat; those that are not known are gone when it has folded."""
    cards: list[int | None] = [card if card != NO_CARD else None for card in down[:first]]
    if down[2] != NO_CARD:
        cards.append(down[2])
    elif has_seventh and is_live:
        cards.append(None)
    return tuple(cards) if is_live else tuple(card for card in cards if card is not None)


def _won(public: Record) -> list[int]:
    """Chips that every seat has taken from the pots, without uncalled ones that went back."""
    seats = range(public.num_seats)
    if not public.over:
        return [0 for _ in seats]
    held = (public.stack - public.starting_stack + public.total_chips).tolist()
    return [held[seat] - int(returned_chips(public, seat)) for seat in seats]


def _list(field: NDArray[Any]) -> list[int]:
    chips: list[int] = field.tolist()
    return chips
