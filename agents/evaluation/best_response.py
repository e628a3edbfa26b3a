"""Exact best responses in two-player games that are small enough to list every deal.

The exploitability of a player is what an opponent that knows it wins on average. Full Razz has far
too many deals for it; there a trained opponent gives a lower bound, which is something else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import perm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.players.probabilities import told_probabilities
from razz_env.envs.agent import Agent, OpenAgent
from razz_env.envs.batch import TableBatch
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.house_rules import HouseRules, RulesLike, as_house_rules, check_table_size
from razz_env.rules.play import start
from razz_env.rules.setup import StacksLike, blank_hands

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
PLAYERS = 2

MOST_DEALS = 200_000


@dataclass(frozen=True, eq=False)
class End:
    """Where some deals end.

    Attributes:
        deals: int64[K], their numbers.
        net: float64[K, 2], what both seats win.
    """

    deals: Ints
    net: Floats


@dataclass(frozen=True, eq=False)
class Decision:
    """A decision that a seat has in some deals after the same actions.

    Attributes:
        deals: int64[K], their numbers.
        seat: that acts.
        sets: int64[K], number of the information set that the seat is in, from 0.
        legal: the actions, and
        after: what follows each of them.
        views: SEAT_VIEW[K]; empty in games that are not of this engine.
    """

    deals: Ints
    seat: int
    sets: Ints
    legal: tuple[int, ...]
    after: tuple[tuple["Point", ...], ...]
    views: NDArray[Any]


Point: TypeAlias = Decision | End
Policy: TypeAlias = Callable[[Decision], Floats]
"""How likely each legal action is, float64[K, len(legal)], alike within an information set."""


@dataclass(frozen=True)
class Game:
    """A game as a tree in which the same actions in different deals lie together.

    Attributes:
        points: where it begins.
        deals: how many there are, all equally likely.
        unit: what makes BB/100 of a result.
    """

    points: tuple[Point, ...]
    deals: int
    unit: float = 1.0


@dataclass(frozen=True)
class Exploitability:
    """How much two players can be exploited, in BB/100 (or in the units of another game).

    Attributes:
        value: what seat 0 wins when they play each other.
        gains: what each seat would win more by a best response to the other; never below 0.
    """

    value: float
    gains: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """The sum of both gains: 0 in an equilibrium and nowhere else."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean of both gains."""
        return self.nash_conv / PLAYERS


def exploitability(
    player: Agent | str, rules: RulesLike = "kuhn", stacks: StacksLike = 500
) -> Exploitability:
    """The exact exploitability of a player that plays both seats.

    Args:
        player: one that tells its probabilities (`razz_env.envs.agent.OpenAgent`), or its name.
        rules: of a game with at most `MOST_DEALS` deals, such as "kuhn".
        stacks: chips of both seats, or one number for each.

    Raises:
        ValueError: a game that is too large, which is told at once; a player that does not tell
            its probabilities, or tells some that cannot be.
    """
    house = as_house_rules(rules)
    check_size(house)
    chosen = resolve_agent(player)
    if not isinstance(chosen, OpenAgent):
        raise ValueError(
            f"The player {chosen.name!r} does not tell its probabilities, and samples of them give "
            "no exact best response: give it a method action_probabilities."
        )
    return measure(make_game(house, stacks), policy_of(chosen))


def check_size(rules: HouseRules) -> None:
    """Refuse a game in which not every deal can be listed.

    Raises:
        ValueError: with its number of deals, and what to do instead.
    """
    check_table_size(rules, PLAYERS)
    deals = count_deals(rules)
    if deals > MOST_DEALS:
        raise ValueError(
            f"An exact best response would go through all {deals:.1e} deals of two players, and "
            f"{MOST_DEALS:,} are the most: measure a small variant (kuhn), or train a best "
            "response to the player (`razz exploit`, no --exact). What that wins is a lower bound "
            "of the exploitability, found by so many steps, and not the exploitability."
        )


def count_deals(rules: HouseRules) -> int:
    """In how many orders the cards of two players can come."""
    return perm(rules.deck_ranks * rules.deck_suits, PLAYERS * _hand_size(rules))


def _hand_size(rules: HouseRules) -> int:
    return rules.third_street + len(rules.streets)


# ---- the tree


def make_game(rules: HouseRules, stacks: StacksLike = 500) -> Game:
    """The tree of a game of two players, whose size was checked."""
    hands = blank_hands(count_deals(rules), PLAYERS, rules, stacks)
    cards = [
        rank * 4 + suit for rank in range(rules.deck_ranks) for suit in range(rules.deck_suits)
    ]
    dealt = PLAYERS * _hand_size(rules)
    hands["deck"][:, :dealt] = list(permutations(cards, dealt))
    for hand in hands:
        start(hand)
    points = _points(hands, np.arange(len(hands)))
    return Game(points, len(hands), 100 / rules.big_bet)


def _points(hands: NDArray[Any], deals: Ints) -> tuple[Point, ...]:
    """The points at which deals stand that have come the same way."""
    tables = _tables(hands)
    shown = np.column_stack([tables.actors, tables.action_masks])
    found: list[Point] = []
    for actor, *mask in np.unique(shown, axis=0).tolist():
        rows = np.flatnonzero((shown == [actor, *mask]).all(axis=1))
        if actor < 0:
            public = hands["public"][rows]
            net = (public["stack"] - public["starting_stack"])[:, :PLAYERS]
            found.append(End(deals[rows], net.astype(np.float64)))
        else:
            legal = np.flatnonzero(mask).tolist()
            views = tables.views_of(rows)
            found.append(_decision(hands[rows], views, deals[rows], actor, legal))
    return tuple(found)


def _decision(
    hands: NDArray[Any], views: NDArray[Any], deals: Ints, seat: int, legal: Sequence[int]
) -> Decision:
    public = views["public"]
    seen = [views["down"], public["up"][:, 0], public["up"][:, 1], public["community"][:, None]]
    _, sets = np.unique(np.column_stack(seen), axis=0, return_inverse=True)
    after = []
    for action in legal:
        later = _tables(hands.copy())
        later.step(np.full(len(hands), action))
        after.append(_points(later.hands, deals))
    return Decision(deals, seat, sets.reshape(-1), tuple(legal), tuple(after), views)


def _tables(hands: NDArray[Any]) -> TableBatch:
    """Tables on which these hands are in play."""
    tables = TableBatch(hands, None, threads=1, auto_deal=False)
    tables.refresh()
    return tables


# ---- responses


def policy_of(player: OpenAgent) -> Policy:
    """What a player does at a decision, as it tells itself; it is asked once about each."""
    known: dict[int, Floats] = {}

    def policy(point: Decision) -> Floats:
        if id(point) not in known:
            told = told_probabilities(player, point.views)
            known[id(point)] = told[:, list(point.legal)]
        return known[id(point)]

    return policy


def measure(game: Game, policy: Policy) -> Exploitability:
    """How much can be won against a policy that plays both seats."""
    reach = np.ones(game.deals)
    values = [_total(game, _play(game.points, policy, seat, None, reach)) for seat in (0, 1)]
    best = [_total(game, _play(game.points, policy, seat, seat, reach)) for seat in (0, 1)]
    first, second = (max(won - value, 0.0) for won, value in zip(best, values, strict=True))
    return Exploitability(values[0], (first, second))  # rounding alone could make less than 0


def _total(game: Game, values: Floats) -> float:
    return float(values.sum()) / game.deals * game.unit


def _play(
    points: Sequence[Point], policy: Policy, seat: int, responding: int | None, reach: Floats
) -> Floats:
    """What a seat wins from some points on, float64[deals], zero in deals that are not there.

    Args:
        points: that no two have a deal in common.
        policy: of all seats but the responding one.
        seat: whose winnings are asked for.
        responding: the seat that plays its best response, or None.
        reach: float64[deals], how likely the policy's choices so far were in each deal.
    """
    values = np.zeros(len(reach))
    for point in points:
        if isinstance(point, End):
            values[point.deals] = point.net[:, seat]
        elif point.seat == responding:
            values[point.deals] = _best(point, policy, seat, reach)
        else:
            values[point.deals] = _expected(point, policy, seat, responding, reach)
    return values


def _expected(
    point: Decision, policy: Policy, seat: int, responding: int | None, reach: Floats
) -> Floats:
    """The mean over what the policy does, float64[K]."""
    shares = policy(point)
    values = np.zeros(len(point.deals))
    for place, after in enumerate(point.after):
        later = reach.copy()
        later[point.deals] *= shares[:, place]
        won = _play(after, policy, seat, responding, later)
        values += shares[:, place] * won[point.deals]
    return values


def _best(point: Decision, policy: Policy, seat: int, reach: Floats) -> Floats:
    """What the best action of each information set comes to in its deals, float64[K]."""
    won = np.array([_play(after, policy, seat, seat, reach)[point.deals] for after in point.after])
    weighed = won * reach[point.deals]
    sums = np.array([np.bincount(point.sets, weights=one) for one in weighed])
    choice = sums.argmax(axis=0)[point.sets]
    best: Floats = won[choice, np.arange(len(choice))]
    return best
