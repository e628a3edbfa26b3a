"""Blocks of decks played by this process, by several or by a Ray cluster, to the same results.

Processes are spawned, so a program that asks for several must begin below
`if __name__ == "__main__":`, as Python's `multiprocessing` wants it.
"""

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import islice
from types import TracebackType
from typing import Any, Protocol, Self, TypeAlias, TypeVar

from agents.evaluation.cluster import BLOCKS_AT_ONCE, Cluster, RayPool
from agents.evaluation.duplicate import BlockResult
from agents.evaluation.plan import Bench, TablePlan, Task, WorkerLost, one_torch_thread, packed
from razz_env.rules.checks import is_whole

Given = TypeVar("Given")
Result = TypeVar("Result", covariant=True)

Played: TypeAlias = Generator[tuple[Task, BlockResult]]
"""Blocks in the order of their tasks; close it to leave the rest unplayed."""


class Crew:
    """Plays blocks; a context manager that ends its processes.

    PyTorch gets one thread in every process, this one included: with more it may add numbers up in
    another order, and results shall depend on the players alone.
    """

    def __init__(
        self, plans: Sequence[TablePlan], workers: int = 1, cluster: Cluster | None = None
    ) -> None:
        """A crew for some matches.

        Args:
            plans: of the matches.
            workers: processes; with 1 this one plays.
            cluster: a Ray cluster that plays instead; it says itself by how many workers.

        Raises:
            ValueError: no whole number of workers of at least 1, or a player that cannot be sent
                to other processes.
        """
        if not is_whole(workers) or workers < 1:
            raise ValueError(f"workers={workers!r} must be a whole number of at least 1.")
        self._plans = tuple(plans)
        self._workers = workers
        self._cluster = cluster
        self._sent = packed(self._plans) if workers > 1 or cluster is not None else b""
        self._pool: ProcessPoolExecutor | None = None
        self._ray: RayPool | None = None
        self._here = Bench(self._plans)

    def __enter__(self) -> Self:
        if self._cluster is not None:
            self._ray = RayPool(self._cluster, self._sent)
        self._threads = one_torch_thread()
        if self._cluster is None and self._workers > 1:
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
        if self._ray is not None:
            self._ray.shutdown()
        one_torch_thread(self._threads)

    def play(self, tasks: Iterable[Task]) -> Played:
        """Play blocks, a few ahead of what was asked for, and give them in the order of the tasks.

        Raises:
            AgentFault: a player raised an exception, or chose no legal action.
            WorkerLost: a process died, or more workers of a cluster over one block than should.
        """
        if self._ray is not None:
            groups = in_order(self._ray.submit, _groups(tasks), self._ray.ahead)
            with closing(groups):
                for group, played in groups:
                    yield from zip(group, played, strict=True)
            return
        if self._pool is None:
            yield from ((task, self._here.play(task)) for task in tasks)
            return
        pool = self._pool
        given = in_order(lambda task: pool.submit(_play, task), tasks, 2 * self._workers)
        try:
            with closing(given) as results:
                yield from results
        except BrokenProcessPool as error:
            raise WorkerLost(
                "A process that played died, for want of memory or because it was killed; or the "
                'program that asked for workers does not begin below `if __name__ == "__main__":`.'
            ) from error


class Promise(Protocol[Result]):
    """Something that was given to somebody else to play."""

    def result(self) -> Result:
        """Wait for it."""

    def cancel(self) -> Any:
        """Take it back, if nobody plays it yet."""


def in_order(
    give: Callable[[Given], Promise[Result]], given: Iterable[Given], ahead: int
) -> Generator[tuple[Given, Result]]:
    """Give work away, `ahead` pieces besides the one that is waited for; results in its order."""
    waiting: deque[tuple[Given, Promise[Result]]] = deque()
    try:
        for one in given:
            waiting.append((one, give(one)))
            if len(waiting) > ahead:
                first, promise = waiting.popleft()
                yield first, promise.result()
        while waiting:
            first, promise = waiting.popleft()
            yield first, promise.result()
    finally:
        for _, unwanted in waiting:
            unwanted.cancel()


def _groups(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """The tasks in order, a few at a time."""
    rest = iter(tasks)
    while group := list(islice(rest, BLOCKS_AT_ONCE)):
        yield group


_worker: Bench | None = None


def _begin(sent: bytes) -> None:
    """A process begins: Ctrl-C is for the parent, and it must not outlive that."""
    global _worker  # noqa: PLW0603
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = Bench(pickle.loads(sent))
    one_torch_thread()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(task: Task) -> BlockResult:
    assert _worker is not None
    return _worker.play(task)
