"""Records as JSON, one on a line: everything a record holds, readable without this package."""

import json
from dataclasses import fields
from datetime import datetime
from typing import Any

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

_ROWS = {
    "moves": Move,
    "showings": Showing,
    "awards": Award,
    "bystanders": Bystander,
}
_TUPLES = ("returned", "pots", "finishing_stacks")


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
        data = json.loads("".join(lines))
        return check_whole(from_dict(data))
    except HistoryError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise HistoryError(f"it is no hand in JSON: {error}.") from None


def from_dict(data: dict[str, Any]) -> HandRecord:
    """The inverse of `to_dict`.

    Raises:
        HistoryError: another format.
        ValueError, TypeError, KeyError: a field of the wrong kind.
    """
    if data.get("format") != "razz-env hand 1":
        raise HistoryError("its format is not 'razz-env hand 1'.")
    facts = {name: value for name, value in data.items() if name != "format"}
    facts["rules"] = HouseRules(**facts["rules"])
    facts["seats"] = tuple(Seat(**{**s, "cards": _cards(s["cards"])}) for s in facts["seats"])
    facts["moves"] = [{**m, "action": Action[m["action"].upper()].value} for m in facts["moves"]]
    for name, kind in _ROWS.items():
        facts[name] = tuple(kind(**row) for row in facts.get(name, ()))
    for name in _TUPLES:
        facts[name] = tuple(facts.get(name, ()))
    facts["filled"] = frozenset((seat, place) for seat, place in facts.get("filled", ()))
    if "community" in facts:
        facts["community"] = _cards(facts["community"])[0]
    if "time" in facts:
        facts["time"] = datetime.fromisoformat(facts["time"])
    if "tournament" in facts:
        facts["tournament"] = Tournament(**facts["tournament"])
    return HandRecord(**facts)


def _card_text(cards: tuple[int, ...]) -> str:
    return " ".join(map(format_card, cards))


def _cards(text: str) -> tuple[int, ...]:
    return tuple(NO_CARD if name == "??" else _NUMBERS[name] for name in text.split())


_NUMBERS = {format_card(card): card for card in range(52)}
