"""The scripted players: spots on which Razz players agree, legality, determinism, strength."""

from __future__ import annotations

import numpy as np
import pytest

from agents.evaluation import play_match
from agents.players.basic import caller, random
from agents.players.scripted import STYLES, choose, scripted
from razz_env import Action, Hand, HouseRules, make_batch
from razz_env.envs.batch import TableBatch

from ..support.tables import check_down, deal, limp, play

BOTH = pytest.mark.parametrize("style", STYLES)
NOTHING = np.zeros((0, 0), np.float32)

FOLD, CHECK, CALL, BRING_IN = Action.FOLD, Action.CHECK, Action.CALL, Action.BRING_IN
COMPLETE, BET, RAISE = Action.COMPLETE, Action.BET, Action.RAISE


def advice(hand: Hand, style: str) -> Action:
    """What the scripted player of this style does as the seat to act."""
    return Action(choose(hand.view(hand.actor), STYLES[style], hand.action_mask()))


# ---- third street


@BOTH
def test_folds_king_queen_nine_to_a_completion_with_low_doors_behind(style: str) -> None:
    hand = deal("????4c", "KdQd9h", "????3c", "????2s", "????Ks")
    play(hand, "S5 BRING_IN, S1 COMPLETE")
    assert advice(hand, style) == FOLD


@BOTH
def test_completes_ace_deuce_trey_first_in_and_raises_it_against_a_completion(style: str) -> None:
    hand = deal("Ah2d3h", "????6c", "????7c", "????Qc", "????Ks")
    play(hand, "S5 BRING_IN")
    assert advice(hand, style) == COMPLETE
    hand = deal("????7d", "Ah2d3h", "????6c", "????Qc", "????Ks")
    play(hand, "S5 BRING_IN, S1 COMPLETE")
    assert advice(hand, style) == RAISE


@BOTH
def test_steals_with_a_low_door_when_only_high_doors_are_left(style: str) -> None:
    cards = ["????7c", "????9c", "????8c", "Th5d3h", "????Qc", "????Ks"]
    hand = play(deal(*cards), "S6 BRING_IN, S1 FOLD, S2 FOLD, S3 FOLD")
    assert advice(hand, style) == COMPLETE
    cards[4] = "????2c"  # the same hand with a better door behind is no steal
    hand = play(deal(*cards), "S6 BRING_IN, S1 FOLD, S2 FOLD, S3 FOLD")
    assert advice(hand, style) == FOLD


@BOTH
def test_does_not_steal_from_the_whole_table(style: str) -> None:
    hand = deal("Th5d3h", "????7c", "????9c", "????8c", "????Qc", "????Ks")
    play(hand, "S6 BRING_IN")
    assert advice(hand, style) == FOLD


def test_dead_cards_turn_a_marginal_start_into_a_fold() -> None:
    alive = ["8h7d6h", *(f"????{door}" for door in ("8c", "8d", "7c", "7h", "6c", "6s", "Ks"))]
    dead = ["8h7d6h", *(f"????{door}" for door in ("Ac", "2c", "3c", "4c", "5c", "5d", "Ks"))]
    assert advice(play(deal(*alive), "S8 BRING_IN"), "tight") == COMPLETE
    assert advice(play(deal(*dead), "S8 BRING_IN"), "tight") == FOLD


@BOTH
def test_folds_a_pair_to_a_completion_with_others_behind(style: str) -> None:
    hand = play(deal("????4c", "AhAd2h", "????3c", "????Ks"), "S4 BRING_IN, S1 COMPLETE")
    assert advice(hand, style) == FOLD


def test_the_loose_one_comes_in_with_a_nine_and_the_tight_one_does_not() -> None:
    hand = deal("9h8d4h", "????7c", "????Qc", "????6c", "????Ks")
    play(hand, "S5 BRING_IN")
    assert advice(hand, "loose") == COMPLETE
    assert advice(hand, "tight") == FOLD


@BOTH
def test_the_bring_in_brings_in_folds_rubbish_and_defends_low_cards(style: str) -> None:
    rubbish = deal("????5c", "QdJdKs")
    assert advice(rubbish, style) == BRING_IN
    play(rubbish, "S2 BRING_IN, S1 COMPLETE")
    assert advice(rubbish, style) == FOLD
    fine = play(deal("????8c", "Ad2dTs"), "S2 BRING_IN, S1 COMPLETE")
    assert advice(fine, style) != FOLD


@BOTH
def test_opening_for_an_all_in_highest_door(style: str) -> None:
    stacks = [500, 500, 4]
    assert advice(deal("Ah2d3h", "????9c", "????Ks", stacks=stacks), style) == COMPLETE
    assert advice(deal("QhJdTh", "????4c", "????Ks", stacks=stacks), style) == FOLD


# ---- later streets


def heads_up(mine: str, theirs: str, script: str = "") -> Hand:
    """S1 has called the king's bring-in; then the script."""
    return play(
        deal(mine, f"????Kd{theirs}"), "S2 BRING_IN, S1 CALL" + ("," + script) * bool(script)
    )


@BOTH
def test_bets_a_wheel_draw_on_fourth_and_continues_with_it_against_a_bet(style: str) -> None:
    assert advice(heads_up("Ah2d3h4h", "9d"), style) == BET
    hand = play(deal("Ah2d7h4h", "????6d3c"), "S1 BRING_IN, S2 COMPLETE, S1 CALL, S2 BET")
    assert advice(hand, style) in (CALL, RAISE)


def test_the_tight_one_folds_a_brick_on_fourth_against_a_board_that_improves() -> None:
    hand = deal("9h6d7hKh", "????Ad3c")
    play(hand, "S1 BRING_IN, S2 COMPLETE, S1 CALL, S2 BET")
    assert advice(hand, "tight") == FOLD


@BOTH
def test_folds_two_bricks_on_fifth_against_a_smooth_board(style: str) -> None:
    hand = deal("Ah2d7hQhKh", "????6d3c4c")
    play(hand, "S1 BRING_IN, S2 COMPLETE, S1 CALL, S2 CHECK, S1 CHECK, S2 BET")
    assert advice(hand, style) == FOLD


@BOTH
def test_folds_a_pair_on_fifth_against_a_smooth_board(style: str) -> None:
    hand = deal("Ah7d8hAc7h", "????6d3c4c")
    play(hand, "S1 BRING_IN, S2 COMPLETE, S1 CALL, S2 CHECK, S1 CHECK, S2 BET")
    assert advice(hand, style) == FOLD


@BOTH
def test_bets_a_made_hand_on_fifth_against_a_draw(style: str) -> None:
    assert advice(heads_up("Ah2d3h6h7h", "4cQc", "S1 CHECK, S2 CHECK"), style) == BET


@BOTH
def test_a_good_draw_pays_one_more_card_on_sixth(style: str) -> None:
    hand = deal("Ah2d3hKh4hKc", "????7d8c9cTc")
    play(hand, "S2 COMPLETE, S1 RAISE, S2 RAISE, S1 RAISE, S2 CALL")
    while hand.street < 6:
        play(hand, f"S{hand.actor + 1} CHECK")
    play(hand, "S2 BET")
    assert advice(hand, style) in (CALL, RAISE)


RIVER = "S1 CHECK, S2 CHECK, S1 CHECK, S2 CHECK, S1 CHECK, S2 CHECK, S1 BET, S2 RAISE"


@BOTH
def test_raises_the_river_with_the_nuts(style: str) -> None:
    assert advice(heads_up("Ah2d3h4h5hKcQc", "7c8c9c", RIVER), style) == RAISE


@BOTH
def test_continues_on_the_river_with_a_middling_low_and_folds_a_hopeless_one(style: str) -> None:
    assert advice(heads_up("Ah2d3h4h8hQcKc", "7c6s5s", RIVER), style) in (CALL, RAISE)
    hopeless = check_down(limp(deal("KhKc9h4h9d4cQc", "????Ks2s5s7s")), until=7)
    play(hopeless, "S2 BET")
    assert advice(hopeless, style) == FOLD


# ---- what holds everywhere

STACKS = [[500] * 8, [14, 9, 23, 60, 100, 7, 44, 500], [5, 300, 30, 11, 65, 90, 24, 18]]


@pytest.mark.parametrize("num_players", range(2, 9))
@pytest.mark.parametrize("free_folds", [False, True])
def test_actions_are_legal_and_never_a_free_fold(num_players: int, free_folds: bool) -> None:
    """Over 20,000 decisions of each style at every number of seats, most of them short stacks."""
    rules = HouseRules.preset("full_tilt", fold_when_check_is_free=free_folds)
    community = 0
    for stacks in STACKS:
        batch = make_batch(90, num_players, rules, stacks[:num_players], seed=3, observation=None)
        rng = np.random.default_rng(0)
        for _ in range(40):
            step_with_everybody(batch, rng)
            community += int((batch.views["public"]["community"] >= 0).sum())
    if num_players == 8:
        assert community > 0


def step_with_everybody(batch: TableBatch, rng: np.random.Generator) -> None:
    """Both styles are asked at every table; who is obeyed differs by table, so hands go far."""
    masks, views = batch.action_masks, batch.views
    rows = np.arange(len(masks))
    players = [scripted("tight"), scripted("loose"), caller(), random()]
    answers = [player.act(views, NOTHING, masks, rng) for player in players]
    for actions in answers[:2]:
        assert masks[rows, actions].all()
        assert not (masks[rows, CHECK] & (actions == FOLD)).any()
    batch.step(np.choose(rows % len(players), answers))


@BOTH
def test_the_same_view_gets_the_same_action_and_no_randomness_is_used(style: str) -> None:
    batch = make_batch(500, 4, seed=2, observation=None)
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    player = scripted(style)
    first = player.act(batch.views, NOTHING, batch.action_masks, rng)
    order = np.arange(499, -1, -1)
    again = player.act(batch.views[order], NOTHING, batch.action_masks[order], rng)
    assert (first == again[order]).all()
    assert rng.bit_generator.state == before


@BOTH
@pytest.mark.parametrize("num_players", [2, 6])
def test_scores_exactly_zero_against_itself(style: str, num_players: int) -> None:
    player = scripted(style)
    assert not play_match(player, player, decks=300, num_players=num_players).deck_chips.any()


@BOTH
@pytest.mark.parametrize("num_players", [2, 6])
@pytest.mark.parametrize("opponent", ["random", "caller", "raiser"])
def test_beats_the_basic_players(style: str, num_players: int, opponent: str) -> None:
    result = play_match(scripted(style), opponent, decks=2000, seed=4, num_players=num_players)
    assert result.low > 0
    floor = {"random": 50, "caller": 75, "raiser": 180}[opponent]
    assert result.bb_per_100 > floor


@BOTH
@pytest.mark.parametrize("rules", ["kuhn", "mini20", "mini24", "mini32"])
@pytest.mark.parametrize("opponent", ["random", "caller", "raiser"])
def test_beats_the_basic_players_in_the_small_variants(
    style: str, rules: str, opponent: str
) -> None:
    for num_players in (2, 4):
        result = play_match(scripted(style), opponent, 4000, 4, rules, num_players=num_players)
        assert result.low > 0


def test_tight_beats_loose() -> None:
    assert play_match(scripted("tight"), scripted("loose"), decks=5000, seed=4).low > 0
