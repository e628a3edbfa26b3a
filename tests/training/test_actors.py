"""Rollouts in blocks, and on a Ray cluster: the same weights wherever they are played."""

from __future__ import annotations

import csv
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from stable_baselines3.common.callbacks import BaseCallback

from agents.evaluation import cluster
from agents.evaluation.cluster import Cluster
from agents.evaluation.plan import WorkerLost
from agents.players.model_file import read_card
from agents.players.trained import PolicyPlayer
from agents.training import actors, pool, runner
from agents.training.actors import Actor, FarRooms, Order
from agents.training.arguments import read_arguments
from agents.training.checkpoints import RunFolder
from agents.training.columns import Columns
from agents.training.command import main
from agents.training.config import ConfigError, TrainingConfig
from agents.training.rooms import Rooms, make_room, room_seed
from agents.training.runner import resumed
from agents.training.self_play import SelfPlay, check_players
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent

from ..evaluation.ray_double import RayDouble
from ..support.errors import refused
from ..support.ray_nodes import ray_nodes
from .runs import reopened, session, tiny, weights
from .test_resuming import EXACT, Stop

BLOCKS: dict[str, Any] = EXACT | {"blocks": 4, "frames": 768}


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> RayDouble:
    ray = RayDouble()
    for module in (cluster, actors):
        monkeypatch.setattr(module, "load_ray", lambda: ray)
    return ray


def outcome(run: SelfPlay) -> tuple[Any, ...]:
    """All that a run comes to: weights, what opponents won, snapshots, figures but of time."""
    figures = [
        {name: value for name, value in row.items() if not name.startswith("time/")}
        for row in csv.DictReader((run.folder.path / "progress.csv").open())
    ]
    snapshots = {name: array.tobytes() for name, array in run.pool.to_arrays().items()}
    return weights(run), run.pool.results, snapshots, figures


def learned(folder: Path, *callbacks: BaseCallback, **options: Any) -> SelfPlay:
    run = session(folder, **options)
    run.learn(*callbacks)
    return run


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[int, tuple[Any, ...]]:
    """What runs of one and of four blocks come to that are played in this process."""
    folder = tmp_path_factory.mktemp("here")
    return {blocks: outcome(learned(folder, **BLOCKS | {"blocks": blocks})) for blocks in (1, 4)}


@pytest.mark.parametrize("blocks", [1, 4])
def test_what_is_played_elsewhere_comes_to_the_same(
    blocks: int, double: RayDouble, tmp_path: Path, here: dict[int, tuple[Any, ...]]
) -> None:
    there = learned(tmp_path, cluster=Cluster(), **BLOCKS | {"blocks": blocks})
    assert isinstance(there.env, FarRooms)
    assert outcome(there) == here[blocks]
    assert double.given == 0
    assert double.calls == ["init", "shutdown"]


def test_another_number_of_blocks_gives_other_weights(here: dict[int, tuple[Any, ...]]) -> None:
    assert here[1][0] != here[4][0]
    assert [row["frames"] for row in here[1][3]] == [row["frames"] for row in here[4][3]]


def test_a_snapshot_is_sent_once(
    double: RayDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    put = double.put

    def noted(value: Any) -> Any:
        sent.append(value)
        return put(value)

    monkeypatch.setattr(double, "put", noted)
    learned(tmp_path, cluster=Cluster(), **BLOCKS | {"frames": 1280, "checkpoint_every": 9})
    names = [value.name for value in sent if isinstance(value, PolicyPlayer)]
    assert len(names) == len({*names}) == 4
    assert sum(isinstance(value, dict) for value in sent) == 5  # the weights, once a rollout


def test_no_more_blocks_are_given_out_than_workers_are_wanted(
    double: RayDouble, tmp_path: Path
) -> None:
    learned(tmp_path, cluster=Cluster(workers=2), blocks=8, frames=256)
    assert double.most_given == 2


def test_a_run_on_a_cluster_goes_on_from_its_checkpoint(
    double: RayDouble, tmp_path: Path, here: dict[int, tuple[Any, ...]]
) -> None:
    folder, config, there = RunFolder.at(tmp_path), tiny(tmp_path, **BLOCKS), Cluster()
    cut = SelfPlay(config, folder, only_checkpoints=True, cluster=there)
    with pytest.raises(KeyboardInterrupt):
        cut.learn(Stop(2 * 4 + 3))  # in the third rollout, when three of its blocks are there
    assert double.given == 0
    last = resumed(config, reopened(folder.path), only_checkpoints=True, cluster=there)
    assert last.model.num_timesteps == 512
    last.learn()
    assert outcome(last)[:3] == here[4][:3]


def orders(folder: Path, double: RayDouble, monkeypatch: pytest.MonkeyPatch) -> list[Order]:
    """All blocks that a small run orders."""
    given: list[Order] = []
    submit = cluster.RayPool.submit

    def noted(self: Any, order: Order) -> Any:
        given.append(order)
        return submit(self, order)

    monkeypatch.setattr(cluster.RayPool, "submit", noted)
    learned(folder, cluster=Cluster(), **BLOCKS)
    return given


def test_a_block_that_is_ordered_again_comes_to_the_same_whoever_plays_it(
    double: RayDouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = orders(tmp_path, double, monkeypatch)
    assert len(given) == 12
    config = tiny(tmp_path, **BLOCKS)
    baselines = [resolve_agent(name) for name in config.pool.baselines]
    old = Actor(config, baselines, double.get)
    before = [old.play(order) for order in given]
    for order, first in reversed([*zip(given, before, strict=True)][2::4]):
        for actor in (old, Actor(config, baselines, double.get)):
            again = actor.play(order)
            pairs = zip(first.columns, again.columns, strict=True)
            assert all((one == other).all() for one, other in pairs)
            assert again.standing.players == first.standing.players
            assert again.standing.report.opponents == first.standing.report.opponents


def test_rooms_play_apart_each_with_streams_of_its_own(tmp_path: Path) -> None:
    """The first as if it were alone; no two play the same hands."""
    config = tiny(tmp_path, blocks=4)
    run = session(tmp_path)

    def played(count: int) -> Columns:
        rooms = Rooms([make_room(config, ["random", "caller"]) for _ in range(count)])
        rooms.seed(7)
        rooms.seed_choices(9)
        rooms.reset()
        columns = Columns.empty(16, 4 * count, run.env.observation_space.shape[0], 2)
        assert sum(rooms.rollout(run.model.chooser, columns)) == 64 * count
        assert rooms.report.finished_hands > 0
        return columns

    alone, four = played(1), played(4)
    assert all((a == b).all() for a, b in zip(alone, four.of_tables(0, 4), strict=True))
    seen = [four.observations[:, start : start + 4].tobytes() for start in range(0, 16, 4)]
    assert len({*seen}) == 4
    assert len({room_seed(7, number) for number in range(100)}) == 100


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures, which take longer than these runs."""
    monkeypatch.setattr(runner, "draw_page", lambda folder: folder)


@pytest.mark.usefixtures("undrawn")
def test_a_block_that_nobody_survives_stops_the_run_and_it_goes_on(
    double: RayDouble, tmp_path: Path
) -> None:
    class Deadly(BaseCallback):
        def _on_step(self) -> bool:
            if self.num_timesteps == 256:
                double.deaths = 1
            return True

    run = session(tmp_path, cluster=Cluster(), **BLOCKS)
    with refused("block of a rollout", "6 workers", "The worker died", kind=WorkerLost):
        run.learn(Deadly())
    assert read_card(run.folder.model_path).frames == 256
    words = ["--resume", str(run.folder.path), "--ray", "local", "--frames", "512"]
    assert main(words) == 0
    assert read_card(run.folder.model_path).frames == 512


def test_no_cluster_is_one_sentence_and_leaves_no_folder(
    double: RayDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--ray", "nowhere", "--runs", str(tmp_path / "runs")]) == 2
    assert "no Ray cluster at 'nowhere'" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


@pytest.mark.usefixtures("undrawn")
def test_a_sweep_plays_on_the_cluster_too(double: RayDouble, tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(
        "frames: 256\nblocks: 2\nppo: {num_tables: 8, steps: 16, minibatch: 64, layers: [8]}\n"
        "pool: {baselines: {random: 1.0}}\n"
        "rating: {opponents: [caller], every: 0, final_decks: 20}\n"
    )
    tables = []
    for name, more in (("here", []), ("there", ["--ray", "local", "--workers", "2"])):
        words = ["--config", str(file), "--seeds", "0", "1", "--runs", str(tmp_path / name)]
        assert main([*words, *more]) == 0
        tables.append((tmp_path / name / "sweep-small" / "table.csv").read_text())
    assert tables[0] == tables[1]
    assert double.calls == ["init", "shutdown"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--workers", "2"], "or --ray local"),
        (["--ray", "local", "--workers", "0"], "--workers must be"),
        (["--ray", "local", "--workers", "two"], "'two'"),
        (["--ray"], "--ray needs a cluster's address"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words: list[str], told: str) -> None:
    with refused(told, kind=ConfigError):
        read_arguments(words)


@pytest.mark.parametrize(
    "values", [{"blocks": 3}, {"blocks": 512, "table": {"num_players": (2, 3)}}]
)
def test_blocks_that_are_not_alike_are_refused(values: dict[str, Any]) -> None:
    with refused("blocks=", "ppo.num_tables=512", kind=ConfigError):
        TrainingConfig(**values)


def test_a_player_that_remembers_plays_in_one_block_of_this_process_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player = SimpleNamespace(name="elephant", reset=lambda: None)
    monkeypatch.setitem(check_players.__globals__, "resolve_agent", lambda _: player)
    check_players(TrainingConfig())
    for config, where in ((TrainingConfig(blocks=2), None), (TrainingConfig(), Cluster())):
        with refused("pool.baselines", "remembers", "--ray", kind=ConfigError):
            check_players(config, where)


def test_a_player_that_cannot_be_sent_is_refused(tmp_path: Path) -> None:
    run = session(tmp_path)
    run.pool.baselines[0] = SimpleNamespace(name="bound here", act=lambda *_: None)
    with refused("'bound here'", "pickle", "without a cluster", kind=ValueError):
        FarRooms(run.config, run.pool, Cluster())


class Doomed:
    """Plays as another does, and kills its process once, unless that is where it was made."""

    def __init__(self, player: Agent, place: Path) -> None:
        self.player, self.place, self.home = player, place, os.getpid()
        self.name = player.name
        self.asked = 0

    def act(self, views: Any, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        self.asked += 1
        if os.getpid() != self.home and self.asked == 150:
            try:
                self.place.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return self.player.act(views, observations, masks, rng)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Two nodes of one processor each, and a head that plays nothing."""
    pytest.importorskip("ray", reason="the extra ray is not installed")
    with ray_nodes(2) as together:
        yield together


@pytest.mark.slow
def test_two_actors_give_the_weights_of_one_process_and_survive_the_kill_of_one(
    nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = BLOCKS | {"frames": 1536}
    here = outcome(learned(tmp_path / "here", **options))
    assert outcome(learned(tmp_path / "there", cluster=Cluster(), **options)) == here

    flag = tmp_path / "killed"

    def doomed(name: str) -> Agent:
        return Doomed(resolve_agent(name), flag)

    monkeypatch.setattr(pool, "resolve_agent", doomed)
    assert outcome(learned(tmp_path / "killed actor", cluster=Cluster(), **options)) == here
    assert flag.exists()


@pytest.mark.slow
def test_the_kill_of_a_node_changes_nothing(nodes: Any, tmp_path: Path) -> None:
    options = BLOCKS | {"frames": 2048}
    here = outcome(learned(tmp_path / "here", **options))
    killed = threading.Event()

    class Kill(BaseCallback):
        def _on_step(self) -> bool:
            if self.num_timesteps >= 1024 and not killed.is_set():
                victim = next(iter(nodes.worker_nodes))
                threading.Thread(
                    target=nodes.remove_node, args=(victim,), kwargs={"allow_graceful": False}
                ).start()
                killed.set()
                time.sleep(0.5)
            return True

    run = learned(tmp_path / "there", Kill(), cluster=Cluster(), **options)
    assert killed.is_set()
    assert outcome(run) == here
