"""How a network was trained: its run's configuration, and the commands that repeat it."""

import json
import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from agents.players.errors import ModelError
from agents.training.arguments import PLACES, SHIPPED, override
from agents.training.config import (
    ConfigError,
    TrainingConfig,
    as_written,
    load_config,
)

_ELSEWHERE = {"runs", "name"}
"""Keys that decide where a run lies and nothing of what it learns."""


class Recipe(NamedTuple):
    """Attributes: command, config and sessions, as in `NetworkCard`."""

    command: str
    config: dict[str, Any]
    sessions: tuple[dict[str, Any], ...]


def recipe_of(model: Path) -> Recipe:
    """The recipe of a model in its run's folder, or in the folder `checkpoints` of that.

    Raises:
        ModelError: no folder of a run, or one that is damaged.
    """
    folder = next(
        (place for place in model.resolve().parents[:2] if (place / "config.yaml").is_file()), None
    )
    if folder is None:
        raise ModelError(
            f"{model} lies in no folder of a run, so nobody could tell how it was trained: its "
            "config.yaml is missing."
        )
    try:
        config = load_config(folder / "config.yaml")
        sessions = json.loads((folder / "run.json").read_text(encoding="utf-8"))["sessions"]
        command = training_commands(config, sessions)
    except (ConfigError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"The folder {folder} of the run is damaged: {error}.") from error
    told = config.model_dump(mode="json", exclude=_ELSEWHERE)
    return Recipe(command, told, tuple(sessions))


def training_commands(config: TrainingConfig, sessions: Sequence[dict[str, Any]]) -> str:
    """A line for the run and one for every time that it was taken further after its end.

    A run that was resumed before its end, or noted down without the configuration of its sessions,
    is told as if it had been one session.

    Raises:
        ConfigError: the configuration of a session is damaged.
    """
    if not is_staged(sessions):
        return training_command(config)
    stages = [TrainingConfig(**as_written(session["config"])) for session in sessions]
    folder = str(Path("runs") / config.name)
    further = [
        shlex.join(["razz", "train", "--resume", folder, *(_options(new, old) or [])])
        for old, new in pairwise(stages)
    ]
    return "\n".join([training_command(stages[0]), *further])


def is_staged(sessions: Sequence[dict[str, Any]]) -> bool:
    """Whether every session but the first began where the one before had learned all it was to."""
    return all("config" in session for session in sessions) and all(
        later.get("from_frames", 0) >= session["config"]["frames"]
        for session, later in pairwise(sessions)
    )


def training_command(config: TrainingConfig) -> str:
    """The shortest `razz train` that makes this configuration of one that comes with the package.

    Where options cannot say it, it reads a file `config.yaml`, the configuration in full.
    """
    candidates = [_words(config, path) for path in _shipped()]
    words = min((one for one in candidates if one is not None), key=len, default=None)
    return shlex.join(["razz", "train", *(words or ["--config", "config.yaml"])])


def _shipped() -> list[Path]:
    place = next(place for place in PLACES if place.is_dir())
    return sorted(place.glob("*.yaml"))


def _words(config: TrainingConfig, path: Path) -> list[str] | None:
    """The options that make a configuration of a file; None if options cannot."""
    options = _options(config, load_config(path))
    return None if options is None else ["--config", str(SHIPPED / path.name), *options]


def _options(config: TrainingConfig, start: TrainingConfig) -> list[str] | None:
    """The options that make a configuration of another; None if options cannot."""
    wanted, given = _leaves(config.model_dump()), _leaves(start.model_dump())
    if wanted.keys() != given.keys():
        return None
    options: list[str] = []
    for key, value in wanted.items():
        if value != given[key] and key not in _ELSEWHERE:
            if value is None or isinstance(value, dict) or value == ():
                return None
            values = value if isinstance(value, tuple) else (value,)
            options += [f"--{key.replace('_', '-')}", *map(str, values)]
    made = _leaves(override(start, options, "razz train").model_dump())
    same = all(made[key] == wanted[key] for key in wanted.keys() - _ELSEWHERE)
    return options if same else None


def _leaves(values: dict[str, Any], section: str = "") -> dict[str, Any]:
    """The values by dotted key, players' weights too; other mappings of free keys are one value."""
    leaves: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict) and (key == "baselines" or (not section and _is_section(key))):
            leaves |= _leaves(value, f"{section}{key}.")
        else:
            leaves[section + key] = value
    return leaves


def _is_section(key: str) -> bool:
    default = TrainingConfig.model_fields[key].default
    return hasattr(default, "model_fields_set")
