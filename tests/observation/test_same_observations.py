"""The observations of many seeded hands are what they were, to the last bit, however written."""

from __future__ import annotations

import hashlib
from typing import Any

import numba
import numpy as np
import pytest

from razz_env import HouseRules, make_batch
from razz_env.observation import spec
from razz_env.observation.encoding import encode_view
from razz_env.observation.scale import divided, divisor
from razz_env.rules.house_rules import RulesLike

RAKED = HouseRules(rake_basis_points=500, rake_cap=7)


def digest_of(rules: RulesLike, stacks: int, mode: str, most: int) -> str:
    """Of what every seat sees at its decisions in random hands, at tables of 2 to `most` seats."""
    digest = hashlib.sha256()
    for seats in range(2, most + 1):
        batch = make_batch(24, seats, rules, stacks=stacks, seed=3, observation=mode)
        for _ in range(60):
            digest.update(batch.observations.tobytes())
            batch.rollout(steps=1)
        digest.update(batch.hands.tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(
    ("rules", "stacks", "most", "features", "infostate"),
    [
        ("full_tilt", 500, 8, "a17f0076b99854d3", "a6dee3b87c701025"),
        ("full_tilt", 30, 8, "0d66c64a1ba02cab", "d57a050f1d238a53"),  # soon all-in
        ("wsop_live", 60, 8, "e4bcd7488674697e", "e390ebe4cbbe6d16"),  # burn cards
        ("mini24", 60, 5, "5e10fac64dbd73c4", "9112c353cb486d04"),
        (RAKED, 90, 8, "8ca6ee2b5b0f5c13", "95dedb7fd97d2255"),
    ],
)
def test_observations_are_what_they_were(
    rules: RulesLike, stacks: int, most: int, features: str, infostate: str
) -> None:
    assert digest_of(rules, stacks, "features", most) == features
    assert digest_of(rules, stacks, "infostate", most) == infostate


@pytest.mark.parametrize("largest", [8, 400, 2**20, 2**40])
def test_a_quotient_is_that_of_float32(largest: int) -> None:
    rng = np.random.default_rng(largest)
    above, below = rng.integers(0, largest, 20_000), rng.integers(1, largest, 20_000)
    expected = above.astype(np.float32) / below.astype(np.float32)
    assert (quotients(above, below) == expected).all()


@numba.njit
def quotients(above: Any, below: Any) -> Any:
    result = np.empty(len(above), np.float32)
    for place in range(len(above)):
        result[place] = divided(above[place], divisor(below[place]))
    return result


OFFSETS = {mode: spec(8, mode).offsets.copy() for mode in ("features", "infostate")}


def looking_twice(mode: str) -> Any:
    """A policy that writes the observation of its view itself; an illegal action if it differs."""
    offsets, size = OFFSETS[mode], spec(8, mode).size

    @numba.njit
    def policy(view: Any, observation: Any, mask: Any, bits: int) -> int:
        expected = np.empty(size, np.float32)
        encode_view(view, offsets, 8, expected)
        for place in range(size):
            if observation[place] != expected[place]:
                return 99
        return policy_of_bits(mask, bits)

    return policy


@numba.njit
def policy_of_bits(mask: Any, bits: int) -> int:
    """A legal action, the last ones more often."""
    for action in range(6, -1, -1):
        if mask[action] and (bits >> action) & 3:
            return action
    return int(np.argmax(mask))


@pytest.mark.parametrize("mode", ["features", "infostate"])
def test_a_policy_sees_view_and_observation_of_its_own_decision(mode: str) -> None:
    seats = [2, 3, 5, 8] * 5
    batch = make_batch(20, seats, "wsop_live", stacks=150, seed=6, seats=8, observation=mode)
    assert batch.rollout(looking_twice(mode), steps=300).hands > 100
