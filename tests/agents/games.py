"""Spots out of games: decisions that hands between the players of this package really reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from agents.players.book import book
from agents.players.scripted import scripted
from razz_env import Hand, HouseRules, make_batch
from razz_env.envs.agent import Agent
from razz_env.rules.events import ActionTaken
from razz_env.rules.record import HAND, SEAT_VIEW
from razz_env.rules.seat_view import seat_view

NOTHING = np.zeros((0, 0), np.float32)
TABLES = 1000
MOST_STEPS = 1000

Question = Callable[[Any, Any], Any]
"""(SEAT_VIEW[K], masks int8[K, 7]) -> bool[K]: which of these decisions are wanted."""


class Spots:
    """Decisions of games, K of them.

    Attributes:
        hands: HAND[K], the full records.
        views: SEAT_VIEW[K] of the seats to act.
        masks: int8[K, 7].
    """

    def __init__(self, hands: Any) -> None:
        """The decisions at which these hands stand."""
        self.hands = hands
        self.views = np.zeros(len(hands), SEAT_VIEW)
        for record, view in zip(hands, self.views, strict=True):
            seat_view(record, record.public.actor, view)
        masks = [Hand(hands[k : k + 1]).action_mask() for k in range(len(hands))]
        self.masks = np.array(masks, np.int8).reshape(-1, 7)

    def __len__(self) -> int:
        return len(self.hands)


@cache
def spots_of_games(
    question: Question,
    num_players: int,
    count: int,
    seed: int = 0,
    rules: HouseRules | str = "full_tilt",
) -> Spots:
    """The first so many decisions of a kind in games of book, tight and loose players.

    Raises:
        AssertionError: so many do not come up in `TABLES` x `MOST_STEPS` decisions.
    """
    found: list[Any] = []
    for batch in games(num_players, seed, rules):
        rows = np.flatnonzero(question(batch.views, batch.action_masks))
        found.extend(batch.hands[row : row + 1].copy() for row in rows)
        if len(found) >= count:
            return Spots(np.concatenate(found[:count]).view(HAND))
    raise AssertionError(f"Only {len(found)} of {count} such spots come up.")


def games(num_players: int, seed: int, rules: HouseRules | str) -> Iterator[Any]:
    """A batch of tables, again and again, after every step of all of them."""
    batch = make_batch(TABLES, num_players, rules, seed=seed, observation=None)
    players: list[Agent] = [book(), scripted("tight"), scripted("loose")]
    rng = np.random.default_rng(seed)
    tables = np.arange(TABLES)
    for _ in range(MOST_STEPS):
        yield batch
        actions = np.zeros(TABLES, np.int64)
        who = (batch.actors + tables) % len(players)
        for number, player in enumerate(players):
            rows = np.flatnonzero(who == number)
            views, masks = batch.views_of(rows), batch.action_masks[rows]
            actions[rows] = player.act(views, NOTHING, masks, rng)
        batch.step(actions)


def with_deck(record: Any, deck: list[int]) -> Hand | None:
    """The same actions with another deck; None where others would be to act, or could not do so."""
    told = Hand(np.array([record], HAND))
    hand = Hand.deal(told.num_players, told.rules, told.starting_stacks.tolist(), deck=deck)
    for event in told.events:
        if isinstance(event, ActionTaken):
            if hand.actor != event.seat or event.action not in hand.legal_actions():
                return None
            hand.apply(event.action)
    return hand if hand.actor == told.actor else None
