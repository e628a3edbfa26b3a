"""Pictures in notebooks: of hands and views by themselves, and of scenes by `Picture`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from razz_env.render.making import hand_scene, seat_scene
from razz_env.render.scene import Scene
from razz_env.render.svg import table_svg
from razz_env.rules.hand import Hand
from razz_env.rules.record import SeatView

NOTEBOOK_WIDTH = 640


@dataclass(frozen=True)
class Picture:
    """A table that notebooks show; `svg` is its text."""

    scene: Scene
    theme: str = "auto"
    four_colours: bool = False

    @property
    def svg(self) -> str:
        """The SVG document."""
        return table_svg(
            self.scene, theme=self.theme, four_colours=self.four_colours, width=NOTEBOOK_WIDTH
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="max-width:{NOTEBOOK_WIDTH}px">{self.svg}</div>'


def table(
    shown: Hand | SeatView,
    names: Sequence[str] | None = None,
    *,
    open_cards: bool = False,
    theme: str = "auto",
    four_colours: bool = False,
) -> Picture:
    """A picture of a hand as spectators see it, or of a view as its seat does.

    Args:
        shown: a `Hand`, or a `SeatView` from `Hand.view` or a batch.
        names: names of the players, one for each seat.
        open_cards: of a hand, show every card that was dealt. A view shows what its seat knows.
        theme: see `table_svg`.
        four_colours: see `table_svg`.

    Raises:
        TypeError: neither a hand nor a view.
        ValueError: a wrong number of names, an unknown theme.
    """
    if isinstance(shown, Hand):
        scene = hand_scene(shown, names, open_cards=open_cards)
    else:
        scene = seat_scene(shown, names)
    return Picture(scene, theme, four_colours)


def draw(shown: Any) -> str:
    """What a hand or a view shows by itself: a hand is the full record, so all its cards."""
    return table(shown, open_cards=True).svg
