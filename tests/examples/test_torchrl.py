"""TorchRL: PPO on its wrapper of PettingZoo, as the example has it."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torchrl", reason="the extra torchrl is not installed")

from tests.examples.running import Watch, run


@pytest.fixture(scope="module")
def example() -> Any:
    """What the example leaves behind, and its decisions: at least 10,000 of them."""
    with pytest.MonkeyPatch.context() as patch:
        watch = Watch(patch)
        yield run("torchrl_ppo"), watch.decisions, watch.illegal


def test_ppo_takes_no_illegal_action_and_its_loss_is_finite(example: Any) -> None:
    names, decisions, illegal = example
    assert decisions >= 10_000
    assert illegal == 0
    assert np.isfinite(names["losses"]).all()


def test_a_decision_is_credited_with_its_seats_own_result(example: Any) -> None:
    seats = example[0]["seats"]  # [seats, steps] of the last batch
    ends = np.flatnonzero(seats["next", "done"][0].numpy())
    assert len(ends) > 50
    checked = 0
    for seat, step in np.argwhere(seats["mask"].numpy()):
        end = ends[ends >= step]
        if len(end):
            result = float(seats["next", "reward"][seat, end[0]])
            assert float(seats["value_target"][seat, step]) == pytest.approx(result, abs=1e-3)
            checked += 1
    assert checked > 1000
