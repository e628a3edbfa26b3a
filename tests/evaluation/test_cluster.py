"""Matches on a Ray cluster: the same results to the byte, whatever dies meanwhile."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.cli import main
from agents.evaluation import AgentFault, cluster, play_match
from agents.evaluation.cluster import Cluster
from agents.evaluation.match import Stopping
from agents.evaluation.plan import WorkerLost

from ..support.errors import refused
from ..support.ray_nodes import ray_nodes
from .players import Halving, LowDoor, Stumbling, Uniform, caller
from .ray_double import RayDouble


def told(**options: Any) -> tuple[str, bytes]:
    result = play_match(
        LowDoor(), Uniform(), 2_400, 3, num_players=3, estimators=[Halving()], **options
    )
    return json.dumps(result.to_dict()), result.deck_chips.tobytes()


def fault(**options: Any) -> tuple[str, int, str]:
    with pytest.raises(AgentFault) as caught:
        play_match(Stumbling(30, ZeroDivisionError("by zero")), caller(), 2000, **options)
    return caught.value.agent, caught.value.seat, str(caught.value)


@pytest.fixture
def double(monkeypatch: pytest.MonkeyPatch) -> RayDouble:
    ray = RayDouble()
    monkeypatch.setattr(cluster, "load_ray", lambda: ray)
    return ray


def test_blocks_that_are_sent_away_come_to_the_same_result(double: RayDouble) -> None:
    for stopping in (None, Stopping(half_width=9.0)):
        assert told(stopping=stopping, cluster=Cluster()) == told(stopping=stopping)
    assert double.calls.count("init") == double.calls.count("shutdown") == 2
    assert double.given == 0


def test_as_many_tasks_are_given_out_as_there_shall_be_workers(double: RayDouble) -> None:
    for workers, most in ((1, 1), (2, 2), (None, 7)):
        double.most_given = 0
        play_match(caller(), caller(), 40_000, cluster=Cluster(workers=workers))
        assert double.most_given == most


def test_a_ray_that_was_there_before_is_left_as_it_is(double: RayDouble) -> None:
    double.init(address="local")
    play_match(caller(), Uniform(), 1000, cluster=Cluster())
    assert double.calls == ["init"]


def test_a_fault_elsewhere_is_told_as_in_this_process(double: RayDouble) -> None:
    assert fault(cluster=Cluster()) == fault()
    assert double.given == 0


def test_a_block_that_nobody_survives_ends_the_match(double: RayDouble) -> None:
    double.deaths = 1
    with refused("6 workers", "The worker died", kind=WorkerLost):
        play_match(caller(), Uniform(), 4000, cluster=Cluster())
    assert double.calls[-1] == "shutdown"


def test_a_tournament_plays_on_a_cluster_too(double: RayDouble, tmp_path: Path) -> None:
    pages = []
    for name, more in (("here", []), ("there", ["--ray", "local"])):
        words = ["tournament", "--agents", "caller", "random", "raiser", "--hands", "2400"]
        assert main([*words, "--no-plots", "--out", str(tmp_path / name), *more]) == 0
        pages.append((tmp_path / name / "report.md").read_text())
    assert pages[0] == pages[1]
    assert double.calls == ["init", "shutdown"]


def test_a_report_is_made_again_on_a_cluster_too(
    double: RayDouble, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, folder = tmp_path / "match.json", tmp_path / "tournament"
    assert main(["evaluate", "caller", "random", "--hands", "2400", "--json", str(report)]) == 0
    words = ["tournament", "--agents", "caller", "raiser", "--hands", "2400", "--no-plots"]
    assert main([*words, "--out", str(folder)]) == 0
    for told in (report, folder / "report.json"):
        capsys.readouterr()
        assert main(["evaluate", "--verify", str(told), "--ray", "local"]) == 0
        assert "comes out the same: 1,200 decks" in capsys.readouterr().out
    assert double.calls == ["init", "shutdown"] * 2


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "caller", "random", "--json", "s3://bucket/report.json"],
        ["tournament", "--agents", "caller", "random", "--no-plots", "--out", "memory://there"],
    ],
)
def test_an_address_instead_of_a_path_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--hands", "40"]) == 2
    assert "is an address" in capsys.readouterr().err


def test_no_cluster_is_one_sentence(double: RayDouble, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "caller", "random", "--hands", "40", "--ray", "nowhere"]
    assert main(words) == 2
    assert "no Ray cluster at 'nowhere' to play on (no answer)" in capsys.readouterr().err


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_where_nobody_answers_is_refused_at_once(scheme: str) -> None:
    """Ray itself would wait for minutes."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        address = f"{scheme}127.0.0.1:{taken.getsockname()[1]}"
        with refused("no Ray cluster", address, "refused", kind=ConnectionError):
            cluster._connect(Asked(), Cluster(address), 0)


class Asked:
    """A Ray that must not be asked."""

    def init(self, **_: Any) -> None:
        raise AssertionError("Ray was asked.")


@pytest.mark.parametrize("workers", [0, -1, 1.5, "two"])
def test_a_number_of_workers_that_is_none_is_refused(workers: Any) -> None:
    with refused("workers", workers, kind=ValueError):
        Cluster(workers=workers)


def test_without_ray_one_sentence_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["evaluate", "caller", "random", "--hands", "40", "--ray", "local"]) == 2
    assert 'pip install "razz-env[ray]"' in capsys.readouterr().err


DECKS = 50_000


def rated(**options: Any) -> tuple[str, bytes]:
    result = play_match("scripted:tight", "scripted:loose", DECKS, 5, **options)
    return json.dumps(result.to_dict()), result.deck_chips.tobytes()


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A head that plays nothing and three nodes of one processor each."""
    pytest.importorskip("ray", reason="the extra ray is not installed")
    with ray_nodes(3) as together:
        yield together


@pytest.mark.slow
def test_ray_gives_what_this_process_gives(nodes: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for stopping in (None, Stopping(half_width=9.0)):
        assert told(stopping=stopping, cluster=Cluster()) == told(stopping=stopping)
    assert told(cluster=Cluster(workers=1)) == told()
    assert fault(cluster=Cluster()) == fault()
    pages = []
    for more in ([], ["--ray", "local"]):
        assert main(["evaluate", "caller", "random", "--hands", "400", *more]) == 0
        pages.append(re.sub(r"[0-9.]+ s$", "", capsys.readouterr().out, flags=re.MULTILINE))
    assert pages[0] == pages[1]


@pytest.mark.slow
def test_three_nodes_give_the_same_report_with_any_number_of_workers_and_when_one_is_killed(
    nodes: Any,
) -> None:
    import ray

    alone = rated()
    for workers in (1, 2, 3, None):
        assert rated(cluster=Cluster(workers=workers)) == alone

    blocks = []
    killed = threading.Event()

    def kill_one(done: int, _: int) -> None:
        blocks.append(done)
        if done >= DECKS // 4 and not killed.is_set():
            victim = next(iter(nodes.worker_nodes))
            threading.Thread(
                target=nodes.remove_node, args=(victim,), kwargs={"allow_graceful": False}
            ).start()
            killed.set()
            time.sleep(0.5)

    assert rated(cluster=Cluster(), progress=kill_one) == alone
    assert killed.is_set()
    assert blocks == list(range(1000, DECKS + 1, 1000))  # each block once, in order
    patience = time.monotonic() + 60
    while sum(node["Alive"] for node in ray.nodes()) > 3:  # the head and two are left
        assert time.monotonic() < patience, "Ray has not noticed that a node is gone."
        time.sleep(0.5)
