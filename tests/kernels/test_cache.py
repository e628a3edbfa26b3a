"""The cache of compiled kernels cannot go stale, whatever file of a package changes."""

import subprocess
import sys
from pathlib import Path

import pytest

CALLEE = """
from razz_env._jit import kernel

@kernel
def inner(x):
    return x + {added}
"""
CALLER = """
from razz_env._jit import kernel
from made_up.callee import inner

@kernel
def outer(x):
    return inner(x) * 2

print(outer(1))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a kernel in one file that calls a kernel in another."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "made_up"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "caller.py").write_text(CALLER)
    return folder


def run(folder: Path) -> str:
    command = [sys.executable, "-m", "made_up.caller"]
    return subprocess.run(
        command, cwd=folder.parent, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_a_changed_callee_in_another_file_is_compiled_anew(package: Path) -> None:
    (package / "callee.py").write_text(CALLEE.format(added=1))
    assert [run(package), run(package)] == ["4", "4"]
    (package / "callee.py").write_text(CALLEE.format(added=100))
    assert run(package) == "202"
