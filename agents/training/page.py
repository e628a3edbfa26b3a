"""The course of a training as one page of pictures, made from the run's CSV files."""

from collections.abc import Sequence
from itertools import cycle
from os.path import commonprefix
from pathlib import Path
from typing import Any

from agents.evaluation.plots import DOTS_PER_INCH, load_figure
from agents.training.logs import FRAMES, STREET_NAMES, STYLE_KEYS, read_log
from agents.whole_files import whole

Lines = list[dict[str, str]]
LINES = ("-", "--", ":", "-.")
"""Kinds of lines, for up to four sizes of tables; more begin again."""


def draw_page(folder: Path) -> Path:
    """Draw `page.png` into a run's folder; its path.

    Raises:
        ModelError: figures that are missing or damaged.
        ModuleNotFoundError: matplotlib is not installed, with the pip command.
    """
    make_figure = load_figure("There is no page of pictures: it needs", way_out="")
    figure = make_figure(figsize=(13, 12), layout="constrained")
    progress, ratings = read_log(folder / "progress.csv"), read_log(folder / "ratings.csv")
    grid = figure.subplots(4, 3)
    _ratings(grid[0, 0], ratings)
    _curves(grid[0, 1], progress, _pool_columns(progress), "BB/100 at the tables, by opponent")
    _curves(grid[0, 2], progress, ["time/frames_per_second"], "frames a second")
    _curves(grid[1, 0], progress, [f"entropy/{street}" for street in STREET_NAMES], "entropy")
    _curves(grid[1, 1], progress, ["train/approx_kl", "train/magnet_kl"], "KL divergence")
    _curves(grid[1, 2], progress, ["train/explained_variance"], "share of variance explained")
    for axes, key in zip((*grid[2], grid[3, 0]), STYLE_KEYS, strict=True):
        title = f"style: {key.replace('_', ' ')}"
        _curves(axes, progress, [f"style/{key}_{street}" for street in STREET_NAMES], title)
    _curves(grid[3, 1], progress, ["train/value_loss"], "loss of the value network")
    _curves(grid[3, 2], progress, ["train/learning_rate", "train/entropy_weight"], "schedules")
    figure.suptitle(f"{folder.name}: by frames", fontsize=12)
    path = folder / "page.png"
    with whole(path) as part:
        figure.savefig(part, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return path


def _pool_columns(lines: Lines) -> list[str]:
    return [name for name in (lines[0] if lines else ()) if name.startswith("pool/")]


def short_labels(columns: Sequence[str]) -> list[str]:
    """The names of columns without the words that all of them begin with."""
    shared = commonprefix(list(columns))  # noqa: RUF071 - letters are what is asked for
    start = 1 + max(shared.rfind(mark) for mark in "/_")  # the end of the last whole word
    return [column[start:] for column in columns]


def _curves(axes: Any, lines: Lines, columns: Sequence[str], title: str) -> None:
    """A curve for each column, over frames; empty cells are gaps."""
    for column, label in zip(columns, short_labels(columns), strict=True):
        points = [(int(row[FRAMES]), float(row[column])) for row in lines if row.get(column)]
        if points:
            axes.plot(*zip(*points, strict=True), label=label, linewidth=1)
    axes.set_title(title, fontsize=9)
    axes.tick_params(labelsize=7)
    if len(columns) > 1 and axes.lines:
        axes.legend(fontsize=6)


def _ratings(axes: Any, lines: Lines) -> None:
    """BB/100 against each rated player with its interval; newest snapshots are one curve.

    A player has one colour, and a size of tables one kind of line.
    """
    curves: dict[tuple[str, str], list[tuple[int, float, float]]] = {}
    for row in lines:
        name = row["opponent"].partition(":")[0]
        name = "snapshot" if name == "snapshot" else row["opponent"]
        value, low = float(row["bb_per_100"]), float(row["low"])
        curves.setdefault((name, row["players"]), []).append((int(row[FRAMES]), value, value - low))
    colours = {name: f"C{place}" for place, name in enumerate(dict.fromkeys(n for n, _ in curves))}
    kinds = dict(zip(dict.fromkeys(size for _, size in curves), cycle(LINES), strict=False))
    for (name, size), points in curves.items():
        look = {"color": colours[name], "linestyle": kinds[size]}
        axes.errorbar(*zip(*points, strict=True), linewidth=1, elinewidth=0.5, **look)
    for name, colour in colours.items():
        axes.plot([], [], color=colour, linewidth=1, label=name)
    for size, kind in kinds.items():
        axes.plot([], [], color="grey", linestyle=kind, linewidth=1, label=f"{size} players")
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set_yscale("symlog", linthresh=10)
    axes.set_title("BB/100 in duplicate matches, with 95 % intervals", fontsize=9)
    axes.tick_params(labelsize=7)
    if curves:
        axes.legend(fontsize=5, ncols=2)
