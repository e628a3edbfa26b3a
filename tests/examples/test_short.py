"""Every example is short, has its test and its place on the page of doors."""

import ast
from pathlib import Path

import pytest

from tests.examples.running import EXAMPLES

MOST_LINES = {"numpy_ppo": 150, "torchrl_ppo": 33, "tianshou_dqn": 31}
OTHERS = 30
FILES = sorted(EXAMPLES.glob("*.py"))


def lines_of_code(text: str) -> int:
    """Lines that are neither blank nor comments nor docstrings."""
    told = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told |= set(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(n not in told and line.strip()[:1] not in ("", "#") for n, line in lines)


def test_lines_of_code_are_neither_blank_nor_comments_nor_docstrings() -> None:
    assert lines_of_code('"""Two\nlines."""\n\n# why\nx = 1  # so\n\nprint(\n    x\n)\n') == 4


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_short(file: Path) -> None:
    assert lines_of_code(file.read_text()) <= MOST_LINES.get(file.stem, OTHERS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_some_test_runs_the_example(file: Path) -> None:
    tests = Path(__file__).parents[1].rglob("test_*.py")
    assert any(f'"{file.stem}' in test.read_text() for test in tests if test != Path(__file__))
