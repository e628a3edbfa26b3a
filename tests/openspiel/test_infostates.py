"""Information states: shared by two histories if and only if the player saw the same in both."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from razz_env.rules.events import ActionTaken, CardDealt, CommunityDealt

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("razz_env.openspiel")


def seen(state: Any, player: int) -> tuple[object, ...]:
    """What a player has seen so far, told by the events of the hand."""
    told: list[object] = []
    picked_up: list[int] = []
    for event in state.hand.events:
        if isinstance(event, CardDealt) and event.street == 3 and not event.face_up:
            if event.seat == player:
                picked_up.append(event.card)
            continue
        if isinstance(event, CardDealt) and (event.face_up or event.seat == player):
            told.append((event.seat, int(event.street), event.card))
        if isinstance(event, CommunityDealt):
            told.append(event.card)
        if isinstance(event, ActionTaken):
            told.append((event.seat, int(event.action)))
    return (player, frozenset(picked_up), *told)


def histories(game: Any, count: int, rng: random.Random) -> list[Any]:
    """States at random decisions, half of them resampled from a seat's view of another."""
    states: list[Any] = []
    while len(states) < count:
        state = game.new_initial_state()
        nodes = []
        while not state.is_terminal():
            if not state.is_chance_node():
                nodes.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
        chosen = rng.choice(nodes)
        seat = rng.randrange(game.num_players())
        states += [chosen, chosen.resample_from_infostate(seat, rng.random)]
    return states


def check_pairs(game: Any, count: int, seed: int) -> int:
    """Compare all pairs of so many histories, for every player; how many pairs share a state."""
    views: dict[str, tuple[object, ...]] = {}
    texts: dict[tuple[object, ...], str] = {}
    tensors: dict[bytes, str] = {}
    shared = 0
    for state in histories(game, count, random.Random(seed)):
        for player in range(game.num_players()):
            text, view = state.information_state_string(player), seen(state, player)
            shared += text in views
            assert views.setdefault(text, view) == view
            assert texts.setdefault(view, text) == text
            tensor = repr(state.information_state_tensor(player)).encode()
            assert tensors.setdefault(tensor, text) == text
    assert len(tensors) == len(texts)
    return shared


def test_mini20() -> None:
    assert check_pairs(pyspiel.load_game("razz(rules=mini20)"), 200, seed=1) >= 100


@pytest.mark.slow
def test_a_million_pairs_of_mini20() -> None:
    assert check_pairs(pyspiel.load_game("razz(rules=mini20)"), 1500, seed=2) >= 750


@settings(max_examples=8, deadline=None)
@given(seats=st.integers(3, 8), seed=st.integers(0, 2**32))
def test_the_full_game_with_folded_seats(seats: int, seed: int) -> None:
    game = pyspiel.load_game("razz", {"num_players": seats})
    assert check_pairs(game, 6, seed) >= 3


def test_the_cards_of_a_folded_seat_are_remembered() -> None:
    """Two deals that differ only in the suit of an up card whose seat has folded since."""
    game = pyspiel.load_game("razz(num_players=3)")

    def deal(door: int) -> Any:
        state = game.new_initial_state()
        for card in (0, 4, 51, 8, 12, door, 1, 5, 20):  # the king of seat 0 brings in
            state.apply_action(card)
        for action in (3, 0, 2):  # bring in, seat 1 folds, seat 2 calls
            state.apply_action(action)
        return state

    assert deal(16).information_state_string(2) != deal(17).information_state_string(2)
    assert deal(16).information_state_tensor(2) != deal(17).information_state_tensor(2)


def test_the_suit_of_an_all_in_door_is_remembered_by_rank() -> None:
    """Seats 0, all-in for its ante, and 1 tie: seat 1 opens in both cases, but may fold in one."""
    game = pyspiel.load_game(
        "razz(num_players=3,rules=kuhn,chance=ranks,odd_chip=first_seat,stacks=4 500 500)"
    )
    tied = []
    for seat in (0, 1):
        state = game.new_initial_state()
        for outcome in (0, 5, 1, 5, 2, 3, seat):
            state.apply_action(outcome)
        tied.append(state)
    one, other = tied
    assert one.current_player() == other.current_player() == 1
    assert (one.legal_actions(), other.legal_actions()) == ([0, 3, 4], [3, 4])
    for _ in range(3):  # the bring-in and two answers
        for player in range(3):
            strings = [state.information_state_string(player) for state in tied]
            assert strings[0] != strings[1]
            assert one.information_state_tensor(player) != other.information_state_tensor(player)
        for state in tied:
            if not state.is_terminal():
                state.apply_action(3 if 3 in state.legal_actions() else 2)


def test_resampling_keeps_what_the_seat_saw_and_draws_the_rest() -> None:
    rng = random.Random(3)
    for text in (
        "razz(num_players=4)",
        "razz(num_players=3,rules=kuhn,chance=ranks,ante=6,odd_chip=first_seat)",
    ):
        game = pyspiel.load_game(text)
        for state in histories(game, 20, rng):
            seat = rng.randrange(game.num_players())
            drawn = [state.resample_from_infostate(seat, rng.random) for _ in range(5)]
            kept = {one.information_state_string(seat) for one in [state, *drawn]}
            assert len(kept) == 1
            assert len({str(one) for one in drawn}) > 1
