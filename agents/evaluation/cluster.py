"""Blocks of decks played on a Ray cluster, with the same results as in this process.

A few blocks are one task of Ray's. A block depends on nothing outside it, so what is lost with its
worker or node is played again elsewhere and comes to the same numbers; results are taken by the
crew in the order of the blocks, each once. Every node needs this package and what its players
need, in the same versions.
"""

import pickle
from collections.abc import Sequence
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

_STORE_BYTES = 200_000_000  # of a local Ray: blocks are a few kilobytes, networks a few megabytes
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
    """Blocks that were given to the cluster."""

    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray, self._reference = ray, reference

    def result(self) -> list[BlockResult]:
        """Wait for them.

        Raises:
            AgentFault: a player raised an exception or chose no legal action.
            WorkerLost: too many workers died over it, or the cluster is gone.
        """
        errors = self._ray.exceptions
        try:
            played: list[BlockResult] = self._ray.get(self._reference)
        except errors.RayTaskError as error:
            raise error.cause from None
        except errors.RayError as error:
            raise WorkerLost(
                "Blocks of decks could not be played on the Ray cluster, though they were given "
                f"to {1 + MOST_DEATHS} workers in turn: {_first_line(error)}"
            ) from error
        return played

    def cancel(self) -> None:
        """Take them back, if nobody plays them yet."""
        self._ray.cancel(self._reference)


class RayPool:
    """The workers of a Ray cluster for the matches of one crew.

    A Ray that this process is connected to already is used and left as it is.
    """

    def __init__(self, cluster: Cluster, sent: bytes) -> None:
        """Connect.

        Args:
            cluster: where.
            sent: the pickled plans; they are copied once to every node that asks for them.

        Raises:
            ModuleNotFoundError: Ray is not installed.
            ConnectionError: there is no cluster at this address, or none could be started.
        """
        ray = load_ray()
        self._ray = ray
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            _connect(ray, cluster)
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._ahead = 2 * processors if cluster.workers is None else cluster.workers - 1
        self._plans = ray.put(sent)
        self._key = f"{ray.get_runtime_context().get_job_id()}/{next(_numbers)}"
        self._play = ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(_play)

    @property
    def ahead(self) -> int:
        """How many tasks are given out besides the one that is waited for."""
        return self._ahead

    def submit(self, tasks: Sequence[Task]) -> Given:
        """Give some blocks to whoever is free first."""
        return Given(self._ray, self._play.remote(self._key, [self._plans], tasks))

    def shutdown(self) -> None:
        """Leave the cluster; end it if it was started here."""
        del self._plans
        if self._is_ours:
            self._ray.shutdown()


def load_ray() -> Any:
    """The package ray.

    Raises:
        ModuleNotFoundError: with the pip command.
    """
    return load_extra("ray", "Playing on a cluster needs", "ray")


def _connect(ray: Any, cluster: Cluster) -> None:
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if cluster.address == LOCAL:
        options |= {"num_cpus": cluster.workers, "include_dashboard": False}
        options["object_store_memory"] = _STORE_BYTES
    try:
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
