"""The threads that share a call: each has its own rows, all are done when the call returns."""

from __future__ import annotations

import gc
import multiprocessing
import threading
import time
from typing import Any

import numba
import numpy as np
import pytest

from razz_env import make_batch
from razz_env.envs.batch import TableBatch
from razz_env.envs.rollout import random_action
from razz_env.envs.workers import Workers


@numba.njit
def random_by_bits(view: Any, observation: Any, mask: Any, bits: int) -> int:
    return random_action(mask, bits)


@numba.njit
def failing_at_some_tables(view: Any, observation: Any, mask: Any, bits: int) -> int:
    if bits % 97 == 0:
        raise ValueError("no idea")
    return random_action(mask, bits)


def step_first_legal(batch: TableBatch) -> None:
    batch.step(batch.action_masks.argmax(axis=1))


@pytest.mark.parametrize("threads", [2, 7, 64])
def test_a_compiled_policy_plays_the_same_hands_with_any_number_of_threads(threads: int) -> None:
    alone = make_batch(40, 6, seed=3)
    shared = make_batch(40, 6, seed=3, threads=threads)
    expected, found = (b.rollout(random_by_bits, steps=50) for b in (alone, shared))
    assert (expected.decisions, expected.hands) == (found.decisions, found.hands)
    assert alone.to_bytes() == shared.to_bytes()
    assert alone.views.tobytes() == shared.views.tobytes()


def test_no_thread_is_at_work_any_more_when_one_has_failed() -> None:
    done = []

    def work(_tables: Any, rows: Any, *_: Any) -> None:
        if rows[0] == 0:
            raise ValueError("the first part")
        time.sleep(0.2)
        done.append(rows[0])

    with pytest.raises(ValueError, match="the first part"):
        Workers(3).run(work, make_batch(1, 2)._tables, np.arange(9))
    assert sorted(done) == [3, 6]


@pytest.mark.parametrize("threads", [1, 3])
def test_tables_stand_before_a_decision_after_a_policy_has_raised(threads: int) -> None:
    batch = make_batch(30, 4, seed=1, threads=threads)
    with pytest.raises(ValueError, match="no idea"):
        batch.rollout(failing_at_some_tables, steps=60)
    other = make_batch(30, 4, seed=1)
    other.load_bytes(batch.to_bytes())
    for name in ("actors", "observations", "action_masks", "views"):
        assert getattr(batch, name).tobytes() == getattr(other, name).tobytes(), name


def test_threads_end_with_their_batch() -> None:
    before = threading.active_count()
    batch = make_batch(50, 3, threads=8)
    step_first_legal(batch)
    started = [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]
    assert threading.active_count() > before
    del batch
    gc.collect()
    for thread in started:
        thread.join(timeout=30)
    assert threading.active_count() <= before


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork"
)
def test_a_forked_process_starts_threads_of_its_own() -> None:
    batch = make_batch(20, 3, seed=1, threads=2)
    step_first_legal(batch)
    child = multiprocessing.get_context("fork").Process(target=step_first_legal, args=(batch,))
    child.start()
    child.join(timeout=60)
    hangs = child.is_alive()
    child.kill()
    assert not hangs
    assert child.exitcode == 0
