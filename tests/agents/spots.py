"""Spots that every player of Razz plays alike, and what holds for players everywhere."""

from __future__ import annotations

import numpy as np

from agents.players.basic import caller, random
from razz_env import Action, Hand, HouseRules, make_batch
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch
from razz_env.rules.record import SEAT_VIEW
from razz_env.rules.seat_view import seat_view

from ..support.tables import deal, play

NOTHING = np.zeros((0, 0), np.float32)
STACKS = [[500] * 8, [14, 9, 23, 60, 100, 7, 44, 500], [5, 300, 30, 11, 65, 90, 24, 18]]


def advice(player: Agent, hand: Hand, seed: int = 0, times: int = 1) -> set[Action]:
    """What a player does as the seat to act, asked so often."""
    assert hand.actor is not None
    views = np.zeros(times, SEAT_VIEW)
    for view in views:
        seat_view(hand.record, hand.actor, view)
    masks = np.tile(hand.action_mask(), (times, 1))
    actions = player.act(views, NOTHING, masks, np.random.default_rng(seed))
    return {Action(action) for action in actions}


def king_door_against_a_completion() -> Hand:
    """The bring-in with a king up, everybody else has folded to a completion with a four up."""
    hand = deal("????4c", "????9c", "QdTdKs")
    return play(hand, "S3 BRING_IN, S1 COMPLETE, S2 FOLD")


def heads_up(mine: str, theirs: str, script: str = "") -> Hand:
    """S1 has called the king's bring-in; then the script."""
    hand = play(deal(mine, f"????Kd{theirs}"), "S2 BRING_IN, S1 CALL")
    return play(hand, script)


def check_legality(player: Agent, num_players: int, free_folds: bool) -> None:
    """Over many decisions at short and long stacks: legal, and never a free fold."""
    rules = HouseRules.preset("full_tilt", fold_when_check_is_free=free_folds)
    for stacks in STACKS:
        batch = make_batch(60, num_players, rules, stacks[:num_players], seed=3, observation=None)
        rng = np.random.default_rng(0)
        for _ in range(30):
            step_with_everybody(player, batch, rng)


def step_with_everybody(player: Agent, batch: TableBatch, rng: np.random.Generator) -> None:
    """The player is asked at every table; who is obeyed differs by table, so hands go far."""
    masks, views = batch.action_masks, batch.views
    rows = np.arange(len(masks))
    answers = [other.act(views, NOTHING, masks, rng) for other in (player, caller(), random())]
    assert masks[rows, answers[0]].all()
    assert not (masks[rows, Action.CHECK] & (answers[0] == Action.FOLD)).any()
    batch.step(np.choose(rows % len(answers), answers))
