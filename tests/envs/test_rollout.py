"""Rollouts: a compiled policy plays on at every table, the same hands as step by step."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from razz_env import Action, _jit, make_batch
from razz_env.envs.batch import TableBatch
from razz_env.envs.rollout import random_action, roller
from razz_env.rules.hand import IllegalAction


@numba.njit
def calling(view: Any, observation: Any, mask: Any, bits: int) -> int:
    """Check or call; bring in when that is due."""
    if mask[1]:
        return 1
    return 2 if mask[2] else 3


@numba.njit
def random_by_bits(view: Any, observation: Any, mask: Any, bits: int) -> int:
    return random_action(mask, bits)


@numba.njit
def raising_with_a_low_door(view: Any, observation: Any, mask: Any, bits: int) -> int:
    """Knows its view: the own door card decides."""
    low = view.public.up[view.seat, 0] >> 2 < 8
    for action in range(6, 2, -1):
        if low and mask[action]:
            return action
    return calling(view, observation, mask, bits)


@numba.njit
def folding_always(view: Any, observation: Any, mask: Any, bits: int) -> int:
    return 0


@numba.njit
def by_observation(view: Any, observation: Any, mask: Any, bits: int) -> int:
    """Fails unless the observation is the one of its seat."""
    if observation[0] == -1:
        return 99
    return calling(view, observation, mask, bits)


def shown(batch: TableBatch) -> list[bytes]:
    arrays = (batch.hands, batch.actors, batch.action_masks, batch.observations, batch.views)
    return [array.tobytes() for array in arrays]


def by_steps(batch: TableBatch, policy: Any, steps: int) -> tuple[int, Any]:
    """Play a policy that needs no random bits by `step`; hands ended and net big bets."""
    ended, net = 0, np.zeros(batch.num_players)
    for _ in range(steps):
        views = batch.views
        actions = [
            policy(views[row], batch.observations[row], batch.action_masks[row], 0)
            for row in range(batch.num_tables)
        ]
        rewards, dones = batch.step(np.array(actions))
        ended += int(dones.sum())
        net += rewards.sum(axis=0)
    return ended, net


@pytest.mark.parametrize("policy", [calling, raising_with_a_low_door, by_observation])
def test_a_rollout_plays_what_steps_with_the_same_policy_play(policy: Any) -> None:
    rolled, stepped = (make_batch(40, 4, "wsop_live", stacks=160, seed=3) for _ in range(2))
    result = rolled.rollout(policy, steps=60)
    ended, net = by_steps(stepped, policy, 60)
    assert shown(rolled) == shown(stepped)
    assert (result.decisions, result.hands) == (2400, ended)
    np.testing.assert_allclose(result.net_big_bets, net, atol=1e-4)
    assert abs(result.net_big_bets.sum()) < 1e-9


@pytest.mark.parametrize("policy", ["random", random_by_bits])
@pytest.mark.parametrize("mode", ["features", None])
def test_hands_of_a_rollout_are_the_same_for_any_threads_and_any_cut(
    policy: Any, mode: str | None
) -> None:
    whole = make_batch(50, 6, seed=1, observation=mode)
    result = whole.rollout(policy, steps=90)
    cut = make_batch(50, 6, seed=1, observation=mode, threads=3)
    parts = [cut.rollout("random", steps=steps) for steps in (1, 29, 60)]
    assert shown(whole) == shown(cut)
    assert result.hands == sum(part.hands for part in parts) > 100
    total = sum(part.squared_big_bets for part in parts)
    np.testing.assert_allclose(result.squared_big_bets, total)


def test_a_table_plays_the_same_in_a_larger_batch() -> None:
    small, large = make_batch(3, 5, seed=9), make_batch(30, 5, seed=9)
    small.rollout(steps=200)
    large.rollout(steps=200)
    assert small.hands.tobytes() == large.hands[:3].tobytes()


def test_the_seed_of_a_rollout_changes_the_actions_and_not_the_cards() -> None:
    first, second = make_batch(20, 3, seed=5), make_batch(20, 3, seed=5)
    first.rollout(steps=3, seed=1)
    second.rollout(steps=3, seed=2)
    assert first.hands["public"]["log"].tobytes() != second.hands["public"]["log"].tobytes()
    first_hand = (first.hands["index"] == 0) & (second.hands["index"] == 0)
    assert first_hand.sum() > 5
    assert (first.hands["deck"] == second.hands["deck"])[first_hand].all()


def test_random_actions_are_equally_likely() -> None:
    mask = np.array([1, 0, 1, 0, 0, 0, 1], np.int8)
    bits = np.random.default_rng(0).integers(0, 2**63, 30_000)
    counts = np.bincount([random_action(mask, int(b)) for b in bits], minlength=7)
    assert counts[[1, 3, 4, 5]].tolist() == [0, 0, 0, 0]
    assert counts[[0, 2, 6]].min() > 10_000 - 4 * np.sqrt(30_000 * 2 / 9)


def test_a_random_action_is_the_one_that_the_bits_name() -> None:
    for legal in range(1, 128):
        mask = np.array([legal >> action & 1 for action in range(7)], np.int8)
        actions = np.flatnonzero(mask).tolist()
        for share in range(len(actions)):
            for within in (0.0, 0.999):
                bits = int((share + within) / len(actions) * 2**31 + 1) << 32
                assert random_action(mask, bits) == actions[share]
    assert random_action(np.zeros(7, np.int8), 5) == -1


def test_no_seat_gains_in_random_rollouts() -> None:
    result = make_batch(512, 3, seed=2, observation=None).rollout(steps=2_000)
    assert result.hands > 100_000
    assert (np.abs(result.bb_per_100) < 4 * result.standard_error).all()
    assert (result.standard_error < 2).all()


def test_figures_of_a_rollout_in_which_no_hand_ended_are_nan() -> None:
    result = make_batch(4, 6, seed=2).rollout(calling)
    assert result.hands == 0
    assert np.isnan(result.bb_per_100).all()
    assert np.isnan(result.standard_error).all()


def test_without_dealing_on_every_table_stops_at_the_end_of_its_hand() -> None:
    batch = make_batch(25, 6, seed=4, auto_deal=False)
    result = batch.rollout(steps=300)
    assert (batch.actors == -1).all()
    assert result.hands == 25
    assert result.decisions == batch.hands["public"]["log_length"].sum()
    assert batch.rollout(calling, steps=5).decisions == 0


def test_what_is_compiled_with_a_policy_is_not_said_to_be_kept(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def roller_that_waits(policy: Any) -> Any:
        _jit._wait.tell("that is once only")
        return roller(policy)

    monkeypatch.setattr(_jit, "_LONG_SECONDS", 0.0)
    monkeypatch.setattr(_jit._wait, "_is_told", False)
    monkeypatch.setattr("razz_env.envs.batch.roller", roller_that_waits)
    with caplog.at_level("WARNING", "razz_env"):
        make_batch(2, 2, seed=1).rollout(calling)
    assert "for a policy of your own that is so in every process" in caplog.text
    assert "once only" not in caplog.text


def test_an_illegal_choice_names_its_table_and_leaves_it_before_the_action() -> None:
    batch = make_batch(8, 6, seed=4)
    before = batch.hands.tobytes()
    with pytest.raises(IllegalAction, match=r"Table 0: .*FOLD.*BRING_IN"):
        batch.rollout(folding_always, steps=10)
    assert batch.hands.tobytes() == before
    assert batch.step(np.full(8, Action.BRING_IN))[1].sum() == 0


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"policy": "caller"}, ValueError, "'caller'.*'random'"),
        ({"policy": lambda *_: 1}, TypeError, "numba.njit"),
        ({"steps": 0}, ValueError, "steps=0"),
        ({"steps": 1.5}, ValueError, "steps=1.5"),
        ({"seed": -1}, ValueError, "-1"),
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, Any], error: type, words: str) -> None:
    batch = make_batch(2, 2, seed=0)
    before = batch.hands.tobytes()
    with pytest.raises(error, match=words):
        batch.rollout(**wrong)
    assert batch.hands.tobytes() == before
