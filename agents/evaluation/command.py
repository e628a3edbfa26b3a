"""The function behind `razz evaluate A B`."""

import json as json_format
import sys
from pathlib import Path

from agents.evaluation.match import MatchResult, Progress, play_match
from agents.evaluation.report import rating_heading, rating_table
from razz_env.rules.house_rules import as_house_rules, check_table_size


def evaluate(
    agent: str,
    opponent: str,
    /,
    *,
    hands: int = 40_000,
    seed: int = 0,
    rules: str = "full_tilt",
    stacks: int = 500,
    players: int = 2,
    json: Path | None = None,
) -> None:
    """Rate a player against another by duplicate: every deck is played once in every seat.

    Prints the result in big bets per 100 hands (BB/100) with its 95 % interval over decks.

    Args:
        agent: The player to rate, such as "ppo:runs/quick/model.zip" or "scripted:tight".
        opponent: The player in all other seats.
        hands: Hands to play. Every deck takes as many hands as there are players, so the number is
            rounded up to a whole number of decks.
        seed: Decides the decks and all that the players leave to chance.
        rules: Name of the house rules.
        stacks: Chips of every player at the start of every hand.
        players: Number of seats, 2 to 8: the rated player and copies of its opponent.
        json: Write the result to this file too.

    Raises:
        ValueError: a number out of range, an unknown player or rules, or a file that cannot be.
        AgentFault: a player raised an exception or chose no legal action.
    """
    check_table_size(as_house_rules(rules), players)
    decks = decks_for(hands, players)
    _check_file(json)
    result = play_match(agent, opponent, decks, seed, rules, stacks, players, _progress())
    print(f"{rating_heading(result)}\n\n{rating_table([result])}")
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
    matches = [result.to_dict() for result in results]
    path.write_text(json_format.dumps({"matches": matches}, indent=2) + "\n")


def _check_file(path: Path | None) -> None:
    """Refuse before the match what could not be written after it."""
    if path is not None and not path.parent.is_dir():
        raise ValueError(f"There is no folder {str(path.parent)!r} to write {path.name!r} to.")
    if path is not None and path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder; name a file for the JSON.")


def _progress() -> Progress | None:
    """A line on the terminal that counts the decks; nothing where errors go to a file."""
    return _show_progress if sys.stderr.isatty() else None


def _show_progress(done: int, total: int) -> None:
    end = "\r" if done < total else "\r\033[K"
    print(f"{done:,} of {total:,} decks", end=end, file=sys.stderr, flush=True)
