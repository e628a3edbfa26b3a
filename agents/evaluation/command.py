"""The function behind `razz evaluate A B`. It prints, and returns an exit status."""

import sys
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from agents.evaluation.asking import AgentFault
from agents.evaluation.cluster import Cluster, cluster_at
from agents.evaluation.match import Match
from agents.evaluation.match_report import MatchReport
from agents.evaluation.plan import WorkerLost
from agents.evaluation.progress import terminal_progress
from agents.evaluation.report import (
    estimate_table,
    interval_notes,
    rating_heading,
    rating_table,
)
from agents.evaluation.request import MatchRequest
from agents.evaluation.result import MatchResult
from agents.evaluation.statistics import load_scipy
from agents.evaluation.verify import verify as make_again
from agents.paths import check_file


def evaluate(
    agent: Annotated[str | None, arg(metavar="AGENT")] = None,
    opponent: Annotated[str | None, arg(metavar="OPPONENT")] = None,
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
    workers: int | None = None,
    ray: Annotated[str | None, arg(metavar="ADDRESS")] = None,
    json: Annotated[Path | None, arg(metavar="FILE")] = None,
    verify: Annotated[Path | None, arg(metavar="REPORT")] = None,
) -> int:
    """Rate a player against another by duplicate: every deck is played once in every seat.

    Prints the result in big bets per 100 hands (BB/100) with its 95 % interval over decks. Ctrl-C
    ends the match with the result so far.

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
        workers: Processes that play, 1 by default, or with --ray how many play at a
            time on the cluster, by default one on every processor; the result is the same for any
            number.
        ray: Play on the Ray cluster at this address, or with "local" on one of this machine.
        json: Write a report to this file, also of a match that is stopped.
        verify: Make a JSON report of `razz evaluate` or `razz tournament` again, compare, and name
            the first difference. It takes no other options but --workers and --ray.

    Returns:
        0; 1 where a report does not come out the same again.

    Raises:
        ValueError: a number out of range, an unknown player or rules, or a file that cannot be.
        AgentFault: a player raised an exception or chose no legal action.
    """
    load_scipy("stats")
    if verify is not None:
        _refuse_players(agent)
        return _print_verdict(verify, 1 if workers is None else workers, cluster_at(ray, workers))
    if agent is None or opponent is None:
        raise ValueError("Name two players, such as: razz evaluate scripted:tight scripted:loose")
    request = MatchRequest(
        agent, opponent, hands, seed, rules, stacks, players, until, until_decided, estimator
    )
    match = request.match()
    check_file(json)
    report = MatchReport(request, match, json)
    _play(match, report, 1 if workers is None else workers, cluster_at(ray, workers), json)
    try:
        report.write(finished=True)
    finally:
        _print_result(match.result())
    return 0


def _play(
    match: Match,
    report: MatchReport,
    workers: int,
    cluster: Cluster | None,
    file: Path | None,
) -> None:
    """Play to the end; if it ends early, tell and keep what was played."""
    try:
        match.play(workers, report.kept_by(terminal_progress()), cluster)
    except (AgentFault, WorkerLost, KeyboardInterrupt) as error:
        if match.decks_done >= 2:
            _print_result(match.result())
        kept = f", and {file} tells so" if file is not None else ""
        try:
            report.write(finished=False, fault=error if isinstance(error, AgentFault) else None)
        except ValueError as unwritten:
            kept = f". {unwritten}".removesuffix(".")
        print(
            f"\nStopped: {match.decks_done:,} of {match.decks:,} decks were played{kept}.",
            file=sys.stderr,
        )
        raise


def _print_result(result: MatchResult) -> None:
    print(f"{rating_heading(result)}\n\n{rating_table([result])}")
    print(f"\n{estimate_table(result)}\n\n{interval_notes(result)}")


def _print_verdict(path: Path, workers: int, cluster: Cluster | None) -> int:
    def announce(hands: int) -> None:
        print(f"{hands:,} hands of {path} are played again.", flush=True)

    verdict = make_again(path, workers, terminal_progress(), cluster, announce)
    for note in verdict.notes:
        print(f"note: {note}")
    if verdict.difference is not None:
        print(f"{path} does not come out the same: {verdict.difference}.")
        return 1
    print(f"{path} comes out the same: {verdict.decks:,} decks were played again.")
    return 0


def _refuse_players(agent: str | None) -> None:
    if agent is not None:
        raise ValueError(f"A report says itself who played: leave out {agent!r} beside --verify.")
