"""A table as a few lines of plain text: for one seat, which sees no hidden card, or for spectators.

Down cards stand in brackets, `??` is a card that is not known, `>` marks the seat to act.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.rules import lowball
from razz_env.rules.action_log import logged_actions
from razz_env.rules.betting import action_chips, legal_actions
from razz_env.rules.cards import NO_CARD, format_card
from razz_env.rules.checks import require_view
from razz_env.rules.hand import Hand
from razz_env.rules.record import MUCKED, SHOWN, Record, SeatView
from razz_env.rules.terms import NUM_ACTIONS, Action, Street

_DID = dict(
    zip(Action, "folds,checks,calls,brings in,completes,bets,raises".split(","), strict=True)
)


def seat_text(view: SeatView) -> str:
    """The table as one seat sees it.

    Raises:
        TypeError: anything but a seat's view, such as a hand's record.
    """
    require_view(view, "seat_text draws")
    down = view.public.shown_down.copy()
    down[view.seat] = view.down
    return _table(view.public, down, int(view.seat))


def hand_text(hand: Hand, *, open_cards: bool = False) -> str:
    """The table for spectators: what everyone may know, or with `open_cards` every card dealt."""
    public = hand.record.public
    return _table(public, hand.record.down if open_cards else public.shown_down, None)


def _table(public: Record, down: NDArray[np.int8], me: int | None) -> str:
    rows = [_row(public, seat, down[seat], me) for seat in range(public.num_seats)]
    return "\n".join([_heading(public), *rows, *_street_actions(public), _closing(public)])


def _heading(public: Record) -> str:
    rules = public.rules
    shared = f"; community card {format_card(public.community)}" if public.community >= 0 else ""
    return (
        f"{Street(public.street).name.capitalize()} street, {rules.small_bet}/{rules.big_bet}, "
        f"ante {rules.ante}, bring-in {rules.bring_in}; pot {public.total_chips.sum()}; "
        f"bets {public.bets} of {rules.max_bets_per_round}{shared}"
    )


def _row(public: Record, seat: int, down: NDArray[np.int8], me: int | None) -> str:
    mark = ">" if seat == public.actor else " "
    name = f"seat {seat}{' (me)' if seat == me else ''}"
    cards = _cards(public, seat, down)
    chips = f"{public.stack[seat]} behind"
    return f"{mark} {name:<11} {cards:<24} {chips:>12}  {_standing(public, seat, cards)}".rstrip()


def _cards(public: Record, seat: int, down: NDArray[np.int8]) -> str:
    up = [format_card(card) for card in public.up[seat] if card != NO_CARD]
    hidden = down[: public.rules.third_street]
    parts = [f"[{' '.join(format_card(card) for card in hidden)}]", *up]
    has_seventh = public.live[seat] and public.street == Street.SEVENTH and public.community < 0
    if has_seventh or down[2] != NO_CARD:
        parts.append(f"[{format_card(down[2])}]")
    return " ".join(parts)


def _standing(public: Record, seat: int, cards: str) -> str:
    """What is to be said of a seat: folded, all-in, its chips on this street, its result."""
    said = [] if public.live[seat] else ["folded"]
    if public.over:
        said += _showing(public, seat, cards)
        said.append(f"{public.stack[seat] - public.starting_stack[seat]:+d}")
        return ", ".join(said)
    if public.street_chips[seat]:
        said.append(f"in {public.street_chips[seat]}")
    if public.live[seat] and not public.stack[seat]:
        said.append("all-in")
    return ", ".join(said)


def _showing(public: Record, seat: int, cards: str) -> list[str]:
    if public.shown[seat] == MUCKED:
        return ["mucks"]
    if public.shown[seat] != SHOWN:
        return []
    shared = format_card(public.community) if public.community >= 0 else ""
    return [f"shows {lowball.evaluate(cards.translate(_NO_BRACKETS) + shared).name}"]


_NO_BRACKETS = str.maketrans("", "", "[]")


def _street_actions(public: Record) -> list[str]:
    """A line with the actions of this street, if there were any."""
    begun = max(int(public.street_start[public.street - 3]), 0)
    said = [f"seat {seat} {_DID[action]}" for seat, action in logged_actions(public, begun)]
    return [", ".join(said)] if said else []


def _closing(public: Record) -> str:
    if public.over:
        return "The hand is over."
    choices = [_choice(public, action) for action in _legal(public)]
    return f"seat {public.actor} to act: {', '.join(choices)}"


def _legal(public: Record) -> list[Action]:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    legal_actions(public, mask)
    return [Action(int(number)) for number in np.flatnonzero(mask)]


def _choice(public: Any, action: Action) -> str:
    """What an action is called and costs; for a completion or raise, the street total it makes."""
    seat, words = int(public.actor), action.name.lower().replace("_", " ")
    chips = int(action_chips(public, seat, int(action)))
    if action in (Action.COMPLETE, Action.RAISE):
        return f"{words} to {public.street_chips[seat] + chips}"
    return f"{words} {chips}" if chips else words
