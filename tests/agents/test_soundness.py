"""Facts that a sound player knows: those who need no training, and those shipped with weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.players.basic import PreferringPlayer, caller, raiser
from agents.players.book import book
from agents.players.equity import equity
from agents.players.network import shipped, trained
from razz_env import Action, Hand
from razz_env.envs.agent import Agent

from .games import with_deck
from .networks import ALL_SIZES, tiny_network
from .soundness import (
    _exchanged,
    _pairs,
    dead_cards_move,
    free_fold,
    king_door_folds,
    wheel_draw_continues,
    wheel_raises,
)

SHIPPED = [
    (name + mode, size)
    for name in shipped()
    for size in trained(name).table_sizes
    for mode in ("", "?greedy")
]
PLAYERS = [book, equity]
FOLDER = PreferringPlayer("folder", tuple(Action))
FEW = 30


def check_folds(player: Agent, size: int, few: int) -> None:
    """The facts on what is folded and what is not."""
    assert king_door_folds(player, size, few) >= 0.9
    for street in (4, 5):
        assert wheel_draw_continues(player, size, street, few) >= 0.98
    assert free_fold(player, size, few) == 0


def check_facts(player: Agent, size: int, few: int, greedy: bool = True) -> None:
    """All facts but that on dead cards; who draws lots may miss the best action now and then."""
    check_folds(player, size, few)
    raises = wheel_raises(player, size, few // 2)
    assert raises.mean >= (1 if greedy else 0.97)
    assert raises.least >= (1 if greedy else 0.9)


# ---- players without training


@pytest.mark.parametrize(("make", "size"), [(book, 2), (book, 6), (equity, 2)])
def test_book_and_equity_know_the_facts(make: Any, size: int) -> None:
    check_facts(make(), size, FEW)


@pytest.mark.parametrize("make", PLAYERS)
def test_dead_cards_move_book_and_equity_the_right_way(make: Any) -> None:
    moves = dead_cards_move(make(), 8, 60)
    assert moves.right >= 0.9
    assert moves.moved >= 12


@pytest.mark.slow
def test_dead_cards_move_equity_the_right_way_heads_up() -> None:
    moves = dead_cards_move(equity(), 2, 40)
    assert moves.moved
    assert moves.right >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 4, 8])
@pytest.mark.parametrize("make", PLAYERS)
def test_book_and_equity_know_the_facts_in_many_spots(make: Any, size: int) -> None:
    check_facts(make(), size, 200)
    moves = dead_cards_move(make(), size, 200)
    assert moves.right >= 0.9 or (make is book and size == 2)


# ---- the facts can be missed


def test_who_never_folds_or_never_raises_misses_facts() -> None:
    assert king_door_folds(raiser(), 2, FEW) == 0
    assert king_door_folds(caller(), 2, FEW) == 0
    assert wheel_raises(caller(), 2, FEW // 2) == (0, 0)
    assert wheel_raises(raiser(), 2, FEW // 2) == (1, 1)


def test_who_always_folds_misses_facts() -> None:
    assert wheel_draw_continues(FOLDER, 6, 4, FEW) == 0
    assert free_fold(FOLDER, 2, FEW) == 1
    assert king_door_folds(FOLDER, 2, FEW) == 1


def test_who_sees_no_dead_cards_is_moved_by_none_and_a_random_network_both_ways() -> None:
    assert dead_cards_move(caller(), 8, 60).moved == 0
    moves = dead_cards_move(tiny_network(ALL_SIZES, layers=(64, 32)), 8, 60)
    assert moves.moved > 30
    assert 0.2 < moves.right < 0.8


# ---- the spots are real


@pytest.mark.parametrize(("size", "count"), [(2, 4), (8, 60)])
def test_pairs_differ_in_cards_that_others_show_and_in_nothing_else(size: int, count: int) -> None:
    alive, dead = _pairs(size, count, 5)
    for one, other in zip(alive.views, dead.views, strict=True):
        assert one.down.tolist() == other.down.tolist()
        assert one.seat == other.seat
        mine = one.seat
        assert one.public.up[mine].tolist() == other.public.up[mine].tolist()
        assert one.public.log.tolist() == other.public.log.tolist()
        assert one.public.total_chips.tolist() == other.public.total_chips.tolist()
        assert (one.public.up != other.public.up).any()
    assert np.array_equal(alive.masks, dead.masks)


def test_a_deck_under_which_others_would_act_makes_no_spot() -> None:
    hand = Hand.deal(3, seed=1)
    first, other = hand.bring_in_seat, (hand.bring_in_seat + 1) % 3
    hand.apply("bring in")
    record = hand.array[0]
    again = with_deck(record, record.deck.tolist())
    assert again is not None
    assert again.view(again.actor) == hand.view(hand.actor)
    doors = [hand.up_cards(seat)[0] for seat in (first, other)]
    assert with_deck(record, _exchanged(record, [(doors[0], doors[1])])) is None


# ---- players that are shipped


@pytest.mark.parametrize(("name", "size"), SHIPPED)
def test_shipped_players_fold_and_continue_as_they_should(name: str, size: int) -> None:
    check_folds(trained(name), size, FEW)


@pytest.mark.parametrize(("name", "size"), SHIPPED)
def test_shipped_players_always_raise_with_a_wheel_on_the_river(name: str, size: int) -> None:
    assert wheel_raises(trained(name), size, FEW // 2) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), SHIPPED)
def test_shipped_players_fold_and_continue_as_they_should_in_many_spots(
    name: str, size: int
) -> None:
    check_folds(trained(name), size, 200)


@pytest.mark.parametrize("size", [6, 8])
def test_dead_cards_move_table_the_right_way(size: int) -> None:
    moves = dead_cards_move(trained("table"), size, 60)
    assert moves.right >= 0.9
    assert moves.moved >= 12


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped())
def test_dead_cards_move_shipped_players_the_right_way(name: str) -> None:
    """In nine of ten spots, and hardly less at any size, where some hundred spots say little."""
    player = trained(name)
    moves = [dead_cards_move(player, size, 300) for size in player.table_sizes]
    moved = sum(size.moved for size in moves)
    assert moved >= 100
    assert sum(size.right * size.moved for size in moves) >= 0.9 * moved
    assert min(size.right for size in moves) >= 0.85
