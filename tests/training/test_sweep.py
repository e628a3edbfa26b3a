"""Sweeps: one command for several configurations and seeds, stopped and gone on with."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from agents.training import runner
from agents.training.arguments import SweepRequest, read_arguments
from agents.training.command import main
from agents.training.config import ConfigError, dump_config
from agents.training.self_play import SelfPlay
from agents.training.sweep import summary
from agents.training.tables import SelfPlayTables

from ..support.errors import refused
from .runs import session, tiny


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two configurations of two updates."""
    paths = []
    for name, epochs in (("one", 1), ("two", 2)):
        values = yaml.safe_load(dump_config(tiny(tmp_path / "runs", frames=512)))
        values["ppo"]["epochs"] = epochs
        values["checkpoint_every"] = 1
        path = tmp_path / f"{name}.yaml"
        path.write_text(yaml.safe_dump(values))
        paths.append(str(path))
    return paths


def test_the_command_line_of_a_sweep(files):
    request = read_arguments(["--config", *files, "--seeds", "0", "7", "--ppo.clip-range", "0.3"])
    assert isinstance(request, SweepRequest)
    assert [config.name for config in request.configs] == ["one", "two"]
    assert {config.ppo.clip_range for config in request.configs} == {0.3}
    assert request.seeds == (0, 7)
    assert request.folder.name == "sweep-one+two"
    named = read_arguments(["--config", files[0], "--sweep=mine", "--wandb"])
    assert (named.folder.name, named.seeds, named.wandb) == ("mine", (1,), True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seeds"], "--seeds needs a number"),
        (["--seeds", "1", "x"], "'x'"),
        (["--seeds", "1", "1"], "twice"),
        (["--resume", "a", "--seeds", "1"], "not both"),
        (["--sweep"], "name"),
        (["--config", "configs/quick.yaml", "configs/quick.yaml"], "two files 'quick'"),
    ],
)
def test_what_does_not_go_together_is_refused(words, told):
    with refused(told, kind=ConfigError):
        read_arguments(words)


def content(folder: Path) -> dict[str, bytes]:
    """Everything that must not depend on interruptions."""
    names = [
        "table.csv",
        "table.md",
        *(p.relative_to(folder) for p in folder.glob("*/weights.npz")),
    ]
    return {str(name): (folder / name).read_bytes() for name in names}


def test_a_sweep_that_is_stopped_anywhere_goes_on_and_ends_alike(
    files, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(runner, "draw_page", lambda folder: folder)  # it takes seconds
    words = ["--config", *files, "--seeds", "3"]
    assert main([*words, "--sweep", "whole"]) == 0
    whole = tmp_path / "runs" / "whole"
    lines = list(csv.DictReader((whole / "table.csv").open()))
    assert {(row["config"], row["seed"]) for row in lines} == {
        (name, "3") for name in ("one", "two")
    }
    assert "| one" in capsys.readouterr().out

    learn, calls = SelfPlay.learn, [0]

    def stopped(self: SelfPlay, *callbacks: Any) -> None:
        assert isinstance(self.env, SelfPlayTables)
        play = self.env.play

        def count(actions: Any) -> Any:
            calls[0] += 1
            if calls[0] in (20, 60):
                raise KeyboardInterrupt
            return play(actions)

        self.env.play = count  # type: ignore[method-assign]
        learn(self, *callbacks)

    monkeypatch.setattr(SelfPlay, "learn", stopped)
    codes = [main([*words, "--sweep", "cut"]) for _ in range(3)]
    assert codes == [130, 130, 0]
    assert content(tmp_path / "runs" / "cut") == content(whole)
    before = calls[0]
    page = tmp_path / "runs" / "cut" / "two-seed3" / "page.md"
    page.unlink()
    assert main([*words, "--sweep", "cut"]) == 0
    assert calls[0] == before  # all is there already
    assert page.is_file()


def test_another_configuration_under_the_same_name_is_refused(files, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runner, "draw_page", lambda folder: folder)
    words = ["--config", files[0], "--seeds", "3", "--sweep", "mine"]
    assert main(words) == 0
    capsys.readouterr()
    assert main([*words, "--ppo.epochs", "5"]) == 2
    told = capsys.readouterr().err
    assert "ppo.epochs=1, not 5" in told
    assert "--sweep" in told


def test_the_summary_is_the_mean_over_seeds_with_students_interval():
    def line(seed: int, value: float, opponent: str = "caller") -> dict[str, Any]:
        ends = {"low": value - 1, "high": value + 1}
        told = {"config": "a", "seed": seed, "players": 2, "opponent": opponent}
        return {**told, "bb_per_100": value, **ends}

    text = summary([line(0, 1.0), line(1, 3.0), line(2, 2.0), line(0, 9.0, "snapshot:7")])
    # t of 2 degrees of freedom at 97.5 % is 4.3027, the standard error 1 / sqrt(3).
    assert " +2.00 |" in text
    assert "-0.48 to +4.48" in text
    assert "snapshot" not in text
    assert "+0.00 to +2.00" in summary([line(0, 1.0)])


def test_wandb_gets_the_figures_if_it_is_asked_for(tmp_path, monkeypatch):
    logged: list[tuple[dict[str, Any], int]] = []
    run = SimpleNamespace(
        log=lambda values, step: logged.append((values, step)), finish=lambda: logged.append(None)
    )
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=lambda **_: run))
    training = session(tmp_path, frames=512)
    training._wandb = True
    training.learn()
    assert [entry and entry[1] for entry in logged] == [256, 512, None]
    assert "entropy/third" in logged[0][0]


def test_without_wandb_it_is_refused_before_the_training(tmp_path, monkeypatch, capsys):
    from agents.cli import main as command

    monkeypatch.setitem(sys.modules, "wandb", None)
    assert command(["train", "--wandb", "--runs", str(tmp_path)]) == 2
    assert 'pip install "razz-env[wandb]"' in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_the_training_ends_well(tmp_path, monkeypatch, capsys):
    from agents.training.arguments import Request
    from agents.training.runner import train

    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    folder = train(Request(tiny(tmp_path, frames=256))).path
    told = capsys.readouterr().out
    assert 'pip install "razz-env[report]"' in told
    assert not (folder / "page.png").exists()
    assert (folder / "result.json").exists()
