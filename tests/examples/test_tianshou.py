"""Tianshou: deep Q-learning on its wrapper of PettingZoo, as the example has it."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tianshou", reason="the extra tianshou is not installed")

from tests.examples.running import Watch, run


@pytest.fixture(scope="module")
def example() -> Any:
    """What the example leaves behind, and its decisions: at least 10,000 of them."""
    with pytest.MonkeyPatch.context() as patch:
        watch = Watch(patch)
        yield run("tianshou_dqn"), watch.decisions, watch.illegal


def test_learning_takes_no_illegal_action_and_its_loss_is_finite(example: Any) -> None:
    names, decisions, illegal = example
    assert decisions >= 10_000
    assert illegal == 0
    assert np.isfinite(names["losses"]).all()


def test_seats_explore(example: Any) -> None:
    buffer, policy = example[0]["buffer"], example[0]["policy"]
    batch = buffer[np.flatnonzero(~buffer.done)[-500:]]
    assert (policy(batch).act != batch.act).mean() > 0.02


def test_a_decision_is_credited_with_its_seats_own_result(example: Any) -> None:
    buffer, everyone = example[0]["buffer"], example[0]["everyone"]
    indices = np.setdiff1d(buffer.sample_indices(0), buffer.unfinished_index())[-2000:]
    ends = indices.copy()
    for _ in range(200):
        ends = buffer.next(ends)
    indices, ends = indices[buffer.done[ends]], ends[buffer.done[ends]]
    batch = buffer[indices]
    owners = batch.obs.agent_id
    found = everyone._preprocess_batch(batch, buffer, indices)
    for seat in (0, 1):
        own = owners == f"player_{seat}"
        assert own.sum() > 300
        returns = found[f"player_{seat}"].returns.numpy().ravel()
        assert returns == pytest.approx(buffer.rew[ends[own], seat], abs=1e-3)
