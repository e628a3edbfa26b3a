"""The PettingZoo environment: its own checkers, turns, rewards, seeds, copies."""

from __future__ import annotations

import copy
import itertools
import os
import pickle
import random
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

from razz_env import Action, Hand, IllegalAction, razz_v0
from razz_env.envs.aec import env, raw_env
from razz_env.envs.state import state_layout
from razz_env.observation import spec

from ..support.errors import refused
from ..support.lows import DECK
from ..support.tables import fill, ladder
from .players import pick

R09 = "6c7c7d 9d9s2c 7sKs 3sTd JdJh Jc2s"
"""Case R09: seat 0 with 994 chips, seat 1 with 6, ante 7; dealing order."""


def deck(cards: str) -> str:
    """A whole deck that begins with these cards."""
    given = cards.replace(" ", "")
    named = {given[at : at + 2] for at in range(0, len(given), 2)}
    return given + "".join(card for card in DECK if card not in named)


def ladder_deck(num_players: int) -> str:
    """The last seat brings in, S1 opens every later street as long as nobody folds."""
    rows = fill(*ladder(num_players))
    third = [row[:6] for row in rows]
    later = [row[at : at + 2] for at in range(6, 14, 2) for row in rows]
    return deck("".join(third + later))


def play_on(table: Any, seed: int = 0) -> None:
    """Random legal play to the end of the hand, not to the end of the agents."""
    rng = np.random.default_rng(seed)
    while not table.terminations[table.agent_selection]:
        table.step(pick(table.observe(table.agent_selection)["action_mask"], rng))


def play_out(table: Any, seed: int = 0) -> dict[str, list[float]]:
    """A plain agent_iter loop to the last agent: agent -> every reward that last() gave it."""
    rng = np.random.default_rng(seed)
    told: dict[str, list[float]] = {agent: [] for agent in table.possible_agents}
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        told[agent].append(reward)
        assert not truncated
        table.step(None if terminated else pick(observation["action_mask"], rng))
    return told


# ---- the checkers of PettingZoo


@pytest.mark.parametrize("observation", ["features", "infostate"])
@pytest.mark.parametrize("num_players", [2, 6, 8])
def test_pettingzoo_api_test(num_players: int, observation: str) -> None:
    table = env(num_players=num_players, observation=observation)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # but for what every classic environment with a mask hears:
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(table, num_cycles=200)


def test_pettingzoo_seed_test() -> None:
    seed_test(env, num_cycles=200)


def test_pettingzoo_render_test(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("svg2png_py")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(raw_env.metadata, "render_fps", 1000)
    render_test(env)


def test_pettingzoo_state_tests() -> None:
    table = raw_env(num_players=3, stacks=[30, 500, 2**53])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_state_space(table)
    for seed in range(30):
        table.reset(seed=seed)
        play_on(table, seed)
        assert table.state_space.contains(table.state())
    table.state_space.sample()
    check_state(env(), num_cycles=10)


# ---- turns and masks


@pytest.mark.parametrize("make", [env, raw_env])
def test_m05_a_zero_mask_occurs_only_with_termination(make: Any) -> None:
    table, rng = make(num_players=4, stacks=[500, 60, 9, 4]), np.random.default_rng(1)
    for hand in range(100):
        table.reset(seed=hand)
        for agent in table.agent_iter():
            observation, _, terminated, _, _ = table.last()
            assert (observation["action_mask"].sum() == 0) == terminated
            assert observation["action_mask"].dtype == np.int8
            others = (other for other in table.agents if other != agent)
            assert not any(table.observe(other)["action_mask"].any() for other in others)
            table.step(None if terminated else pick(observation["action_mask"], rng))
        assert table.agents == []


def test_a_mask_is_exactly_what_step_accepts() -> None:
    table = raw_env(num_players=3)
    table.reset(seed=3)
    rng = np.random.default_rng(3)
    while not table.hand.is_over:
        mask = table.observe(table.agent_selection)["action_mask"]
        for action in range(7):
            trial = table.clone()
            if mask[action]:
                trial.step(action)
            else:
                with pytest.raises(IllegalAction):
                    trial.step(action)
        table.step(pick(mask, rng))


def test_a03_all_terminate_together_and_a_folded_seat_is_not_asked_again() -> None:
    cards = "QcQdJs ThTdTc 9c9dKs Ac2c3c JhJd4c QhQs5c KhKd6c JcKc7c"
    table = raw_env(num_players=4, reward_unit="chips")
    table.reset(options={"deck": deck(cards)})
    script = "player_2 BRING_IN, player_3 CALL, player_0 FOLD, player_1 CALL"
    for move in script.split(", "):
        agent, action = move.split()
        assert table.agent_selection == agent
        table.step(Action[action])
    while not table.hand.is_over:
        assert set(table.terminations.values()) == {False}
        assert set(table.rewards.values()) == {0.0}
        assert table.agent_selection != "player_0"
        assert "player_0" in table.agents
        table.step(Action.CHECK)
    assert set(table.terminations.values()) == {True}
    assert set(table.truncations.values()) == {False}
    assert table.rewards == {"player_0": -4, "player_1": -9, "player_2": -9, "player_3": 22}


def test_a07_a_hand_that_ends_in_reset_pays_through_last() -> None:
    table = env(num_players=2, rules={"ante": 7}, stacks=[994, 6], reward_unit="chips")
    table.reset(options={"deck": deck(R09)})
    assert table.terminations == {"player_0": True, "player_1": True}
    told = {}
    for agent in table.agent_iter():
        observation, reward, terminated, _, _ = table.last()
        assert terminated
        assert not observation["action_mask"].any()
        told[agent] = reward
        table.step(None)
    assert told == {"player_0": -6.0, "player_1": 6.0}


def test_a07_folded_and_removed_seats_still_answer() -> None:
    table = raw_env(num_players=6)
    table.reset(options={"deck": ladder_deck(6)})
    table.step(Action.BRING_IN)
    for folds in range(5):
        assert table.agent_selection == f"player_{folds}"
        table.step(Action.FOLD)
        for agent in table.possible_agents[: folds + 1]:
            assert not table.observe(agent)["action_mask"].any()
    assert all(table.terminations.values())
    while table.agents:
        table.step(None)
        for agent in table.possible_agents:
            assert not table.observe(agent)["action_mask"].any()


# ---- rewards


@pytest.mark.parametrize("order", list(itertools.permutations(["player_0", "player_1"])))
@pytest.mark.parametrize(("unit", "scale"), [("chips", 1), ("big_bets", 40)])
def test_a01_each_reward_is_delivered_once_in_any_order(
    order: tuple[str, ...], unit: str, scale: int
) -> None:
    table = raw_env(num_players=2, reward_unit=unit)
    table.reset(options={"deck": ladder_deck(2)})
    told = dict.fromkeys(table.possible_agents, 0.0)
    for agent, action in [("player_1", "BRING_IN"), ("player_0", "COMPLETE"), ("player_1", "FOLD")]:
        assert table.agent_selection == agent
        told[agent] += table.last()[1]
        assert told == {"player_0": 0, "player_1": 0}
        table.step(Action[action])
    for agent in order:
        table.agent_selection = agent
        told[agent] += table.last()[1]
        table.step(None)
    assert told == {"player_0": 9 / scale, "player_1": -9 / scale}
    assert table.agents == []


@pytest.mark.parametrize("make", [env, raw_env])
def test_rewards_come_once_at_the_end_and_sum_to_zero(make: Any) -> None:
    table = make(num_players=5, stacks=[500, 500, 30, 8, 3], reward_unit="chips")
    for seed in range(60):
        table.reset(seed=seed)
        told = play_out(table, seed)
        assert {agent: gains[-1] for agent, gains in told.items()} == {
            f"player_{seat}": net for seat, net in enumerate(table.unwrapped.hand.payoffs.tolist())
        }
        assert all(not any(gains[:-1]) for gains in told.values())
        assert sum(sum(gains) for gains in told.values()) == 0


# ---- seeds


def test_reset_deals_the_hands_of_the_seeds_stream() -> None:
    table = raw_env(num_players=3)
    for index, seed in enumerate([5, None, None]):
        table.reset(seed=seed)
        assert table.hand == Hand.deal(3, seed=5, index=index)


def test_s01_global_generators_are_neither_used_nor_touched() -> None:
    torch = pytest.importorskip("torch")

    def play(disturb: bool) -> list[Any]:
        table, rng, seen = env(num_players=4), np.random.default_rng(0), []
        table.reset(seed=7)
        for agent in table.agent_iter():
            if disturb:
                np.random.rand(), random.random(), torch.rand(1)  # noqa: NPY002
            observation, _, terminated, _, _ = table.last()
            seen.append((agent, observation["observation"].tobytes()))
            table.step(None if terminated else pick(observation["action_mask"], rng))
        return [table.unwrapped.hand.record.deck.tolist(), *seen]

    def states() -> tuple[str, ...]:
        numpy_state = np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
        return str(numpy_state), str(random.getstate()), str(torch.get_rng_state().tolist())

    before = states()
    calm = play(disturb=False)
    assert states() == before
    assert play(disturb=True) == calm


def test_s01_two_environments_stepped_in_turn_do_not_disturb_each_other() -> None:
    alone, first, second = (raw_env(num_players=3) for _ in range(3))
    rng = np.random.default_rng(2)
    alone.reset(seed=7)
    first.reset(seed=7)
    second.reset(seed=8)
    while not alone.hand.is_over:
        action = pick(alone.hand.action_mask(), rng)
        alone.step(action)
        first.step(action)
        if not second.hand.is_over:
            second.step(pick(second.hand.action_mask(), rng))
        assert first.hand == alone.hand


def test_s03_a_seed_always_gives_the_same_deck_and_resets_go_on() -> None:
    table = env(num_players=4)

    def cards(seed: int | None) -> list[int]:
        table.reset(seed=seed)
        return list(table.unwrapped.hand.record.deck)

    five = cards(5)
    assert cards(5) == five
    assert cards(6) != five
    assert cards(5) == five
    stream = [cards(None), cards(None)]
    assert stream[0] != five
    assert stream[0] != stream[1]
    cards(5)
    assert [cards(None), cards(None)] == stream


def test_s03_a_seed_gives_the_same_deck_in_every_process() -> None:
    program = (
        "from razz_env import razz_v0; e = razz_v0.env(num_players=4); e.reset(seed=5);"
        "print(e.unwrapped.hand.record.deck.tolist())"
    )
    decks = []
    for hash_seed in "01":
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True
        )
        decks.append(done.stdout.decode().strip())
    assert decks == [str(Hand.deal(4, seed=5).record.deck.tolist())] * 2


def test_an_environment_that_was_never_seeded_draws_a_seed() -> None:
    first, second = raw_env(), raw_env()
    first.reset()
    second.reset()
    assert first.hand != second.hand


# ---- copies


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_deepcopy_and_pickle_continue_identically(make: Any, copied: Any) -> None:
    table = make(num_players=4)
    table.reset(seed=11)
    rng = np.random.default_rng(11)
    for _ in range(7):
        table.step(pick(table.observe(table.agent_selection)["action_mask"], rng))
    twin = copied(table)
    assert twin.unwrapped.hand == table.unwrapped.hand
    before = table.unwrapped.hand.to_bytes()
    assert play_out(twin, seed=4) == play_out(copied(table), seed=4)
    assert table.unwrapped.hand.to_bytes() == before
    assert play_out(table, seed=4)
    table.reset()
    twin.reset()
    assert twin.unwrapped.hand == table.unwrapped.hand


def test_clone_is_independent_and_continues_identically() -> None:
    table = raw_env(num_players=4)
    assert table.clone().agents == []
    table.reset(seed=12)
    play_on(table.clone(), 5)
    table.step(pick(table.hand.action_mask(), np.random.default_rng(0)))
    twin, other = table.clone(), table.clone()
    assert play_out(twin, 6) == play_out(other, 6)
    assert table.agents == table.possible_agents
    assert play_out(table, 6)
    table.reset()
    twin.reset()
    assert twin.hand == table.hand


# ---- state, options, bad input


def test_state_is_the_full_record() -> None:
    table = raw_env(num_players=3)
    table.reset(seed=1)
    play_on(table)
    state, layout, record = table.state(), state_layout(), table.hand.record
    assert state.dtype == np.int64
    assert state.shape == table.state_space.shape == (list(layout.values())[-1].stop,)
    for name, expected in {
        "deck": record.deck,
        "down": record.down,
        "public.stack": record.public.stack,
        "public.up": record.public.up,
        "public.rules.big_bet": record.public.rules.big_bet,
        "public.log": record.public.log,
    }.items():
        assert (state[layout[name]] == np.ravel(expected)).all(), name


def test_options_give_deck_and_stacks_for_one_hand() -> None:
    table = raw_env(num_players=2)
    table.reset(seed=4, options={"deck": ladder_deck(2), "stacks": [70, 80], "else": 1})
    assert table.hand.up_cards(1) == Hand.deal(2, deck=ladder_deck(2)).up_cards(1)
    assert table.hand.starting_stacks.tolist() == [70, 80]
    table.reset()
    assert table.hand == Hand.deal(2, seed=4, index=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_players": 9}, ["8", "9"]),
        ({"num_players": 1}, ["1"]),
        ({"rules": "full_tlit"}, ["full_tlit", "full_tilt"]),
        ({"stacks": [500, 500]}, ["6 players"]),
        ({"stacks": 0}, ["seat 0"]),
        ({"reward_unit": "chip"}, ["chip", "did you mean 'chips'"]),
        ({"observation": "feature"}, ["feature", "infostate"]),
        ({"render_mode": "rgb"}, ["'rgb'", "rgb_array", "ansi"]),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], words: list[str]) -> None:
    with refused(*words):
        raw_env(**arguments)


@pytest.mark.parametrize(
    "bad",
    [{"seed": -1}, {"seed": 1.5}, {"options": {"deck": "AsAs"}}, {"options": {"stacks": [5]}}],
)
def test_a_bad_reset_leaves_the_hand_in_play(bad: dict[str, Any]) -> None:
    table = raw_env()
    table.reset(seed=1)
    with refused():
        table.reset(**bad)
    assert table.hand == Hand.deal(6, seed=1)
    table.reset()
    assert table.hand == Hand.deal(6, seed=1, index=1)


@pytest.mark.parametrize("action", [Action.CHECK, 7, -1, None, "chekc", 1.0, True, np.array([3])])
def test_an_illegal_action_is_refused_and_nothing_changes(action: Any) -> None:
    table = raw_env(num_players=2)
    table.reset(options={"deck": ladder_deck(2)})
    before = pickle.dumps(table)
    with pytest.raises(IllegalAction):
        table.step(action)
    assert pickle.dumps(table) == before


@pytest.mark.parametrize("action", [4, np.int64(4), np.array(4), np.int8(4), "complete"])
def test_an_action_may_come_in_any_whole_number_or_by_name(action: Any) -> None:
    table = raw_env(num_players=2)
    table.reset(options={"deck": ladder_deck(2)})
    table.step(action)
    assert table.hand.street_chips.tolist() == [0, 20]


def test_the_wrapped_environment_ends_the_hand_at_an_illegal_action() -> None:
    table = env(num_players=3, stacks=[500, 800, 300])
    table.reset(options={"deck": ladder_deck(3)})
    table.step(int(Action.FOLD))
    assert table.rewards == {"player_0": 0, "player_1": 0, "player_2": -20.0}
    assert all(table.terminations.values())
    for _ in table.agent_iter():
        table.step(None)


def test_calls_out_of_order_are_refused() -> None:
    table = raw_env(num_players=2)
    for call in (table.state, lambda: table.observe("player_0"), lambda: table.step(1)):
        with pytest.raises(ResetNeeded):
            call()
    table.reset(seed=1)
    play_out(table)
    with pytest.raises(ResetNeeded):
        table.step(None)


def test_observations_are_new_arrays_inside_their_space() -> None:
    table = raw_env(num_players=3, stacks=[500, 2**50, 20])
    for seed in range(20):
        table.reset(seed=seed)
        for agent in table.agent_iter():
            seen = [table.observe(agent) for _ in range(2)]
            assert not np.shares_memory(seen[0]["observation"], seen[1]["observation"])
            for observed in map(table.observe, table.possible_agents):
                assert table.observation_space(agent).contains(observed)
                assert observed["observation"].shape == (spec(3).size,)
            legal = np.flatnonzero(seen[0]["action_mask"])
            table.step(int(legal[-1]) if len(legal) else None)


def test_render_shows_what_the_selected_agent_sees() -> None:
    table = razz_v0.raw_env(num_players=2, render_mode="ansi")
    table.reset(options={"deck": ladder_deck(2)})
    text = table.render()
    assert isinstance(text, str)
    assert "seat 1 (me)" in text
    assert "[?? ??] 2c" in text
    assert razz_v0.raw_env(num_players=2).render_mode is None
