"""The function behind `razz draw`: hands of a history as pictures and films."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np

from agents.whole_files import write_whole
from razz_env.history.reading import scan
from razz_env.history.record import HandRecord
from razz_env.history.source import Failed, Found
from razz_env.history.story import heading
from razz_env.render.animation import gif_bytes, html_page
from razz_env.render.moments import hand_scenes, seat_scenes
from razz_env.render.scene import Scene
from razz_env.render.svg import table_svg

_ENDINGS = (".svg", ".png", ".gif", ".html")


def draw_command(
    file: Path,
    /,
    *,
    out: Path,
    hand: str | None = None,
    seen_by: str = "all",
    step: int | None = None,
    theme: str | None = None,
    four_colours: bool = False,
    width: int = 800,
    seconds: float = 1.0,
    rules: str | None = None,
) -> int:
    """Draw a hand of a history: one step as .svg or .png, the whole hand as .gif or .html.

    Cards that the file does not show lie face down. The page (.html) has buttons and needs nothing
    but itself.

    Args:
        file: A file or folder of hand histories in any of the formats.
        out: The file to write; its ending says what.
        hand: The number of the hand; by default the first.
        seen_by: Whose eyes: all (every card that the file shows), public, or a player's name.
        step: Which step of the hand is drawn, from 0; by default the last. For .svg and .png.
        theme: light, dark, or auto, which follows the reader's system (.svg and .html only).
        four_colours: Diamonds blue, clubs green.
        width: Width of .png and .gif in pixels.
        seconds: How long a step of the .gif or the playing page lasts.
        rules: Preset of the rules the hand was played by. By default that of the room.

    Returns:
        0, or 2 when there is no such hand, or it cannot be replayed.

    Raises:
        ValueError: an option that cannot be.
        OSError: a file that cannot be read or written.
    """
    if out.suffix not in _ENDINGS:
        raise ValueError(f"--out {out} must end in one of {', '.join(_ENDINGS)}.")
    record = _find(file, hand, rules)
    if record is None:
        return 2
    scenes = record_scenes(record, seen_by)
    if out.suffix == ".html":
        shown = theme or "auto"
        title = heading(record)
        page = html_page(
            scenes, title=title, theme=shown, four_colours=four_colours, seconds=seconds
        )
        write_whole(out, page.encode())
    elif out.suffix == ".gif":
        film = gif_bytes(
            scenes,
            width=width,
            theme=theme or "light",
            four_colours=four_colours,
            seconds=seconds,
        )
        write_whole(out, film)
    else:
        _write_step(_step(scenes, step), out, theme, four_colours, width)
    last = len(scenes) - 1
    drawn = f"step {last if step is None else step} of 0 to {last}"
    whole = f"{len(scenes)} steps"
    print(f"{out}: {whole if out.suffix in ('.html', '.gif') else drawn} of {record.name}")
    return 0


def record_scenes(record: HandRecord, seen_by: str = "all") -> tuple[Scene, ...]:
    """A scene of every moment of a recorded hand.

    Args:
        record: any record; cards that it does not show lie face down.
        seen_by: "all", "public" or the name of a player.

    Raises:
        ValueError: no such player, or (a `HistoryError`) a hand that the rules do not take.
    """
    filled = record.fill(np.random.default_rng(0))
    hand = filled.to_hand()
    names = [seat.name for seat in record.seats]
    if seen_by in ("all", "public"):
        return hand_scenes(
            hand,
            names,
            open_cards=seen_by == "all",
            currency=record.currency,
            unknown=filled.filled,
        )
    if seen_by not in names:
        there = ", ".join(names)
        raise ValueError(f"There is no player {seen_by!r} in the hand; there are {there}.")
    seat = names.index(seen_by)
    return seat_scenes(hand, seat, names, currency=record.currency, unknown=filled.filled)


def _find(file: Path, number: str | None, rules: str | None) -> HandRecord | None:
    """The hand of a number, or the first of Razz; None, after saying so, if there is none.

    Raises:
        ValueError: the hand is there but cannot be read; no other takes its place.
    """
    unread: list[Failed] = []
    for result in scan([file], rules=rules):
        if isinstance(result, Found) and number in (None, result.record.hand_id):
            return result.record
        if isinstance(result, Failed):
            if number in (None, result.hand_id):
                raise ValueError(str(result))
            unread.append(result)
    which = "" if number is None else f" {number}"
    print(f"There is no hand{which} of Razz in {file}.", file=sys.stderr)
    if unread:
        print(f"{len(unread)} could not be read, such as {unread[0]}", file=sys.stderr)
    return None


def _step(scenes: Sequence[Scene], step: int | None) -> Scene:
    last = len(scenes) - 1
    if step is not None and not 0 <= step <= last:
        raise ValueError(f"--step {step}: the hand has the steps 0 to {last}.")
    return scenes[last if step is None else step]


def _write_step(scene: Scene, out: Path, theme: str | None, four_colours: bool, width: int) -> None:
    if out.suffix == ".svg":
        svg = table_svg(scene, theme=theme or "auto", four_colours=four_colours)
        write_whole(out, svg.encode())
        return
    from razz_env.render.raster import rgb_array

    pixels = rgb_array(scene, width=width, theme=theme or "light", four_colours=four_colours)
    from PIL import Image

    picture = BytesIO()
    Image.fromarray(pixels).save(picture, "png")
    write_whole(out, picture.getvalue())
