"""The tables of a server, and what a page asks of it, message by message."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from agents.players.network import shipped
from agents.table.finished import FinishedHand
from agents.table.session import Bot, Person, Seated, Table
from agents.web.messages import Create, Refused
from agents.web.room import Guest, OpenTable, Planned, Room
from agents.web.shelves import Library
from agents.web.thinking import Thinking
from razz_env.envs.agent import Agent, PlayerError
from razz_env.envs.opponents import GROUP, resolve_agent
from razz_env.history import HandRecord, hand_text
from razz_env.rules.house_rules import RULE_BOOKS, HouseRules

MAX_TABLES = 50
ME, OPEN = "me", "open"

_OFFERED = (
    "book",
    "scripted:tight",
    "scripted:loose",
    *(f"trained:{name}" for name in reversed(shipped())),
    "equity",
    "equity:uniform",
    "caller",
    "raiser",
    "random",
)
_NEED_A_FILE = ("ppo",)

_log = logging.getLogger(__name__)


def offered_players(more: Sequence[str] = ()) -> tuple[str, ...]:
    """Names that a page may choose: those given, ours, and other families that are installed."""
    families = {entry.name for entry in entry_points(group=GROUP)}
    ours = [name for name in _OFFERED if name.partition(":")[0] in families]
    known = {name.partition(":")[0] for name in _OFFERED} | set(_NEED_A_FILE)
    return tuple(dict.fromkeys([*more, *ours, *sorted(families - known)]))


class Server:
    """Tables, the players that may sit at them, and the hands of a file to look at.

    Attributes:
        players: names that pages may choose.
        library: the file's hands; None without a file.
    """

    def __init__(
        self,
        players: Sequence[str],
        records: Sequence[HandRecord] = (),
        folder: Path | None = None,
    ) -> None:
        """Open without a table.

        Args:
            players: names that pages may choose.
            records: hands to look at.
            folder: where every table writes its finished hands as JSON lines, if anywhere.
        """
        self.players = tuple(players)
        self.library = Library(records) if records else None
        self._folder = folder
        self._rooms: dict[str, Room] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._thinking = Thinking()

    async def work(self, function: Callable[[], Any]) -> Any:
        """Run a function of players beside the event loop, one after the other."""
        return await self._thinking.run(function)

    async def close(self) -> None:
        """Stop all games."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._thinking.close()

    def lobby(self) -> dict[str, Any]:
        """What can be chosen."""
        return {
            "type": "lobby",
            "players": list(self.players),
            "rules": {name: _stakes(name) for name in RULE_BOOKS},
            "library": self.library is not None,
        }

    def player(self, name: str) -> Agent:
        """A player of the list.

        Raises:
            Refused: a name that is not on it, or a player that cannot be made.
        """
        if name not in self.players:
            raise Refused(f"There is no player {name!r} here; there are {', '.join(self.players)}.")
        try:
            return resolve_agent(name)
        except (ValueError, ModuleNotFoundError, OSError, TypeError) as error:
            raise Refused(f"The player {name!r} cannot play: {error}") from error

    async def create(self, wish: Create) -> tuple[Room, Guest]:
        """Open a table, and its host.

        Raises:
            Refused: rules, stacks or seats that cannot be, or too many tables; nothing changes.
        """
        if wish.seats.count(ME) > 1:
            raise Refused("You can sit in one seat only.")
        plan: list[Planned] = [await self._seat(seat, wish.name) for seat in wish.seats]
        self._check([seat or Person("somebody") for seat in plan], wish)
        self._make_room()
        room = Room(plan, self._opener(wish))
        host = room.invite(wish.seats.index(ME) if ME in wish.seats else None, is_host=True)
        self._rooms[room.key] = room
        self._tasks[room.key] = asyncio.create_task(self._run(room))
        return room, host

    async def _seat(self, seat: str, name: str) -> Planned:
        if seat == OPEN:
            return None
        if seat == ME:
            return Person(tidy_name(name))
        player: Agent = await self.work(lambda: self.player(seat))
        return Bot(short_name(seat), player)

    def _opener(self, wish: Create) -> OpenTable:
        def open_table(seats: list[Seated]) -> Table:
            return Table(
                seats,
                wish.rules,
                wish.stacks,
                wish.seed,
                carry=wish.carry,
                on_finished=self._writer(),
            )

        return open_table

    def _check(self, seats: list[Seated], wish: Create) -> None:
        if wish.rules not in RULE_BOOKS:
            raise Refused(f"There are no rules {wish.rules!r} here.")
        try:
            Table(seats, wish.rules, wish.stacks, wish.seed)
        except (ValueError, PlayerError) as error:
            raise Refused(str(error)) from error

    def _writer(self) -> Callable[[FinishedHand], None] | None:
        """Writes finished hands to a new file of the folder, each at once."""
        if self._folder is None:
            return None
        path = new_file(self._folder)

        def write(hand: FinishedHand) -> None:
            with path.open("a", encoding="utf-8") as file:
                file.write(hand_text(hand.record, "json"))

        return write

    async def _run(self, room: Room) -> None:
        try:
            await room.run(self.work)
        except Exception as error:
            _log.exception("A table broke")
            room.note = f"This table cannot go on: {error}"
            room.tell()

    def room(self, key: str) -> Room:
        """The table of a link.

        Raises:
            Refused: there is none.
        """
        if key not in self._rooms:
            raise Refused("There is no such table any more; open a new one.")
        return self._rooms[key]

    def _make_room(self) -> None:
        """Close the oldest table that nobody looks at, if there are too many."""
        if len(self._rooms) < MAX_TABLES:
            return
        idle = [key for key, room in self._rooms.items() if not room.pages]
        if not idle:
            raise Refused(f"All {MAX_TABLES} tables of this server are in use.")
        self._tasks.pop(idle[0]).cancel()
        del self._rooms[idle[0]]


def new_file(folder: Path) -> Path:
    """A new, empty `table-<number>.jsonl` in a folder, behind all that are there; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        names = [path.stem.removeprefix("table-") for path in folder.glob("table-*.jsonl")]
        last = max((int(name) for name in names if name.isdecimal()), default=0)
        path = folder / f"table-{last + 1:04}.jsonl"
        try:
            path.open("x").close()
        except FileExistsError:  # another server was faster
            continue
        return path


def short_name(player: str) -> str:
    """What a plate has room for: "tight" for "scripted:tight", "x" for "ppo:runs/x/model.zip".

    "trained:table" is "trained": "table folds." would be odd to read.
    """
    family, _, argument = player.partition(":")
    name = argument.partition("?")[0]
    if (family, name) == ("trained", "table"):
        return family
    parts = name.split("/")
    return (parts[-2] if len(parts) > 1 else parts[-1]) or family


def tidy_name(name: str) -> str:
    """A person's name as others see it.

    Raises:
        Refused: a name without a letter or with signs that cannot be printed.
    """
    tidy = " ".join(name.split())
    if not tidy or not tidy.isprintable():
        raise Refused("A name needs letters that can be printed.")
    return tidy


def _stakes(preset: str) -> str:
    rules = HouseRules.preset(preset)
    return f"{rules.small_bet}/{rules.big_bet}, ante {rules.ante}, bring-in {rules.bring_in}"
