"""Scenes against the engine's own word, and what is said of a hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from razz_env import Action, Hand, Street
from razz_env.render import choices, hand_scene, seat_scene

from ..support.tables import check_down, deal, ladder_hand, limp, play


@pytest.mark.parametrize("num_players", range(2, 9))
def test_pots_winners_and_winnings_are_those_of_the_engine(num_players: int) -> None:
    rng, side_pots = np.random.default_rng(num_players), 0
    for seed in range(15):
        hand = Hand.deal(num_players, stacks=rng.integers(1, 300, num_players), seed=seed)
        while not hand.is_over:
            scene = hand_scene(hand)
            bets = sum(seat.bet_chips for seat in scene.seats)
            assert scene.pot_chips + bets == hand.pot_chips
            stay = [action for action in hand.legal_actions() if action or rng.random() < 0.2]
            hand.apply(int(rng.choice(stay or hand.legal_actions())))
        scene = seat_scene(hand.view(seed % num_players))
        told = [(pot.chips, pot.eligible, pot.winners) for pot in scene.pots]
        assert told == [(pot.amount, pot.eligible, pot.winners) for pot in hand.pots]
        won = np.zeros(num_players, np.int64)
        for pot in hand.pots:
            won[list(pot.winners)] += pot.shares
        assert [seat.won_chips for seat in scene.seats] == won.tolist()
        assert [seat.net_chips for seat in scene.seats] == hand.payoffs.tolist()
        lows = {shown.seat: shown.low.name for shown in hand.showdown if not shown.mucked}
        assert {seat.seat: seat.low for seat in scene.seats if seat.low} == lows
        side_pots += len(scene.pots) > 1
    assert side_pots or num_players == 2


@pytest.mark.parametrize(
    ("short_stack", "said"),
    [
        ("As2d3h4c8sTcKd", ["7-6-4-3-2 low wins the main pot and the side pot"]),
        ("As2d3h4c5sTcKd", ["Wheel wins the main pot", "7-6-4-3-2 low wins the side pot"]),
    ],
)
def test_the_dealer_announces_every_pot(short_stack: str, said: list[str]) -> None:
    cards = [short_stack, "6h7h2s3s4d9dKh", "Jc9cQsQdJsQc2h"]
    hand = Hand.from_cards(cards, stacks=[30, 500, 500])
    while not hand.is_over:
        going_on = [action for action in hand.legal_actions() if action != Action.FOLD]
        hand.apply(going_on[-1 if hand.street == Street.THIRD else 0])
    assert hand_scene(hand).announcements == tuple(said)


def test_a_split_and_a_win_without_a_showdown_are_announced() -> None:
    split = check_down(limp(Hand.from_cards(["As2d3h4c8sTcKd", "Ah2h3s4s8dTdKh"])))
    assert hand_scene(split).announcements == ("8-4-3-2-A low splits the pot",)
    folded = play(ladder_hand(2), "S2 BRING_IN 5, S1 COMPLETE 20, S2 FOLD")
    scene = hand_scene(folded, ["Ann", "Ben"])
    assert scene.announcements == ("Ann wins the pot",)
    assert [seat.standing for seat in scene.seats] == ["wins", "folded"]
    assert scene.heading == "The end"


def test_the_last_action_is_told_with_its_amount_while_its_street_lasts() -> None:
    hand = ladder_hand(3)
    said = [hand_scene(hand).last_action]
    for name in ("bring in", "complete", "raise", "call"):
        hand.apply(name)
        said.append(hand_scene(hand).last_action)
    hand.apply("call")
    said.append(hand_scene(hand).last_action)
    assert said == [
        "",
        "Seat 2 brings in 5",
        "Seat 0 completes to 20",
        "Seat 1 raises to 40",
        "Seat 2 calls",
        "Seat 0 calls",
    ]
    assert all(not seat.action for seat in hand_scene(hand).seats)


def test_amounts_in_a_currency_are_cents() -> None:
    hand = play(ladder_hand(2), "S2 BRING_IN 5, S1 COMPLETE 20")
    scene = hand_scene(hand, currency="USD")
    assert scene.stakes == "$0.20/$0.40, ante $0.04, bring-in $0.05"
    assert scene.last_action == "Seat 0 completes to $0.20"
    assert [scene.amount(chips) for chips in (123_456, -250)] == ["$1234.56", "\u2212$2.50"]


def test_u03_choices_are_the_legal_actions_with_their_amounts() -> None:
    hand = ladder_hand(2)
    assert [one.words for one in choices(hand.view(1))] == ["Bring in 5", "Complete to 20"]
    assert choices(hand.view(0)) == ()
    play(hand, "S2 BRING_IN 5, S1 COMPLETE 20, S2 RAISE to 40, S1 RAISE to 60")
    assert [one.words for one in choices(hand.view(1))] == ["Fold", "Call 20", "Raise to 80"]
    hand.apply("raise")
    assert [one.words for one in choices(hand.view(0))] == ["Fold", "Call 20"]  # the cap


def test_a_choice_is_what_the_engine_says() -> None:
    rng = np.random.default_rng(0)
    hand = Hand.deal(5, stacks=[30, 500, 90, 500, 500], seed=4)
    while hand.actor is not None:
        given = choices(hand.view(hand.actor))
        assert tuple(one.action for one in given) == hand.legal_actions()
        assert [one.chips for one in given] == [hand.amount(one.action) for one in given]
        assert [one.to_chips for one in given] == [hand.to_amount(one.action) for one in given]
        hand.apply(int(rng.choice(hand.legal_actions())))


def test_a_scene_is_frozen_plain_data() -> None:
    scene = hand_scene(deal("??", "??"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        scene.actor = 1  # type: ignore[misc]
    assert hand_scene(deal("??", "??")) == scene
    assert hash(scene) == hash(hand_scene(deal("??", "??")))
