"""Packages of this package's extras, imported when they are first needed."""

import importlib
from typing import Any


def load_extra(module: str, needing: str, extra: str, way_out: str = "") -> Any:
    """A module of an optional package.

    Args:
        module: its full name, such as "scipy.stats".
        needing: what cannot be had without it; the beginning of the error's sentence.
        extra: of razz-env that brings it.
        way_out: what else could be done; the end of the sentence.

    Raises:
        ModuleNotFoundError: with the pip command.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        package = module.partition(".")[0]
        raise ModuleNotFoundError(
            f"{needing} {package!r}, which is not installed: pip install "
            f'"razz-env[{extra}]"{way_out}',
            name=package,
        ) from missing
