"""`Table`: people and players at one table, hand after hand. No interface, no waiting, no threads.

Whoever drives it deals, asks `think` for what a player does (which may take long and changes
nothing), and plays actions. The same seed deals the same hands, and players draw their randomness
from the seed, the hand and the seat, so a session depends on nothing but what people do.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from agents.table.choices import Choice, choices
from agents.table.dealer import Dealer
from agents.table.finished import FinishedHand
from agents.table.hints import Hint, hint
from agents.table.score import Score
from razz_env.envs.agent import Agent, PlayerError, forget, sizes_of
from razz_env.envs.opponents import OpponentError, ask, resolve_agent
from razz_env.history import HandRecord
from razz_env.history.record import check_full_game
from razz_env.observation import spec
from razz_env.render.making import hand_scene, seat_scene
from razz_env.render.scene import Scene
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import RulesLike, as_house_rules
from razz_env.rules.record import MUCKED, SHOWN, SeatView
from razz_env.rules.setup import check_seed, check_table, fresh_seed
from razz_env.rules.terms import Action

KEPT_HANDS = 50
_PLAYERS_RANDOMNESS = 1
"""Keeps the generators of players apart from anything else that is made from the seed."""


class PlayerFailed(PlayerError):
    """A player raised an error or chose no legal action; the hand can be called off."""


@dataclass(frozen=True)
class Person:
    """Somebody who is asked; `shows_losers` is auto-muck switched off."""

    name: str
    shows_losers: bool = False


@dataclass(frozen=True)
class Bot:
    """A player at a table, by the name it has there."""

    name: str
    agent: Agent


Seated = Person | Bot


def seat_all(seats: Sequence[Seated | Agent | str]) -> list[Seated]:
    """People and players with a name of their own each: "caller", "caller 2", ...

    Raises:
        ValueError: a player that does not exist, or that plays only at tables of another size.
        ModuleNotFoundError: a player that needs a package which is not installed.
    """
    made: list[Seated] = []
    for seat in seats:
        who = seat if isinstance(seat, Person | Bot) else _bot(resolve_agent(seat))
        made.append(replace(who, name=_free_name(who.name, [other.name for other in made])))
    check_sizes(made)
    return made


def check_sizes(seats: Sequence[Seated]) -> None:
    """Refuse a table at which a player cannot play.

    Raises:
        ValueError: a player that plays only at tables of another size.
    """
    for one in seats:
        _check_size(one, len(seats))


def _bot(agent: Agent) -> Bot:
    return Bot(agent.name, agent)


def _free_name(wanted: str, taken: Sequence[str]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def _check_size(seated: Seated, seats: int) -> None:
    if not isinstance(seated, Bot):
        return
    sizes = sizes_of(seated.agent)
    if sizes is not None and seats not in sizes:
        told = ", ".join(map(str, sizes))
        raise ValueError(
            f"The player {seated.agent.name!r} plays at tables of {told} seats, not of {seats}."
        )


class Table:
    """A table in play.

    Attributes:
        seats: who sits where, seat 0 left of the fixed button.
        rules: the house rules.
        hand: the hand in play or just finished; None before the first. It holds hidden cards:
            whatever leaves the table is made from `view`, `news` and `history`.
        number: of the hand in play, from 1; 0 before the first.
        score: the running score.
        history: the last 50 hands, the newest last.
    """

    def __init__(
        self,
        seats: Sequence[Seated | Agent | str],
        rules: RulesLike = "full_tilt",
        stacks: int = 500,
        seed: int | None = None,
        *,
        carry: bool = False,
        on_finished: Callable[[FinishedHand], None] | None = None,
    ) -> None:
        """Take the seats.

        Args:
            seats: a `Person`, a player, its name, or a `Bot` with a name of its own for each seat.
            rules: the house rules, of the full game.
            stacks: chips of every seat at the start of every hand.
            seed: of the deals and of the players' randomness; None draws one.
            carry: let stacks go from hand to hand instead; whoever cannot pay an ante and a
                bring-in any more buys in again for `stacks`.
            on_finished: called with every finished hand, such as to write it down.

        Raises:
            ValueError: rules, stacks, seed or players that cannot be, or stacks with which no hand
                has a decision.
            PlayerError: a player's `reset` raised an error.
        """
        self.seats = seat_all(seats)
        self.rules = as_house_rules(rules)
        self.stacks = [stacks] * len(self.seats)
        check_table(len(self.seats), self.rules, self.stacks)
        check_full_game(self.rules)
        self.hand: Hand | None = None
        self.number = 0
        self.score = Score(len(self.seats))
        self.history: deque[FinishedHand] = deque(maxlen=KEPT_HANDS)
        self._buy_in, self._carry = stacks, carry
        self._seed = fresh_seed() if seed is None else check_seed(seed)
        self._on_finished = on_finished
        self._layout = spec(len(self.seats))
        self._dealer = Dealer(self.names)
        self._extra_news: list[str] = []
        for bot in self.bots:
            forget(bot.agent)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats."""
        return tuple(seat.name for seat in self.seats)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The players, without the people."""
        return tuple(seat for seat in self.seats if isinstance(seat, Bot))

    @property
    def is_open(self) -> bool:
        """Whether only players sit here, so that spectators may see all cards."""
        return len(self.bots) == len(self.seats)

    @property
    def actor(self) -> int | None:
        """Seat to act; None between hands."""
        return self.hand.actor if self.hand else None

    @property
    def bot_to_act(self) -> Bot | None:
        """The player whose turn it is; None if it is a person's or nobody's."""
        seated = None if self.actor is None else self.seats[self.actor]
        return seated if isinstance(seated, Bot) else None

    @property
    def in_play(self) -> bool:
        """Whether a hand is going on."""
        return self.hand is not None and not self.hand.is_over

    def deal(self) -> Hand:
        """Deal the next hand.

        Raises:
            RuntimeError: the hand before is not over.
        """
        if self.in_play:
            raise RuntimeError(f"Hand {self.number} is not over: play it out or call it off.")
        hand = Hand.deal(
            len(self.seats), self.rules, self._next_stacks(), self._seed, index=self.number
        )
        self.hand, self.number = hand, self.number + 1
        self._dealer, self._extra_news = Dealer(self.names), []
        return hand

    def _next_stacks(self) -> list[int]:
        if not self._carry:
            return self.stacks
        least = self.rules.ante + self.rules.bring_in
        self.stacks = [self._buy_in if chips < least else chips for chips in self.stacks]
        return self.stacks

    def think(self) -> Action:
        """What the player to act does; nothing changes, so it may run beside other work.

        Raises:
            PlayerFailed: it raised an error or chose no legal action.
            RuntimeError: no player is to act.
        """
        bot, hand = self.bot_to_act, self.hand
        if bot is None or hand is None:
            raise RuntimeError("No player is to act.")
        decision = int(hand.record.public.log_length)
        rng = np.random.default_rng([self._seed, _PLAYERS_RANDOMNESS, self.number, decision])
        try:
            return ask(bot.agent, hand, self._layout, rng)
        except OpponentError as error:
            raise PlayerFailed(str(error)) from error

    def play(self, seat: int, action: Action) -> None:
        """Play an action for the seat whose turn it is.

        Raises:
            ValueError: another seat's turn, or an illegal action; nothing changes.
        """
        if self.hand is None or self.hand.actor != seat:
            raise ValueError(f"It is not the turn of {self.names[seat]}.")
        self.hand.apply(action)
        if self.hand.is_over:
            self._finish(self.hand)

    def call_off(self) -> None:
        """End the hand in play without a result: every seat keeps what it had."""
        if self.in_play:
            self.hand = None
            self._extra_news.append(f"Hand {self.number} is called off; all chips go back.")

    def play_out(self) -> None:
        """Let the players go on until a person is to act or the hand is over."""
        while (seat := self.actor) is not None and isinstance(self.seats[seat], Bot):
            self.play(seat, self.think())

    # ---- what is told

    def view(self, seat: int) -> SeatView:
        """What a seat may know of the hand.

        Raises:
            RuntimeError: nothing has been dealt.
        """
        if self.hand is None:
            raise RuntimeError("Nothing has been dealt yet.")
        return self.hand.view(seat)

    def scene(self, seat: int | None) -> Scene:
        """The table as a seat sees it, or a spectator (None), who sees all cards if only bots play.

        Raises:
            RuntimeError: nothing has been dealt.
        """
        if self.hand is None:
            raise RuntimeError("Nothing has been dealt yet.")
        if seat is None:
            return hand_scene(self.hand, self.names, open_cards=self.is_open)
        return seat_scene(self.hand.view(seat), self.names)

    def choices(self, seat: int) -> tuple[Choice, ...]:
        """The legal actions of a seat; none unless it is its turn."""
        return choices(self.view(seat)) if self.hand else ()

    def news(self) -> list[str]:
        """The dealer's announcements about this hand since the last time."""
        said = self._dealer.news(self.hand) if self.hand else []
        extra, self._extra_news = self._extra_news, []
        return [*said, *extra]

    def hint(self, seat: int, adviser: Agent | None = None) -> Hint:
        """A hint for the seat to act; see `agents.table.hints.hint`."""
        return hint(self.view(seat), adviser)

    def auto_muck(self, seat: int, on: bool) -> None:
        """Whether a person's beaten hands are mucked unseen; on unless told otherwise."""
        self.seats[seat] = Person(self.names[seat], shows_losers=not on)

    # ---- the end of a hand

    def _finish(self, hand: Hand) -> None:
        for seat, seated in enumerate(self.seats):
            if isinstance(seated, Person) and seated.shows_losers:
                self._show(hand, seat)
        net = tuple(hand.payoffs.tolist())
        record = HandRecord.from_hand(
            hand, names=list(self.names), hand_id=str(self.number), max_seats=len(self.seats)
        )
        finished = FinishedHand(self.number, record, net)
        if self._carry:
            self.stacks = hand.stacks.tolist()
        self.score.add(net, self.rules.big_bet)
        self.history.append(finished)
        if self._on_finished:
            self._on_finished(finished)

    def _show(self, hand: Hand, seat: int) -> None:
        """Turn over a hand that the engine mucked, because its owner wants to show it."""
        public = hand.record.public
        if public.shown[seat] != MUCKED:
            return
        public.shown[seat] = SHOWN
        public.shown_down[seat] = hand.record.down[seat]
        low = next(shown.low for shown in hand.showdown if shown.seat == seat)
        self._extra_news.append(f"{self.names[seat]} shows the losing hand: {low.name}.")
