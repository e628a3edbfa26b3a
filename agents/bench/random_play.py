"""Uniformly random legal play, for a batch in one compiled loop and for one table in Python."""

import random
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from agents.bench.timing import Play
from razz_env._jit import kernel
from razz_env.envs.batch import TableBatch
from razz_env.envs.rollout import random_action as draw
from razz_env.rules.random import mix, next_state
from razz_env.rules.terms import NUM_ACTIONS

# By the mask as a number whose bit a is action a: the legal actions, and how many they are.
_MASKS = range(1 << NUM_ACTIONS)
_LEGAL = np.array([sorted(range(NUM_ACTIONS), key=lambda a: not m >> a & 1) for m in _MASKS])
_COUNT = np.array([mask.bit_count() for mask in _MASKS])


@kernel
def choose(masks: NDArray[np.int8], actions: NDArray[np.int64], state: int) -> int:
    """A uniformly random legal action for every row of masks; the next state of the stream."""
    for row in range(len(masks)):
        state = next_state(state)
        legal = 0
        for action in range(NUM_ACTIONS):
            legal |= masks[row, action] << action
        drawn = ((mix(state) >> 33 & 0x7FFFFFFF) * _COUNT[legal]) >> 31
        actions[row] = _LEGAL[legal, drawn]
    return state


@njit
def seeing_random(_view: Any, _observation: Any, mask: NDArray[np.int8], bits: int) -> int:
    """A policy for rollouts that is shown its view and observation, and draws a legal action."""
    return draw(mask, bits)


def batch_play(batch: TableBatch, steps: int = 20) -> Play:
    """Steps of a batch, the choice of the actions included; counts decisions."""
    actions = np.zeros(batch.num_tables, np.int64)
    state = 1

    def play() -> int:
        nonlocal state
        for _ in range(steps):
            state = int(choose(batch.action_masks, actions, state))
            batch.step(actions)
        return steps * batch.num_tables

    return play


def random_action(mask: NDArray[np.int8], rng: random.Random) -> int:
    """A uniformly random legal action of one mask."""
    legal = [action for action, is_legal in enumerate(mask.tolist()) if is_legal]
    return legal[int(rng.random() * len(legal))]


def aec_play(env: Any, hands: int = 5) -> Play:
    """Whole hands of any PettingZoo environment of poker with action masks; counts decisions."""
    rng = random.Random(0)
    env.reset(seed=1)

    def play() -> int:
        return sum(_aec_hand(env, rng) for _ in range(hands))

    return play


def _aec_hand(env: Any, rng: random.Random) -> int:
    env.reset()
    decisions = 0
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
        else:
            env.step(random_action(observation["action_mask"], rng))
            decisions += 1
    return decisions
