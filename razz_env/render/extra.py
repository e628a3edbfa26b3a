"""Packages of the extra `render`, looked for before they are needed."""

from importlib.util import find_spec

_PACKAGES = {
    "svg2png_py": "svg2png-py",
    "fontTools": "fonttools",
    "pygame": "pygame-ce",
    "PIL": "pillow",
}
"""Module -> the package that has it."""

RASTER = ("svg2png_py", "fontTools", "pygame")
"""What pixels need: `pygame` has the font."""


def need(what: str, modules: tuple[str, ...]) -> None:
    """Make sure that modules of the extra are there, without importing them.

    Raises:
        ModuleNotFoundError: naming what needs which package, and the command that installs it.
    """
    for module in modules:
        if find_spec(module) is None:
            raise ModuleNotFoundError(
                f"{what} needs {_PACKAGES[module]!r}, which is not installed: "
                'pip install "razz-env[render]"',
                name=module,
            )
