"""What Ray adds to a match: one worker of a local Ray beside this process, in turn.

    python -m benchmarks.cluster_overhead [--blocks 40] [--rounds 7]

Blocks of 1,000 decks heads-up between two scripted players, the fastest that count. The processor
time of the worker and of this process together, and the clock, are divided by those of playing in
this process; the medians over the rounds are printed. It needs the extra `ray`.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from agents.evaluation.cluster import Cluster, load_ray
from agents.evaluation.crew import Crew
from agents.evaluation.plan import TablePlan, Task
from razz_env import HouseRules
from razz_env.envs.opponents import resolve_agent


def worker_seconds() -> tuple[int, float]:
    """Process and processor time of the worker that this is run in."""
    return os.getpid(), time.process_time()


def nobody() -> tuple[int, float]:
    """What stands for the worker where there is none."""
    return 0, 0.0


def spent(
    work: Callable[[], Any], far: Callable[[], tuple[int, float]] = nobody
) -> tuple[float, float]:
    """Seconds that some work takes of the processors, the worker's included, and of the clock."""
    before = far()
    processor, clock = time.process_time(), time.perf_counter()
    work()
    here, waited = time.process_time() - processor, time.perf_counter() - clock
    after = far()
    if after[0] != before[0]:
        raise RuntimeError("The worker was replaced meanwhile; measure again.")
    return here + after[1] - before[1], waited


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster_overhead")
    parser.add_argument("--blocks", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args(words)
    ray = load_ray()
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    ask = ray.remote(num_cpus=1)(worker_seconds)
    lineup = resolve_agent("scripted:tight"), resolve_agent("scripted:loose")
    plan = TablePlan(lineup, 1, HouseRules(), 500)
    tasks = [Task(0, block, 1000) for block in range(options.blocks)]
    ratios = []
    with Crew([plan]) as here, Crew([plan], cluster=Cluster()) as there:
        for _ in range(options.rounds + 1):
            alone = spent(lambda: list(here.play(tasks)))
            away = spent(lambda: list(there.play(tasks)), lambda: ray.get(ask.remote()))
            ratios.append([one / other for one, other in zip(away, alone, strict=True)])
    processor, clock = (statistics.median(column) for column in zip(*ratios[1:], strict=True))
    print(f"processor time x {processor:.3f}, clock x {clock:.3f}")


if __name__ == "__main__":
    main()
