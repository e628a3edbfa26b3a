"""A Ray cluster on this machine for the tests: a head that plays nothing, and nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any


def patiently(start: Callable[[], Any]) -> Any:
    """What `start` makes, tried up to eight times."""
    for _ in range(7):
        with suppress(Exception):
            return start()
    return start()


@contextmanager
def ray_nodes(count: int) -> Iterator[Any]:
    """A cluster of so many nodes of one processor each; this process is connected to it.

    Without the monitors, and tried again: a raylet gives its helpers but 15 seconds to start, and
    a busy machine takes longer.
    """
    import ray
    from ray.cluster_utils import Cluster as Nodes

    few = {"include_log_monitor": False, "object_store_memory": 100_000_000}
    head = {"num_cpus": 0, "no_monitor": True, "include_dashboard": False}
    together = patiently(lambda: Nodes(initialize_head=True, head_node_args=head | few))
    for _ in range(count):
        patiently(lambda: together.add_node(num_cpus=1, **few))
    together.wait_for_nodes()
    ray.init(address=together.address, log_to_driver=False)
    yield together
    ray.shutdown()
    together.shutdown()
