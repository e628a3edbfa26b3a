"""Several processes: the same results as one, and what they refuse."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from agents.evaluation import AgentFault, play_match
from agents.evaluation.crew import Crew
from agents.evaluation.match import Stopping, tasks_of
from agents.evaluation.plan import TablePlan, Task
from razz_env import HouseRules

from ..support.errors import refused
from .players import Halving, LowDoor, Stumbling, Uniform, caller


def test_one_and_two_workers_give_identical_results() -> None:
    """Byte for byte, with an estimator, a cut last block, and an early end."""
    for stopping in (None, Stopping(half_width=9.0)):
        told = []
        for workers in (1, 2):
            result = play_match(
                LowDoor(),
                Uniform(),
                2_400,
                seed=3,
                num_players=3,
                workers=workers,
                stopping=stopping,
                estimators=[Halving()],
            )
            told.append((json.dumps(result.to_dict()), result.deck_chips.tobytes()))
        assert told[0] == told[1]


def test_blocks_come_in_the_order_of_their_tasks_and_may_be_left_unplayed() -> None:
    plan = TablePlan((Uniform(), LowDoor()), 0, HouseRules(), 500)
    with Crew([plan], workers=2) as crew:
        blocks = crew.play(tasks_of(0, 9_500))
        assert [next(blocks)[0] for _ in range(3)] == [Task(0, n, 1000) for n in range(3)]
        blocks.close()
        (last,) = list(crew.play([Task(0, 9, 500)]))
    alone = plan.tables().play_block(9, 500)
    np.testing.assert_array_equal(last[1].chips, alone.chips)


def test_a_fault_in_another_process_names_player_deck_and_seat() -> None:
    guilty = Stumbling(30, ZeroDivisionError("by zero"))
    told = []
    for workers in (1, 2):
        with pytest.raises(AgentFault) as caught:
            play_match(guilty, caller(), decks=2000, workers=workers)
        told.append((caught.value.agent, caught.value.seat, caught.value.deck, str(caught.value)))
    assert told[0] == told[1]


def test_a_player_that_cannot_be_sent_is_named() -> None:
    class Local(Uniform):
        name = "local"

    with refused("'local'", "workers=1", kind=ValueError):
        play_match(Local(), caller(), 100, workers=2)


@pytest.mark.parametrize("workers", [0, -1, 1.5, "two"])
def test_a_number_of_workers_that_is_none_is_refused(workers: Any) -> None:
    with refused("workers", workers, kind=ValueError):
        play_match(Uniform(), caller(), 100, workers=workers)


def test_pytorch_has_one_thread_while_a_crew_plays_and_its_own_number_after() -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with Crew([TablePlan((Uniform(), caller()), 0, HouseRules(), 500)]):
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
