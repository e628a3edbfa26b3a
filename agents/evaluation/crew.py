"""Blocks of decks played by this process or by several, with the same results for any number.

Processes are spawned, so a program that asks for several must begin below
`if __name__ == "__main__":`, as Python's `multiprocessing` wants it.
"""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from types import TracebackType
from typing import NamedTuple, Self, TypeAlias

from agents.evaluation.duplicate import BlockResult, DuplicateTables, Estimator
from agents.evaluation.seating import Seatings
from razz_env.envs.agent import Agent
from razz_env.rules.checks import is_whole
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


Played: TypeAlias = Generator[tuple[Task, BlockResult]]
"""Blocks in the order of their tasks; close it to leave the rest unplayed."""


class Crew:
    """Plays blocks; a context manager that ends its processes.

    PyTorch gets one thread in every process, this one included: with more it may add numbers up in
    another order, and results shall depend on the players alone.
    """

    def __init__(self, plans: Sequence[TablePlan], workers: int = 1) -> None:
        """A crew for some matches.

        Args:
            plans: of the matches.
            workers: processes; with 1 this one plays.

        Raises:
            ValueError: no whole number of workers of at least 1, or a player that cannot be sent
                to other processes.
        """
        if not is_whole(workers) or workers < 1:
            raise ValueError(f"workers={workers!r} must be a whole number of at least 1.")
        self._plans = tuple(plans)
        self._workers = workers
        self._sent = _packed(self._plans) if workers > 1 else b""
        self._pool: ProcessPoolExecutor | None = None
        self._here = _Bench(self._plans)

    def __enter__(self) -> Self:
        self._threads = one_torch_thread()
        if self._workers > 1:
            self._pool = ProcessPoolExecutor(
                self._workers,
                multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(self._sent,),
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        one_torch_thread(self._threads)

    def play(self, tasks: Iterable[Task]) -> Played:
        """Play blocks, a few ahead of what was asked for, and give them in the order of the tasks.

        Raises:
            AgentFault: a player raised an exception, or chose no legal action.
            WorkerLost: a process died.
        """
        if self._pool is None:
            yield from ((task, self._here.play(task)) for task in tasks)
            return
        try:
            with closing(_in_order(self._pool, tasks, 2 * self._workers)) as results:
                yield from results
        except BrokenProcessPool as error:
            raise WorkerLost(
                "A process that played died, for want of memory or because it was killed; or the "
                'program that asked for workers does not begin below `if __name__ == "__main__":`.'
            ) from error


class _Bench:
    """The tables of the plan that was played last; others take little time to make."""

    def __init__(self, plans: Sequence[TablePlan]) -> None:
        self._plans = plans
        self._laid: tuple[int, DuplicateTables] | None = None

    def play(self, task: Task) -> BlockResult:
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


def _packed(plans: Sequence[TablePlan]) -> bytes:
    """The plans as bytes; a player that pickle cannot copy is named."""
    for agent in (agent for plan in plans for agent in plan.lineup):
        try:
            pickle.dumps(agent)
        except Exception as error:
            raise ValueError(
                f"The player {agent.name!r} cannot be sent to other processes ({error}): make it "
                "one that pickle can copy, or play with workers=1."
            ) from error
    return pickle.dumps(plans)


def _in_order(pool: ProcessPoolExecutor, tasks: Iterable[Task], ahead: int) -> Played:
    waiting: deque[tuple[Task, Future[BlockResult]]] = deque()
    try:
        for task in tasks:
            waiting.append((task, pool.submit(_play, task)))
            if len(waiting) > ahead:
                first, result = waiting.popleft()
                yield first, result.result()
        while waiting:
            first, result = waiting.popleft()
            yield first, result.result()
    finally:
        for _, unwanted in waiting:
            unwanted.cancel()


_worker: _Bench | None = None


def _begin(sent: bytes) -> None:
    """A process begins: Ctrl-C is for the parent, and it must not outlive that."""
    global _worker  # noqa: PLW0603
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = _Bench(pickle.loads(sent))
    one_torch_thread()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(task: Task) -> BlockResult:
    assert _worker is not None
    return _worker.play(task)
