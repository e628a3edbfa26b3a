"""How players play, counted: against hands whose actions are known."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents.evaluation.duplicate import DuplicateTables
from agents.evaluation.style import (
    COLUMNS,
    FACED,
    FACED_FOLD,
    PLAYED,
    PLAYED_DOWN,
    SEEN,
    SHOWDOWN,
    WON,
    count_style,
    no_counts,
    shares,
)
from razz_env import Action, Hand, make_batch
from razz_env.rules.record import HAND

from .players import LowDoor, Uniform, caller, raiser


def counted(hand: Hand, players: int) -> Any:
    hands = np.zeros(1, HAND)
    hands[0] = hand.record
    counts = no_counts(players)
    count_style(hands, np.arange(players), counts)
    return counts


def test_a_hand_on_third_street_told_action_by_action() -> None:
    """Case R16: S3 brings in, S1 completes, S2 and S3 fold: no showdown, no fourth street."""
    hand = Hand.from_cards(["2c3d4h", "5c6d7h", "8c9dKh"], stacks=500)
    for action in (Action.BRING_IN, Action.COMPLETE, Action.FOLD, Action.FOLD):
        hand.apply(action)
    counts = counted(hand, 3)
    assert not counts[:, 1:].any()
    expected = np.zeros((3, COLUMNS), int)
    expected[0, [Action.COMPLETE, PLAYED, SEEN]] = 1
    expected[1, [Action.FOLD, FACED, FACED_FOLD, SEEN]] = 1
    expected[2, [Action.BRING_IN, Action.FOLD, FACED, FACED_FOLD, SEEN]] = 1
    assert counts[:, 0].tolist() == expected.tolist()


def test_a_showdown_is_won_by_the_better_low_and_on_streets_that_were_played() -> None:
    """S1 has the wheel. The bring-in is called on third street and everything is checked after."""
    hand = Hand.from_cards(["Ah2c3d5h4s9cKc", "TsJdQhKs9d8s8h"], stacks=500)
    hand.apply(Action.BRING_IN)
    hand.apply(Action.CALL)
    while not hand.is_over:
        hand.apply(Action.CHECK)
    counts = counted(hand, 2)
    winner, loser = 0, 1
    assert counts[:, :, SHOWDOWN].tolist() == [[1] * 5, [1] * 5]
    assert counts[winner, :, PLAYED_DOWN].tolist() == [1, 0, 0, 0, 0]
    assert counts[winner, :, WON].tolist() == [1, 0, 0, 0, 0]
    assert not counts[loser, :, [PLAYED, PLAYED_DOWN, WON]].any()
    assert counts[loser, 0, Action.BRING_IN] == 1
    assert counts[:, 1:, Action.CHECK].tolist() == [[1] * 4, [1] * 4]


@pytest.mark.parametrize("stacks", [500, [30, 70, 200]])
def test_counts_agree_with_the_events_of_random_hands(stacks: Any) -> None:
    batch = make_batch(400, 3, seed=5, stacks=stacks, auto_deal=False, observation=None)
    rng = np.random.default_rng(1)
    while len(rows := np.flatnonzero(batch.actors >= 0)):
        actions = Uniform().act(None, None, batch.action_masks[rows], rng)
        batch.step(actions, tables=rows)
    counts = no_counts(3)
    count_style(batch.hands, np.arange(3), counts)
    told: Counter[tuple[int, int, int]] = Counter()
    for table in range(400):
        hand = batch.hand(table)
        for event in hand.events:
            if hasattr(event, "action"):
                told[event.seat, int(event.street) - 3, int(event.action)] += 1
    for (seat, street, action), number in told.items():
        assert counts[seat, street, action] == number
    assert counts[:, :, :7].sum() == told.total()
    assert (counts[:, :, SEEN] >= counts[:, :, SHOWDOWN]).all()
    assert (counts[:, :, PLAYED] >= counts[:, :, PLAYED_DOWN]).all()
    assert (counts[:, :, PLAYED_DOWN] >= counts[:, :, WON]).all()
    showdowns = sum(len(batch.hand(table).showdown) for table in range(400))
    assert counts[:, 0, SHOWDOWN].sum() == showdowns


def test_copies_of_a_player_are_counted_as_members_wherever_they_sit() -> None:
    block = DuplicateTables([caller(), raiser(), raiser()], 0, "full_tilt", 500).play_block(0, 50)
    caller_counts, *raisers = block.style
    assert caller_counts[0, SEEN] == raisers[0][0, SEEN] == raisers[1][0, SEEN] == 150
    assert not caller_counts[:, [Action.FOLD, Action.BET, Action.RAISE]].any()
    assert not np.array(raisers)[:, :, [Action.FOLD, Action.CHECK]].any()


def test_shares_of_known_players() -> None:
    lineup = [caller(), LowDoor()]
    block = DuplicateTables(lineup, 0, "full_tilt", 500).play_block(0, 500)
    told = shares(block.style[0])
    assert list(told) == [
        "play",
        "complete",
        "raise",
        "fold_to_raise",
        "showdown",
        "won_at_showdown",
    ]
    assert told["raise"] == told["complete"] == [0.0] * 5
    assert told["fold_to_raise"] == [0.0] * 5
    assert shares(no_counts(1)[0])["play"] == [None] * 5
