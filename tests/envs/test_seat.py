"""The environment of one learning seat: checkers, skipped hands, rewards, opponents, seeds."""

from __future__ import annotations

import copy
import importlib.metadata
import inspect
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import razz_env
from razz_env import Action, Hand, IllegalAction
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import OpponentError
from razz_env.envs.seat import RazzSeatEnv
from razz_env.envs.vector import RazzVectorEnv
from razz_env.observation import encode, spec
from razz_env.rules.action_log import logged_actions

from ..support.errors import refused
from ..support.randomness import draw_globally, global_states
from .players import Fixed, Preferring, RandomPlayer, caller, folder, pick
from .test_aec import R09, deck, ladder_deck


def randoms(count: int) -> list[RandomPlayer]:
    return [RandomPlayer() for _ in range(count)]


def play_hand(table: Any, rng: np.random.Generator, info: dict[str, Any]) -> list[float]:
    """The rewards of one hand, played at random from a reset that gave `info`."""
    rewards, done = [], False
    while not done:
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        _, reward, done, truncated, info = table.step(action)
        assert not truncated
        rewards.append(reward)
    return rewards


# ---- the checkers of Gymnasium and SB3, which play random actions whatever the mask says


@pytest.mark.parametrize("observation", ["features", "infostate"])
def test_gymnasium_check_env(observation: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = gymnasium.make(
        "razz_env/Razz-v0",
        opponents=randoms(2),
        observation=observation,
        illegal_action="check_or_fold",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(table.unwrapped)


@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array", "human"])
def test_sb3_check_env(render_mode: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(RazzSeatEnv.metadata, "render_fps", 1000)
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    table = RazzSeatEnv(randoms(3), illegal_action="check_or_fold", render_mode=render_mode)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(table, skip_render_check=False)


def test_a_made_environment_plays_under_gymnasiums_own_wrappers() -> None:
    table = gymnasium.make("razz_env/Razz-v0", opponents=randoms(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, info = table.reset(seed=1)
        for _ in range(20):
            play_hand(table, np.random.default_rng(1), info)
            _, info = table.reset()
    assert table.get_wrapper_attr("action_masks")().any()


# ---- case A05: vectors of environments


@pytest.mark.parametrize("kind", ["DummyVecEnv", "SubprocVecEnv"])
def test_a05_sb3_wraps_it_without_tricks(kind: str) -> None:
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
    masking = pytest.importorskip("sb3_contrib.common.maskable.utils")
    tables = getattr(vec_env, kind)([lambda: RazzSeatEnv(randoms(2)) for _ in range(4)])
    try:
        tables.seed(3)
        observations = tables.reset()
        rng, ends = np.random.default_rng(0), 0
        for _ in range(100):
            masks = masking.get_action_masks(tables)
            assert masks.shape == (4, 7)
            assert masks.dtype == np.bool_
            assert masks.any(axis=1).all()
            assert observations.shape == (4, spec(3).size)
            assert observations.dtype == np.float32
            assert all(tables.observation_space.contains(row) for row in observations)
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
            observations, rewards, dones, _ = tables.step(actions)
            assert rewards.shape == (4,)
            ends += int(dones.sum())
        assert ends > 0
    finally:
        tables.close()


def test_a05_gymnasium_vectors_it() -> None:
    tables = gymnasium.vector.SyncVectorEnv([lambda: RazzSeatEnv(randoms(2))] * 4)
    observations, infos = tables.reset(seed=3)
    rng, ends = np.random.default_rng(0), 0
    over = np.zeros(4, np.bool_)
    for _ in range(100):
        assert observations.shape == (4, spec(3).size)
        assert observations.dtype == np.float32
        assert tables.observation_space.contains(observations)
        assert all(tables.single_observation_space.contains(row) for row in observations)
        masks = infos["action_mask"]
        assert masks.shape == (4, 7)
        assert masks.dtype == np.int8
        assert {*np.unique(masks).tolist()} <= {0, 1}
        assert (masks.any(axis=1) == ~over).all()  # after the end any action deals the next hand
        actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
        observations, rewards, over, cut, infos = tables.step(np.array(actions))
        assert rewards.shape == over.shape == (4,)
        assert not rewards[~over].any()
        assert not cut.any()
        ends += int(over.sum())
    assert ends > 10


# ---- what it shows


def test_observation_and_mask_are_those_of_the_learners_seat() -> None:
    for mode in ("features", "infostate"):
        table, rng = RazzSeatEnv(randoms(3), observation=mode), np.random.default_rng(0)
        for seed in range(10):
            observation, info = table.reset(seed=seed)
            done = False
            while not done:
                assert table.hand.actor == table.seat
                view = table.hand.view(table.seat)
                assert (observation == encode(view, mode)).all()
                assert (info["action_mask"] == table.hand.action_mask()).all()
                assert (table.action_masks() == info["action_mask"].astype(bool)).all()
                step = table.step(pick(info["action_mask"], rng))
                observation, _, done, _, info = step
            assert not info["action_mask"].any()
            assert not table.action_masks().any()
            assert (observation == encode(table.hand.view(table.seat), mode)).all()


def test_the_learners_seat_moves_on_by_hand_or_is_fixed() -> None:
    table = RazzSeatEnv(randoms(2))
    seats = [table.reset(seed=0 if hand == 0 else None) and table.seat for hand in range(7)]
    assert seats == [0, 1, 2, 0, 1, 2, 0]
    fixed = RazzSeatEnv(randoms(2), seat=2)
    assert {fixed.reset() and fixed.seat for _ in range(5)} == {2}


def test_opponents_and_stacks_sit_clockwise_from_the_learner() -> None:
    table = RazzSeatEnv([folder(), caller()], stacks=[300, 400, 500])
    for _ in range(6):
        table.reset()
        seat = table.seat
        stacks = table.hand.starting_stacks
        assert [int(stacks[(seat + away) % 3]) for away in range(3)] == [300, 400, 500]
        first = dict(reversed(logged_actions(table.hand.record.public)))
        assert first.get((seat + 1) % 3) in (None, Action.FOLD, Action.BRING_IN)
        assert first.get((seat + 2) % 3) in (None, Action.CALL, Action.BRING_IN)


# ---- rewards and skipped hands


@pytest.mark.parametrize(("unit", "scale"), [("chips", 1), ("big_bets", 40)])
def test_t03_the_learner_that_folds_gets_its_own_loss(unit: str, scale: int) -> None:
    table = RazzSeatEnv([caller(), caller()], seat=0, reward_unit=unit)
    table.reset(options={"deck": ladder_deck(3)})
    _, reward, terminated, truncated, _ = table.step(Action.FOLD)
    assert (reward, terminated, truncated) == (-4 / scale, True, False)
    table = RazzSeatEnv([Preferring(Action.RAISE, Action.COMPLETE)], seat=1, reward_unit=unit)
    table.reset(options={"deck": ladder_deck(2)})
    _, reward, terminated, _, _ = table.step(Action.BRING_IN)
    assert (reward, terminated) == (0.0, False)
    _, reward, terminated, _, _ = table.step(Action.FOLD)
    assert (reward, terminated) == (-9 / scale, True)


def test_t03_a_hand_that_ends_on_an_opponents_action_pays_the_learner() -> None:
    table = RazzSeatEnv([folder()], seat=0, reward_unit="chips")
    table.reset(options={"deck": ladder_deck(2)})
    _, reward, terminated, _, _ = table.step(Action.COMPLETE)
    assert (reward, terminated) == (9.0, True)


def test_rewards_come_once_and_are_the_learners_own_net() -> None:
    table, rng = RazzSeatEnv(randoms(4), stacks=[60, 500, 40, 9, 4]), np.random.default_rng(0)
    _, info = table.reset(seed=1)
    for _ in range(200):
        rewards = play_hand(table, rng, info)
        assert not any(rewards[:-1])
        assert rewards[-1] == table.hand.payoffs[table.seat] / 40
        _, info = table.reset()


def test_a07_hands_without_a_decision_are_skipped_and_booked() -> None:
    table = RazzSeatEnv([caller()], rules={"ante": 7}, seat=0, reward_unit="chips")
    options = {"deck": deck(R09), "stacks": [994, 6]}
    _, info = table.reset(seed=2, options=options)
    assert (info["skipped_hands"], info["skipped_return"]) == (1, -6.0)
    assert info["action_mask"].any()
    assert table.hand.record.index == 1
    _, info = table.reset()
    assert (info["skipped_hands"], info["skipped_return"]) == (0, 0.0)


def test_a07_no_result_of_the_stream_is_lost_or_counted_twice() -> None:
    """A seat all-in for the ante and a folder: now and then the learner is never asked."""
    table = RazzSeatEnv([Fixed([0]), folder()], seat=0, stacks=[500, 4, 500], reward_unit="chips")
    rng, booked, skipped, played = np.random.default_rng(0), 0.0, 0, 0
    _, info = table.reset(seed=9)
    for _ in range(150):
        booked += info["skipped_return"]
        skipped += info["skipped_hands"]
        booked += play_hand(table, rng, info)[-1]
        played += 1
        _, info = table.reset()
    booked += info["skipped_return"]
    skipped += info["skipped_hands"]
    assert skipped > 5
    assert table.hand.record.index == played + skipped
    rng, again = np.random.default_rng(0), 0.0
    wishes = (Action.CHECK, Action.FOLD, Action.BRING_IN)
    for index in range(played + skipped):
        hand = Hand.deal(3, stacks=[500, 4, 500], seed=9, index=index)
        while not hand.is_over:
            legal = hand.legal_actions()
            wished = next(wish for wish in wishes if wish in legal or wish == wishes[-1])
            hand.apply(rng.choice(legal) if hand.actor == 0 else wished)
        again += int(hand.payoffs[0])
    assert booked == again


@pytest.mark.parametrize("stacks", [[4, 500, 500], [500, 4, 3], [1, 1, 1], 4])
def test_stacks_without_any_decision_of_the_learner_are_refused(stacks: Any) -> None:
    with refused("never has a decision", "ante of 4"):
        RazzSeatEnv(randoms(2), stacks=stacks)


@pytest.mark.parametrize(("opponents", "hands"), [(1, 6000), (5, 3000)])
def test_the_mean_return_under_symmetric_play_is_zero_within_its_interval(
    opponents: int, hands: int
) -> None:
    table, rng = RazzSeatEnv(randoms(opponents)), np.random.default_rng(5)
    _, info = table.reset(seed=2024)
    returns = np.zeros(hands)
    for hand in range(hands):
        returns[hand] = info["skipped_return"] + play_hand(table, rng, info)[-1]
        _, info = table.reset()
    half_width = 1.96 * returns.std(ddof=1) / np.sqrt(hands)
    assert abs(returns.mean()) < half_width
    assert half_width < 0.25  # big bets a hand


# ---- seeds and copies


def test_everything_repeats_by_seed_and_deals_are_the_streams() -> None:
    def play(table: RazzSeatEnv) -> list[Any]:
        rng, told = np.random.default_rng(1), []
        _, info = table.reset(seed=31)
        for index in range(6):
            dealt = Hand.deal(3, seed=31, index=index).record.deck
            assert (table.hand.record.deck == dealt).all()
            told.append((play_hand(table, rng, info), table.hand.to_bytes()))
            _, info = table.reset()
        return told

    table = RazzSeatEnv(randoms(2))
    assert play(table) == play(table) == play(RazzSeatEnv(randoms(2)))


def test_s01_global_generators_are_neither_used_nor_touched() -> None:
    pytest.importorskip("agents.players.scripted")

    def play(disturb: bool) -> list[Any]:
        table = RazzSeatEnv(["random", "caller", "scripted:loose"])
        rng, told = np.random.default_rng(0), []
        observation, info = table.reset(seed=7)
        for _ in range(80):
            if disturb:
                draw_globally()
            told.append((observation.tobytes(), table.hand.record.deck.tolist()))
            if table.hand.is_over:
                observation, info = table.reset()
                continue
            step = table.step(pick(info["action_mask"], rng))
            observation, reward, *_, info = step
            told.append(reward)
        return told

    before = global_states()
    calm = play(disturb=False)
    RazzSeatEnv(randoms(1)).reset()
    assert global_states() == before
    assert play(disturb=True) == calm


def test_s01_two_environments_stepped_in_turn_do_not_disturb_each_other() -> None:
    alone, first, second = (RazzSeatEnv(randoms(2)) for _ in range(3))
    (_, info), _, (_, others) = alone.reset(seed=7), first.reset(seed=7), second.reset(seed=8)
    rng, aside = np.random.default_rng(0), np.random.default_rng(1)
    for _ in range(60):
        if second.hand.is_over:
            _, others = second.reset()
        *_, others = second.step(pick(others["action_mask"], aside))
        if alone.hand.is_over:
            (_, info), _ = alone.reset(), first.reset()
        action = pick(info["action_mask"], rng)
        (*_, info), _ = alone.step(action), first.step(action)
        assert first.hand == alone.hand


def test_never_seeded_environments_differ() -> None:
    first, second = RazzSeatEnv(randoms(1)), RazzSeatEnv(randoms(1))
    first.reset()
    second.reset()
    assert (first.hand.record.deck != second.hand.record.deck).any()


def test_a_player_with_a_memory_is_told_to_forget_when_a_stream_starts() -> None:
    class Remembering(RandomPlayer):
        forgot = 0

        def reset(self) -> None:
            self.forgot += 1

    player = Remembering()
    table = RazzSeatEnv([player])
    table.reset(seed=1)
    table.reset()
    table.reset(seed=1)
    assert player.forgot == 2


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_deepcopy_and_pickle_continue_identically(copied: Any) -> None:
    table = RazzSeatEnv(randoms(3))
    _, info = table.reset(seed=5)
    table.step(pick(info["action_mask"], np.random.default_rng(1)))
    while table.hand.is_over:
        table.reset()
    twin = copied(table)
    told = []
    for one in (table, twin):
        rng, info = np.random.default_rng(2), {"action_mask": one.action_masks()}
        said: list[Any] = []
        for _ in range(5):
            said.append((play_hand(one, rng, info), one.hand.to_bytes()))
            _, info = one.reset()
        told.append(said)
    assert told[0] == told[1]


# ---- bad input


@pytest.mark.parametrize("action", [Action.CHECK, 7, -1, None, "chekc", 1.0])
def test_an_illegal_action_is_refused_and_nothing_changes(action: Any) -> None:
    table = RazzSeatEnv(randoms(1), seat=1)
    table.reset(options={"deck": ladder_deck(2)})
    before = table.hand.to_bytes()
    with pytest.raises(IllegalAction):
        table.step(action)
    assert table.hand.to_bytes() == before
    table.step(np.array(4))


def test_check_or_fold_does_what_a_card_room_does_when_the_time_is_up() -> None:
    table = RazzSeatEnv([caller()], seat=1, illegal_action="check_or_fold")
    table.reset(options={"deck": ladder_deck(2)})
    *_, info = table.step(Action.RAISE)  # may neither check nor fold: brings in
    assert info["illegal_action"]
    assert table.hand.street_chips.tolist() == [0, 0]
    assert table.hand.total_chips.tolist() == [9, 9]
    *_, info = table.step(Action.FOLD)  # a free fold is illegal: checks
    assert info["illegal_action"]
    *_, info = table.step(Action.CHECK)
    assert not info["illegal_action"]
    with pytest.raises(IllegalAction):
        table.step(7)
    table = RazzSeatEnv(
        [Preferring(Action.BET, Action.CALL)], seat=1, illegal_action="check_or_fold"
    )
    table.reset(options={"deck": ladder_deck(2)})
    table.step(Action.BRING_IN)
    table.step(Action.CHECK)  # facing a bet: folds
    assert table.hand.live_seats == (0,)


def test_a_step_without_a_decision_is_refused() -> None:
    table = RazzSeatEnv(randoms(1))
    with pytest.raises(ResetNeeded):
        table.step(0)
    _, info = table.reset(seed=1)
    play_hand(table, np.random.default_rng(0), info)
    with pytest.raises(ResetNeeded):
        table.step(0)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([1], ["CHECK", "legal: FOLD, CALL, COMPLETE"]),
        ([9], ["action 9"]),
        ([-1], ["action -1"]),
        ([], ["array"]),
        (4, ["array"]),
        ([0.0], ["array"]),
        (None, ["None"]),
        ([4, 4], ["[4, 4]"]),
    ],
)
def test_an_opponents_illegal_action_is_an_error_that_names_it(
    answer: Any, words: list[str]
) -> None:
    table = RazzSeatEnv([Fixed(answer)], seat=1)
    table.reset(seed=0, options={"deck": ladder_deck(2)})
    with refused("'fixed'", "seat 0", *words, kind=OpponentError):
        table.step(Action.BRING_IN)
    with pytest.raises(ResetNeeded):
        table.step(Action.CALL)
    table.reset(options={"deck": ladder_deck(2)})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"opponents": "caller"}, ["list", "['caller']"]),
        ({"opponents": []}, ["1 to 7", "0"]),
        ({"opponents": randoms(8)}, ["1 to 7", "8"]),
        ({"opponents": [3]}, ["name", "3"]),
        ({"opponents": [Fixed]}, ["Fixed()"]),
        ({"seat": 2}, ["seat=2", "0 to 1"]),
        ({"seat": True}, ["seat=True"]),
        ({"stacks": [1, 2, 3]}, ["2 players"]),
        ({"illegal_action": "fold"}, ["fold", "check_or_fold"]),
        ({"reward_unit": "bb"}, ["bb", "big_bets"]),
        ({"observation": "card"}, ["card", "features"]),
        ({"render_mode": "rgb"}, ["'rgb'", "rgb_array", "ansi"]),
        ({"rules": {"ante": -1}}, ["ante=-1"]),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], words: list[str]) -> None:
    with refused(*words):
        RazzSeatEnv(**{"opponents": randoms(1), **arguments})


@pytest.mark.parametrize(
    "bad",
    [
        {"seed": -1},
        {"seed": 2**63},
        {"options": {"deck": "As"}},
        {"options": {"stacks": [5] * 3}},
    ],
)
def test_a_bad_reset_leaves_the_hand_in_play(bad: dict[str, Any]) -> None:
    table = RazzSeatEnv(randoms(1))
    table.reset(seed=1)
    before, state = table.hand.to_bytes(), table.np_random.bit_generator.state
    with refused():
        table.reset(**bad)
    assert table.hand.to_bytes() == before
    assert table.np_random.bit_generator.state == state
    table.reset()
    assert table.hand.record.index == 1


def test_the_test_players_are_agents() -> None:
    assert isinstance(RandomPlayer(), Agent)
    assert not isinstance("caller", Agent)


def test_the_version_is_that_of_the_package() -> None:
    assert razz_env.__version__ == importlib.metadata.version("razz-env")


def test_opponents_by_name_play() -> None:
    pytest.importorskip("agents.players.basic")
    table, rng = RazzSeatEnv(["caller", "raiser", "random"]), np.random.default_rng(0)
    assert [opponent.name for opponent in table.opponents] == ["caller", "raiser", "random"]
    _, info = table.reset(seed=1)
    for _ in range(30):
        play_hand(table, rng, info)
        _, info = table.reset()


@pytest.mark.parametrize("size", ["num_players", "players", "n_players", "seats"])
def test_a_number_of_players_is_refused_with_what_to_write(size: str) -> None:
    with refused(f"no option {size!r}", "opponents=['caller'] * 3", kind=TypeError):
        gymnasium.make("razz_env/Razz-v0", **{size: 4})


def test_an_unknown_option_is_refused_with_the_nearest() -> None:
    with refused("no option 'stack'; did you mean 'stacks'?", kind=TypeError):
        gymnasium.make("razz_env/Razz-v0", stack=200)
    known = ", ".join(list(inspect.signature(RazzSeatEnv).parameters)[:-1])
    with refused(f"no option 'colour'; known: {known}", kind=TypeError):
        gymnasium.make("razz_env/Razz-v0", colour="blue")


def test_a_player_of_other_tables_is_refused_at_once_and_not_in_a_step() -> None:
    opponents = ["trained:heads_up", "caller"]
    pytest.importorskip("stable_baselines3")
    from razz_env.envs.sb3 import RazzVecEnv

    for make in (
        lambda: RazzSeatEnv(opponents),
        lambda: RazzVectorEnv(2, opponents),
        lambda: RazzVecEnv(2, 3, opponents),
    ):
        with pytest.raises(ValueError, match="plays at tables of 2 players, not of 3"):
            make()


def test_of_rules_that_differ_only_the_options_that_do_are_named() -> None:
    env, other = RazzSeatEnv(rules="full_tilt"), RazzSeatEnv(rules="pokerstars")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="made with rules=") as error:
        other.load_bytes(env.to_bytes())
    assert "short_all_in_raise" in str(error.value)
    assert "odd_chip" not in str(error.value)
