"""The batch as Stable-Baselines3's VecEnv: conventions, reward credit, masks, seeds, opponents."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from razz_env import Action, Hand, IllegalAction
from razz_env.envs.opponents import OpponentError
from razz_env.envs.sb3 import RazzVecEnv
from razz_env.observation import encode, spec

from ..envs.players import Fixed, Preferring, RandomPlayer, caller, folder
from ..support.errors import refused
from ..support.randomness import draw_globally, global_states

FOLDING = Preferring(Action.FOLD, Action.BRING_IN, Action.CHECK)


def make(num_tables: int = 8, num_players: int = 3, **options: Any) -> RazzVecEnv:
    options = {"opponents": [RandomPlayer(), caller()], "seed": 5} | options
    return RazzVecEnv(num_tables, num_players, **options)


def random_actions(env: RazzVecEnv, rng: np.random.Generator) -> np.ndarray:
    return (env.action_masks() * (rng.random((env.num_envs, 7)) + 0.01)).argmax(axis=1)


def preferred(env: RazzVecEnv, player: Preferring) -> np.ndarray:
    return player.act(None, None, env.action_masks(), np.random.default_rng(0))


class Log:
    """Every action played at the batch, by (table, hand index)."""

    def __init__(self, env: RazzVecEnv) -> None:
        self.actions: dict[tuple[int, int], list[int]] = defaultdict(list)
        batch, step = env.batch, env.batch.step

        def logged(actions: Any, tables: Any = None) -> Any:
            rows = np.arange(batch.num_tables) if tables is None else tables
            keys = [(int(t), int(batch.hands["index"][t])) for t in rows]
            result = step(actions, tables)
            for key, action in zip(keys, actions, strict=True):
                self.actions[key].append(int(action))
            return result

        batch.step = logged  # type: ignore[method-assign]

    def replay(self, table: int, index: int, players: int, **deal: Any) -> Hand:
        hand = Hand.deal(players, seed=5, table=table, index=index, **deal)
        for action in self.actions[table, index]:
            hand.apply(action)
        return hand


def test_a05_shapes_types_and_masks_stay_the_same():
    env, rng = make(4), np.random.default_rng(0)
    observations, hands = env.reset(), 0
    for _ in range(100):
        assert observations.shape == (4, spec(3).size)
        assert observations.dtype == np.float32
        assert all(env.observation_space.contains(row) for row in observations)
        masks = get_action_masks(env)
        assert masks.shape == (4, 7)
        assert masks.dtype == np.bool_
        assert masks.any(axis=1).all()
        observations, rewards, dones, infos = env.step(random_actions(env, rng))
        assert rewards.shape == dones.shape == (4,)
        assert (rewards.dtype, dones.dtype) == (np.float32, np.bool_)
        assert len(infos) == 4
        hands += int(dones.sum())
    assert hands > 10
    assert is_masking_supported(env)


def test_the_learner_is_to_act_everywhere_and_sees_its_own_view():
    env, rng = make(), np.random.default_rng(0)
    observations = env.reset()
    for _ in range(40):
        seats = (np.arange(8) + env.batch.hands["index"]) % 3
        assert (env.learners == seats).all()
        assert (env.batch.actors == seats).all()
        for table in range(8):
            view = env.batch.hand(table).view(int(seats[table]))
            assert (observations[table] == encode(view)).all()
        observations, *_ = env.step(random_actions(env, rng))


def test_what_a_step_returned_is_not_overwritten_by_the_next():
    env, rng = make(), np.random.default_rng(0)
    first = env.reset()
    kept = first.copy()
    second, rewards, dones, _ = env.step(random_actions(env, rng))
    copies = second.copy(), rewards.copy(), dones.copy()
    env.step(random_actions(env, rng))
    assert (first == kept).all()
    for now, before in zip((second, rewards, dones), copies, strict=True):
        assert (now == before).all()


@pytest.mark.parametrize("stacks", [500, [60, 9, 300]], ids=["deep", "short"])
def test_every_reward_is_the_learners_own_net_of_that_hand(stacks):
    env, rng = make(stacks=stacks), np.random.default_rng(1)
    log = Log(env)
    env.reset()
    finished, returned = 0, 0.0
    for _ in range(300):
        playing = [(t, int(env.batch.hands["index"][t]), int(env.learners[t])) for t in range(8)]
        _, rewards, dones, infos = env.step(random_actions(env, rng))
        for table, index, seat in playing:
            if not dones[table]:
                assert rewards[table] == 0
                assert infos[table] == {}
                continue
            hand = log.replay(table, index, 3, stacks=stacks)
            assert hand.is_over
            assert rewards[table] == np.float32(hand.payoffs[seat] / 40)
            seen = infos[table]["terminal_observation"]
            assert (seen == encode(hand.view(seat))).all()
            finished, returned = finished + 1, returned + float(rewards[table])
    assert finished == env.finished_hands > 200
    assert returned == pytest.approx(env.finished_big_bets)


def test_hands_without_a_decision_are_booked_and_credited_to_nobody():
    # The third seat is all-in with its ante, so the learner has no decision whenever it sits there.
    env = RazzVecEnv(3, 3, [caller()], stacks=[500, 500, 4], seed=5)
    log, rng = Log(env), np.random.default_rng(0)
    env.reset()
    returned = 0.0
    for _ in range(200):
        returned += float(env.step(random_actions(env, rng))[1].sum())
    assert env.skipped_hands > 20
    skipped = {k: log.replay(*k, 3, stacks=[500, 500, 4]) for k in log.actions if sum(k) % 3 == 2}
    total = sum(hand.payoffs[2] / 40 for hand in skipped.values() if hand.is_over)
    assert env.skipped_big_bets == pytest.approx(total)
    assert env.finished_big_bets == pytest.approx(returned)


def test_t03_a_learner_that_folds_on_third_street_pays_its_own_chips():
    """It loses the ante, and the bring-in if that was its, also if others play on."""
    env = RazzVecEnv(64, 4, [Preferring(Action.RAISE, Action.BET, Action.COMPLETE)], seed=5)
    env.reset()
    lost = set()
    for _ in range(20):
        seats, hands = env.learners, [env.batch.hand(t) for t in range(64)]
        _, rewards, dones, _ = env.step(preferred(env, FOLDING))
        for table in np.flatnonzero(dones):
            brought = hands[table].record.public.bring_in_seat == seats[table]
            chips = round(float(rewards[table]) * 40)
            assert chips == (-9 if brought else -4)
            lost.add(chips)
    assert lost == {-4, -9}


def test_t03_a_hand_that_ends_on_an_opponents_action_pays_the_learner():
    """Heads-up against one that folds to any bet, the learner wins the ante and what is in."""
    env = RazzVecEnv(64, 2, [FOLDING], seed=5)
    env.reset()
    bold = Preferring(Action.COMPLETE, Action.RAISE, Action.BET)
    seen = set()
    for _ in range(4):
        _, rewards, dones, _ = env.step(preferred(env, bold))
        assert dones.all()
        seen |= {round(float(r) * 40) for r in rewards}
    assert seen == {4, 9}


def test_rewards_are_scaled():
    plain, scaled = make(), make(big_bets_per_reward=4.0)
    plain.reset(), scaled.reset()
    rng = np.random.default_rng(0)
    for _ in range(50):
        actions = random_actions(plain, rng)
        assert (plain.step(actions)[1] == 4 * scaled.step(actions)[1]).all()
    assert plain.finished_big_bets == pytest.approx(scaled.finished_big_bets)


def test_the_same_seed_repeats_everything_and_another_differs():
    def play(seed: int) -> tuple[np.ndarray, ...]:
        env, rng = make(seed=seed), np.random.default_rng(0)
        observations = [env.reset()]
        for _ in range(60):
            observations.append(env.step(random_actions(env, rng))[0])
        return np.array(observations)

    assert (play(5) == play(5)).all()
    assert (play(5)[0] != play(6)[0]).any()


def test_seed_takes_effect_at_the_next_reset():
    env, rng = make(), np.random.default_rng(0)
    first = env.reset()
    second = env.reset()
    assert (first != second).any()
    assert env.seed(5) == [5] * 8
    env.step(random_actions(env, rng))
    assert (env.reset() == first).all()
    assert (env.reset() == second).all()


def test_s01_global_generators_are_neither_used_nor_touched():
    def play(disturb: bool) -> list[Any]:
        env, rng = make(opponents=["random", "caller", "scripted:loose"]), np.random.default_rng(0)
        told: list[Any] = [env.reset().tobytes()]
        for step in range(60):
            if disturb:
                draw_globally()
            if step == 40:
                told.append(env.reset().tobytes())
            observations, rewards, dones, _ = env.step(random_actions(env, rng))
            decks = env.batch.hands["deck"].tolist()
            told += [observations.tobytes(), rewards.tolist(), dones.tolist(), decks, env.opponents]
        return told

    before = global_states()
    calm = play(disturb=False)
    assert global_states() == before
    assert play(disturb=True) == calm


def test_s01_fresh_seeds_do_not_come_from_global_generators():
    before = global_states()
    first, second = make(seed=None), make(seed=None)
    assert (first.reset() != second.reset()).any()
    first.seed(None)
    first.reset()
    assert global_states() == before


def test_opponents_are_drawn_by_weight_and_asked_once_in_a_pass():
    class Counting(Preferring):
        calls = 0

        def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
            Counting.calls += 1
            return super().act(views, observations, masks, rng)

    often, seldom = Counting(Action.CALL, Action.CHECK), caller()
    env = RazzVecEnv(400, 2, [often, seldom], [3, 1], seed=5)
    env.reset()
    names = [name for row in env.opponents for name in row if name]
    assert 260 <= names.count(often.name) <= 340
    assert Counting.calls <= 3


def test_new_opponents_come_with_the_next_hand():
    old, new = caller(), FOLDING
    assert old.name != new.name
    env = RazzVecEnv(6, 3, [old], seed=5)
    env.reset()
    index = env.batch.hands["index"].copy()
    env.set_opponents([new], [2.0])
    calm = Preferring(Action.CHECK, Action.CALL)
    for _ in range(60):
        moved_on = env.batch.hands["index"] > index
        for table, row in enumerate(env.opponents):
            assert {*row} == {"", new.name if moved_on[table] else old.name}
        env.step(preferred(env, calm))
    assert moved_on.all()


def test_illegal_actions_of_the_learner_move_no_table():
    env, rng = make(), np.random.default_rng(0)
    env.reset()
    before = env.batch.to_bytes()
    wrong = random_actions(env, rng)
    wrong[3] = int(np.flatnonzero(~env.action_masks()[3])[0])
    with refused("table 3", f"seat {env.learners[3]}", "legal", kind=IllegalAction):
        env.step(wrong)
    assert env.batch.to_bytes() == before
    env.step(random_actions(env, rng))


@pytest.mark.parametrize(
    "answer", [np.array([9]), np.array([0]), np.array([0.5]), np.array([1, 1])]
)
def test_illegal_answers_of_an_opponent_are_named(answer):
    env = RazzVecEnv(1, 2, [Fixed(answer)], seed=5)
    with refused("'fixed'", kind=OpponentError) as _:
        env.reset()
        for _ in range(5):
            env.step(preferred(env, caller()))


def test_an_opponents_illegal_action_names_agent_table_and_seat():
    env = RazzVecEnv(1, 2, [Fixed(np.array([6]))], seed=5)
    with refused("'fixed'", "table 0", "seat", "RAISE", "legal", kind=OpponentError):
        env.reset()
        for _ in range(5):
            env.step(preferred(env, caller()))


def test_bad_arguments_are_refused():
    env = make()
    with refused("weights", 2, 1):
        env.set_opponents([caller()], [1, 2])
    with refused("weights", "at least 0"):
        env.set_opponents([caller(), folder()], [1, -1])
    with refused("opponents"):
        env.set_opponents([])
    with refused("big_bets_per_reward", 0):
        make(big_bets_per_reward=0)
    with refused("reset", kind=RuntimeError):
        make().step(np.zeros(8, np.int64))
    with refused("no method", "close_table", kind=AttributeError):
        env.env_method("close_table")
    with refused("share", kind=AttributeError):
        env.set_attr("spec", 3)


def test_attributes_and_methods_as_stable_baselines3_asks_for_them():
    env = make()
    env.reset()
    assert env.get_attr("num_envs") == [8] * 8
    assert env.get_attr("render_mode", [1, 2]) == [None, None]
    assert not env.has_attr("nonsense")
    assert env.env_is_wrapped(VecMonitor) == [False] * 8
    assert (env.env_method("action_masks", indices=[2])[0] == env.action_masks()[2]).all()
    assert len(env.env_method("action_masks", indices=3)) == 1
    env.close()


def test_wrappers_of_stable_baselines3_work():
    env = VecMonitor(make())
    env.reset()
    rng, episodes = np.random.default_rng(0), []
    for _ in range(50):
        masks = np.stack(env.env_method("action_masks"))
        *_, infos = env.step((masks * (rng.random(masks.shape) + 0.01)).argmax(axis=1))
        episodes += [info["episode"] for info in infos if "episode" in info]
    assert len(episodes) > 20
