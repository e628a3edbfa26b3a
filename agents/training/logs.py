"""A run's figures on disk: one CSV file for all its sessions, cut where a session goes on."""

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter

from agents.extras import load_extra
from agents.players.model_file import ModelError
from agents.training.config import TrainingConfig
from agents.whole_files import naming, whole

FRAMES = "frames"
STREET_NAMES = ("third", "fourth", "fifth", "sixth", "seventh")
STYLE_KEYS = ("play", "complete", "raise", "fold_to_raise")
RATING_COLUMNS = (FRAMES, "players", "opponent", "decks", "bb_per_100", "low", "high")
_FIXED = """
time/frames_per_second time/fps time/time_elapsed time/iterations time/total_timesteps
rollout/bb_per_100 rollout/hands rollout/held_decisions rollout/illegal_actions
train/approx_kl train/clip_fraction train/clip_range train/entropy_loss train/entropy_weight
train/explained_variance train/learning_rate train/magnet_kl train/n_updates
train/policy_gradient_loss train/value_loss pool/snapshots
""".split()


def plain(name: str) -> str:
    """A player's name as a part of a figure's."""
    return name.replace(":", "_")


def rating_key(config: TrainingConfig, opponent: str, num_players: int) -> str:
    """The figure of a rating: "rating/caller", at tables of several sizes "rating/6_caller"."""
    sizes = config.rating_sizes
    size = f"{num_players}_" if len(sizes) > 1 else ""
    return f"rating/{size}{plain(opponent)}"


def figure_columns(config: TrainingConfig) -> tuple[str, ...]:
    """The columns of a run's figures; they do not change while it runs."""
    sizes = config.rating_sizes
    rated = [*config.rating.opponents, *("snapshot",) * (config.rating.snapshots > 0)]
    return (
        FRAMES,
        *_FIXED,
        *(f"entropy/{street}" for street in STREET_NAMES),
        *(f"style/{key}_{street}" for key in STYLE_KEYS for street in STREET_NAMES),
        *(f"pool/{plain(name)}" for name in config.pool.baselines),
        *(rating_key(config, name, size) for size in sizes for name in rated),
    )


class CsvLog:
    """A CSV file that a run adds lines to; its first column counts frames.

    Whoever goes on with a run from an earlier frame drops the lines after it, so that the file
    tells the course of one run, whatever was killed in between.
    """

    def __init__(self, path: Path, columns: Sequence[str], frames: int) -> None:
        """A new file, or an earlier one with its lines up to so many frames.

        Raises:
            ModelError: a damaged file, or one of other columns.
        """
        self._path, self._columns = path, tuple(columns)
        lines = read_log(path, self._columns) if path.exists() else []
        kept = [line for line in lines if int(line[FRAMES]) <= frames]
        with whole(path) as part, part.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self._columns)
            writer.writeheader()
            writer.writerows(kept)

    def add(self, values: Mapping[str, Any]) -> None:
        """Add a line: the values of the columns; what has no column is left out."""
        with naming(self._path), self._path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self._columns, restval="", extrasaction="ignore")
            writer.writerow(values)


def read_log(path: Path, columns: Sequence[str] | None = None) -> list[dict[str, str]]:
    """The lines of a file of `CsvLog`; a last one that was cut short by a kill is left out.

    Raises:
        ModelError: a missing or damaged file, or one of other columns.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f"{path} is missing or damaged: {error}; {_WAY_OUT}") from error
    header = rows[0] if rows else []
    if not header or header[0] != FRAMES or (columns is not None and header != list(columns)):
        raise ModelError(f"{path} is damaged or of another run: its columns differ; {_WAY_OUT}")
    whole = [
        len(row) == len(header) and all(map(_is_cell, header, row))  # the length is asked first
        for row in rows[1:]
    ]
    if not all(whole[:-1]):
        raise ModelError(f"{path} is damaged: line {2 + whole.index(False)}; {_WAY_OUT}")
    lines = rows[1:] if all(whole) else rows[1:-1]
    return [dict(zip(header, line, strict=True)) for line in lines]


def _is_cell(column: str, text: str) -> bool:
    """Whether a cell can be of its column; those of the learner's figures may be empty."""
    if column == "opponent":
        return bool(text)
    if column in _COUNTS:
        return text.isdecimal() and len(text) <= _MOST_DIGITS
    number = _number(text)
    if column == _PACE:
        return number is not None and 0 < number < math.inf
    if column in _ALWAYS:
        return number is not None and math.isfinite(number)
    return not text or number is not None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


_COUNTS = {FRAMES, "players", "decks"}
_ALWAYS = {"bb_per_100", "low", "high"}
_PACE = "time/frames_per_second"
_MOST_DIGITS = 18
_WAY_OUT = "move it away to go on without what it held."


class FigureWriter(KVWriter):
    """Hands the learner's figures to a `CsvLog`."""

    def __init__(self, log: CsvLog) -> None:
        self._log = log

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Add a line."""
        self._log.add({FRAMES: step, **key_values})

    def close(self) -> None:
        """Nothing is held open."""


class WandbWriter(KVWriter):
    """Hands the learner's figures to Weights & Biases."""

    def __init__(self, config: TrainingConfig, name: str) -> None:
        """Start a run there.

        Raises:
            ModuleNotFoundError: with the pip command.
        """
        self._run = load_wandb().init(
            project="razz-env", name=name, config=config.model_dump(mode="json")
        )

    def write(
        self,
        key_values: dict[str, Any],
        key_excluded: dict[str, tuple[str, ...]],
        step: int = 0,
    ) -> None:
        """Log the numbers."""
        self._run.log(dict(key_values), step=step)

    def close(self) -> None:
        """End the run there."""
        self._run.finish()


def load_wandb() -> Any:
    """The package `wandb`.

    Raises:
        ModuleNotFoundError: with the pip command.
    """
    return load_extra("wandb", "--wandb needs", "wandb")
