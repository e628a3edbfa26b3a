"""Duplicate play: the same deck once in every rotation of the seats, so that luck cancels out.

A line-up is n players; in rotation r, player m of it sits in seat (m + r) % n. Decks are played in
blocks of a fixed size, because a player draws its randomness for many tables at once: a block's
result depends on nothing outside it, so blocks may be played in any order, at any place.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.asking import SeatedAgent, ask, wants_observations
from agents.evaluation.seeds import deck_seed, player_rng
from razz_env import make_batch
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch
from razz_env.observation import spec
from razz_env.rules.house_rules import HouseRules, RulesLike
from razz_env.rules.setup import StacksLike

Ints = NDArray[np.int64]

DECKS_PER_BLOCK = 1000
"""Part of the definition of a match: another number gives players other random draws."""


class DuplicateTables:
    """Plays blocks of decks with one line-up.

    The cards of deck i depend only on (seed, i): they are those of
    `Hand.deal(n, seed=deck_seed(seed), index=i)`. A player's randomness in a block depends only on
    (seed, block, seat, who sits where), and the block holds its decks in order.
    """

    def __init__(
        self, lineup: Sequence[Agent], seed: int, rules: RulesLike, stacks: StacksLike
    ) -> None:
        """Tables for 2 to 8 players.

        Args:
            lineup: the players, in the seats of rotation 0.
            seed: of the match.
            rules: preset name, mapping or HouseRules.
            stacks: chips of every seat, or one number for each; they stay with the seats.

        Raises:
            ValueError: anything out of range, or stacks with which no hand has a decision.
        """
        self._lineup = tuple(lineup)
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

    def play_block(self, block: int, decks: int = DECKS_PER_BLOCK) -> Ints:
        """Play the first decks of a block in every rotation.

        Returns:
            int64[decks, n], net chips of every player of the line-up over the n hands of a deck.

        Raises:
            AgentFault: a player raised an exception, or chose no legal action.
        """
        numbers = block * DECKS_PER_BLOCK + np.arange(decks)
        chips = np.zeros((decks, len(self._lineup)), np.int64)
        for rotation in range(len(self._lineup)):
            net_of_seats = play_hands(self._batch, self._seated(block, rotation), numbers)
            chips += np.roll(net_of_seats, -rotation, axis=1)
        return chips

    def _seated(self, block: int, rotation: int) -> list[SeatedAgent]:
        count = len(self._lineup)
        agents = [self._lineup[(seat - rotation) % count] for seat in range(count)]
        names = [agent.name for agent in agents]
        for agent in agents:
            _forget(agent)
        return [
            SeatedAgent(
                agent,
                seat,
                player_rng(self._seed, block, seat, names),
                self._layout if wants_observations(agent) else None,
            )
            for seat, agent in enumerate(agents)
        ]


def _forget(agent: Agent) -> None:
    """Let a player that remembers earlier hands forget them."""
    reset = getattr(agent, "reset", None)
    if reset is not None:
        reset()


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
