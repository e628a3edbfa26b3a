"""The layers that `razz bench` times do the work that they count. F01: none of it copies deeply."""

import cProfile
import json
import pstats
from collections.abc import Callable

import numpy as np
import pytest

from agents import cli
from agents.bench import command, layers
from agents.bench.layers import LAYERS
from agents.bench.machine import facts
from agents.bench.random_play import batch_play, choose, random_action
from agents.bench.timing import Contestant, Missing, Play
from razz_env import Action, Hand, make_batch
from razz_env.observation import spec


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_every_layer_can_be_played_again_and_again(layer: Contestant) -> None:
    try:
        play = layer.make()
    except Missing as missing:
        pytest.skip(str(missing))
    assert play() > 0
    assert play() > 0


def test_the_compiled_choice_takes_each_legal_action_equally_often_and_no_other() -> None:
    mask = np.array([1, 0, 1, 0, 0, 0, 1], np.int8)
    actions = np.zeros(60_000, np.int64)
    choose(np.tile(mask, (len(actions), 1)), actions, 1)
    counts = np.bincount(actions, minlength=7)
    assert (counts > 0).tolist() == mask.astype(bool).tolist()
    assert np.abs(counts[[0, 2, 6]] / len(actions) - 1 / 3).max() < 0.01


def test_the_choice_of_one_table_takes_legal_actions_only() -> None:
    class Rng:
        def __init__(self, value: float) -> None:
            self.value = value

        def random(self) -> float:
            return self.value

    mask = np.array([0, 1, 0, 1, 0, 0, 1], np.int8)
    chosen = [random_action(mask, Rng(value)) for value in (0.0, 0.34, 0.999999)]
    assert chosen == [Action.CHECK, Action.BRING_IN, Action.RAISE]


def test_a_batch_play_counts_the_decisions_it_makes() -> None:
    batch = make_batch(5, 3, seed=1, auto_deal=False)
    before = batch.hands["public"]["log_length"].sum()
    assert batch_play(batch, steps=2)() == 10
    assert batch.hands["public"]["log_length"].sum() - before == 10


PLAYS: dict[str, Callable[[], Play]] = {
    "hand": layers.hand_play,
    "batch": layers.step,
    "raw_env": layers.aec,
    "env": lambda: layers.aec(wrapped=True),
    "Gymnasium": layers.seat,
    "VecEnv": lambda: layers.vector(tables=16),
}


@pytest.mark.parametrize("name", PLAYS)
def test_f01_random_play_never_copies_deeply(name: str) -> None:
    if name == "VecEnv":
        pytest.importorskip("stable_baselines3")
    play = PLAYS[name]()
    play()  # compiles, and numba copies then
    profile = cProfile.Profile()
    profile.runcall(play)
    called = {(file, function) for file, _, function in pstats.Stats(profile).stats}
    assert called
    assert not [file for file, function in called if "copy" in function and "copy.py" in file]


def test_f01_a_clone_is_independent_and_goes_on_alike() -> None:
    hand = Hand.deal(6, seed=1)
    while hand.street < 5:
        hand.apply(hand.legal_actions()[1])
    before, twin = hand.to_bytes(), hand.clone()
    while not twin.is_over:
        twin.apply(twin.legal_actions()[-1])
    assert hand.to_bytes() == before
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1])
    assert hand == twin


def test_the_environment_that_costs_nothing_has_the_shapes_of_ours() -> None:
    pytest.importorskip("stable_baselines3")
    from benchmarks.zero_cost import ZeroCostVecEnv
    from razz_env.envs.sb3 import RazzVecEnv

    free, ours = ZeroCostVecEnv(20, 2), RazzVecEnv(20, 2, ["random"], seed=0)
    assert free.observation_space == ours.observation_space
    assert free.action_space == ours.action_space
    assert free.reset().dtype == ours.reset().dtype
    assert free.action_masks().shape == ours.action_masks().shape
    theirs, own = free.step(np.zeros(20, int)), ours.step(ours.action_masks().argmax(axis=1))
    for one, other in zip(theirs[:3], own[:3], strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
    assert len(theirs[3]) == len(own[3])
    assert free.reset().shape == (20, spec(2).size)


def few(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Play:
        raise Missing("tea is not installed: pip install tea")

    found = Contestant("found", "cups", lambda: lambda: 3)
    monkeypatch.setattr(command, "LAYERS", (found, Contestant("gone", "cups", gone)))


def test_razz_bench_prints_a_line_for_each_layer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few(monkeypatch)
    assert cli.main(["bench", "--seconds", "0.01", "--rounds", "2"]) == 0
    out = capsys.readouterr().out
    assert "cups/s" in out
    assert "tea is not installed: pip install tea" in out


def test_razz_bench_prints_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few(monkeypatch)
    assert cli.main(["bench", "--seconds", "0.01", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"machine", "layers"}
    assert told["layers"]["found"]["unit"] == "cups"
    assert told["layers"]["found"]["per_second"] > 0
    assert told["layers"]["gone"] == {"missing": "tea is not installed: pip install tea"}


@pytest.mark.parametrize(
    "options", [["--rounds", "0"], ["--seconds", "0"], ["--seconds", "nan"], ["--seconds", "inf"]]
)
def test_razz_bench_refuses_a_time_that_is_none(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", *options]) == 2
    assert "--seconds" in capsys.readouterr().err


def test_facts_of_the_machine_name_neither_it_nor_a_folder() -> None:
    import platform

    told = " ".join(facts(("numpy", "a-package-that-nobody-has")).values())
    assert "numpy" in told
    assert "nobody" not in told
    assert "/" not in told
    assert platform.node() not in told.split()
