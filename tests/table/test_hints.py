"""Hints: equity from what a seat knows, pot odds, what a player would do."""

from __future__ import annotations

import sys

import pytest

from agents.players.basic import caller
from agents.table.hints import AdviserFailed, equity_of, hint
from razz_env import Hand
from razz_env.equity import equity

from ..support.errors import refused
from ..support.tables import check_down, deal, ladder_hand, limp, play
from .players import Failing, Open


def test_equity_knows_own_cards_boards_and_dead_cards() -> None:
    hand = deal("Ac2d 3h", "KcKh Qs", "9c9h 9d")
    play(hand, "S2 BRING_IN, S3 FOLD")
    found = equity_of(hand.view(0), samples=40_000)
    wanted = equity(["A23", "xxQ"], dead="9 x x", method="monte_carlo", samples=40_000)
    assert found.equities[0] == pytest.approx(wanted.equities[0], abs=0.01)


def test_equity_does_not_depend_on_hidden_cards() -> None:
    one = deal("Ac2d 3h4h5h6h7h", "KcKh QsJs9s8s2s")
    other = deal("Ac2d 3h4h5h6h7h", "3c4c QsJs9s8s5c")
    for hand in (one, other):
        limp(hand)
    for street in (4, 5, 6, 7):
        for hand in (one, other):
            check_down(hand, until=street)
        views = one.view(0), other.view(0)
        assert equity_of(views[0]).equities.tolist() == equity_of(views[1]).equities.tolist()


def test_pot_odds_and_the_players_word() -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    said = hint(hand.view(1), caller(), samples=2000)
    assert (said.to_call_chips, said.pot_chips) == (20, 41)
    assert said.pot_odds == pytest.approx(20 / 61)
    assert said.advice is not None
    assert said.advice.chances == (("Call 20", 1.0),)
    assert "Pot odds: a call of 20 into 41 needs 32.8%." in said.lines()
    assert "caller would choose: Call 20." in said.lines()


def test_pot_odds_of_an_all_in_call_leave_out_what_the_seat_cannot_win() -> None:
    hand = play(ladder_hand(3, [500, 500, 19]), "S3 BRING_IN, S1 COMPLETE, S2 RAISE")
    said = hint(hand.view(2), samples=2000)
    assert hand.total_chips.tolist() == [24, 44, 9]
    assert (said.to_call_chips, said.pot_chips) == (10, 19 + 19 + 9)
    assert "Pot odds: a call of 10 into 47 needs 17.5%." in said.lines()


def test_a_player_with_probabilities_tells_them() -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    said = hint(hand.view(1), Open(), samples=2000)
    third = pytest.approx(1 / 3)
    assert said.advice is not None
    assert said.advice.chances == (("Fold", third), ("Call 20", third), ("Raise to 40", third))
    assert said.lines()[-1] == "open would: Fold 33%, Call 20 33%, Raise to 40 33%."


def test_a_failing_adviser_and_a_seat_that_is_not_to_act() -> None:
    hand = ladder_hand(4)
    with refused("failing cannot advise: the process is gone", kind=AdviserFailed):
        hint(hand.view(3), Failing())
    with refused("Seat 0 is not to act"):
        hint(hand.view(0))


@pytest.mark.parametrize("method", ["act", "action_probabilities"])
def test_an_adviser_that_ends_the_program_only_fails(method: str) -> None:
    hand, adviser = ladder_hand(4), Open() if method != "act" else Failing()
    setattr(adviser, method, lambda *_: sys.exit("no licence for this model"))
    with refused(adviser.name, "cannot advise: no licence", kind=AdviserFailed):
        hint(hand.view(3), adviser)


def test_no_price_no_odds_and_the_community_card() -> None:
    hand = check_down(limp(Hand.deal(8, seed=3)), until=7)
    assert hand.community is not None
    said = hint(hand.view(hand.actor or 0), samples=2000)
    assert 0 < said.equity < 1
    assert len(said.lines()) == 1
