"""The Python blocks of the page on state services run, one after the other, as they stand."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "research.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_python_blocks_run() -> None:
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "research.md", "exec"), names)
    assert len(BLOCKS) == 2
