"""The function behind `razz tournament`."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

from tyro.conf import arg

from agents.evaluation.asking import AgentFault
from agents.evaluation.cluster import Cluster, cluster_at
from agents.evaluation.estimators import named_estimators
from agents.evaluation.field import Field, TableKind, make_field
from agents.evaluation.plan import WorkerLost
from agents.evaluation.plots import draw_all, load_figure
from agents.evaluation.progress import terminal_progress
from agents.evaluation.report import markdown_table
from agents.evaluation.request import decks_for
from agents.evaluation.seating import Seatings
from agents.evaluation.standings import Standings
from agents.evaluation.statistics import load_scipy
from agents.evaluation.store import make_folder
from agents.evaluation.tournament import Tournament
from agents.evaluation.tournament_report import write_report
from agents.evaluation.tournament_tables import crosstable, heading, ranking
from agents.lock import locked
from agents.paths import refuse_url


def tournament(
    *,
    agents: Annotated[tuple[str, ...], arg(metavar="AGENT [AGENT ...]")],
    hands: Annotated[int, arg(metavar="N")] = 40_000,
    seats: int = 2,
    tables: TableKind = "copies",
    seatings: Seatings = "cyclic",
    seed: int = 0,
    rules: str = "full_tilt",
    stacks: int = 500,
    estimator: Annotated[str | None, arg(metavar="NAME")] = None,
    workers: int | None = None,
    ray: Annotated[str | None, arg(metavar="ADDRESS")] = None,
    out: Annotated[Path | None, arg(metavar="FOLDER")] = None,
    plots: bool = True,
) -> None:
    """Rate several players against each other: every line-up plays the same decks by duplicate.

    Prints ranking and crosstable in big bets per 100 hands (BB/100), and writes a report as JSON,
    CSV, Markdown, HTML and pictures. A tournament that is stopped goes on when the same command is
    given again, and ends in the same numbers.

    Args:
        agents: The players, such as "scripted:tight caller ppo:runs/quick/model.zip".
        hands: Hands of every line-up; rounded up to whole decks. More of them prolong an earlier
            tournament.
        seats: Players at a table, 2 to 8.
        tables: With more than two seats, each player against copies of each other one, or mixed
            tables at which every choice of different players sits.
        seatings: The orders in which a table plays every deck: its rotations, or all.
        seed: Decides the decks and all that the players leave to chance.
        rules: Name of the house rules.
        stacks: Chips of every player at the start of every hand.
        estimator: A better estimate of all results from the same hands: "aivat", or "aivat:FILE"
            with a value function of your own. Rankings and crosstable go by it.
        workers: Processes that play, 1 by default, or with --ray how many play at a
            time on the cluster, by default one on every processor; the results are the same for any
            number.
        ray: Play on the Ray cluster at this address, or with "local" on one of this machine.
        out: Folder of report and state; by default one in "tournaments" that is named by all that
            decides the results.
        plots: Draw pictures.

    Raises:
        ValueError: a number out of range, an unknown player or rules, or a folder that cannot be or
            that another tournament runs in.
        AgentFault: a player raised an exception or chose no legal action; what was played is kept.
    """
    load_scipy("stats")
    if plots:
        load_figure()
    estimators = named_estimators(estimator)
    field = make_field(agents, 2, seed, rules, stacks, seats, tables, seatings, estimators)
    field = field.prolonged(decks_for(hands, field.hands_per_deck))
    folder = out or Path("tournaments") / field.digest()
    refuse_url(folder, "--out")
    command = command_of(field, rules, hands, estimator)
    make_folder(folder)
    with locked(folder, "tournament"):
        played = Tournament(field, folder)
        _play(played, folder, 1 if workers is None else workers, cluster_at(ray, workers), command)
        standings = Standings(played)
        pictures = draw_all(standings, folder / "plots") if plots else []
        write_report(standings, folder, command, pictures=pictures)
    print(summary(standings))
    print(f"\nReport: {folder / 'report.html'}")


def command_of(field: Field, rules: str, hands: int, estimator: str | None = None) -> str:
    """The command that makes the same report anywhere."""
    words = ["razz", "tournament", "--agents", *field.names]
    words += ["--hands", str(hands), "--seats", str(field.num_players)]
    if not field.is_heads_up:
        words += ["--tables", field.tables, "--seatings", field.seatings]
    words += ["--seed", str(field.seed), "--rules", rules, "--stacks", str(field.stacks)]
    words += ["--estimator", estimator] if estimator else []
    return shlex.join(words)


def summary(standings: Standings) -> str:
    """What the terminal shows: what was played, ranking and crosstable."""
    parts = [ranking(standings), crosstable(standings)]
    tables = [markdown_table(part.header, part.rows) for part in parts]
    return "\n\n".join([heading(standings), *tables])


def _play(
    played: Tournament, folder: Path, workers: int, cluster: Cluster | None, command: str
) -> None:
    """Play what is left; if that ends early, say what is kept, and report it if it is enough."""
    if played.decks_done and not played.is_finished:
        print(f"Going on in {folder}: {_how_far(played)}.", file=sys.stderr)
    try:
        played.play(workers, terminal_progress(), cluster)
    except (AgentFault, WorkerLost, KeyboardInterrupt) as error:
        fault = error if isinstance(error, AgentFault) else None
        reported = played.common_decks >= 2
        if reported:
            write_report(Standings(played), folder, command, finished=False, fault=fault)
        told = f", and {folder / 'report.md'} tells how they ended" if reported else ""
        print(
            f"\nStopped: {_how_far(played)} are kept in {folder}{told}. The same command goes on "
            "from there.",
            file=sys.stderr,
        )
        raise


def _how_far(played: Tournament) -> str:
    return f"{played.decks_done:,} of {played.decks_in_all:,} decks"
