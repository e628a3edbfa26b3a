"""Prompts: exactly the mask, in words with amounts; typed amounts must be right (U03, U05)."""

from __future__ import annotations

import numpy as np
import pytest

from agents.table.choices import BadChoice, choices, menu, read_choice
from razz_env import Hand
from razz_env.history import HandRecord
from razz_env.history.story import tell

from ..support.errors import refused
from ..support.tables import deal, ladder_hand, play

CAPPED = "S4 BRING_IN 5, S1 COMPLETE to 20, S2 RAISE to 40, S3 RAISE to 60, S4 RAISE to 80"


def labels(hand: Hand, seat: int) -> list[str]:
    return [choice.label for choice in choices(hand.view(seat))]


def test_u03_no_raise_is_offered_at_the_cap() -> None:
    hand = play(ladder_hand(4), CAPPED)
    assert labels(hand, 0) == ["Fold", "Call 60"]


def test_u03_the_bring_in_seat_brings_in_or_completes() -> None:
    hand = ladder_hand(4)
    assert labels(hand, 3) == ["Bring in 5", "Complete to 20"]
    play(hand, "S4 BRING_IN 5, S1 COMPLETE, S2 RAISE")
    assert labels(hand, 2) == ["Fold", "Call 40", "Raise to 60"]


def test_choices_are_the_mask_and_the_engines_amounts_in_whole_hands() -> None:
    rng = np.random.default_rng(5)
    seen = set()
    for index in range(60):
        hand = Hand.deal(
            2 + index % 7, stacks=[40 + 37 * i for i in range(2 + index % 7)], seed=index
        )
        while not hand.is_over:
            assert hand.actor is not None
            offered = choices(hand.view(hand.actor))
            assert tuple(choice.action for choice in offered) == hand.legal_actions()
            assert [choice.chips for choice in offered] == [hand.amount(c.action) for c in offered]
            assert len({choice.key for choice in offered}) == len(offered)
            others = [seat for seat in range(hand.num_players) if seat != hand.actor]
            assert all(choices(hand.view(seat)) == () for seat in others)
            seen |= {choice.action for choice in offered}
            hand.apply(int(rng.choice([int(choice.action) for choice in offered])))
    assert len(seen) == 7


@pytest.mark.parametrize("typed", ["r", "raise", "Raise 40", "raise to 40", "r 40", "RAISE TO 40"])
def test_u05_a_raise_needs_no_number_and_takes_the_right_one(typed: str) -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    choice = read_choice(typed, choices(hand.view(1)))
    assert (choice.label, choice.chips) == ("Raise to 40", 40)


@pytest.mark.parametrize("typed", ["raise 20", "raise 50", "r 39", "raise to 60"])
def test_u05_another_number_is_refused_with_the_right_one(typed: str) -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    with refused("raise to 40", typed.split()[-1], kind=BadChoice):
        read_choice(typed, choices(hand.view(1)))


def test_u05_the_bring_in_seat_pays_35_and_the_history_says_raises_20_to_40() -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE, S2 FOLD, S3 FOLD")
    choice = read_choice("raise", choices(hand.view(3)))
    assert (choice.label, choice.chips) == ("Raise to 40", 35)
    play(hand, "S4 RAISE 35, S1 FOLD")
    assert "  Player4 raises 20 to 40" in tell(HandRecord.from_hand(hand))[0]


@pytest.mark.parametrize(
    "typed", ["", "40", "check", "x", "bring", "raise forty", "\x1b[2J", "c c"]
)
def test_what_is_no_choice_is_refused_with_the_menu(typed: str) -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    offered = choices(hand.view(1))
    with pytest.raises(BadChoice, match=r"\[f\] Fold, \[c\] Call 20, \[r\] Raise to 40"):
        read_choice(typed, offered)
    assert menu(offered).startswith("You may: ")


def test_a_fold_takes_no_amount() -> None:
    hand = play(ladder_hand(4), "S4 BRING_IN, S1 COMPLETE")
    with refused("takes no amount", kind=BadChoice):
        read_choice("fold 20", choices(hand.view(1)))


def test_the_last_chips_are_marked() -> None:
    hand = deal("????2c", "????Ks", stacks=[500, 30])
    play(hand, "S2 BRING_IN, S1 COMPLETE")
    assert [(c.label, c.all_in) for c in choices(hand.view(1))] == [
        ("Fold", False),
        ("Call 15", False),
        ("Raise to 26", True),
    ]


def test_a_hand_is_no_view() -> None:
    with refused("view", kind=TypeError):
        choices(Hand.deal(2, seed=1).record)
