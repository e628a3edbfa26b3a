"""The learner's policy where it plays: in the learner's process, or with a copy of it elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.players.model_file import Weights
from agents.players.trained import ACTIVATIONS
from agents.training.columns import Choices
from agents.training.config import TrainingConfig
from agents.training.critic import TwoViewsPolicy
from razz_env._jit import kernel
from razz_env.envs.tables import Floats


class NotFinite(ValueError):
    """The network has answered with numbers that are not finite."""


class IllegalChoice(RuntimeError):
    """The learner has chosen an action that is not legal: a bug, and the run stops."""


class Chooser:
    """A policy that chooses. Probabilities are checked at every step."""

    def __init__(self, policy: MaskableActorCriticPolicy, products: str = "float32") -> None:
        """For `products` see `matrix_products`."""
        self._policy, self._products = policy, products

    def weights(self) -> Weights:
        """Those of the policy and its value network, by name."""
        return {name: part.cpu().numpy() for name, part in self._policy.state_dict().items()}

    def load(self, weights: Weights) -> None:
        """Take over weights of a policy of the same shape."""
        tensors = {name: torch.tensor(values) for name, values in weights.items()}
        self._policy.load_state_dict(tensors)

    def choose(
        self, observations: Floats, masks: NDArray[np.int8], rng: np.random.Generator
    ) -> Choices:
        """Draw an action at each of N tables.

        Args:
            observations: float32[N, D].
            masks: int8[N, 7].
            rng: what it draws from, N numbers.

        Raises:
            NotFinite, IllegalChoice: see there.
        """
        scores, values = self.scores(observations)
        count = len(scores)
        choices = Choices(
            np.zeros(count, np.int64),
            np.zeros(count, np.float32),
            values,
            np.zeros(count, np.float32),
        )
        draw(scores, masks, rng.random(count), choices)
        legal = masks[np.arange(count), choices.actions] == 1
        if not legal.all():
            raise IllegalChoice(
                f"The learner chose {np.count_nonzero(~legal)} illegal actions at {count} tables. "
                "That is a bug in razz_env: please report it."
            )
        return choices

    def scores(self, observations: Floats) -> tuple[Floats, Floats]:
        """Scores float32[N, 7] and values float32[N] of observations float32[N, D].

        Raises:
            NotFinite: see there.
        """
        policy = self._policy
        with torch.no_grad(), matrix_products(self._products):
            latent_policy, latent_value = policy.mlp_extractor(torch.from_numpy(observations))
            scores: Floats = policy.action_net(latent_policy).numpy()
            values: Floats = policy.value_net(latent_value).numpy().reshape(-1)
        if not (np.isfinite(scores).all() and np.isfinite(values).all()):
            raise NotFinite("The network's answers are no finite numbers.")
        return scores, values


def policy_options(config: TrainingConfig) -> dict[str, Any]:
    """What the policy of a run is made with, besides its spaces."""
    return {
        "net_arch": list(config.ppo.layers),
        "activation_fn": ACTIVATIONS[config.ppo.activation],
        "seen": config.table.inputs().size,
    }


def make_policy(
    config: TrainingConfig, observations: spaces.Space[Any], actions: spaces.Space[Any]
) -> TwoViewsPolicy:
    """A policy of a run's shape to load weights into, with a value network."""
    return TwoViewsPolicy(observations, actions, lambda _: 0.0, **policy_options(config))


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
