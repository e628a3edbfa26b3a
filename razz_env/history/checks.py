"""Whether the fields of a record hold what they should: PHH and JSON may say anything.

Readers of room text build their records from matched lines and need no such check.
"""

from datetime import datetime
from typing import Any

from razz_env.history.kernels import UNKNOWN
from razz_env.history.record import (
    Award,
    HandRecord,
    HistoryError,
    Move,
    Showing,
    check_full_game,
    check_record,
)
from razz_env.rules.house_rules import MAX_CHIPS
from razz_env.rules.terms import NUM_ACTIONS

_TEXTS = ("room", "hand_id", "table", "zone", "clock", "mix", "club")
_NUMBERS = ("max_seats", "rake")
_SEATS = ("hero", "high_door")


def check_whole(record: HandRecord) -> HandRecord:
    """The record, if rows, fields and the hand as a whole are sound.

    Raises:
        HistoryError: the first thing that is not.
    """
    return check_record(check_fields(check_rows(record)))


def check_fields(record: HandRecord) -> HandRecord:
    """The record, if every field has the type and the range that `HandRecord` names.

    Raises:
        HistoryError: the first field that has not, or rules of a small variant.
    """
    check_full_game(record.rules)
    _check_texts(record)
    _check_numbers(record)
    _check_seat_numbers(record)
    _check_time(record)
    return record


def _check_texts(record: HandRecord) -> None:
    texts = [(name, getattr(record, name)) for name in _TEXTS]
    if record.currency is not None:
        texts.append(("currency", record.currency))
    texts += [("tournament", part) for part in record.tournament or ()]
    texts += [("name of a player", seat.name) for seat in record.seats]
    texts += [("name of a bystander", bystander.name) for bystander in record.bystanders]
    for field, text in texts:
        if type(text) is not str:
            raise HistoryError(f"its {field} is {_short(text)}; it must be text.")
        if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
            raise HistoryError(f"its {field} holds half a character, {_short(text)}.")
    if record.currency == "":
        raise HistoryError("its currency is empty; leave it out where the amounts are chips.")


def _check_numbers(record: HandRecord) -> None:
    numbers = [getattr(record, name) for name in _NUMBERS]
    numbers += [n for seat in record.seats for n in seat[1:4]]
    numbers += [n for bystander in record.bystanders for n in bystander[1:]]
    numbers += [*record.returned, *record.pots, *record.finishing_stacks]
    if record.total_pot is not None:
        numbers.append(record.total_pot)
    _check_range(numbers, 0, MAX_CHIPS, "an amount or the number of a chair")
    if type(record.bring_in_known) is not bool:
        raise HistoryError(
            f"its bring_in_known is {_short(record.bring_in_known)}; it must be true or false."
        )


def _check_seat_numbers(record: HandRecord) -> None:
    size = len(record.seats)
    rows: list[Move | Showing | Award] = [*record.moves, *record.showings, *record.awards]
    named = [getattr(record, name) for name in _SEATS]
    seats = [row.seat for row in rows] + [seat for seat in named if seat is not None]
    _check_range(seats, 0, size - 1, "the index of a seat")
    for name in ("returned", "finishing_stacks"):
        amounts = getattr(record, name)
        if amounts and len(amounts) != size:
            raise HistoryError(f"it has {len(amounts)} {name} for {size} seats.")


def check_rows(record: HandRecord) -> HandRecord:
    """The record, if the rows of its moves, awards and showdown hold what `HandRecord` names.

    Readers that make these rows from words of their own need no such check.

    Raises:
        HistoryError: the first row that does not.
    """
    if record.moves:
        _, streets, actions, chips, to_chips, all_in = map(list, zip(*record.moves, strict=True))
        _check_range(streets, 3, 7, "the street of an action")
        _check_range(actions, 0, NUM_ACTIONS - 1, "the number of an action")
        _check_range(chips + to_chips, UNKNOWN, MAX_CHIPS, "the amount of an action")
        if set(map(type, all_in)) != {bool}:
            raise HistoryError("an all_in is neither true nor false.")
    awards = [number for award in record.awards for number in (award.pot, award.chips)]
    _check_range(awards, 0, MAX_CHIPS, "an amount that was won or the number of its pot")
    for showing in record.showings:
        if (type(showing.mucked), type(showing.low)) != (bool, str):
            raise HistoryError("a row of the showdown has fields of the wrong kind.")
    return record


def _check_time(record: HandRecord) -> None:
    moment, _, zone = record.clock.rpartition(" ")
    try:
        if record.clock:
            datetime.fromisoformat(moment)
    except ValueError:
        zone = ""
    if record.clock and not zone:
        raise HistoryError(
            f"its clock is {_short(record.clock)}; it must be such as '2010-12-07 17:10:10 CCT'."
        )


def _check_range(numbers: list[Any], least: int, most: int, what: str) -> None:
    if not numbers:
        return
    if set(map(type, numbers)) == {int}:
        if least <= min(numbers) and max(numbers) <= most:
            return
        number = next(number for number in numbers if not least <= number <= most)
        raise HistoryError(f"{what} is {_short(number)}; it must be {least} to {most}.")
    number = next(number for number in numbers if type(number) is not int)
    raise HistoryError(f"{what} is {_short(number)}; it must be a whole number.")


def _short(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
