"""Policies of rollouts that do not fit are refused in one sentence, and no table is moved."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from razz_env import IllegalAction, make_batch


@numba.njit
def three_arguments(view: Any, observation: Any, mask: Any) -> int:
    return 1


@numba.njit
def a_float(view: Any, observation: Any, mask: Any, bits: int) -> float:
    return 2.7


@numba.njit
def a_bool(view: Any, observation: Any, mask: Any, bits: int) -> bool:
    return bool(mask[1] == 1)


@numba.njit
def sometimes_nothing(view: Any, observation: Any, mask: Any, bits: int) -> Any:
    if mask[1]:
        return 1
    return None


@numba.njit
def allows_itself_to_fold(view: Any, observation: Any, mask: Any, bits: int) -> int:
    mask[0] = 1
    return 0


@numba.njit
def paints_over(view: Any, observation: Any, mask: Any, bits: int) -> int:
    observation[:] = 0
    return 3


@numba.njit
def asks_for_a_field_that_is_not_there(view: Any, observation: Any, mask: Any, bits: int) -> int:
    return int(view.cards)


@numba.njit
def opens_a_file(view: Any, observation: Any, mask: Any, bits: int) -> int:
    return len(open("x").read())  # noqa: PTH123


@numba.njit("int64(int64, int64, int64, int64)")
def of_four_numbers(view: int, observation: int, mask: int, bits: int) -> int:
    return 1


@numba.njit
def scribbles_and_errs(view: Any, observation: Any, mask: Any, bits: int) -> int:
    view.public.actor = 5
    view.public.stack[0] = 7
    return -5


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (three_arguments, r"three_arguments\(view.*takes other arguments"),
        (a_float, "a_float returns float64"),
        (a_bool, "a_bool returns bool"),
        (sometimes_nothing, "returns Option"),
        (allows_itself_to_fold, "may only be read"),
        (paints_over, "may only be read"),
        (asks_for_a_field_that_is_not_there, "'cards'"),
        (opens_a_file, "'open'.*test_policy.py"),
        (of_four_numbers, "without a signature"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused(policy: Any, words: str) -> None:
    batch = make_batch(3, 3, seed=1)
    before = batch.to_bytes(), batch.action_masks.tobytes(), batch.observations.tobytes()
    with pytest.raises(TypeError, match=words) as told:
        batch.rollout(policy, steps=5)
    assert len(str(told.value)) < 400
    assert "\n" not in str(told.value)
    assert (batch.to_bytes(), batch.action_masks.tobytes(), batch.observations.tobytes()) == before


def test_what_a_policy_writes_into_its_view_is_gone_after_the_call() -> None:
    batch = make_batch(3, 3, seed=1)
    before = batch.views.tobytes()
    with pytest.raises(IllegalAction, match="action -5"):
        batch.rollout(scribbles_and_errs)
    assert batch.views.tobytes() == before


def test_a_policy_may_return_any_width_of_whole_number() -> None:
    @numba.njit
    def narrow(view: Any, observation: Any, mask: Any, bits: int) -> Any:
        return np.uint8(1 if mask[1] else 2 if mask[2] else 3)

    assert make_batch(4, 3, seed=1).rollout(narrow, steps=9).decisions == 36
