"""Pictures of a tournament: crosstable, intervals, running means, styles."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.evaluation.sequences import FIRST_LOOK
from agents.evaluation.standings import Standings
from agents.evaluation.statistics import Z_95
from agents.evaluation.style import shares
from agents.extras import load_extra
from agents.whole_files import whole

PICTURES = ("crosstable", "intervals", "running", "style")
MARKS = ("3rd", "4th", "5th", "6th", "7th")
DOTS_PER_INCH = 110
_PALE = 1.35
"""Where the scale of colours ends, in shares of the largest result: its ends are too dark."""
_COLUMN_LETTERS = 13


def load_figure(
    needing: str = "Pictures need", way_out: str = "; or leave them out with --no-plots."
) -> Any:
    """Matplotlib's `Figure`, which draws without a screen and without global state.

    Args:
        needing: what cannot be had without it; the beginning of the error's sentence.
        way_out: what else could be done; the end of it.

    Raises:
        ModuleNotFoundError: with the pip command.
    """
    return load_extra("matplotlib.figure", needing, "report", way_out).Figure


def draw_all(standings: Standings, folder: Path) -> list[Path]:
    """Draw all pictures as PNG into a folder; their paths.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    folder.mkdir(exist_ok=True)
    paths = picture_paths(folder)
    for path, draw in zip(paths, (crosstable, intervals, running, style), strict=True):
        with whole(path) as part:
            figure = draw(standings)
            figure.savefig(part, dpi=DOTS_PER_INCH, format="png", metadata={"Software": None})
    return paths


def picture_paths(folder: Path) -> list[Path]:
    """Where `draw_all` puts its pictures in a folder."""
    return [folder / f"{number}_{name}.png" for number, name in enumerate(PICTURES, 1)]


def crosstable(standings: Standings) -> Any:
    """A table in colours: what the player of the row won of the one of the column.

    The colours grow with the square root of the result, so that near ones differ to the eye. What
    is not decided by its normal interval, and all from too few decks, is grey and not bold.
    """
    order = list(standings.order)
    names = [standings.field.names[player] for player in order]
    payoffs = standings.payoffs[np.ix_(order, order)]
    shades = np.sign(payoffs) * np.sqrt(np.abs(payoffs) / max(float(np.abs(payoffs).max()), 1e-9))
    np.fill_diagonal(shades, np.nan)
    figure = load_figure()(
        figsize=(2.6 + 0.92 * len(order), 1.8 + 0.66 * len(order)), layout="constrained"
    )
    axes = figure.subplots()
    axes.imshow(shades, cmap="RdBu", vmin=-_PALE, vmax=_PALE, aspect="auto")
    for place, row in enumerate(order):
        for other, column in enumerate(order):
            if (cell := standings.crosstable[row][column]) is not None:
                decided = standings.has_enough_decks and cell.normal.low * cell.normal.high > 0
                _write_cell(axes, other, place, cell, float(shades[place, other]), decided)
    _name_sides(axes, names)
    figure.suptitle(
        "What the row wins of the column: BB/100 with 95 % interval", x=0.01, ha="left", fontsize=11
    )
    return figure


def _write_cell(axes: Any, x: int, y: int, cell: Any, shade: float, decided: bool) -> None:
    """A result, and below it half its interval."""
    half = Z_95 * cell.standard_error
    ink = _ink(shade / _PALE) if decided else "dimgrey"
    result = f"{cell.bb_per_100:+.1f}".replace("-", "\u2212")
    weight = "bold" if decided else "normal"
    axes.text(x, y - 0.14, result, ha="center", va="center", fontsize=11, color=ink, weight=weight)
    axes.text(x, y + 0.24, f"±{half:.1f}", ha="center", va="center", fontsize=8, color=ink)


def _name_sides(axes: Any, names: Sequence[str]) -> None:
    """The names beside the rows and above the columns, a family's above its member's."""
    places = range(len(names))
    axes.set_yticks(places, names)
    axes.set_xticks(places, [_in_lines(name) for name in names], fontsize=9)
    axes.xaxis.tick_top()
    axes.set_xticks([place - 0.5 for place in places][1:], minor=True)
    axes.set_yticks([place - 0.5 for place in places][1:], minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)


def _in_lines(name: str) -> str:
    """A name in the width of a column: broken at signs between its words."""
    lines = [""]
    for part in re.split(r"(?<=[:/_?&=])", name):
        if lines[-1] and len(lines[-1]) + len(part) > _COLUMN_LETTERS:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def intervals(standings: Standings) -> Any:
    """A forest plot: every player's total with its normal and, thinner, its anytime interval.

    From too few decks there is no anytime interval.
    """
    order, totals = list(standings.order), standings.totals()
    figure = load_figure()(figsize=(8, 1.5 + 0.4 * len(order)), layout="constrained")
    axes = figure.subplots()
    for place, player in enumerate(order):
        one = totals[player]
        if (anytime := one.anytime(standings.decks)) is not None:
            axes.plot(anytime, [place, place], color="tab:blue", linewidth=1)
        axes.plot(one.normal, [place, place], color="tab:blue", linewidth=4, alpha=0.6)
        axes.plot(one.bb_per_100, place, "o", color="black", markersize=5)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_yticks(range(len(order)), [standings.field.names[player] for player in order])
    axes.invert_yaxis()
    axes.set_xlabel(
        "BB/100, with normal (thick) and anytime (thin) 95 % interval"
        if standings.has_enough_decks
        else f"BB/100, with normal 95 % interval: fewer than {FIRST_LOOK:,} decks decide nothing"
    )
    axes.set_title("All matches together")
    return figure


def running(standings: Standings) -> Any:
    """The running mean of every player with the band of its anytime interval.

    From too few decks there is no band.
    """
    figure = load_figure()(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    for player in standings.order:
        run = standings.running(player)
        (line,) = axes.plot(run.decks, run.means, label=standings.field.names[player])
        if standings.has_enough_decks:
            axes.fill_between(
                run.decks,
                run.means - run.half_widths,
                run.means + run.half_widths,
                color=line.get_color(),
                alpha=0.15,
                linewidth=0,
            )
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_xlabel("decks")
    axes.set_ylabel("BB/100")
    band = " with its anytime 95 % band" if standings.has_enough_decks else ""
    axes.set_title(f"Running mean{band}")
    axes.legend(fontsize=8)
    return figure


def style(standings: Standings) -> Any:
    """Bars of every player's figures by street, one row for each player."""
    order = list(standings.order)
    columns = len(shares(standings.style(order[0])))
    figure = load_figure()(
        figsize=(2.1 * columns + 1, 1.3 * len(order) + 0.8), layout="constrained"
    )
    grid = figure.subplots(len(order), columns, sharex=True, sharey=True, squeeze=False)
    for place, (row, player) in enumerate(zip(grid, order, strict=True)):
        for axes, (name, values) in zip(row, shares(standings.style(player)).items(), strict=True):
            axes.bar(MARKS, [100 * (value or 0) for value in values], color="tab:blue")
            axes.set_ylim(0, 100)
            axes.tick_params(labelsize=7)
            if place == 0:
                axes.set_title(name.replace("_", " "), fontsize=9)
        row[0].set_ylabel(standings.field.names[player], fontsize=8, rotation=0, ha="right")
    figure.suptitle("Style by street, in percent", fontsize=10)
    return figure


def _ink(share: float) -> str:
    """Black or white, whichever can be read on the colour of a share of the largest result."""
    return "white" if abs(share) > 0.6 else "black"
