"""The rooms of a run played by the workers of a Ray cluster, to the same weights as in one process.

A worker is an actor: it keeps a copy of the policy, the fixed players and the snapshots that it has
met. How a room stands is no property of a worker: it comes with the order of a block, and goes back
with what was played. So a block that is lost with its worker or node is ordered again as it was,
and comes to the same decisions. Nothing is counted that has not come back.
"""

import io
import pickle
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias

import torch
from numpy.typing import ArrayLike

from agents.evaluation.cluster import Cluster, RayPool, load_ray
from agents.evaluation.crew import in_order
from agents.evaluation.plan import check_can_be_sent
from agents.training.acting import Chooser, make_policy
from agents.training.columns import Columns
from agents.training.config import TrainingConfig
from agents.training.critic import hidden_size
from agents.training.pool import OpponentPool
from agents.training.rooms import Rooms, make_room
from agents.training.tables import Report, SelfPlayTables
from razz_env.envs.agent import Agent

Reference: TypeAlias = Any
"""Of something that lies in Ray's store."""

_FEW = 16  # numbers of a decision besides what it sees and what the seats win: action, mask, ...


class Call(NamedTuple):
    """Something that a room does before its next block; opponents are told by their keys."""

    method: str
    arguments: tuple[Any, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Keys of the players that it speaks of."""
        return self.arguments[0] if self.method == "set_opponents" else ()

    def make(self, room: SelfPlayTables, known: dict[str, Agent]) -> None:
        """Have the room do it."""
        if self.method == "set_opponents":
            _, weights = self.arguments
            room.set_opponents([known[key] for key in self.players], weights)
        else:
            getattr(room, self.method)(*self.arguments)


class Standing(NamedTuple):
    """How a room stands between two blocks.

    Attributes:
        state: the room, packed.
        players: keys of the players that the state speaks of.
        report: of the room.
    """

    state: bytes
    players: frozenset[str]
    report: Report


@dataclass(frozen=True)
class Order:
    """A block to be played.

    Attributes:
        state: how the room stands; None for one that has played no block.
        calls: what it does first.
        weights: a reference to the weights of the policy, in a list, so that Ray leaves it alone.
        snapshots: references to the snapshots that it speaks of, each in such a list.
        kept: keys of all snapshots that may be spoken of again.
    """

    state: bytes | None
    calls: tuple[Call, ...]
    weights: list[Reference]
    snapshots: dict[str, list[Reference]]
    kept: frozenset[str]


class Played(NamedTuple):
    """A block that was played: the decisions, and how the room stands behind them."""

    columns: Columns
    standing: Standing


class Actor:
    """Plays blocks of one run in a worker."""

    def __init__(
        self, config: TrainingConfig, baselines: Sequence[Agent], fetch: Callable[[Reference], Any]
    ) -> None:
        """An actor of a run; `fetch` takes what a reference stands for out of Ray's store."""
        self._config, self._fetch = config, fetch
        self._baselines = keyed(baselines)
        self._snapshots: dict[str, Agent] = {}
        room = make_room(config, baselines)
        policy = make_policy(config, room.observation_space, room.action_space)
        self._chooser = Chooser(policy, config.ppo.products)

    def play(self, order: Order) -> Played:
        """Play a block.

        Raises:
            NotFinite, IllegalChoice: see there.
            OpponentError: an opponent failed.
        """
        torch.set_num_threads(self._config.threads)
        self._chooser.load(self._fetch(order.weights[0]))
        known = self._baselines | self._met(order)
        room = self._room(order.state, known)
        for call in order.calls:
            call.make(room, known)
        size = room.observation_space.shape[0]  # type: ignore[index]
        steps, players = self._config.ppo.steps, room.batch.num_players
        columns = Columns.empty(steps, room.num_envs, size, players)
        for _ in room.rollout(self._chooser, columns):
            pass
        return Played(columns, standing_of(room, known))

    def _met(self, order: Order) -> dict[str, Agent]:
        """The snapshots that are still kept; new ones are fetched."""
        met = {key: agent for key, agent in self._snapshots.items() if key in order.kept}
        for key, reference in order.snapshots.items():
            if key not in met:
                met[key] = self._fetch(reference[0])
        self._snapshots = met
        return met

    def _room(self, state: bytes | None, known: dict[str, Agent]) -> SelfPlayTables:
        if state is None:
            return make_room(self._config, list(self._baselines.values()))
        return unpacked_room(state, known)


def keyed(baselines: Sequence[Agent]) -> dict[str, Agent]:
    """The fixed players by keys that no snapshot's name is."""
    return {f"baseline:{number}": agent for number, agent in enumerate(baselines)}


def standing_of(room: SelfPlayTables, known: dict[str, Agent]) -> Standing:
    """How a room stands, its players told by their keys."""
    keys = {id(agent): key for key, agent in known.items()}
    told: set[str] = set()

    class Pickler(pickle.Pickler):
        def persistent_id(self, thing: Any) -> str | None:
            key = keys.get(id(thing))
            if key is not None:
                told.add(key)
            return key

    file = io.BytesIO()
    Pickler(file, pickle.HIGHEST_PROTOCOL).dump(room)
    return Standing(file.getvalue(), frozenset(told), room.report)


def unpacked_room(state: bytes, known: dict[str, Agent]) -> SelfPlayTables:
    """The room that stands so; see `standing_of`."""

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, key: Any) -> Agent:
            return known[key]

    room: SelfPlayTables = Unpickler(io.BytesIO(state)).load()
    return room


_actor: tuple[str, Actor] | None = None
"""Of the run that this worker played for last."""


def play_block(key: str, sent: list[Reference], order: Order) -> Played:
    """Play a block in a worker.

    Args:
        key: of the run.
        sent: a reference to its pickled configuration and fixed players, in a list.
        order: the block.
    """
    global _actor  # noqa: PLW0603
    if _actor is None or _actor[0] != key:
        fetch = load_ray().get
        config, baselines = pickle.loads(fetch(sent[0]))
        _actor = key, Actor(config, baselines, fetch)
    return _actor[1].play(order)


def store_bytes(config: TrainingConfig) -> int:
    """Room that the blocks of a run take in Ray's store, those in play and those to be taken."""
    inputs = config.table.inputs()
    seats = inputs.layout.seats
    numbers = inputs.size + hidden_size(seats) + seats + _FEW
    return 2 * 4 * numbers * config.ppo.rollout


class FarRooms(Rooms):
    """The rooms of a run, played on a Ray cluster; a context manager that leaves it.

    What a room is told to do is kept until its next block is ordered. Blocks are taken in the
    order of the rooms, each once, so that it makes no difference who has played them.
    """

    def __init__(self, config: TrainingConfig, pool: OpponentPool, cluster: Cluster) -> None:
        """Rooms of a run against the players of this pool.

        Raises:
            ValueError: a player that cannot be sent to other processes.
        """
        for agent in pool.baselines:
            check_can_be_sent(agent)
        super().__init__([make_room(config, pool.baselines)], config.blocks)
        self._opponents, self._cluster = pool, cluster
        self._sent = pickle.dumps((config, pool.baselines))
        self._workers: RayPool | None = None
        self._calls: list[list[Call]] = [[] for _ in range(self._count)]
        self._standing: list[Standing | None] = [None] * self._count
        self._snapshots: dict[str, list[Reference]] = {}

    def __enter__(self) -> Self:
        self._workers = RayPool(self._cluster, self._sent, play_block, "A block of a rollout")
        return self

    def __exit__(self, *_: object) -> None:
        self._snapshots = {}
        if self._workers is not None:
            self._workers.shutdown()
        self._workers = None

    def set_opponents(
        self, opponents: Sequence[Agent | str], weights: ArrayLike | None = None
    ) -> None:
        """See `LearnersTables`; these are players of the pool."""
        super().set_opponents(tuple(self._key_of(agent) for agent in opponents), weights)

    def rollout(self, chooser: Chooser, columns: Columns) -> Generator[int]:
        """Order the rooms' blocks, and write what comes back; see `LearnersTables`."""
        workers = self._workers
        assert workers is not None, "The rooms are played inside of a `with` block."
        weights, parts = [workers.put(chooser.weights())], self._parts(columns)
        orders = [self._order(number, weights) for number in range(self._count)]
        with closing(in_order(workers.submit, orders, workers.ahead)) as results:
            for number, (_, played) in enumerate(results):
                parts[number].take(played.columns)
                self._standing[number] = played.standing
                self._calls[number].clear()
                yield parts[number].ended.size

    def _order(self, number: int, weights: list[Reference]) -> Order:
        before, calls = self._standing[number], tuple(self._calls[number])
        spoken = {key for call in calls for key in call.players}
        if before is not None:
            spoken |= before.players
        snapshots = {key: one for key, one in self._snapshots.items() if key in spoken}
        state = None if before is None else before.state
        return Order(state, calls, weights, snapshots, frozenset(self._snapshots))

    def _key_of(self, agent: Agent | str) -> str:
        """The key of a player; a snapshot is put into the store when it is first met."""
        for key, baseline in keyed(self._opponents.baselines).items():
            if baseline is agent:
                return key
        assert not isinstance(agent, str)
        assert self._workers is not None
        if agent.name not in self._snapshots:
            self._drop_snapshots()
            self._snapshots[agent.name] = [self._workers.put(agent)]
        return agent.name

    def _drop_snapshots(self) -> None:
        """Forget those that the pool has dropped, and that no room speaks of any more."""
        kept = {snapshot.name for snapshot in self._opponents.snapshots.values()}
        kept = kept.union(*(one.players for one in self._standing if one is not None))
        kept = kept.union(*(call.players for calls in self._calls for call in calls))
        self._snapshots = {key: one for key, one in self._snapshots.items() if key in kept}

    def _reports(self) -> list[Report]:
        nothing = self._rooms[0].report
        return [nothing if one is None else one.report for one in self._standing]

    def _tell(self, number: int, method: str, *arguments: Any) -> None:
        self._calls[number].append(Call(method, arguments))
