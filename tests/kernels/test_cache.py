"""Compiled kernels on disk: never stale, never half written, never in the way."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from razz_env import _jit_cache

CALLEE = """
from razz_env._jit import kernel

@kernel
def inner(x):
    return x + {added}
"""
CALLER = """
import sys
import numpy as np
from razz_env import _jit
from made_up.callee import inner

@_jit.kernel
def outer(x):
    return inner(x) * 2 + inner(np.int8(x))

_jit._LONG_SECONDS = float(sys.argv[1])
print(outer(1), outer(1.0) if "float" in sys.argv else "", len(inner._translations))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a kernel in one file that calls a kernel in another."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "made_up"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "caller.py").write_text(CALLER)
    (folder / "callee.py").write_text(CALLEE.format(added=1))
    return folder


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    """The package's program; `options` are the seconds that are long, and perhaps "float"."""
    command = [sys.executable, "-m", "made_up.caller", *(options or ("1000",))]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder.parent, stdout=pipe, stderr=pipe, text=True)


def run(folder: Path, *options: str) -> tuple[str, str]:
    """What the program writes, and what it writes to stderr."""
    program = start(folder, *options)
    out, err = program.communicate()
    assert program.returncode == 0, err
    return out.strip(), err


def kept(folder: Path) -> list[Path]:
    return sorted(path for path in (folder.parent / "cache").rglob("*") if path.is_file())


def test_a_changed_callee_in_another_file_is_compiled_anew(package: Path) -> None:
    assert [run(package)[0], run(package)[0]] == ["6  1", "6  0"]
    (package / "callee.py").write_text(CALLEE.format(added=100))
    assert run(package)[0] == "303  1"


def test_only_what_python_calls_is_kept_and_called_kernels_are_translated_once(
    package: Path,
) -> None:
    assert run(package)[0] == "6  1"
    assert [path.name.split("-")[0] for path in kept(package)] == ["__main__.outer"]


def test_processes_that_start_at_once_leave_whole_files_that_fit_their_types(
    package: Path,
) -> None:
    programs = [start(package, "1000", *more) for more in ([], ["float"], [], ["float"])]
    answers = [program.communicate()[0].split()[:-1] for program in programs]
    assert answers == [["6"], ["6", "6.0"]] * 2
    assert len(kept(package)) == 2
    assert all(path.suffix == ".bin" for path in kept(package))
    assert run(package, "1000", "float") == ("6 6.0 0", "")


def test_a_long_compilation_is_told_in_one_line_of_stderr_and_a_warm_start_says_nothing(
    package: Path,
) -> None:
    out, err = run(package, "0")
    assert out == "6  1"
    assert err.count("\n") == 1
    assert str(package.parent / "cache" / "razz_env") in err
    assert run(package, "0") == ("6  0", "")


def test_a_damaged_file_is_told_and_made_anew(package: Path) -> None:
    run(package)
    (path,) = kept(package)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    out, err = run(package)
    assert out == "6  1"
    assert "damaged" in err
    assert run(package) == ("6  0", "")


def test_without_a_folder_that_can_be_made_the_system_s_temporary_folder_serves(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    assert run(package) == ("6  1", "")
    assert run(package) == ("6  0", "")
    assert list((tmp_path / "temporary").glob("razz_env*/*/*.bin"))


def test_without_any_folder_every_process_compiles_and_says_why(
    package: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    (package / "caller.py").write_text(
        f"import tempfile\ntempfile.tempdir = {str(tmp_path / 'file')!r}\n" + CALLER
    )
    for _ in range(2):
        out, err = run(package, "0")
        assert out == "6  1"
        assert "set NUMBA_CACHE_DIR" in err


def test_a_folder_that_may_only_be_read_serves_if_it_holds_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "kernel.bin").touch()
    assert not _jit_cache._is_ready(tmp_path / "empty")
    assert _jit_cache._is_ready(tmp_path / "full")


def test_a_new_folder_clears_out_those_long_unused_and_nothing_else(tmp_path: Path) -> None:
    long_ago = time.time() - (_jit_cache.KEPT_DAYS + 1) * 86400
    for name in ("0123456789abcdef", "fedcba9876543210", "not of ours"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kernel.bin").touch()
    for name in ("0123456789abcdef", "not of ours"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    assert _jit_cache._is_ready(tmp_path / "00112233445566ff")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"fedcba9876543210", "not of ours", "00112233445566ff"}


def test_a_folder_in_use_counts_as_used_today(tmp_path: Path) -> None:
    folder = tmp_path / "0123456789abcdef"
    folder.mkdir()
    os.utime(folder, (0, 0))
    assert _jit_cache._is_ready(folder)
    assert time.time() - folder.stat().st_mtime < 86400


def test_importing_the_package_compiles_nothing_and_leaves_numba_alone() -> None:
    code = "import sys, razz_env; print('numba' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert (out.stdout.strip(), out.stderr) == ("False", "")


def test_numba_without_compiling_is_refused_at_once() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", "from razz_env import make_batch"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert "unset NUMBA_DISABLE_JIT" in told.stderr.splitlines()[-1]
