"""A tournament's folder on disk: what was played is kept block by block, so that it can go on."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from agents.arrays import read_arrays
from agents.evaluation.duplicate import BlockResult
from agents.evaluation.plan import Task
from agents.whole_files import whole, write_whole

SETTINGS = "tournament.json"


def make_folder(path: Path) -> None:
    """Make a tournament's folder, if it is not there.

    Raises:
        ValueError: it cannot be made.
    """
    try:
        (path / "blocks").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{str(path)!r} cannot be a folder: {error.strerror}.") from error


class Store:
    """The blocks of a tournament. Files appear whole or not at all, even if the program is killed.

    The file `blocks/00012.npz` holds block 12 of all matches that have played it.

    Attributes:
        path: the folder.
    """

    def __init__(self, path: Path, definition: Mapping[str, Any]) -> None:
        """A new folder, or one that holds the same tournament.

        Args:
            path: of the folder.
            definition: all that decides what a block comes to.

        Raises:
            ValueError: the folder holds another tournament, naming what differs, or something
                else, or it cannot be made.
        """
        self.path = path
        make_folder(path)
        settings = path / SETTINGS
        try:
            if settings.exists():
                self._check_same(json.loads(settings.read_text(encoding="utf-8")), definition)
            else:
                write_whole(settings, json.dumps(definition, indent=2).encode() + b"\n")
        except OSError as error:
            raise ValueError(f"{settings} cannot be used: {error.strerror}.") from error
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(f"{settings} is damaged: {error}.") from error

    def load(self, block: int) -> dict[int, BlockResult]:
        """One block of the matches that have played it, by their numbers.

        Raises:
            ValueError: a damaged file.
        """
        file = self._file(block)
        if not file.exists():
            return {}
        try:
            arrays = read_arrays(file)
            told = json.loads(bytes(arrays["told"]))
            return {int(match): _unpack(arrays, match, told[match]) for match in told}
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(
                f"{file} is damaged ({error}): remove it, and its block is played again."
            ) from error

    def save(self, block: int, results: Mapping[int, BlockResult]) -> None:
        """Keep one block of some matches, instead of what was kept of it before."""
        arrays: dict[str, Any] = {}
        told = {}
        for match, result in sorted(results.items()):
            told[str(match)] = {
                "squares": list(result.hand_squares),
                "estimates": list(result.estimates),
            }
            arrays[f"{match}/chips"], arrays[f"{match}/style"] = result.chips, result.style
            for name, values in result.estimates.items():
                arrays[f"{match}/estimates/{name}"] = values
        arrays["told"] = np.frombuffer(json.dumps(told).encode(), np.uint8)
        with whole(self._file(block)) as part, part.open("wb") as file:
            np.savez(file, **arrays)

    def _file(self, block: int) -> Path:
        return self.path / "blocks" / f"{block:05}.npz"

    def _check_same(self, found: Any, definition: Mapping[str, Any]) -> None:
        for key, value in definition.items():
            if not isinstance(found, dict) or found.get(key) != value:
                before = found.get(key) if isinstance(found, dict) else found
                raise ValueError(
                    f"{str(self.path)!r} holds another tournament: its {key} is {before!r}, not "
                    f"{value!r}. Name another folder with --out."
                )


def wanted(kept: Mapping[int, BlockResult], task: Task) -> BlockResult | None:
    """The kept result of a task, unless another number of the block's decks was played."""
    result = kept.get(task.plan)
    return result if result is not None and result.decks == task.decks else None


def _unpack(arrays: Any, match: str, told: dict[str, Any]) -> BlockResult:
    return BlockResult(
        arrays[f"{match}/chips"],
        tuple(told["squares"]),
        arrays[f"{match}/style"],
        {name: arrays[f"{match}/estimates/{name}"] for name in told["estimates"]},
    )
