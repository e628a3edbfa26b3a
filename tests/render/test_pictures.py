"""Notebooks and pages, made of the one drawing; they need no package."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from razz_env import Hand
from razz_env.render import hand_scene, hand_scenes, html_page, seat_scene, table, table_svg

from ..support.errors import refused
from ..support.tables import check_down, limp
from .svg import Drawn


def test_a_view_shows_itself_as_its_seat_sees_it_and_a_hand_with_all_cards() -> None:
    hand = limp(Hand.deal(3, seed=1))
    view = hand.view(1)
    assert view._repr_svg_() == table_svg(seat_scene(view), width=640)
    shown = Drawn(hand._repr_svg_() or "").cards()
    assert None not in shown.values()
    assert hand._repr_svg_() in (hand._repr_html_() or "")
    assert view._repr_svg_() in (view._repr_html_() or "")


def test_table_is_the_picture_for_spectators() -> None:
    hand = limp(Hand.deal(3, seed=1))
    picture = table(hand, ["Ann", "Ben", "Cid"], theme="dark", four_colours=True)
    assert picture._repr_svg_() in picture._repr_html_()
    assert 'class="razz dark four"' in picture.svg
    drawn = Drawn(picture.svg)
    assert [card for name, card in drawn.cards().items() if "down" in name] == [None] * 6
    assert table(hand, open_cards=True).scene == hand_scene(hand, open_cards=True)
    assert table(hand.view(2)).scene == seat_scene(hand.view(2))
    with refused("view", kind=TypeError):
        table(hand.record)  # type: ignore[arg-type]


def test_nothing_is_drawn_and_no_drawing_imported_before_it_is_asked_for() -> None:
    code = (
        "import sys, razz_env; from razz_env.rules.record import SeatView;"
        "from razz_env.envs.aec import raw_env; raw_env();"
        "loaded = [name for name in sys.modules if name.startswith('razz_env.render.')];"
        "print(sorted(loaded)); hand = razz_env.Hand.deal(2, seed=1);"
        "assert '<svg' in hand._repr_html_();"
        "print('pygame' in sys.modules, 'svg2png_py' in sys.modules, 'PIL' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, packages = run.stdout.splitlines()
    assert loaded == "['razz_env.render.ansi', 'razz_env.render.extra']"
    assert packages == "False False False"


def test_a_page_holds_every_moment_and_loads_nothing() -> None:
    hand = check_down(limp(Hand.deal(3, seed=5)))
    scenes = hand_scenes(hand, ["</script>", "@frames", "Cid"])
    page = html_page(scenes, title="@frames </title>")
    assert not re.search(r"(src|href)\s*=\s*[\"'](?!#)", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert page.count("</script>") == 1
    assert page.count("</title>") == 1
    found = re.search(r"const frames = (\[.*\]);\n", page)
    assert found
    frames = json.loads(found[1].replace("<\\/", "</"))
    assert len(frames) == len(scenes)
    whole = f'<svg xmlns="http://www.w3.org/2000/svg">{frames[-1]}</svg>'
    assert Drawn(whole).text("street") == "Showdown"


def test_an_animation_needs_scenes_and_time() -> None:
    with refused("scene"):
        html_page([])
    with refused("seconds=0"):
        html_page(hand_scenes(Hand.deal(2, seed=1)), seconds=0)
