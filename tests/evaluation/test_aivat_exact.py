"""AIVAT is unbiased: shown exactly, by all deals and all courses of tiny games.

Two fixed mixed strategies play. The mean of the estimate over everything that can happen, each
weighed by its probability, must be the mean of the chips, whatever the value function.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from agents.evaluation.aivat.decision_chances import view_each
from agents.evaluation.aivat.estimator import corrections_of
from agents.evaluation.aivat.value import OWED_SHAPE, TABLE_SHAPE, Weights
from agents.evaluation.aivat.weights import no_weights, shipped_weights
from agents.players.probabilities import legal_masks
from razz_env import Hand, HouseRules
from razz_env._jit import kernel
from razz_env.rules.play import apply, start
from razz_env.rules.record import HAND, SEAT_VIEW


class Mixed:
    """A mixed strategy that looks at all that a seat may know; arbitrary, but always the same."""

    needs_observations = False

    def __init__(self, name: str, seed: int, secretive: bool = False) -> None:
        self.name = name
        rng = np.random.default_rng(seed)
        self.cards, self.log = rng.normal(size=(7, 7)), rng.normal(size=(12, 7))
        if not secretive:
            self.action_probabilities = self.chances

    def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
        raise AssertionError("nobody plays here")

    def chances(self, views: Any, observations: Any, masks: Any) -> Any:
        public = views["public"]
        rows = np.arange(len(views))
        seen = np.hstack([views["down"], public["up"][rows, views["seat"]]])
        told = public["log"][:, :12] * (public["log_length"][:, None] > np.arange(12))
        wishes = np.exp(np.sin(seen @ self.cards + told @ self.log)) * masks
        return wishes / wishes.sum(axis=1, keepdims=True)


@kernel
def apply_each(hands: Any, actions: Any) -> None:
    for row in range(len(hands)):
        apply(hands[row], actions[row])


@kernel
def start_rows(hands: Any) -> None:
    for row in range(len(hands)):
        start(hands[row])


def all_deals(players: int, rules: HouseRules, stacks: Any) -> Iterator[Any]:
    """HAND arrays at the first decision, for every order of the deck, some at a time."""
    template = Hand.deal(players, rules, stacks, seed=0).record
    cards = [
        4 * rank + suit for rank in range(rules.deck_ranks) for suit in range(rules.deck_suits)
    ]
    orders = np.array([*permutations(cards, min(len(cards), dealt(players, rules)))], np.int8)
    for part in np.array_split(orders, -(-len(orders) // 720)):
        hands = np.zeros(len(part), HAND)
        hands[:] = template
        hands["deck"] = -1
        hands["deck"][:, : part.shape[1]] = part
        for row, order in enumerate(part.tolist()):  # the cards that are left come behind
            hands["deck"][row, len(order) : len(cards)] = [c for c in cards if c not in order]
        start_rows(hands)
        yield hands


def dealt(players: int, rules: HouseRules) -> int:
    """Cards that can matter: those of all seats, and burn cards."""
    streets = len(rules.streets)
    return players * (rules.third_street + streets) + (streets - 1) * rules.burn_cards


def all_courses(hands: Any, players: list[Any]) -> tuple[Any, Any]:
    """Every finished hand that can come of some hands, and how likely it is."""
    finished, weights = [], []
    chances = np.ones(len(hands))
    while len(hands):
        over = hands["public"]["over"] == 1
        finished.append(hands[over])
        weights.append(chances[over])
        hands, chances = hands[~over], chances[~over]
        hands, chances = one_step(hands, chances, players)
    return np.concatenate(finished), np.concatenate(weights)


def one_step(hands: Any, chances: Any, players: list[Any]) -> tuple[Any, Any]:
    views = np.zeros(len(hands), SEAT_VIEW)
    view_each(hands, np.arange(len(hands)), views)
    masks = legal_masks(views)
    told = np.zeros(masks.shape)
    for seat, player in enumerate(players):
        own = views["seat"] == seat
        told[own] = player.chances(views[own], None, masks[own])
    rows, actions = np.nonzero(masks)
    after = hands[rows]
    apply_each(after, actions)
    return after, chances[rows] * told[rows, actions]


def random_weights() -> Weights:
    """A value function that knows nothing."""
    rng = np.random.default_rng(8)
    return Weights(rng.normal(size=TABLE_SHAPE), rng.normal(size=OWED_SHAPE))


FUNCTIONS = {"fitted": shipped_weights, "shares": no_weights, "random": random_weights}


def tiny(ranks: int, suits: int, streets: tuple[int, ...], cap: int = 1, **more: Any) -> HouseRules:
    return HouseRules.preset(
        "full_tilt",
        deck_ranks=ranks,
        deck_suits=suits,
        streets=streets,
        third_street=1,
        max_bets_per_round=cap,
        **more,
    )


QUICK = {
    "two seats, one street": (2, tiny(4, 2, (3,), cap=2), 500),
    "two seats, two streets": (2, tiny(3, 2, (3, 4)), 500),
    "three seats": (3, tiny(3, 2, (3,)), 500),
    "three seats, side pots": (3, tiny(3, 2, (3,), cap=2), [60, 17, 35]),
    "a raked pot": (2, tiny(3, 2, (3, 4), rake_basis_points=500), 500),
}
SLOW = {
    "the variant kuhn": (2, HouseRules.preset("kuhn"), 500),
    "a community card": (2, tiny(7, 1, (3, 4, 7)), 500),
    "burn cards": (2, tiny(7, 1, (3, 4), burn_cards=True), 500),
    "all in early": (2, tiny(7, 1, (3, 4, 7)), [500, 30]),
    "three seats, two streets": (3, tiny(7, 1, (3, 7)), [70, 500, 45]),
}


def check(players: int, rules: HouseRules, stacks: Any, secretive: bool = False) -> None:
    strategies = [Mixed(f"mixed {seat}", seat, secretive and seat == 1) for seat in range(players)]
    means = {name: np.zeros(players) for name in FUNCTIONS}
    chips, moved, hands_in_all, weight_in_all = np.zeros(players), 0.0, 0, 0.0
    for deals in all_deals(players, rules, stacks):
        hands, weights = all_courses(deals, strategies)
        public = hands["public"]
        chips += weights @ (public["stack"] - public["starting_stack"])[:, :players]
        for name, make in FUNCTIONS.items():
            found = corrections_of(hands, strategies, make())[:, :players]
            assert np.abs(found.sum(axis=1)).max() < 1e-9  # what one wins, others lose
            means[name] += weights @ found
            moved = max(moved, float(np.abs(found).max()))
        hands_in_all, weight_in_all = hands_in_all + len(hands), weight_in_all + weights.sum()
    assert moved > 1.0
    deals_in_all = round(weight_in_all)
    assert weight_in_all == pytest.approx(deals_in_all, abs=1e-6)
    assert np.abs(chips).max() / deals_in_all > 1e-3
    for name, mean in means.items():
        assert np.abs(mean).max() / deals_in_all < 1e-9, name


@pytest.mark.parametrize("game", QUICK.values(), ids=QUICK)
def test_the_mean_over_all_that_can_happen_is_that_of_the_chips(game: Any) -> None:
    check(*game)


def test_a_player_that_tells_nothing_leaves_it_unbiased() -> None:
    check(2, tiny(3, 2, (3, 4)), 500, secretive=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", SLOW.values(), ids=SLOW)
def test_the_mean_over_all_that_can_happen_in_larger_games(game: Any) -> None:
    check(*game)


def test_a_wrong_chance_would_have_been_seen() -> None:
    """With chances that are not those by which the hands are weighed, the means differ."""
    rules, strategies = tiny(3, 2, (3,), cap=2), [Mixed("one", 0), Mixed("other", 1)]
    liars = [Mixed("one", 5), Mixed("other", 6)]
    total = np.zeros(2)
    for deals in all_deals(2, rules, 500):
        hands, weights = all_courses(deals, strategies)
        total += weights @ corrections_of(hands, liars, no_weights())[:, :2]
    assert np.abs(total).max() > 1.0
