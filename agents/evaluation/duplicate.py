"""Duplicate play: the same deck once in every seating of the players, so that luck cancels out.

Decks are played in blocks of a fixed size, because a player draws its randomness for many tables
at once: a block's result depends on nothing outside it, so blocks may be played in any order, at
any place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.asking import SeatedAgent, ask
from agents.evaluation.scripted_hands import play_scripted
from agents.evaluation.seating import Seating, Seatings, seatings_of
from agents.evaluation.seeds import deck_seed, player_rng
from agents.evaluation.style import count_style, no_counts
from razz_env import make_batch
from razz_env.envs.agent import Agent, forget, identity_of, wants_observations
from razz_env.envs.batch import TableBatch
from razz_env.observation import spec
from razz_env.rules.house_rules import HouseRules, RulesLike
from razz_env.rules.setup import StacksLike

Ints = NDArray[np.int64]

DECKS_PER_BLOCK = 1000
"""Part of the definition of a match: another number gives players other random draws."""

_SMALL = 2**26
"""Of so many decks, squares of smaller numbers than this sum up in 64 bits."""


class Estimator(Protocol):
    """An estimate of what every player wins that scatters less than its chips, and is as unbiased.

    It is asked after every seating of a block, for the hands just played. Estimates are whole
    numbers, so that sums over decks are exact in any order. It must be one that pickle can copy.
    """

    @property
    def name(self) -> str:
        """Under which it stands in reports; with a hash of what it works with, if it has such."""

    @property
    def units_per_chip(self) -> int:
        """How many units of an estimate make a chip."""

    def estimate(self, hands: NDArray[Any], players: Sequence[Agent]) -> Ints:
        """Estimates int64[K, n], in units, of what every seat wins in HAND[K] finished hands.

        Args:
            hands: complete records: cards, log and what everybody won.
            players: by seat.
        """


@dataclass(frozen=True)
class BlockResult:
    """What is kept of a block of decks.

    Attributes:
        chips: int64[decks, n], net chips of every player of the line-up over the hands of a deck.
        hand_squares: for every player, the sum of the squares of its net chips in single hands.
        style: int64[n, 5, 14], see `agents.evaluation.style`.
        estimates: int64[decks, n] by estimator, in its units, over the hands of a deck.
    """

    chips: Ints
    hand_squares: tuple[int, ...]
    style: Ints
    estimates: dict[str, Ints]

    @property
    def decks(self) -> int:
        """How many decks were played."""
        return len(self.chips)


class DuplicateTables:
    """Plays blocks of decks with one line-up.

    The cards of deck i depend only on (seed, i): they are those of
    `Hand.deal(n, seed=deck_seed(seed), index=i)`. A player's randomness in a block depends only on
    (seed, block, seat, who sits where), where players are told apart by `identity_of`, and the
    block holds its decks in order.
    """

    def __init__(
        self,
        lineup: Sequence[Agent],
        seed: int,
        rules: RulesLike,
        stacks: StacksLike,
        seatings: Seatings = "cyclic",
        estimators: Sequence[Estimator] = (),
    ) -> None:
        """Tables for 2 to 8 players.

        Args:
            lineup: the players, in the seats of the first seating.
            seed: of the match.
            rules: preset name, mapping or HouseRules.
            stacks: chips of every seat, or one number for each; they stay with the seats.
            seatings: "cyclic" or "all"; see `agents.evaluation.seating`.
            estimators: of the players' results.

        Raises:
            ValueError: anything out of range, or stacks with which no hand has a decision.
        """
        self._lineup = tuple(lineup)
        self._identities = tuple(identity_of(agent) for agent in self._lineup)
        self._seatings = seatings_of(self._identities, seatings)
        self._estimators = tuple(estimators)
        self._seed = seed
        self._batch = make_batch(
            DECKS_PER_BLOCK,
            len(self._lineup),
            rules,
            stacks,
            deck_seed(seed),
            observation=None,
            auto_deal=False,
        )
        self._layout = spec(len(self._lineup))

    @property
    def rules(self) -> HouseRules:
        """The house rules."""
        return self._batch.rules

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips of every seat at the start of every hand."""
        chips = self._batch.hands[0].public.starting_stack[: len(self._lineup)]
        return tuple(int(stack) for stack in chips)

    @property
    def hands_per_deck(self) -> int:
        """Hands in which every deck is played."""
        return len(self._seatings)

    @property
    def hands(self) -> NDArray[Any]:
        """HAND[1000], the hands of the seating that was played last, in the order of its decks."""
        return self._batch.hands

    def play_block(self, block: int, decks: int = DECKS_PER_BLOCK) -> BlockResult:
        """Play the first decks of a block in every seating.

        Raises:
            AgentFault: a player raised an exception, or chose no legal action.
        """
        shape = (decks, len(self._lineup))
        chips, squares = np.zeros(shape, np.int64), [0] * len(self._lineup)
        estimates = {one.name: np.zeros(shape, np.int64) for one in self._estimators}
        style = no_counts(len(self._lineup))
        for seating, net in self.play_seatings(block, decks):
            members = np.array(seating)
            chips[:, members] += net
            for seat, member in enumerate(seating):
                squares[member] += sum_of_squares(net[:, seat])
            hands = self.hands[:decks]
            count_style(hands, members, style)
            for one in self._estimators:
                players = [self._lineup[member] for member in seating]
                estimates[one.name][:, members] += one.estimate(hands, players)
        return BlockResult(chips, tuple(squares), style, estimates)

    def play_seatings(
        self, block: int, decks: int = DECKS_PER_BLOCK
    ) -> Iterator[tuple[Seating, Ints]]:
        """Play the first decks of a block in one seating after the other.

        Yields:
            The seating, and int64[decks, n], net chips of every seat. Until the next seating is
            asked for, `hands` are those that were played.

        Raises:
            AgentFault: a player raised an exception, or chose no legal action.
        """
        numbers = block * DECKS_PER_BLOCK + np.arange(decks)
        for seating in self._seatings:
            yield seating, play_hands(self._batch, self._seated(block, seating), numbers)

    def _seated(self, block: int, seating: Seating) -> list[SeatedAgent]:
        names = [self._identities[member] for member in seating]
        agents = [self._lineup[member] for member in seating]
        for agent in agents:
            forget(agent)
        return [
            SeatedAgent(
                agent,
                seat,
                player_rng(self._seed, block, seat, names),
                self._layout if wants_observations(agent) else None,
            )
            for seat, agent in enumerate(agents)
        ]


def sum_of_squares(values: Ints) -> int:
    """The exact sum of the squares of int64[K], of any size."""
    if abs(values).max(initial=0) < _SMALL:
        return int(values @ values)
    return sum(value * value for value in values.tolist())


def play_hands(batch: TableBatch, players: Sequence[SeatedAgent], decks: Ints) -> Ints:
    """Play one hand with each of some decks, all at once.

    Afterwards `batch.hands[:K]` are the finished hands, in the order of the decks.

    Args:
        batch: at least K tables that wait for `deal` (`auto_deal=False`).
        players: one for each seat, in seat order.
        decks: int64[K], indices of the decks under the batch's seed.

    Returns:
        int64[K, n], net chips of every seat.
    """
    count = len(decks)
    batch.deal(np.arange(count), np.zeros(count, np.int64), decks)
    play_scripted(batch, [player.agent for player in players], count)
    while len(rows := np.flatnonzero(batch.actors[:count] >= 0)):
        batch.step(_decide(batch, players, rows), tables=rows)
    public = batch.hands["public"][:count]
    net_chips: Ints = (public["stack"] - public["starting_stack"])[:, : len(players)]
    return net_chips


def _decide(batch: TableBatch, players: Sequence[SeatedAgent], rows: Ints) -> Ints:
    """The actions int64[K] of the players to act on the tables `rows`."""
    actors = batch.actors[rows]
    actions = np.zeros(len(rows), np.int64)
    for player in players:
        own = np.flatnonzero(actors == player.seat)
        if len(own):
            actions[own] = ask(player, batch, rows[own])
    return actions
