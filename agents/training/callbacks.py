"""What happens between the updates of a run: opponents, guards, figures, ratings, the bar."""

import copy
import sys
from collections.abc import Callable, Sequence

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from agents.evaluation.result import MatchResult
from agents.training.pool import OpponentPool
from razz_env.envs.sb3 import RazzVecEnv


class TrainingDiverged(RuntimeError):
    """The network has numbers that are not finite; the model holds the last good ones again."""


class BetweenUpdates(BaseCallback):
    """Calls `act` with the number of frames so far, after every `every` updates; 0 for never."""

    def __init__(self, every: int, act: Callable[[int], None]) -> None:
        super().__init__()
        self._every, self._act = every, act
        self._updates = 0

    def _on_rollout_start(self) -> None:
        if self._every and self._updates and self._updates % self._every == 0:
            self._act(self.num_timesteps)
        self._updates += 1

    def _on_step(self) -> bool:
        return True


class Opponents(BaseCallback):
    """Draws the opponents of every rollout."""

    def __init__(self, env: RazzVecEnv, pool: OpponentPool, seed: int) -> None:
        super().__init__()
        self._env, self._pool = env, pool
        self._rng = np.random.default_rng(seed)

    def _on_rollout_start(self) -> None:
        self._env.set_opponents(*self._pool.draw(self._rng))

    def _on_step(self) -> bool:
        return True


class EntropyDecay(BaseCallback):
    """Lets the weight of the entropy bonus fall in a straight line over the run."""

    def __init__(self, start: float, end: float) -> None:
        super().__init__()
        self._start, self._end = start, end

    def _on_rollout_start(self) -> None:
        learner = self.model
        assert isinstance(learner, MaskablePPO)
        left = 1 - learner.num_timesteps / learner._total_timesteps
        learner.ent_coef = self._end + left * (self._start - self._end)

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
        if all(bool(torch.isfinite(tensor).all()) for tensor in state.values()):
            self._good = copy.deepcopy(state)
            return
        self.model.policy.load_state_dict(self._good)
        raise TrainingDiverged(
            f"The network's weights stopped being finite near frame {self.num_timesteps:,}; the "
            "last good ones are kept. A smaller ppo.learning_rate or ppo.clip_range may help."
        )


class Figures(BaseCallback):
    """Records what the learner wins, and how often it chose an illegal action (never, or a bug)."""

    def __init__(self, env: RazzVecEnv) -> None:
        super().__init__()
        self._env = env
        self._illegal = 0
        self._hands, self._big_bets = 0, 0.0

    def _on_step(self) -> bool:
        masks, actions = self.locals["action_masks"], self.locals["actions"]
        self._illegal += int((~masks[np.arange(len(actions)), actions.reshape(-1)]).sum())
        return True

    def _on_rollout_end(self) -> None:
        env = self._env
        hands, big_bets = env.finished_hands, env.finished_big_bets
        won = (big_bets - self._big_bets) / max(hands - self._hands, 1)
        self.logger.record("rollout/bb_per_100", 100 * won)
        self.logger.record("rollout/hands", hands)
        self.logger.record("rollout/skipped_hands", env.skipped_hands)
        self.logger.record("rollout/illegal_actions", self._illegal)
        self._hands, self._big_bets = hands, big_bets


class ProgressBar(BaseCallback):
    """A bar with frames, frames per second and time left; nothing where errors go to a file."""

    def __init__(self, frames: int, shown: bool | None = None) -> None:
        super().__init__()
        self._frames = frames
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

    def _on_step(self) -> bool:
        self._bar.update(self.training_env.num_envs)
        return True

    def close(self) -> None:
        """Leave the bar as it stands."""
        bar = getattr(self, "_bar", None)
        if bar is not None:
            bar.close()


def record_ratings(model: MaskablePPO, results: Sequence[MatchResult]) -> None:
    """Hand ratings to the model's logger, as "rating/<opponent>"."""
    for result in results:
        model.logger.record(f"rating/{result.opponent.replace(':', '_')}", result.bb_per_100)
