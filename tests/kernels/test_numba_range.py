"""The engine is compiled only by versions of numba that it has been tested with."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import numba
import pytest

from razz_env._numba_range import FIRST, LAST, REQUIREMENT, check_numba

from ..support.errors import refused

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_pyproject_asks_for_the_same_range() -> None:
    assert REQUIREMENT in tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]


@pytest.mark.parametrize("part", [(*FIRST, "0"), (*LAST, "9"), (*LAST, "0rc1")])
def test_versions_in_the_range_are_taken(part: tuple[object, ...]) -> None:
    check_numba(".".join(map(str, part)))
    check_numba(numba.__version__)


@pytest.mark.parametrize(
    "version", [f"0.{FIRST[1] - 1}.9", f"0.{LAST[1] + 1}.0", f"0.{LAST[1] + 1}.0dev0+3.gabc", "1.0"]
)
def test_others_are_refused_with_the_command_that_mends_it(version: str) -> None:
    with refused(f"numba {version},", f'pip install "{REQUIREMENT}"', kind=ImportError):
        check_numba(version)


def test_they_are_refused_where_the_engine_is_first_needed() -> None:
    code = "import numba, razz_env; numba.__version__ = '0.1.0'; razz_env.Hand"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ImportError: razz_env has not been tested with numba 0.1.0" in done.stderr
