"""What a page is told of its table: made from scenes, choices and sentences alone."""

from typing import Any

from agents.table.session import Bot, Person, Table
from agents.web.room import Guest, Room
from razz_env.render.svg import table_svg


def state(room: Room, guest: Guest, told: int) -> dict[str, Any]:
    """The table as a guest sees it now.

    Args:
        room: the table.
        guest: who is told.
        told: number of the last sentence of the chat that the page has.
    """
    table = room.table
    return {
        "type": "state",
        "table": room.key,
        "seat": guest.place,
        "host": guest.is_host,
        "open": room.open_seats,
        "speed": room.speed,
        "paused": room.paused,
        "note": room.note,
        "names": [
            seat.name if seat else "open seat" for seat in (table.seats if table else room.plan)
        ],
        "chat": [[number, line] for number, line in room.chat if number > told],
        "choices": [
            {"action": c.action.name.lower(), "key": c.key, "label": _label(c.label, c.all_in)}
            for c in room.offered(guest)
        ],
        **(_game(table, guest, room.decision) if table else {}),
    }


def _label(label: str, all_in: bool) -> str:
    return f"{label}, all-in" if all_in else label


def _game(table: Table, guest: Guest, decision: int) -> dict[str, Any]:
    seated = None if guest.place is None else table.seats[guest.place]
    return {
        "hand": table.number,
        "decision": decision,
        "hands": table.score.hands,
        "score": [
            {"name": name, "bb": round(bb, 2)}
            for name, bb in zip(table.names, table.score.net_big_bets, strict=True)
        ],
        "auto_muck": not (isinstance(seated, Person) and seated.shows_losers),
        "bots": sorted({seat.agent.name for seat in table.seats if isinstance(seat, Bot)}),
        "over": not table.in_play,
        "svg": drawing(table, guest.place),
    }


def drawing(table: Table, seat: int | None) -> str:
    """The table as a seat or a spectator sees it; empty before the first hand."""
    return table_svg(table.scene(seat)) if table.hand else ""
