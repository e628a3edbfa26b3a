"""What a training run is made of: a typed configuration, from YAML.

Every number of a run is in its `TrainingConfig`. A file gives what differs from the defaults, the
command line (`agents.training.arguments`) what differs from the file.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from agents.paths import refuse_url
from agents.players.inputs import Inputs
from razz_env.observation import ObservationSpec, spec
from razz_env.rules.house_rules import HouseRules, nearest
from razz_env.rules.record import MAX_SEATS
from razz_env.rules.setup import check_table

Players: TypeAlias = Annotated[int, Field(ge=2, le=MAX_SEATS)]
Shape: TypeAlias = Literal["linear", "cosine", "constant"]


class ConfigError(ValueError):
    """A configuration that cannot be used.

    Attributes:
        key: dotted path of the key at fault; empty if no single one is.
        complaint: the sentence, with `{key}` where the key is to be named.
    """

    def __init__(self, complaint: str, key: str = "") -> None:
        told = complaint if key else complaint.removeprefix("{key}: ")
        super().__init__(told.replace("{key}", key))
        self.complaint, self.key = complaint, key


class Section(BaseModel):
    """A part of the configuration: strict, frozen, and telling errors in one sentence."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)

    def __init__(self, **values: Any) -> None:
        """Check the values.

        Raises:
            ConfigError: an unknown key, or a value of a wrong type or out of range.
        """
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _as_config_error(type(self), error.errors()[0]) from None


class TableConfig(Section):
    """The game that is learned."""

    num_players: Players | tuple[Players, ...] = 2
    """Seats of every table; or several sizes, such as [2, 6]: every rollout has as many tables of
    each of them, and one network learns them all."""
    seats: Players | None = None
    """Room for so many seats in the observations; without it, for those of the largest table. A
    network plays at all sizes that it was trained at."""
    rules: str = "full_tilt"
    """Preset of house rules."""
    house_rules: dict[str, int | bool | str | tuple[int, ...]] = {}
    """Fields of the house rules that differ from the preset."""
    stacks: int | tuple[int, ...] = 500
    """Chips of every seat at the start of every hand, or one number for each seat."""
    observation: Literal["features", "infostate"] = "features"
    """What the network sees."""
    win_chance: bool = False
    """Let it see its chance to win a showdown as well, worked out from all cards that it sees as if
    any hole cards of the others were equally likely. A run may be resumed with it that was begun
    without."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        try:
            for size in self.sizes:
                check_table(size, self.make_rules(), self.stacks)
            self.layout()
        except (ValueError, TypeError) as error:
            raise ConfigError(f"{{key}}: {error}") from None
        return self

    @property
    def sizes(self) -> tuple[int, ...]:
        """All sizes of tables, smallest first."""
        given = self.num_players
        return tuple(sorted({*given} if isinstance(given, tuple) else {given}))

    def layout(self) -> ObservationSpec:
        """The layout of the network's observations.

        Raises:
            ValueError: room for fewer seats than there are.
        """
        return spec(self.sizes[-1], self.observation, self.seats)

    def inputs(self) -> Inputs:
        """What the network is fed with."""
        return Inputs(self.layout(), self.win_chance)

    def make_rules(self) -> HouseRules:
        """The house rules.

        Raises:
            ValueError: an unknown preset or field, or a value out of range.
        """
        return HouseRules.preset(self.rules, **self.house_rules)


MOST_FRAMES = 4_000_000
"""Of a rollout, some 1 to 3 kB each: ninety times as many as any configuration here has."""


class PpoConfig(Section):
    """The learner: MaskablePPO. A frame is one decision of the learner, in any seat."""

    num_tables: Annotated[int, Field(ge=1)] = 512
    """Tables played at once."""
    steps: Annotated[int, Field(ge=1)] = 64
    """Decisions at every table between two updates."""
    minibatch: Annotated[int, Field(ge=2)] = 4096
    """Frames of a gradient step, or a few more or less: a rollout is divided evenly."""
    epochs: Annotated[int, Field(ge=1)] = 4
    """How often every frame is used in an update."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 5e-4
    """Step size of Adam at the start."""
    final_learning_rate: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Step size at the end of the frames. A last rollout that goes past it is learned from with a
    little less, but never with less than 0."""
    learning_rate_shape: Shape = "linear"
    """How it goes there: in a straight line ("linear"), along half a wave, which is slow at both
    ends ("cosine"), or not at all ("constant")."""
    clip_range: Annotated[float, Field(gt=0, le=1)] = 0.15
    """How far an update may move the chances of an action."""
    entropy: Annotated[float, Field(ge=0, le=1)] = 0.005
    """Weight of the entropy bonus at the start."""
    final_entropy: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Weight at the end; it falls, so that the bot stops trying things out."""
    entropy_shape: Shape = "linear"
    """How it goes there: as `learning_rate_shape`."""
    magnet: Annotated[float, Field(ge=0)] = 0.0
    """Weight of the KL divergence from the policy to an older copy of itself, the magnet, in the
    loss: magnetic mirror descent. 0 for none."""
    magnet_every: Annotated[int, Field(ge=1)] = 20
    """Updates between two renewals of the magnet; it is renewed at every checkpoint, too."""
    value_weight: Annotated[float, Field(ge=0)] = 0.5
    """Weight of the value loss."""
    gae_lambda: Annotated[float, Field(ge=0, le=1)] = 0.95
    """Lambda of the advantage estimate; the discount is 1."""
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    """Longest gradient, of the policy and of the value network apart."""
    critic: Literal["own", "all_cards"] = "own"
    """What the value network sees: what its seat sees, or the down cards of all who are in, too.
    The policy never sees them, and the value network plays no part after the training."""
    big_bets_per_reward: Annotated[float, Field(gt=0)] = 4.0
    """Big bets that a reward of 1 stands for: about one standard deviation of a hand's result, so
    that the value network learns numbers of unit size."""
    layers: tuple[Annotated[int, Field(ge=1)], ...] = (128, 128)
    """Widths of the hidden layers, of the policy and of the value network alike."""
    activation: Literal["relu", "tanh"] = "relu"
    """Between the layers."""
    products: Literal["float32", "bfloat16"] = "float32"
    """How the matrix products of the learning networks are worked out. "bfloat16" learns 2.7 times
    as fast on processors that have it, and is the same as "float32" on all others, so that equal
    weights can be had on one kind of processor only. The finished player always uses float32."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.minibatch > self.rollout:
            raise ConfigError(
                f"{{key}}: minibatch={self.minibatch} is more than the {self.rollout} frames of a "
                f"rollout, num_tables={self.num_tables} x steps={self.steps}."
            )
        if self.rollout > MOST_FRAMES:
            raise ConfigError(
                f"{{key}}: a rollout of num_tables={self.num_tables} x steps={self.steps} frames "
                f"is more than {MOST_FRAMES:,}, which take 4 to 12 GB; lower one of them."
            )
        return self

    @property
    def rollout(self) -> int:
        """Frames between two updates."""
        return self.num_tables * self.steps


class PoolConfig(Section):
    """Who sits in the seats that are not the learner's: fixed players, and snapshots of it."""

    self_share: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share of the hands in which all seats are the learner's. In each of the others 1 seat, or any
    number but all, each equally likely, goes to opponents, drawn independently."""
    copies_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of the hands with opponents in which all of these are one and the same player, as in
    a match of one seat against copies of another player."""
    baselines: dict[str, Annotated[float, Field(ge=0, le=1e9)]] = {
        "random": 1.0,
        "caller": 1.0,
        "raiser": 1.0,
        "scripted:tight": 4.0,
        "scripted:loose": 4.0,
    }
    """Fixed players and their weights among each other."""
    snapshot_share: Annotated[float, Field(ge=0, le=1)] = 0.4
    """Share of opponents that are snapshots, once there are any."""
    snapshot_every: Annotated[int, Field(ge=1)] = 4
    """Updates between two snapshots."""
    max_snapshots: Annotated[int, Field(ge=1)] = 16
    """Snapshots kept; see `OpponentPool` for which is dropped."""
    snapshots_in_play: Annotated[int, Field(ge=1)] = 3
    """Snapshots that play in one rollout: the newest, and others by chance."""
    priority_bb_per_100: Annotated[float, Field(gt=0)] | None = None
    """An opponent that wins so many BB/100 more than another is met e times as often, and an older
    snapshot chosen so for a rollout; None to go by the weights alone. See `OpponentPool`."""
    priority_floor: Annotated[float, Field(ge=0, le=1)] = 0.3
    """Share of the hands with opponents in which they are drawn by the weights alone."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not sum(self.baselines.values()) > 0:
            raise ConfigError("{key}: baselines must hold a player with a weight above 0.")
        return self


class RatingConfig(Section):
    """Duplicate matches against fixed players, on decks that training never deals."""

    opponents: Annotated[tuple[str, ...], Field(min_length=1)] = (
        "random",
        "caller",
        "raiser",
        "scripted:tight",
        "scripted:loose",
    )
    """Players that the learner is rated against."""
    every: Annotated[int, Field(ge=0)] = 20
    """Updates between two ratings while it trains; 0 for none."""
    decks: Annotated[int, Field(ge=2)] = 1000
    """Decks of each match while it trains."""
    final_decks: Annotated[int, Field(ge=2)] = 20_000
    """Decks of each match at the end."""
    snapshots: Annotated[int, Field(ge=0)] = 1
    """How many of the newest snapshots it is rated against, too."""
    num_players: tuple[Players, ...] = ()
    """Sizes of tables to rate at, one seat against copies of the opponent; empty for all that are
    trained at."""


class TrainingConfig(Section):
    """A training run."""

    name: Annotated[str, Field(pattern=r"^[\w.-]*[\w-][\w.-]*$")] = "run"
    """Name of the run's folder, not of dots alone; a number is added if it is taken."""
    runs: str = "runs"
    """Folder of all runs."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    """Decides everything that is left to chance."""
    frames: Annotated[int, Field(ge=1)] = 1_000_000
    """Decisions to learn from, rounded up to whole rollouts."""
    threads: Annotated[int, Field(ge=1)] = 1
    """Threads of PyTorch. More help only on cores that are free: on busy ones two were ten times
    slower than one. Equal seeds give equal weights for equal numbers of threads."""
    blocks: Annotated[int, Field(ge=1)] = 1
    """Parts that a rollout is played in, each at num_tables / blocks tables with random streams of
    its own. With --ray they are what the workers of a cluster play at the same time: at least as
    many as there are workers. Another number gives other weights, the cluster does not."""
    checkpoint_every: Annotated[int, Field(ge=1)] = 50
    """Updates between two checkpoints. There all tables start new hands and all random numbers new
    streams, which depend on the seed and the frame, so that a run that is resumed there goes on as
    if it had never been interrupted."""
    table: TableConfig = TableConfig()
    ppo: PpoConfig = PpoConfig()
    pool: PoolConfig = PoolConfig()
    rating: RatingConfig = RatingConfig()

    @field_validator("runs")
    @classmethod
    def _check_folder(cls, runs: str) -> str:
        refuse_address(runs, "runs")
        return runs

    @model_validator(mode="after")
    def _check(self) -> Self:
        tables, sizes = self.ppo.num_tables, len(self.table.sizes)
        if tables % self.blocks or self.tables_per_block < sizes:
            raise ConfigError(
                f"{{key}}: blocks={self.blocks} must divide ppo.num_tables={tables} into equal "
                f"parts of at least {sizes} tables, one of each size."
            )
        if foreign := sorted({*self.rating.num_players} - {*self.table.sizes}):
            raise ConfigError(
                f"{{key}}: rated at tables of {foreign[0]} players, but trained only at those of "
                f"{', '.join(map(str, self.table.sizes))}: leave it out, or add to "
                "table.num_players.",
                "rating.num_players",
            )
        return self

    @property
    def rating_sizes(self) -> tuple[int, ...]:
        """Sizes of the tables that are rated at."""
        return self.rating.num_players or self.table.sizes

    @property
    def tables_per_block(self) -> int:
        """Tables that play one block of a rollout."""
        return self.ppo.num_tables // self.blocks


def refuse_address(path: str, option: str) -> None:
    """`refuse_url` where a run's folder is wanted.

    Raises:
        ConfigError: naming the address, as the value of this option.
    """
    try:
        refuse_url(path, option)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def load_config(path: Path) -> TrainingConfig:
    """The configuration in a YAML file.

    Raises:
        ConfigError: no such file, no YAML, an unknown key (with the nearest right one), or a value
            of a wrong type or out of range.
    """
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"The configuration {str(path)!r} cannot be read: {error.strerror}."
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())
        raise ConfigError(f"The configuration {path} is no YAML: {problem}.") from error
    if not isinstance(values, dict):
        raise ConfigError(f"The configuration {path} must be a mapping of keys to values.")
    try:
        return TrainingConfig(**as_written(values))
    except (ConfigError, TypeError) as error:
        raise ConfigError(f"{path}: {error}") from None


def dump_config(config: TrainingConfig) -> str:
    """The configuration as YAML that `load_config` reads back."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)


def as_written(value: Any) -> Any:
    """Lists as tuples; numbers such as 3e-4, which YAML 1.1 takes for text, as numbers."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(as_written(item) for item in value)
    if isinstance(value, str):
        return _as_number(value)
    return value


def _as_number(text: str) -> str | float:
    try:
        return float(text) if text[:1] in "0123456789+-." and "e" in text.lower() else text
    except ValueError:
        return text


def _as_config_error(section: type[Section], error: ErrorDetails) -> ConfigError:
    """The first thing that pydantic found, in words."""
    key = str(error["loc"][0]) if error["loc"] else ""
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, ConfigError):
        return ConfigError(cause.complaint, ".".join(part for part in (key, cause.key) if part))
    if error["type"] == "extra_forbidden":
        return ConfigError(
            f"There is no key '{{key}}'{nearest(key, list(section.model_fields))}.", key
        )
    complaint = error["msg"].removeprefix("Input ")
    return ConfigError(f"{{key}}={error['input']!r} {complaint}.", key)
