"""The command `razz`."""

from __future__ import annotations

import importlib
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import razz_env
from agents.cli import COMMANDS, main


def test_without_a_command_it_tells_how_it_is_used(capsys):
    assert main([]) == 2
    assert main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert "train" in printed
    assert "evaluate" in printed


def test_an_unknown_command_is_refused(capsys):
    assert main(["trane"]) == 2
    assert "'trane'" in capsys.readouterr().err


def test_an_unknown_command_is_answered_with_the_nearest(capsys):
    assert main(["tournamnet"]) == 2
    assert "did you mean 'tournament'?" in capsys.readouterr().err
    assert main(["xyzzy"]) == 2
    assert "did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_what_a_command_names_is_there(command):
    for named in (command.function, *(text for text in command.errors if isinstance(text, str))):
        module, name = named.split(":")
        assert callable(getattr(importlib.import_module(module), name))


def test_the_version_is_told(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == razz_env.__version__


def test_to_know_the_commands_imports_none_of_them():
    program = "import sys, agents.cli; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"tyro", "numpy", "torch", "razz_env"} & set(told)
    ours = {name for name in told if name.startswith("agents.")}
    assert ours == {"agents.cli", "agents.help_text", "agents.interrupts"}


@pytest.mark.parametrize(
    "words", [["--help"], ["evaluate", "--help"], ["evaluate", "caller", "random", "--hands", "40"]]
)
def test_a_reader_that_closes_the_pipe_gets_no_traceback(words):
    program = "import sys; from agents.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    process.stdout.close()
    told = process.stderr.read().decode()
    assert process.wait() == 1
    assert "Traceback" not in told
    assert "Broken" not in told


def test_train_is_what_train_py_does(capsys, tmp_path):
    assert main(["train", "--config", str(tmp_path / "no.yaml")]) == 2
    assert "no.yaml" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    assert "razz train" in capsys.readouterr().out


def test_evaluate_rates_players(capsys):
    assert main(["evaluate", "caller", "random", "--hands", "40", "--seed", "3"]) == 0
    assert "BB/100" in capsys.readouterr().out


def test_evaluate_tells_what_is_wrong_in_one_sentence(capsys):
    assert main(["evaluate", "caller", "randm"]) == 2
    assert "'random'" in capsys.readouterr().err
    assert main(["evaluate", "caller", "ppo:nothing.zip"]) == 2
    assert "nothing.zip" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "caller", "random", "--hands", "40"],
        ["exploit", "caller", "--exact", "--rules", "kuhn"],
    ],
)
def test_a_report_is_written_also_where_nobody_reads_what_is_printed(words, tmp_path):
    program = "import sys; from agents.cli import main; sys.exit(main())"
    file = tmp_path / "report.json"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words, "--json", str(file)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    process.stdout.close()
    assert process.wait() == 1
    assert json.loads(file.read_text())


def test_evaluate_calls_its_arguments_by_name(capsys):
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    assert "AGENT OPPONENT" in capsys.readouterr().out


def test_a_missing_package_is_named_with_the_pip_command(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tyro", None)
    assert main(["evaluate", "caller", "random"]) == 2
    assert 'pip install "razz-env[report]"' in capsys.readouterr().err


@pytest.mark.parametrize("command", ["convert", "replay"])
def test_histories_need_the_small_extra_only(command, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tyro", None)
    assert main([command, "hands.txt"]) == 2
    assert 'pip install "razz-env[history]"' in capsys.readouterr().err


def test_help_on_histories_needs_no_rich(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "agents.history_commands", raising=False)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    import agents.history_commands  # the import itself is what needs no rich

    assert agents.history_commands.replay_command.__doc__


def test_train_py_names_a_missing_package_as_razz_train_does(capsys, monkeypatch):
    for module in [name for name in sys.modules if name.startswith("agents.training")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.setattr(sys, "argv", ["train.py"])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(Path(__file__).parents[2] / "train.py"), run_name="__main__")
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("`train.py` needs 'yaml'")
    assert 'pip install "razz-env[train]"' in told
    assert told.count("\n") == 1
