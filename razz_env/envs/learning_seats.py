"""Tables with one learning seat each: the opponents play until the learners are to act.

This is what the vector faces of Stable-Baselines3 and Gymnasium share. They decide who sits where
and what becomes of the results; everything between two decisions of the learners happens here.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.envs.agent import Agent, forget
from razz_env.envs.answers import BadAnswer, check_answer
from razz_env.envs.batch import TableBatch, make_batch
from razz_env.envs.opponents import OpponentError
from razz_env.envs.tables import Flags, Floats, Ints
from razz_env.observation.encoding import encode_view
from razz_env.rules.hand import IllegalAction
from razz_env.rules.house_rules import RulesLike
from razz_env.rules.record import SEAT_VIEW, Record
from razz_env.rules.seat_view import seat_view
from razz_env.rules.setup import StacksLike

Returns = NDArray[np.float64]


class Seating(Protocol):
    """Who sits where."""

    def __call__(self, tables: Ints, indices: Ints) -> tuple[Ints, Ints]:
        """Seat the players of hands that are about to be dealt.

        Args:
            tables: int64[K], rows of the batch.
            indices: int64[K], numbers of the hands in the tables' streams.

        Returns:
            The learner's seats int64[K]; and int64[K, P], by seat, the opponents' numbers among
            the agents, with anything in the learner's seat.
        """


class Books(NamedTuple):
    """What is noted of the hands, handed to the kernel as one; see `LearningSeats`."""

    learners: Ints
    has_decided: Flags
    ended: Flags
    returns: Returns
    last_look: Floats
    skipped_hands: Ints
    skipped_returns: Returns


def batch_for_learners(
    num_tables: int,
    num_players: int,
    rules: RulesLike,
    stacks: StacksLike,
    observation: str,
    seed: int = 0,
) -> TableBatch:
    """Tables as `LearningSeats` wants them; for the arguments see `make_batch`.

    Raises:
        ValueError: as `make_batch`, or no observation.
    """
    if observation is None:
        raise ValueError('observation must be "features" or "infostate": a learner needs one.')
    return make_batch(
        num_tables, num_players, rules, stacks, seed, observation=observation, auto_deal=False
    )


class LearningSeats:
    """The learners' seats at N tables, and the opponents in all the others.

    A hand is an episode if the learner has a decision in it. Hands without one are skipped: they
    are booked apart, and the next is dealt at once. What comes after an episode is the caller's
    choice, see `deals_on`.

    Attributes:
        batch: the tables; `auto_deal` is off.
        layout: of the observations.
        agents: the opponents.
        opponent_of: int64[N, P], numbers among `agents`, by seat.
        learners: int64[N], the learners' seats.
        rng: what opponents draw from.
        deals_on: whether an ended episode is followed at once by the next hand; otherwise the
            table waits for `deal`.
        is_ready: whether every learner is to act, or waits at a hand that is over.
        ended: bool[N], and
        returns: float64[N], in which tables the episode has ended since `start_books`, and what the
            learner has won there, in units of `chips_per_return`; zeros elsewhere.
        last_look: float32[N, D], what the learner sees of its latest ended episode.
        skipped_hands: int64[N], and
        skipped_returns: float64[N], the hands skipped since `start_books`, and their summed result.
    """

    def __init__(
        self,
        batch: TableBatch,
        agents: Sequence[Agent],
        seating: Seating,
        deck_numbers: Ints,
        chips_per_return: int,
        deals_on: bool,
    ) -> None:
        """Seats at tables where no hand is dealt before `deal`.

        Args:
            batch: made by `batch_for_learners`.
            agents: at least one opponent.
            seating: who sits where in a hand.
            deck_numbers: int64[N], the table numbers that choose the decks: see `TableBatch.deal`.
            chips_per_return: how many chips a return of 1 is.
            deals_on: see the attribute.
        """
        assert batch.spec is not None
        count = batch.num_tables
        self.batch, self.layout, self.deals_on = batch, batch.spec, deals_on
        self.agents = list(agents)
        self.opponent_of = np.zeros((count, batch.num_players), np.int64)
        self.learners = np.zeros(count, np.int64)
        self.rng = np.random.default_rng(0)
        self.is_ready = False
        self.ended = np.zeros(count, np.bool_)
        self.returns = np.zeros(count, np.float64)
        self.last_look = np.zeros((count, batch.spec.size), np.float32)
        self.skipped_hands = np.zeros(count, np.int64)
        self.skipped_returns = np.zeros(count, np.float64)
        self._seating = seating
        self._deck_numbers = deck_numbers
        self._chips_per_return = chips_per_return
        self._has_decided = np.zeros(count, np.bool_)
        self._books = Books(
            self.learners,
            self._has_decided,
            self.ended,
            self.returns,
            self.last_look,
            self.skipped_hands,
            self.skipped_returns,
        )
        self._view = np.zeros(1, SEAT_VIEW)
        self._waiting = np.zeros(count, np.int64)
        self._ends = np.zeros(0, np.int64)

    def replace_agents(self, fresh: Sequence[Agent]) -> int:
        """Bring new opponents, from the next hands on; those who are in a hand stay for it.

        Returns:
            The number of the first of the new ones among `agents`.
        """
        in_play = np.unique(self.opponent_of) if self.agents else np.zeros(0, np.int64)
        self.opponent_of = np.searchsorted(in_play, self.opponent_of)
        self.agents = [*(self.agents[number] for number in in_play), *fresh]
        return len(in_play)

    def start_stream(self, rng: np.random.Generator) -> None:
        """Let the opponents forget what they have seen and draw from another generator."""
        self.rng = rng
        for agent in {id(agent): agent for agent in self.agents}.values():
            forget(agent)

    def start_books(self) -> None:
        """Nothing has ended, nothing is skipped."""
        for book in (self.ended, self.returns, self.skipped_hands, self.skipped_returns):
            book.fill(0)

    def deal(self, tables: Ints, indices: Ints) -> None:
        """Deal chosen hands of the tables' streams; whatever is in play there is given up."""
        self.learners[tables], self.opponent_of[tables] = self._seating(tables, indices)
        self._has_decided[tables] = False
        self.batch.deal(tables, self._deck_numbers[tables], indices)

    def deal_next(self, tables: Ints) -> None:
        """Deal the next hand of each of the tables' streams."""
        self.deal(tables, self.batch.hands["index"][tables] + 1)

    def act(self, actions: NDArray[Any], tables: Ints | None = None) -> None:
        """Play the learners' actions int[K] at some tables, or at all.

        Raises:
            razz_env.IllegalAction: naming table, seat, street and action; no table is moved.
            ValueError: actions of another shape or type; no table is moved.
        """
        _, over = self.batch.step(actions, tables)
        rows = np.arange(self.batch.num_tables) if tables is None else tables
        self._has_decided[rows] = True
        self.finish(rows[over])

    def play_on(self) -> None:
        """Let the opponents act, pass after pass, until every learner is to act or waits.

        In each pass an opponent is asked once for all tables that wait for it.

        Raises:
            OpponentError: an opponent's answer is no legal action; the hands can only be given up.
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

    def finish(self, tables: Ints) -> None:
        """Book hands int64[K] that are over, and deal the next where the learner need not wait."""
        if not len(tables):
            return
        layout = self.layout
        skipped = _book(
            self.batch.hands,
            tables,
            self._books,
            self._chips_per_return,
            self._view,
            layout.offsets,
            layout.seats,
        )
        if self.deals_on:
            self.deal_next(tables)
        elif skipped:
            self.deal_next(tables[~self._has_decided[tables]])

    def _waiting_rows(self) -> Ints:
        """The tables where opponents are to act, int64[K], by opponent, then by table.

        The k-th opponent's are those before `self._ends[k]`.
        """
        if len(self._ends) != len(self.agents):
            self._ends = np.zeros(len(self.agents), np.int64)
        count = _find_waiting(
            self.batch.actors, self.learners, self.opponent_of, self._ends, self._waiting
        )
        return self._waiting[:count].copy()

    def _ask(self, rows: Ints) -> Ints:
        """Actions int64[K] of the opponents to act, in the order of `_waiting_rows`."""
        batch = self.batch
        views, masks = batch.views_of(rows), batch.action_masks[rows]
        actions = np.empty(len(rows), np.int64)
        for agent, part in self._parts():
            # An array of its own, because the last bits of a product may depend on where it lies.
            theirs = rows[part] if getattr(agent, "needs_observations", True) else rows[:0]
            seen = batch.observations[theirs] if len(theirs) else _no_columns(part)
            answer = np.asarray(agent.act(views[part], seen, masks[part], self.rng))
            if answer.shape != actions[part].shape or answer.dtype.kind not in "iu":
                self._refuse(agent, rows[part], answer)
            actions[part] = answer
        return actions

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
            check_answer(answer, batch.action_masks[rows], lambda k: batch.hand(int(rows[k])))
        except BadAnswer as bad:
            raise OpponentError(
                f"At table {rows[bad.place]} the opponent {agent.name!r} {bad}."
            ) from None


def _no_columns(part: slice) -> Floats:
    return np.zeros((part.stop - part.start, 0), np.float32)


@kernel
def _find_waiting(
    actors: NDArray[np.int8], learners: Ints, opponent_of: Ints, ends: Ints, rows: Ints
) -> int:
    """Sort the tables that wait for opponents by opponent into `rows`; how many they are."""
    ends[:] = 0
    count = 0
    for table in range(len(actors)):
        actor = actors[table]
        if actor >= 0 and actor != learners[table]:
            ends[opponent_of[table, actor]] += 1
            count += 1
    start = 0
    for number in range(len(ends)):
        start, ends[number] = start + ends[number], start
    for table in range(len(actors)):
        actor = actors[table]
        if actor >= 0 and actor != learners[table]:
            number = opponent_of[table, actor]
            rows[ends[number]] = table
            ends[number] += 1
    return count


@kernel
def _book(
    hands: Record,
    tables: Ints,
    books: Books,
    chips_per_return: int,
    scratch: Record,
    offsets: Ints,
    seats: int,
) -> int:
    """Book hands that are over: what the learners have won and see; how many were skipped."""
    skipped = 0
    for table in tables:
        seat, public = books.learners[table], hands[table].public
        won = (public.stack[seat] - public.starting_stack[seat]) / chips_per_return
        if books.has_decided[table]:
            books.ended[table] = True
            books.returns[table] = won
            seat_view(hands[table], seat, scratch[0])
            encode_view(scratch[0], offsets, seats, books.last_look[table])
        else:
            skipped += 1
            books.skipped_hands[table] += 1
            books.skipped_returns[table] += won
    return skipped
