"""The page about pictures: its Python runs, its pictures are there and current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents.training.logs import STREET_NAMES
from docs import made_by_running
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


def test_the_training_curve_shows_what_a_run_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(made_by_running, "RUN", tmp_path)
    with pytest.raises(made_by_running.CannotBeMade, match=r"python train\.py"):
        made_by_running.training()
    (tmp_path / "result.json").touch()
    streets = [f"entropy/{street}" for street in STREET_NAMES]
    names = ["frames", "pool/snapshots", "pool/caller", "pool/random", *streets]
    lines = [",".join(names), "1000,1,,5,.5,.5,.5,.5,.5", "2000,2,9,9.5,.3,.3,.3,.3,.3"]
    (tmp_path / "progress.csv").write_text("\n".join(lines))
    assert made_by_running.training().startswith(b"\x89PNG")
