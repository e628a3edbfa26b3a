"""The thread in which players think, beside the event loop."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

_Job = tuple[Future[Any], Callable[[], Any]]


class Thinking:
    """Runs functions one after the other, because players need not be fit to be asked at once.

    One that does not come back can be given up: the others go on in a new thread, and as threads
    are daemons, it keeps no process alive.
    """

    def __init__(self) -> None:
        """Nothing runs yet."""
        self._jobs = self._begin()

    @staticmethod
    def _begin() -> SimpleQueue[_Job | None]:
        jobs: SimpleQueue[_Job | None] = SimpleQueue()
        threading.Thread(target=_work, args=(jobs,), name="razz-players", daemon=True).start()
        return jobs

    async def run(self, function: Callable[[], Any]) -> Any:
        """What the function returns or raises; whoever cancels this gives the function up."""
        job: Future[Any] = Future()
        self._jobs.put((job, function))
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            if not job.cancel() and not job.done():
                self._move_on()
            raise

    def _move_on(self) -> None:
        """Leave the thread to what it is at, and give all that waits to a new one."""
        left, self._jobs = self._jobs, self._begin()
        with suppress(Empty):  # the old thread may take them, too, if it comes back now
            while True:
                self._jobs.put(left.get_nowait())
        left.put(None)

    def close(self) -> None:
        """Let the thread end when it is through."""
        self._jobs.put(None)


def _work(jobs: SimpleQueue[_Job | None]) -> None:
    while (given := jobs.get()) is not None:
        job, function = given
        if not job.set_running_or_notify_cancel():
            continue
        try:
            job.set_result(function())
        except BaseException as error:  # a player's sys.exit() is its own end, not the thread's
            job.set_exception(error)
