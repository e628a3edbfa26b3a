"""The function behind `razz swings A B`. It prints, and returns an exit status."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from agents.evaluation.progress import terminal_progress
from agents.evaluation.report import markdown_table, rating_heading
from agents.evaluation.request import MatchRequest
from agents.evaluation.swings import Side, Swing, SwingHand, check_top, find_swings
from agents.paths import refuse_players
from razz_env.history import Format, HistoryError
from razz_env.history.writing import HistoryWriter
from razz_env.rules.house_rules import as_house_rules

NOT_ALL = 1
"""Exit status if some hand could not be written."""


def swings(
    agent: Annotated[str, arg(metavar="AGENT")],
    opponent: Annotated[str, arg(metavar="OPPONENT")],
    /,
    *,
    hands: Annotated[int, arg(metavar="N")] = 40_000,
    top: int = 20,
    side: Side = "both",
    out: Annotated[Path | None, arg(metavar="FILE")] = None,
    to: Format | None = None,
    seed: int = 0,
    rules: str = "full_tilt",
    stacks: int = 500,
    players: int = 2,
    workers: int = 1,
) -> int:
    """List the decks of a match with the biggest swings between two players, and save their hands.

    Every deck is played once in every seat with the same cards, so what it comes to is the work of
    the players. The saved hands carry their names and can be looked at with `razz replay`.

    Args:
        agent: The player whose result is told, such as "scripted:tight".
        opponent: The player in all other seats.
        hands: Hands to play; rounded up to whole decks.
        top: How many decks to list and save.
        side: Those of either sign, or only those that the first player won or lost.
        out: File for the hands; .phhs, .json and .jsonl tell the format.
        to: The format: phh, pokerstars, fulltilt or json. PHH holds hands that PokerKit's rules
            would play alike, json all; the text of a room is for hands by its --rules.
        seed: Decides the decks and all that the players leave to chance.
        rules: Name of the house rules.
        stacks: Chips of every player at the start of every hand.
        players: Number of seats, 2 to 8: the first player and copies of its opponent.
        workers: Processes that play; the result is the same for any number.

    Returns:
        0; 1 if the format cannot hold some hand, which is named.

    Raises:
        ValueError: a number out of range, an unknown player or rules, a format that is not told, or
            a file with the ending of a player's.
        OSError: a file that cannot be written.
        AgentFault: a player raised an exception or chose no legal action.
    """
    check_top(top)
    if out is not None:
        refuse_players(out, "--out", ".phhs")
    request = MatchRequest(agent, opponent, hands, seed, rules, stacks, players)
    match = request.match()
    with nullcontext() if out is None else _writer(out, to) as writer:
        match.play(workers, terminal_progress())
        found = find_swings(match, top, side)
        refused = [] if writer is None else _write(writer, found)
    print(f"{rating_heading(match.result())}\n\n{swing_table(found, request)}")
    if writer is not None and writer.count:
        print(f"\n{writer.count} hands are written: razz replay {writer.path}")
    for sentence in refused:
        print(sentence, file=sys.stderr)
    return NOT_ALL if refused else 0


def swing_table(found: Sequence[Swing], request: MatchRequest) -> str:
    """A line for each deck: what the first player won, in big bets, in all and seat by seat."""
    big_bet = as_house_rules(request.rules).big_bet
    rows = [
        (
            str(swing.deck),
            f"{swing.net_chips / big_bet:+.2f}",
            *(f"{hand.net_chips / big_bet:+.2f}" for hand in by_seat(swing.hands)),
            ", ".join(str(hand.number) for hand in by_seat(swing.hands)),
        )
        for swing in found
    ]
    seats = [f"in seat {seat}" for seat in range(request.players)]
    table = markdown_table(("deck", "big bets", *seats, "hands"), rows)
    return (
        f"What {request.agent} won with each deck, in big bets (not per 100 hands):\n\n{table}"
        if rows
        else "There are no swings: every deck came out even."
    )


def by_seat(hands: Sequence[SwingHand]) -> list[SwingHand]:
    """The hands of a deck in the order of the first player's seats."""
    return sorted(hands, key=lambda hand: hand.seat)


def _writer(out: Path, to: Format | None) -> HistoryWriter:
    if to in (None, "phh") and out.suffix.lower() == ".phh":
        raise ValueError(f"A .phh file holds one hand: name {out.with_suffix('.phhs')} for more.")
    return HistoryWriter(out, to)


def _write(writer: HistoryWriter, found: Sequence[Swing]) -> list[str]:
    """Write all hands that the format can hold; sentences on the others."""
    refused = []
    for hand in (hand for swing in found for hand in swing.hands):
        try:
            writer.write(hand.record.completed())
        except HistoryError as error:
            refused.append(f"Hand {hand.number} is left out: {error}")
    return refused
