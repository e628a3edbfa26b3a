"""A hand as a film: a GIF (extra `render`), or one HTML page with buttons that needs nothing."""

import io
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from razz_env.render.extra import RASTER, need
from razz_env.render.raster import rgb_array
from razz_env.render.scene import Scene
from razz_env.render.svg import escaped, table_parts

GIF_WIDTH = 640
_GIF_COLOURS = 48
_LAST_FRAME = 4  # times as long as the others


def gif_bytes(
    scenes: Iterable[Scene],
    *,
    width: int = GIF_WIDTH,
    theme: str = "light",
    four_colours: bool = False,
    seconds: float = 1.0,
) -> bytes:
    """An animated GIF that runs for ever, the last scene shown longer.

    Args:
        scenes: one for each frame, such as `hand_scenes` makes.
        width: in pixels.
        theme: "light" or "dark".
        four_colours: see `table_svg`.
        seconds: how long a frame is shown.

    Raises:
        ModuleNotFoundError: a package of the extra `render` is missing.
        ValueError: no scene, or a time that is not above zero.
    """
    need("A GIF", (*RASTER, "PIL"))
    from PIL import Image

    if not seconds > 0:
        raise ValueError(f"seconds={seconds!r} must be above 0.")
    pictures: list[Any] = [
        Image.fromarray(
            rgb_array(scene, width=width, theme=theme, four_colours=four_colours)
        ).quantize(_GIF_COLOURS, dither=Image.Dither.NONE)
        for scene in scenes
    ]
    if not pictures:
        raise ValueError("An animation needs at least one scene.")
    each = round(seconds * 1000)
    times = [each] * (len(pictures) - 1) + [each * _LAST_FRAME]
    file = io.BytesIO()
    pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return file.getvalue()


def html_page(
    scenes: Sequence[Scene],
    *,
    title: str = "Razz",
    theme: str = "auto",
    four_colours: bool = False,
    seconds: float = 1.0,
) -> str:
    """A page that steps through the scenes and plays them; it loads nothing from anywhere.

    Args:
        scenes: one for each step.
        title: of the page.
        theme: "light", "dark" or "auto".
        four_colours: see `table_svg`.
        seconds: between the steps while it plays.

    Raises:
        ValueError: no scene, an unknown theme, or a time that is not above zero.
    """
    if not scenes:
        raise ValueError("An animation needs at least one scene.")
    if not seconds > 0:
        raise ValueError(f"seconds={seconds!r} must be above 0.")
    parts = [table_parts(scene, theme, four_colours) for scene in scenes]
    frames = json.dumps([part.moving for part in parts]).replace("</", "<\\/")
    filling = {
        "title": escaped(title),
        "scheme": "light dark" if theme == "auto" else theme,
        "start": parts[0].start + parts[0].still,
        "milliseconds": str(round(seconds * 1000)),
        "frames": frames,
    }
    return re.sub("@(title|scheme|start|milliseconds|frames)", lambda at: filling[at[1]], _PAGE)


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="@scheme">
<title>@title</title>
<style>
body{margin:0 auto;padding:8px;max-width:min(960px,108vh);font:16px system-ui,sans-serif}
svg{display:block;width:100%;height:auto;border-radius:12px}
nav{display:flex;gap:8px;align-items:center;margin-top:8px}
button{font:inherit;padding:8px 14px}input{flex:1;min-width:60px}
</style>
@start<g id="frame"></g></svg>
<nav><button id="prev">Previous</button><button id="play">Play</button>
<button id="next">Next</button><input id="at" type="range" min="0" value="0" aria-label="Step">
<output id="step"></output></nav>
<script>
const frames = @frames;
const find = name => document.getElementById(name);
let at = 0, timer = null;
function show(step) {
  at = Math.max(0, Math.min(step, frames.length - 1));
  find("frame").innerHTML = frames[at];
  find("at").value = at;
  find("step").textContent = (at + 1) + "/" + frames.length;
  if (at === frames.length - 1) stop();
}
function stop() {
  clearInterval(timer);
  timer = null;
  find("play").textContent = "Play";
}
function play() {
  if (timer) return stop();
  show(at === frames.length - 1 ? 0 : at + 1);
  timer = setInterval(() => show(at + 1), @milliseconds);
  find("play").textContent = "Pause";
}
find("at").max = frames.length - 1;
find("at").oninput = event => { stop(); show(+event.target.value); };
find("prev").onclick = () => { stop(); show(at - 1); };
find("next").onclick = () => { stop(); show(at + 1); };
find("play").onclick = play;
document.onkeydown = event => {
  if (event.target.id === "at") return;
  if (event.key === "ArrowLeft") find("prev").click();
  else if (event.key === "ArrowRight") find("next").click();
  else if (event.key === " " && event.target.tagName !== "BUTTON") play();
  else return;
  event.preventDefault();
};
show(0);
</script>
</html>
"""
