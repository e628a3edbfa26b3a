"""Pixels of a drawing, made of the same SVG (extra `render`)."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.render.extra import RASTER, need
from razz_env.render.outlines import outlined
from razz_env.render.scene import Scene
from razz_env.render.svg import table_svg

DEFAULT_WIDTH = 800


def rgb_array(
    scene: Scene, *, width: int = DEFAULT_WIDTH, theme: str = "light", four_colours: bool = False
) -> NDArray[np.uint8]:
    """The table as pixels, uint8[height, width, 3].

    Args:
        scene: what is shown, from `seat_scene` or `hand_scene`.
        width: in pixels; the height is seven eighths of it.
        theme: "light" or "dark"; "auto" is light, as pixels have no reader's system.
        four_colours: see `table_svg`.

    Raises:
        ModuleNotFoundError: a package of the extra `render` is missing; the sentence names the
            command that installs it.
        ValueError: an unknown theme.
    """
    need("A picture in pixels", RASTER)
    import svg2png_py

    shown = "light" if theme == "auto" else theme
    svg = table_svg(scene, theme=shown, four_colours=four_colours, width=width)
    data, columns, rows = svg2png_py.svg_to_rgba(outlined(svg), _no_fonts())
    rgba = np.frombuffer(data, np.uint8).reshape(rows, columns, 4)
    rgb = np.empty((rows, columns, 3), np.uint8)
    for channel in range(3):  # several times as quick as one slice of three
        rgb[:, :, channel] = rgba[:, :, channel]
    return rgb


@cache
def _no_fonts() -> Any:
    import svg2png_py

    return svg2png_py.FontDatabase()
