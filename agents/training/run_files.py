"""Reading what lies beside the model in a run's folder; damaged files are told in one sentence."""

import json
import math
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from agents.arrays import read_arrays
from agents.players.model_file import ModelError
from agents.training.config import TrainingConfig, as_written
from agents.training.logs import RATING_COLUMNS
from razz_env.rules.checks import is_whole

MACHINE = ("processor", "system")
"""What `run.json` tells of a session's machine, as `agents.bench.machine.facts` does."""
DAMAGE = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""Errors of reading JSON that is none, or that tells something else."""


def read_sessions(path: Path) -> list[dict[str, Any]]:
    """The sessions of a run out of its run.json.

    Raises:
        ModelError: it is missing or damaged.
    """
    try:
        sessions = json.loads(path.read_text(encoding="utf-8"))["sessions"]
        return [_checked_session(session) for session in sessions]
    except (OSError, *DAMAGE) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else error
        raise ModelError(f"{path} is missing or damaged: {reason}.") from error


def _checked_session(session: Any) -> dict[str, Any]:
    """A session as it was noted down; ValueError or KeyError if it is none."""
    if not isinstance(session, dict):
        raise ValueError(f"a session cannot be {session!r:.60}")
    start = session["from_frames"]
    if not is_whole(start) or start < 0:
        raise ValueError(f"from_frames cannot be {start!r:.60}")
    for name, noun in (("machine", "a machine"), ("packages", "packages")):
        told = session.get(name, {})  # older runs did not note all down, nor the configuration
        if not all(isinstance(text, str) and text.isprintable() for text in told.values()):
            raise ValueError(f"{noun} cannot be {told!r:.60}")
    if "config" in session:
        TrainingConfig(**as_written(session["config"]))
    return session


def read_result(path: Path) -> tuple[int, list[dict[str, Any]]] | None:
    """Frames of a run and its ratings at the end, out of its result.json; None if it is not there.

    Raises:
        ModelError: it is damaged.
    """
    if not path.exists():
        return None
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        frames, lines = told["frames"], [_checked_rating(line) for line in told["ratings"]]
        if not is_whole(frames):
            raise ValueError(f"frames cannot be {frames!r:.60}")
        return frames, lines
    except (OSError, *DAMAGE) as error:
        raise ModelError(f"{path} is damaged: {error}; delete it to rate again.") from error


def _checked_rating(line: Any) -> dict[str, Any]:
    """A line of ratings; ValueError, KeyError or TypeError if it is none."""
    for column in RATING_COLUMNS:
        value = line[column]
        is_right = (
            isinstance(value, str)
            if column == "opponent"
            else is_whole(value) and value >= 0
            if column in ("frames", "players", "decks")
            else isinstance(value, int | float) and math.isfinite(value)
        )
        if not is_right:
            raise ValueError(f"{column} cannot be {value!r:.60}")
    return dict(line)


def read_pool_results(path: Path) -> dict[str, tuple[float, float]]:
    """What the opponents of a pool have won, hands and big bets, out of its pool.json if any.

    Raises:
        ModelError: it is damaged.
    """
    if not path.exists():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        results = {str(name): (float(hands), float(won)) for name, (hands, won) in told.items()}
        for name, (hands, won) in results.items():
            if not (0 <= hands < math.inf and math.isfinite(won)):
                raise ValueError(f"{name} cannot have won {won} in {hands} hands")
        return results
    except (OSError, *DAMAGE) as error:
        raise ModelError(
            f"{path} is damaged: {error}; delete it to go on without what it held."
        ) from error


def read_saved_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an npz file by name.

    Raises:
        ModelError: it is missing or damaged.
    """
    try:
        return read_arrays(path)
    except ValueError as error:
        raise ModelError(f"{path} is missing or damaged: {error}.") from error
