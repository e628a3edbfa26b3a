"""The page about pictures: its Python runs, its pictures are there and current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.make_pictures import PICTURES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "pictures.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_python_block_runs(block: str) -> None:
    if "render_mode" in block:
        pytest.importorskip("svg2png_py")
    exec(compile(block, "pictures.md", "exec"), {})


def test_every_picture_of_the_pages_is_made_by_the_command() -> None:
    pages = [*DOCS.glob("*.md"), DOCS.parent / "README.md"]
    named = {name for page in pages for name in re.findall(r"images/([\w.-]+)", page.read_text())}
    assert named <= set(PICTURES)
    assert {file.name for file in (DOCS / "images").iterdir()} == set(PICTURES)


@pytest.mark.parametrize("name", [name for name in PICTURES if name.endswith(".svg")])
def test_the_pictures_are_current(name: str) -> None:
    assert (DOCS / "images" / name).read_text() == PICTURES[name]()
