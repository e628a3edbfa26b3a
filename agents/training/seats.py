"""Who sits where at the tables of self-play, and what is booked when a hand ends."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.style import Counts, count_styles, no_counts
from razz_env._jit import kernel
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch
from razz_env.envs.seated_tables import LEARNER, SeatedTables
from razz_env.envs.tables import Flags, Floats, Ints
from razz_env.rules.record import Record

Sums = NDArray[np.float64]


class Books(NamedTuple):
    """What is noted of hands that end, handed to the kernel as one.

    Attributes:
        ended: bool[N], and
        payoffs: float32[N, P], whether the hand of the last decision has ended, and what every
            seat won in it, in big bets; zeros elsewhere.
        has_decided: bool[N], whether the learner has had a decision in the hand in play.
        hands: int64[A], and
        won: float64[A], big bets: hands of every opponent in its seats, and what it won there.
        totals: float64[3]: hands that ended; seats of the learner's in hands with opponents, and
            the big bets that they won there.
    """

    ended: Flags
    payoffs: Floats
    has_decided: Flags
    hands: Ints
    won: Sums
    totals: Sums


class Seats(SeatedTables):
    """Who sits where at the tables of self-play, and what is booked when a hand ends.

    Seating: a hand is pure self-play with the chance `self_share`. In every other hand 1 to P - 1
    seats, each number equally likely, go to opponents, all of them drawn independently by weight,
    or, with the chance `copies_share`, one drawn for all; which seats these are is left to chance,
    too.

    Attributes:
        books: what has been noted.
        styles: int64[2, 5, 14], what the learner (0) and the opponents (1) did; see
            `agents.evaluation.style`.
    """

    def __init__(self, batch: TableBatch, self_share: float, copies_share: float = 0.0) -> None:
        """Seats at tables where no hand is dealt yet."""
        super().__init__(batch, ())
        count, players = batch.num_tables, batch.num_players
        self.styles: Counts = no_counts(2)
        self._self_share, self._copies_share = self_share, copies_share
        self._draws = np.random.default_rng(0)
        self._every_table = np.arange(count)
        self._sizes = batch.hands["public"]["num_seats"].astype(np.int64)
        self._chance_up_to = np.ones(1)
        self._first_drawn = 0
        self.books = Books(
            np.zeros(count, np.bool_),
            np.zeros((count, players), np.float32),
            np.zeros(count, np.bool_),
            np.zeros(0, np.int64),
            np.zeros(0),
            np.zeros(3),
        )

    def set_opponents(self, agents: Sequence[Agent], chances: NDArray[np.float64]) -> None:
        """Draw the opponents of all hands dealt from now on from these; results start anew."""
        self._first_drawn = self.replace_agents(agents)
        self._chance_up_to = np.cumsum(chances)
        self._chance_up_to[-1] = 1.0
        count = len(self.agents)
        self.books = self.books._replace(hands=np.zeros(count, np.int64), won=np.zeros(count))
        self.books.totals[1:] = 0

    def start(self, seed: int) -> None:
        """Deal hand 0 of a seed at every table; whatever is in play there is given up."""
        draws, plays = np.random.SeedSequence(seed).spawn(2)
        self._draws = np.random.default_rng(draws)
        self.start_stream(np.random.default_rng(plays))
        self.batch.hands["seed"] = seed
        self._deal(self._every_table, np.zeros_like(self._every_table))
        self.play_on()

    def act(self, actions: NDArray[Any]) -> None:
        """Play the learner's actions int[N] and the opponents' up to its next decisions.

        Raises:
            razz_env.IllegalAction: naming table, seat, street and action; no table is moved.
            OpponentError: see `play_on`.
        """
        self.books.ended.fill(False)
        self.books.payoffs.fill(0)
        _, over = self.batch.step(actions)
        self.books.has_decided.fill(True)
        self.finish(self._every_table[over])
        self.play_on()

    def finish(self, tables: Ints) -> None:
        """Book hands int64[K] that are over, and deal the next."""
        if not len(tables):
            return
        hands = self.batch.hands
        _book(hands["public"], tables, self.opponent_of, self.books)
        members = (self.opponent_of[tables] != LEARNER).astype(np.int64)
        count_styles(hands, tables, members, self.styles)
        self._deal(tables, hands["index"][tables] + 1)

    def _deal(self, tables: Ints, indices: Ints) -> None:
        chances = self._draws.random((len(tables), 2 * self.batch.num_players + 2))
        if self._copies_share > 0:
            _share_draws(chances, self._draws.random(len(tables)) < self._copies_share)
        _sit_down(
            tables,
            self._sizes,
            chances,
            self._self_share,
            self._chance_up_to,
            self._first_drawn,
            self.opponent_of,
        )
        self.books.has_decided[tables] = False
        self.batch.deal(tables, tables, indices)


def _share_draws(chances: Sums, shared: Flags) -> None:
    """Let all opponents of some hands be drawn by one number: chances float64[K, 2 P + 2]."""
    players = chances.shape[1] // 2 - 1
    chances[shared, players : 2 * players] = chances[shared, players, None]


@kernel
def _sit_down(
    tables: Ints,
    sizes: Ints,
    chances: Sums,
    self_share: float,
    chance_up_to: Sums,
    first: int,
    opponent_of: Ints,
) -> None:
    """Seat learner and opponents in new hands; chances float64[K, 2 P + 2] are all the luck."""
    players = opponent_of.shape[1]
    for row in range(len(tables)):
        table = tables[row]
        size = sizes[table]
        luck = chances[row]
        wanted = 0
        if luck[2 * players] >= self_share:
            wanted = 1 + int(luck[2 * players + 1] * (size - 1))
        for seat in range(players):
            opponent_of[table, seat] = LEARNER
            if seat < size and luck[seat] * (size - seat) < wanted:
                wanted -= 1
                opponent_of[table, seat] = first + _place(luck[players + seat], chance_up_to)


@kernel
def _place(luck: float, chance_up_to: Sums) -> int:
    """Which opponent a random number from 0 to 1 draws."""
    for place in range(len(chance_up_to) - 1):
        if luck < chance_up_to[place]:
            return place
    return len(chance_up_to) - 1


@kernel
def _book(publics: Record, tables: Ints, opponent_of: Ints, books: Books) -> None:
    """Note hands that are over: what the seats have won, and how learner and opponents did."""
    for table in tables:
        public = publics[table]
        seats, against, net = 0, False, 0.0
        for seat in range(public.num_seats):
            won = (public.stack[seat] - public.starting_stack[seat]) / public.rules.big_bet
            number = opponent_of[table, seat]
            if number >= 0:
                against = True
                books.hands[number] += 1
                books.won[number] += won
            else:
                seats, net = seats + 1, net + won
            if books.has_decided[table]:
                books.payoffs[table, seat] = won
        if books.has_decided[table]:
            books.ended[table] = True
        books.totals[0] += 1
        if against:
            books.totals[1] += seats
            books.totals[2] += net
