"""Records as JSON, one on a line: everything a record holds, readable without this package."""

import json
from collections.abc import Callable
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any, NoReturn

from razz_env.history.checks import check_whole
from razz_env.history.record import (
    Award,
    Bystander,
    HandRecord,
    HistoryError,
    Move,
    Seat,
    Showing,
    Tournament,
)
from razz_env.rules.cards import NO_CARD, format_card
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.terms import Action

_ROWS = ("showings", "awards", "bystanders")


def hand_text(record: HandRecord) -> str:
    """One line of JSON with its newline."""
    return json.dumps(to_dict(record), ensure_ascii=False) + "\n"


def to_dict(record: HandRecord) -> dict[str, Any]:
    """The record as plain dicts, lists, text and numbers; fields that say nothing are left out."""
    data: dict[str, Any] = {"format": "razz-env hand 1"}
    for field in fields(record):
        value = getattr(record, field.name)
        if value != field.default:
            data[field.name] = _plain(field.name, value)
    return data


def _plain(name: str, value: Any) -> Any:
    if name == "rules":
        return {f.name: getattr(value, f.name) for f in fields(value)}
    if name == "seats":
        return [{**seat._asdict(), "cards": _card_text(seat.cards)} for seat in value]
    if name == "moves":
        return [{**move._asdict(), "action": Action(move.action).name.lower()} for move in value]
    if name in _ROWS:
        return [row._asdict() for row in value]
    if name == "community":
        return format_card(value)
    if name == "time":
        return value.isoformat()
    if name == "tournament":
        return value._asdict()
    if name == "filled":
        return sorted(value)
    return value


def parse_hand(lines: list[str]) -> HandRecord:
    """The record of one line of JSON.

    Raises:
        HistoryError: what is wrong with it.
    """
    try:
        data = json.loads("".join(lines), parse_constant=_refuse_constant)
    except HistoryError:
        raise
    except (ValueError, RecursionError) as error:
        raise HistoryError(f"it is no JSON: {error}.") from None
    return check_whole(from_dict(data))


def _refuse_constant(name: str) -> NoReturn:
    raise HistoryError(f"{name} stands in it, which is no number of chips, cards or seats.")


def from_dict(data: Any) -> HandRecord:
    """The inverse of `to_dict`.

    Raises:
        HistoryError: no dict, another format, or a field that is missing, unknown or unreadable.
    """
    if not isinstance(data, dict):
        raise HistoryError(f"{_short(data)} is no hand: a hand in JSON stands in braces.")
    if data.get("format") != "razz-env hand 1":
        raise HistoryError("its format is not 'razz-env hand 1'.")
    known = {field.name: field.default is MISSING for field in fields(HandRecord)}
    if missing := next((name for name, due in known.items() if due and name not in data), None):
        raise HistoryError(f"the field {missing!r} is missing.")
    if unknown := next((name for name in data if name not in {"format", *known}), None):
        raise HistoryError(f"it has a field {unknown!r}, which no hand has.")
    return HandRecord(**{name: _read(name, data[name]) for name in known if name in data})


def _read(name: str, value: Any) -> Any:
    """The value of a field, made of what JSON has for it."""
    try:
        return _READERS[name](value) if name in _READERS else value
    except (TypeError, KeyError, AttributeError, IndexError):
        raise HistoryError(f"its {name} cannot be read: {_short(value)}.") from None
    except ValueError as error:
        raise HistoryError(f"its {name} cannot be read: {str(error).rstrip('.')}.") from None


def _rows(kind: Callable[..., Any]) -> Callable[[Any], tuple[Any, ...]]:
    return lambda rows: tuple(kind(**row) for row in rows)


def _seat(cards: str, **facts: Any) -> Seat:
    return Seat(cards=_cards(cards), **facts)


def _move(action: str, **facts: Any) -> Move:
    return Move(action=Action[action.upper()].value, **facts)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _card_text(cards: tuple[int, ...]) -> str:
    return " ".join(map(format_card, cards))


def _cards(text: str) -> tuple[int, ...]:
    return tuple(NO_CARD if name == "??" else _NUMBERS[name] for name in text.split())


_NUMBERS = {format_card(card): card for card in range(52)}

_READERS: dict[str, Callable[[Any], Any]] = {
    "rules": lambda stakes: HouseRules(**stakes),
    "seats": _rows(_seat),
    "moves": _rows(_move),
    "showings": _rows(Showing),
    "awards": _rows(Award),
    "bystanders": _rows(Bystander),
    "returned": tuple,
    "pots": tuple,
    "finishing_stacks": tuple,
    "filled": lambda places: frozenset((seat, place) for seat, place in places),
    "community": lambda card: _cards(card)[0],
    "time": datetime.fromisoformat,
    "tournament": lambda parts: Tournament(**parts),
}
"""Fields whose values are no plain text or number -> what makes them."""
