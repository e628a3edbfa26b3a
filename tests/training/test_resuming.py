"""Going on: exactly from checkpoints, after Ctrl-C while rating, with damaged files, locked."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from agents import whole_files
from agents.lock import FolderInUse, locked
from agents.players.model_file import ModelError, read_card
from agents.training import command, runner, self_play
from agents.training.arguments import Request
from agents.training.checkpoints import RunFolder, Unsaved, save_model
from agents.training.command import main
from agents.training.logs import CsvLog, read_log
from agents.training.runner import resumed, train
from agents.training.self_play import SelfPlay

from ..support.errors import refused
from .runs import reopened, session, tiny, weights

DEEP = b"[" * 100_000
"""More levels than Python reads."""

EXACT: dict[str, Any] = {
    "frames": 2048,
    "table": {"num_players": (2, 3)},
    "ppo": {"critic": "all_cards", "magnet": 0.01, "magnet_every": 3},
    "pool": {"priority_bb_per_100": 50.0, "snapshot_every": 1, "max_snapshots": 3},
}


class Stop(BaseCallback):
    """Ctrl-C at a step."""

    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step

    def _on_step(self) -> bool:
        if self.n_calls == self.step:
            raise KeyboardInterrupt
        return True


def test_a_run_that_goes_on_from_a_checkpoint_ends_as_one_that_was_never_stopped(tmp_path):
    whole = session(tmp_path / "whole", **EXACT)
    whole.learn()
    config = tiny(tmp_path / "cut", **EXACT)
    folder = RunFolder.at(tmp_path / "cut")
    for step in (70, 50):
        cut = (
            SelfPlay(config, folder, only_checkpoints=True)
            if step == 70
            else resumed(config, reopened(folder.path), only_checkpoints=True)
        )
        with pytest.raises(KeyboardInterrupt):
            cut.learn(Stop(step))
    last = resumed(config, reopened(folder.path), only_checkpoints=True)
    assert last.model.num_timesteps == 1536
    last.learn()
    assert weights(last) == weights(whole)
    assert last.pool.results == whole.pool.results
    ours, theirs = last.pool.to_arrays(), whole.pool.to_arrays()
    assert all((ours[name] == theirs[name]).all() for name in ours.keys() | theirs.keys())
    figures = [
        [
            {k: v for k, v in row.items() if not k.startswith("time/")}
            for row in csv.DictReader((run.folder.path / "progress.csv").open())
        ]
        for run in (last, whole)
    ]
    assert [row["frames"] for row in figures[0]] == [row["frames"] for row in figures[1]]
    assert [r["rollout/bb_per_100"] for r in figures[0]] == [
        r["rollout/bb_per_100"] for r in figures[1]
    ]


def test_ctrl_c_in_the_final_rating_tells_how_to_rate(tmp_path, monkeypatch, capsys):
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "read_arguments", lambda *_: Request(tiny(tmp_path)))
    monkeypatch.setattr(SelfPlay, "rate_at_length", interrupt)
    assert main([]) == 130
    folder = tmp_path / "tiny"
    assert f"--resume {folder}" in capsys.readouterr().out
    assert not (folder / "result.json").exists()
    monkeypatch.undo()
    before = weights(session(tmp_path, resume=folder))
    assert train(Request(tiny(tmp_path), folder)).path == folder
    assert (folder / "result.json").exists()
    assert weights(session(tmp_path, resume=folder, frames=2048)) == before


def test_ctrl_c_before_a_model_is_saved_leaves_no_folder(tmp_path, monkeypatch, capsys):
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "read_arguments", lambda *_: Request(tiny(tmp_path)))
    for place, name in ((SelfPlay, "__init__"), (SelfPlay, "save")):
        with monkeypatch.context() as stopping:
            stopping.setattr(place, name, interrupt)
            assert main([]) == 130
        told = capsys.readouterr().out
        assert f"{tmp_path / 'tiny'} is deleted" in told
        assert "--resume" not in told
        assert list(tmp_path.iterdir()) == []


def test_two_trainings_in_one_folder_are_refused(tmp_path):
    run = session(tmp_path)
    program = (
        "import sys; from pathlib import Path; from agents.lock import FolderInUse, locked\n"
        "with locked(Path(sys.argv[1])): pass"
    )
    command = [sys.executable, "-c", program, str(run.folder.path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with locked(run.folder.path):
        with refused(run.folder.path, "in use", kind=FolderInUse):
            run.learn()
        other = subprocess.run(
            command, check=False, capture_output=True, text=True, env=environment
        )
        assert "is in use" in other.stderr
    assert subprocess.run(command, check=False, env=environment).returncode == 0
    run.learn()


def test_the_lock_is_held_over_the_rating_and_the_pages(tmp_path, monkeypatch):
    tried = []

    def look(name: str, then: Any) -> Any:
        def look_first(*given: Any) -> Any:
            with refused("in use", kind=FolderInUse):
                train(Request(tiny(tmp_path, frames=2048), tmp_path / "tiny"))
            tried.append(name)
            return then(*given)

        return look_first

    monkeypatch.setattr(self_play, "rate_player", look("rating", self_play.rate_player))
    monkeypatch.setattr(runner, "draw_page", look("picture", lambda folder: folder / "page.png"))
    monkeypatch.setattr(runner, "write_page", look("page", runner.write_page))
    train(Request(tiny(tmp_path, frames=256)))
    assert tried == ["rating", "picture", "page"]
    with locked(tmp_path / "tiny"):
        pass


def make_full(path: Path) -> None:
    """Whatever is written there finds a disk without room."""
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/full")


def make_full_in_part(path: Path) -> None:
    """The same for a file that is there and is to be written anew, by way of another one."""
    make_full(path.with_name(f"{path.name}.known.part"))


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize(
    ("name", "damage", "reason"),
    [
        ("model.zip", make_full_in_part, "No space left on device"),
        ("checkpoints/000000000512.zip", Path.mkdir, "Is a directory"),
        ("tensorboard", Path.touch, "File exists"),
    ],
)
def test_what_cannot_be_written_is_told_in_one_sentence_and_nothing_is_lost(
    name, damage, reason, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(whole_files.secrets, "token_hex", lambda _: "known")
    run = session(tmp_path, frames=256)
    run.learn()
    path = run.folder.path
    if name == "tensorboard":
        shutil.rmtree(path / name)
    damage(path / name)
    assert main(["--resume", str(path), "--frames", "768"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    for part in (f"{path / name}", reason, "is whole", f"--resume {path}"):
        assert part in line
    assert not list(path.glob("**/*.part"))
    learned = read_card(path / "model.zip").frames
    assert learned == (512 if "checkpoints" in name else 256)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize("name", ["model.zip", "log.csv"])
def test_a_full_disk_names_the_file(name, tmp_path):
    run = session(tmp_path)
    log = CsvLog(tmp_path / "log.csv", ("frames",), 0)
    write = {
        "model.zip": lambda: save_model(tmp_path / name, run.model, run.card()),
        "log.csv": lambda: log.add({"frames": 1}),
    }
    make_full(tmp_path / name)
    with pytest.raises(OSError, match="No space left") as error:
        write[name]()
    assert error.value.filename == str(tmp_path / name)


def test_pages_that_are_missing_are_made_by_resuming(tmp_path, monkeypatch, capsys):
    def draw(folder: Path) -> Path:
        if not (tmp_path / "room").exists():
            raise OSError(28, "No space left on device", str(folder / "page.png"))
        (folder / "page.png").touch()
        return folder / "page.png"

    monkeypatch.setattr(runner, "draw_page", draw)
    with pytest.raises(Unsaved, match=r"page.png cannot be written: No space"):
        train(Request(tiny(tmp_path, frames=256)))
    folder = tmp_path / "tiny"
    (tmp_path / "room").touch()
    before = (folder / "result.json").read_bytes()
    assert main(["--resume", str(folder)]) == 0
    assert "(page.png)" in (folder / "page.md").read_text()
    assert (folder / "result.json").read_bytes() == before
    assert main(["--resume", str(folder)]) == 2
    assert "256 frames already" in capsys.readouterr().err


def test_a_final_rating_that_was_cut_short_is_not_told_twice(tmp_path, monkeypatch):
    def kill(*_: Any) -> None:
        raise KeyboardInterrupt

    run = session(tmp_path, frames=256)
    run.learn()
    with monkeypatch.context() as killing:
        killing.setattr(RunFolder, "finish", kill)
        with pytest.raises(KeyboardInterrupt):
            run.rate_at_length()
    assert main(["--resume", str(run.folder.path)]) == 0
    lines = read_log(run.folder.path / "ratings.csv")
    rated = [(line["frames"], line["players"], line["opponent"]) for line in lines]
    assert len(rated) == len(set(rated)) > 0


def test_a_kill_between_checkpoint_and_model_loses_no_checkpoint(tmp_path, monkeypatch):
    keys = {**EXACT, "checkpoint_every": 1, "frames": 1024}
    whole = session(tmp_path / "whole", **keys)
    whole.learn()
    config = tiny(tmp_path / "cut", **keys)
    cut = SelfPlay(config, RunFolder.at(tmp_path / "cut"), only_checkpoints=True)
    save = RunFolder.save

    def killed(folder: RunFolder, model: Any, *rest: Any) -> None:
        if model.num_timesteps:
            raise KeyboardInterrupt
        save(folder, model, *rest)

    with monkeypatch.context() as killing:
        killing.setattr(RunFolder, "save", killed)
        with pytest.raises(KeyboardInterrupt):
            cut.learn()
    last = resumed(config, reopened(cut.folder.path), only_checkpoints=True)
    assert last.model.num_timesteps == 0
    last.learn()
    names = [
        sorted(path.name for path in (run.folder.path / "checkpoints").iterdir())
        for run in (last, whole)
    ]
    assert names[0] == names[1] != []
    assert weights(last) == weights(whole)


def test_a_page_made_later_tells_of_what_learned(tmp_path, monkeypatch):
    run = session(tmp_path, frames=256)
    run.learn()
    run.rate_at_length()
    told = json.loads((run.folder.path / "run.json").read_text())
    told["sessions"][0]["machine"]["processor"] = "an abacus"
    told["sessions"][0]["packages"]["torch"] = "0.0.7"
    (run.folder.path / "run.json").write_text(json.dumps(told))
    assert main(["--resume", str(run.folder.path)]) == 0
    page = (run.folder.path / "page.md").read_text()
    assert "an abacus" in page
    (packages,) = [line for line in page.splitlines() if line.startswith("| packages | ")]
    assert "torch 0.0.7" in packages
    assert packages.count("torch ") == 1


def test_a_page_tells_the_packages_of_every_session(tmp_path):
    run = session(tmp_path, frames=256)
    run.learn()
    told = json.loads((run.folder.path / "run.json").read_text())
    told["sessions"][0]["packages"]["torch"] = "0.0.7"
    (run.folder.path / "run.json").write_text(json.dumps(told))
    for frames in ("512", "768"):
        assert main(["--resume", str(run.folder.path), "--frames", frames]) == 0
    page = (run.folder.path / "page.md").read_text()
    (packages,) = [line for line in page.splitlines() if line.startswith("| packages | ")]
    earlier, later = packages.split("; ")  # the last two sessions had the same
    assert "torch 0.0.7" in earlier
    assert f"torch {version('torch')}" in later


@pytest.mark.parametrize(
    ("name", "damage", "told"),
    [
        ("progress.csv", b"frames,nonsense\n1,2\n", "columns"),
        ("progress.csv", b"\xff\xfe\x00", "damaged"),
        ("ratings.csv", b"", "columns"),
        ("ratings.csv", b"frames,players,opponent,decks,bb_per_100,low,high\n1,2\n3,2\n", "line 2"),
        ("pool.json", b"{", "damaged"),
        ("pool.json", b'{"caller": 3}', "damaged"),
        ("pool.npz", b"PK\x03\x04", "damaged"),
        ("run.json", b"[]", "damaged"),
        ("run.json", b"{}", "damaged"),
        ("run.json", b'"abc"', "damaged"),
        ("run.json", b'{"sessions": [1, 2]}', "a session cannot be 1"),
        ("run.json", b'{"sessions": "abc"}', "a session cannot be 'a'"),
        ("run.json", b'{"sessions": [{"from_frames": -1}]}', "from_frames cannot be -1"),
        ("run.json", b'{"sessions": [{"from_frames": 0, "config": {"a": 1}}]}', "no key 'a'"),
        ("run.json", b'{"sessions": [{"from_frames": 0, "machine": "fast"}]}', "damaged"),
        ("run.json", b'{"sessions": [{"from_frames": 0, "machine": {"a": 7}}]}', "{'a': 7}"),
        ("run.json", b'{"sessions": [{"from_frames": 0, "packages": [7]}]}', "damaged"),
        (
            "run.json",
            b'{"sessions": [{"from_frames": 0, "packages": {"a": 7}}]}',
            "packages cannot",
        ),
        ("run.json", DEEP, "damaged"),
        ("pool.json", DEEP, "damaged"),
        ("result.json", DEEP, "damaged"),
        ("config.yaml", DEEP, "no YAML"),
        ("pool.json", b'{"caller": [-1, 3]}', "caller cannot have won"),
        ("pool.json", b'{"caller": [NaN, 3]}', "caller cannot have won"),
        ("pool.json", b'{"caller": [1, Infinity]}', "caller cannot have won"),
        ("result.json", b'{"frames": 1024, "ratings": [{"frames": "x"}]}', "frames cannot be 'x'"),
    ],
)
def test_damaged_side_files_are_told_in_one_sentence(name, damage, told, made, tmp_path, capsys):
    path = shutil.copytree(made, tmp_path / "copy")
    (path / name).write_bytes(damage)
    assert refusal(path, capsys, name, told)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that has learned and was rated."""
    run = session(tmp_path_factory.mktemp("runs"))
    run.learn()
    run.rate_at_length()
    return Path(run.folder.path)


def refusal(path: Path, capsys: pytest.CaptureFixture[str], *parts: str) -> bool:
    """Whether a run is not resumed, with one sentence that holds all parts, and learns nothing."""
    before = (path / "model.zip").read_bytes()
    capsys.readouterr()
    assert main(["--resume", str(path), "--frames", "2048"]) == 2
    told = capsys.readouterr()
    (line,) = told.err.strip().splitlines()
    assert "Learned" not in told.out
    assert (path / "model.zip").read_bytes() == before
    return all(part in line for part in parts)


@pytest.mark.parametrize(
    ("name", "column", "cell"),
    [
        ("progress.csv", "entropy/third", "much"),
        ("progress.csv", "time/frames_per_second", ""),
        ("progress.csv", "frames", "9" * 5000),
        ("ratings.csv", "low", "nan"),
        ("ratings.csv", "decks", "2.5"),
        ("ratings.csv", "bb_per_100", ""),
    ],
)
def test_cells_that_are_no_numbers_are_told(name, column, cell, made, tmp_path, capsys):
    path = shutil.copytree(made, tmp_path / "copy")
    rows = read_log(path / name)
    rows = [rows[0], rows[0]]  # a last line may be torn
    rows[0] = {**rows[0], column: cell}
    with (path / name).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert refusal(path, capsys, name, "line 2")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda array: array * np.float32(np.nan), "not finite"),
        (lambda array: array.astype(np.float64), "float64"),
        (lambda array: array.astype(str), "damaged"),
        (lambda array: array[None], "float32"),
        (None, "holds no snapshot"),
    ],
)
def test_a_damaged_pool_is_told(change, told, made, tmp_path, capsys):
    path = shutil.copytree(made, tmp_path / "copy")
    arrays = dict(np.load(path / "pool.npz"))
    name = next(name for name in arrays if name.endswith("/0/weight"))
    changed = {**arrays, name: change(arrays[name])} if change else {}
    np.savez(path / "pool.npz", **changed)
    assert refusal(path, capsys, "pool.npz", told)


@pytest.mark.parametrize(
    ("card", "told"), [(DEEP, "recursion"), (None, "frames: Input should be greater")]
)
def test_a_damaged_card_is_told(card, told, made, tmp_path, capsys):
    path = shutil.copytree(made, tmp_path / "copy")
    with zipfile.ZipFile(path / "model.zip") as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    values = json.loads(entries["razz.json"])
    entries["razz.json"] = card or json.dumps({**values, "frames": -5}).encode()
    with zipfile.ZipFile(path / "model.zip", "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    assert refusal(path, capsys, "razz.json", told)


def test_a_damaged_result_is_told(tmp_path):
    run = session(tmp_path)
    run.learn()
    (run.folder.path / "result.json").write_text("{}")
    with refused("result.json", "damaged", "delete it", kind=ModelError):
        session(tmp_path, resume=run.folder.path)


def test_a_log_is_cut_where_a_session_goes_on_and_forgives_a_torn_last_line(tmp_path):
    path = tmp_path / "log.csv"
    log = CsvLog(path, ("frames", "a", "b"), 0)
    for frames in (10, 20, 30):
        log.add({"frames": frames, "a": frames / 10, "c": "left out"})
    with path.open("a") as file:
        file.write("4")
    CsvLog(path, ("frames", "a", "b"), 20).add({"frames": 25, "b": 1})
    assert read_log(path) == [
        {"frames": "10", "a": "1.0", "b": ""},
        {"frames": "20", "a": "2.0", "b": ""},
        {"frames": "25", "a": "", "b": "1"},
    ]


@pytest.mark.parametrize("survived", range(9))
def test_a_kill_while_saving_leaves_files_of_one_time(survived, tmp_path, monkeypatch):
    """Killed after so many of the files have got their names."""
    run = session(tmp_path, **EXACT)
    run.learn()
    states = [saved_state(run.folder)]
    with torch.no_grad():
        run.model.policy.action_net.bias += 1.0
    run.pool.add(4096, run.model.policy.state_dict())
    run.pool.note([("caller", 1000, 5.0)])
    run.model.num_timesteps = 4096
    replaced, rename = [], Path.replace

    def replace(self: Path, target: Path) -> Path:
        if len(replaced) == survived:
            raise KeyboardInterrupt
        replaced.append(self.name)
        return rename(self, target)

    with monkeypatch.context() as killing:
        killing.setattr(Path, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            run.folder.save(run.model, run.pool, run.card())
    found = saved_state(reopened(run.folder.path))
    run.folder.save(run.model, run.pool, run.card())
    states.append(saved_state(run.folder))
    assert states[0] != states[1]
    assert found == states[survived > 4]


def test_what_a_kill_left_behind_goes_and_what_a_person_put_there_stays(tmp_path):
    run = session(tmp_path)
    run.learn()
    left = run.folder.path / "saving-000000000700"
    left.mkdir()
    (left / "pool.npz.part").write_bytes(b"half")
    own = [run.folder.path / name for name in ("old.pool.npz", "saving-notes.txt")]
    for path in own:
        path.write_text("mine")
    saved_state(reopened(run.folder.path))
    assert not left.exists()
    assert all(path.read_text() == "mine" for path in own)


def saved_state(folder: RunFolder) -> tuple[Any, ...]:
    """All that a session which goes on takes over, and what other programs read."""
    run = resumed(folder.config.model_copy(update={"frames": 8192}), folder)
    snapshots = {name: array.tolist() for name, array in run.pool.to_arrays().items()}
    told = json.loads((folder.path / "model.json").read_text())
    arrays = {name: array.tolist() for name, array in np.load(folder.path / "weights.npz").items()}
    return run.model.num_timesteps, weights(run), snapshots, run.pool.results, told, arrays


def test_a_pool_beside_an_earlier_model_keeps_no_snapshot_of_the_future(tmp_path):
    run = session(tmp_path)
    run.learn()
    run.pool.add(5000, run.model.policy.state_dict())
    run.folder.save(run.model, run.pool, run.card())
    assert 5000 not in session(tmp_path, resume=run.folder.path, frames=2048).pool.snapshots


def test_where_errors_go_to_a_file_a_line_tells_how_far_it_is(tmp_path, monkeypatch, capsys):
    from agents.training.callbacks import ProgressBar

    monkeypatch.setattr(self_play, "ProgressBar", lambda frames: ProgressBar(frames, False, 0.0))
    session(tmp_path, frames=512).learn()
    lines = capsys.readouterr().err.strip().splitlines()
    assert re.fullmatch(r"Frame 512 of 512 \(100%\), [\d,]+ frames/s, about 0 s left", lines[-1])
