"""Self-play: the learner, its tables and opponents, put together from a configuration."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, make_output_format
from stable_baselines3.common.utils import LinearSchedule

from agents.evaluation.match import rate
from agents.evaluation.result import MatchResult
from agents.players.model_file import ModelCard
from agents.players.trained import ACTIVATIONS, PolicyPlayer, layers_of
from agents.training.callbacks import (
    BetweenUpdates,
    EntropyDecay,
    Figures,
    FiniteGuard,
    Opponents,
    ProgressBar,
    record_ratings,
)
from agents.training.checkpoints import RunFolder, make_card
from agents.training.config import ConfigError, TrainingConfig
from agents.training.pool import OpponentPool
from razz_env.envs.opponents import resolve_agent
from razz_env.envs.sb3 import RazzVecEnv
from razz_env.observation import spec


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

    def __init__(self, config: TrainingConfig, folder: RunFolder, frames: int = 0) -> None:
        """Build everything for a session that begins after `frames` frames.

        Raises:
            ValueError: an unknown opponent.
        """
        table, seeds = config.table, make_seeds(config.seed, frames)
        layout = spec(table.num_players, table.observation)
        self.config, self.folder = config, folder
        self.pool = OpponentPool(config.pool, layout, table.num_players, config.ppo.activation)
        self.env = make_env(config, self.pool)
        self.model = make_learner(config, self.env, seeds["learner"])
        self._guard = FiniteGuard()
        self._seeds = seeds

    def learn(self, *callbacks: BaseCallback) -> None:
        """Learn until the run has its frames, and save.

        Whatever ends it early, what was learned is saved first.

        Args:
            *callbacks: more of them, called after the run's own.

        Raises:
            TrainingDiverged: see `FiniteGuard`.
            KeyboardInterrupt: as it came.
        """
        done = self.model.num_timesteps
        self.folder.begin(self.config, done, self._seeds)
        self.save()
        self.model.set_logger(make_logger(self.folder))
        self._seed()
        bar = ProgressBar(self.config.frames)
        try:
            with torch_threads(self.config.threads):
                self._learn(self.config.frames - done, [*self._callbacks(), *callbacks, bar])
        finally:
            bar.close()
            self.save()

    def save(self) -> None:
        """Save the model as it is now."""
        self.folder.save(self.model, self.pool, self.card())

    def card(self) -> ModelCard:
        """What the model was trained on up to now."""
        return make_card(self.config, self.env.batch, self.model.num_timesteps)

    def player(self, name: str = "learner") -> PolicyPlayer:
        """The policy of now as an agent. It plays without touching the learner's randomness."""
        table = self.config.table
        weights = {k: v.numpy().copy() for k, v in self.model.policy.state_dict().items()}
        layout = spec(table.num_players, table.observation)
        activation = self.config.ppo.activation
        return PolicyPlayer(name, layers_of(weights), activation, layout, table.num_players)

    def rate(self) -> list[MatchResult]:
        """Rate the policy of now against the players of the configuration."""
        return rate_player(self.config, self.player(), self.config.rating.decks)

    def _seed(self) -> None:
        """Start all streams here, whatever has drawn from the global ones since the building."""
        self.model.set_random_seed(self._seeds["learner"])
        self.env.seed(self._seeds["tables"])

    def _learn(self, frames: int, callbacks: list[BaseCallback]) -> None:
        self.model._last_obs = None
        try:
            self.model.learn(frames, callbacks, reset_num_timesteps=False)
            self._guard.check()
        except ValueError:
            # PyTorch's distributions meet numbers that are not finite before the guard does.
            self._guard.check()
            raise

    def _callbacks(self) -> list[BaseCallback]:
        config = self.config
        return [
            self._guard,
            BetweenUpdates(config.pool.snapshot_every, self._add_snapshot),
            Opponents(self.env, self.pool, self._seeds["pool"]),
            EntropyDecay(config.ppo.entropy, config.ppo.final_entropy),
            Figures(self.env),
            BetweenUpdates(config.rating.every, self._note_ratings),
            BetweenUpdates(config.checkpoint_every, self._note_checkpoint),
        ]

    def _add_snapshot(self, frames: int) -> None:
        self.pool.add(frames, self.model.policy.state_dict())

    def _note_ratings(self, frames: int) -> None:
        results = self.rate()
        self.folder.add_ratings(frames, results)
        record_ratings(self.model, results)

    def _note_checkpoint(self, _frames: int) -> None:
        self.save()
        self.folder.save_checkpoint(self.model, self.card())


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """PyTorch with so many threads, for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def check_players(config: TrainingConfig) -> None:
    """Refuse before the training what could not be played against or rated after it.

    Raises:
        ConfigError: a player that cannot be made, naming the key.
    """
    players = {"pool.baselines": config.pool.baselines, "rating.opponents": config.rating.opponents}
    for key, names in players.items():
        for name in names:
            try:
                player = resolve_agent(name)
            except (ValueError, ModuleNotFoundError) as error:
                raise ConfigError(f"{{key}}: {error}", key) from error
            seats = getattr(player, "num_players", config.table.num_players)
            if seats != config.table.num_players:
                raise ConfigError(
                    f"{{key}}: {name!r} plays at tables of {seats}, not of "
                    f"{config.table.num_players}.",
                    key,
                )


def make_env(config: TrainingConfig, pool: OpponentPool) -> RazzVecEnv:
    """The tables of a run, with the pool's fixed players."""
    table, ppo = config.table, config.ppo
    return RazzVecEnv(
        ppo.num_tables,
        table.num_players,
        pool.baselines,
        rules=table.make_rules(),
        stacks=table.stacks,
        observation=table.observation,
        big_bets_per_reward=ppo.big_bets_per_reward,
    )


def make_learner(config: TrainingConfig, env: RazzVecEnv, seed: int) -> MaskablePPO:
    """MaskablePPO as the configuration says. It seeds the global generators that it draws from."""
    ppo = config.ppo
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=LinearSchedule(ppo.learning_rate, ppo.final_learning_rate, 1.0),
        n_steps=ppo.steps,
        batch_size=ppo.minibatch,
        n_epochs=ppo.epochs,
        gamma=1.0,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value_weight,
        max_grad_norm=ppo.max_grad_norm,
        policy_kwargs={
            "net_arch": list(ppo.layers),
            "activation_fn": ACTIVATIONS[ppo.activation],
        },
        seed=seed,
        device="cpu",
    )


def make_logger(folder: RunFolder) -> Logger:
    """Figures to TensorBoard and to a CSV file of this session."""
    suffix = f"_{folder.session}"
    path = Path(folder.path)
    return Logger(
        str(path),
        [
            make_output_format("csv", str(path), suffix),
            make_output_format("tensorboard", str(path / "tensorboard"), suffix),
        ],
    )


def rate_player(
    config: TrainingConfig, player: PolicyPlayer | str, decks: int
) -> list[MatchResult]:
    """Duplicate matches at the run's table, on decks that depend on the run's seed alone."""
    table = config.table
    return rate(
        player,
        config.rating.opponents,
        decks,
        config.seed,
        table.make_rules(),
        table.stacks,
        table.num_players,
    )
