"""The loop of `razz play`: one person and players, until the person leaves."""

from collections.abc import Callable

from agents.play.screen import HELP, Screen
from agents.table.choices import BadChoice, read_choice, shortened
from agents.table.hints import AdviserFailed
from agents.table.session import Table
from razz_env.envs.agent import Agent
from razz_env.history.story import tell


class Leave(Exception):
    """The person leaves the table."""


class Game:
    """A person at a table in a terminal."""

    def __init__(self, table: Table, seat: int, screen: Screen, adviser: Agent | None) -> None:
        """`seat` is the person's; `adviser` is asked for hints, None for none."""
        self.table, self.seat, self.screen, self.adviser = table, seat, screen, adviser
        self._auto_muck = True

    def run(self, hands: int | None) -> None:
        """Play so many hands, or until the person leaves.

        Raises:
            Leave: the person leaves or the input has ended.
            PlayerFailed: a player failed.
        """
        while hands is None or self.table.score.hands < hands:
            self._play_hand()

    def _play_hand(self) -> None:
        self.table.deal()
        self.screen.say("")
        self.screen.say(f"Hand {self.table.number}", "bold underline")
        self.table.play_out()
        while self.table.in_play:
            self._decide()
            self.table.play_out()
        self.screen.news(self.table.news())
        self.screen.score(self.table.score)

    def _decide(self) -> None:
        """Ask until there is a legal action, and play it."""
        self.screen.news(self.table.news())
        self.screen.table(self.table.view(self.seat))
        offered = self.table.choices(self.seat)
        while True:
            typed = self._ask()
            if self._serve(typed):
                continue
            try:
                choice = read_choice(typed, offered)
            except BadChoice as bad:
                self.screen.say(str(bad), "yellow")
                continue
            self.table.play(self.seat, choice.action)
            return

    def _ask(self) -> str:
        try:
            return self.screen.prompt(self.table.choices(self.seat))
        except EOFError:
            raise Leave from None

    def _serve(self, typed: str) -> bool:
        """Do what is no action: help, hints, history; False if it is to be read as an action."""
        word, _, rest = typed.strip().lower().partition(" ")
        if word in ("q", "quit", "leave", "exit"):
            raise Leave
        services: dict[str, Callable[[], None]] = {
            "": lambda: None,
            "?": lambda: self.screen.say(HELP),
            "help": lambda: self.screen.say(HELP),
            "h": self._hint,
            "hint": self._hint,
            "s": lambda: self.screen.score(self.table.score),
            "score": lambda: self.screen.score(self.table.score),
            "m": self._switch_auto_muck,
            "l": lambda: self._look_up(rest),
            "last": lambda: self._look_up(rest),
            "undo": lambda: self.screen.say("There is no undo at a table.", "yellow"),
        }
        if word not in services:
            return False
        services[word]()
        return True

    def _hint(self) -> None:
        try:
            lines = self.table.hint(self.seat, self.adviser).lines()
        except AdviserFailed as failed:
            self.screen.say(str(failed), "yellow")
            return
        for line in lines:
            self.screen.say(f"  {line}", "green")

    def _switch_auto_muck(self) -> None:
        self._auto_muck = not self._auto_muck
        self.table.auto_muck(self.seat, self._auto_muck)
        state = "on: your beaten hands stay unseen" if self._auto_muck else "off: you show them"
        self.screen.say(f"Auto-muck is {state}.")

    def _look_up(self, number: str) -> None:
        """The list of the last hands, or one of them street by street."""
        if not number:
            self.screen.hands(self.table.history, self.table.rules.big_bet)
            return
        found = [hand for hand in self.table.history if str(hand.number) == number]
        if not found:
            kept = [hand.number for hand in self.table.history]
            known = f"those kept are {kept[0]} to {kept[-1]}" if kept else "none is over yet"
            self.screen.say(f"There is no hand {shortened(number)} to look up; {known}.", "yellow")
            return
        for line in tell(found[0].seen_by(self.seat))[0]:
            self.screen.say(line)
