"""MaskablePPO on the batch of tables, as the example has it."""

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="the extra train is not installed")

from razz_env.envs.sb3 import RazzVecEnv
from tests.examples.running import run


def test_maskable_ppo_takes_no_illegal_action_and_its_loss_is_finite(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    illegal = []
    begin = RazzVecEnv.step_async

    def watched(tables: RazzVecEnv, actions: np.ndarray[Any, Any]) -> None:
        illegal.extend(~tables.action_masks()[np.arange(len(actions)), actions])
        begin(tables, actions)

    monkeypatch.setattr(RazzVecEnv, "step_async", watched)
    names = run("sb3_maskable_ppo")
    assert len(illegal) >= 10_000
    assert not any(illegal)
    assert math.isfinite(names["model"].logger.name_to_value["train/loss"])
    assert names["tables"].finished_hands > 1000
