"""Tables with one learning seat each: the opponents play until the learners are to act.

This is what the vector faces of Stable-Baselines3 and Gymnasium share. They decide who sits where
and what becomes of the results; everything between two decisions of the learners happens here.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch, make_batch
from razz_env.envs.saving import State, generator_of, generator_state, hands_of, require_like
from razz_env.envs.seated_tables import LEARNER, SeatedTables
from razz_env.envs.tables import Flags, Floats, Ints
from razz_env.observation.encoding import encode_view
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
    num_players: int | Sequence[int],
    rules: RulesLike,
    stacks: StacksLike,
    observation: str,
    seed: int = 0,
    seats: int | None = None,
) -> TableBatch:
    """Tables as `SeatedTables` wants them; for the arguments see `make_batch`.

    Raises:
        ValueError: as `make_batch`, or no observation.
    """
    if observation is None:
        raise ValueError('observation must be "features" or "infostate": a learner needs one.')
    return make_batch(
        num_tables,
        num_players,
        rules,
        stacks,
        seed,
        observation=observation,
        seats=seats,
        auto_deal=False,
    )


_ARRAYS = (
    "learners",
    "opponent_of",
    "ended",
    "returns",
    "last_look",
    "skipped_hands",
    "skipped_returns",
    "_has_decided",
)
"""What `LearningSeats` notes by table."""


class LearningSeats(SeatedTables):
    """The learners' seats at N tables, and the opponents in all the others.

    A hand is an episode if the learner has a decision in it. Hands without one are skipped: they
    are booked apart, and the next is dealt at once. What comes after an episode is the caller's
    choice, see `deals_on`.

    Attributes:
        learners: int64[N], the learners' seats.
        deals_on: whether an ended episode is followed at once by the next hand; otherwise the
            table waits for `deal`.
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
        super().__init__(batch, agents)
        count = batch.num_tables
        self.deals_on = deals_on
        self.learners = np.zeros(count, np.int64)
        self.ended = np.zeros(count, np.bool_)
        self.returns = np.zeros(count, np.float64)
        self.last_look = np.zeros((count, self.layout.size), np.float32)
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

    def state(self) -> State:
        """The tables and all that is noted of them, for `put_back`; opponents by their names."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        return arrays | {
            "hands": np.frombuffer(self.batch.hands.tobytes(), np.uint8),
            "is_ready": self.is_ready,
            "draws": generator_state(self.rng),
            "agents": [agent.name for agent in self.agents],
        }

    def put_back(self, state: State) -> None:
        """Go on from a saved state of as many tables.

        Raises:
            ValueError: an opponent of the saved tables is not here, or the state cannot be; nothing
                has changed.
        """
        known = {agent.name: agent for agent in self.agents}
        for name in state["agents"]:
            if name not in known:
                raise ValueError(
                    f"The saved tables have the opponent {name!r}, whom this environment has not: "
                    f"make it with that one; it has {', '.join(known)}."
                )
        hands, rng = hands_of(state["hands"], self.batch.hands), generator_of(state["draws"])
        is_ready = bool(state["is_ready"])
        self._check_arrays(state)
        self.agents = [known[name] for name in state["agents"]]
        self.opponent_of = np.zeros_like(self.opponent_of)
        for name in _ARRAYS:
            getattr(self, name)[:] = state[name]
        self.is_ready, self.rng = is_ready, rng
        self.batch.hands[:] = hands
        self.batch.refresh()

    def _check_arrays(self, state: State) -> None:
        """Refuse notes of other tables, or of seats and opponents that are not there."""
        for name in _ARRAYS:
            require_like(name, state[name], getattr(self, name))
        learners, opponent_of = state["learners"], state["opponent_of"]
        are_seats = (learners >= 0) & (learners < self.batch.hands["public"]["num_seats"])
        are_players = (opponent_of >= LEARNER) & (opponent_of < len(state["agents"]))
        if not are_seats.all() or not are_players.all():
            raise ValueError(
                "The saved tables have a learner at no seat, or an opponent that they do not name: "
                "load what to_bytes gave, unaltered."
            )

    def start_books(self) -> None:
        """Nothing has ended, nothing is skipped."""
        for book in (self.ended, self.returns, self.skipped_hands, self.skipped_returns):
            book.fill(0)

    def deal(self, tables: Ints, indices: Ints) -> None:
        """Deal chosen hands of the tables' streams; whatever is in play there is given up."""
        self.learners[tables], self.opponent_of[tables] = self._seating(tables, indices)
        self.opponent_of[tables, self.learners[tables]] = LEARNER
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
