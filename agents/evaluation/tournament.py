"""Tournaments: every line-up of a field plays the same decks, and a stopped one goes on."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from agents.evaluation.cluster import Cluster
from agents.evaluation.crew import Crew
from agents.evaluation.duplicate import DECKS_PER_BLOCK, BlockResult
from agents.evaluation.field import Field
from agents.evaluation.plan import Task
from agents.evaluation.progress import Progress
from agents.evaluation.store import Store, wanted

SAVE_SECONDS = 5.0

Blocks = dict[Task, BlockResult]


class Tournament:
    """A field and what it has played. All line-ups play a block before any plays the next.

    Attributes:
        field: the players and all that decides the results.
        blocks: results, by task.
    """

    def __init__(self, field: Field, folder: Path | None = None) -> None:
        """A new tournament, or one that goes on where it was left.

        Args:
            field: who plays what.
            folder: where it is kept; nothing is kept if None.

        Raises:
            ValueError: the folder holds another tournament, or is damaged.
        """
        self.field = field
        self.blocks: Blocks = {}
        self._matches = len(field.lineups())
        self._store = None if folder is None else Store(folder, field.definition())
        for block in range(self.num_blocks):
            self._load(block)

    @property
    def num_blocks(self) -> int:
        """Blocks of every match."""
        return -(-self.field.decks // DECKS_PER_BLOCK)

    @property
    def decks_done(self) -> int:
        """Decks played by now, all matches together."""
        return sum(task.decks for task in self.blocks)

    @property
    def decks_in_all(self) -> int:
        """Decks that all matches together have to play."""
        return self._matches * self.field.decks

    @property
    def common_decks(self) -> int:
        """Decks that every match has played."""
        decks = 0
        for block in range(self.num_blocks):
            tasks = self._tasks(block)
            if not all(task in self.blocks for task in tasks):
                break
            decks += tasks[0].decks
        return decks

    @property
    def is_finished(self) -> bool:
        """Whether everything has been played."""
        return self.decks_done == self.decks_in_all

    def play(
        self,
        workers: int = 1,
        progress: Progress | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """Play what is left. Whatever ends it early, what was played is kept.

        Args:
            workers: processes that play; the results are the same for any number.
            progress: called after every block.
            cluster: a Ray cluster that plays instead.

        Raises:
            AgentFault: a player raised an exception or chose no legal action.
            WorkerLost: a process died, or too many workers of the cluster.
        """
        tasks = self._left()
        saved = time.monotonic()
        touched: set[int] = set()
        try:
            crew = Crew(self.field.plans(), workers, cluster)
            with crew, closing(crew.play(tasks)) as results:
                for task, result in results:
                    self.blocks[task] = result
                    touched.add(task.block)
                    if time.monotonic() - saved > SAVE_SECONDS:
                        self._save(touched)
                        saved = time.monotonic()
                    if progress is not None:
                        progress(self.decks_done, self.decks_in_all)
        finally:
            self._save(touched)

    def _left(self) -> Iterator[Task]:
        missing = [
            task
            for block in range(self.num_blocks)
            for task in self._tasks(block)
            if task not in self.blocks
        ]
        return iter(missing)

    def _tasks(self, block: int) -> list[Task]:
        decks = min(DECKS_PER_BLOCK, self.field.decks - block * DECKS_PER_BLOCK)
        return [Task(match, block, decks) for match in range(self._matches)]

    def _load(self, block: int) -> None:
        kept = {} if self._store is None else self._store.load(block)
        for task in self._tasks(block):
            result = wanted(kept, task)
            if result is not None:
                self.blocks[task] = result

    def _save(self, touched: set[int]) -> None:
        """Write the blocks that have grown."""
        if self._store is not None:
            for block in sorted(touched):
                results = {
                    task.plan: self.blocks[task]
                    for task in self._tasks(block)
                    if task in self.blocks
                }
                self._store.save(block, results)
        touched.clear()
