"""Floor 3: drawings of a table.

`seat_scene` and `hand_scene` tell what a picture shows, `table_svg` draws it, `choices` are the
words on the buttons; `razz_env.render.ansi` is text. Names are imported when they are first used,
because the environments need the text only.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from razz_env.render.choices import Choice, choices
    from razz_env.render.making import hand_scene, seat_scene
    from razz_env.render.moments import hand_scenes, seat_scenes
    from razz_env.render.scene import Scene, ScenePot, SceneSeat
    from razz_env.render.svg import table_svg

_HOMES = {
    "Choice": "choices",
    "choices": "choices",
    "Scene": "scene",
    "ScenePot": "scene",
    "SceneSeat": "scene",
    "hand_scene": "making",
    "seat_scene": "making",
    "hand_scenes": "moments",
    "seat_scenes": "moments",
    "table_svg": "svg",
}

__all__ = [
    "Choice",
    "Scene",
    "ScenePot",
    "SceneSeat",
    "choices",
    "hand_scene",
    "hand_scenes",
    "seat_scene",
    "seat_scenes",
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
