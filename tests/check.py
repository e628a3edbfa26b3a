"""Run the checks of the project one after the other, and stop at the first that fails.

`python -m tests.check` runs every check, the tests last; `python -m tests.check lint types` only
those two.
"""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CHECKS = {
    "format": "ruff format --check .",
    "lint": "ruff check .",
    "types": "mypy",
    "imports": "lint-imports --no-logo",
    "docs": (
        "python -m razz_env.observation.docs --check && python -m razz_env.rules.docs --check"
        " && python -m docs.make_pictures --check"
        " && python -m tests.examples.page --check"
    ),
    "tests": "pytest -q -n 2",
}


def main(names: list[str]) -> int:
    """Run the named checks, or all of them, and return the exit status of the first that fails."""
    return run_in_turn(run, names, CHECKS, "check")


def run_in_turn(
    run: Callable[[str], int], names: Collection[str], known: Collection[str], kind: str
) -> int:
    """Run what is named, or all that is known; the exit status of the first that fails."""
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"There is no {kind} named {', '.join(unknown)}; there are {', '.join(known)}.")
        return 2
    for name in names or known:
        status = run(name)
        if status:
            return status
    return 0


def run(name: str) -> int:
    """Run one check, say how long it took, and return its exit status."""
    command = CHECKS[name]
    print(f"\n$ {command}", flush=True)
    start = time.perf_counter()
    steps = (execute(shlex.split(step)) for step in command.split(" && "))
    status = next((status for status in steps if status), 0)
    seconds = time.perf_counter() - start
    if status:
        print(f"\nThe {name} check failed after {seconds:.1f} s: `{command}`, status {status}.")
    elif name != "tests":  # pytest's own summary is the last word
        print(f"({seconds:.1f} s)", flush=True)
    return status


def execute(arguments: list[str]) -> int:
    """Run a program of the environment this Python belongs to, from the root of the project."""
    search_path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    program = shutil.which(arguments[0], path=search_path)
    if program is None:
        print(f'{arguments[0]} is missing: pip install -c constraints.txt -e ".[dev]"')
        return 127
    environment = {**os.environ, "PATH": search_path}
    command = [program, *arguments[1:]]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
