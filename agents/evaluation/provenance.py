"""Where a report comes from: its command, the versions and the source that played, the players."""

import hashlib
import importlib.util
import platform
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from razz_env.envs.agent import Agent, identity_of

PACKAGES = ("razz-env", "numpy", "numba", "scipy", "torch")
OWN = ("agents", "razz_env")


def provenance(command: str, players: Sequence[Agent]) -> dict[str, Any]:
    """What a report says of its origin, ready for JSON.

    The source of a package is the hash of all its Python files: those of this project, and of every
    other package that a player's class comes from. A player's identity is for trained ones a hash
    of the weights, see `razz_env.envs.agent.identity_of`.
    """
    return {
        "command": command,
        "versions": versions(),
        "machine": f"{platform.machine()} {platform.system()}",
        "source": {name: source_hash(name) for name in packages_of(players)},
        "identities": {player.name: identity_of(player) for player in players},
    }


def made_by(command: str) -> str:
    """The command and the versions as two lines of text."""
    packages = ", ".join(f"{name} {number}" for name, number in versions().items())
    return f"{command}\n{packages}"


def versions() -> dict[str, str]:
    """Versions of what a result may depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def packages_of(players: Iterable[Agent]) -> list[str]:
    """The packages or modules of this project and of the players' classes, in order of name."""
    return sorted({*OWN, *(type(player).__module__.partition(".")[0] for player in players)})


def source_hash(name: str) -> str:
    """SHA-256 of the Python files of a package or module, "unknown" where there are none."""
    files = _files(name)
    if not files:
        return "unknown"
    digest = hashlib.sha256()
    for place, file in files:
        content = file.read_bytes()
        digest.update(f"{place} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(name: str) -> list[tuple[str, Path]]:
    """The files of a package with their places in it, in order, or the one file of a module."""
    if name == "__main__":
        file = getattr(sys.modules[name], "__file__", None)
        return [(name, Path(file))] if file else []
    found = importlib.util.find_spec(name)
    if found is None:
        return []
    roots = [Path(root) for root in found.submodule_search_locations or ()]
    if not roots:
        path = Path(found.origin or "")
        return [(name, path)] if path.suffix == ".py" else []
    return sorted(
        (file.relative_to(root).as_posix(), file) for root in roots for file in root.rglob("*.py")
    )
