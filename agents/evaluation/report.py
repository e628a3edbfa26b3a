"""Ratings as text: a Markdown table that is aligned to be read as it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from agents.evaluation.result import Estimate, MatchResult
from agents.evaluation.sequences import FIRST_LOOK
from agents.evaluation.statistics import Interval
from razz_env.rules.house_rules import PRESETS, HouseRules

TOO_FEW_DECKS = (
    f"Fewer than {FIRST_LOOK:,} decks decide nothing: the intervals may be too narrow, and there "
    "is no anytime interval."
)
COLUMNS = ("opponent", "decks", "BB/100", "95 % interval")
ESTIMATE_COLUMNS = ("estimate", "BB/100", "mbb/hand", "std error", "95 % normal", "variance")


def rating_table(results: Sequence[MatchResult]) -> str:
    """A line for each match: opponent, decks, result in big bets per 100 hands, its interval.

    Args:
        results: the matches of one player, as from `rate`.
    """
    return markdown_table(COLUMNS, [_row(result) for result in results])


def rating_heading(result: MatchResult) -> str:
    """A sentence on what was played: players, hands, stakes, stacks, seed and time."""
    table = "heads-up" if result.num_players == 2 else f"{result.num_players} players"
    rules = result.rules
    stacks = "/".join(str(stack) for stack in dict.fromkeys(result.stacks))
    return (
        f"{result.agent} against {_others(result)}, {table}: {result.hands:,} hands "
        f"({result.decks:,} decks in {result.num_players} seats), "
        f"rules {preset_name(rules)}, {stakes_text(rules)}, "
        f"stacks {stacks}, seed {result.seed}, {result.seconds:.1f} s"
    )


def estimate_table(result: MatchResult) -> str:
    """A line for each estimate of one rating; "variance" is the share of that of single hands.

    mbb/hand are thousandths of a big bet a hand.
    """
    return markdown_table(
        ESTIMATE_COLUMNS, [_estimate_row(result, one) for one in result.estimates]
    )


def interval_notes(result: MatchResult) -> str:
    """Lines on the intervals beside the normal one: by the bootstrap, and the anytime interval."""
    bootstrap = f"95 % interval by the bootstrap over decks: {interval_text(result.bootstrap)}"
    anytime = result.estimates[-1].anytime(result.decks)
    if anytime is None:
        return f"{bootstrap}\n{TOO_FEW_DECKS}"
    note = "valid whenever the match is ended"
    if result.sequential:
        note += "; this one could end early, so the others are too narrow"
    which = f" of {result.estimates[-1].name}" if len(result.estimates) > 2 else ""
    return f"{bootstrap}\n95 % anytime interval{which}: {interval_text(anytime)} ({note})"


def interval_text(interval: Interval) -> str:
    """An interval with two decimals, "-0.12 to +1.50"."""
    return f"{interval.low:+.2f} to {interval.high:+.2f}"


def copies_text(name: str, count: int) -> str:
    """So many seats of one player, "5 x book"; the name alone for one."""
    return name if count == 1 else f"{count} x {name}"


def stakes_text(rules: HouseRules) -> str:
    """The stakes, "bets 20/40, ante 4, bring-in 5"."""
    bets = f"bets {rules.small_bet}/{rules.big_bet}"
    return f"{bets}, ante {rules.ante}, bring-in {rules.bring_in}"


def packages_text(packages: Mapping[str, str]) -> str:
    """Packages with their versions, "torch 2.13.0, numpy 2.4.6"."""
    return ", ".join(f"{name} {number}" for name, number in packages.items())


def preset_name(rules: HouseRules) -> str:
    """The preset that rules are, or the nearest one and the fields in which they differ."""
    own = asdict(rules)
    differing = {}
    for name in PRESETS:
        preset = asdict(HouseRules.preset(name))
        differing[name] = [key for key, value in own.items() if value != preset[key]]
    nearest = min(differing, key=lambda name: len(differing[name]))
    changes = ", ".join(f"{key}={own[key]}" for key in differing[nearest])
    return f"{nearest} with {changes}" if changes else nearest


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table of aligned columns: the first to the left, the others to the right."""
    lines = [[cell.replace("|", "\\|") for cell in line] for line in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    rule = "|".join(
        [":" + "-" * (widths[0] + 1), *("-" * (width + 1) + ":" for width in widths[1:])]
    )
    text = ["| " + " | ".join(_aligned(line, widths)) + " |" for line in lines]
    return "\n".join([text[0], f"|{rule}|", *text[1:]])


def _aligned(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
    return [line[0].ljust(widths[0]), *rest]


def _row(result: MatchResult) -> tuple[str, str, str, str]:
    return (
        _others(result),
        f"{result.decks:,}",
        f"{result.bb_per_100:+.2f}",
        interval_text(Interval(result.low, result.high)),
    )


def _estimate_row(result: MatchResult, estimate: Estimate) -> tuple[str, ...]:
    ratio = result.variance_ratio(estimate)
    return (
        estimate.name,
        f"{estimate.bb_per_100:+.2f}",
        f"{estimate.mbb_per_hand:+.1f}",
        f"{estimate.standard_error:.3f}",
        interval_text(estimate.normal),
        "none" if ratio is None else f"1/{ratio:.2f}",
    )


def _others(result: MatchResult) -> str:
    return copies_text(result.opponent, result.num_players - 1)
