"""A window that shows pictures of a table, with pygame-ce (extra `render`)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.render.extra import RASTER, need


class Window:
    """Opens with the first picture. A copy, also by `pickle`, is a window that is not open yet."""

    def __init__(self, title: str, frames_per_second: int) -> None:
        """A window of the screen that waits between pictures, so that a person can follow.

        Raises:
            ModuleNotFoundError: pygame-ce or another package of the extra `render` is missing.
        """
        need('render_mode="human"', RASTER)
        self._made_as = title, frames_per_second
        self._surface: Any = None
        self._clock: Any = None

    def __reduce__(self) -> tuple[Any, tuple[str, int]]:
        return Window, self._made_as

    @property
    def is_open(self) -> bool:
        """Whether there is a window now."""
        return self._surface is not None

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Show a picture uint8[height, width, 3], and wait as long as a frame lasts."""
        import pygame

        rows, columns, _ = picture.shape
        if self._surface is None:
            pygame.display.init()
            self._surface = pygame.display.set_mode((columns, rows))
            pygame.display.set_caption(self._made_as[0])
            self._clock = pygame.time.Clock()
        self._surface.blit(pygame.surfarray.make_surface(picture.swapaxes(0, 1)), (0, 0))
        pygame.event.pump()  # else the system takes the window for dead
        pygame.display.flip()
        self._clock.tick(self._made_as[1])

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._surface is None:
            return
        import pygame

        self._surface = self._clock = None
        pygame.display.quit()
