"""The picture of a training in the documentation, from the figures that the run has left."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.evaluation.plots import DOTS_PER_INCH, load_figure
from agents.players.errors import ModelError
from agents.training.logs import FRAMES, STREET_NAMES, read_log
from docs.missing import CannotBeMade

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5a3c", "#444444")
_STYLES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1)), (0, (1, 1)))
"""Dashes of the curves: they can be told apart without colour."""

_ENTROPIES = [f"entropy/{street}" for street in STREET_NAMES]

Lines = list[dict[str, str]]


def training_curve(run: Path) -> bytes:
    """PNG of the winnings by opponent and of the entropy by street over a run's frames.

    Raises:
        CannotBeMade: no figures, damaged ones, or of more opponents than curves can be told apart.
    """
    lines, opponents = _figures(run / "progress.csv")
    figure = load_figure()(figsize=(10, 4), layout="constrained")
    won, entropy = figure.subplots(1, 2)
    _curves(won, lines, opponents)
    won.axhline(0, color="grey", linewidth=0.8)
    won.set_title("Won from each opponent, BB/100", loc="left", fontsize=10)
    _curves(entropy, lines, _ENTROPIES)
    entropy.set_title("Entropy of its choices, by street", loc="left", fontsize=10)
    entropy.set_ylim(bottom=0)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return file.getvalue()


def _figures(file: Path) -> tuple[Lines, list[str]]:
    """The lines of a run's figures, and the columns of its opponents."""
    try:
        lines = read_log(file)
    except ModelError as error:
        raise CannotBeMade(f"it shows a run's figures: {error}") from error
    if not lines or not all(lines[-1].get(name) for name in _ENTROPIES):
        raise CannotBeMade(f"it shows a run's figures, and {file} ends without")
    opponents = [name for name in lines[-1] if name.startswith("pool/") and lines[-1][name]]
    opponents = [name for name in opponents if name != "pool/snapshots"]
    if not 0 < len(opponents) <= len(_COLOURS):
        raise CannotBeMade(
            f"it has curves for 1 to {len(_COLOURS)} opponents, and {file} ends with "
            f"{len(opponents)}"
        )
    return lines, opponents


def _curves(axes: Any, lines: Lines, columns: Sequence[str]) -> None:
    """A curve for each column, with its name at its end."""
    ends = []
    for column, colour, style in zip(columns, _COLOURS, _STYLES):
        points = [(int(row[FRAMES]) / 1e6, float(row[column])) for row in lines if row[column]]
        axes.plot(*zip(*points, strict=True), color=colour, linestyle=style, linewidth=1.6)
        label = column.partition("/")[2].replace("scripted_", "scripted:")
        ends.append((*points[-1], label, colour))
    low, high = axes.get_ylim()
    _name_ends(axes, ends, (high - low) / 20)
    axes.set_xlabel("million decisions")
    axes.margins(x=0)
    axes.grid(color="#e6e6e6", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)


def _name_ends(axes: Any, ends: list[tuple[float, float, str, str]], pitch: float) -> None:
    """Write the names beside the ends, at least a pitch above each other."""
    ends, heights = sorted(ends, key=lambda end: end[1]), list[float]()
    for _, y, _, _ in ends:
        heights.append(max(y, heights[-1] + pitch) if heights else y)
    pushed = sum(heights) / len(ends) - sum(y for _, y, _, _ in ends) / len(ends)
    for (x, _, label, colour), height in zip(ends, heights, strict=True):
        axes.annotate(
            label,
            (x, height - pushed),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            color=colour,
            annotation_clip=False,
        )
