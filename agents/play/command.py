"""The function behind `razz play`. It plays, and returns an exit status."""

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import cycle, islice
from pathlib import Path

from rich.console import Console

from agents.play.game import Game, Leave
from agents.play.saving import SessionFile
from agents.play.screen import Screen
from agents.table.session import Person, PlayerFailed, Table
from razz_env.envs.opponents import resolve_agent


class Ended(KeyboardInterrupt):
    """The process is told to end; unlike an `Exception` nothing takes it for a player's failure."""

    def __init__(self, number: int) -> None:
        """`number` is that of the signal."""
        super().__init__()
        self.number = number


DEFAULT_OPPONENTS = ("book", "scripted:tight", "scripted:loose")


def play_command(
    *,
    opponents: tuple[str, ...] = DEFAULT_OPPONENTS,
    seats: int = 6,
    seat: int = 0,
    name: str = "Hero",
    rules: str = "full_tilt",
    stacks: int = 500,
    carry: bool = False,
    seed: int | None = None,
    hands: int | None = None,
    adviser: str = "book",
    save: Path | None = None,
) -> int:
    """Sit down at a table of Razz against players, in the terminal.

    Args:
        opponents: Who sits at the other seats, in their order, again from the first if there are
            more seats.
        seats: Seats of the table, 2 to 8.
        seat: Yours, from 0, left of the fixed button.
        name: How the dealer calls you.
        rules: Preset of the house rules and stakes, such as pokerstars.
        stacks: Chips that everyone starts every hand with.
        carry: Let the stacks go on from hand to hand; who is broke buys in again.
        seed: The same seed deals the same hands; by default other ones each time.
        hands: Leave after so many hands; by default when you want.
        adviser: The player that hints ask.
        save: File for the hands as you saw them, ending in .phhs (PHH) or .jsonl.

    Returns:
        0 when you left, 1 when a player failed, 128 and the number of the signal that ended it:
        130 after Ctrl-C, 129 when the terminal's window was closed.

    Raises:
        ValueError: seats, players or rules that cannot be.
    """
    if not 2 <= seats <= 8 or not 0 <= seat < seats:
        raise ValueError(
            f"A table has 2 to 8 seats, and yours is one of them, from 0: not {seat} of {seats}."
        )
    if not opponents:
        raise ValueError("Name at least one opponent, such as --opponents book.")
    if hands is not None and hands < 1:
        raise ValueError(f"--hands {hands}: play at least one hand, or leave it out.")
    if not name.strip():
        raise ValueError("--name must say something: it is how the dealer calls you.")
    others = list(islice(cycle(opponents), seats - 1))
    console = Console(highlight=False)
    with _handlers_kept(), SessionFile(save, seat) if save else nullcontext() as file:
        table = Table(
            [*others[:seat], Person(name), *others[seat:]],
            rules,
            stacks,
            seed,
            carry=carry,
            on_finished=file.add if file else None,
        )
        screen = Screen(console, table.names)
        status = _play(Game(table, seat, screen, resolve_agent(adviser)), hands)
    if file:
        _report(file, screen)
    return status


def _play(game: Game, hands: int | None) -> int:
    """Play until the person leaves or the process is told to end; the exit status."""
    try:
        with _ended_by_signals():
            return _play_on(game, hands)
    except Ended as ended:
        game.screen.console.quiet = True  # the terminal may be gone
        return 128 + ended.number


def _play_on(game: Game, hands: int | None) -> int:
    screen, status = game.screen, 0
    screen.say("Razz: the lowest hand wins. Type ? for help, q to leave.")
    try:
        game.run(hands)
    except Leave:
        screen.say("You leave the table.")
    except Ended:
        raise
    except KeyboardInterrupt:
        screen.say("\nYou leave the table.")
        status = 130
    except PlayerFailed as failed:
        screen.say(f"{failed} Hand {game.table.number} is called off.", "red")
        status = 1
    if game.table.score.hands:
        screen.score(game.table.score)
    return status


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Whatever signals do inside, afterwards they do what they did before."""
    before = {number: signal.getsignal(number) for number in [*_ending_signals(), signal.SIGINT]}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Inside, a closed window (SIGHUP) or SIGTERM ends the game as Ctrl-C does: hands are kept.

    From the first of them on, and after the game, no other one does anything: the hands are being
    saved. That holds until `_handlers_kept` ends.
    """
    numbers = _ending_signals()

    def end(number: int, _frame: object) -> None:
        _silence(numbers)
        raise Ended(number)

    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        _silence([*numbers, signal.SIGINT])


def _ending_signals() -> list[int]:
    """Those that would end this process; under nohup SIGHUP does not."""
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in known if signal.getsignal(number) != signal.SIG_IGN]


def _silence(numbers: Iterable[int]) -> None:
    """Let signals do nothing; SIG_IGN would complain of one that came together with another."""
    for number in numbers:
        signal.signal(number, lambda _number, _frame: None)


def _report(file: SessionFile, screen: Screen) -> None:
    screen.say(f"{file.count} hands saved.")
    if file.refused:
        count = len(file.refused)
        screen.say(f"{count} could not be saved, such as: {file.refused[0]}", "yellow")
