"""What a figure depends on: processor, cores, versions, load. No name of a machine or path."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("razz-env", "numpy", "numba")


def facts(packages: tuple[str, ...] = PACKAGES) -> dict[str, str]:
    """Name -> text, those packages left out that are not installed."""
    found = {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "packages": ", ".join(f"{name} {number}" for name, number in _versions(packages)),
    }
    if hasattr(os, "getloadavg"):
        found["load before"] = f"{os.getloadavg()[0]:.1f} (the mean of the last minute)"
    return found


def _versions(packages: tuple[str, ...]) -> list[tuple[str, str]]:
    found = []
    for name in packages:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    """The processor's model, if the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
