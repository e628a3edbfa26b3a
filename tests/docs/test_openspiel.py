"""The Python blocks of the page on OpenSpiel run as they stand."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "openspiel.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_python_block_runs(block: str) -> None:
    pytest.importorskip("pyspiel")
    exec(compile(block, "openspiel.md", "exec"), {})
