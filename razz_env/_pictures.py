"""A hook for notebooks: whoever can draw registers here, as drawing lies floors above the rules."""

from collections.abc import Callable
from typing import Any

Drawer = Callable[[Any], str]

_drawers: list[Drawer] = []


def register(drawer: Drawer) -> None:
    """Let `drawer` make the SVG of hands and views from now on; `razz_env` registers its own."""
    _drawers[:] = [drawer]


def svg_of(shown: Any) -> str | None:
    """The picture of a hand or view; None, which notebooks take for text, if nobody draws."""
    return _drawers[0](shown) if _drawers else None


def html_of(shown: Any) -> str | None:
    """The same for a page, no wider than a person wants to see it."""
    svg = svg_of(shown)
    return None if svg is None else f'<div style="max-width:640px">{svg}</div>'
