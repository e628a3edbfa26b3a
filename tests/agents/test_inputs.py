"""What networks are fed with."""

from __future__ import annotations

import numpy as np
import pytest

from agents.players.inputs import SCALE, Inputs
from agents.players.low_chances import win_chance
from agents.players.reading import live_rivals
from agents.players.showdown import desk, showdown_share
from razz_env import Hand, make_batch
from razz_env.equity import equity
from razz_env.observation import spec

from ..support.tables import check_down, limp


def fed(hand: Hand, inputs: Inputs) -> np.ndarray:
    return inputs.of(np.asarray([hand.view(hand.actor)]), np.zeros((1, 0), np.float32))[0]


@pytest.mark.parametrize("win_chance", [False, True])
@pytest.mark.parametrize("seats", [2, 5, 8])
def test_the_chance_lies_behind_the_observation(seats: int, win_chance: bool) -> None:
    inputs = Inputs(spec(seats, seats=8), win_chance)
    batch = make_batch(50, seats, seed=1, seats=8)
    batch.rollout(steps=9)
    rows = inputs.of(batch.views, batch.observations)
    assert rows.shape == (50, inputs.size)
    assert (rows[:, : spec(8).size] == batch.observations).all()
    assert (rows == inputs.of(batch.views[:], np.zeros((50, 3), np.float32))).all()
    chances = rows[:, spec(8).size :]
    assert (np.abs(chances) <= SCALE / 2).all()
    assert not win_chance or chances.std() > 0.5


def test_the_chance_is_about_the_equity_against_any_hand() -> None:
    """On third street it goes by heights, so it is off by some points there."""
    inputs, pairs = Inputs(spec(2), win_chance=True), []
    for index in range(60):
        hand = Hand.deal(2, seed=7, index=index)
        rng = np.random.default_rng(index)
        while not hand.is_over and hand.street < 3 + index % 4:
            hand.apply(rng.choice([a for a in hand.legal_actions() if a != 0]))
        if hand.is_over:
            continue
        me, rival = hand.actor, 1 - hand.actor
        mine = (*hand.down_cards(me), *hand.up_cards(me))
        exact = equity([mine, (-1, -1, *hand.up_cards(rival))], method="exact").equities[0]
        pairs.append((fed(hand, inputs)[-1] / SCALE + 0.5, exact))
    chances, exact = np.array(pairs).T
    assert len(pairs) > 40
    assert np.corrcoef(chances, exact)[0, 1] > 0.97
    assert np.abs(chances - exact).mean() < 0.06


@pytest.mark.parametrize("num_players", [2, 4])
def test_the_chance_is_counted_out_from_fourth_street_on(num_players: int) -> None:
    inputs, room, told_apart = Inputs(spec(num_players), win_chance=True), desk(), set()
    for street in range(3, 8):
        for seed in range(10):
            hand = Hand.deal(num_players, seed=seed)
            if street > 3:
                check_down(limp(hand), until=street)
            assert hand.street == street
            view, rivals = hand.view(hand.actor), live_rivals(hand.view(hand.actor))
            by_heights = win_chance(view, rivals, 0, 0.0)
            counted = showdown_share(view, rivals, room)
            expected = by_heights if street == 3 else counted
            assert fed(hand, inputs)[-1] == np.float32(SCALE * (expected - 0.5))
            if by_heights != counted:  # both may be certain
                told_apart.add(street)
    assert told_apart == {3, 4, 5, 6, 7}


def test_dead_cards_lower_the_chance() -> None:
    """Three to a wheel on fifth street, with a four and a five needed, seen gone or not."""
    rivals = {"alive": ("KhKs", "QhQs"), "dead": ("4h4s", "5h5s")}
    chances = {}
    for name, (one, other) in rivals.items():
        cards = ["Ac2c3dTdJd", f"8c9c{one}Jc", f"8d9d{other}Jh"]
        hand = check_down(limp(Hand.from_cards(cards)), until=5)
        view = np.asarray([hand.view(0)])
        rows = Inputs(spec(3), win_chance=True).of(view, np.zeros((1, 0), np.float32))
        chances[name] = float(rows[0, -1])
    assert chances["dead"] < chances["alive"] - 0.5


def test_the_version_tells_inputs_apart() -> None:
    with_chance, without = Inputs(spec(3), True), Inputs(spec(3))
    assert without.version == spec(3).version != with_chance.version
    assert (with_chance.size, without.size) == (spec(3).size + 1, spec(3).size)
