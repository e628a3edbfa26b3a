"""Run the examples of other libraries, each in an environment of its own.

`python -m tests.doors` makes the environments `.venv-door-NAME` anew and runs each library's tests
in its own; `python -m tests.doors torchrl tianshou` only those two. They are no part of
`python -m tests.check`, because every library wants other versions of the same packages.
"""

import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.check import ROOT, run_in_turn

DOORS = ("rllib", "torchrl", "tianshou")


def main(names: list[str]) -> int:
    """Run the named doors, or all of them, and return the exit status of the first that fails."""
    return run_in_turn(run, names, DOORS, "door")


def run(name: str) -> int:
    """Make one environment, run its tests, say how long both took; the exit status."""
    start = time.perf_counter()
    python = environment(name)
    status = install(name, python)
    installed = time.perf_counter()
    if status:
        print(f"\nThe door {name} could not be installed: status {status}.")
        return status
    test = ["-m", "pytest", "-q", f"tests/examples/test_{name}.py"]
    status = execute([str(python), *test])
    seconds = time.perf_counter() - installed
    print(
        f"({name}: installed in {installed - start:.0f} s, tested in {seconds:.0f} s)", flush=True
    )
    return status


def environment(name: str) -> Path:
    """A new virtual environment; its Python."""
    folder = ROOT / f".venv-door-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    execute([sys.executable, "-m", "venv", str(folder)])
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def install(name: str, python: Path) -> int:
    """Install the package with the extra and pytest, in the versions that are known to work."""
    pins = ROOT / "constraints" / f"{name}.txt"
    command = ["-m", "pip", "install", "-q", "-c", str(pins), "-e", f".[{name}]", "pytest"]
    return execute([str(python), *command])


def execute(command: list[str]) -> int:
    """Run a command from the root of the project."""
    print(f"\n$ {' '.join(command)}", flush=True)
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
