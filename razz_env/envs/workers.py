"""The threads that share the rows of a call to a kernel."""

import os
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from razz_env.envs.tables import Ints, Tables


class Workers:
    """Runs kernels over rows of tables; every row is independent of the others.

    With one thread it is the caller's. More are started when they are first needed, and end with
    this object. A process that has been forked starts its own, as threads do not come along.
    """

    def __init__(self, threads: int) -> None:
        """So many threads, at least 1."""
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def __reduce__(self) -> tuple[Any, tuple[int]]:
        return Workers, (self.threads,)

    def run(
        self,
        kernel: Any,
        tables: Tables,
        rows: Ints,
        by_row: tuple[Any, ...] = (),
        shared: tuple[Any, ...] = (),
    ) -> None:
        """Call `kernel(tables, rows, *by_row, *shared)`, a part of the rows in every thread.

        Args:
            kernel: a compiled function.
            tables: the arrays that the rows are places in.
            rows: int64[K].
            by_row: arrays [K, ...], of which a thread gets the part of its rows.
            shared: everything else, the same for all threads.

        Raises:
            Exception: what the kernel raises; no thread is at work any more then.
        """
        parts = min(self.threads, len(rows))
        if parts <= 1:
            kernel(tables, rows, *by_row, *shared)
            return
        ends = np.linspace(0, len(rows), parts + 1).astype(int).tolist()
        jobs = []
        for part in map(slice, ends[:-1], ends[1:]):
            share = (values[part] for values in by_row)
            jobs.append(self._started().submit(kernel, tables, rows[part], *share, *shared))
        wait(jobs)
        for job in jobs:
            job.result()

    def _started(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.threads), os.getpid()
        return self._pool
