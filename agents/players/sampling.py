"""From the scores of a network to actions: sampling, the likeliest one, probabilities."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel

GREEDY = "?greedy"
"""Behind the name of a trained player: it takes the likeliest action instead of sampling."""


class SamplingPlayer(ABC):
    """A player that scores its actions and draws one, with the softmax of the scores as chances.

    Greedy, it takes the one with the highest score and draws nothing.
    """

    def __init__(self, greedy: bool) -> None:
        self._greedy = greedy

    @property
    def is_certain(self) -> bool:
        """Whether every action is certain: greedy, it leaves nothing to chance."""
        return self._greedy

    def act(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Choose one legal action for each seat; see `razz_env.envs.agent.Agent`.

        Observations of another layout than the player's are not used: the views are encoded.

        Raises:
            ValueError: a row without a legal action, or a table of a size that the player does not
                play at; nothing is drawn.
        """
        scores = self._legal_scores(views, observations, masks)
        return np.argmax(scores, axis=1) if self._greedy else sample(scores, rng)

    def action_probabilities(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
    ) -> NDArray[np.float64]:
        """The chances float64[K, 7] of `act`; see `razz_env.envs.agent.OpenAgent`.

        Raises:
            ValueError: as `act`.
        """
        scores = self._legal_scores(views, observations, masks)
        return likeliest(scores) if self._greedy else softmax(scores)

    @abstractmethod
    def _legal_scores(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
    ) -> NDArray[np.float32]:
        """Scores float32[K, 7] that are -inf for what it must not, or never does."""


def sample(scores: NDArray[np.floating[Any]], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw one action for each row, int64[K], with the softmax of its scores as chances.

    Of exponential clocks with the rates exp(score), the first to ring is drawn: that is the softmax
    without a sum, and a score of -inf can never be drawn while another is finite.

    Args:
        scores: float[K, 7]; -inf for what is not legal, something finite in every row.
        rng: draws 7 numbers a row.
    """
    rates = np.exp(scores - scores.max(axis=1, keepdims=True))
    clocks = rng.standard_exponential(scores.shape, np.float32)
    drawn = np.empty(len(scores), np.int64)
    _first_to_ring(clocks, rates, drawn)
    return drawn


def softmax(scores: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """The chances float64[K, 7] of `sample`: its rates, each as a share of their sum."""
    rates = np.exp(scores - scores.max(axis=1, keepdims=True)).astype(np.float64)
    chances: NDArray[np.float64] = rates / rates.sum(axis=1, keepdims=True)
    return chances


def likeliest(scores: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """All probability, float64[K, 7], on the first of the highest scores float[K, 7]."""
    chances = np.zeros(scores.shape)
    chances[np.arange(len(scores)), np.argmax(scores, axis=1)] = 1.0
    return chances


@kernel
def _first_to_ring(
    clocks: NDArray[np.float32], rates: NDArray[np.floating[Any]], drawn: NDArray[np.int64]
) -> None:
    """Of each row's clocks [K, 7], run at their rates, the one to ring first; never one at 0."""
    for row in range(len(clocks)):
        drawn[row], soonest = 0, np.inf
        for action in range(clocks.shape[1]):
            if rates[row, action] > 0:
                time = clocks[row, action] / rates[row, action]
                if time < soonest:
                    drawn[row], soonest = action, time
