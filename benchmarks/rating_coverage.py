"""How often the 95 % intervals of small matches cover what the players win in the long run.

python -m benchmarks.rating_coverage [AGENT OPPONENT] [--matches 400] [--decks 1000] [--workers 2]
    [--aivat] [--raw] [--fixed]

Small matches of a fixed length are measured by the normal and the bootstrap interval over decks.
Matches that end early are measured by the anytime interval and, for comparison, by the normal one.
The long run is all decks that were played. With `--aivat` its estimates are measured too, against
the long run of their own, which is known best. With `--raw` single hands are measured instead:
every deck is played once only, the seats taken in turn, by one process. With `--fixed` only matches
of a fixed length are measured, cut from no more decks than they need.
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat import Aivat
from agents.evaluation.crew import Crew
from agents.evaluation.duplicate import DECKS_PER_BLOCK, Estimator
from agents.evaluation.match import Stopping
from agents.evaluation.plan import TablePlan, Task
from agents.evaluation.report import markdown_table
from agents.evaluation.sequences import FIRST_LOOK, anytime_errors
from agents.evaluation.statistics import Z_95, DeckSums, bootstrap_interval
from razz_env import HouseRules
from razz_env.envs.opponents import resolve_agent

Ints = NDArray[np.int64]

SEED = 1000


def main(words: Sequence[str] | None = None) -> int:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rating_coverage")
    parser.add_argument("agents", nargs="*", default=["scripted:tight", "scripted:loose"])
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--decks", type=int, default=1000)
    parser.add_argument("--blocks", type=int, default=8, help="longest of those that end early")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--aivat", action="store_true")
    parser.add_argument("--raw", action="store_true", help="single hands instead of duplicate")
    parser.add_argument("--fixed", action="store_true", help="no matches that end early")
    options = parser.parse_args(words)
    if len(options.agents) != 2 or not 2 <= options.decks <= DECKS_PER_BLOCK:
        parser.error(f"name two players, and 2 to {DECKS_PER_BLOCK} decks")
    estimators = (Aivat(),) if options.aivat else ()
    longest = options.decks if options.fixed else options.blocks * DECKS_PER_BLOCK
    blocks = -(-options.matches * longest // DECKS_PER_BLOCK)
    if options.raw:
        results = hand_results(options.agents, blocks)
    else:
        results = deck_results(options.agents, blocks, options.workers, estimators)
    rows = []
    for name, (decks, scale) in results.items():
        truth = float(decks.mean())
        matches = decks[: options.matches * longest].reshape(options.matches, longest)
        told = f"{' against '.join(options.agents)}, heads-up, {name}"
        print(f"{told}: long run {scale * truth:+.2f} BB/100")
        found = fixed_rows(matches[:, : options.decks], truth)
        found += [] if options.fixed else early_end_rows(matches, truth, scale)
        rows += [(name, *row) for row in found]
    print()
    print(markdown_table(("estimate", "match", "interval", "mean decks", "covers"), rows))
    return 0


def fixed_rows(matches: Ints, truth: float) -> list[tuple[str, ...]]:
    """Both intervals of matches of a fixed length."""
    return [fixed_row(matches, truth), bootstrap_row(matches, truth)]


def early_end_rows(matches: Ints, truth: float, scale: float) -> list[tuple[str, ...]]:
    """Matches that end early, in several ways."""
    rows = []
    for name, stopping in (
        ("half-width 6", Stopping(half_width=6.0)),
        ("half-width 10", Stopping(half_width=10.0)),
        ("decided", Stopping(decided=True)),
    ):
        rows += early_rows(name, stopping, matches, truth, scale)
    return rows


def deck_results(
    agents: Sequence[str],
    blocks: int,
    workers: int,
    estimators: tuple[Estimator, ...],
) -> dict[str, tuple[Ints, float]]:
    """By estimate, results int64[decks] of the first player, and what makes BB/100."""
    lineup = tuple(resolve_agent(agent) for agent in agents)
    plan = TablePlan(lineup, SEED, HouseRules(), 500, estimators=estimators)
    tasks = [Task(0, number, DECKS_PER_BLOCK) for number in range(blocks)]
    with Crew([plan], workers) as crew:
        played = [block for _, block in crew.play(tasks)]
    scale = 100 / (2 * HouseRules().big_bet)
    chips = np.concatenate([block.chips[:, 0] for block in played])
    results = {"duplicate": (chips, scale)}
    for one in estimators:
        values = np.concatenate([block.estimates[one.name][:, 0] for block in played])
        results[one.name] = values, scale / one.units_per_chip
    return results


def hand_results(agents: Sequence[str], blocks: int) -> dict[str, tuple[Ints, float]]:
    """The same of single hands: the first player sits in seat 0 and 1 in turn."""
    lineup = tuple(resolve_agent(agent) for agent in agents)
    tables = TablePlan(lineup, SEED, HouseRules(), 500).tables()
    played = []
    for block in range(blocks):
        both = [net[:, seating.index(0)] for seating, net in tables.play_seatings(block)]
        played.append(np.column_stack([both[0][::2], both[1][1::2]]).reshape(-1))
    return {"single hands": (np.concatenate(played), 100 / HouseRules().big_bet)}


def fixed_row(matches: Ints, truth: float) -> tuple[str, ...]:
    """The normal interval of matches of a fixed length."""
    means, errors = matches.mean(axis=1), matches.std(axis=1, ddof=1) / np.sqrt(matches.shape[1])
    covered = np.abs(means - truth) <= Z_95 * errors
    return "fixed", "normal", f"{matches.shape[1]:,}", share(covered.tolist())


def bootstrap_row(matches: Ints, truth: float) -> tuple[str, ...]:
    """The bootstrap interval of matches of a fixed length."""
    covered = []
    for seed, chips in enumerate(matches):
        low, high = bootstrap_interval(chips, 1.0, seed)
        covered.append(low <= truth <= high)
    return "fixed", "bootstrap", f"{matches.shape[1]:,}", share(covered)


def early_rows(
    name: str, stopping: Stopping, matches: Ints, truth: float, scale: float
) -> list[tuple[str, ...]]:
    """Both intervals of matches that end as `stopping` says."""
    ends = [sums_at_end(chips, stopping, scale) for chips in matches]
    decks = f"{np.mean([sums.decks for sums in ends]):,.0f}"
    rows = []
    for interval in ("anytime", "normal"):
        covered = []
        for sums in ends:
            errors = anytime_errors(sums.decks) if interval == "anytime" else Z_95
            covered.append(abs(sums.mean_chips - truth) <= errors * sums.standard_error_chips)
        rows.append((f"ends when {name}", interval, decks, share(covered)))
    return rows


def sums_at_end(chips: Ints, stopping: Stopping, scale: float) -> DeckSums:
    """The sums over the decks after which a match ends."""
    sums = DeckSums()
    for block in np.split(chips, len(chips) // FIRST_LOOK):
        sums += DeckSums.of(block)
        if stopping.ends(scale * sums.mean_chips, scale * sums.standard_error_chips, sums.decks):
            break
    return sums


def share(covered: Sequence[bool]) -> str:
    """In how many of the matches the interval covers, with a standard error."""
    part = float(np.mean(covered))
    error = np.sqrt(part * (1 - part) / len(covered))
    return f"{100 * part:.1f} % ± {100 * error:.1f}"


if __name__ == "__main__":
    raise SystemExit(main())
