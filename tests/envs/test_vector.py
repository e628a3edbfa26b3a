"""The vector of learning seats beside Gymnasium's SyncVectorEnv of single ones, and by itself."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from razz_env import Action, Hand, IllegalAction
from razz_env.envs.opponents import OpponentError
from razz_env.envs.seat import RazzSeatEnv
from razz_env.envs.vector import RazzVectorEnv
from razz_env.observation import encode, spec

from ..support.errors import refused
from ..support.randomness import draw_globally, global_states
from .players import Fixed, Preferring, RandomPlayer, caller, folder
from .test_aec import R09, deck, ladder_deck

NEXT_STEP, SAME_STEP, DISABLED = (
    AutoresetMode.NEXT_STEP,
    AutoresetMode.SAME_STEP,
    AutoresetMode.DISABLED,
)
MODES = pytest.mark.parametrize("mode", [NEXT_STEP, SAME_STEP, DISABLED])
BOLD = Preferring(Action.RAISE, Action.BET, Action.COMPLETE)


def make(num_envs: int = 4, **options: Any) -> RazzVectorEnv:
    return RazzVectorEnv(num_envs, **{"opponents": [caller(), folder()]} | options)


def both(num_envs: int, mode: AutoresetMode, **options: Any) -> tuple[Any, Any]:
    """The vector, and Gymnasium's of single environments with the same options."""
    single = SyncVectorEnv([lambda: RazzSeatEnv(**options)] * num_envs, autoreset_mode=mode)
    return RazzVectorEnv(num_envs, autoreset_mode=mode, **options), single


def same(ours: Any, theirs: Any) -> bool:
    """Whether two results are equal to the bit, in types and shapes too."""
    if isinstance(theirs, dict):
        return sorted(ours) == sorted(theirs) and all(same(ours[k], theirs[k]) for k in theirs)
    if isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if theirs is None:
        return ours is None
    if theirs.dtype == object:
        return ours.shape == theirs.shape and all(map(same, ours, theirs))
    return (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape) and (
        ours.tobytes() == theirs.tobytes()
    )


def choose(env: RazzVectorEnv, rng: np.random.Generator, legal: bool = True) -> np.ndarray:
    """Random actions, folds less often; any action where a hand is over."""
    weights = env.action_masks() * np.array([0.3, 1, 1, 1, 1, 1, 1]) if legal else 1.0
    return ((rng.random((env.num_envs, 7)) + 0.001) * weights).argmax(axis=1)


def play_beside(ours: Any, theirs: Any, steps: int, legal: bool = True) -> list[Any]:
    """Play both alike and compare all that they tell; the infos of ours."""
    rng, told = np.random.default_rng(0), []
    for _ in range(steps):
        actions = choose(ours, rng, legal)
        mine, its = ours.step(actions), theirs.step(actions)
        assert same(mine, its)
        told.append(mine[4])
        over = mine[2]
        if ours.metadata["autoreset_mode"] == DISABLED and over.any():
            result = ours.reset(options={"reset_mask": over})
            assert same(result, theirs.reset(options={"reset_mask": over}))
            told.append(result[1])
    return told


# ---- beside a SyncVectorEnv of single environments


@MODES
@pytest.mark.parametrize(
    "options",
    [
        {"opponents": ["caller"]},
        {"opponents": ["raiser"], "reward_unit": "chips", "stacks": [90, 500]},
        {"opponents": ["caller", "scripted:loose"], "observation": "infostate"},
        {"opponents": ["scripted:tight"] * 3 + ["raiser", "caller"], "rules": "pokerstars"},
        {"opponents": ["raiser", "caller"], "seat": 1, "stacks": [60, 9, 300]},
        {"opponents": [folder()] * 7, "rules": "wsop_live", "stacks": 700},
        {"opponents": [folder(), BOLD], "stacks": [500, 4, 60]},
        {"opponents": ["caller"], "rules": "kuhn"},
    ],
    ids=lambda options: "-".join(str(getattr(o, "name", o)) for o in options["opponents"]),
)
def test_it_equals_a_sync_vector_of_single_environments(
    mode: AutoresetMode, options: dict[str, Any]
) -> None:
    ours, theirs = both(5, mode, **options)
    assert same(ours.reset(seed=11), theirs.reset(seed=11))
    told = play_beside(ours, theirs, 250)
    assert same(ours.reset(), theirs.reset())
    told += play_beside(ours, theirs, 40)
    assert any("_skipped_hands" in infos for infos in told)


@MODES
def test_it_equals_a_sync_vector_over_two_thousand_steps(mode: AutoresetMode) -> None:
    ours, theirs = both(3, mode, opponents=["caller", "raiser"])
    assert same(ours.reset(seed=5), theirs.reset(seed=5))
    play_beside(ours, theirs, 2000)


@MODES
def test_unmasked_learners_fare_as_in_a_sync_vector(mode: AutoresetMode) -> None:
    ours, theirs = both(5, mode, opponents=["raiser"], illegal_action="check_or_fold")
    assert same(ours.reset(seed=2), theirs.reset(seed=2))
    told = play_beside(ours, theirs, 300, legal=False)
    assert any(infos["illegal_action"].any() for infos in told if "illegal_action" in infos)


def test_skipped_hands_are_told_as_in_a_sync_vector() -> None:
    """A seat all-in for the ante and a folder: now and then the learner is never asked."""
    options = {"opponents": [caller(), folder()], "stacks": [500, 4, 500], "seat": 0}
    ours, theirs = both(6, SAME_STEP, **options)
    assert same(ours.reset(seed=1), theirs.reset(seed=1))
    told = play_beside(ours, theirs, 300)
    assert sum(int(infos["skipped_hands"].sum()) for infos in told if "skipped_hands" in infos) > 20
    assert any(infos["skipped_return"].any() for infos in told if "skipped_return" in infos)


@pytest.mark.parametrize("seed", [[3, 1, 3], [None, 8, None], None, 2**63 - 3])
def test_seeds_of_a_sync_vector(seed: Any) -> None:
    ours, theirs = both(3, NEXT_STEP, opponents=["caller"])
    assert same(ours.reset(seed=40), theirs.reset(seed=40))
    play_beside(ours, theirs, 5)
    assert same(ours.reset(seed=seed), theirs.reset(seed=seed))
    play_beside(ours, theirs, 20)


def test_masks_seeds_decks_and_stacks_of_a_sync_vector() -> None:
    """The options hold for one hand; a hand that is over when it is dealt is skipped."""
    ours, theirs = both(4, DISABLED, opponents=["caller", "raiser"])
    mask = np.array([True, False, True, True])
    stacks = [400, 30, 5]
    for options in (
        {},
        {"reset_mask": mask},
        {"deck": ladder_deck(3)},
        {"reset_mask": mask, "stacks": stacks},
        {"stacks": 77},
        {"stacks": [3, 400, 3]},
        {"reset_mask": ~mask, "stacks": [1, 400, 4]},
    ):
        for seed in (None, 9, [None, 4, 4, None]):
            if not options or seed is not None:
                assert same(ours.reset(seed=9), theirs.reset(seed=9))
            result = ours.reset(seed=seed, options=dict(options))
            assert same(result, theirs.reset(seed=seed, options=dict(options)))
            play_beside(ours, theirs, 12)


def test_a07_a_hand_that_is_over_when_it_is_dealt_is_skipped() -> None:
    options = {"opponents": [caller()], "seat": 0, "rules": {"ante": 7}, "reward_unit": "chips"}
    ours, theirs = both(2, NEXT_STEP, **options)
    given = {"deck": deck(R09), "stacks": [994, 6]}
    result = ours.reset(seed=2, options=dict(given))
    assert same(result, theirs.reset(seed=2, options=dict(given)))
    assert result[1]["skipped_hands"].tolist() == [1, 1]
    assert result[1]["skipped_return"].tolist() == [-6.0, -6.0]
    assert same(ours.reset(), theirs.reset())


# ---- case A05: shapes, types and spaces


@MODES
def test_a05_shapes_types_and_masks_stay_the_same(mode: AutoresetMode) -> None:
    env = gymnasium.make_vec(
        "razz_env/Razz-v0", num_envs=4, opponents=["random", "caller"], autoreset_mode=mode
    )
    observations, infos = env.reset(seed=3)
    rng, ends, over = np.random.default_rng(0), 0, np.zeros(4, np.bool_)
    for _ in range(100):
        assert observations.shape == (4, spec(3).size)
        assert observations.dtype == np.float32
        assert env.observation_space.contains(observations)
        assert all(env.single_observation_space.contains(row) for row in observations)
        masks = env.unwrapped.action_masks()
        assert masks.shape == infos["action_mask"].shape == (4, 7)
        assert (masks.dtype, infos["action_mask"].dtype) == (np.bool_, np.int8)
        actions = choose(env.unwrapped, rng)
        assert env.action_space.contains(actions)
        assert masks[np.arange(4), actions][masks.any(axis=1)].all()
        observations, rewards, over, cut, infos = env.step(actions)
        assert rewards.shape == over.shape == cut.shape == (4,)
        assert (rewards.dtype, over.dtype, cut.dtype) == (np.float64, np.bool_, np.bool_)
        assert not cut.any()
        ends += int(over.sum())
        if mode == DISABLED and over.any():
            observations, infos = env.reset(options={"reset_mask": over})
            infos["action_mask"] = env.unwrapped.action_masks().astype(np.int8)
    assert ends > 10


# ---- made by name


def test_make_vec_makes_it_with_the_options_of_the_single_environment() -> None:
    options = {"opponents": ["caller"] * 2, "stacks": 300, "seat": 2, "reward_unit": "chips"}
    for how in ({}, {"vectorization_mode": "vector_entry_point"}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env = gymnasium.make_vec("razz_env/Razz-v0", num_envs=64, **how, **options)
        assert isinstance(env, RazzVectorEnv)
        assert env.num_envs == 64
        assert env.metadata["autoreset_mode"] == NEXT_STEP
        assert env.spec is not None
        assert env.spec.id == "razz_env/Razz-v0"
        assert str(env) == "RazzVectorEnv(razz_env/Razz-v0, num_envs=64)"
        again = gymnasium.make_vec(env.spec)
        assert same(again.reset(seed=1), env.reset(seed=1))
        single = gymnasium.make_vec(
            "razz_env/Razz-v0", num_envs=64, vectorization_mode="sync", **options
        )
        assert single.single_observation_space == env.single_observation_space
        assert single.observation_space == env.observation_space
        assert single.action_space == env.action_space
        assert same(env.reset(seed=3), single.reset(seed=3))
        env.close()
        assert env.closed


def test_closed_tables_are_played_no_more() -> None:
    env = make(2, render_mode="ansi")
    env.reset(seed=1)
    env.close()
    env.close()  # once more does nothing
    for call in (env.reset, lambda: env.step(np.zeros(2, np.int64)), env.render, env.action_masks):
        with refused("tables are closed: make them anew", kind=ClosedEnvironmentError):
            call()


def test_gymnasiums_vector_wrappers_work() -> None:
    for mode in (NEXT_STEP, SAME_STEP, DISABLED):
        env = RecordEpisodeStatistics(make(8, autoreset_mode=mode))
        env.reset(seed=1)
        rng, returns = np.random.default_rng(0), []
        for _ in range(200):
            *_, over, _, infos = env.step(choose(env.unwrapped, rng))
            if over.any():
                assert (infos["_episode"] == over).all()
                returns += infos["episode"]["r"][over].tolist()
            if mode == DISABLED and over.any():
                env.reset(options={"reset_mask": over})
        assert env.episode_count == len(returns) > 100
        assert np.ptp(returns) > 0


def test_infos_become_lists() -> None:
    env = DictInfoToList(make(3, autoreset_mode=SAME_STEP, illegal_action="check_or_fold"))
    _, infos = env.reset(seed=1)
    assert all(sorted(info) == ["action_mask", "skipped_hands", "skipped_return"] for info in infos)
    ends = 0
    for _ in range(50):
        *_, over, _, infos = env.step(np.zeros(3, np.int64))
        for table in np.flatnonzero(over):
            assert not infos[table]["final_info"]["action_mask"].any()
            assert infos[table]["final_obs"].shape == (spec(3).size,)
            ends += 1
    assert ends > 10


def test_without_a_render_mode_nothing_is_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    silent = make(2)
    silent.reset(seed=1)
    assert silent.render() is None
    texts = make(3, render_mode="ansi")
    texts.reset(seed=1)
    single = RazzSeatEnv([caller(), folder()], render_mode="ansi")
    for table, text in enumerate(texts.render() or ()):
        single.reset(seed=1 + table)
        assert text == single.render()
    assert not capsys.readouterr().out
    printing = make(2, render_mode="human")
    printing.reset(seed=1)
    printing.step(choose(printing, np.random.default_rng(0)))
    assert capsys.readouterr().out.count("pot") >= 2


def test_pixels_are_an_array_for_every_table() -> None:
    pytest.importorskip("svg2png_py")
    tables = make(2, render_mode="rgb_array")
    tables.reset(seed=1)
    one, other = tables.render() or ()
    assert np.shape(one) == (700, 800, 3)
    assert not np.array_equal(one, other)


# ---- seeds and randomness


def test_a_tables_hands_depend_on_its_own_seed_alone() -> None:
    """Environment i's hand k is `Hand.deal(seed=s + i, index=k)`, whatever N."""
    for num_envs in (1, 3, 20):
        env, rng = make(num_envs, opponents=["random"] * 2), np.random.default_rng(0)
        env.reset(seed=7)
        for _ in range(60):
            for table in range(min(num_envs, 3)):
                record = env.batch.hands[table]
                dealt = Hand.deal(3, seed=7 + table, index=int(record["index"]))
                assert (record["deck"] == dealt.record.deck).all()
                assert env.learners[table] == int(record["index"]) % 3
            env.step(choose(env, rng))


def test_the_same_seed_repeats_everything_and_another_differs() -> None:
    def play(seed: int) -> list[Any]:
        env, rng = make(6, opponents=["random", "scripted:loose"]), np.random.default_rng(0)
        env.reset(seed=seed)
        return [env.step(choose(env, rng)) for _ in range(60)]

    assert same(tuple(play(5)), tuple(play(5)))
    assert not same(tuple(play(5)), tuple(play(6)))


def test_s01_global_generators_are_neither_used_nor_touched() -> None:
    def play(disturb: bool) -> list[Any]:
        env, rng = make(6, opponents=["random", "caller"]), np.random.default_rng(0)
        told = [env.reset(seed=5)]
        for _ in range(40):
            if disturb:
                draw_globally()
            told.append(env.step(choose(env, rng)))
        return told

    before = global_states()
    calm = play(disturb=False)
    make(2).reset()
    assert global_states() == before
    assert same(tuple(play(disturb=True)), tuple(calm))


def test_without_a_seed_every_table_gets_one_of_its_own() -> None:
    first, second = make(5), make(5)
    first.reset(), second.reset()
    assert len({*first.batch.hands["seed"], *second.batch.hands["seed"]}) == 10


def test_players_forget_and_draw_anew_when_all_streams_start() -> None:
    class Remembering(RandomPlayer):
        resets = 0

        def reset(self) -> None:
            self.resets += 1

    player = Remembering()
    env = make(3, opponents=[player, player])
    first = env.reset(seed=1)
    assert player.resets == 1
    env.reset()
    env.reset(seed=[1, None, 2])
    assert player.resets == 1
    assert same(env.reset(seed=1), first)
    assert player.resets == 2


# ---- opponents


def test_opponents_are_asked_once_for_all_tables() -> None:
    asked: list[int] = []

    class Counting(Preferring):
        def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
            asked.append(len(views))
            return super().act(views, observations, masks, rng)

    env = make(200, opponents=[Counting(Action.CHECK, Action.CALL)])
    env.reset(seed=1)
    assert len(asked) <= 3
    assert max(asked) > 60


def test_seats_of_one_name_are_played_by_one_agent() -> None:
    env = make(4, opponents=["random", "caller", "random"])
    assert [agent.name for agent in env._seats.agents] == ["random", "caller"]
    env.reset(seed=1)
    names = np.array(["random", "caller"])[env._seats.opponent_of]
    for table, seat in enumerate(env.learners):
        assert np.roll(names[table], -seat)[1:].tolist() == ["random", "caller", "random"]


def test_an_opponents_illegal_answer_is_named_and_reset_goes_on() -> None:
    wrong = Fixed(np.array([int(Action.RAISE)]))
    env = RazzVectorEnv(1, [wrong])
    with refused("'fixed'", "table 0", "RAISE", "legal", kind=OpponentError):
        for seed in range(20):
            env.reset(seed=seed)
            env.step(choose(env, np.random.default_rng(0)))
    with refused("reset", kind=ResetNeeded):
        env.step(np.zeros(1, np.int64))
    with refused("reset", kind=ResetNeeded):
        env.action_masks()


# ---- what is refused


def test_illegal_actions_name_the_table_and_move_none() -> None:
    env, rng = make(8), np.random.default_rng(0)
    env.reset(seed=3)
    for _ in range(7):
        env.step(choose(env, rng))
    before, wrong = env.batch.to_bytes(), choose(env, rng)
    table = int(np.flatnonzero(env.action_masks().any(axis=1))[-1])
    wrong[table] = int(np.flatnonzero(~env.action_masks()[table])[0])
    with refused(f"table {table}", f"seat {env.learners[table]}", "legal", kind=IllegalAction):
        env.step(wrong)
    assert env.batch.to_bytes() == before
    env.step(choose(env, rng))


@pytest.mark.parametrize("number", [-1, 7, 99])
def test_numbers_of_no_action_are_refused_under_check_or_fold_too(number: int) -> None:
    env = make(2, illegal_action="check_or_fold")
    env.reset(seed=3)
    before = env.batch.to_bytes()
    with refused("table 1", kind=IllegalAction):
        env.step(np.array([1, number]))
    assert env.batch.to_bytes() == before


def test_actions_of_another_shape_or_type_are_refused() -> None:
    env = make(3)
    env.reset(seed=1)
    for wrong in (np.zeros(2, np.int64), np.zeros((3, 1), np.int64), np.zeros(3), 1):
        with refused("3 whole-number actions"):
            env.step(wrong)


def test_a_mode_may_be_given_by_its_name() -> None:
    for mode in AutoresetMode:
        for given in (mode, mode.name, mode.value):
            assert make(2, autoreset_mode=given).metadata["autoreset_mode"] is mode
    with refused("'SAME_STP'", "did you mean 'SAME_STEP'", kind=ValueError):
        make(2, autoreset_mode="SAME_STP")


def test_waiting_tables_must_be_reset_where_autoreset_is_disabled() -> None:
    env, rng = make(6, autoreset_mode=DISABLED, opponents=[folder()]), np.random.default_rng(0)
    env.reset(seed=1)
    over = np.zeros(6, np.bool_)
    while not over.any():
        over = env.step(choose(env, rng))[2]
    with refused("reset_mask", f"{np.flatnonzero(over).tolist()}", kind=ResetNeeded):
        env.step(choose(env, rng))
    options = {"reset_mask": over}
    env.reset(options=options)
    assert options["reset_mask"] is over
    assert env.action_masks().any(axis=1).all()


def test_what_a_step_returned_is_not_overwritten_by_the_next() -> None:
    env, rng = make(8, autoreset_mode=SAME_STEP), np.random.default_rng(0)
    twin, twins = make(8, autoreset_mode=SAME_STEP), np.random.default_rng(0)
    env.reset(seed=2), twin.reset(seed=2)
    kept = [env.step(choose(env, rng)) for _ in range(30)]
    for told in kept:
        assert same(told, twin.step(choose(twin, twins)))


def test_the_observation_is_the_learners_own_view() -> None:
    env, rng = make(8), np.random.default_rng(0)
    observations, _ = env.reset(seed=4)
    for _ in range(40):
        for table, seat in enumerate(env.learners.tolist()):
            assert (observations[table] == encode(env.batch.hand(table).view(seat))).all()
        observations = env.step(choose(env, rng))[0]


def test_bad_arguments_are_refused() -> None:
    with refused("num_envs", 0):
        make(0)
    with refused("opponents", kind=TypeError):
        make(opponents="caller")
    with refused("1 to 7 opponents", 8):
        make(opponents=["caller"] * 8)
    with refused("There is no player", "caller"):
        make(opponents=["coller"])
    for bad in (3, True, 1.0):
        with refused(f"seat={bad!r}", "0 to 2"):
            make(seat=bad)
    make(seat=np.int64(2))  # is a whole number too
    with refused("never has a decision"):
        make(stacks=[4, 500, 500])
    with refused("illegal_action"):
        make(illegal_action="fold")
    with refused("reward_unit"):
        make(reward_unit="bets")
    with refused("render_mode", "ansi"):
        make(render_mode="rgb")
    with refused("observation"):
        make(observation=None)
    with pytest.raises(ValueError, match="There is no autoreset_mode"):
        make(autoreset_mode="never")


def test_bad_resets_are_refused_and_the_hands_go_on() -> None:
    env = make(3)
    with refused("reset", kind=ResetNeeded):
        env.step(np.zeros(3, np.int64))
    with refused("reset", kind=ResetNeeded):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset(seed=1)
    before = env.batch.to_bytes()
    with refused("seed", 3):
        env.reset(seed=[1, 2])
    for bad in (b"abc", "abc", np.array(1)):
        with refused("seed must be", 3):
            env.reset(seed=bad)  # type: ignore[arg-type]
    with refused("seed", "-1"):
        env.reset(seed=-1)
    with refused("seed"):
        env.reset(seed=2**63 - 2)
    with refused("reset_mask", "array of bool", kind=TypeError):
        env.reset(options={"reset_mask": [True, False, False]})
    with refused("reset_mask", "(3,)", "(2,)"):
        env.reset(options={"reset_mask": np.array([True, False])})
    with refused("reset_mask", "no environment"):
        env.reset(options={"reset_mask": np.zeros(3, np.bool_)})
    with refused("reset option 'decks'", "deck"):
        env.reset(options={"decks": []})
    with refused("3 players need"):
        env.reset(options={"stacks": [1, 2]})
    with refused("mapping"):
        env.reset(options=[1])
    assert env.batch.to_bytes() == before
    env.step(choose(env, np.random.default_rng(0)))
