"""Pixels, films and the window, made of the one drawing with the extra `render`."""

from __future__ import annotations

import copy
import io
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from razz_env import Hand
from razz_env.envs.aec import raw_env
from razz_env.envs.seat import RazzSeatEnv
from razz_env.render import extra, gif_bytes, hand_scene, hand_scenes, rgb_array, seat_scene
from razz_env.render.window import Window

from ..support.errors import refused
from ..support.tables import limp

for package in ("svg2png_py", "fontTools", "pygame", "PIL"):
    pytest.importorskip(package)


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for table in (raw_env, RazzSeatEnv):
        monkeypatch.setitem(table.metadata, "render_fps", 1000)


def test_pixels_have_the_size_asked_for_and_differ_by_theme_and_deck() -> None:
    scene = hand_scene(limp(Hand.deal(6, seed=1)), open_cards=True)
    picture = rgb_array(scene)
    assert (picture.shape, picture.dtype) == ((700, 800, 3), np.uint8)
    assert rgb_array(scene, width=320).shape == (280, 320, 3)
    assert np.array_equal(picture, rgb_array(scene, theme="auto"))
    others = [rgb_array(scene, theme="dark"), rgb_array(scene, four_colours=True)]
    assert not any(np.array_equal(picture, other) for other in others)


def test_text_is_in_the_pixels_without_any_font_of_the_system() -> None:
    """A name that changes, changes the pixels of its plate and no others."""
    hand = Hand.deal(2, seed=1)
    one, other = (rgb_array(hand_scene(hand, [name, "Ben"])) for name in ("Ann", "Zoë ☃"))
    rows, columns = np.nonzero((one != other).any(axis=2))
    assert len(rows) > 100
    assert rows.min() > 500
    assert columns.max() < 500


def test_the_learner_is_drawn_what_it_sees_and_spectators_no_down_card() -> None:
    learner = RazzSeatEnv(["caller", "caller"], seat=1, render_mode="rgb_array")
    learner.reset(seed=3)
    names = ["caller", "learner", "caller"]
    assert np.array_equal(_pixels(learner), rgb_array(seat_scene(learner.hand.view(1), names)))
    for open_cards in (False, True):
        table = raw_env(num_players=3, render_mode="rgb_array", open_cards=open_cards)
        table.reset(seed=3)
        scene = hand_scene(table.hand, table.possible_agents, open_cards=open_cards)
        assert np.array_equal(_pixels(table), rgb_array(scene))


def _pixels(table: Any) -> np.ndarray:
    picture = table.render()
    assert isinstance(picture, np.ndarray)
    return picture


def test_open_cards_are_open_in_text_too() -> None:
    table = raw_env(num_players=3, render_mode="ansi", open_cards=True)
    table.reset(seed=3)
    assert "??" not in str(table.render())


@pytest.mark.parametrize("make", [raw_env, RazzSeatEnv])
def test_a_window_opens_at_the_deal_and_closes(make: Any) -> None:
    import pygame

    table = make(render_mode="human")
    table.reset(seed=1)
    assert pygame.display.get_surface().get_size() == (800, 700)
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert np.array_equal(shown, rgb_array(table._scene()))
    twin = copy.deepcopy(table)
    again = pickle.loads(pickle.dumps(table))
    assert table._window.is_open
    assert not twin._window.is_open
    assert not again._window.is_open
    table.close()
    assert not table._window.is_open
    assert pygame.display.get_surface() is None
    table.reset()  # opens again
    table.close()


def test_record_video_writes_a_film(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    table = gymnasium.make("razz_env/Razz-v0", opponents=["caller"], render_mode="rgb_array")
    film = gymnasium.wrappers.RecordVideo(table, str(tmp_path), episode_trigger=lambda _: True)
    _, info = film.reset(seed=1)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = film.step(int(info["action_mask"].argmax()))
    film.close()
    (file,) = tmp_path.glob("*.mp4")
    assert file.stat().st_size > 1000


def test_a_gif_has_a_frame_for_every_moment_and_rests_on_the_last() -> None:
    from PIL import Image

    scenes = hand_scenes(Hand.deal(3, stacks=4, seed=1))
    film = Image.open(io.BytesIO(gif_bytes(scenes, width=320, seconds=0.5)))
    assert film.size == (320, 280)
    assert film.n_frames == len(scenes)  # type: ignore[attr-defined]
    film.seek(0)
    assert film.info["duration"] == 500
    film.seek(len(scenes) - 1)
    assert film.info["duration"] == 2000
    last = np.asarray(film.convert("RGB"), np.int64)
    assert np.abs(last - rgb_array(scenes[-1], width=320)).mean() < 4
    with refused("scene"):
        gif_bytes([])
    with refused("seconds=-1"):
        gif_bytes(scenes, seconds=-1)


def test_a_missing_package_is_told_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda module: None)
    scenes = hand_scenes(Hand.deal(2, stacks=4, seed=1))
    command = 'pip install "razz-env[render]"'
    for wants in (
        lambda: raw_env(render_mode="rgb_array"),
        lambda: RazzSeatEnv(render_mode="human"),
        lambda: rgb_array(scenes[0]),
        lambda: gif_bytes(scenes),
        lambda: Window("", 1),
    ):
        with refused("svg2png-py", command, kind=ModuleNotFoundError):
            wants()
