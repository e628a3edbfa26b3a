"""Many tables at once: an array of hand records stepped by one compiled loop.

`make_batch` is the engine of training and evaluation. Every table plays hand after hand; where a
hand ends within a step its rewards are returned and the table is already dealt again.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from razz_env.envs.rollout import (
    Policy,
    Rollout,
    check_policy,
    empty_tally,
    roll_random,
    roller,
    total,
)
from razz_env.envs.tables import (
    OUT_OF_RANGE,
    TWICE,
    Flags,
    Floats,
    Ints,
    Tables,
    deal_rows,
    find_bad_row,
    find_illegal,
    refresh_views,
    show_rows,
    step_rows,
)
from razz_env.observation.spec import ObservationSpec, spec
from razz_env.rules.checks import is_whole
from razz_env.rules.hand import Hand, IllegalAction, refusal
from razz_env.rules.house_rules import HouseRules, RulesLike
from razz_env.rules.record import HAND, MAX_SEATS, SEAT_VIEW
from razz_env.rules.sealing import sealed, unsealed
from razz_env.rules.setup import StacksLike, blank_hands, check_decisions, check_seed, fresh_seed
from razz_env.rules.terms import NUM_ACTIONS

_MAGIC = b"RAZZTABLES2"
_VIEW_BYTES = np.dtype((np.void, SEAT_VIEW.itemsize))


def make_batch(
    num_tables: int,
    num_players: int = 6,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    seed: int | None = None,
    threads: int = 1,
    *,
    observation: str | None = "features",
    seats: int | None = None,
    auto_deal: bool = True,
) -> "TableBatch":
    """Many tables of Razz in numpy; see `TableBatch`.

    Args:
        num_tables: N, at least 1.
        num_players: seats of every table, 2 to 8.
        rules: preset name, mapping or HouseRules.
        stacks: chips of every seat at the start of every hand, or one number for each.
        seed: table t's hand i is `Hand.deal(seed=seed, table=t, index=i)`; None draws a seed.
        threads: how many threads share a step; the results are the same for any number.
        observation: "features", "infostate", or None for batches whose players need none.
        seats: room for so many seats in the observation; by default num_players.
        auto_deal: deal the next hand where one has ended; otherwise the table waits for `deal`.

    Raises:
        ValueError: anything out of range, or stacks with which no hand has a decision.
    """
    for name, value in (("num_tables", num_tables), ("threads", threads)):
        if not is_whole(value) or value < 1:
            raise ValueError(f"{name}={value!r} must be a whole number of at least 1.")
    hands = blank_hands(num_tables, num_players, rules, stacks)
    check_decisions(hands[0].public)
    layout = None if observation is None else spec(num_players, observation, seats)
    return TableBatch(hands, layout, seed, threads, auto_deal)


class TableBatch:
    """N tables with the same rules and stacks; made by `make_batch`.

    The arrays below show the seat to act of every table. They are overwritten by the next `step`;
    copy what you keep.

    Attributes:
        hands: HAND[N], the full records, hidden cards included.
        actors: int8[N], seats to act; -1 where a hand is over and `auto_deal` is off.
        observations: float32[N, D], what those seats may know, as numbers (D is 0 without
            observations).
        action_masks: int8[N, 7], their legal actions, read-only; zeros where a hand is over.
        spec: layout of the observations, or None.
        auto_deal: whether ended hands are followed by the next deal at once.
    """

    def __init__(
        self,
        hands: NDArray[Any],
        layout: ObservationSpec | None,
        seed: int | None,
        threads: int,
        auto_deal: bool,
    ) -> None:
        """Use `make_batch`, which checks the arguments."""
        count = len(hands)
        self.hands = hands
        self.spec = layout
        self.auto_deal = auto_deal
        self.num_tables = count
        self.num_players = int(hands[0].public.num_seats)
        self.actors = np.zeros(count, np.int8)
        self._views: NDArray[Any] | None = None  # made when they are first asked for
        self._stale = np.ones(count, np.bool_)  # views that are older than their tables
        self.observations = np.zeros((count, layout.size if layout else 0), np.float32)
        self._masks = np.zeros((count, NUM_ACTIONS), np.int8)
        self.action_masks = self._masks.view()
        self.action_masks.flags.writeable = False  # `step` goes by what the engine wrote here
        self._tables = Tables(
            self.hands,
            self.actors,
            self._stale,
            self.observations,
            self._masks,
            layout.offsets.copy() if layout else np.zeros(0, np.int64),
            layout.seats if layout else MAX_SEATS,
        )
        self._every_table = np.arange(count)
        self._called = np.zeros(count, np.int64)  # number of the last call that named a table
        self._calls = 0
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.reset(seed)

    @property
    def rules(self) -> HouseRules:
        """The house rules of all tables."""
        return HouseRules.from_record(self.hands[0].public.rules)

    @property
    def views(self) -> NDArray[Any]:
        """SEAT_VIEW[N], what the seats to act may know; of seat 0 where the hand is over.

        They are brought up to date when they are asked for, so that a learner that only looks at
        observations does not pay for them.
        """
        if self._views is None:
            self._views = np.zeros(self.num_tables, SEAT_VIEW)
        refresh_views(self.hands, self._stale, self._views)
        return self._views

    def reset(self, seed: int | None = None) -> None:
        """Deal hand 0 on every table, under a new seed (a fresh one if None)."""
        chosen = fresh_seed() if seed is None else check_seed(seed)
        self.hands["seed"] = chosen
        self.deal(self._every_table, self._every_table, np.zeros(self.num_tables, np.int64))

    def deal(self, tables: ArrayLike, table_numbers: ArrayLike, indices: ArrayLike) -> None:
        """Deal chosen hands on some tables, whatever is in play there.

        Args:
            tables: int[K], rows of the batch.
            table_numbers: int[K], and
            indices: int[K]: the decks are those of `Hand.deal(seed, table, index)` with the
                batch's seed. Rows that shall share a deck get the same pair.

        Raises:
            ValueError: arrays that do not fit, or negative numbers; no table is dealt.
        """
        rows = self._check_rows(tables)
        numbers = [
            _whole(name, rows, given)
            for name, given in (("table_numbers", table_numbers), ("indices", indices))
        ]
        self.hands["table"][rows], self.hands["index"][rows] = numbers
        self._run(deal_rows, rows)

    def step(self, actions: ArrayLike, tables: ArrayLike | None = None) -> tuple[Floats, Flags]:
        """Play one action on every table, or on some of them.

        Args:
            actions: int[N], or int[K] together with `tables`.
            tables: int[K] different rows of the batch; None for all of them in order.

        Returns:
            rewards float32[N or K, P], net big bets of every seat for hands that ended in this
            step, else zeros; dones bool[N or K].

        Raises:
            IllegalAction: naming table, seat, street, action and the legal ones; no table is moved.
            ValueError: arrays that do not fit.
        """
        rows = self._every_table if tables is None else self._check_rows(tables)
        chosen = self._check_actions(actions, rows)
        rewards = np.zeros((len(rows), self.num_players), np.float32)
        dones = np.zeros(len(rows), np.bool_)
        self._run(step_rows, rows, chosen, rewards, dones, self.auto_deal)
        return rewards, dones

    def rollout(
        self, policy: str | Policy = "random", steps: int = 1, seed: int | None = None
    ) -> Rollout:
        """Let a compiled policy play so many decisions at every table, in one call.

        Args:
            policy: "random" (uniform over the legal actions), or a function that numba has
                compiled (`numba.njit`): `policy(view, observation, mask, bits) -> int`, with the
                seat's view (a record of dtype SEAT_VIEW), its observation float32[D], its mask
                int8[7] and 63 random bits (int64), which are all the randomness it may use.
            steps: decisions at every table, at least 1; without `auto_deal` a table stops where
                its hand ends.
            seed: of the policy's random bits, which depend on (seed, table, hand, decision) only;
                by default the seed of the decks.

        Returns:
            what the hands came to that ended in this call.

        Raises:
            ValueError: arguments out of range.
            TypeError: a policy that numba has not compiled.
            IllegalAction: the policy chose one; that table stands before it, the others have
                made their decisions.
        """
        if not is_whole(steps) or steps < 1:
            raise ValueError(f"steps={steps!r} must be a whole number of at least 1.")
        bits_seed = int(self.hands["seed"][0]) if seed is None else check_seed(seed)
        tally = empty_tally(self.num_tables, self.num_players)
        shared = (int(steps), bits_seed, self.auto_deal, tally)
        if isinstance(policy, str):
            if policy != "random":
                raise ValueError(f"policy={policy!r}: there is 'random', or give a function.")
            self._run(roll_random, self._every_table, *shared)
        else:
            self._run(roller(check_policy(policy)), self._every_table, *shared, self.views)
        for table in np.flatnonzero(tally.fault).tolist():
            action = int(tally.fault[table])
            action -= action > 0
            raise IllegalAction(f"Table {table}: {refusal(self.hand(table), action)}.")
        return total(tally)

    def hand(self, table: int) -> Hand:
        """A copy of one table's hand as a `Hand`.

        Raises:
            ValueError: there is no such table.
        """
        self._check_rows([table])
        return Hand(self.hands[table : table + 1].copy())

    def to_bytes(self) -> bytes:
        """All tables as bytes, for `load_bytes` of a batch made alike."""
        return sealed(_MAGIC, self.hands.tobytes())

    def load_bytes(self, data: bytes) -> None:
        """Put back the tables saved by `to_bytes`; they go on exactly where they stood.

        Raises:
            ValueError: data that is no batch, is damaged, or of another number of tables or seats.
        """
        hands = np.frombuffer(unsealed(_MAGIC, data), HAND)
        if len(hands) != self.num_tables or hands["public"]["num_seats"][0] != self.num_players:
            raise ValueError(
                f"The saved batch has {len(hands)} tables of {hands['public']['num_seats'][0]} "
                f"seats; this one has {self.num_tables} of {self.num_players}."
            )
        self.hands[:] = hands
        self._run(show_rows, self._every_table)

    def views_of(self, tables: Ints) -> NDArray[Any]:
        """SEAT_VIEW[K], copies of the views of some tables int64[K].

        They are taken as plain bytes: NumPy copies records field by field, 15 times slower.
        """
        views: NDArray[Any] = self.views.view(_VIEW_BYTES)[tables].view(SEAT_VIEW)
        return views

    def _check_rows(self, tables: ArrayLike) -> Ints:
        rows = np.asarray(tables)
        rows = rows.astype(np.int64) if rows.size == 0 else rows
        if rows.ndim != 1 or rows.dtype.kind not in "iu":
            raise ValueError(f"tables must be whole numbers of shape (K,), not {rows.shape}.")
        rows = rows.astype(np.int64)
        self._calls += 1
        fault = int(find_bad_row(rows, self._called, self._calls))
        if fault == OUT_OF_RANGE:
            raise ValueError(f"tables must be 0 to {self.num_tables - 1}.")
        if fault == TWICE:
            raise ValueError("A table may be stepped only once in a step; tables has one twice.")
        return rows

    def _check_actions(self, actions: ArrayLike, rows: Ints) -> Ints:
        given = np.asarray(actions)
        if given.shape != rows.shape or given.dtype.kind not in "iu":
            raise ValueError(
                f"step wants {len(rows)} whole-number actions, not {given.dtype} of shape "
                f"{given.shape}."
            )
        chosen = given.astype(np.int64)
        place = int(find_illegal(self._masks, rows, chosen))
        if place >= 0:
            table = int(rows[place])
            raise IllegalAction(f"Table {table}: {refusal(self.hand(table), int(given[place]))}.")
        return chosen

    def _run(self, rows_kernel: Any, rows: Ints, *by_row: Any) -> None:
        """Run a kernel over rows, shared among the threads; every row is independent."""
        if self._pool is None:
            rows_kernel(self._tables, rows, *by_row)
            return
        parts = np.array_split(np.arange(len(rows)), self._threads)
        jobs = []
        for part in (slice(p[0], p[-1] + 1) for p in parts if len(p)):
            share = [value[part] if isinstance(value, np.ndarray) else value for value in by_row]
            jobs.append(self._pool.submit(rows_kernel, self._tables, rows[part], *share))
        for job in jobs:
            job.result()


def _whole(name: str, rows: Ints, given: ArrayLike) -> Ints:
    """One whole number >= 0 for each of the rows."""
    numbers = np.asarray(given)
    if numbers.shape != rows.shape or numbers.dtype.kind not in "iu" or (numbers < 0).any():
        raise ValueError(f"{name} must be {len(rows)} whole numbers >= 0, not {given!r}.")
    return numbers.astype(np.int64)
