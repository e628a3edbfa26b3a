"""The Python blocks of the page on vectors run as they stand."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "vector.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_python_block_runs(block: str) -> None:
    exec(compile(block, "vector.md", "exec"), {})
