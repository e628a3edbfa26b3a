"""The course of a spot: what was done before it, as it was told or as is usual."""

from collections.abc import Sequence

from agents.inspection.notation import SpotError
from razz_env.rules.cards import NO_CARD
from razz_env.rules.hand import Hand, IllegalAction
from razz_env.rules.terms import Action, Street


def play_up_to(
    hand: Hand, hero: int, street: Street, folded: Sequence[bool], told: list[list[Action]]
) -> None:
    """Play a dealt hand up to a seat's turn; see `agents.inspection.spot.read_spot`.

    Args:
        hand: of `Hand.from_cards`, which gives folded seats no cards that they did not get.
        hero: the seat.
        street: on which it is to act.
        folded: for every seat, whether it has folded by then.
        told: actions of the last streets up to this one; the usual ones where there are none.

    Raises:
        SpotError: the actions do not lead there.
    """
    streets = [Street(one) for one in hand.rules.streets if one <= street]
    if len(told) > len(streets):
        raise SpotError(
            f"The actions are those of {len(told)} streets, and {street.name.lower()} street is "
            f"number {len(streets)}."
        )
    untold: list[list[Action]] = [[] for _ in range(len(streets) - len(told))]
    for one, actions in zip(streets, [*untold, *told], strict=True):
        if actions:
            _play_told(hand, one, actions)
        else:
            _play_usual(hand, one, hero if one == street else None, folded)
        if one != street and hand.street == one and not hand.is_over:
            raise SpotError(
                f"The actions of {one.name.lower()} street end while seat {hand.actor} is to act: "
                "tell them to their end."
            )
    _check_street(hand, street)
    _check_folds(hand, folded)
    if hand.actor != hero:
        raise SpotError(
            f"After these actions seat {hand.actor} is to act, and not you in seat {hero}: tell "
            "the actions up to your turn."
        )


def _play_told(hand: Hand, street: Street, actions: list[Action]) -> None:
    for number, action in enumerate(actions, 1):
        place = f"action {number} of {street.name.lower()} street"
        if hand.is_over or hand.street != street:
            raise SpotError(f"There is no {place}: the street ends before {action.name}.")
        _apply(hand, action, place)


def _play_usual(hand: Hand, street: Street, hero: int | None, folded: Sequence[bool]) -> None:
    """Play a street to its end, or up to the seat `hero`."""
    while not hand.is_over and hand.street == street and hand.actor != hero:
        _apply(hand, _usual(hand, hero, folded), "as no actions are told")


def _apply(hand: Hand, action: Action, place: str) -> None:
    try:
        hand.apply(action)
    except IllegalAction as error:
        raise SpotError(f"{str(error).rstrip('.')} ({place}).") from None
    except ValueError:  # a card that the spot does not give
        if hand.record.plan_community != NO_CARD:
            raise SpotError(
                "The stub is not short here, so no community card comes: write your own seventh "
                "card."
            ) from None
        name = hand.street.name.lower()
        raise SpotError(
            f"With {action.name} of seat {hand.actor} ({place}) {name} street is over, and nobody "
            "is to act before cards come that are not written."
        ) from None


def _usual(hand: Hand, hero: int | None, folded: Sequence[bool]) -> Action:
    """What the seat to act does where nothing is told; `hero` is None on an earlier street."""
    seat, legal = hand.actor, hand.legal_actions()
    assert seat is not None
    if _leaves(hand, seat, folded) and Action.FOLD in legal:
        return Action.FOLD
    earlier = hero is None
    pressed = hand.street > Street.THIRD and any(
        _leaves(hand, other, folded) for other in hand.live_seats
    )
    wishes = [Action.BRING_IN]
    if (earlier or pressed) and not folded[seat] and not hand.record.public.bets:
        wishes += [Action.COMPLETE, Action.BET]
    return next(action for action in (*wishes, Action.CHECK, Action.CALL) if action in legal)


def _leaves(hand: Hand, seat: int, folded: Sequence[bool]) -> bool:
    """Whether a seat is to fold on this street: it has got all the up cards that it was given."""
    return folded[seat] and len(hand.up_cards(seat)) == _given(hand, seat)


def _given(hand: Hand, seat: int) -> int:
    """Up cards that the spot gives to a seat."""
    return sum(int(card) != NO_CARD for card in hand.record.plan[seat, 2:6])


def _check_street(hand: Hand, street: Street) -> None:
    name = street.name.lower()
    if hand.is_over:
        raise SpotError(f"The hand is over before you act on {name} street: tell other actions.")
    if hand.street != street:
        raise SpotError(
            f"After these actions the hand is on {hand.street.name.lower()} street, and your cards "
            f"are those of {name} street."
        )


def _check_folds(hand: Hand, folded: Sequence[bool]) -> None:
    """Refuse a fold that has not come, one that is not marked, and one on another street."""
    for seat, gone in enumerate(folded):
        if gone and seat in hand.live_seats:
            raise SpotError(
                f"Seat {seat} is marked as folded, but did not have to answer a bet by the time "
                f"seat {hand.actor} is to act: tell the actions up to your turn, or take away "
                "the f."
            )
        if not gone and seat not in hand.live_seats:
            raise SpotError(
                f"Seat {seat} folds in these actions: write f behind the cards that it had then."
            )
        if gone and len(hand.up_cards(seat)) != _given(hand, seat):
            raise SpotError(
                f"Seat {seat} folds with {len(hand.up_cards(seat))} up cards, and "
                f"{_given(hand, seat)} are written."
            )
