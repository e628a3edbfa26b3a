"""A hand moment by moment: nothing that happened is missing, and nothing is seen too early."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from razz_env import Hand, Street
from razz_env.render import hand_scenes, seat_scenes
from razz_env.render.moments import moments
from razz_env.rules.events import ActionTaken

from ..support.tables import limp


def finished(num_players: int, seed: int, low: int = 20) -> Hand:
    rng = np.random.default_rng(seed)
    hand = Hand.deal(num_players, stacks=rng.integers(low, 300, num_players), seed=seed)
    while not hand.is_over:
        bold = [action for action in hand.legal_actions() if action or rng.random() < 0.2]
        hand.apply(int(rng.choice(bold or hand.legal_actions())))
    return hand


@pytest.mark.parametrize("seed", range(12))
def test_moments_go_on_from_each_other_and_end_in_the_hand_itself(seed: int) -> None:
    hand = finished(2 + seed % 7, seed)
    before = hand.to_bytes()
    found = moments(hand)
    assert hand.to_bytes() == before
    assert found[-1] == hand
    streets = [int(moment.street) for moment in found]
    assert streets == sorted(streets)
    assert set(streets) == set(range(3, int(hand.street) + 1))
    for early, late in pairwise(found):
        up, later = early.record.public.up, late.record.public.up
        assert ((up == later) | (up == -1)).all()
        if not late.is_over:  # uncalled chips go back before streets are run out
            assert (late.stacks <= early.stacks + hand.returned).all()


@pytest.mark.parametrize("seed", range(6))
def test_every_action_has_its_moment_and_every_chip_is_somewhere(seed: int) -> None:
    hand = finished(5, seed)
    said = [scene.last_action for scene in hand_scenes(hand)]
    actors = [f"Seat {event.seat}" for event in hand.events if isinstance(event, ActionTaken)]
    changes = [after for before, after in zip(["", *said], said, strict=False) if after != before]
    assert len(changes) >= len(actors)
    total = int(hand.starting_stacks.sum())
    for scene in hand_scenes(hand)[:-1]:
        chips = sum(seat.stack_chips + seat.bet_chips for seat in scene.seats)
        assert chips + scene.pot_chips == total


def test_bets_lie_before_the_seats_once_more_when_a_street_is_closed() -> None:
    hand = limp(Hand.deal(3, seed=2))
    *_, closed, dealt = hand_scenes(hand)
    assert [seat.bet_chips for seat in closed.seats] == [5, 5, 5]
    assert closed.actor is None
    assert closed.street == Street.THIRD
    assert dealt.street == Street.FOURTH
    assert dealt.pot_chips == 27


def test_streets_that_are_run_out_come_one_by_one_with_hands_shown() -> None:
    hand = Hand.deal(3, stacks=4, seed=1)  # all-in for the ante
    scenes = hand_scenes(hand)
    assert [len(scene.seats[0].up) for scene in scenes] == [1, 2, 3, 4, 4, 4]
    assert [len(scene.seats[0].down) for scene in scenes] == [2, 2, 2, 2, 3, 3]
    assert all(None not in scene.seats[1].down for scene in scenes)
    assert [scene.is_over for scene in scenes] == [False] * 5 + [True]


def test_small_variants_have_no_moments_of_streets_that_they_do_not_play() -> None:
    hand = Hand.deal(2, "mini24", stacks=4, seed=1)
    assert [int(moment.street) for moment in moments(hand)] == [3, 4, 7, 7]


def test_a_seats_moments_show_no_card_before_its_time() -> None:
    hand = finished(4, 3, low=290)
    for scene in seat_scenes(hand, 1)[:-1]:
        others = [seat for seat in scene.seats if seat.seat != 1 and seat.is_live]
        assert all(set(seat.down) == {None} for seat in others)
        assert None not in scene.seats[1].down


def test_cards_that_nobody_knows_lie_face_down_to_the_end() -> None:
    hand = Hand.deal(3, stacks=4, seed=1)
    loser = next(seat for seat in range(3) if hand.payoffs[seat] < 0)
    scenes = hand_scenes(hand, open_cards=True, unknown={(loser, 0), (loser, 1), (loser, 6)})
    assert all(set(scene.seats[loser].down) == {None} for scene in scenes)
    assert scenes[-1].seats[loser].is_mucked
    assert scenes[-1].announcements == hand_scenes(hand)[-1].announcements
