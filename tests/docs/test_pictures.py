"""The page about pictures: its Python runs, its pictures are there and current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents.training.logs import STREET_NAMES
from docs import made_by_running
from docs.make_pictures import PICTURES
from docs.missing import CannotBeMade
from docs.training_curve import training_curve

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
    with pytest.raises(CannotBeMade, match=r"python train\.py"):
        made_by_running.training()
    (tmp_path / "result.json").touch()
    names = ["frames", "pool/snapshots", "pool/caller", "pool/random", *STREETS]
    lines = [",".join(names), "1000,1,,5,.5,.5,.5,.5,.5", "2000,2,9,9.5,.3,.3,.3,.3,.3"]
    (tmp_path / "progress.csv").write_text("\n".join(lines))
    assert made_by_running.training().startswith(b"\x89PNG")


STREETS = [f"entropy/{street}" for street in STREET_NAMES]
MANY = [f"pool/p{number}" for number in range(7)]


@pytest.mark.parametrize(
    ("columns", "lines", "words"),
    [
        (None, [], "missing or damaged"),
        (["pool/caller", *STREETS], [], "ends without"),
        (["pool/caller", *STREETS], ["1000,5,.5,.5,.5,.5,"], "ends without"),
        (["pool/caller"], ["1000,5"], "ends without"),
        (STREETS, ["1000,.5,.5,.5,.5,.5"], "ends with 0"),
        ([*MANY, *STREETS], ["1000" + ",1" * 12], "1 to 6 opponents, and .* ends with 7"),
    ],
)
def test_a_run_without_such_figures_makes_no_training_curve(
    columns: list[str] | None, lines: list[str], words: str, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    if columns is not None:
        text = "\n".join([",".join(["frames", *columns]), *lines])
        (tmp_path / "progress.csv").write_text(text)
    with pytest.raises(CannotBeMade, match=words):
        training_curve(tmp_path)


def test_the_crosstable_is_that_of_a_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(made_by_running, "PLAYERS", ("caller", "random"))
    monkeypatch.setattr(made_by_running, "HANDS", 20)
    small = made_by_running.crosstable()
    assert small.startswith(b"\x89PNG")
    monkeypatch.setattr(made_by_running, "find_spec", lambda name: None)
    with pytest.raises(CannotBeMade, match="matplotlib"):
        made_by_running.crosstable()
