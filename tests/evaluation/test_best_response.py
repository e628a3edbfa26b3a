"""Exact best responses: the known figures of Kuhn's poker, and the small Razz of RULES 10."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import pytest

from agents.evaluation import best_response
from agents.evaluation.best_response import (
    Decision,
    End,
    Game,
    Policy,
    check_size,
    count_deals,
    exploitability,
    make_game,
    measure,
    policy_of,
)
from agents.players.basic import caller, raiser, random
from razz_env import HouseRules

from ..support.errors import refused
from .equilibria import equilibrium
from .players import Uniform

SMALL = {"deck_ranks": 4, "deck_suits": 1, "third_street": 1, "max_bets_per_round": 1}
TWO_STREETS = HouseRules.preset("full_tilt", **(SMALL | {"deck_ranks": 6, "streets": (3, 4)}))
PASS, BET = 0, 1


def even(point: Decision) -> Any:
    return np.full((len(point.deals), len(point.legal)), 1 / len(point.legal))


# ---- Kuhn's poker: three cards, antes of 1, one bet of 1


def kuhn_poker() -> Game:
    """The game of H. W. Kuhn (1950) as a tree, by hand."""
    deals = list(itertools.permutations(range(3), 2))
    wins = np.array([1.0 if one > other else -1.0 for one, other in deals])
    everything = np.arange(6)

    def end(net: Any) -> tuple[End]:
        return (End(everything, np.column_stack([net, -net])),)

    def decision(seat: int, *after: Any) -> tuple[Decision]:
        sets = np.array([cards[seat] for cards in deals])
        return (Decision(everything, seat, sets, (PASS, BET), after, np.zeros(0)),)

    facing = decision(1, end(np.ones(6)), end(2 * wins))
    answering = decision(0, end(-np.ones(6)), end(2 * wins))
    return Game(decision(0, decision(1, end(wins), answering), facing), 6)


def kuhn_equilibrium(alpha: float) -> Policy:
    """One of Kuhn's equilibria: bets with alpha with the lowest card, three times with the best."""
    chances = {
        (0, False): [alpha, 0.0, 3 * alpha],  # first to act
        (0, True): [0.0, alpha + 1 / 3, 1.0],  # after a pass and a bet
        (1, False): [1 / 3, 0.0, 1.0],  # after a pass
        (1, True): [0.0, 1 / 3, 1.0],  # facing a bet
    }

    def policy(point: Decision) -> Any:
        is_last = all(isinstance(one, End) for after in point.after for one in after)
        answers = is_last and isinstance(point.after[PASS][0], End)
        gives_up = (
            answers
            and abs(point.after[PASS][0].net[:, 0]).max() == 1
            and (len(set(point.after[PASS][0].net[:, 0])) == 1)
        )
        bets = np.array(chances[point.seat, bool(gives_up)])[point.sets]
        return np.column_stack([1 - bets, bets])

    return policy


def test_e05_uniform_play_in_kuhns_poker() -> None:
    found = measure(kuhn_poker(), even)
    assert found.value == pytest.approx(1 / 8)
    assert found.nash_conv == pytest.approx(11 / 12)  # as OpenSpiel computes it
    assert min(found.gains) >= 0


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_e05_the_equilibria_of_kuhns_poker(alpha: float) -> None:
    found = measure(kuhn_poker(), kuhn_equilibrium(alpha))
    assert found.value == pytest.approx(-1 / 18, abs=1e-12)
    assert found.gains == pytest.approx((0, 0), abs=1e-12)


def test_what_is_no_equilibrium_of_kuhns_poker_is_exploited() -> None:
    assert measure(kuhn_poker(), kuhn_equilibrium(0.5 / 3 + 1 / 3)).nash_conv > 0.01


# ---- Razz


def test_e05_players_gain_by_a_best_response_and_never_lose() -> None:
    game = make_game(TWO_STREETS)
    for player in (random(), caller(), raiser()):
        found = measure(game, policy_of(player))
        assert min(found.gains) >= 0
        assert found.nash_conv > 1  # BB/100
        assert found.exploitability == found.nash_conv / 2


def test_e05_uniform_play_of_the_variant_kuhn() -> None:
    assert count_deals(HouseRules.preset("kuhn")) == 12 * 11 * 10 * 9
    found = exploitability("random")
    assert found.value == pytest.approx(0, abs=1e-9)  # the seats are dealt alike
    assert found.gains[0] == pytest.approx(found.gains[1])
    assert found.nash_conv > 1


def test_callers_win_nothing_of_each_other() -> None:
    game = make_game(TWO_STREETS)
    assert measure(game, policy_of(caller())).value == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("rules", [HouseRules.preset("full_tilt", **SMALL, streets=(3,))])
def test_e05_an_equilibrium_of_small_razz_cannot_be_exploited(rules: HouseRules) -> None:
    check_equilibrium(rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [HouseRules.preset("kuhn"), TWO_STREETS])
def test_e05_equilibria_of_larger_ones_cannot_either(rules: HouseRules) -> None:
    check_equilibrium(rules)


def check_equilibrium(rules: HouseRules) -> None:
    game = make_game(rules)
    solution, value = equilibrium(game)
    found = measure(game, solution)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.gains == pytest.approx((0, 0), abs=1e-6)
    assert measure(game, even).nash_conv > 1


# ---- what is refused


@pytest.mark.parametrize("rules", ["full_tilt", "mini20", "mini32"])
def test_f03_a_game_that_is_too_large_is_refused_at_once(rules: str) -> None:
    start = time.process_time()
    with refused("deals", "200,000", "kuhn", "razz exploit", "lower bound", kind=ValueError):
        exploitability("random", rules)
    assert time.process_time() - start < 1  # the case asks for it; the sentence takes microseconds
    with refused("deals"):
        check_size(HouseRules.preset(rules))


def test_f03_the_size_of_full_razz_is_told() -> None:
    with refused("1.5e+23 deals of two players"):  # 52! / 38!
        check_size(HouseRules())


def test_a_player_that_does_not_tell_its_chances_is_refused() -> None:
    with refused("uniform", "action_probabilities", kind=ValueError):
        exploitability(Uniform())


def test_every_deal_of_a_game_is_in_one_end_whatever_is_done() -> None:
    """By even play the chances of all ends sum to one in every deal, and nobody wins for free."""
    game = best_response.make_game(TWO_STREETS)
    reached = np.zeros(game.deals)

    def walk(points: Any, reach: Any) -> None:
        for point in points:
            if isinstance(point, End):
                reached[point.deals] += reach[point.deals]
                assert (point.net.sum(axis=1) == 0).all()
                continue
            for after in point.after:
                walk(after, reach / len(point.legal))

    walk(game.points, np.ones(game.deals))
    np.testing.assert_allclose(reached, 1)
