"""The commands on the page about spots and swings exist, with the options that it names."""

import inspect
import re
import shlex
from pathlib import Path

import pytest

from agents.cli import main
from agents.evaluation.swings_command import swings
from agents.history_commands import replay_command
from agents.inspection.command import inspect_command

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "inspect.md").read_text()
RATING = (DOCS / "rating.md").read_text()
FUNCTIONS = {"inspect": inspect_command, "swings": swings, "replay": replay_command}


def parameters(command: str) -> set[str]:
    return set(inspect.signature(FUNCTIONS[command]).parameters)


def test_commands_have_the_options_that_they_are_given() -> None:
    lines = re.findall(r"^razz (\w+) (.*)", PAGE, re.MULTILINE)
    assert {command for command, _ in lines} == set(FUNCTIONS)
    for command, rest in lines:
        assert {name.replace("-", "_") for name in re.findall(r"--([a-z-]+)", rest)} <= parameters(
            command
        )


def test_options_in_the_text_are_those_of_a_command() -> None:
    named = set(re.findall(r"`--([a-z-]+)", PAGE))
    assert "samples" in named
    known = parameters("inspect") | parameters("swings")
    assert {name.replace("-", "_") for name in named} <= known


def test_the_spot_looks_as_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    command, shown = re.findall(r"```(?:sh)?\n(.*?)```", PAGE, re.DOTALL)[:2]
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", RATING, re.DOTALL))
def test_python_blocks_of_the_rating_run(block: str) -> None:
    exec(compile(block, "rating.md", "exec"), {})
