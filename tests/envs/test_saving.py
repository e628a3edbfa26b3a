"""Every face of the tables saves its state as bytes, goes on from it, and refuses damage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from razz_env import Hand, make_batch, razz_v0
from razz_env.envs.saving import _packed, _unpacked, generator_of, generator_state
from razz_env.envs.seat import RazzSeatEnv
from razz_env.envs.vector import RazzVectorEnv
from razz_env.rules.record import HAND
from razz_env.rules.sealing import sealed, unsealed

from ..support.errors import refused

Trace = list[Any]


def play_aec(table: Any, rng: np.random.Generator, steps: int) -> Trace:
    told: Trace = []
    for _ in range(steps):
        if not table.agents:
            table.reset()
        seen, reward, ended, truncated, _ = table.last()
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if ended or truncated else int(legal[rng.integers(len(legal))]))
        told.append((seen["observation"].tobytes(), reward, ended, table.state().tobytes()))
    return told


def play_seat(env: Any, rng: np.random.Generator, steps: int) -> Trace:
    told: Trace = []
    for _ in range(steps):
        legal = np.flatnonzero(env.action_masks())
        if not len(legal):
            told.append(env.reset()[0].tobytes())
            continue
        seen, *rest, _ = env.step(legal[rng.integers(len(legal))])
        told.append((seen.tobytes(), *rest))
    return told


def pick(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.where(masks.any(axis=1), (masks * rng.random(masks.shape)).argmax(axis=1), 0)


def play_vector(env: Any, rng: np.random.Generator, steps: int) -> Trace:
    told: Trace = []
    for _ in range(steps):
        seen, rewards, *_ = env.step(pick(env.action_masks(), rng))
        told.append((seen.tobytes(), rewards.tobytes(), env.batch.to_bytes()))
    return told


def play_batch(batch: Any, rng: np.random.Generator, steps: int) -> Trace:
    told: Trace = []
    for _ in range(steps):
        rewards, _ = batch.step(pick(batch.action_masks, rng))
        told.append((rewards.tobytes(), batch.observations.tobytes()))
    return told


OPPONENTS = ["random", "caller"]


def seat_env() -> RazzSeatEnv:
    return RazzSeatEnv(OPPONENTS)


def vector_env(mode: str = "NextStep") -> RazzVectorEnv:
    return RazzVectorEnv(5, OPPONENTS, autoreset_mode=gymnasium.vector.AutoresetMode(mode))


def sb3_env(seed: int = 3, num_tables: int = 5, **options: Any) -> Any:
    sb3 = pytest.importorskip("razz_env.envs.sb3")
    return sb3.RazzVecEnv(num_tables, 3, OPPONENTS, seed=seed, **options)


FACES: dict[str, tuple[Callable[[], Any], Callable[..., Trace]]] = {
    "aec": (lambda: razz_v0.env(num_players=3), play_aec),
    "raw aec": (lambda: razz_v0.raw_env(num_players=3), play_aec),
    "seat": (seat_env, play_seat),
    "vector": (vector_env, play_vector),
    "vector, same step": (lambda: vector_env("SameStep"), play_vector),
    "sb3": (sb3_env, play_vector),
    "batch": (lambda: make_batch(5, 3, seed=3), play_batch),
}


def started(face: str, steps: int = 23) -> Any:
    make, play = FACES[face]
    env = make()
    env.reset(**({} if face == "sb3" else {"seed": 7}))
    play(env, np.random.default_rng(1), steps)
    return env


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("used", [False, True])
def test_a_loaded_environment_goes_on_identically(face: str, used: bool) -> None:
    make, play = FACES[face]
    env, other = started(face), started(face, 6) if used else make()
    saved = env.to_bytes()
    assert isinstance(saved, bytes)
    other.load_bytes(saved)
    assert other.to_bytes() == saved
    expected = play(env, np.random.default_rng(2), 60)
    assert play(other, np.random.default_rng(2), 60) == expected


@pytest.mark.parametrize("face", FACES)
def test_damaged_bytes_are_one_sentence_and_change_nothing(face: str) -> None:
    env = started(face)
    saved = env.to_bytes()
    for place in (0, 15, len(saved) // 2, len(saved) - 1):
        damaged = bytearray(saved)
        damaged[place] ^= 1
        with refused(kind=ValueError):
            env.load_bytes(bytes(damaged))
    with refused(kind=ValueError):
        env.load_bytes(saved[:-1])
    with refused("bytes", kind=TypeError):
        env.load_bytes("state")
    assert env.to_bytes() == saved


@pytest.mark.parametrize(
    ("face", "other", "words"),
    [
        ("aec", lambda: razz_v0.env(num_players=4), "num_players"),
        ("aec", lambda: razz_v0.env(num_players=3, reward_unit="chips"), "reward_unit"),
        ("raw aec", lambda: razz_v0.raw_env(num_players=3, stacks=[500, 500, 90]), "stacks"),
        ("seat", lambda: RazzSeatEnv(OPPONENTS, stacks=100), "stacks"),
        ("seat", lambda: RazzSeatEnv(OPPONENTS, seat=1), "seat"),
        ("seat", lambda: RazzSeatEnv(OPPONENTS, reward_unit="chips"), "reward_unit"),
        ("vector", lambda: RazzVectorEnv(5, OPPONENTS, stacks=100), "stacks"),
        ("vector", lambda: RazzVectorEnv(5, OPPONENTS, seat=1), "seat"),
        ("vector", lambda: RazzVectorEnv(5, OPPONENTS, reward_unit="chips"), "reward_unit"),
        ("sb3", lambda: sb3_env(stacks=100), "stacks"),
        ("sb3", lambda: sb3_env(big_bets_per_reward=5), "big_bets_per_reward"),
        ("seat", lambda: RazzSeatEnv(OPPONENTS, rules="tda"), "rules"),
        ("seat", lambda: RazzSeatEnv(["caller", "caller"]), "opponents"),
        ("vector", lambda: vector_env("SameStep"), "autoreset_mode"),
        ("vector", lambda: RazzVectorEnv(4, OPPONENTS), "num_envs"),
        ("sb3", lambda: sb3_env(num_tables=4), "num_tables"),
        ("seat", vector_env, "begin with"),
    ],
)
def test_an_environment_made_otherwise_refuses(
    face: str, other: Callable[[], Any], words: str
) -> None:
    saved = started(face).to_bytes()
    target = other()
    before = target.to_bytes()
    with refused(words, kind=ValueError):
        target.load_bytes(saved)
    assert target.to_bytes() == before


def test_hands_that_are_over_are_not_loaded_where_nobody_deals_the_next() -> None:
    waiting = make_batch(4, 3, seed=3, auto_deal=False)
    batch = make_batch(4, 3, seed=5)
    batch.load_bytes(waiting.to_bytes())
    while (waiting.actors >= 0).all():
        waiting.step(waiting.action_masks.argmax(axis=1))
    before = batch.to_bytes()
    with refused("auto_deal=False", kind=ValueError):
        batch.load_bytes(waiting.to_bytes())
    assert batch.to_bytes() == before
    make_batch(4, 3, auto_deal=False).load_bytes(waiting.to_bytes())


def test_an_opponent_that_is_not_here_is_named() -> None:
    env = sb3_env()
    env.set_opponents(["raiser"])
    env.reset()
    with refused("raiser", kind=ValueError):
        sb3_env().load_bytes(env.to_bytes())


@pytest.mark.parametrize("face", ["aec", "raw aec", "seat"])
def test_an_environment_without_a_hand_is_saved_too(face: str) -> None:
    make, _ = FACES[face]
    env = started(face)
    env.load_bytes(make().to_bytes())
    assert env.to_bytes() == make().to_bytes()


def test_every_moment_of_a_table_is_saved() -> None:
    """Also where agents leave one by one, and where an illegal action has ended the hand."""
    rng = np.random.default_rng(4)
    table, other = razz_v0.env(num_players=3), razz_v0.env(num_players=3)
    ended_early = 0
    for hand in range(12):
        table.reset(seed=hand)
        while table.agents:
            seen, _, ended, truncated, _ = table.last()
            legal = np.flatnonzero(seen["action_mask"])
            is_illegal = not ended and rng.random() < 0.05
            ended_early += is_illegal
            choices = np.flatnonzero(seen["action_mask"] == 0) if is_illegal else legal
            action = None if ended or truncated else int(rng.choice(choices))
            table.step(action)
            other.load_bytes(table.to_bytes())
            assert other.to_bytes() == table.to_bytes()
    assert ended_early


def resealed(data: bytes, magic: bytes, change: Callable[[Any, Any], None]) -> bytes:
    """Saved bytes whose state was changed, under a checksum that fits."""
    made_with, state = _unpacked(unsealed(magic, data))
    change(made_with, state)
    return sealed(magic, _packed(made_with, state))


def magic_of(env: Any) -> bytes:
    return env.unwrapped._magic if hasattr(env, "unwrapped") else env._magic


def with_record(name: str, field: str, value: int) -> Callable[[Any, Any], None]:
    def change(_: Any, state: Any) -> None:
        hands = np.frombuffer(bytearray(state[name].tobytes()), HAND)
        hands["public"][field][-1] = value
        state[name] = np.frombuffer(hands.tobytes(), np.uint8)

    return change


def with_hand_of_eight(_: Any, state: Any) -> None:
    name = "hand" if "hand" in state else "hands"
    count = len(state[name]) // HAND.itemsize
    state[name] = np.frombuffer(Hand.deal(8, seed=1).array.tobytes() * count, np.uint8)


def with_value(name: str, value: Any) -> Callable[[Any, Any], None]:
    def change(_: Any, state: Any) -> None:
        state[name] = value

    return change


TURNS_THAT_CANNOT_BE: list[tuple[str, Any]] = [
    ("agents", ["player_0", "player_9"]),
    ("agents", ["player_0"]),
    ("agents", []),
    ("agent_selection", "player_77"),
    ("agent_selection", None),
    ("rewards", {"player_0": 0.0}),
    ("_cumulative_rewards", dict.fromkeys(razz_v0.env().possible_agents, "much")),
    ("terminations", dict.fromkeys(razz_v0.env().possible_agents, 1)),
    ("_skip_agent_selection", "player_77"),
]


CANNOT_BE: list[tuple[str, Callable[[Any, Any], None], str]] = [
    *((face, with_record("hand", "actor", 120), "actor") for face in ("aec", "raw aec", "seat")),
    *((face, with_record("hands", "actor", 120), "actor") for face in ("vector", "sb3")),
    *((face, with_hand_of_eight, "8 seats") for face in ("aec", "seat", "vector", "sb3")),
    ("aec", with_value("place", [-1, 0]), "-1"),
    ("aec", lambda _, state: state.pop("rewards"), "rewards"),
    *(("aec", with_value(*turn), "agents, rewards or flags") for turn in TURNS_THAT_CANNOT_BE),
    ("aec", with_value("place", None), "place"),
    *(("seat", with_value("seat", seat), "another seat") for seat in (9, None, "0")),
    ("seat", with_value("draws", []), "draws"),
    ("seat", with_value("draws", [{"bit_generator": "seed", "state": 1}]), "'seed'"),
    ("vector", with_value("waits", np.zeros(9, np.bool_)), "waits"),
    ("vector", with_value("learners", np.full(5, 77)), "no seat"),
    ("vector", with_value("opponent_of", np.full((5, 3), 9)), "opponent"),
    ("sb3", with_value("opponent_of", np.full((5, 3), -9)), "opponent"),
    *(("sb3", with_value("first_drawn", number), "opponents") for number in (40, 0.5, None)),
    ("sb3", with_value("chance_up_to", np.zeros((1, 1))), "opponents"),
    ("sb3", with_value("chance_up_to", []), "not of the form"),
    ("sb3", lambda _, state: state["books"].update(skipped_hands=None), "None"),
    ("sb3", with_value("returns", np.zeros(2)), "returns"),
]


@pytest.mark.parametrize(("face", "change", "words"), CANNOT_BE)
def test_a_state_that_cannot_be_is_one_sentence_and_changes_nothing(
    face: str, change: Callable[[Any, Any], None], words: str
) -> None:
    env = started(face)
    saved = env.to_bytes()
    with refused(words, kind=ValueError):
        env.load_bytes(resealed(saved, magic_of(env), change))
    assert env.to_bytes() == saved


def test_a_seat_that_is_not_to_act_cannot_be_selected() -> None:
    table = razz_v0.env(num_players=4)
    table.reset(seed=1)
    saved = table.to_bytes()
    others = [agent for agent in table.agents if agent != table.agent_selection]
    for other in others:
        with refused("agents, rewards or flags", kind=ValueError):
            table.load_bytes(resealed(saved, magic_of(table), with_value("agent_selection", other)))
    assert table.to_bytes() == saved


def test_a_batch_refuses_a_table_that_cannot_be() -> None:
    batch, hands = started("batch"), started("batch").hands.copy()
    before = batch.to_bytes()
    hands["next_card"][2] = 100
    with refused("table 2", "next_card", kind=ValueError):
        batch.load_bytes(sealed(b"RAZZTABLES2", hands.tobytes()))
    assert batch.to_bytes() == before


NUMPY_FACES: list[Callable[[], Any]] = [
    lambda: razz_v0.env(num_players=np.int64(3), rules={"ante": np.int64(4)}, stacks=np.int64(500)),
    lambda: RazzSeatEnv(OPPONENTS, {"ante": np.int64(4)}, np.full(3, 500), seat=np.int64(1)),
    lambda: RazzVectorEnv(np.int64(3), OPPONENTS, stacks=[np.int64(500)] * 3, seat=np.int8(2)),
    lambda: make_batch(np.int64(3), np.int64(2), stacks=np.int64(90)),
]


def numpy_sb3_env() -> Any:
    return pytest.importorskip("razz_env.envs.sb3").RazzVecEnv(np.int64(3), np.int64(2))


@pytest.mark.parametrize("make", [*NUMPY_FACES, numpy_sb3_env])
def test_environments_made_with_numbers_of_numpy_are_saved_too(make: Callable[[], Any]) -> None:
    env, other = make(), make()
    env.reset()
    other.load_bytes(env.to_bytes())
    assert other.to_bytes() == env.to_bytes()


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.PCG64DXSM])
def test_a_generator_goes_on_where_it_stood(kind: Any) -> None:
    rng = np.random.Generator(kind(5))
    rng.integers(1 << 20, size=7, dtype=np.uint32)
    again = generator_of(generator_state(rng))
    assert again.integers(1 << 40, size=100).tolist() == rng.integers(1 << 40, size=100).tolist()


@pytest.mark.parametrize(
    "generator",
    [
        {"bit_generator": "MT19937", "state": {"key": [1] * 624, "pos": -2_000_000_000}},
        {
            "bit_generator": "Philox",
            "state": {"counter": [0] * 4, "key": [0] * 2},
            "buffer": [0] * 4,
            "buffer_pos": -2_000_000_000,
            "has_uint32": 0,
            "uinteger": 0,
        },
        {"bit_generator": "default_rng", "state": {}},
    ],
    ids=lambda state: state["bit_generator"],
)
def test_generators_that_no_environment_saves_are_refused(generator: Any) -> None:
    """NumPy would take these, and read outside of their buffers when it draws."""
    env = RazzSeatEnv(["random"])
    env.reset(seed=1)
    saved = env.to_bytes()

    def change(_made_with: Any, state: Any) -> None:
        state["draws"] = [generator]

    with refused("PCG64", generator["bit_generator"]):
        env.load_bytes(resealed(saved, RazzSeatEnv._magic, change))
    assert env.to_bytes() == saved
