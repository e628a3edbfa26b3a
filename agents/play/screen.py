"""What the terminal shows: the table as a seat sees it, prompts, score and help."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from agents.table.choices import Choice
from agents.table.finished import FinishedHand
from agents.table.score import Score
from razz_env.rules.cards import NO_CARD, format_card
from razz_env.rules.record import SeatView
from razz_env.rules.terms import Street

_SUIT_STYLES = ("green", "bright_blue", "red", "bold")
"""Clubs, diamonds, hearts, spades: four colours, which nothing depends on."""

HELP = """Type the key in brackets, or the word, and Enter; in fixed limit no number is needed.
  h        a hint: your equity, the pot odds, what the adviser would do
  l        the last 50 hands; l 12 tells hand 12 again, with all that reached the showdown
  s        the score in big bets (BB)
  m        auto-muck: whether your beaten hands stay unseen
  q        leave the table (so do Ctrl-D and Ctrl-C)
The lowest hand wins: the best five of your seven cards, aces low; straights and flushes do not
count. The highest door card brings in; later the lowest board acts first. The button is fixed
beside the last seat. There is no undo."""


class Screen:
    """Prints to a rich console; without a terminal it is plain text."""

    def __init__(self, console: Console, names: Sequence[str]) -> None:
        """`names`: one for each seat."""
        self.console = console
        self.names = names

    def say(self, line: str, style: str = "") -> None:
        """A line as it is, but for signs that would command the terminal."""
        plain = "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in line)
        self.console.print(plain, style=style, markup=False, highlight=False, soft_wrap=True)

    def news(self, lines: Iterable[str]) -> None:
        """The dealer's announcements."""
        for line in lines:
            self.say(f"  {line}", "bold" if " wins " in line or " splits " in line else "")

    def table(self, view: SeatView) -> None:
        """The table as one seat sees it."""
        public = view.public
        title = f"{Street(public.street).name.capitalize()} street, pot {public.total_chips.sum()}"
        self.say("")
        self.say(title, "bold")
        grid = Grid(box=None, show_header=False, padding=(0, 2, 0, 0))
        for side in ("left", "left", "right", "left"):
            grid.add_column(justify=side)
        for seat in range(public.num_seats):
            grid.add_row(*self._row(view, seat))
        self.console.print(grid)
        if public.community != NO_CARD:
            self.console.print(Text("  everyone's seventh card: ") + _card(public.community))

    def _row(self, view: SeatView, seat: int) -> list[Text]:
        public = view.public
        style = "" if public.live[seat] else "dim"
        button = " (button)" if seat == public.num_seats - 1 else ""
        mark = ">" if seat == public.actor else " "
        wager = f"in {public.street_chips[seat]}" if public.street_chips[seat] else ""
        return [
            Text(f"{mark} {self.names[seat]}{button}", style),
            _cards(view, seat),
            Text(f"{public.stack[seat]}", style),
            Text(f"{wager} {_standing(public, seat)}".strip(), style),
        ]

    def prompt(self, offered: Sequence[Choice]) -> str:
        """Ask for a line; the legal actions and nothing else are offered.

        Raises:
            EOFError: the input has ended.
        """
        text = Text("Your turn: ", "bold")
        for choice in offered:
            all_in = " (all-in)" if choice.all_in else ""
            text += Text(f"[{choice.key}] ", "bold cyan") + Text(f"{choice.label}{all_in}   ")
        self.console.print(text + Text("[?] help", "dim"), soft_wrap=True)
        try:
            typed = self.console.input(Text("> "))
        except EOFError:
            if self.console.is_terminal:
                self.say("")  # Ctrl-D leaves the cursor behind the prompt
            raise
        if not self.console.is_terminal:  # nobody sees what a pipe types
            self.say(typed)
        return typed

    def score(self, score: Score) -> None:
        """The running score of every seat, in big bets."""
        parts = [f"{n} {bb:+.1f}" for n, bb in zip(self.names, score.net_big_bets, strict=True)]
        hands = "hand" if score.hands == 1 else "hands"
        self.say(f"After {score.hands} {hands}, in BB: {', '.join(parts)}", "cyan")

    def hands(self, history: Iterable[FinishedHand], big_bet: int) -> None:
        """A line for each of the last hands."""
        for hand in history:
            shown = ", ".join(showing.low for showing in hand.record.showings if showing.low)
            won = hand.won(self.names, big_bet)
            self.say(f"  {hand.number:>4}  {won}  {shown}".rstrip())


def _cards(view: SeatView, seat: int) -> Text:
    """Down cards in brackets where they are known, up cards, the seventh."""
    public = view.public
    down = view.down if seat == view.seat else public.shown_down[seat]
    seventh = public.live[seat] and public.street == Street.SEVENTH and public.community < 0
    text = Text("[") + _card(down[0]) + " " + _card(down[1]) + "]"
    for card in public.up[seat]:
        if card != NO_CARD:
            text += Text(" ") + _card(card)
    if seventh or down[2] != NO_CARD:
        text += Text(" [") + _card(down[2]) + "]"
    if not public.live[seat]:
        text.stylize("dim")
    return text


def _card(card: Any) -> Text:
    style = "" if card == NO_CARD else _SUIT_STYLES[card % 4]
    return Text(format_card(int(card)), style)


def _standing(public: Any, seat: int) -> str:
    if not public.live[seat]:
        return "folded"
    return "all-in" if not public.over and not public.stack[seat] else ""
