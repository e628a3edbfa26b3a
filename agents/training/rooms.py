"""A rollout in blocks: groups of tables, each with random streams of its own.

A block is what one group of tables, a room, plays in a rollout. It depends on the learner's
weights, the opponents drawn for the rollout and how the room stood before, and on nothing else, so
that it does not matter in what order or by which machine blocks are played.

Hands go on from one rollout to the next, as they do at tables in one batch: a block that dealt new
hands would meet the first streets of them more often than the last ones, which the cut takes away.
"""

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agents.training.acting import Chooser
from agents.training.columns import Columns
from agents.training.config import TrainingConfig
from agents.training.tables import LearnersTables, Report, SelfPlayTables
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch
from razz_env.envs.tables import Floats


def make_room(config: TrainingConfig, opponents: Sequence[Agent | str]) -> SelfPlayTables:
    """The tables of one block of a run; their sizes take turns."""
    table, ppo = config.table, config.ppo
    return SelfPlayTables(
        [table.sizes[number % len(table.sizes)] for number in range(config.tables_per_block)],
        opponents,
        rules=table.make_rules(),
        stacks=table.stacks,
        observation=table.observation,
        seats=table.seats,
        big_bets_per_reward=ppo.big_bets_per_reward,
        self_share=config.pool.self_share,
        copies_share=config.pool.copies_share,
        all_cards=ppo.critic == "all_cards",
        win_chance=table.win_chance,
    )


def room_seed(seed: int, number: int) -> int:
    """The seed of a room; the first has that of the run, as if there were no others."""
    if number == 0:
        return seed
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1)[0])


class Rooms(LearnersTables):
    """The rooms of a run, played one after the other in this process."""

    def __init__(self, rooms: Sequence[SelfPlayTables], count: int | None = None) -> None:
        """Rooms that are alike.

        Args:
            rooms: all of them, or one that shows what they are like.
            count: how many there are, if that is not the number of `rooms`.
        """
        self._rooms = list(rooms)
        self._count = len(rooms) if count is None else count
        one = rooms[0]
        assert one.batch.spec is not None
        super().__init__(self._count * one.num_envs, one.batch.spec)
        self.observation_space = one.observation_space

    @property
    def batch(self) -> TableBatch:
        """The tables of the first room."""
        return self._rooms[0].batch

    @property
    def report(self) -> Report:
        """What happened in all rooms together."""
        reports = self._reports()
        return Report(
            sum(report.finished_hands for report in reports),
            np.sum([report.styles for report in reports], axis=0),
            (sum(one.learner[0] for one in reports), sum(one.learner[1] for one in reports)),
            [one for report in reports for one in report.opponents],
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """Refused: rooms show their tables to whoever plays them."""
        raise TypeError("Rooms have no masks to show: `rollout` plays them with a policy.")

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """One seed for all rooms, each of which makes its own of it."""
        seeds = super().seed(seed)
        assert self._pending_seed is not None
        for number in range(self._count):
            self._tell(number, "seed", room_seed(self._pending_seed, number))
        return seeds

    def seed_choices(self, seed: int) -> None:
        """See `LearnersTables`; every room makes a seed of its own of it."""
        for number in range(self._count):
            self._tell(number, "seed_choices", room_seed(seed, number))

    def set_opponents(
        self, opponents: Sequence[Agent | str], weights: ArrayLike | None = None
    ) -> None:
        """See `LearnersTables`."""
        for number in range(self._count):
            self._tell(number, "set_opponents", opponents, weights)

    def reset(self) -> Floats:
        """Deal hand 0 in every room; the rooms show nothing, so that no row is returned."""
        for number in range(self._count):
            self._tell(number, "reset")
        return np.zeros((0, *self.observation_space.shape), np.float32)  # type: ignore[misc]

    def rollout(self, chooser: Chooser, columns: Columns) -> Generator[int]:
        """Play the rooms' blocks; see `LearnersTables`."""
        for room, part in zip(self._rooms, self._parts(columns), strict=True):
            yield from room.rollout(chooser, part)

    def _parts(self, columns: Columns) -> list[Columns]:
        """The columns of every room."""
        size = self.num_envs // self._count
        starts = range(0, self.num_envs, size)
        return [columns.of_tables(start, start + size) for start in starts]

    def _reports(self) -> list[Report]:
        return [room.report for room in self._rooms]

    def _tell(self, number: int, method: str, *arguments: Any) -> None:
        """Have a room do something before its next block."""
        getattr(self._rooms[number], method)(*arguments)
