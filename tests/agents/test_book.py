"""The book: the spots it is taught by, street by street; legality, randomness."""

from __future__ import annotations

import numpy as np
import pytest

from agents.players.book import LINES, book, choose, steal_frequency
from agents.players.reading import price_of_call
from razz_env import Action, Hand, make_batch

from ..support.errors import refused
from ..support.tables import check_down, deal, limp, play
from .spots import NOTHING, advice, check_legality, heads_up, king_door_against_a_completion

FOLD, CHECK, CALL, BRING_IN = Action.FOLD, Action.CHECK, Action.CALL, Action.BRING_IN
COMPLETE, BET, RAISE = Action.COMPLETE, Action.BET, Action.RAISE


def moves(hand: Hand) -> set[Action]:
    """Whatever the book may do here."""
    return advice(book(), hand, times=200)


# ---- third street


def test_fold_kings() -> None:
    assert moves(king_door_against_a_completion()) == {FOLD}


def test_completes_ace_deuce_trey_first_in_and_raises_with_it() -> None:
    hand = deal("Ah2d3h", "????6c", "????7c", "????Qc", "????Ks")
    assert moves(play(hand, "S5 BRING_IN")) == {COMPLETE}
    hand = deal("????7d", "Ah2d3h", "????6c", "????Qc", "????Ks")
    assert moves(play(hand, "S5 BRING_IN, S1 COMPLETE")) == {RAISE}


def test_dead_cards_turn_a_marginal_start_into_a_fold() -> None:
    alive = ["8h7d6h", *(f"????{door}" for door in ("8c", "8d", "7c", "7h", "6c", "6s", "Ks"))]
    dead = ["8h7d6h", *(f"????{door}" for door in ("Ac", "2c", "3c", "4c", "5c", "5d", "Ks"))]
    assert moves(play(deal(*alive), "S8 BRING_IN")) == {COMPLETE}
    assert moves(play(deal(*dead), "S8 BRING_IN")) == {FOLD}


STEAL = ["????7c", "????9c", "????8c", "Th5d3h", "????Qc", "????Ks"]
TO_S4 = "S6 BRING_IN, S1 FOLD, S2 FOLD, S3 FOLD"


def test_steals_now_and_then_with_two_low_cards_when_no_viable_door_is_left() -> None:
    hand = play(deal(*STEAL), TO_S4)
    view, mask = hand.view(3), hand.action_mask()
    frequency = steal_frequency(view)
    assert 0 < frequency < 0.5
    assert choose(view, LINES, mask, frequency - 0.01) == COMPLETE
    assert choose(view, LINES, mask, frequency + 0.01) == FOLD


def test_does_not_steal_with_a_better_door_behind_nor_with_one_low_card() -> None:
    assert moves(play(deal(*STEAL[:4], "????2c", "????Ks"), TO_S4)) == {FOLD}
    assert moves(play(deal(*STEAL[:3], "ThJd3h", *STEAL[4:]), TO_S4)) == {FOLD}


def test_does_not_steal_from_the_whole_table() -> None:
    hand = deal("Th5d3h", "????7c", "????9c", "????8c", "????Qc", "????Ks")
    assert moves(play(hand, "S6 BRING_IN")) == {FOLD}


def test_steals_so_often_that_the_last_caller_breaks_even() -> None:
    hand = play(deal("Th5d3h", "????Ks"), "S2 BRING_IN")
    steals = steal_frequency(hand.view(0)) / 0.54  # for each completion with three low cards
    play(hand, "S1 COMPLETE")
    price = price_of_call(hand.view(1))
    assert price == pytest.approx(15 / 48)
    assert steals / (1 + steals) == pytest.approx(price)


def test_the_bring_in_defends_low_cards() -> None:
    fine = play(deal("????8c", "Ad2dTs"), "S2 BRING_IN, S1 COMPLETE")
    assert moves(fine) <= {CALL, RAISE}


def test_the_bring_in_is_brought_in() -> None:
    assert moves(deal("????5c", "QdJdKs")) == {BRING_IN}


# ---- fourth to seventh street

THIRD = "S1 BRING_IN, S2 COMPLETE, S1 CALL"


def test_who_catches_good_bets_into_who_catches_bad_whatever_is_in_the_hole() -> None:
    opened = "S2 BRING_IN, S1 COMPLETE, S2 CALL"
    assert moves(play(deal("KhTd3h4h", "????7dQd"), opened)) == {BET}
    assert moves(play(deal("KhTd3hQh", "????7d4d"), f"{opened}, S2 CHECK")) == {CHECK}


def test_lets_a_brick_on_fourth_go_against_a_board_that_improves() -> None:
    assert moves(play(deal("9h6d7hKh", "????Ad3c"), f"{THIRD}, S2 BET")) == {FOLD}


def test_pays_for_a_brick_in_a_pot_that_is_big_enough() -> None:
    raised = "S2 BRING_IN, S1 COMPLETE, S2 RAISE, S1 RAISE, S2 RAISE, S1 CALL, S2 BET"
    assert moves(play(deal("Ah2d3hKh", "????4d6c"), raised)) == {CALL}


def test_goes_on_with_a_wheel_draw_on_fourth_and_fifth() -> None:
    hand = play(deal("Ah2d7h4h9h", "????6d3c8c"), f"{THIRD}, S2 BET")
    assert moves(hand) <= {CALL, RAISE}
    play(hand, "S1 CALL, S2 BET")
    assert moves(hand) <= {CALL, RAISE}


def test_folds_two_bricks_on_fifth_against_a_smooth_board() -> None:
    hand = deal("Ah2d7hQhKh", "????6d3c4c")
    assert moves(play(hand, f"{THIRD}, S2 CHECK, S1 CHECK, S2 BET")) == {FOLD}


def test_bets_a_made_hand_on_fifth_against_a_draw() -> None:
    assert moves(heads_up("Ah2d3h6h7h", "4cQc", "S1 CHECK, S2 CHECK")) == {BET}


RIVER = "S1 CHECK, S2 CHECK, S1 CHECK, S2 CHECK, S1 CHECK, S2 CHECK, S1 BET, S2 RAISE"


def test_raises_the_river_with_the_nuts_and_calls_with_a_middling_low() -> None:
    assert moves(heads_up("Ah2d3h4h5hKcQc", "7c8c9c", RIVER)) == {RAISE}
    assert moves(heads_up("Ah2d3h4h8hQcKc", "7c6s5s", RIVER)) <= {CALL, RAISE}


def test_folds_a_hopeless_river_and_bluffs_now_and_then_when_checked_to() -> None:
    hand = check_down(limp(deal("KhKc9h4h9d4cQc", "????Ks2s5s7s")), until=7)
    assert moves(play(hand, "S2 CHECK")) == {CHECK, BET}
    hand = check_down(limp(deal("KhKc9h4h9d4cQc", "????Ks2s5s7s")), until=7)
    assert moves(play(hand, "S2 BET")) == {FOLD}


# ---- what holds everywhere


@pytest.mark.parametrize("num_players", range(2, 9))
@pytest.mark.parametrize("free_folds", [False, True])
def test_actions_are_legal_and_never_a_free_fold(num_players: int, free_folds: bool) -> None:
    check_legality(book(), num_players, free_folds)


def test_the_generator_alone_decides_what_is_left_to_chance() -> None:
    batch = make_batch(4000, 2, seed=2, observation=None)
    batch.step(np.full(4000, BRING_IN))

    def actions(seed: int) -> list[int]:
        rng = np.random.default_rng(seed)
        return book().act(batch.views, NOTHING, batch.action_masks, rng).tolist()

    assert actions(1) == actions(1) != actions(2)


def test_a_batch_gets_what_its_rows_get_one_by_one() -> None:
    batch = make_batch(300, 2, seed=2, observation=None)
    batch.step(np.full(300, BRING_IN))
    views, masks = batch.views, batch.action_masks
    together = book().act(views, NOTHING, masks, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    alone = [book().act(views[k : k + 1], NOTHING, masks[k : k + 1], rng)[0] for k in range(300)]
    assert together.tolist() == alone


def test_takes_no_argument() -> None:
    with refused("book:hard", kind=ValueError):
        book("hard")
