"""Blocks of decks played on a Ray cluster, with the same results as in this process.

A few blocks are one task of Ray's. A block depends on nothing outside it, so what is lost with its
worker or node is played again elsewhere and comes to the same numbers; results are taken by the
crew in the order of the blocks, each once. Every node needs this package and what its players
need, in the same versions. Trainings give out their blocks in the same way, see
`agents.training.actors`.
"""

import pickle
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from agents.evaluation.duplicate import BlockResult
from agents.evaluation.plan import Bench, Task, WorkerLost, one_torch_thread
from agents.extras import load_extra
from razz_env.rules.checks import is_whole

LOCAL = "local"
BLOCKS_AT_ONCE = 4
"""Given to a worker together: a task takes Ray milliseconds, a block takes fast players 20."""
MOST_DEATHS = 5
"""Blocks whose worker or node dies are given to another so often; then the match ends."""
STORE_BYTES = 200_000_000
"""Of a local Ray for matches: blocks are a few kilobytes, networks a few megabytes."""
KNOCK_SECONDS = 10.0

_numbers = count()


@dataclass(frozen=True)
class Cluster:
    """Where a match is played, and by how many.

    Attributes:
        address: of a Ray cluster, such as "auto", "10.0.0.1:6379" or "ray://10.0.0.1:10001", or
            "local" for one that is started on this machine and ended after the match.
        workers: how many play at a time; None for one on every processor of the cluster.
    """

    address: str = LOCAL
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and (not is_whole(self.workers) or self.workers < 1):
            raise ValueError(f"workers={self.workers!r} must be a whole number of at least 1.")


def cluster_at(address: str | None, workers: int | None) -> Cluster | None:
    """What `--ray` and `--workers` ask for; None without `--ray`."""
    return None if address is None else Cluster(address, workers)


class Given:
    """Work that was given to the cluster."""

    def __init__(self, ray: Any, reference: Any, what: str) -> None:
        self._ray, self._reference, self._what = ray, reference, what

    def result(self) -> Any:
        """Wait for it, and take what came of it.

        Raises:
            Exception: what it raised, such as AgentFault of a player.
            WorkerLost: too many workers died over it, or the cluster is gone.
        """
        errors = self._ray.exceptions
        try:
            return self._ray.get(self._reference)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RayError as error:
            raise WorkerLost(
                f"{self._what} could not be played on the Ray cluster, though {1 + MOST_DEATHS} "
                f"workers were given it in turn: {_first_line(error)}"
            ) from error

    def cancel(self) -> None:
        """Take them back, if nobody plays them yet."""
        self._ray.cancel(self._reference)


class RayPool:
    """The workers of a Ray cluster for one kind of work.

    A Ray that this process is connected to already is used and left as it is.
    """

    def __init__(
        self,
        cluster: Cluster,
        sent: bytes,
        play: Callable[..., Any] | None = None,
        what: str = "A group of blocks of decks",
    ) -> None:
        """Connect.

        Args:
            cluster: where.
            sent: what every worker needs, pickled: the plans of a crew; it is copied once to every
                node that asks for it.
            play: what a worker does with a piece of work: `play(key, sent, *work)`, see `_play`,
                which it is by default.
            what: the work, for the sentence of an error.

        Raises:
            ModuleNotFoundError: Ray is not installed.
            ConnectionError: there is no cluster at this address, or none could be started.
        """
        self._connection = ExitStack()
        self._ray = ray = self._connection.enter_context(connected(cluster))
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._ahead = 2 * processors if cluster.workers is None else cluster.workers - 1
        self._sent = ray.put(sent)
        self._key = f"{ray.get_runtime_context().get_job_id()}/{next(_numbers)}"
        self._play = ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(play or _play)
        self._what = what

    @property
    def ahead(self) -> int:
        """How many pieces of work are given out besides the one that is waited for."""
        return self._ahead

    def put(self, value: Any) -> Any:
        """A reference to a value, which is copied once to every node that asks for it."""
        return self._ray.put(value)

    def submit(self, *work: Any) -> Given:
        """Give some work to whoever is free first."""
        return Given(self._ray, self._play.remote(self._key, [self._sent], *work), self._what)

    def shutdown(self) -> None:
        """Leave the cluster; end it if it was started here."""
        del self._sent
        self._connection.close()


@contextmanager
def connected(cluster: Cluster, store_bytes: int = STORE_BYTES) -> Iterator[Any]:
    """Ray, connected for a while; if it was before, it is left as it is.

    Args:
        cluster: where.
        store_bytes: room for what the workers of a local Ray give and get.

    Raises:
        ModuleNotFoundError: Ray is not installed.
        ConnectionError: there is no cluster at this address, or none could be started.
    """
    ray = load_ray()
    if ray.is_initialized():
        yield ray
        return
    _connect(ray, cluster, store_bytes)
    try:
        yield ray
    finally:
        ray.shutdown()


def load_ray() -> Any:
    """The package ray.

    Raises:
        ModuleNotFoundError: with the pip command.
    """
    return load_extra("ray", "Playing on a cluster needs", "ray")


def _connect(ray: Any, cluster: Cluster, store_bytes: int) -> None:
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if cluster.address == LOCAL:
        options |= {"num_cpus": cluster.workers, "include_dashboard": False}
        options["object_store_memory"] = store_bytes
    try:
        _knock(cluster.address)
        ray.init(address=cluster.address, **options)
    except Exception as error:  # Ray raises bare ones too, such as when its own start takes long
        if cluster.address == LOCAL:
            sentence = f"Ray could not be started on this machine: {_first_line(error)}."
        else:
            sentence = (
                f"There is no Ray cluster at {cluster.address!r} to play on "
                f"({_first_line(error)}): start one with `ray start --head`, or play on this "
                "machine with --ray local."
            )
        raise ConnectionError(sentence) from error


def _knock(address: str) -> None:
    """Look whether anybody answers at an address HOST:PORT, for which Ray waits minutes.

    Raises:
        OSError: nobody does.
    """
    found = re.fullmatch(r"(?:ray://)?([^\s/]+):(\d{1,5})", address)
    if found:
        socket.create_connection((found[1].strip("[]"), int(found[2])), KNOCK_SECONDS).close()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".:")


_bench: tuple[str, Bench] | None = None
"""Of the crew that this worker played for last."""


def _play(key: str, plans: list[Any], tasks: Sequence[Task]) -> list[BlockResult]:
    """Play blocks in a worker; the plans are fetched when a crew's first block comes.

    Args:
        key: of the crew.
        plans: a reference to its pickled plans, in a list so that Ray does not fetch them itself.
        tasks: the blocks.
    """
    global _bench  # noqa: PLW0603
    if _bench is None or _bench[0] != key:
        _bench = key, Bench(pickle.loads(load_ray().get(plans[0])))
    one_torch_thread()
    return [_bench[1].play(task) for task in tasks]
