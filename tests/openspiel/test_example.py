"""The example of the docs runs as it stands, and is short."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel_cfr.py"


def test_the_example_solves_kuhn(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    runpy.run_path(str(EXAMPLE))
    last = capsys.readouterr().out.splitlines()[-1]
    assert float(last.split(": ")[1].split()[0]) < 1e-3


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 30
