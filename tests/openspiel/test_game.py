"""The OpenSpiel game: OpenSpiel's own checks, its interface, and the cards as chance deals them."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from razz_env import Action, Hand
from razz_env.observation import encode, spec

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("razz_env.openspiel")

GAMES = [
    "razz(num_players=2)",
    "razz(num_players=3,rules=tda,stack=60)",
    "razz(num_players=8,rules=wsop_live)",
    "razz(num_players=4,stacks=500 3 90 24)",
    "razz(rules=kuhn)",
    "razz(rules=kuhn,num_players=6)",
    "razz(rules=mini20,chance=ranks)",
    "razz(rules=mini24,num_players=3,chance=ranks,odd_chip=first_seat)",
    "razz(rules=mini32,num_players=7)",
    "razz(num_players=3,rake_basis_points=500)",
]


def play(state: Any, rng: random.Random, fold: float = 1.0) -> None:
    """Play a state out; folds are taken with a chance only."""
    while not state.is_terminal():
        legal = state.legal_actions()
        if not state.is_chance_node() and rng.random() > fold:
            legal = [action for action in legal if action] or legal
        state.apply_action(rng.choice(legal))


@pytest.mark.parametrize("text", GAMES)
def test_openspiel_simulates_it(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=3, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("num_players", range(2, 9))
@pytest.mark.parametrize("rules", ["full_tilt", "pokerstars", "roberts", "wsop_tournament"])
def test_openspiel_simulates_every_size(num_players: int, rules: str) -> None:
    game = pyspiel.load_game("razz", {"num_players": num_players, "rules": rules})
    pyspiel.random_sim_test(game, num_sims=30, serialize=True, verbose=False)


@pytest.mark.parametrize("text", GAMES)
def test_its_own_answers_are_those_of_openspiel(text: str) -> None:
    state, rng = pyspiel.load_game(text).new_initial_state(), random.Random(1)
    base = pyspiel.State
    while not state.is_terminal():
        assert state.legal_actions() == base.legal_actions(state)
        for player in range(state.num_players()):
            assert state.legal_actions(player) == base.legal_actions(state, player)
        assert state.is_chance_node() == base.is_chance_node(state)
        assert state.is_player_node() == base.is_player_node(state)
        if state.is_chance_node():
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.legal_actions() == base.legal_actions(state) == []


@pytest.mark.parametrize("text", GAMES)
def test_copies_and_pickles_go_on_identically(text: str) -> None:
    game, rng = pyspiel.load_game(text), random.Random(2)
    state = game.new_initial_state()
    for _ in range(rng.randrange(5, 25)):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    twins = [state.clone(), pickle.loads(pickle.dumps(state))]
    twins.append(
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    )
    play(state, random.Random(3))
    for twin in twins:
        play(twin, random.Random(3))
        assert (twin.history(), str(twin)) == (state.history(), str(state))
        assert twin.returns() == state.returns()


def test_hands_whose_stub_was_mixed_survive_bytes_and_pickles() -> None:
    """Chance decides the mixed stub card by card, which no order of the deck does."""
    game, mixed = pyspiel.load_game("razz", {"num_players": 8, "rules": "roberts"}), 0
    for seed in range(6):
        rng, state = random.Random(seed), game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node() and rng.random() > 0.02:
                legal = [action for action in legal if action != Action.FOLD]
            state.apply_action(rng.choice(legal))
            pickle.loads(pickle.dumps(state))
            if not state.is_chance_node() and state.hand.record.scrambled_cards:
                assert Hand.from_bytes(state.hand.to_bytes()) == state.hand
                mixed += 1
    assert mixed


@pytest.mark.parametrize("rules", ["full_tilt", "tda", "roberts", "mini24"])
def test_a_state_is_the_hand_of_the_same_deck(rules: str) -> None:
    """Fed with the cards of a deck in their order, it goes where `Hand` goes."""
    seats = 3 if rules == "mini24" else 6
    for seed in range(20):
        hand = Hand.deal(seats, rules, stacks=200, seed=seed)
        game = pyspiel.load_game("razz", {"num_players": seats, "rules": rules, "stack": 200})
        state, rng = game.new_initial_state(), random.Random(seed)
        deck = iter(hand.record.deck.tolist())
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(deck))
                continue
            assert state.current_player() == hand.actor
            assert state.legal_actions() == list(hand.legal_actions())
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            hand.apply(action)
        assert state.returns() == pytest.approx(hand.payoffs / hand.rules.big_bet)
        assert [state.hand.view(s).tobytes() for s in range(seats)] == [
            hand.view(s).tobytes() for s in range(seats)
        ]
        assert state.hand.events == hand.events


def test_a_mixed_stub_is_dealt_by_chance_too() -> None:
    game = pyspiel.load_game("razz(num_players=8,rules=roberts,stack=5000)")
    rng, mixed, shared = random.Random(4), 0, 0
    for _ in range(12):
        state = game.new_initial_state()
        play(state, rng, fold=0.0)
        hand = state.hand
        mixed += int(hand.record.scrambled_cards > 0)
        shared += hand.community is not None
        cards = [
            card for seat in range(8) for card in (*hand.up_cards(seat), *hand.down_cards(seat))
        ]
        assert len(set(cards)) == len(cards)
        assert sum(hand.payoffs) == 0
        assert hand.events  # the hand is told again without a contradiction
    assert mixed == shared == 12


def test_observations_are_those_of_the_project() -> None:
    game = pyspiel.load_game("razz(num_players=3)")
    state, rng = game.new_initial_state(), random.Random(5)
    while not state.is_terminal():
        if not state.is_chance_node():
            for seat in range(3):
                view = state.hand.view(seat)
                np.testing.assert_array_equal(state.observation_tensor(seat), encode(view))
                tensor = np.array(state.information_state_tensor(seat), np.float32)
                size = spec(3, "infostate").size
                np.testing.assert_array_equal(tensor[:size], encode(view, "infostate"))
        state.apply_action(rng.choice(state.legal_actions()))


def test_ranks_come_with_the_chances_of_their_cards() -> None:
    """Kuhn's deals by rank, the seat that opens included, have the chances of those by card."""

    def chances(model: str) -> Counter[str]:
        found: Counter[str] = Counter()
        stack = [(pyspiel.load_game(f"razz(rules=kuhn,deck_ranks=3,chance={model})"), 1.0)]
        states = [(game.new_initial_state(), chance) for game, chance in stack]
        while states:
            state, chance = states.pop()
            if not state.is_chance_node():
                hand = state.hand
                deal = [c >> 2 for s in (0, 1) for c in hand.down_cards(s) + hand.up_cards(s)]
                found[f"{deal} {hand.actor}"] += chance
                continue
            states += [(state.child(a), chance * p) for a, p in state.chance_outcomes()]
        return found

    by_card, by_rank = chances("cards"), chances("ranks")
    assert by_card.keys() == by_rank.keys()
    for deal, chance in by_card.items():
        assert by_rank[deal] == pytest.approx(chance, abs=1e-12)


def test_utilities_stay_within_the_bounds() -> None:
    for text in GAMES:
        game, rng = pyspiel.load_game(text), random.Random(6)
        for _ in range(10):
            state = game.new_initial_state()
            play(state, rng, fold=0.1)
            assert game.min_utility() <= min(state.returns())
            assert max(state.returns()) <= game.max_utility()
            assert state.move_number() - len(state.table.hand.events) <= game.max_game_length()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("razz(num_players=9)", "9"),
        ("razz(rules=fulltilt)", "full_tilt"),
        ("razz(chance=suits)", "cards"),
        ("razz(chance=ranks,rules=tda)", "board_tie"),
        ("razz(burn_cards=perhaps)", "yes or no"),
        ("razz(stacks=10 x)", "whole numbers"),
    ],
)
def test_impossible_parameters_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        pyspiel.load_game(text)


def test_no_hand_is_shown_between_streets() -> None:
    state = pyspiel.load_game("razz").new_initial_state()
    with pytest.raises(ValueError, match="Cards are due"):
        _ = state.hand
