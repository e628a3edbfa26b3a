"""The learner of self-play: MaskablePPO whose decisions come from all seats of a table."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance
from torch import Tensor, nn
from torch.nn import functional

from agents.training.critic import clip_gradients, parameters_of
from agents.training.seat_buffer import Choices, SeatBuffer
from agents.training.tables import SelfPlayTables
from razz_env._jit import kernel
from razz_env.envs.tables import Floats, Ints

HUGE_NEGATIVE = -1e9
"""The score of an illegal action; its probability is exactly 0, whatever the others' scores."""


class NotFinite(ValueError):
    """The network has answered with numbers that are not finite."""


class IllegalChoice(RuntimeError):
    """The learner has chosen an action that is not legal: a bug, and the run stops."""


class Losses(NamedTuple):
    """What is recorded of a gradient step, each a number."""

    policy: float
    value: float
    entropy: float
    magnet: float
    approx_kl: float
    clip_fraction: float


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO for `SelfPlayTables`: its policy, optimiser and losses, with a `SeatBuffer`.

    The gradients of policy and value network, which share no parameters, are clipped apart. It
    draws actions and minibatches from a NumPy generator of its own. Probabilities are checked
    at every step: scores that are not finite raise `NotFinite`.

    Magnet: with `magnet_weight` above 0 the loss has a term more, the weight times the KL
    divergence from the policy to a reference, the magnet: a copy of the policy, made anew every
    `magnet_every` updates. Source: Sokota et al., "A unified approach to reinforcement learning,
    quantal response equilibria, and two-player zero-sum games", 2023 (magnetic mirror descent).

    Attributes:
        magnet_weight: of the KL divergence; may be changed between updates.
        magnet: the reference policy: its hidden layers and the last one; or None.
    """

    rollout_buffer: SeatBuffer
    magnet: nn.Sequential | None

    def __init__(
        self,
        *args: Any,
        magnet_weight: float = 0.0,
        magnet_every: int = 20,
        products: str = "float32",
        **kwargs: Any,
    ) -> None:
        """As `MaskablePPO`; see the class for the magnet, and `matrix_products` for `products`."""
        self._products = products
        super().__init__(*args, **kwargs)
        self.magnet_weight, self.magnet_every = magnet_weight, magnet_every
        self.restart(0 if self.seed is None else self.seed)

    def restart(self, seed: int) -> None:
        """Start the random streams here; forget the magnet and decisions that are held over."""
        actions, minibatches = np.random.SeedSequence(seed).generate_state(2)
        self._rng = np.random.default_rng(int(actions))
        self.magnet = None
        self.rollout_buffer.restart(int(minibatches))

    def collect_rollouts(
        self,
        env: Any,
        callback: BaseCallback,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play until every table has had `n_rollout_steps` decisions; False if a callback stops.

        Raises:
            NotFinite, IllegalChoice: see there.
        """
        assert isinstance(env, SelfPlayTables)
        buffer: SeatBuffer = rollout_buffer
        self.policy.set_training_mode(False)
        buffer.reset()
        callback.on_rollout_start()
        for _ in range(n_rollout_steps):
            turn = env.turn()
            choices = self._choose(turn.observations, turn.masks)
            buffer.add_decisions(turn, choices)
            ended, rewards = env.play(choices.actions)
            buffer.add_results(ended, rewards)
            self.num_timesteps += env.num_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        turn = env.turn()
        buffer.settle(turn, self._scores(turn.observations)[1])
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Update policy and value network with the rollout, as PPO does; see the class."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip_range = float(self.clip_range(self._current_progress_remaining))  # type: ignore[operator]
        buffer = self.rollout_buffer
        self._renew_magnet()
        losses: list[Losses] = []
        size = self.batch_size or buffer.num_samples
        for _ in range(self.n_epochs):
            losses += [self._step(rows, clip_range) for rows in buffer.batches(size)]
            self._n_updates += 1
        self._record(losses[-len(losses) // self.n_epochs :], losses, clip_range)

    def _step(self, rows: Ints, clip_range: float) -> Losses:
        """One gradient step."""
        with matrix_products(self._products):
            return self._descend(rows, clip_range)

    def _descend(self, rows: Ints, clip_range: float) -> Losses:
        batch = self.rollout_buffer.samples(rows)
        policy = self.policy
        latent_policy, latent_value = policy.mlp_extractor(batch.observations)
        log_probs = log_probabilities(policy.action_net(latent_policy), batch.action_masks)
        values = policy.value_net(latent_value).flatten()
        chosen = log_probs.gather(1, batch.actions).flatten()
        log_ratio = chosen - batch.old_log_prob
        policy_loss = _surrogate(log_ratio, batch.advantages, clip_range)
        value_loss = functional.mse_loss(values, batch.returns)
        entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
        loss = policy_loss + self.vf_coef * value_loss - self.ent_coef * entropy
        magnet_loss = 0.0
        if self.magnet is not None and self.magnet_weight > 0:
            seen = batch.observations[:, : policy.mlp_extractor.seen]
            away = self._away_from_magnet(seen, batch.action_masks, log_probs)
            loss = loss + self.magnet_weight * away
            magnet_loss = away.item()
        if not torch.isfinite(loss):
            raise NotFinite("The loss is no finite number.")
        policy.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        clip_gradients(parameters_of(policy), self.max_grad_norm)
        policy.optimizer.step()
        with torch.no_grad():
            ratio = log_ratio.exp()
            approx_kl = (ratio - 1 - log_ratio).mean().item()
            clipped = ((ratio - 1).abs() > clip_range).float().mean().item()
        return Losses(
            policy_loss.item(), value_loss.item(), entropy.item(), magnet_loss, approx_kl, clipped
        )

    def _renew_magnet(self) -> None:
        """Make the magnet a copy of the policy, if it is time to."""
        if self.magnet_weight <= 0:
            return
        updates = self._n_updates // self.n_epochs
        if self.magnet is None or updates % self.magnet_every == 0:
            self.magnet = nn.Sequential(
                copy.deepcopy(self.policy.mlp_extractor.policy_net),
                copy.deepcopy(self.policy.action_net),
            )

    def _away_from_magnet(self, observations: Tensor, masks: Tensor, log_probs: Tensor) -> Tensor:
        """Mean KL divergence from the policy to the magnet."""
        assert self.magnet is not None
        with torch.no_grad():
            reference = log_probabilities(self.magnet(observations), masks)
        # Illegal actions have probability 0 in both.
        return (log_probs.exp() * (log_probs - reference)).sum(dim=1).mean()

    def _choose(self, observations: Floats, masks: NDArray[np.int8]) -> Choices:
        """Draw an action at every table."""
        scores, values = self._scores(observations)
        count = len(scores)
        choices = Choices(
            np.zeros(count, np.int64),
            np.zeros(count, np.float32),
            values,
            np.zeros(count, np.float32),
        )
        draw(scores, masks, self._rng.random(count), choices)
        legal = masks[np.arange(count), choices.actions] == 1
        if not legal.all():
            raise IllegalChoice(
                f"The learner chose {np.count_nonzero(~legal)} illegal actions near frame "
                f"{self.num_timesteps:,}. That is a bug in razz_env: please report it."
            )
        return choices

    def _scores(self, observations: Floats) -> tuple[Floats, Floats]:
        """Scores float32[N, 7] and values float32[N] of observations float32[N, D]."""
        with torch.no_grad(), matrix_products(self._products):
            latent_policy, latent_value = self.policy.mlp_extractor(torch.from_numpy(observations))
            scores: Floats = self.policy.action_net(latent_policy).numpy()
            values: Floats = self.policy.value_net(latent_value).numpy().reshape(-1)
        if not (np.isfinite(scores).all() and np.isfinite(values).all()):
            raise NotFinite("The network's answers are no finite numbers.")
        return scores, values

    def _record(self, last: list[Losses], losses: list[Losses], clip_range: float) -> None:
        buffer, record = self.rollout_buffer, self.logger.record
        mean = Losses(*np.mean(losses, axis=0).tolist())
        record("train/entropy_loss", -mean.entropy)
        record("train/policy_gradient_loss", mean.policy)
        record("train/value_loss", mean.value)
        record("train/approx_kl", float(np.mean([step.approx_kl for step in last])))
        record("train/clip_fraction", mean.clip_fraction)
        record("train/magnet_kl", mean.magnet)
        returns = buffer.column("returns")
        record("train/explained_variance", explained_variance(buffer.column("values"), returns))
        record("train/n_updates", self._n_updates, exclude="tensorboard")
        record("train/clip_range", clip_range)
        record("train/entropy_weight", self.ent_coef)


@contextmanager
def matrix_products(kind: str) -> Iterator[None]:
    """Work out products of float32 matrices as they are, or of numbers cut to bfloat16.

    Sums are float32 either way. Only processors with instructions for it have bfloat16 products;
    on others "bfloat16" is float32.
    """
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium" if kind == "bfloat16" else "highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def log_probabilities(scores: Tensor, masks: Tensor) -> Tensor:
    """Log-probabilities of the actions, float32[K, 7]; an illegal one has probability 0 exactly.

    Args:
        scores: float32[K, 7].
        masks: bool[K, 7], the legal actions, at least one in every row.
    """
    return functional.log_softmax(scores.masked_fill(~masks, HUGE_NEGATIVE), dim=1)


def _surrogate(log_ratio: Tensor, advantages: Tensor, clip_range: float) -> Tensor:
    """PPO's clipped loss of the policy, with advantages of mean 0 and unit deviation."""
    ratio = log_ratio.exp()
    scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
    return -torch.min(scaled * ratio, scaled * clipped).mean()


@kernel
def draw(
    scores: Floats, masks: NDArray[np.int8], luck: NDArray[np.float64], choices: Choices
) -> None:
    """Draw an action for each row with the softmax of its legal scores as chances.

    Args:
        scores: float32[N, 7], finite.
        masks: int8[N, 7], at least one legal action in every row.
        luck: float64[N], uniform on [0, 1).
        choices: actions, log_probs and entropies are written.
    """
    for row in range(len(scores)):
        highest = -np.inf
        for action in range(scores.shape[1]):
            if masks[row, action] == 1:
                highest = max(highest, float(scores[row, action]))
        total, weighted = 0.0, 0.0
        for action in range(scores.shape[1]):
            if masks[row, action] == 1:
                away = float(scores[row, action]) - highest
                weight = np.exp(away)
                total += weight
                weighted += weight * away
        log_total, left, chosen = np.log(total), luck[row] * total, -1
        for action in range(scores.shape[1]):
            weight = np.exp(float(scores[row, action]) - highest)
            if masks[row, action] == 1 and weight > 0:
                if chosen < 0 or left >= 0:
                    chosen = action
                left -= weight
        choices.actions[row] = chosen
        choices.log_probs[row] = float(scores[row, chosen]) - highest - log_total
        choices.entropies[row] = log_total - weighted / total
