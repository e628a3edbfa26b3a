"""How a network was trained: its run's configuration, and the commands that repeat it."""

import json
import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from agents.players.errors import ModelError
from agents.training.arguments import PLACES, SHIPPED, find_config, override
from agents.training.config import (
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
        command = "\n".join(staged_commands(sessions) or [training_command(config)])
        kept = tuple(_without_place(session) for session in sessions)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"The folder {folder} of the run is damaged: {error}.") from error
    return Recipe(command, config.model_dump(mode="json", exclude=_ELSEWHERE), kept)


def staged_commands(sessions: Sequence[dict[str, Any]]) -> list[str] | None:
    """The commands that repeat a run of several sessions, a line for each.

    None if it was one session, if one began before the one before it had learned all that it was
    to (the same weights cannot be had again by commands), or if options cannot say it all.

    Raises:
        ConfigError: the configuration of a session is damaged.
    """
    if len(sessions) < 2 or not _is_staged(sessions):
        return None
    stages = [TrainingConfig(**as_written(session["config"])) for session in sessions]
    name, first = stages[0].name, _shortest(stages[0])
    changes = [_options(new, old) for old, new in pairwise(stages)]
    if first is None or None in changes:
        return None
    if load_config(find_config(Path(first[1]))).name != name:
        first = [*first, "--name", name]
    resume = ["--resume", str(Path(TrainingConfig().runs) / name)]
    lines = [first, *([*resume, *(change or [])] for change in changes)]
    return [shlex.join(["razz", "train", *words]) for words in lines]


def _is_staged(sessions: Sequence[dict[str, Any]]) -> bool:
    """Whether every session but the first began where the one before had all its frames."""
    return all("config" in session for session in sessions) and all(
        later["from_frames"] >= session["config"]["frames"] for session, later in pairwise(sessions)
    )


def _without_place(session: dict[str, Any]) -> dict[str, Any]:
    """A session without where its run lies."""
    config = session.get("config", {})
    kept = {key: value for key, value in config.items() if key not in _ELSEWHERE}
    return {**session, "config": kept} if config else session


def training_command(config: TrainingConfig) -> str:
    """The shortest `razz train` that makes this configuration of one that comes with the package.

    Where options cannot say it, it reads a file `config.yaml`, the configuration in full.
    """
    return shlex.join(["razz", "train", *(_shortest(config) or ["--config", "config.yaml"])])


def _shortest(config: TrainingConfig) -> list[str] | None:
    """The shortest options that make a configuration; None if options cannot."""
    candidates = [_words(config, path) for path in _shipped()]
    return min((one for one in candidates if one is not None), key=len, default=None)


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
