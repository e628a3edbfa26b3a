"""The Python block of the page on hand histories runs as it stands."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "histories.md"


def test_python_block_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(block, "histories.md", "exec"), {})
