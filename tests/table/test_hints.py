"""Hints: equity from what a seat knows, pot odds, what a player would do."""

from __future__ import annotations

import sys

import pytest

from agents.inspection import look_at
from agents.players.basic import caller
from agents.table.hints import AdviserFailed, hint
from agents.table.replays import SteppedHand
from razz_env import Action, Hand
from razz_env.history import HandRecord
from razz_env.rules.cards import NO_CARD

from ..support.errors import refused
from ..support.tables import check_down, deal, ladder_hand, limp, play
from .players import Failing, Open


@pytest.mark.parametrize("last", ["FOLD", "CALL"])
def test_the_equity_is_that_of_inspect_and_of_a_replay(last: str) -> None:
    """One spot, one number, counted or sampled, where the record knows what the seat does."""
    hand = play(deal("Ac2d 3h", "KcKh Qs", "9c9h 9d"), f"S2 BRING_IN, S3 {last}")
    view = hand.view(0)
    said, looked = hint(view), look_at(view, caller())
    assert (said.equity, said.standard_error) == (looked.equity, looked.equity_error)
    assert said.lines()[0].startswith(f"Equity {said.equity:.1%} (")
    assert ("(exact)" in said.lines()[0]) == (last == "FOLD")
    replayed = SteppedHand(known_to(0, hand))
    assert dict(replayed.equities(2))[0] == said.equity


def known_to(seat: int, hand: Hand) -> HandRecord:
    """The record of a hand that is called down, without the down cards of all others."""
    while not hand.is_over:
        hand.apply("check" if Action.CHECK in hand.legal_actions() else "call")
    record = HandRecord.from_hand(hand)
    blank = [
        [NO_CARD if other != seat and place in (0, 1, 6) else card for place, card in cards]
        for other, cards in enumerate(enumerate(one.cards) for one in record.seats)
    ]
    return record.with_cards(map(tuple, blank))


def test_pot_odds_and_the_players_word() -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    said = hint(hand.view(1), caller())
    assert (said.to_call_chips, said.pot_chips) == (20, 41)
    assert said.pot_odds == pytest.approx(20 / 61)
    assert said.advice is not None
    assert said.advice.chances == (("Call 20", 1.0),)
    assert "Pot odds: a call of 20 into 41 needs 32.8%." in said.lines()
    assert "caller would choose: Call 20." in said.lines()


def test_pot_odds_of_an_all_in_call_leave_out_what_the_seat_cannot_win() -> None:
    hand = play(ladder_hand(3, [500, 500, 19]), "S3 BRING_IN, S1 COMPLETE, S2 RAISE")
    said = hint(hand.view(2))
    assert hand.total_chips.tolist() == [24, 44, 9]
    assert (said.to_call_chips, said.pot_chips) == (10, 19 + 19 + 9)
    assert "Pot odds: a call of 10 into 47 needs 17.5%." in said.lines()


def test_a_player_with_probabilities_tells_them() -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    said = hint(hand.view(1), Open())
    third = pytest.approx(1 / 3)
    assert said.advice is not None
    assert said.advice.chances == (("Fold", third), ("Call 20", third), ("Raise to 40", third))
    assert said.lines()[-1] == "open would: Fold 33%, Call 20 33%, Raise to 40 33%."


def test_a_failing_adviser_and_a_seat_that_is_not_to_act() -> None:
    hand = ladder_hand(4)
    with refused("No advice", "'failing' raised OSError: the process is gone", kind=AdviserFailed):
        hint(hand.view(3), Failing())
    with refused("Seat 0 is not to act"):
        hint(hand.view(0))


@pytest.mark.parametrize("method", ["act", "action_probabilities"])
def test_an_adviser_that_ends_the_program_only_fails(method: str) -> None:
    hand, adviser = ladder_hand(4), Open() if method != "act" else Failing()
    setattr(adviser, method, lambda *_: sys.exit("no licence for this model"))
    with refused(adviser.name, "raised SystemExit: no licence", kind=AdviserFailed):
        hint(hand.view(3), adviser)


def test_no_price_no_odds_and_the_community_card() -> None:
    hand = check_down(limp(Hand.deal(8, seed=3)), until=7)
    assert hand.community is not None
    said = hint(hand.view(hand.actor or 0))
    assert 0 < said.equity < 1
    assert len(said.lines()) == 1
