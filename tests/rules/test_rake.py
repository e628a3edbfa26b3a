"""The optional rake: a share of all pots, rounded down, capped, taken from the main pot first."""

from __future__ import annotations

import pytest

from razz_env import Action, Hand, HouseRules

# Case P01: main pot 90 to seat 0, side pot 80 to seat 1.
P01 = ["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd", "7h8hQs9dJsQc2h"]
P01_PLAY = "bring_in complete call call bet call call bet call".split()


def p01(**rake: int) -> Hand:
    hand = Hand.from_cards(P01, HouseRules(**rake), stacks=[30, 70, 200])
    for action in P01_PLAY:
        hand.apply(action)
    return hand


@pytest.mark.parametrize(
    ("rake", "taken"),
    [
        ({}, 0),
        ({"rake_basis_points": 500}, 8),  # 5 % of 170 is 8.5
        ({"rake_basis_points": 500, "rake_cap": 3}, 3),
        ({"rake_basis_points": 500, "rake_cap": 50}, 8),
        ({"rake_basis_points": 6000}, 102),  # all of the main pot and 12 of the side pot
    ],
)
def test_rake_comes_from_the_main_pot_first(rake: dict[str, int], taken: int) -> None:
    hand = p01(**rake)
    assert hand.rake == taken
    assert hand.payoffs.sum() == -taken
    assert [pot.amount for pot in hand.pots] == [90, 80]
    assert hand.pots[0].shares == (90 - min(taken, 90),)
    assert hand.pots[1].shares == (80 - max(taken - 90, 0),)


def test_uncalled_chips_are_not_raked() -> None:
    hand = Hand.deal(2, HouseRules(rake_basis_points=1000), 500, seed=1)
    hand.apply(Action.COMPLETE)
    hand.apply(Action.FOLD)
    assert hand.returned.max() == 20
    assert hand.rake == 0  # 10 % of the antes, 8 chips
    assert hand.payoffs.sum() == 0


@pytest.mark.parametrize(
    "wrong", [{"rake_basis_points": -1}, {"rake_basis_points": 10_001}, {"rake_cap": -1}]
)
def test_impossible_rakes_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        HouseRules(**wrong)
