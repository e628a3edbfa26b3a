"""Monte Carlo agrees with the exact count, and its standard errors are true."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from razz_env import HouseRules
from razz_env.equity import equity
from razz_env.equity.situation import read_situation

from ..support.shared import shared_path

RANKS = "A23456789TJQK"


def random_situation(rng: np.random.Generator) -> dict:
    """Hands on a street late enough to be counted, some of their cards unknown, some cards dead."""
    hands = int(rng.integers(2, 5))
    street = int(rng.integers({2: 3, 3: 5, 4: 6}[hands], 8))
    ranks = rng.permuted(np.repeat(np.arange(13), 4))
    texts = ["".join(RANKS[r] for r in ranks[7 * h : 7 * h + street]) for h in range(hands)]
    if hands == 2 or street == 7:
        texts[0] = "xx" + texts[0][2:]
    dead = "".join(RANKS[r] for r in ranks[40 : 40 + int(rng.integers(0, 9))])
    return {"hands": texts, "dead": dead}


@pytest.mark.parametrize("number", range(40))
def test_monte_carlo_agrees_with_the_exact_count(number: int) -> None:
    asked = random_situation(np.random.default_rng(number))
    exact = equity(**asked, method="exact")
    sampled = equity(**asked, method="monte_carlo", samples=100_000, seed=number)
    assert (sampled.method, sampled.samples) == ("monte_carlo", 100_000)
    for name in ("equities", "wins", "ties"):
        true, found = getattr(exact, name), getattr(sampled, name)
        error = np.sqrt(true * (1 - true) / 100_000)  # no less than that of any share
        assert (np.abs(found - true) <= 4 * error + 1e-12).all(), name


def test_standard_errors_are_those_of_many_runs() -> None:
    exact = equity(["A23", "678"]).equities
    runs = [
        equity(["A23", "678"], method="monte_carlo", samples=20_000, seed=seed)
        for seed in range(400)
    ]
    scores = np.array([(run.equities - exact) / run.standard_errors for run in runs])[:, 0]
    assert abs(scores.mean()) < 4 / np.sqrt(400)
    assert scores.std() == pytest.approx(1.0, abs=4 / np.sqrt(800))


def test_the_seed_decides_everything() -> None:
    asked = {"hands": ["A23", "678", "xx9"], "samples": 5000}
    first = equity(**asked, seed=7)
    assert (equity(**asked, seed=7).equities == first.equities).all()
    assert (equity(**asked, seed=8).equities != first.equities).any()
    by_generator = equity(**asked, seed=np.random.default_rng(7))
    assert (by_generator.equities == first.equities).all()


def test_eight_hands_share_a_community_card() -> None:
    found = equity(["A23", *["xxx"] * 7], samples=400_000)
    assert found.equities.sum() == pytest.approx(1.0)
    alike = found.equities[1:]
    assert np.abs(alike - alike.mean()).max() < 4 * found.standard_errors.max()


def hands_without(left: str, hands: int, cards: int) -> tuple[list[str], str]:
    """Random hands of so many cards and the dead ones, such that the ranks `left` are left."""
    deck = [rank for rank in RANKS for _ in range(4 - left.count(rank))]
    dealt = "".join(np.random.default_rng(1).permutation(deck))
    texts = [dealt[cards * hand : cards * (hand + 1)] for hand in range(hands)]
    return texts, dealt[hands * cards :]


def test_the_community_card_is_counted_as_it_is_sampled() -> None:
    hands, dead = hands_without("A59K", hands=8, cards=6)
    assert dead == ""
    exact = equity(hands, method="exact")
    by_card = [equity(hands, community=rank, method="exact").equities for rank in "A59K"]
    assert exact.samples == 4
    assert exact.equities == pytest.approx(np.mean(by_card, axis=0), abs=1e-12)
    sampled = equity(hands, method="monte_carlo", samples=100_000)
    assert sampled.equities == pytest.approx(exact.equities, abs=0.008)


def test_cards_that_are_dead_and_unknown_make_the_stub_short() -> None:
    """Seven hands of six and ten cards left: with four gone unseen one is shared by all."""
    hands, dead = hands_without("AA223459TK", hands=7, cards=6)
    assert dead == ""
    assert equity(hands, dead="xxxx", method="exact").samples == 10
    own = equity(hands, dead="xxx", method="exact")
    assert own.samples == 10 * 9 * 8 * 7 * 6 * 5 * 4


def test_with_burn_cards_the_dealer_wants_two_cards_more() -> None:
    hands, dead = hands_without("A259K", hands=3, cards=6)
    assert equity(hands, dead=dead, rules="tda").samples == 5 * 4 * 3
    assert equity(hands, dead=dead + "x", rules="tda").samples == 5
    assert equity(hands, dead=dead + "x").samples == 5 * 4 * 3


def test_the_community_card_comes_in_the_published_cases_of_a_short_stub() -> None:
    path = shared_path("data", "tables", "seventh_street_shortage_cases.csv")
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 20
    for row in rows:
        dealt = 3 * int(row["dealt_in"]) + sum(int(row[f"got_{n}th"]) for n in (4, 5, 6))
        alive = int(row["alive_at_7th"])
        gone = "x" * (dealt - 6 * alive)
        for rules, told in (
            ("full_tilt", "online_result"),
            ("tda", "live_result_TDA_RP10H_WSOP238"),
        ):
            situation = read_situation(
                ["x" * 6] * alive, gone, "", [None] * alive, HouseRules.preset(rules), None
            )
            assert situation.community == ("community" in row[told]), row


@pytest.mark.parametrize("rules", ["kuhn", "mini20", "mini24", "mini32"])
def test_small_variants(rules: str) -> None:
    exact = equity(["A2", "xx"] if rules == "kuhn" else ["A23", "xx4"], rules=rules, method="exact")
    sampled = equity(
        ["A2", "xx"] if rules == "kuhn" else ["A23", "xx4"], rules=rules, method="monte_carlo"
    )
    assert exact.equities[0] > 0.5
    assert sampled.equities == pytest.approx(exact.equities, abs=0.002)
