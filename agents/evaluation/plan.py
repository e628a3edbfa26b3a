"""What is played in a match: plans, blocks as tasks, and the tables on which a block is played."""

import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.evaluation.duplicate import BlockResult, DuplicateTables, Estimator
from agents.evaluation.seating import Seatings
from razz_env.envs.agent import Agent
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.setup import StacksLike


class WorkerLost(RuntimeError):
    """A process that played has died."""


@dataclass(frozen=True)
class TablePlan:
    """All that a process needs to play any block of a match; see `DuplicateTables`."""

    lineup: tuple[Agent, ...]
    seed: int
    rules: HouseRules
    stacks: StacksLike
    seatings: Seatings = "cyclic"
    estimators: tuple[Estimator, ...] = ()

    def tables(self) -> DuplicateTables:
        """Tables on which its blocks can be played."""
        return DuplicateTables(
            self.lineup, self.seed, self.rules, self.stacks, self.seatings, self.estimators
        )


class Task(NamedTuple):
    """A block to play: of which plan, its number, and how many of its decks."""

    plan: int
    block: int
    decks: int


class Bench:
    """The tables of the plan that was played last; others take little time to make."""

    def __init__(self, plans: Sequence[TablePlan]) -> None:
        self._plans = plans
        self._laid: tuple[int, DuplicateTables] | None = None

    def play(self, task: Task) -> BlockResult:
        """Play a block.

        Raises:
            AgentFault: a player raised an exception, or chose no legal action.
        """
        if self._laid is None or self._laid[0] != task.plan:
            self._laid = task.plan, self._plans[task.plan].tables()
        return self._laid[1].play_block(task.block, task.decks)


def one_torch_thread(count: int = 1) -> int:
    """Let PyTorch use so many threads, if any player has loaded it; how many it used before."""
    torch = sys.modules.get("torch")
    if torch is None:
        return count
    before: int = torch.get_num_threads()
    torch.set_num_threads(count)
    return before


def packed(plans: Sequence[TablePlan]) -> bytes:
    """The plans as bytes; a player that pickle cannot copy is named."""
    for agent in (agent for plan in plans for agent in plan.lineup):
        check_can_be_sent(agent)
    return pickle.dumps(plans)


def check_can_be_sent(agent: Agent) -> None:
    """Refuse a player that pickle cannot copy.

    Raises:
        ValueError: naming it.
    """
    try:
        pickle.dumps(agent)
    except Exception as error:
        raise ValueError(
            f"The player {agent.name!r} cannot be sent to other processes ({error}): make it one "
            "that pickle can copy, or play in this process, with workers=1 and without a cluster."
        ) from error
