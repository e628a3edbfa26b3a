"""The events of a hand, told by playing it again: rules, stacks, deck and actions determine it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from razz_env.rules.action_log import logged_actions
from razz_env.rules.events import (
    ActionTaken,
    AntePosted,
    CardDealt,
    CommunityDealt,
    Event,
    HandMucked,
    HandShown,
    PotAwarded,
    UncalledReturned,
)
from razz_env.rules.play import start
from razz_env.rules.terms import Action, Street

if TYPE_CHECKING:
    from razz_env.rules.hand import Hand


def retell(hand: Hand) -> tuple[Event, ...]:
    """All events of a hand so far, in order."""
    return tuple(_tell(hand))


def _tell(hand: Hand) -> Iterator[Event]:
    again = hand.clone()
    start(again.record)
    yield from _antes(hand)
    told = 2
    for seat, action in logged_actions(hand.record.public):
        yield from _deals(again, told)
        told = int(again.street)
        yield _action(again, seat, action)
        again.apply(action)
    if again.is_over:
        yield from _returned(again)
    yield from _deals(again, told)
    if again.is_over:
        yield from _showing(again)
        yield from _paying(again)


def _antes(hand: Hand) -> Iterator[Event]:
    ante = hand.rules.ante
    for seat, stack in enumerate(hand.starting_stacks.tolist()):
        chips = min(ante, stack)
        if chips:
            yield AntePosted(seat, chips, chips == stack)


def _deals(hand: Hand, told: int) -> Iterator[Event]:
    """The cards of the streets after `told`, as far as they have been dealt."""
    for street in range(told + 1, int(hand.street) + 1):
        for seat in range(hand.num_players):
            yield from _deals_to(hand, seat, Street(street))
        if street == Street.SEVENTH and hand.community is not None:
            yield CommunityDealt(hand.community)


def _deals_to(hand: Hand, seat: int, street: Street) -> Iterator[Event]:
    down = hand.record.down[seat].tolist()
    up = [] if street == Street.SEVENTH else [int(hand.record.public.up[seat, street - 3])]
    hidden = {Street.THIRD: down[:2], Street.SEVENTH: down[2:]}.get(street, [])
    yield from (CardDealt(seat, street, card, face_up=False) for card in hidden if card >= 0)
    yield from (CardDealt(seat, street, card, face_up=True) for card in up if card >= 0)


def _action(hand: Hand, seat: int, action: Action) -> ActionTaken:
    chips, to_chips = hand.amount(action), hand.to_amount(action)
    all_in = chips > 0 and chips == hand.stacks[seat]
    return ActionTaken(seat, hand.street, action, chips, to_chips, bool(all_in))


def _returned(hand: Hand) -> Iterator[Event]:
    for seat, chips in enumerate(hand.returned.tolist()):
        if chips:
            yield UncalledReturned(seat, chips)


def _showing(hand: Hand) -> Iterator[Event]:
    for shown in hand.showdown:
        if shown.mucked:
            yield HandMucked(shown.seat)
        else:
            yield HandShown(shown.seat, shown.cards, shown.low)


def _paying(hand: Hand) -> Iterator[Event]:
    for number, pot in enumerate(hand.pots):
        for seat, chips in zip(pot.winners, pot.shares, strict=True):
            yield PotAwarded(number, seat, chips)
