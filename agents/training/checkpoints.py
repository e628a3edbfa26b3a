"""The folder of a run: everything that a run leaves behind, and how to go on from it.

runs/<name>/
    config.yaml         the resolved configuration
    run.json            for each session: where it began, seeds, machine, versions, configuration
    model.zip           the newest model: Stable-Baselines3's archive with `razz.json` in it
    model.json          the same card, to be read by people and other programs
    weights.npz         the policy's and value network's weights as arrays
    pool.npz            snapshots of the opponent pool
    pool.json           what its opponents have won
    progress.csv        the learner's figures, a line for each update
    ratings.csv         ratings while training and at the end
    tensorboard/        the learner's figures for TensorBoard
    checkpoints/        earlier models: <frames>.zip
    saving-<frames>/    what will lie beside the model that is being saved
    result.json         the ratings at the end, once they are all there
    page.png            all of that as pictures
    page.md             what to expect of the recipe
    lock                held while a training runs in the folder
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from agents.bench.machine import facts
from agents.evaluation.result import MatchResult
from agents.lock import locked
from agents.players.inputs import Inputs
from agents.players.model_file import ModelCard, ModelError, add_card, read_card, read_model
from agents.training.config import ConfigError, TrainingConfig, dump_config, load_config
from agents.training.logs import RATING_COLUMNS, read_log
from agents.training.pool import OpponentPool
from agents.training.run_files import (
    MACHINE,
    read_pool_results,
    read_result,
    read_saved_arrays,
    read_sessions,
)
from agents.training.widening import Widening, widened_parameters
from agents.whole_files import whole, write_whole
from razz_env.envs.batch import TableBatch

PACKAGES = ("razz-env", "sb3-contrib", "stable-baselines3", "torch", "numpy", "numba", "gymnasium")
NOT_SAVED = [
    "_last_obs",
    "_last_episode_starts",
    "_last_original_obs",
    "ep_info_buffer",
    "magnet",
]
BESIDE_MODEL = ("pool.npz", "pool.json", "model.json", "weights.npz")
SAVING = "saving-"
"""Folder where they wait for the model, with its frames behind that."""
PICTURE = "page.png"
PAGES = (PICTURE, "page.md")


class Unsaved(RuntimeError):
    """A file of a run cannot be written; what was written before is whole."""


@contextmanager
def telling_unsaved(folder: Path, way_out: str, is_saved: Callable[[], bool]) -> Iterator[None]:
    """Errors of the system in the block are told in one sentence, with the way to go on.

    Args:
        folder: that is written to, told where the system names no file.
        way_out: what goes on with the work.
        is_saved: whether there is something to go on with.

    Raises:
        Unsaved: a file cannot be written, or read.
    """
    try:
        yield
    except ConnectionError:  # of a cluster
        raise
    except OSError as error:
        file, reason = error.filename or folder, error.strerror or error
        saved = (
            f"What was saved before is whole; when that is mended, go on with {way_out}"
            if is_saved()
            else "Nothing was saved yet; when that is mended, start again"
        )
        raise Unsaved(f"{file} cannot be written: {reason}. {saved}.") from error


class RunFolder:
    """A run's folder on disk. Files appear whole or not at all, even if the program is killed.

    Attributes:
        path: the folder.
        session: 1 for the first session, 2 for the first time it was resumed, ...
        is_held: whether the folder's lock is held already, for as long as this object is used.
    """

    def __init__(self, path: Path, session: int) -> None:
        self.path = path
        self.session = session
        self.is_held = False

    def locked(self) -> AbstractContextManager[None]:
        """Hold the folder's lock for a while.

        Raises:
            FolderInUse: another training runs in the folder.
        """
        return nullcontext() if self.is_held else locked(self.path)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder's lock for a while, over everything that is done with this object.

        Raises:
            FolderInUse: another training runs in the folder.
        """
        with self.locked():
            before, self.is_held = self.is_held, True
            try:
                yield
            finally:
                self.is_held = before

    @classmethod
    def create(cls, config: TrainingConfig) -> "RunFolder":
        """A new folder `runs/<name>`, or `runs/<name>-2`, ... if it is taken.

        Raises:
            ConfigError: no folder can be made there.
        """
        try:
            return cls._create(config)
        except OSError as error:
            raise ConfigError(f"{{key}}: no folder can be made there: {error}.", "runs") from error

    @classmethod
    def _create(cls, config: TrainingConfig) -> "RunFolder":
        root = Path(config.runs)
        root.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            path = root / (config.name if number == 1 else f"{config.name}-{number}")
            try:
                path.mkdir()
            except FileExistsError:
                number += 1
                continue
            break
        (path / "checkpoints").mkdir()
        return cls(path, 1)

    @classmethod
    def at(cls, path: Path) -> "RunFolder":
        """A new folder of just this path; one that holds no model yet is used again.

        Raises:
            ConfigError: it cannot be made.
        """
        try:
            (path / "checkpoints").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"{path} cannot be made: {error}.") from error
        return cls(path, 1)

    @classmethod
    def found(cls, path: Path) -> "RunFolder":
        """The folder of an earlier run, before anything but its being there is known: see `check`.

        Raises:
            ModelError: no folder of a run.
        """
        if not (path / "config.yaml").is_file():
            raise ModelError(f"{str(path)!r} is no folder of a run: it has no config.yaml.")
        return cls(path, 1)

    def check(self) -> None:
        """Look whether the run can go on, and count its sessions for another one.

        Raises:
            ModelError: its model was never saved, or files are damaged.
        """
        read_model(self.model_path)
        self.session = len(read_sessions(self.path / "run.json")) + 1
        self.ratings(0)
        for name, columns in {"progress.csv": None, "ratings.csv": RATING_COLUMNS}.items():
            if (self.path / name).exists():
                read_log(self.path / name, columns)

    @property
    def model_path(self) -> Path:
        """Where the newest model lies."""
        return self.path / "model.zip"

    @property
    def config(self) -> TrainingConfig:
        """The configuration that the run was started with, or resumed last.

        Raises:
            ConfigError: a damaged file.
        """
        return load_config(self.path / "config.yaml")

    def begin(self, config: TrainingConfig, frames: int, seeds: dict[str, int]) -> None:
        """Note down a session before it begins."""
        _write(self.path / "config.yaml", dump_config(config))
        sessions = read_sessions(self.path / "run.json") if self.session > 1 else []
        machine = facts()
        session = {
            "from_frames": frames,
            "seeds": seeds,
            "machine": {name: machine[name] for name in MACHINE},
            "packages": package_versions(),
            "config": config.model_dump(mode="json"),
        }
        text = json.dumps({"sessions": [*sessions, session]}, indent=2)
        _write(self.path / "run.json", text + "\n")

    def save(self, model: MaskablePPO, pool: OpponentPool, card: ModelCard) -> None:
        """The model, its card and weights, and the pool.

        What lies beside the model waits in a folder until the model is there, so that a kill at any
        moment leaves files of one time, see `_settle`.
        """
        waiting = self.path / f"{SAVING}{card.frames:012d}"
        waiting.mkdir(exist_ok=True)
        _write_arrays(waiting / "pool.npz", pool.to_arrays())
        _write(waiting / "pool.json", json.dumps(pool.results, indent=2) + "\n")
        _write(waiting / "model.json", card.model_dump_json(indent=2) + "\n")
        _write_arrays(waiting / "weights.npz", _weights(model))
        save_model(self.model_path, model, card)
        self._settle(card.frames)

    def _settle(self, frames: int) -> None:
        """Put the files that wait for the model of these frames beside it, and delete all others.

        Called when the model has been saved, and where a session goes on that was killed.
        """
        for waiting in self.path.glob(SAVING + "[0-9]" * 12):
            if waiting.name == f"{SAVING}{frames:012d}":
                for name in BESIDE_MODEL:
                    if (waiting / name).is_file():
                        (waiting / name).replace(self.path / name)
            shutil.rmtree(waiting)

    def save_checkpoint(self, model: MaskablePPO, card: ModelCard) -> None:
        """The model as it is now, beside earlier ones."""
        save_model(self.path / "checkpoints" / f"{card.frames:012d}.zip", model, card)

    def restore(self, model: MaskablePPO, pool: OpponentPool, inputs: Inputs) -> int:
        """Weights, optimiser and pool as they were saved; the frames learned from.

        Args:
            model: takes over the weights and the optimiser.
            pool: takes over the snapshots.
            inputs: of their networks; there may be more than the saved ones have.

        Raises:
            ModelError: damaged files, or a network of another shape.
        """
        card = read_card(self.model_path)
        widening = Widening(card.inputs(), inputs)
        try:
            stored = widened_parameters(self.model_path, model.policy, widening)
            model.set_parameters(stored, exact_match=True, device="cpu")
        except Exception as error:
            reason = (str(error) or type(error).__name__).splitlines()[0]
            raise ModelError(f"{self.model_path} does not fit its run: {reason}") from error
        self._settle(card.frames)
        _restore_pool(pool, self.path / "pool.npz", card)
        pool.results = read_pool_results(self.path / "pool.json")
        self._check_snapshots(pool)
        model.num_timesteps = card.frames
        return card.frames

    def _check_snapshots(self, pool: OpponentPool) -> None:
        """A pool that had snapshots once never is without them again."""
        names = [name for name in pool.results if name.startswith("snapshot:")]
        if names and not pool.snapshots:
            raise ModelError(
                f"{self.path / 'pool.npz'} is damaged: it holds no snapshot, and pool.json tells "
                f"what {names[0]!r} has won; delete pool.json to go on without any."
            )

    def telling(self, way_out: str) -> AbstractContextManager[None]:
        """As `telling_unsaved` of this run."""
        return telling_unsaved(self.path, way_out, self.model_path.is_file)

    def lacks_pages(self) -> bool:
        """Whether a page of a run that has been rated is missing and can be made."""
        can_draw = find_spec("matplotlib") is not None
        return any(
            not (self.path / page).is_file() for page in PAGES if can_draw or page != PICTURE
        )

    def finish(self, frames: int, results: Iterable[MatchResult]) -> None:
        """Keep the ratings at the end; pages that tell of earlier ones go."""
        for page in PAGES:
            (self.path / page).unlink(missing_ok=True)
        told = {"frames": frames, "ratings": [rating_line(frames, one) for one in results]}
        _write(self.path / "result.json", json.dumps(told, indent=2) + "\n")

    def ratings(self, frames: int) -> list[dict[str, Any]] | None:
        """The ratings at the end of a run of so many frames; None if they are not there yet.

        Raises:
            ModelError: a damaged file.
        """
        told = read_result(self.path / "result.json")
        return None if told is None or told[0] < frames else told[1]


def rating_line(frames: int, result: MatchResult) -> dict[str, Any]:
    """A rating as a line of `ratings.csv`; rounded, so that it is the same wherever it is read."""
    values = {"bb_per_100": result.bb_per_100, "low": result.low, "high": result.high}
    return {
        "frames": frames,
        "players": result.num_players,
        "opponent": result.opponent,
        "decks": result.decks,
        **{name: round(value, 6) for name, value in values.items()},
    }


def make_card(config: TrainingConfig, batch: TableBatch, frames: int) -> ModelCard:
    """The card of a network that a run has trained at these tables."""
    assert batch.spec is not None
    sizes, players = config.table.sizes, batch.num_players
    largest = batch.hands[int(batch.hands["public"]["num_seats"].argmax())].public
    return ModelCard(
        observation=config.table.inputs().version,
        mode=batch.spec.mode,
        num_players=players,
        table_sizes=list(sizes) if len(sizes) > 1 else [],
        seats=batch.spec.seats if batch.spec.seats != players else None,
        win_chance=config.table.win_chance,
        rules=json.loads(json.dumps(asdict(batch.rules))),
        stacks=largest.starting_stack[:players].tolist(),
        layers=list(config.ppo.layers),
        activation=config.ppo.activation,
        frames=frames,
        seed=config.seed,
        packages=package_versions(),
    )


def save_model(path: Path, model: MaskablePPO, card: ModelCard) -> None:
    """Write a model.zip: Stable-Baselines3's archive and the card."""
    with whole(path) as part:
        try:
            model.save(part, exclude=NOT_SAVED)
        except RuntimeError as error:  # PyTorch's word for a disk that is full
            if not isinstance(error.__context__, OSError):
                raise
            raise error.__context__ from error
        add_card(part, card)


def check_same_network(config: TrainingConfig, earlier: TrainingConfig) -> None:
    """Refuse to resume with another game or network than the run was started with.

    Only the chance to win may be added to what the network sees. The value network has learned in
    rewards, so what one stands for stays, too.

    Raises:
        ConfigError: naming the key.
    """
    for section, keys in {
        "table": (
            *("num_players", "rules", "house_rules", "stacks", "observation", "seats"),
            "win_chance",
        ),
        "ppo": ("layers", "activation", "critic", "big_bets_per_reward"),
    }.items():
        for key in keys:
            now, before = (getattr(getattr(c, section), key) for c in (config, earlier))
            is_added = key == "win_chance" and now
            if now != before and not is_added:
                raise ConfigError(
                    f"{section}.{key}={now!r} cannot be changed when a run is resumed; it is "
                    f"{before!r}. Start a new run instead."
                )


def package_versions() -> dict[str, str]:
    """Versions of the packages that decide what a run does."""
    return {name: version(name) for name in PACKAGES}


def _weights(model: MaskablePPO) -> dict[str, NDArray[Any]]:
    return {name: tensor.cpu().numpy() for name, tensor in model.policy.state_dict().items()}


def _restore_pool(pool: OpponentPool, path: Path, card: ModelCard) -> None:
    """The pool as it was saved, without snapshots that are newer than the model put beside it."""
    arrays = read_saved_arrays(path)
    try:
        pool.load_arrays(arrays, card.inputs())
    except ValueError as error:
        raise ModelError(f"{path} is damaged or of another run: {error}.") from error
    for newer in [taken for taken in pool.snapshots if taken > card.frames]:
        del pool.snapshots[newer]


def _write(path: Path, text: str) -> None:
    write_whole(path, text.encode())


def _write_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    with whole(path) as part, part.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]  # numpy's stubs know only one keyword
