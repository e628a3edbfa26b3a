"""Hands among scripted players are played out in one call, as they are one decision at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.evaluation.duplicate import DuplicateTables
from agents.evaluation.scripted_hands import play_scripted
from agents.players.scripted import ScriptedPlayer, scripted
from razz_env import make_batch
from razz_env.rules.setup import StacksLike

from .players import caller


class Stranger(ScriptedPlayer):
    """A scripted player that is asked for its decisions like anybody else."""


class Gentle(ScriptedPlayer):
    """Has a scripted player's style, and calls all the same."""

    def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> NDArray[np.int64]:
        return caller().act(views, observations, masks, rng)


@pytest.mark.parametrize(
    ("names", "rules", "stacks"),
    [
        (["tight", "loose"], "full_tilt", 500),
        (["loose", "tight"], "wsop_live", (37, 400)),
        (["tight", "tight"], "kuhn", 500),
        (["tight", "loose", "loose"], "pokerstars", (60, 25, 500)),
        (["loose", *["tight"] * 7], "full_tilt", 500),
    ],
)
def test_a_block_comes_out_as_one_decision_at_a_time(
    names: list[str], rules: str, stacks: StacksLike
) -> None:
    known = [scripted(name) for name in names]
    asked = [Stranger(player.name, player.style) for player in known]
    tables = [DuplicateTables(lineup, 3, rules, stacks) for lineup in (known, asked)]
    ours, theirs = (one.play_block(1, 150) for one in tables)
    np.testing.assert_array_equal(ours.chips, theirs.chips)
    np.testing.assert_array_equal(ours.style, theirs.style)
    assert ours.hand_squares == theirs.hand_squares
    assert ours.style.any()
    assert tables[0].hands[:150].tobytes() == tables[1].hands[:150].tobytes()


def test_only_scripted_players_play_by_themselves() -> None:
    gentle = Gentle("gentle", scripted().style)
    for players in ([scripted(), caller()], [scripted(), gentle]):
        batch = make_batch(20, 2, seed=1, observation=None, auto_deal=False)
        before = batch.to_bytes()
        play_scripted(batch, players, 20)
        assert batch.to_bytes() == before
    lineup = [gentle, scripted("loose")]
    style = DuplicateTables(lineup, 3, "full_tilt", 500).play_block(0, 100).style
    assert style.sum(axis=1)[0, 0] == 0  # a caller never folds


def test_the_tables_show_what_was_played_and_the_others_wait() -> None:
    batch = make_batch(30, 2, seed=1, observation=None, auto_deal=False)
    waiting = batch.hands[20:].tobytes()
    play_scripted(batch, [scripted("tight"), scripted("loose")], 20)
    assert (batch.actors[:20] == -1).all()
    assert not batch.action_masks[:20].any()
    assert (batch.actors[20:] >= 0).all()
    assert batch.hands[20:].tobytes() == waiting
