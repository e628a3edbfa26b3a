"""A table in the browser: who is there, the pace of the game, and whose turn it is.

A room is one task of the event loop; players think in a thread of the server, so that pages go on
being served. A guest is a browser with a token; several of its pages may be open or none.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.table.choices import Choice
from agents.table.session import Bot, Person, PlayerFailed, Seated, Table, check_sizes
from agents.web.messages import Act, Refused
from razz_env.rules.terms import Action

PACES = {"slow": (1.6, 7.0), "normal": (0.8, 4.0), "fast": (0.25, 1.5), "full": (0.0, 0.0)}
"""Speed -> seconds before a player's action, and between hands."""

AWAY_SECONDS = 30.0
"""How long others wait for somebody who has left before the dealer checks or folds for them."""

PATIENCE_SECONDS = 20.0
"""How long a player may think before the host can call the hand off. The first decisions of a
process take long, because code is compiled, so nothing is called off by itself."""

MAX_PAGES = 40
CHAT_LINES = 300

Planned = Seated | None
OpenTable = Callable[[list[Seated]], Table]
Work = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a function beside the event loop."""


class Page(Protocol):
    """An open page, which is told that there is something new."""

    def wake(self) -> None:
        """Something has changed."""


@dataclass
class Guest:
    """Somebody at a table: a token, a place in the plan of seats (None: watches), open pages."""

    token: str
    place: int | None
    is_host: bool = False
    pages: set[Page] = field(default_factory=set)


class Room:
    """A table, its guests and its game.

    Attributes:
        key: what the link holds; nobody can guess it.
        table: the session; None until all seats are taken.
        speed: one of PACES.
        paused: no new hand is dealt.
        note: what keeps the game from going on, for everyone to read.
        chat: (number, sentence) of the last announcements.
    """

    def __init__(self, plan: Sequence[Planned], open_table: OpenTable) -> None:
        """Nobody has come yet.

        Args:
            plan: who sits where; None is a seat for whoever has the link.
            open_table: makes the table when every seat is taken.
        """
        self.key = secrets.token_urlsafe(9)
        self.plan = list(plan)
        self.table: Table | None = None
        self.speed, self.paused, self.note = "normal", False, ""
        self.chat: deque[tuple[int, str]] = deque(maxlen=CHAT_LINES)
        self.guests: dict[str, Guest] = {}
        self._open_table = open_table
        self._chat_count = 0
        self._changed = asyncio.Event()
        self._go_on = asyncio.Event()
        self._turn: asyncio.Future[Action] | None = None

    # ---- guests

    @property
    def pages(self) -> list[Page]:
        """Every open page."""
        return [page for guest in self.guests.values() for page in guest.pages]

    @property
    def open_seats(self) -> int:
        """Seats that wait for somebody."""
        return 0 if self.table else self.plan.count(None)

    def admit(self, token: str | None, page: Page) -> Guest:
        """A page has come, back to its guest or as a new spectator.

        Raises:
            Refused: too many pages.
        """
        self.check_space(page)
        guest = self.guests.get(token or "") or self.invite(None)
        guest.pages.add(page)
        self.tell()
        return guest

    def check_space(self, page: Page) -> None:
        """Refuse another page if there are too many; one that is here may come anew.

        Raises:
            Refused: too many pages.
        """
        if len([other for other in self.pages if other is not page]) >= MAX_PAGES:
            raise Refused(f"This table has {MAX_PAGES} pages open; no more can watch.")

    def invite(self, place: int | None, *, is_host: bool = False) -> Guest:
        """A new guest with a token of its own."""
        guest = Guest(secrets.token_urlsafe(18), place, is_host)
        self.guests[guest.token] = guest
        return guest

    def dismiss(self, guest: Guest, page: Page) -> None:
        """A page has gone; a guest without a seat goes with its last one."""
        guest.pages.discard(page)
        if not guest.pages and guest.place is None and not guest.is_host:
            self.guests.pop(guest.token, None)
        self.tell()

    def sit(self, guest: Guest, name: str) -> None:
        """Take an open seat.

        Raises:
            Refused: there is none, or the guest has one.
        """
        if guest.place is not None:
            raise Refused("You have a seat at this table already.")
        if not self.open_seats:
            raise Refused("No seat is open at this table.")
        guest.place = self.plan.index(None)
        self.plan[guest.place] = Person(name)
        self.tell()

    def start(self, guest: Guest) -> None:
        """Begin without those for whom seats are open.

        Raises:
            Refused: somebody else's table, or those who are left cannot play.
        """
        self._check_host(guest)
        kept = [place for place, seat in enumerate(self.plan) if seat is not None]
        if len(kept) < 2:
            raise Refused("A table needs two seats that are taken.")
        try:
            check_sizes([seat for seat in self.plan if seat is not None])
        except ValueError as error:
            raise Refused(f"{error} Wait for your guests.") from error
        for other in self.guests.values():
            other.place = None if other.place is None else kept.index(other.place)
        self.plan = [self.plan[place] for place in kept]
        self.tell()

    def _check_host(self, guest: Guest) -> None:
        if not guest.is_host:
            raise Refused("Only who opened the table can do that.")

    # ---- what guests do

    def offered(self, guest: Guest) -> tuple[Choice, ...]:
        """The choices of a guest now; none while it is not asked."""
        if guest.place is None or self.table is None or self._turn is None or self._turn.done():
            return ()
        return self.table.choices(guest.place)

    def act(self, guest: Guest, message: Act) -> None:
        """Play a guest's action.

        Raises:
            Refused: not its turn, an action that is not offered, or one of a decision gone by.
        """
        offered = self.offered(guest)
        if not offered or self.table is None or self._turn is None:
            raise Refused("It is not your turn.")
        if (message.hand, message.decision) != (self.table.number, self.decision):
            raise Refused("That was for an earlier decision; look at the table again.")
        for choice in offered:
            if message.action == choice.action.name.lower():
                self._turn.set_result(choice.action)
                return
        labels = ", ".join(choice.label for choice in offered)
        raise Refused(f"{message.action!r} is not among your choices: {labels}.")

    @property
    def decision(self) -> int:
        """Number of the decision in its hand."""
        hand = self.table.hand if self.table else None
        return int(hand.record.public.log_length) if hand else 0

    def set_speed(self, guest: Guest, speed: str) -> None:
        """Change the pace; only the host can (Refused)."""
        self._check_host(guest)
        self.speed = speed
        self._go_on.set()
        self.tell()

    def pause(self, guest: Guest, on: bool) -> None:
        """Stop dealing, or go on; only the host can (Refused)."""
        self._check_host(guest)
        self.paused = on
        self.tell()

    def deal_next(self, guest: Guest) -> None:
        """Deal the next hand without waiting; only the host can (Refused)."""
        self._check_host(guest)
        self.note = ""
        self._go_on.set()
        self.tell()

    def auto_muck(self, guest: Guest, on: bool) -> None:
        """Whether a guest's beaten hands stay unseen; Refused without a seat."""
        if guest.place is None or self.table is None:
            raise Refused("Only who sits at the table can muck.")
        self.table.auto_muck(guest.place, on)
        self.tell()

    # ---- the game

    def tell(self) -> None:
        """Every page and the game itself hear that something has changed."""
        self._changed.set()
        for page in self.pages:
            page.wake()

    def _collect(self) -> None:
        """Put the dealer's news into the chat and tell everybody."""
        for line in self.table.news() if self.table else ():
            self._say(line)
        self.tell()

    async def run(self, work: Work) -> None:
        """Play until the task is cancelled."""
        await self._until(lambda: not self.open_seats)
        seats = [seat for seat in self.plan if seat is not None]
        self.table = await work(lambda: self._open_table(seats))
        while True:
            await self._until(lambda: bool(self.pages) and not self.paused and not self.note)
            await self._play_hand(self.table, work)

    async def _until(self, ready: Callable[[], bool]) -> None:
        while not ready():
            self._changed.clear()
            await self._changed.wait()

    async def _play_hand(self, table: Table, work: Work) -> None:
        table.deal()
        self._say(f"Hand {table.number}.")
        self._collect()
        while table.actor is not None:
            seat = table.actor
            try:
                action = await self._decide(table, work)
            except PlayerFailed as failed:
                table.call_off()
                self.note = str(failed)
                self._collect()
                return
            table.play(seat, action)
            self._collect()
        await self._wait(PACES[self.speed][1])

    def _say(self, line: str) -> None:
        self._chat_count += 1
        self.chat.append((self._chat_count, line))

    async def _decide(self, table: Table, work: Work) -> Action:
        bot = table.bot_to_act
        if bot is None:
            return await self._ask_person(table)
        action = await self._ask_player(bot, asyncio.ensure_future(work(table.think)))
        await asyncio.sleep(PACES[self.speed][0])
        return action

    async def _ask_player(self, bot: Bot, answer: asyncio.Future[Action]) -> Action:
        """Wait for a player; when it takes too long the host may go on without it.

        Raises:
            PlayerFailed: it failed, or the host has gone on.
        """
        try:
            done, _ = await asyncio.wait([answer], timeout=PATIENCE_SECONDS)
            if not done:
                await self._lose_patience(bot, answer)
            return answer.result()
        finally:
            answer.cancel()

    async def _lose_patience(self, bot: Bot, answer: asyncio.Future[Action]) -> None:
        self.note = (
            f"The player {bot.name} has been thinking for {PATIENCE_SECONDS:g} seconds; "
            '"Next hand" calls this hand off.'
        )
        answer.add_done_callback(lambda _: self._changed.set())
        self.tell()
        await self._until(lambda: answer.done() or not self.note)
        if not answer.done():
            raise PlayerFailed(f"The player {bot.name} gave no answer.")
        self.note = ""

    async def _ask_person(self, table: Table) -> Action:
        """Wait for the person to act; the dealer acts for one who stays away from others."""
        self._turn = asyncio.get_running_loop().create_future()
        self.tell()
        try:
            while True:
                done, _ = await asyncio.wait([self._turn], timeout=AWAY_SECONDS)
                if done:
                    return self._turn.result()
                if self._is_missed(table):
                    return _passive(table)
        finally:
            self._turn = None

    def _is_missed(self, table: Table) -> bool:
        """Whether the seat to act has no page open while other people sit there."""
        present = {g.place for g in self.guests.values() if g.pages and g.place is not None}
        return table.actor not in present and bool(present)

    async def _wait(self, seconds: float) -> None:
        """Pause between hands, unless somebody wants to go on."""
        self._go_on.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._go_on.wait(), seconds)


def _passive(table: Table) -> Action:
    """The action that puts in least: a check, a fold, or the bring-in that is due."""
    offered = table.choices(table.actor or 0)
    return min(offered, key=lambda choice: (choice.chips, choice.action != Action.CHECK)).action
