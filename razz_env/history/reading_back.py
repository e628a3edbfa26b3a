"""What a room's text must give back of a record, or else the text is not written."""

from dataclasses import replace
from typing import Any

from razz_env.history.reading import scan
from razz_env.history.record import HandRecord, HistoryError
from razz_env.history.source import Failed, Found
from razz_env.rules.terms import Action

_WAY_OUT = "write the hand as JSON or PHH"


def check_read_back(text: str, record: HandRecord, head: dict[str, Any]) -> None:
    """Read the text of a hand again, by the room's own reader.

    Args:
        text: of the whole hand.
        record: which it tells.
        head: fields of the record as they should be found in the header.

    Raises:
        HistoryError: what would not come back, or come back otherwise.
    """
    told = _told(text)
    for field, value in head.items():
        if getattr(told, field) != value:
            raise HistoryError(
                f"its {field} {value!r} cannot stand in the header, which would be read back as "
                f"{getattr(told, field)!r}."
            )
    found, held = _held(told), _held(_in_order(record, told))
    if other := next((name for name in held if found[name] != held[name]), None):
        ours, theirs = _first_difference(held[other], found[other])
        raise HistoryError(
            f"its {other} would be read back as {_short(theirs)}, not {_short(ours)}: {_WAY_OUT}."
        )


def _told(text: str) -> HandRecord:
    results = list(scan([text]))
    if len(results) != 1:
        raise HistoryError("a name makes one of its lines look like the start of another hand.")
    (result,) = results
    if not isinstance(result, Found):
        reason = result.reason if isinstance(result, Failed) else f"as a hand of {result.game}."
        raise HistoryError(f"its text could not be read back: {reason}")
    return result.record


def _in_order(record: HandRecord, told: HandRecord) -> HandRecord:
    """The record, begun at the seat that text begins at, where it does not tell the button.

    Raises:
        HistoryError: the seats would come back in another order around the table.
    """
    order, found = [seat.name for seat in record.seats], [seat.name for seat in told.seats]
    if sorted(order) != sorted(found):
        return record
    first = order.index(found[0])
    if order[first:] + order[:first] == found:
        return turned(record, first)
    chairs = ", ".join(str(seat.number) for seat in record.seats)
    raise HistoryError(
        f"clockwise from the left of the button its chairs are {chairs}, but in text of this room "
        f"they would be read as {', '.join(str(seat.number) for seat in told.seats)}: {_WAY_OUT}."
    )


def turned(record: HandRecord, first: int) -> HandRecord:
    """The same hand with the seats counted from another one on."""

    def place(seat: int) -> int:
        return (seat - first) % len(record.seats)

    def turn(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return values[first:] + values[:first]

    return replace(
        record,
        seats=turn(record.seats),
        moves=tuple(move._replace(seat=place(move.seat)) for move in record.moves),
        showings=tuple(one._replace(seat=place(one.seat)) for one in record.showings),
        awards=tuple(award._replace(seat=place(award.seat)) for award in record.awards),
        returned=turn(record.returned),
        finishing_stacks=turn(record.finishing_stacks),
        high_door=None if record.high_door is None else place(record.high_door),
        hero=None if record.hero is None else place(record.hero),
        filled=frozenset((place(seat), at) for seat, at in record.filled),
    )


def _held(record: HandRecord) -> dict[str, Any]:
    """What every room's text holds, by the name that messages give it."""
    return {
        "ante and bets": (record.rules.ante, record.rules.small_bet, record.rules.big_bet),
        "players": [seat[:4] for seat in record.seats],
        "bystanders": sorted(record.bystanders),
        "up cards": [seat.cards[2:6] for seat in record.seats],
        "actions": [
            (*move[:2], min(move.action, Action.COMPLETE), *move[3:]) for move in record.moves
        ],
        "uncalled chips": record.returned,
        "pots": record.pots,
        "total pot": record.total_pot,
        "rake": record.rake,
        "winners": sorted(record.awards),
        "shared card": record.community,
        "showdown": record.showings if len(record.live_seats) > 1 else (),
    }


def _first_difference(ours: Any, theirs: Any) -> tuple[Any, Any]:
    """The first rows that differ of two lists of equal length; else the values themselves."""
    if isinstance(ours, list | tuple) and len(ours) == len(theirs):
        return next((a, b) for a, b in zip(ours, theirs, strict=True) if a != b)
    return ours, theirs


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
