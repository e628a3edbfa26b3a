"""One open page: its websocket, what it asks, and what it is told.

States are not queued: when a page is slow it gets the newest one, so memory stays flat however fast
the game goes. Answers to its own requests are sent in order.
"""

import asyncio
import json
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from agents.table.hints import AdviserFailed, hint
from agents.table.replays import SteppedHand
from agents.table.session import Table
from agents.web.graph import graph_svg
from agents.web.messages import (
    Act,
    Create,
    Download,
    Join,
    Plain,
    Refused,
    Sit,
    Speed,
    Step,
    Switch,
    Titles,
    read_message,
)
from agents.web.room import Guest, Room
from agents.web.server import Server, tidy_name
from agents.web.shelves import LastHands, Shelf, file_text
from agents.web.telling import state
from razz_env.envs.agent import Agent
from razz_env.history import HistoryError
from razz_env.render.svg import table_svg


class Connection:
    """A page, from its first message to the last."""

    def __init__(self, socket: WebSocket, server: Server) -> None:
        """`socket` has been accepted."""
        self._socket, self._server = socket, server
        self._room: Room | None = None
        self._guest: Guest | None = None
        self._told = 0
        self._stepped: SteppedHand | None = None
        self._new = asyncio.Event()

    def wake(self) -> None:
        """See `Page.wake`."""
        self._new.set()

    async def run(self) -> None:
        """Serve the page until it goes."""
        teller = asyncio.create_task(self._tell())
        try:
            await self._send(self._server.lobby())
            while True:
                await self._serve(await self._receive())
        except (WebSocketDisconnect, RuntimeError):
            pass  # the page has gone; RuntimeError is what a socket says that was closed meanwhile
        finally:
            self._leave()
            teller.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await teller

    async def _receive(self) -> str | None:
        """The text of the next message; None if it is no text."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | None = message.get("text")
        return text

    async def _serve(self, text: str | None) -> None:
        try:
            await self._handle(read_message(text))
        except (Refused, AdviserFailed, HistoryError) as refused:
            await self._send({"type": "refused", "sentence": str(refused)})

    async def _send(self, message: dict[str, Any]) -> None:
        await self._socket.send_text(json.dumps(message, ensure_ascii=False))

    async def _tell(self) -> None:
        """Send the newest state whenever there is one."""
        while True:
            await self._new.wait()
            self._new.clear()
            if self._room and self._guest:
                message = state(self._room, self._guest, self._told)
                self._told = max([self._told, *(number for number, _ in message["chat"])])
                await self._send(message)

    # ---- requests

    async def _handle(self, message: Any) -> None:
        match message:
            case Create():
                room, host = await self._server.create(message)
                await self._enter(room, host.token)
            case Join():
                await self._enter(self._server.room(message.table), message.token)
            case Titles():
                await self._send({"type": "titles", **self._shelf().titles(message.start)})
            case Step():
                await self._send(await self._step(message))
            case Download():
                await self._download(message)
            case Plain(do="leave"):
                self._leave()
            case _:
                await self._at_table(*self._here(), message)

    async def _at_table(self, room: Room, guest: Guest, message: Any) -> None:
        match message:
            case Act():
                room.act(guest, message)
            case Sit():
                room.sit(guest, tidy_name(message.name))
            case Speed():
                room.set_speed(guest, message.speed)
            case Switch(do="pause"):
                room.pause(guest, message.on)
            case Switch():
                room.auto_muck(guest, message.on)
            case Plain(do="start"):
                room.start(guest)
            case Plain(do="next"):
                room.deal_next(guest)
            case Plain(do="hint"):
                await self._hint(room, guest)
            case Plain():
                await self._graph(room)

    def _here(self) -> tuple[Room, Guest]:
        if self._room is None or self._guest is None:
            raise Refused("Open a table or join one first.")
        return self._room, self._guest

    async def _enter(self, room: Room, token: str | None) -> None:
        room.check_space(self)  # a page that is refused stays where it is
        self._leave()
        guest = room.admit(token, self)
        self._room, self._guest, self._told = room, guest, 0
        await self._send({"type": "seated", "table": room.key, "token": guest.token})
        self.wake()

    def _leave(self) -> None:
        if self._room and self._guest:
            self._room.dismiss(self._guest, self)
        self._room = self._guest = None

    async def _hint(self, room: Room, guest: Guest) -> None:
        """Equity, pot odds, and what a player would do in the place of the seat to act."""
        table = room.table
        watches = table is not None and table.is_open and table.actor is not None
        if table is None or not (room.offered(guest) or watches):
            raise Refused("Hints are for the seat whose turn it is.")
        view, adviser = table.view(table.actor or 0), _adviser(table)
        number, decision = table.number, room.decision
        said = await self._server.work(lambda: hint(view, adviser))
        await self._send(
            {"type": "hint", "hand": number, "decision": decision, "lines": said.lines()}
        )

    async def _graph(self, room: Room) -> None:
        if room.table is None:
            raise Refused("Nothing has been played yet.")
        svg = graph_svg(room.table.score, room.table.names)
        await self._send({"type": "graph", "svg": svg})

    # ---- hands to look up

    def _shelf(self) -> Shelf:
        if self._room and self._guest:
            if self._room.table is None:
                raise Refused("Nothing has been played yet.")
            return LastHands(self._room.table, self._guest.place)
        if self._server.library is None:
            raise Refused("There are no hands to look up; open a table or join one first.")
        return self._server.library

    async def _step(self, message: Step) -> dict[str, Any]:
        shelf = self._shelf()
        record = shelf.record(message.hand)
        if self._stepped is None or self._stepped.record != record:
            self._stepped = SteppedHand(record)
        stepped, step = self._stepped, min(message.step, self._stepped.last_step)
        return {
            "type": "step",
            "hand": message.hand,
            "step": step,
            "steps": stepped.last_step,
            "title": stepped.title,
            "line": stepped.sentence(step),
            "note": stepped.disagreement if step == stepped.last_step else "",
            "svg": table_svg(stepped.scene(step)),
            "equity": await self._equities(stepped, step) if message.equity else [],
            "advice": await self._advice(stepped, step, message.player) if message.player else "",
        }

    async def _equities(self, stepped: SteppedHand, step: int) -> list[dict[str, Any]]:
        found = await self._server.work(lambda: stepped.equities(step))
        return [{"name": stepped.names[seat], "share": round(share, 4)} for seat, share in found]

    async def _advice(self, stepped: SteppedHand, step: int, name: str) -> str:
        sentence: str = await self._server.work(
            lambda: stepped.advice(step, self._server.player(name))
        )
        return sentence

    async def _download(self, message: Download) -> None:
        records = self._shelf().records()
        text, refused = await self._server.work(lambda: file_text(records, message.format))
        ending = "phhs" if message.format == "phh" else "txt"
        await self._send(
            {
                "type": "file",
                "name": f"razz-hands.{ending}",
                "text": text,
                "refused": refused,
            }
        )


def _adviser(table: Table) -> Agent | None:
    """The player to act where one is, else the first of the table."""
    bot = table.bot_to_act or next(iter(table.bots), None)
    return bot.agent if bot else None
