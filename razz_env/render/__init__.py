"""Floor 3: drawings of a table.

`seat_scene` and `hand_scene` tell what a picture shows and `table_svg` draws it; `choices` are the
words on the buttons. `table` is a picture for a notebook, `rgb_array` is pixels, `hand_scenes` and
`seat_scenes` with `gif_bytes` or `html_page` are films; `razz_env.render.ansi` is text. Names are
imported when they are first used, because the environments need the text only.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from razz_env.render.animation import gif_bytes, html_page
    from razz_env.render.making import hand_scene, seat_scene
    from razz_env.render.moments import hand_scenes, seat_scenes
    from razz_env.render.notebook import Picture, table
    from razz_env.render.prompts import Choice, choices
    from razz_env.render.raster import rgb_array
    from razz_env.render.scene import Scene, ScenePot, SceneSeat
    from razz_env.render.svg import table_svg

_HOMES = {
    "Choice": "prompts",
    "choices": "prompts",
    "Scene": "scene",
    "ScenePot": "scene",
    "SceneSeat": "scene",
    "hand_scene": "making",
    "seat_scene": "making",
    "hand_scenes": "moments",
    "seat_scenes": "moments",
    "gif_bytes": "animation",
    "html_page": "animation",
    "rgb_array": "raster",
    "Picture": "notebook",
    "table": "notebook",
    "table_svg": "svg",
}

__all__ = [
    "Choice",
    "Picture",
    "Scene",
    "ScenePot",
    "SceneSeat",
    "choices",
    "gif_bytes",
    "hand_scene",
    "hand_scenes",
    "html_page",
    "rgb_array",
    "seat_scene",
    "seat_scenes",
    "table",
    "table_svg",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'razz_env.render' has no attribute {name!r}")
    value = getattr(import_module(f"razz_env.render.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
