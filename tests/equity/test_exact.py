"""Exact equities are those of dealing every card, and hold what equities must hold."""

from __future__ import annotations

import csv
from itertools import permutations
from math import comb

import numpy as np
import pytest

from razz_env import HouseRules
from razz_env.equity import equity
from razz_env.equity.exact import count_exactly
from razz_env.equity.situation import read_situation

from ..support.deals import dealt_out
from ..support.lows import DECK
from ..support.shared import shared_path

LATE = {
    "sixth street, drawing against a made nine": (["Ah2c3d4hKsKd", "9h8c7d5h2sTc"], "AsAd"),
    "sixth street, all paired": (["KhKcKdQhQs2c", "JhJcJdThTs2d"], ""),
    "sixth street, three hands": (["Ah2c3d4hKsKd", "As2d3h5cQsQd", "7h8h9hThTc9c"], "6c6d6h6s"),
    "seventh street, one hand waits": (["Ah2c3d4h9sKd9c", "As2d3h5cQsQd"], "4c"),
    "seventh street, a tie": (["Ah2c3d4h5sKd9c", "As2d3h4c5dQdQh"], ""),
    "fifth street": (["Ah2c3d8hKs", "9h6c7d5h2s"], "AsAdAcKhKdKcQhQdQcQsJhJdJcJsThTdTcTs"),
}


@pytest.mark.parametrize("name", LATE)
def test_counting_ranks_is_counting_all_deals_of_the_52_cards(name: str) -> None:
    hands, dead = LATE[name]
    shares, deals = dealt_out(hands, dead)
    found = equity(hands, dead=dead, method="exact")
    assert found.equities == pytest.approx(shares, abs=1e-12)
    assert found.samples == deals


def test_in_a_small_deck_unknown_hands_are_dealt_too() -> None:
    rules = HouseRules.preset("mini20", deck_suits=2)  # 5 ranks x 2 suits, four cards a hand
    deck = [name for name in DECK[:20] if name[1] in "cd"]
    shares, deals = dealt_out(["Ac2c3d", ""], "5d", size=4, deck=deck)
    found = equity(["A23", ""], dead="5", rules=rules)
    assert found.equities == pytest.approx(shares, abs=1e-12)
    assert (found.samples, found.method) == (deals, "exact")


def test_published_equities() -> None:
    with shared_path("data", "tables", "devonshire_cardplayer_2013_equities.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3
    for row in rows:
        found = equity([row["hand_a"].replace("-", ""), row["hand_b"].replace("-", "")])
        published = float(row["equity_a_percent"]), float(row["equity_b_percent"])
        # the published figures were sampled, at best to two hundredths where a hand is unknown
        assert 100 * found.equities == pytest.approx(published, abs=0.03)
        assert found.is_exact


SITUATIONS = {
    "third street": (["A23", "xx7"], "K K 8", ""),
    "three hands on fifth street": (["A2378", "45699", "A3TJQ"], "2", ""),
    "four hands on sixth street": (["A23KKQ", "A45KQJ", "23JJTT", "99887x"], "", ""),
    "eight hands and a community card": (
        "A23KK6 A45KQ6 22JJTT 998877 34QQJJ 33TT44 A5967x 28K57Q".split(),
        "",
        "8",
    ),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_equities_sum_to_one_and_split_into_wins_and_ties(name: str) -> None:
    hands, dead, community = SITUATIONS[name]
    found = equity(hands, dead=dead, community=community, method="exact")
    assert found.equities.sum() == pytest.approx(1.0, abs=1e-12)
    assert (found.wins <= found.equities + 1e-12).all()
    assert (found.equities <= found.wins + found.ties / 2 + 1e-12).all()
    assert (found.standard_errors == 0).all()


@pytest.mark.parametrize("name", SITUATIONS)
def test_all_deals_are_counted(name: str) -> None:
    """The total weight is the number of deals by the formula, and so nothing is left out."""
    hands, dead, community = SITUATIONS[name]
    no_ranges = [None] * len(hands)
    situation = read_situation(hands, dead, community, no_ranges, HouseRules(), None)
    assert count_exactly(situation).weight == pytest.approx(situation.deals, rel=1e-12)


def test_exchanging_hands_exchanges_their_equities() -> None:
    hands = ["A23KQ", "xx789", "456JT"]
    first = equity(hands, method="exact").equities
    for order in permutations(range(3)):
        found = equity([hands[place] for place in order], method="exact").equities
        assert found == pytest.approx(first[list(order)], abs=1e-12)


def test_equal_hands_have_equal_equities() -> None:
    found = equity(["A23", "A23", "A23"], samples=200_000)
    assert found.equities == pytest.approx([1 / 3] * 3, abs=4 * found.standard_errors.max())
    alike = equity(["xx2K", "xx2K"], method="exact").equities
    assert alike == pytest.approx([0.5, 0.5], abs=1e-12)


def test_suits_do_not_matter() -> None:
    exact = equity(["As2s|3s", "6h 7h 8h"], dead="Kc,Kd").equities
    assert (equity(["A23", "678"], dead="KK").equities == exact).all()
    assert (equity([(3, 7, 11), "678"], dead=[48, 49]).equities == exact).all()


def test_a_card_that_came_face_down_is_as_good_as_one_to_come() -> None:
    known = equity(["A23", "678"]).equities
    assert equity(["A23xx", "678xxxx"]).equities == pytest.approx(known, abs=1e-12)
    assert equity(["A23", "678"], street=6).equities == pytest.approx(known, abs=1e-12)


def test_unknown_cards_have_the_mean_equity_of_what_they_may_be() -> None:
    """Over the down cards of the other hand, each pair as likely as its combinations."""
    left = np.array([3, 3, 4, 4, 4, 4, 4, 3, 4, 4, 4, 4, 3])  # after A2K and the eight
    total, ways = 0.0, 0
    for low in range(13):
        for high in range(low, 13):
            count = comb(int(left[low]), 2) if low == high else int(left[low] * left[high])
            pair = "A23456789TJQK"[low] + "A23456789TJQK"[high]
            total += count * equity(["A2K", pair + "8"], method="exact").equities[0]
            ways += count
    assert equity(["A2K", "xx8"], method="exact").equities[0] == pytest.approx(total / ways)


def test_auto_counts_what_is_quick_and_samples_the_rest() -> None:
    assert equity(["A23", "678"]).is_exact
    assert equity(["A23", "xx8"]).is_exact
    assert not equity(["A23", "678", "xx9"], samples=1000).is_exact
    assert equity(["A23KK", "678QQ", "xx9TT"], samples=1000).is_exact
