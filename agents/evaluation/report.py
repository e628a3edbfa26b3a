"""Ratings as text: a Markdown table that is aligned to be read as it stands."""

from collections.abc import Sequence

from agents.evaluation.match import MatchResult

COLUMNS = ("opponent", "decks", "BB/100", "95 % interval")


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
        f"bets {rules.small_bet}/{rules.big_bet}, ante {rules.ante}, bring-in {rules.bring_in}, "
        f"stacks {stacks}, seed {result.seed}, {result.seconds:.1f} s"
    )


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table of aligned columns: the first to the left, the others to the right."""
    lines = [tuple(header), *(tuple(row) for row in rows)]
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
        f"{result.low:+.2f} to {result.high:+.2f}",
    )


def _others(result: MatchResult) -> str:
    copies = result.num_players - 1
    return result.opponent if copies == 1 else f"{copies} x {result.opponent}"
