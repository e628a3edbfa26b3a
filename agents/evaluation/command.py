"""The function behind `razz evaluate A B`."""

import json as json_format
import tempfile
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from agents.evaluation.estimators import named_estimators
from agents.evaluation.match import Stopping, play_match
from agents.evaluation.progress import terminal_progress
from agents.evaluation.report import (
    estimate_table,
    interval_notes,
    rating_heading,
    rating_table,
)
from agents.evaluation.result import MatchResult
from agents.evaluation.statistics import load_scipy
from razz_env.rules.house_rules import as_house_rules, check_table_size

DEFAULT_HANDS = 40_000
MOST_HANDS = 20_000_000
"""Played by a match that may end early, if `--hands` says no other number."""


def evaluate(
    agent: Annotated[str, arg(metavar="AGENT")],
    opponent: Annotated[str, arg(metavar="OPPONENT")],
    /,
    *,
    hands: Annotated[int | None, arg(metavar="N")] = None,
    seed: int = 0,
    rules: str = "full_tilt",
    stacks: int = 500,
    players: int = 2,
    until: Annotated[float | None, arg(metavar="BB")] = None,
    until_decided: bool = False,
    estimator: Annotated[str | None, arg(metavar="NAME")] = None,
    workers: int = 1,
    json: Annotated[Path | None, arg(metavar="FILE")] = None,
) -> None:
    """Rate a player against another by duplicate: every deck is played once in every seat.

    Prints the result in big bets per 100 hands (BB/100) with its 95 % interval over decks.

    Args:
        agent: The player to rate, such as "ppo:runs/quick/model.zip" or "scripted:tight".
        opponent: The player in all other seats.
        hands: Hands to play, 40,000 by default. Every deck takes as many hands as there are
            players, so the number is rounded up to a whole number of decks. With --until or
            --until-decided the most that are played, 20,000,000 by default.
        seed: Decides the decks and all that the players leave to chance.
        rules: Name of the house rules.
        stacks: Chips of every player at the start of every hand.
        players: Number of seats, 2 to 8: the rated player and copies of its opponent.
        until: End the match when the interval is the result plus and minus so many BB/100.
        until_decided: End the match when the interval does not hold 0.
        estimator: A better estimate of the result from the same hands: "aivat", or "aivat:FILE"
            with a value function of your own. --until and --until-decided go by it.
        workers: Processes that play; the result is the same for any number.
        json: Write the result to this file too.

    Raises:
        ValueError: a number out of range, an unknown player or rules, or a file that cannot be.
        AgentFault: a player raised an exception or chose no legal action.
    """
    stopping = Stopping(until, until_decided)
    check_table_size(as_house_rules(rules), players)
    if hands is None:
        hands = MOST_HANDS if stopping else DEFAULT_HANDS
    decks = decks_for(hands, players)
    check_file(json)
    estimators = named_estimators(estimator)
    load_scipy("stats")
    result = play_match(
        agent,
        opponent,
        decks,
        seed,
        rules,
        stacks,
        players,
        terminal_progress(),
        workers=workers,
        stopping=stopping,
        estimators=estimators,
    )
    print(f"{rating_heading(result)}\n\n{rating_table([result])}")
    print(f"\n{estimate_table(result)}\n\n{interval_notes(result)}")
    if json is not None:
        write_json(json, [result])


def decks_for(hands: int, players: int) -> int:
    """The number of decks for at least so many hands: each is played once in every seat.

    Raises:
        ValueError: fewer hands than two decks take.
    """
    if hands < 2 * players:
        raise ValueError(
            f"{hands} hands are too few: with {players} players a deck takes {players} hands, and "
            f"an interval needs two decks, so play at least {2 * players} hands."
        )
    return -(-hands // players)


def write_json(path: Path, results: list[MatchResult]) -> None:
    """Write matches to a file: `{"matches": [...]}`, each as `MatchResult.to_dict` gives it."""
    matches = [result.to_dict() | {"bootstrap": list(result.bootstrap)} for result in results]
    path.write_text(json_format.dumps({"matches": matches}, indent=2) + "\n")


def check_file(path: Path | None) -> None:
    """Refuse before the match what could not be written after it.

    Raises:
        ValueError: no folder, a folder instead of a file, or one that must not be written to.
    """
    if path is None:
        return
    if not path.parent.is_dir():
        raise ValueError(f"There is no folder {str(path.parent)!r} to write {path.name!r} to.")
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder; name a file for the JSON.")
    try:
        if path.exists():
            path.open("ab").close()
        else:
            tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
