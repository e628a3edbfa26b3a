"""The learner of self-play: MaskablePPO whose decisions come from all seats of a table."""

import copy
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance
from torch import Tensor, nn
from torch.nn import functional

from agents.training.acting import Chooser, NotFinite, matrix_products
from agents.training.critic import clip_gradients, parameters_of
from agents.training.seat_buffer import SeatBuffer
from agents.training.tables import LearnersTables
from razz_env.envs.tables import Ints

HUGE_NEGATIVE = -1e9
"""The score of an illegal action; its probability is exactly 0, whatever the others' scores."""


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

    The gradients of policy and value network, which share no parameters, are clipped apart.
    Minibatches and, at the tables, actions are drawn from NumPy generators of their own.
    Probabilities are checked at every step: scores that are not finite raise `NotFinite`.

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
        """Start the random streams here, the tables' draws of actions too.

        The magnet and decisions that are held over are forgotten.
        """
        actions, minibatches = np.random.SeedSequence(seed).generate_state(2)
        assert isinstance(self.env, LearnersTables)
        self.env.seed_choices(int(actions))
        self.magnet = None
        self.rollout_buffer.restart(int(minibatches))

    @property
    def chooser(self) -> Chooser:
        """The policy of now as it plays."""
        return Chooser(self.policy, self._products)

    def collect_rollouts(
        self,
        env: Any,
        callback: BaseCallback,
        rollout_buffer: Any,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Play until every table has had `n_rollout_steps` decisions; False if a callback stops.

        The frames of a rollout that is broken off do not count: nothing is learned from them.

        Raises:
            NotFinite, IllegalChoice: see there.
        """
        assert isinstance(env, LearnersTables)
        buffer: SeatBuffer = rollout_buffer
        assert n_rollout_steps == buffer.buffer_size
        self.policy.set_training_mode(False)
        buffer.reset()
        callback.on_rollout_start()
        before, is_whole = self.num_timesteps, False
        try:
            with closing(env.rollout(self.chooser, buffer.columns)) as played:
                for frames in played:
                    self.num_timesteps += frames
                    callback.update_locals(locals())
                    if not callback.on_step():
                        return False
            is_whole = True
        finally:
            if not is_whole:
                self.num_timesteps = before
        buffer.settle()
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Update policy and value network with the rollout, as PPO does; see the class.

        With fewer than two decisions there is no update: advantages have no deviation then.
        """
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
        if not losses:
            return
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
