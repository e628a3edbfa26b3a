"""Self-play: the learner, its tables and opponents, put together from a configuration."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger, make_output_format

from agents.evaluation.cluster import Cluster
from agents.evaluation.match import rate
from agents.evaluation.result import MatchResult
from agents.global_randomness import global_randomness_kept
from agents.players.model_file import ModelCard
from agents.players.trained import PolicyPlayer, layers_of, policy_weights
from agents.training.acting import NotFinite, policy_options
from agents.training.actors import FarRooms
from agents.training.callbacks import (
    BetweenUpdates,
    EntropyDecay,
    Figures,
    FiniteGuard,
    Opponents,
    ProgressBar,
    TrainingDiverged,
    record_ratings,
)
from agents.training.checkpoints import RunFolder, make_card, rating_line
from agents.training.config import ConfigError, TrainingConfig
from agents.training.critic import TwoViewsPolicy
from agents.training.learner import SelfPlayPPO
from agents.training.logs import (
    RATING_COLUMNS,
    CsvLog,
    FigureWriter,
    WandbWriter,
    figure_columns,
)
from agents.training.pool import OpponentPool
from agents.training.rooms import Rooms, make_room
from agents.training.seat_buffer import SeatBuffer
from agents.training.tables import LearnersTables
from razz_env.envs.agent import check_players_fit
from razz_env.envs.opponents import resolve_agent


def make_seeds(seed: int, frames: int) -> dict[str, int]:
    """Independent seeds for all that is left to chance in a session that begins after `frames`.

    "learner" starts the generators of Python, NumPy and PyTorch that Stable-Baselines3 draws from,
    "tables" the deals and the opponents, "pool" the choice of snapshots.
    """
    names = ("learner", "tables", "pool")
    states = np.random.SeedSequence(seed, spawn_key=(frames,)).generate_state(len(names))
    return {name: int(state) for name, state in zip(names, states, strict=True)}


class SelfPlay:
    """One session of a run: tables, pool and learner, ready to learn.

    Attributes:
        config: of the run.
        folder: where it is saved.
        env: the tables.
        pool: the opponents.
        model: the learner.
    """

    def __init__(
        self,
        config: TrainingConfig,
        folder: RunFolder,
        frames: int = 0,
        *,
        wandb: bool = False,
        only_checkpoints: bool = False,
        cluster: Cluster | None = None,
    ) -> None:
        """Build everything for a session that begins after `frames` frames.

        Args:
            config: of the run.
            folder: where it is saved.
            frames: learned from in earlier sessions.
            wandb: send the figures to Weights & Biases, too.
            only_checkpoints: what ends the session early does not save; so it goes on from the last
                checkpoint, and ends as if it had never been interrupted.
            cluster: a Ray cluster that plays the rollouts; the weights are the same.

        Raises:
            ValueError: an unknown opponent, or one that cannot be sent to a cluster.
        """
        table, seeds = config.table, make_seeds(config.seed, frames)
        self.config, self.folder = config, folder
        self.pool = OpponentPool(config.pool, table.inputs(), table.sizes, config.ppo.activation)
        self.env = make_env(config, self.pool, cluster)
        self.model = make_learner(config, self.env, seeds["learner"])
        self._guard = FiniteGuard()
        self._seeds = seeds
        self._opponents = Opponents(self.env, self.pool, seeds["pool"])
        self._wandb, self._only_checkpoints = wandb, only_checkpoints

    def learn(self, *callbacks: BaseCallback) -> None:
        """Learn until the run has its frames, and save.

        Whatever ends it early, what was learned is saved first; but see `only_checkpoints`.

        Args:
            *callbacks: more of them, called after the run's own.

        Raises:
            TrainingDiverged: see `FiniteGuard`.
            FolderInUse: another training runs in the folder.
            ModelError: its figures are damaged.
            WorkerLost: too many workers of a cluster died over one block, or the cluster is gone.
            KeyboardInterrupt: as it came.
        """
        players = self.env if isinstance(self.env, FarRooms) else nullcontext()
        with self.folder.locked(), torch_threads(self.config.threads), players:
            self._learn_and_save(callbacks)

    def _learn_and_save(self, callbacks: Sequence[BaseCallback]) -> None:
        done, path = self.model.num_timesteps, self.folder.path
        columns = figure_columns(self.config)
        self._ratings = CsvLog(path / "ratings.csv", RATING_COLUMNS, done)
        self.model.set_logger(
            make_logger(self.folder, CsvLog(path / "progress.csv", columns, done), self._writers())
        )
        self.folder.begin(self.config, done, self._seeds)
        self.save()
        self._seed()
        bar, ended = ProgressBar(self.config.frames), False
        try:
            self._learn(self.config.frames - done, [*self._callbacks(), *callbacks, bar])
            ended = True
        except TrainingDiverged:
            ended = True
            raise
        finally:
            bar.close()
            try:
                self.model.logger.close()
            finally:
                if ended or not self._only_checkpoints:
                    self.save()

    def _writers(self) -> list[KVWriter]:
        return [WandbWriter(self.config, self.folder.path.name)] if self._wandb else []

    def restore(self) -> None:
        """Take up what an earlier session has saved.

        Raises:
            ModelError: damaged files, or a network of another shape.
        """
        frames = self.folder.restore(self.model, self.pool, self.config.table.inputs())
        self.model._n_updates = self.config.ppo.epochs * (frames // self.config.ppo.rollout)

    def save(self) -> None:
        """Save the model as it is now."""
        self.folder.save(self.model, self.pool, self.card())

    def card(self) -> ModelCard:
        """What the model was trained on up to now."""
        return make_card(self.config, self.env.batch, self.model.num_timesteps)

    def player(self, name: str = "learner") -> PolicyPlayer:
        """The policy of now as an agent. It plays without touching the learner's randomness."""
        table = self.config.table
        return PolicyPlayer(
            name,
            layers_of(policy_weights(self.model.policy.state_dict())),
            self.config.ppo.activation,
            table.inputs(),
            table.sizes[-1],
            table_sizes=table.sizes,
        )

    def rate(self) -> list[MatchResult]:
        """Rate the policy of now against the players of the configuration and snapshots."""
        return rate_player(
            self.config, self.player(), self.config.rating.decks, self.newest_snapshots()
        )

    def newest_snapshots(self) -> list[PolicyPlayer]:
        """The newest snapshots that are not the policy of now, as many as it is rated against."""
        frames, wanted = self.model.num_timesteps, self.config.rating.snapshots
        older = [player for taken, player in self.pool.snapshots.items() if taken < frames]
        return older[len(older) - wanted :] if wanted < len(older) else older

    def rate_at_length(self) -> list[MatchResult]:
        """Rate the saved model as the configuration says for the end; keep the ratings.

        They take the place of those of a rating at the end that was cut short.
        """
        frames = self.model.num_timesteps
        name = f"ppo:{self.folder.model_path}"
        config = self.config
        results = rate_player(config, name, config.rating.final_decks, self.newest_snapshots())
        with self.folder.locked():
            log = CsvLog(self.folder.path / "ratings.csv", RATING_COLUMNS, frames - 1)
            for result in results:
                log.add(rating_line(frames, result))
            self.folder.finish(frames, results)
        return results

    def _seed(self) -> None:
        """Start all streams of random numbers here, and give up the hands in play."""
        self._opponents.restart(self._seeds["pool"])
        self.model.restart(self._seeds["learner"])
        self.env.seed(self._seeds["tables"])
        self.env.reset()

    def _learn(self, frames: int, callbacks: list[BaseCallback]) -> None:
        self.model._last_obs = np.zeros(0, np.float32)  # without any it would deal anew
        try:
            self.model.learn(frames, callbacks, reset_num_timesteps=False)
            self._guard.check()
        except NotFinite:
            self._guard.check()
            raise

    def _callbacks(self) -> list[BaseCallback]:
        config, ppo = self.config, self.config.ppo

        def every(updates: int, act: Callable[[int], None]) -> BetweenUpdates:
            return BetweenUpdates(updates, ppo.rollout, act)

        return [
            self._guard,
            every(config.pool.snapshot_every, self._add_snapshot),
            every(config.rating.every, self._note_ratings),
            every(config.checkpoint_every, self._note_checkpoint),
            self._opponents,
            EntropyDecay(schedule(ppo.entropy, ppo.final_entropy, ppo.entropy_shape)),
            Figures(self.env, self.pool),
        ]

    def _add_snapshot(self, frames: int) -> None:
        self.pool.add(frames, self.model.policy.state_dict())

    def _note_ratings(self, frames: int) -> None:
        results = self.rate()
        for result in results:
            self._ratings.add(rating_line(frames, result))
        record_ratings(self.model, self.config, results)

    def _note_checkpoint(self, frames: int) -> None:
        """Save, and go on as a session that is resumed from here would.

        The checkpoint comes first: after a kill in between, the run goes on from before it and
        makes it again.
        """
        self.folder.save_checkpoint(self.model, self.card())
        self.save()
        self._seeds = make_seeds(self.config.seed, frames)
        self._seed()


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """PyTorch with so many threads, for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def check_players(config: TrainingConfig, cluster: Cluster | None = None) -> None:
    """Refuse before the training what could not be played against or rated after it.

    Raises:
        ConfigError: a player that cannot be made, or that remembers hands where rollouts are
            played in blocks, naming the key.
    """
    in_blocks = config.blocks > 1 or cluster is not None
    players = {
        "pool.baselines": (config.pool.baselines, config.table.sizes),
        "rating.opponents": (config.rating.opponents, config.rating_sizes),
    }
    for key, (names, sizes) in players.items():
        for name in names:
            try:
                player = resolve_agent(name)
            except (ValueError, ModuleNotFoundError) as error:
                raise ConfigError(f"{{key}}: {error}", key) from error
            if in_blocks and key == "pool.baselines" and hasattr(player, "reset"):
                raise ConfigError(
                    f"{{key}}: the player {name!r} remembers earlier hands, and blocks that are "
                    "played apart cannot share that: leave out --ray and set blocks to 1.",
                    key,
                )
            for size in sizes:
                try:
                    check_players_fit([player], size)
                except ValueError as error:
                    raise ConfigError(f"{{key}}: {error}", key) from error


def make_env(
    config: TrainingConfig, pool: OpponentPool, cluster: Cluster | None = None
) -> LearnersTables:
    """The tables of a run, with the pool's fixed players.

    Raises:
        ValueError: a player that cannot be sent to a cluster.
    """
    if cluster is not None:
        return FarRooms(config, pool, cluster)
    rooms = [make_room(config, pool.baselines) for _ in range(config.blocks)]
    return rooms[0] if len(rooms) == 1 else Rooms(rooms)


def make_learner(config: TrainingConfig, env: LearnersTables, seed: int) -> SelfPlayPPO:
    """The learner as the configuration says.

    Its first weights come from PyTorch's global generator, which is put back afterwards.
    """
    with global_randomness_kept():
        torch.manual_seed(seed)
        return _make_learner(config, env, seed)


def _make_learner(config: TrainingConfig, env: LearnersTables, seed: int) -> SelfPlayPPO:
    ppo = config.ppo
    learner = SelfPlayPPO(
        TwoViewsPolicy,
        env,
        learning_rate=schedule(ppo.learning_rate, ppo.final_learning_rate, ppo.learning_rate_shape),
        n_steps=ppo.steps,
        batch_size=ppo.minibatch,
        n_epochs=ppo.epochs,
        gamma=1.0,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value_weight,
        max_grad_norm=ppo.max_grad_norm,
        policy_kwargs=policy_options(config),
        rollout_buffer_class=SeatBuffer,
        rollout_buffer_kwargs={"num_players": env.batch.num_players},
        magnet_weight=ppo.magnet,
        magnet_every=ppo.magnet_every,
        products=ppo.products,
        device="cpu",
    )
    learner.restart(seed)
    return learner


def schedule(start: float, end: float, shape: str) -> Callable[[float], float]:
    """A number that goes from start to end over a run, by the share of the run that is left.

    The last rollout goes past the frames that were asked for, and its share is below 0: there a
    line goes on beyond its end, but not below 0, where an update would undo what was learned.
    """
    if shape == "constant":
        return lambda _: start
    if shape == "cosine":
        return lambda left: end + (start - end) * (1 - math.cos(math.pi * left)) / 2
    return lambda left: max(0.0, end + (start - end) * left)


def make_logger(folder: RunFolder, log: CsvLog, more: Sequence[KVWriter] = ()) -> Logger:
    """Figures to a CSV file, to TensorBoard, and to whatever else wants them."""
    path = Path(folder.path)
    tensorboard = make_output_format("tensorboard", str(path / "tensorboard"), f"_{folder.session}")
    return Logger(str(path), [FigureWriter(log), tensorboard, *more])


def rate_player(
    config: TrainingConfig,
    player: PolicyPlayer | str,
    decks: int,
    snapshots: Sequence[PolicyPlayer] = (),
) -> list[MatchResult]:
    """Duplicate matches at the run's tables, on decks that depend on the run's seed alone."""
    table = config.table
    return [
        result
        for size in config.rating_sizes
        for result in rate(
            player,
            [*config.rating.opponents, *snapshots],
            decks,
            config.seed,
            table.make_rules(),
            table.stacks,
            size,
        )
    ]
