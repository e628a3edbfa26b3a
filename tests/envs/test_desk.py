"""The desk of a table plays as `Hand.apply` does and shows what `encode` and the mask say."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pytest

from razz_env import Action, Hand, IllegalAction
from razz_env.envs.desk import OVER, Desk
from razz_env.observation import encode
from razz_env.rules.setup import blank_hands

from ..support.errors import refused
from .players import pick


@pytest.mark.parametrize("mode", ["features", "infostate"])
@pytest.mark.parametrize("num_players", [2, 3, 6, 8])
def test_a_seat_sees_its_encoded_view_and_only_the_actor_a_mask(
    num_players: int, mode: str
) -> None:
    desk, rng = Desk(num_players, mode), np.random.default_rng(num_players)
    for seed in range(8):
        stacks = rng.integers(3, 300, num_players).tolist()
        hand = Hand.deal(num_players, stacks=stacks, seed=seed)
        while True:
            for seat in range(num_players):
                seen = desk.look(hand, seat)
                assert seen["observation"].tobytes() == encode(hand.view(seat), mode).tobytes()
                mask = hand.action_mask() if seat == hand.actor else np.zeros(7, np.int8)
                assert seen["action_mask"].tobytes() == mask.tobytes()
            if hand.is_over:
                break
            hand.apply(pick(hand.action_mask(), rng))


@pytest.mark.parametrize("rules", ["full_tilt", "pokerstars", "wsop_live", "tda", "roberts"])
def test_hands_are_dealt_and_played_as_by_hand(rules: str) -> None:
    rng = np.random.default_rng(5)
    for seed in range(40):
        seats = int(rng.integers(2, 9))
        stacks = rng.integers(3, 200, seats).tolist()
        desk, hand = Desk(seats, "features"), Hand(blank_hands(1, seats, rules, stacks))
        expected = Hand.deal(seats, rules, stacks, seed=seed, index=seed + 1)
        seat = desk.deal(hand, seed, seed + 1)
        while not expected.is_over:
            assert seat == expected.actor
            action = pick(expected.action_mask(), rng)
            expected.apply(action)
            seat = desk.play(hand, action)
            assert hand == expected
        assert seat == OVER
        assert desk.net_chips(hand) == expected.payoffs.tolist()


def outcome(play: Callable[[Any], Any], action: Any) -> str:
    """The sentence of the refusal, or nothing."""
    try:
        play(action)
    except IllegalAction as error:
        return str(error)
    return ""


def test_every_action_is_judged_as_by_hand() -> None:
    desk, rng, hand = Desk(4, "features"), np.random.default_rng(6), Hand.deal(4, seed=6)
    refusals = 0
    while not hand.is_over:
        for action in (*range(-1, 8), None, True, "call", "raze", 2.0, np.int8(2), 2**70):
            one, other = hand.clone(), hand.clone()
            expected = outcome(one.apply, action)
            assert outcome(partial(desk.play, other), action) == expected
            assert one == other
            refusals += expected != ""
        hand.apply(pick(hand.action_mask(), rng))
    assert refusals > 50


def test_a_hand_of_known_cards_is_refused_a_card_that_was_not_given() -> None:
    hand, desk = Hand.from_cards(["As2d3h", "7h8hQs", "Ac2c3c"]), Desk(3, "features")
    assert desk.play(hand, Action.BRING_IN) == 2
    assert desk.play(hand, Action.CALL) == 0
    before = hand.to_bytes()
    with refused("card"):
        desk.play(hand, Action.CALL)
    assert hand.to_bytes() == before


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))]
)
def test_a_copied_desk_has_memory_of_its_own(copied: Any) -> None:
    desk, hand = Desk(5, "infostate"), Hand.deal(5, seed=2)
    twin = copied(desk)
    assert not np.shares_memory(desk._tools, twin._tools)
    one, other = desk.look(hand, 3), twin.look(hand, 3)
    assert {key: value.tobytes() for key, value in one.items()} == {
        key: value.tobytes() for key, value in other.items()
    }


def test_threads_that_look_at_once_do_not_see_each_others_views() -> None:
    desk, hand = Desk(6, "features"), Hand.deal(6, seed=1)
    expected = [desk.look(hand, seat)["observation"].tobytes() for seat in range(6)]

    def all_as_expected(seat: int) -> bool:
        looks = (desk.look(hand, seat)["observation"].tobytes() for _ in range(150_000))
        return all(look == expected[seat] for look in looks)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(all_as_expected, [1, 4])) == [True, True]
