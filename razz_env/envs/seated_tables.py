"""Opponents at many tables: they play until a seat that learns is to act at every one.

This is what all faces with learning seats share. Who sits where, what is booked when a hand ends
and what comes after it is decided by whoever builds on it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.envs.agent import Agent, wants_observations
from razz_env.envs.answers import BadAnswer, answer_of, check_answer
from razz_env.envs.batch import TableBatch
from razz_env.envs.opponents import OpponentError, forget_all
from razz_env.envs.tables import Floats, Ints
from razz_env.rules.hand import IllegalAction
from razz_env.rules.terms import NUM_ACTIONS

LEARNER: Final = -1
"""In the place of an opponent's number: the seat is one that learns."""


class SeatedTables(ABC):
    """N tables whose seats belong to opponents or learn.

    Attributes:
        batch: the tables; `auto_deal` is off.
        layout: of the observations.
        agents: the opponents.
        opponent_of: int64[N, P], numbers among `agents`, by seat; `LEARNER` for a seat that learns.
        rng: what opponents draw from.
        is_ready: whether a learning seat is to act at every table, or the table waits at a hand
            that is over.
    """

    def __init__(self, batch: TableBatch, agents: Sequence[Agent]) -> None:
        """Seats at tables where no hand is dealt yet; `batch` has observations and no auto-deal."""
        assert batch.spec is not None
        self.batch, self.layout = batch, batch.spec
        self.agents = list(agents)
        self.opponent_of = np.zeros((batch.num_tables, batch.num_players), np.int64)
        self.rng = np.random.default_rng(0)
        self.is_ready = False
        self._waiting = np.zeros(batch.num_tables, np.int64)
        self._ends = np.zeros(0, np.int64)

    @abstractmethod
    def finish(self, tables: Ints) -> None:
        """Book hands int64[K] that are over, and deal the next where that is wanted."""

    def replace_agents(self, fresh: Sequence[Agent]) -> int:
        """Bring new opponents, from the next hands on; those who are in a hand stay for it.

        Returns:
            The number of the first of the new ones among `agents`.
        """
        is_opponent = self.opponent_of != LEARNER
        in_play = np.unique(self.opponent_of[is_opponent]) if self.agents else np.zeros(0, np.int64)
        numbers = np.searchsorted(in_play, self.opponent_of)
        self.opponent_of = np.where(is_opponent, numbers, LEARNER)
        self.agents = [*(self.agents[number] for number in in_play), *fresh]
        return len(in_play)

    def start_stream(self, rng: np.random.Generator) -> None:
        """Let the opponents forget what they have seen and draw from another generator.

        Raises:
            OpponentError: one cannot forget; nothing has changed.
        """
        forget_all(self.agents)
        self.rng = rng

    def play_on(self) -> None:
        """Let the opponents act, pass after pass, until a learning seat is to act everywhere.

        In each pass an opponent is asked once for all tables that wait for it.

        Raises:
            OpponentError: an opponent failed; the hands can only be given up.
        """
        self.is_ready = False
        while len(rows := self._waiting_rows()):
            actions = self._ask(rows)
            try:
                _, over = self.batch.step(actions, rows)
            except IllegalAction:
                self._blame(rows, actions)
            self.finish(np.sort(rows[over]))
        self.is_ready = True

    def _waiting_rows(self) -> Ints:
        """The tables where opponents are to act, int64[K], by opponent, then by table.

        The k-th opponent's are those before `self._ends[k]`.
        """
        if len(self._ends) != len(self.agents):
            self._ends = np.zeros(len(self.agents), np.int64)
        count = _find_waiting(self.batch.actors, self.opponent_of, self._ends, self._waiting)
        return self._waiting[:count].copy()

    def _ask(self, rows: Ints) -> Ints:
        """Actions int64[K] of the opponents to act, in the order of `_waiting_rows`."""
        batch = self.batch
        views, masks = batch.views_of(rows), batch.action_masks[rows]
        actions = np.empty(len(rows), np.int64)
        for agent, part in self._parts():
            # An array of its own, because the last bits of a product may depend on where it lies.
            theirs = rows[part] if wants_observations(agent) else rows[:0]
            seen = batch.observations[theirs] if len(theirs) else _no_columns(part)
            answer = self._answer(agent, rows[part], views[part], seen, masks[part])
            is_large = answer.dtype.kind == "u" and (answer >= NUM_ACTIONS).any()
            if is_large or answer.shape != actions[part].shape or answer.dtype.kind not in "iu":
                self._refuse(agent, rows[part], answer)
            actions[part] = answer
        return actions

    def _answer(
        self, agent: Agent, rows: Ints, views: NDArray[Any], seen: Floats, masks: NDArray[np.int8]
    ) -> NDArray[Any]:
        """What an opponent returns, as an array."""
        try:
            return answer_of(lambda: agent.act(views, seen, masks, self.rng))
        except BadAnswer as bad:
            where = f"table {rows[0]}" if len(rows) == 1 else f"one of {len(rows)} tables"
            raise OpponentError(f"At {where} the opponent {agent.name!r} {bad}.") from bad.__cause__

    def _parts(self) -> list[tuple[Agent, slice]]:
        """The opponents that are to act, with their parts of `_waiting_rows`."""
        ends = self._ends.tolist()
        starts = [0, *ends[:-1]]
        return [
            (agent, slice(start, end))
            for agent, start, end in zip(self.agents, starts, ends, strict=True)
            if end > start
        ]

    def _blame(self, rows: Ints, actions: Ints) -> NoReturn:
        """Name the opponent that chose an illegal action."""
        for agent, part in self._parts():
            self._refuse(agent, rows[part], actions[part])
        raise AssertionError("The batch refused actions that are legal.")

    def _refuse(self, agent: Agent, rows: Ints, answer: NDArray[Any]) -> None:
        """Raise an OpponentError if an opponent's answer is at fault."""
        batch = self.batch
        try:
            public = batch.hands["public"]
            check_answer(answer, batch.action_masks[rows], lambda k: public[rows[k]])
        except BadAnswer as bad:
            raise OpponentError(
                f"At table {rows[bad.place]} the opponent {agent.name!r} {bad}."
            ) from None


def _no_columns(part: slice) -> Floats:
    return np.zeros((part.stop - part.start, 0), np.float32)


@kernel
def _find_waiting(actors: NDArray[np.int8], opponent_of: Ints, ends: Ints, rows: Ints) -> int:
    """Sort the tables that wait for opponents by opponent into `rows`; how many they are."""
    ends[:] = 0
    count = 0
    for table in range(len(actors)):
        actor = actors[table]
        if actor >= 0 and opponent_of[table, actor] >= 0:
            ends[opponent_of[table, actor]] += 1
            count += 1
    start = 0
    for number in range(len(ends)):
        start, ends[number] = start + ends[number], start
    for table in range(len(actors)):
        actor = actors[table]
        if actor >= 0 and opponent_of[table, actor] >= 0:
            number = opponent_of[table, actor]
            rows[ends[number]] = table
            ends[number] += 1
    return count
