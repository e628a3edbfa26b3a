"""Many tables at once: an array of hand records stepped by one compiled loop.

`make_batch` is the engine of training and evaluation. Every table plays hand after hand; where a
hand ends within a step its rewards are returned and the table is already dealt again.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from razz_env._jit import unkept
from razz_env.envs.alike import check_alike
from razz_env.envs.policy import Policy, check_policy
from razz_env.envs.rollout import (
    Rollout,
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
    read_only,
    refresh_views,
    show_rows,
    step_rows,
)
from razz_env.envs.workers import Workers
from razz_env.observation.spec import ObservationSpec, spec
from razz_env.rules.checks import is_whole
from razz_env.rules.hand import Hand, IllegalAction, refusal
from razz_env.rules.house_rules import HouseRules, RulesLike
from razz_env.rules.record import HAND, MAX_SEATS, SEAT_VIEW
from razz_env.rules.saved_hands import check_hands
from razz_env.rules.sealing import sealed, unsealed
from razz_env.rules.setup import StacksLike, blank_hands, check_decisions, check_seed, fresh_seed
from razz_env.rules.terms import NUM_ACTIONS

_MAGIC = b"RAZZTABLES2"
_LAST_NUMBER = 2**63 - 1
_VIEW_BYTES = np.dtype((np.void, SEAT_VIEW.itemsize))


def make_batch(
    num_tables: int,
    num_players: int | Sequence[int] = 6,
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
        num_players: seats of every table, 2 to 8, or one number for each of the N tables.
        rules: preset name, mapping or HouseRules.
        stacks: chips of every seat at the start of every hand, or one number for each.
        seed: table t's hand i is `Hand.deal(seed=seed, table=t, index=i)`; None draws a seed.
        threads: how many threads share a step; the results are the same for any number.
        observation: "features", "infostate", or None for batches whose players need none.
        seats: room for so many seats in the observation; by default those of the largest table.
        auto_deal: deal the next hand where one has ended; otherwise the table waits for `deal`.

    Raises:
        ValueError: anything out of range, or stacks with which no hand has a decision.
    """
    for name, value in (("num_tables", num_tables), ("threads", threads)):
        if not is_whole(value) or value < 1:
            raise ValueError(f"{name}={value!r} must be a whole number of at least 1.")
    if not isinstance(auto_deal, bool):
        raise ValueError(f"auto_deal must be True or False, not {auto_deal!r}.")
    if observation is None and seats is not None:
        raise ValueError(f"seats={seats!r} is room in observations, of which there are none here.")
    hands = _blank_tables(num_tables, num_players, rules, stacks)
    most = int(hands["public"]["num_seats"].max())
    layout = None if observation is None else spec(most, observation, seats)
    batch = TableBatch(hands, layout, threads, auto_deal)
    batch.reset(seed)
    return batch


class TableBatch:
    """N tables with the same rules; made by `make_batch`.

    Where tables have different numbers of seats, P is that of the largest: smaller ones have zeros
    in the rewards of the seats that they lack.

    The arrays below show the seat to act of every table. They are overwritten by the next `step`;
    copy what you keep. `copy` and `pickle` make a batch that goes on identically. Batches may be
    used from several threads of Python at once, a single one only from one at a time.

    Attributes:
        hands: HAND[N], the full records, hidden cards included.
        actors: int8[N], seats to act; -1 where a hand is over and `auto_deal` is off.
        observations: float32[N, D], what those seats may know, as numbers (D is 0 without
            observations).
        action_masks: int8[N, 7], their legal actions, read-only; zeros where a hand is over.
        num_players: P, seats of the largest table.
        spec: layout of the observations, or None.
        auto_deal: whether ended hands are followed by the next deal at once.
    """

    def __init__(
        self,
        hands: NDArray[Any],
        layout: ObservationSpec | None,
        threads: int,
        auto_deal: bool,
    ) -> None:
        """Use `make_batch`, which checks the arguments."""
        count = len(hands)
        self.hands = hands
        self.spec = layout
        self.auto_deal = auto_deal
        self.num_tables = count
        self.num_players = int(hands["public"]["num_seats"].max())
        self.actors = np.zeros(count, np.int8)
        self._views: NDArray[Any] | None = None  # made when they are first asked for
        self._stale = np.ones(count, np.bool_)  # views that are older than their tables
        self.observations = np.zeros((count, layout.size if layout else 0), np.float32)
        self._masks = np.zeros((count, NUM_ACTIONS), np.int8)
        self.action_masks = read_only(self._masks)  # `step` goes by what the engine wrote here
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
        self._workers = Workers(threads)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """For `copy` and `pickle`: another batch that goes on identically, threads of its own."""
        return _restored, (self.to_bytes(), self.spec, self._workers.threads, self.auto_deal)

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
            ValueError: arrays that do not fit, or numbers out of range; no table is dealt.
        """
        rows = self._check_rows(tables)
        numbers = [
            _whole(name, rows, given)
            for name, given in (("table_numbers", table_numbers), ("indices", indices))
        ]
        self.hands["table"][rows], self.hands["index"][rows] = numbers
        self._workers.run(deal_rows, self._tables, rows)

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
        by_row = (chosen, rewards, dones)
        self._workers.run(step_rows, self._tables, rows, by_row, (self.auto_deal,))
        return rewards, dones

    def rollout(
        self, policy: str | Policy = "random", steps: int = 1, seed: int | None = None
    ) -> Rollout:
        """Let a compiled policy play so many decisions at every table, in one call.

        Args:
            policy: "random" (uniform over the legal actions), or a function that numba has
                compiled (`numba.njit`): `policy(view, observation, mask, bits) -> int`, with the
                seat's view (a record of dtype SEAT_VIEW), its observation float32[D], its mask
                int8[7] and 63 random bits (int64), which are all the randomness it may use. The
                arrays may only be read; D is 0 in a batch without observations.
            steps: decisions at every table, at least 1; without `auto_deal` a table stops where
                its hand ends.
            seed: of the policy's random bits, which depend on (seed, table, hand, decision) only;
                by default the seed of the decks.

        Returns:
            what the hands came to that ended in this call.

        Raises:
            ValueError: arguments out of range.
            TypeError: a policy that numba has not compiled, or that does not fit; no table is
                moved.
            IllegalAction: the policy chose one; that table stands before it, the others have
                made their decisions.
            Exception: what the policy raises; every table stands before one of its decisions.
        """
        if not is_whole(steps) or steps < 1:
            raise ValueError(f"steps={steps!r} must be a whole number of at least 1.")
        bits_seed = int(self.hands["seed"][0]) if seed is None else check_seed(seed)
        tally = empty_tally(self.num_tables, self.num_players)
        shared = (int(steps), bits_seed, self.auto_deal, tally)
        if isinstance(policy, str):
            if policy != "random":
                raise ValueError(f"policy={policy!r}: there is 'random', or give a function.")
            self._workers.run(roll_random, self._tables, self._every_table, shared=shared)
        else:
            seen = read_only(self.observations), self.action_masks
            with unkept("for a policy of your own that is so in every process"):
                rolling = roller(check_policy(policy, *seen))
                self._workers.run(rolling, self._tables, self._every_table, shared=(*shared, *seen))
        for table in np.flatnonzero(tally.fault).tolist():
            action = int(tally.fault[table])
            action -= action > 0
            raise IllegalAction(f"Table {table}: {refusal(self.hands['public'][table], action)}.")
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
            ValueError: data that is no batch, is damaged, or of another number of tables or seats,
                of other rules or other stacks, or a hand that no cards and actions lead to, or one
                that is over where `auto_deal` is on; the tables stay as they are.
            TypeError: no bytes.
        """
        hands = _saved_hands(data)
        check_hands(hands)
        check_alike(hands, self.hands)
        self._check_waiting(hands)
        self.hands[:] = hands
        self.refresh()

    def _check_waiting(self, hands: NDArray[Any]) -> None:
        """Refuse hands HAND[N] that are over in a batch whose tables never wait for `deal`."""
        for table in np.flatnonzero(self.auto_deal & (hands["public"]["over"] != 0))[:1]:
            raise ValueError(
                f"The hand of table {table} of the saved batch is over and waits for `deal`, so it "
                "was made with auto_deal=False and this one with True: load it into one made alike."
            )

    def refresh(self) -> None:
        """Show the tables as they are, after something was written to `hands`."""
        self._workers.run(show_rows, self._tables, self._every_table)

    def views_of(self, tables: Ints) -> NDArray[Any]:
        """SEAT_VIEW[K], copies of the views of some tables int64[K].

        They are taken as plain bytes: NumPy copies records field by field, 15 times slower.
        """
        views: NDArray[Any] = self.views.view(_VIEW_BYTES)[tables].view(SEAT_VIEW)
        return views

    def _check_rows(self, tables: ArrayLike) -> Ints:
        rows = _numbers(tables)
        if rows.ndim != 1 or rows.dtype.kind not in "iu":
            raise ValueError(
                f"tables must be whole numbers of shape (K,), not {rows.dtype} of shape "
                f"{rows.shape}."
            )
        rows = rows.astype(np.int64)
        self._calls += 1
        fault = int(find_bad_row(rows, self._called, self._calls))
        if fault == OUT_OF_RANGE:
            raise ValueError(f"tables must be 0 to {self.num_tables - 1}.")
        if fault == TWICE:
            raise ValueError("A table may be named only once in a call; tables has one twice.")
        return rows

    def _check_actions(self, actions: ArrayLike, rows: Ints) -> Ints:
        given = _numbers(actions)
        if given.shape != rows.shape or given.dtype.kind not in "iu":
            raise ValueError(
                f"step wants {len(rows)} whole-number actions, not {given.dtype} of shape "
                f"{given.shape}."
            )
        chosen = given.astype(np.int64)
        place = int(find_illegal(self._masks, rows, chosen))
        if place >= 0:
            table = int(rows[place])
            raise IllegalAction(
                f"Table {table}: {refusal(self.hands['public'][table], int(given[place]))}."
            )
        return chosen


def _blank_tables(
    num_tables: int, num_players: int | Sequence[int], rules: RulesLike, stacks: StacksLike
) -> NDArray[Any]:
    """HAND[N], nothing dealt; every table with a decision in its hands."""
    if isinstance(num_players, Sequence):
        if len(num_players) != num_tables:
            raise ValueError(
                f"num_players must be one number, or one for each of the {num_tables} tables, not "
                f"{len(num_players)} numbers."
            )
        hands = np.concatenate([blank_hands(1, seats, rules, stacks) for seats in num_players])
    else:
        hands = blank_hands(num_tables, num_players, rules, stacks)
    for first in np.unique(hands["public"]["num_seats"], return_index=True)[1]:
        check_decisions(hands[int(first)].public)
    return hands


def _whole(name: str, rows: Ints, given: ArrayLike) -> Ints:
    """One whole number >= 0 for each of the rows."""
    numbers = _numbers(given)
    is_whole_row = numbers.shape == rows.shape and numbers.dtype.kind in "iu"
    if not is_whole_row or (numbers < 0).any() or (numbers > _LAST_NUMBER).any():
        raise ValueError(
            f"{name} must be {len(rows)} whole numbers from 0 to 2**63 - 1, not {given!r}."
        )
    return numbers.astype(np.int64)


def _numbers(given: ArrayLike) -> NDArray[Any]:
    """An array; an empty one has no type of its own and is one of whole numbers."""
    numbers = np.asarray(given)
    return numbers.astype(np.int64) if numbers.size == 0 else numbers


def _saved_hands(data: bytes) -> NDArray[Any]:
    """HAND[N] out of the bytes of `to_bytes`."""
    body = unsealed(_MAGIC, data)
    if len(body) % HAND.itemsize:
        raise ValueError(
            f"A saved batch has {HAND.itemsize} bytes for every table; {len(body)} are not whole "
            "tables."
        )
    return np.frombuffer(body, HAND)


def _restored(
    data: bytes, layout: ObservationSpec | None, threads: int, auto_deal: bool
) -> TableBatch:
    """A batch that goes on from its saved tables, as they are: a copy asks no questions."""
    batch = TableBatch(_saved_hands(data), layout, threads, auto_deal)
    batch.refresh()
    return batch
