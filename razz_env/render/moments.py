"""A hand from the deal on, moment by moment, for replays and animations.

A moment is a hand as it stood: after every action, and once more when its street has been closed
and the next one dealt. Streets that were run out without decisions, which the engine deals in one
go, have a moment each. Moments are for looking at, not for playing on.
"""

from collections.abc import Collection, Iterator, Sequence

from razz_env.render.making import hand_scene, seat_scene
from razz_env.render.scene import Scene
from razz_env.rules.action_log import logged_actions
from razz_env.rules.betting import take_action
from razz_env.rules.cards import NO_CARD
from razz_env.rules.hand import Hand
from razz_env.rules.play import start
from razz_env.rules.record import DOWN_PLACES, MUCKED, SHOWN
from razz_env.rules.terms import Action, Street

Unknown = Collection[tuple[int, int]]
"""(seat, place in dealing order) of cards that are not known; they lie face down to the end."""


def moments(hand: Hand, unknown: Unknown = ()) -> tuple[Hand, ...]:
    """Every moment of a hand up to now.

    Args:
        hand: a hand in play or over; it is not changed.
        unknown: cards that stand for ones nobody knows, as `HandRecord.filled` names them.
    """
    found = tuple(_moments(hand))
    for moment in found if unknown else ():
        _cover(moment, unknown)
    return found


def hand_scenes(
    hand: Hand,
    names: Sequence[str] | None = None,
    *,
    open_cards: bool = False,
    currency: str | None = None,
    unknown: Unknown = (),
) -> tuple[Scene, ...]:
    """A scene of every moment for spectators; see `hand_scene` and `moments`."""
    return tuple(
        hand_scene(moment, names, open_cards=open_cards, currency=currency)
        for moment in moments(hand, unknown)
    )


def seat_scenes(
    hand: Hand,
    seat: int,
    names: Sequence[str] | None = None,
    *,
    currency: str | None = None,
    unknown: Unknown = (),
) -> tuple[Scene, ...]:
    """A scene of every moment as one seat saw it; see `seat_scene` and `moments`."""
    seen = (moment.view(seat) for moment in moments(hand, unknown))
    return tuple(seat_scene(view, names, currency=currency) for view in seen)


def _moments(hand: Hand) -> Iterator[Hand]:
    again = hand.clone()
    start(again.record)
    yield from _deals(again, Street.THIRD - 1)
    for _, action in logged_actions(hand.record.public):
        before = again.clone()
        again.apply(action)
        if again.is_over or again.street != before.street:
            yield _acted(before, action)
        yield from _deals(again, before.street)


def _deals(hand: Hand, street: int) -> Iterator[Hand]:
    """The streets after `street` that were run out, then the hand as it stands."""
    if hand.is_over:
        played = int(hand.record.public.rules.streets)
        later = range(street + 1, hand.street + 1)
        yield from (_run_out(hand, each) for each in later if played >> (each - 3) & 1)
    yield hand.clone()


def _acted(before: Hand, action: Action) -> Hand:
    """The hand right after the last action of a street: the bets still lie before the seats."""
    moment = before.clone()
    public = moment.record.public
    take_action(public, int(action))
    public.actor = NO_CARD
    return moment


def _run_out(hand: Hand, street: int) -> Hand:
    """A hand that is over as it stood when a street had been dealt.

    Where a seat is all-in all hands lie open by then (RULES 7), as far as they are dealt, and what
    nobody has called has gone back.
    """
    moment = hand.clone()
    record, public = moment.record, moment.record.public
    public.street, public.over, public.bets = street, 0, 0
    public.total_chips[: hand.num_players] -= hand.returned
    public.stack = public.starting_stack - public.total_chips
    public.street_chips[:] = 0
    public.up[:, street - 2 :] = NO_CARD
    public.street_start[street - 2 :] = NO_CARD
    if street < Street.SEVENTH:
        public.community = NO_CARD
        public.shown_down[:, 2] = NO_CARD
        record.down[:, 2] = NO_CARD
    return moment


def _cover(moment: Hand, unknown: Unknown) -> None:
    """Take away the cards that are not known; a hand of which one is missing was not shown."""
    record, public = moment.record, moment.record.public
    for seat, place in unknown:
        if place not in DOWN_PLACES:
            public.up[seat, place - 2] = NO_CARD
            continue
        record.down[seat, DOWN_PLACES.index(place)] = NO_CARD
        public.shown_down[seat] = NO_CARD
        if public.shown[seat] == SHOWN:
            public.shown[seat] = MUCKED
