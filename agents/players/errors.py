"""What is wrong with a file that should hold a player."""

from collections.abc import Mapping
from pathlib import Path


class ModelError(ValueError):
    """A model file that cannot be used: missing, damaged, or trained on something else."""


def check_observation(path: Path, trained: str, here: str, packages: Mapping[str, str]) -> None:
    """Refuse a model that was trained on other observations than this version makes.

    Args:
        path: of the model's file.
        trained: version of the observations that it was trained on.
        here: version of the same layout that is made here.
        packages: versions of the packages that trained it, by name.

    Raises:
        ModelError: naming both versions.
    """
    if trained != here:
        raise ModelError(
            f"{path} was trained on observation {trained!r} and this version of razz_env makes "
            f"{here!r}: train it again, or use the version that trained it "
            f"({packages.get('razz-env', 'unknown')})."
        )
