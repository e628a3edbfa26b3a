"""Text of a drawing as outlines: for pixels that are the same on every machine, and quicker made.

The rasterizer opens the font's file for every word, which takes longer than all else. Here a
word is looked up in memory.
"""

import re
from functools import cache, lru_cache
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from razz_env.render.themes import FONT_SIZES

_TEXT = re.compile(
    r'<text(?: id="[^"]*")? class="([^"]*)"(?: x="([^"]*)")? y="([^"]*)"'
    r'(?: text-anchor="(\w+)")?>([^<]*)</text>'
)
_MISSING = "?"
"""Stands for a character that the font does not have."""


def outlined(svg: str) -> str:
    """A drawing of `table_svg` whose texts are paths, in FreeSans Bold, which pygame-ce has."""
    return _TEXT.sub(_path, svg)


def _path(match: re.Match[str]) -> str:
    kinds, x, y, anchor, words = match.groups()
    outline, width = _outline(unescape(words))
    if not outline:
        return ""
    scale = FONT_SIZES[kinds.rsplit(" ", 1)[-1]] / _font().units
    share = {"end": 1.0, "middle": 0.5}.get(anchor, 0.0)
    left = float(x or 0) - share * width * scale
    return (
        f'<path class="{kinds}" d="{outline}" '
        f'transform="translate({left:.2f} {y}) scale({scale:.5f} {-scale:.5f})"/>'
    )


@lru_cache(maxsize=4096)
def _outline(words: str) -> tuple[str, int]:
    """The path of a line of text from (0, 0) on, and its width, in units of the font."""
    font = _font()
    path, x = [], 0
    for letter in words:
        glyph = font.names.get(ord(letter)) or font.names[ord(_MISSING)]
        path.append(font.draw(glyph, x))
        x += font.widths[glyph][0]
    return "".join(path), x


class _Font:
    """The parts of a font that outlines need."""

    def __init__(self, file: Path) -> None:
        from fontTools.ttLib import TTFont

        font = TTFont(file)
        self.units: int = font["head"].unitsPerEm
        self.names: dict[int, str] = font.getBestCmap()
        self.widths: Any = font["hmtx"].metrics
        self._glyphs = font.getGlyphSet()

    def draw(self, glyph: str, x: int) -> str:
        """The path of a glyph, moved to the right."""
        from fontTools.pens.svgPathPen import SVGPathPen
        from fontTools.pens.transformPen import TransformPen

        pen = SVGPathPen(self._glyphs)
        self._glyphs[glyph].draw(TransformPen(pen, (1, 0, 0, 1, x, 0)))
        path: str = pen.getCommands()
        return path


@cache
def _font() -> _Font:
    spec = find_spec("pygame")  # which says where the package lies without importing it
    assert spec is not None
    assert spec.submodule_search_locations
    return _Font(Path(spec.submodule_search_locations[0]) / "freesansbold.ttf")
