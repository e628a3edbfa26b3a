"""What a seat may do now, in words with amounts: the prompts of the terminal and the browser.

Both show exactly what the mask allows, so nothing else can be chosen. In fixed limit an action
needs no number: whoever types one must type the right one.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from razz_env.render.prompts import Choice as DrawnChoice
from razz_env.render.prompts import choices as drawn_choices
from razz_env.rules.checks import require_view
from razz_env.rules.record import SeatView
from razz_env.rules.terms import Action

KEYS = {
    Action.FOLD: "f",
    Action.CHECK: "c",
    Action.CALL: "c",
    Action.BRING_IN: "b",
    Action.COMPLETE: "r",
    Action.BET: "b",
    Action.RAISE: "r",
}
"""Action -> the key that takes it; actions with the same key are never legal together."""

_TO = (Action.COMPLETE, Action.RAISE)
"""Actions whose amount is the street total they make; the others name the chips put in now."""

_TYPED = re.compile(r"([a-z]+(?:[ _-]in)?)(?:\s+(?:to\s+)?(\d[\d,]*))?")

_ECHOED = 30
"""How many letters of a bad line are repeated."""


class BadChoice(ValueError):
    """Something that is no legal action here: a sentence that names those that are."""


class Choice(NamedTuple):
    """A legal action as it is offered.

    Attributes:
        action: the action.
        key: the key that takes it.
        label: as a button says it: "Raise to 60", "Call 20", "Check".
        amount: the number in the label, chips; 0 if there is none.
        chips: what it puts in now.
        all_in: whether these are the last chips.
    """

    action: Action
    key: str
    label: str
    amount: int
    chips: int
    all_in: bool


def choices(view: SeatView) -> tuple[Choice, ...]:
    """The legal actions of a seat in the order of `Action`; none if it is not its turn.

    Raises:
        TypeError: anything but a seat's view, such as a hand's record.
    """
    require_view(view, "choices takes")
    stack = int(view.public.stack[view.seat])
    return tuple(_choice(drawn, stack) for drawn in drawn_choices(view))


def _choice(drawn: DrawnChoice, stack: int) -> Choice:
    action, chips = drawn.action, drawn.chips
    amount = drawn.to_chips if action in _TO else chips
    return Choice(action, KEYS[action], drawn.words, amount, chips, 0 < chips == stack)


def read_choice(typed: str, offered: Sequence[Choice]) -> Choice:
    """The choice that somebody typed: a key, a word, or either with its amount.

    Raises:
        BadChoice: no such action here, or an amount that is not the one of fixed limit.
    """
    found = _TYPED.fullmatch(typed.strip().lower())
    named = [choice for choice in offered if found and _names(choice, found[1])]
    if not found or len(named) != 1:
        raise BadChoice(f"{shortened(typed.strip())!r} is no choice here. {menu(offered)}")
    choice = named[0]
    if found[2] is not None and found[2].replace(",", "") != str(choice.amount):
        raise BadChoice(_wrong_amount(choice, shortened(found[2])))
    return choice


def shortened(typed: str) -> str:
    """What was typed, or its beginning if it is long, such as something that was pasted."""
    return typed if len(typed) <= _ECHOED else f"{typed[:_ECHOED]}\u2026"


def _names(choice: Choice, word: str) -> bool:
    name = choice.action.name.lower()
    return word == choice.key or re.sub("[ -]", "_", word) == name


def _wrong_amount(choice: Choice, typed: str) -> str:
    word = choice.action.name.lower().replace("_", " ")
    if not choice.amount:
        return f"A {word} takes no amount, and not {typed}: type {choice.key}."
    what = f"{word} to" if choice.action in _TO else word
    return (
        f"The limit is fixed: you can {what} {choice.amount:,}, not {typed}. Type {choice.key} or "
        f"{word} {choice.amount:,}."
    )


def menu(offered: Sequence[Choice]) -> str:
    """`"You may: [f] Fold, [c] Call 20, [r] Raise to 40."`."""
    return f"You may: {', '.join(f'[{choice.key}] {choice.label}' for choice in offered)}."
