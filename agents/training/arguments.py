"""The command line of a training: which configuration, what differs from it, one run or a sweep.

--config FILE [--seed 3 --ppo.learning-rate 3e-4 ...]
--resume FOLDER [...]
--config FILE FILE ... --seeds 0 1 2 [--sweep NAME] [...]
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tyro

from agents.evaluation.cluster import Cluster, cluster_at
from agents.training.config import ConfigError, TrainingConfig, load_config, refuse_address

SHIPPED = Path("configs")
"""The folder of configurations: at the root of a checkout, in a wheel inside `agents`."""
PLACES = (Path(__file__).parents[1] / SHIPPED, Path(__file__).parents[2] / SHIPPED)
DEFAULT = SHIPPED / "quick.yaml"

HELP = """Train a Razz bot by self-play.

--config FILE reads a configuration (configs/quick.yaml if it is left out; configs/heads_up.yaml,
configs/six_max.yaml, configs/full_ring.yaml and configs/table.yaml come with the package too),
--resume FOLDER goes on with an earlier run; the options below replace single values of either.
Several files and --seeds 0 1 2 make a sweep: all of them with all seeds, one after the other, and
one table; the same command goes on with a sweep that was stopped (--sweep NAME gives it a name).
--wandb sends the figures to Weights & Biases, too.

--ray ADDRESS has the rollouts played on the Ray cluster there, --ray local on one of this machine,
--workers N by so many at a time instead of one on every processor; a rollout is played in --blocks
parts, and the weights are the same with and without a cluster."""

_MANY = ("config", "seeds")
_ONE = ("resume", "sweep", "ray", "workers")


@dataclass(frozen=True)
class Request:
    """What a command line asks for.

    Attributes:
        config: the resolved configuration.
        resume: folder of the run to go on with; None to start a new one.
        wandb: whether figures go to Weights & Biases, too.
        cluster: a Ray cluster that plays the rollouts.
    """

    config: TrainingConfig
    resume: Path | None = None
    wandb: bool = False
    cluster: Cluster | None = None

    @property
    def configs(self) -> tuple[TrainingConfig, ...]:
        """The configuration, as the one of a sweep."""
        return (self.config,)


@dataclass(frozen=True)
class SweepRequest:
    """What the command line of a sweep asks for.

    Attributes:
        configs: resolved, in the order in which they run; their names are those of their files.
        seeds: every configuration runs with each.
        folder: of the sweep.
        wandb: whether figures go to Weights & Biases, too.
        cluster: a Ray cluster that plays the rollouts.
    """

    configs: tuple[TrainingConfig, ...]
    seeds: tuple[int, ...]
    folder: Path
    wandb: bool = False
    cluster: Cluster | None = None


@dataclass
class _Sources:
    """The words of a command line that say what is to run, and where, and all the others."""

    words: dict[str, list[str]] = field(default_factory=dict)
    rest: list[str] = field(default_factory=list)
    wandb: bool = False


def find_config(path: Path, places: Sequence[Path] = PLACES) -> Path:
    """The path itself; for `configs/six_max.yaml`, if there is none here, the package's own.

    Raises:
        ConfigError: there is no such file, but one of that name comes with the package.
    """
    if path.exists():
        return path
    name = f"{path.stem}.yaml"
    found = next((place / name for place in places if (place / name).exists()), None)
    if found is None or path == SHIPPED / name:
        return found or path
    raise ConfigError(f"There is no file {str(path)!r}; did you mean {str(SHIPPED / name)!r}?")


def read_arguments(arguments: Sequence[str], program: str = "train.py") -> Request | SweepRequest:
    """`--config FILE` or `--resume FOLDER`, then single keys: `--seed 3 --ppo.learning-rate 3e-4`.

    Without both it is `configs/quick.yaml`; several files or `--seeds` make a sweep. A key on the
    command line that cannot be used, and `--help`, print what is to be known and end the program
    (`SystemExit`).

    Raises:
        ConfigError: a file that cannot be used, or options that do not go together.
    """
    sources = _split_source(list(arguments))
    _refuse_misspelt(sources.rest)
    words = sources.words
    if "resume" in words and {"config", "seeds", "sweep"} & words.keys():
        raise ConfigError(
            "Give --config to start a run or --resume to go on with one, not both. A sweep is gone "
            "on with by its own command."
        )
    files = [find_config(Path(file)) for file in words.get("config", [str(DEFAULT)])]
    if "seeds" in words or "sweep" in words or len(files) > 1:
        return _read_sweep(files, sources, program)
    if "resume" in words:
        return _read_resumed(words["resume"][0], sources, program)
    config = override(load_config(files[0]), sources.rest, program)
    return Request(config, None, sources.wandb, _cluster_of(words))


def _read_resumed(folder: str, sources: _Sources, program: str) -> Request:
    """An earlier run's configuration with what the command line says instead."""
    refuse_address(folder, "--resume")
    earlier = load_config(Path(folder) / "config.yaml")
    config = override(earlier, sources.rest, program)
    for key in ("name", "runs"):
        if getattr(config, key) != getattr(earlier, key):
            raise ConfigError(
                f"--{key} names the folder of a new run, and --resume {folder} goes on in that one."
            )
    return Request(config, Path(folder), sources.wandb, _cluster_of(sources.words))


def _read_sweep(files: list[Path], sources: _Sources, program: str) -> SweepRequest:
    """Every file with what the command line says instead."""
    names = [file.stem for file in files]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"--config names two files {name!r}; a sweep tells them by that.")
    configs = []
    for file, name in zip(files, names, strict=True):
        config = override(load_config(file), sources.rest, program)
        configs.append(config.model_copy(update={"name": name}))
    seeds = _seeds_of(sources.words.get("seeds", [])) or tuple({one.seed: 0 for one in configs})
    title = sources.words.get("sweep", [f"sweep-{'+'.join(names)}"])[0]
    refuse_address(title, "--sweep")
    if title != Path(title).name or title == "..":
        raise ConfigError(f"--sweep must be the name of a folder, not {title!r}.")
    folder = Path(configs[0].runs) / title
    return SweepRequest(tuple(configs), seeds, folder, sources.wandb, _cluster_of(sources.words))


def _cluster_of(words: dict[str, list[str]]) -> Cluster | None:
    if "workers" not in words:
        return cluster_at(words["ray"][0], None) if "ray" in words else None
    (count,) = words["workers"]
    if "ray" not in words:
        raise ConfigError(
            f"--workers {count} play on a cluster: name one with --ray, or --ray local."
        )
    if not count.isdecimal() or not int(count):
        raise ConfigError(f"--workers must be a whole number of at least 1, not {count!r}.")
    return cluster_at(words["ray"][0], int(count))


def _seeds_of(words: list[str]) -> tuple[int, ...]:
    for word in words:
        if not word.isdecimal() or int(word) >= 2**32:
            raise ConfigError(f"--seeds must be whole numbers from 0 to 2**32 - 1, not {word!r}.")
    if len({*map(int, words)}) < len(words):
        raise ConfigError(f"--seeds names a seed twice: {' '.join(words)}.")
    return tuple(map(int, words))


def _split_source(arguments: list[str]) -> _Sources:
    """The words that say what is to run, and where, taken out of the arguments."""
    sources, seen = _Sources(), set[str]()
    words = list(arguments)
    while words:
        word = words.pop(0)
        name, equals, value = word.removeprefix("--").partition("=")
        if word.startswith("--"):
            key = name.replace("_", "-")
            if key in seen:
                raise ConfigError(f"--{name} is given twice: give it once, with all its values.")
            seen.add(key)
        if not word.startswith("--") or name not in (*_MANY, *_ONE, "wandb"):
            sources.rest.append(word)
        elif name == "wandb":
            if equals:
                raise ConfigError(f"--wandb takes no value such as {value!r}: leave it out for no.")
            sources.wandb = True
        else:
            given = [value] if equals else _taken(words, many=name in _MANY)
            if not any(given):
                raise ConfigError(f"--{name} needs a {_what(name)} after it.")
            sources.words[name] = given
    return sources


def _refuse_misspelt(words: Sequence[str]) -> None:
    """Refuse what looks like an option of a run, and is no key of its configuration either."""
    options = (*_MANY, *_ONE, "wandb")
    for word in words:
        name = word.removeprefix("--").partition("=")[0].replace("-", "_")
        if (
            not word.startswith("--")
            or "." in name
            or name in (*TrainingConfig.model_fields, "help")
        ):
            continue
        keys = difflib.get_close_matches(name, TrainingConfig.model_fields, n=1)
        if not keys and (close := difflib.get_close_matches(name, options, n=1, cutoff=0.7)):
            raise ConfigError(f"There is no option {word!r}; did you mean '--{close[0]}'?")


def _taken(words: list[str], *, many: bool) -> list[str]:
    """The values at the head of the words, up to the next option; they are taken off."""
    values: list[str] = []
    while words and not words[0].startswith("--") and (many or not values):
        values.append(words.pop(0))
    return values


def _what(name: str) -> str:
    known = {"seeds": "number", "workers": "number", "sweep": "name", "ray": "cluster's address"}
    return known.get(name, "path")


def override(config: TrainingConfig, arguments: Sequence[str], program: str) -> TrainingConfig:
    """The configuration with what the command line says instead.

    An argument that cannot be used ends the program (`SystemExit`) with one sentence that names
    it; so does `--help`, with all keys.
    """
    return tyro.cli(
        TrainingConfig,
        prog=program,
        description=HELP,
        args=list(arguments),
        default=config,
        config=(tyro.conf.FlagConversionOff,),
    )
