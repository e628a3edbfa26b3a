"""How a table of an environment is shown: as text, as pixels or in a window.

Drawing is imported when a picture is first asked for, so that training needs none of it.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from razz_env.rules.record import SeatView

if TYPE_CHECKING:
    from razz_env.render.scene import Scene
    from razz_env.render.window import Window

Pixels = NDArray[np.uint8]


def seat_pixels(view: SeatView) -> Pixels:
    """The table as one seat sees it, uint8[height, width, 3]."""
    from razz_env.render.making import seat_scene
    from razz_env.render.raster import rgb_array

    return rgb_array(seat_scene(view))


class Shown(ABC):
    """What the environments of a single table share of showing it, by `render_mode`."""

    render_mode: str | None
    metadata: dict[str, Any]
    _window: "Window | None" = None

    def render(self) -> str | Pixels | None:
        """The table by `render_mode`.

        Returns:
            Text in mode "ansi", pixels uint8[height, width, 3] in "rgb_array"; None in "human",
            which shows them in a window, and without a mode.
        """
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi":
            return self._text()
        from razz_env.render.raster import rgb_array

        picture = rgb_array(self._scene())
        if self.render_mode == "rgb_array":
            return picture
        self._show(picture)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def _show(self, picture: Pixels) -> None:
        from razz_env.render.window import Window

        if self._window is None:
            self._window = Window("Razz", self.metadata["render_fps"])
        self._window.show(picture)

    @abstractmethod
    def _text(self) -> str:
        """The table as text."""

    @abstractmethod
    def _scene(self) -> "Scene":
        """What a picture of the table shows."""
