"""What happens between the updates of a run: opponents, guards, figures, ratings, the bar."""

import copy
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from agents.evaluation.result import MatchResult
from agents.evaluation.style import Counts, shares
from agents.players.trained import is_finite
from agents.training.config import TrainingConfig
from agents.training.learner import SelfPlayPPO
from agents.training.logs import STREET_NAMES, STYLE_KEYS, plain, rating_key
from agents.training.pool import OpponentPool
from agents.training.seat_buffer import SeatBuffer
from agents.training.tables import LearnersTables


class TrainingDiverged(RuntimeError):
    """The network has numbers that are not finite; the model holds the last good ones again."""


class BetweenUpdates(BaseCallback):
    """Calls `act` with the number of frames so far, after every `every` updates; 0 for never.

    Updates are counted from the start of the run, whatever session made them, by its frames.
    """

    def __init__(self, every: int, rollout: int, act: Callable[[int], None]) -> None:
        super().__init__()
        self._every, self._rollout, self._act = every, rollout, act

    def _on_training_start(self) -> None:
        self._began = self.num_timesteps

    def _on_rollout_start(self) -> None:
        updates = self.num_timesteps // self._rollout
        if self._every and self.num_timesteps > self._began and updates % self._every == 0:
            self._act(self.num_timesteps)

    def _on_step(self) -> bool:
        return True


class Opponents(BaseCallback):
    """Draws the opponents of every rollout, and notes what they have won in it."""

    def __init__(self, env: LearnersTables, pool: OpponentPool, seed: int) -> None:
        super().__init__()
        self._env, self._pool = env, pool
        self._rng = np.random.default_rng(seed)

    def restart(self, seed: int) -> None:
        """Start the random stream of the draws here, and draw."""
        self._rng = np.random.default_rng(seed)
        self._draw()

    def _on_rollout_start(self) -> None:
        self._draw()

    def _draw(self) -> None:
        self._env.set_opponents(*self._pool.draw(self._rng))

    def _on_rollout_end(self) -> None:
        self._pool.note(self._env.report.opponents)

    def _on_step(self) -> bool:
        return True


class EntropyDecay(BaseCallback):
    """Changes the weight of the entropy bonus over the run, by the share of it that is left."""

    def __init__(self, schedule: Callable[[float], float]) -> None:
        super().__init__()
        self._schedule = schedule

    def _on_rollout_start(self) -> None:
        learner = self.model
        assert isinstance(learner, MaskablePPO)
        left = 1 - learner.num_timesteps / learner._total_timesteps
        learner.ent_coef = self._schedule(left)

    def _on_step(self) -> bool:
        return True


class FiniteGuard(BaseCallback):
    """Stops a run whose weights are not finite any more, and puts back the last good ones."""

    def _on_training_start(self) -> None:
        self._good = copy.deepcopy(self.model.policy.state_dict())

    def _on_rollout_start(self) -> None:
        self.check()

    def _on_step(self) -> bool:
        return True

    def check(self) -> None:
        """Look at the weights of now.

        Raises:
            TrainingDiverged: some are not finite; the weights after the last good update are back.
        """
        if not hasattr(self, "_good"):
            return  # nothing has been learned yet
        state = self.model.policy.state_dict()
        if is_finite(state):
            self._good = copy.deepcopy(state)
            return
        self.model.policy.load_state_dict(self._good)
        raise TrainingDiverged(
            f"The network's weights stopped being finite near frame {self.num_timesteps:,}; the "
            "last good ones are kept. A smaller ppo.learning_rate or ppo.clip_range may help."
        )


class Figures(BaseCallback):
    """Records what the learner wins and how it plays at the tables, by street."""

    def __init__(self, env: LearnersTables, pool: OpponentPool) -> None:
        super().__init__()
        self._env, self._pool = env, pool

    def _on_training_start(self) -> None:
        self._since = time.perf_counter()
        self._frames, self._styles = self.num_timesteps, self._env.report.styles

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        report, record = self._env.report, self.logger.record
        learner = self.model
        assert isinstance(learner, SelfPlayPPO)
        hands, won = report.learner
        record("rollout/bb_per_100", 100 * won / max(hands, 1))
        record("rollout/hands", report.finished_hands)
        record("rollout/held_decisions", learner.rollout_buffer.held)
        record("rollout/illegal_actions", 0)  # or the run has stopped: `IllegalChoice`
        for name in (agent.name for agent in self._pool.baselines):
            record(f"pool/{plain(name)}", -self._pool.bb_per_100(name))
        record("pool/snapshots", -self._snapshots())
        self._record_streets(learner.rollout_buffer, report.styles)
        self._record_speed()

    def _snapshots(self) -> float:
        names = [snapshot.name for snapshot in self._pool.snapshots.values()]
        return float(np.mean([self._pool.bb_per_100(name) for name in names])) if names else 0.0

    def _record_streets(self, buffer: SeatBuffer, styles: Counts) -> None:
        """Entropy and style of the learner's decisions on every street."""
        figures = shares((styles - self._styles)[0])
        self._styles = styles
        for number, street in enumerate(STREET_NAMES):
            there = buffer.entropies[buffer.streets == number]
            if len(there):
                self.logger.record(f"entropy/{street}", float(there.mean()))
            for key in STYLE_KEYS:
                share = figures[key][number]
                if share is not None:
                    self.logger.record(f"style/{key}_{street}", share)

    def _record_speed(self) -> None:
        """Frames a second since the last rollout, with its update and all that was between."""
        now = time.perf_counter()
        speed = (self.num_timesteps - self._frames) / max(now - self._since, 1e-9)
        self.logger.record("time/frames_per_second", speed)
        self._since, self._frames = now, self.num_timesteps


class ProgressBar(BaseCallback):
    """A bar with frames, speed and time left; where errors go to a file, a line every minute."""

    def __init__(
        self, frames: int, shown: bool | None = None, seconds_per_line: float = 60.0
    ) -> None:
        super().__init__()
        self._frames, self._seconds_per_line = frames, seconds_per_line
        self._hidden = not (sys.stderr.isatty() if shown is None else shown)

    def _on_training_start(self) -> None:
        self._bar = tqdm(
            total=self._frames,
            initial=self.num_timesteps,
            unit=" frames",
            unit_scale=True,
            smoothing=0.05,
            disable=self._hidden,
        )
        self._began = self._told = time.monotonic()
        self._from = self._shown = self.num_timesteps

    def _on_step(self) -> bool:
        self._bar.update(self.num_timesteps - self._shown)
        self._shown = self.num_timesteps
        now = time.monotonic()
        if self._hidden and now - self._told >= self._seconds_per_line:
            self._told = now
            self._tell(now - self._began)
        return True

    def _tell(self, seconds: float) -> None:
        """A line about how far the run is, after so many seconds of this session."""
        done, total = self.num_timesteps, self._frames
        speed = (done - self._from) / max(seconds, 1e-9)
        seconds_left = (total - done) / speed
        left = f"{seconds_left / 60:.0f} min" if seconds_left >= 90 else f"{seconds_left:.0f} s"
        print(
            f"Frame {done:,} of {total:,} ({done / total:.0%}), {speed:,.0f} frames/s, about "
            f"{left} left",
            file=sys.stderr,
            flush=True,
        )

    def close(self) -> None:
        """Leave the bar as it stands."""
        bar = getattr(self, "_bar", None)
        if bar is not None:
            bar.close()


def record_ratings(
    model: MaskablePPO, config: TrainingConfig, results: Sequence[MatchResult]
) -> None:
    """Hand ratings to the model's logger; those against snapshots as one, their mean."""
    snapshots: dict[str, list[float]] = {}
    for result in results:
        is_snapshot = result.opponent.startswith("snapshot:")
        name = "snapshot" if is_snapshot else result.opponent
        key = rating_key(config, name, result.num_players)
        if is_snapshot:
            snapshots.setdefault(key, []).append(result.bb_per_100)
        else:
            model.logger.record(key, result.bb_per_100)
    for key, values in snapshots.items():
        model.logger.record(key, float(np.mean(values)))
