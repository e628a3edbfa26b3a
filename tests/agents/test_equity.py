"""The equity players: what they hold against whom, and at what price; legality."""

from __future__ import annotations

import numpy as np
import pytest

from agents.players.equity import equity
from razz_env import Action, Hand, make_batch

from ..support.errors import refused
from ..support.tables import check_down, deal, limp, play
from .spots import NOTHING, advice, check_legality, heads_up, king_door_against_a_completion

FOLD, CHECK, CALL, BRING_IN = Action.FOLD, Action.CHECK, Action.CALL, Action.BRING_IN
COMPLETE, BET, RAISE = Action.COMPLETE, Action.BET, Action.RAISE
BOTH = pytest.mark.parametrize("kind", [None, "uniform"])
THIRD = "S1 BRING_IN, S2 COMPLETE, S1 CALL"


def move(hand: Hand, kind: str | None = None) -> Action:
    """What the player does here."""
    (action,) = advice(equity(kind), hand)
    return action


def test_folds_a_king_door_to_a_completion_by_a_low_door() -> None:
    assert move(king_door_against_a_completion()) == FOLD


@BOTH
def test_completes_ace_deuce_trey_first_in_and_raises_with_it(kind: str | None) -> None:
    hand = deal("Ah2d3h", "????6c", "????7c", "????Qc", "????Ks")
    assert move(play(hand, "S5 BRING_IN"), kind) == COMPLETE
    hand = deal("????7d", "Ah2d3h", "????6c", "????Qc", "????Ks")
    assert move(play(hand, "S5 BRING_IN, S1 COMPLETE"), kind) == RAISE


@BOTH
def test_dead_cards_turn_a_marginal_start_into_a_fold(kind: str | None) -> None:
    alive = ["8h7d6h", *(f"????{door}" for door in ("8c", "8d", "7c", "7h", "6c", "6s", "Ks"))]
    dead = ["8h7d6h", *(f"????{door}" for door in ("Ac", "2c", "3c", "4c", "5c", "5d", "Ks"))]
    assert move(play(deal(*alive), "S8 BRING_IN"), kind) == COMPLETE
    assert move(play(deal(*dead), "S8 BRING_IN"), kind) == FOLD


@pytest.mark.parametrize(("folded", "expected"), [("KsQsJsTs", CALL), ("Ks5s6s5d", FOLD)])
def test_dead_outs_turn_a_call_on_sixth_street_into_a_fold(folded: str, expected: Action) -> None:
    """A wheel draw against a nine: 27 chips, a bet of 40, and S3's cards are outs or are not."""
    hand = deal("Ah2d3hKh4hKc", "????7d8c9c6c", f"????{folded}")
    hand = check_down(limp(hand), until=6)
    play(hand, "S2 BET, S3 FOLD")
    assert move(hand) == expected


@BOTH
def test_a_wheel_draw_goes_on_on_fourth_and_fifth(kind: str | None) -> None:
    hand = play(deal("Ah2d7h4h9h", "????6d3c8c"), f"{THIRD}, S2 BET")
    assert move(hand, kind) in (CALL, RAISE)
    play(hand, "S1 CALL, S2 BET")
    assert move(hand, kind) in (CALL, RAISE)


def test_believes_who_has_bet_all_the_way_and_the_uniform_one_does_not() -> None:
    hand = deal("Ah2d7h9hTh", "????6d3c4c")
    play(hand, f"{THIRD}, S2 BET, S1 CALL, S2 BET")
    assert move(hand, None) == FOLD
    assert move(hand, "uniform") == CALL


@BOTH
def test_bets_a_made_hand_on_fifth_against_a_draw(kind: str | None) -> None:
    assert move(heads_up("Ah2d3h6h7h", "4cQc", "S1 CHECK, S2 CHECK"), kind) == BET


RIVER = "S1 CHECK, S2 CHECK, S1 CHECK, S2 CHECK, S1 CHECK, S2 CHECK, S1 BET, S2 RAISE"


@BOTH
def test_raises_the_river_with_the_nuts_and_folds_a_hopeless_one(kind: str | None) -> None:
    assert move(heads_up("Ah2d3h4h5hKcQc", "7c8c9c", RIVER), kind) == RAISE
    hand = check_down(limp(deal("KhKc9h4h9d4cQc", "????Ks2s5s7s")), until=7)
    assert move(play(hand, "S2 BET"), kind) == FOLD


@BOTH
@pytest.mark.parametrize("num_players", range(2, 9))
def test_actions_are_legal_and_never_a_free_fold(kind: str | None, num_players: int) -> None:
    check_legality(equity(kind), num_players, free_folds=num_players % 2 == 0)


@BOTH
def test_no_randomness_is_used_and_rows_do_not_depend_on_each_other(kind: str | None) -> None:
    batch = make_batch(200, 4, seed=2, observation=None)
    batch.step(np.full(200, BRING_IN))
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    first = equity(kind).act(batch.views, NOTHING, batch.action_masks, rng)
    order = np.arange(199, -1, -1)
    again = equity(kind).act(batch.views[order], NOTHING, batch.action_masks[order], rng)
    assert (first == again[order]).all()
    assert rng.bit_generator.state == before


def test_another_argument_is_refused_with_the_known_players() -> None:
    with refused("equity:hard", "equity:uniform", kind=ValueError):
        equity("hard")
