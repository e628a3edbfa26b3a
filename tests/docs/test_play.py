"""The Python block of the page on playing runs as it stands, and its commands exist."""

import re
from pathlib import Path

from agents.cli import COMMANDS

PAGE = Path(__file__).parents[2] / "docs" / "play.md"


def test_python_block_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(block, "play.md", "exec"), {})


def test_commands_exist() -> None:
    commands = re.findall(r"^razz (\w+)", PAGE.read_text(), re.MULTILINE)
    assert commands == ["web", "play", "replay"]
    assert set(commands) <= set(COMMANDS)
