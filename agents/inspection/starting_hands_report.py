"""The starting hands of a player as a picture, as CSV, and as a table to print."""

import csv
import importlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.plots import load_figure
from agents.evaluation.report import markdown_table
from agents.inspection.starting_hands import DEEDS, StartingHands
from razz_env.equity import PAIRS
from razz_env.rules.cards import RANKS

COLOURS = {"raise": (0.80, 0.16, 0.16), "call": (0.20, 0.55, 0.30), "fold": (0.82, 0.86, 0.92)}
BLANK = (1.0, 1.0, 1.0)
IMPOSSIBLE = (0.55, 0.55, 0.55)
CELL = 24
"""Pixels of a starting hand, with a white line before and above it."""


def check_picture(file: Path) -> None:
    """Refuse before the work what could not be written after it.

    Raises:
        ValueError: an ending that is no picture and no CSV, or no such folder.
        ModuleNotFoundError: a picture, and matplotlib is not installed.
    """
    if file.suffix.lower() not in (".png", ".csv"):
        raise ValueError(f"{str(file)!r} must end with .png, or with .csv for the figures only.")
    if not file.parent.is_dir():
        raise ValueError(f"There is no folder {str(file.parent)!r} to write {file.name!r} to.")
    if file.suffix.lower() == ".png":
        _figure_class()


def write_picture_and_csv(found: StartingHands, file: Path) -> list[Path]:
    """Write the picture and the figures beside it, or only the figures; the files."""
    table = file.with_suffix(".csv")
    with table.open("w", newline="", encoding="utf-8") as stream:
        lines = csv.writer(stream, lineterminator="\n")
        lines.writerow(["door", "down", *DEEDS])
        for door, down, *shares in found.rows():
            lines.writerow([door, down, *("" if v is None else f"{v:.4f}" for v in shares)])
    if file.suffix.lower() == ".csv":
        return [table]
    picture(found).savefig(file, dpi=110, metadata={"Software": None})
    return [file, table]


def summary(found: StartingHands) -> str:
    """A line for each door card: how often the player raises, calls and folds with it."""
    rows = [
        (RANKS[door], *("-" if np.isnan(v) else f"{100 * v:.1f}" for v in shares))
        for door, shares in enumerate(found.by_door())
    ]
    table = markdown_table(("door", "complete or raise", "call", "fold"), rows)
    return (
        f"{found.player}, {found.scene.text}, {_asked(found)}. In percent of the starting hands "
        f"with each door card:\n\n{table}"
    )


def _asked(found: StartingHands) -> str:
    if found.samples is None:
        return "as it tells itself"
    return "acting once on each board" if found.samples == 1 else f"asked {found.samples:,} times"


def picture(found: StartingHands) -> Any:
    """A panel for each door card: lower down card across, higher one down.

    A starting hand is a square whose width is shared by raising, calling and folding.
    """
    figure = _figure_class()(figsize=(13, 13.4), layout="constrained")
    panels = figure.subplots(4, 4).ravel()
    for door, axes in enumerate(panels):
        if door < len(RANKS):
            _panel(axes, found, door)
        else:
            axes.axis("off")
    _legend(panels[len(RANKS)])
    figure.suptitle(
        f"{found.player}: starting hands\n{found.scene.text}", fontsize=13, fontweight="bold"
    )
    return figure


def _panel(axes: Any, found: StartingHands, door: int) -> None:
    size = len(RANKS)
    axes.imshow(_pixels(found.shares[:, door]), extent=(0, size, size, 0), interpolation="nearest")
    axes.set_xticks(np.arange(size) + 0.5, list(RANKS), fontsize=7)
    axes.set_yticks(np.arange(size) + 0.5, list(RANKS), fontsize=7)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    share = found.by_door()[door]
    told = "not possible" if np.isnan(share[0]) else f"plays {100 * (1 - share[2]):.0f} %"
    axes.set_title(f"door {RANKS[door]}: {told}", fontsize=10)


def _pixels(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours float64[13 * CELL, 13 * CELL, 3] of one door's hands float64[91, 3]."""
    size = len(RANKS)
    image = np.full((size * CELL, size * CELL, 3), BLANK)
    for (low, high), parts in zip(PAIRS, shares, strict=True):
        square = image[high * CELL : (high + 1) * CELL, low * CELL : (low + 1) * CELL]
        if np.isnan(parts[0]):
            square[1:, 1:] = IMPOSSIBLE
            continue
        ends = 1 + np.rint(np.cumsum(parts) * (CELL - 1)).astype(int)
        for deed, first, end in zip(DEEDS, [1, *ends], ends):
            square[1:, first:end] = COLOURS[deed]
    return image


def _legend(axes: Any) -> None:
    patch = importlib.import_module("matplotlib.patches").Patch
    names = {"raise": "completes or raises", "call": "calls", "fold": "folds"}
    handles = [patch(color=COLOURS[deed], label=names[deed]) for deed in DEEDS]
    handles.append(patch(color=IMPOSSIBLE, label="not possible here"))
    axes.legend(handles=handles, loc="upper left", fontsize=11, frameon=False)
    axes.text(
        0.03,
        0.38,
        "Across: lower down card.\nDown: higher down card.\nA square's width is shared\nby what is "
        "done with the hand.",
        transform=axes.transAxes,
        va="top",
        fontsize=10,
    )


def _figure_class() -> Any:
    return load_figure(
        "The picture needs", "; or name a file that ends with .csv for the figures only."
    )
