"""Pictures of the documentation that need something to run: a tournament, a training, a browser."""

import io
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docs.missing import CannotBeMade

PLAYERS = (
    "trained:heads_up",
    "trained:table",
    "book",
    "scripted:tight",
    "scripted:loose",
    "caller",
    "random",
)
HANDS = 4000
RUN = Path("runs/quick")
_COLOURS = 64
_NEEDS_MATPLOTLIB = 'it needs matplotlib: pip install "razz-env[report]"'


def crosstable() -> bytes:
    """The crosstable of a small tournament, as `razz tournament` draws it."""
    if find_spec("matplotlib") is None:
        raise CannotBeMade(_NEEDS_MATPLOTLIB)
    from agents.evaluation.tournament_command import tournament

    with tempfile.TemporaryDirectory() as folder:
        tournament(agents=PLAYERS, hands=HANDS, out=Path(folder))
        return _small((Path(folder) / "plots" / "1_crosstable.png").read_bytes())


def training() -> bytes:
    """The course of the training that `python train.py` has left in runs/quick."""
    if not (RUN / "result.json").is_file():
        raise CannotBeMade(f"it shows the finished run in {RUN}: python train.py")
    if find_spec("matplotlib") is None:
        raise CannotBeMade(_NEEDS_MATPLOTLIB)
    from docs.training_curve import training_curve

    return _small(training_curve(RUN))


def web() -> bytes:
    """A table of six bots as `razz web` shows it to a spectator."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None or find_spec("playwright") is None:
        raise CannotBeMade('it needs Chromium and pip install "razz-env[web,browser]"')
    from playwright.sync_api import sync_playwright

    from agents.web.server import Server, offered_players

    with site(Server(offered_players())) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(120_000)
        page.goto(address)
        page.wait_for_selector("#order", state="visible")
        page.click("#order summary")
        page.fill("#seed", "8")
        page.click("#watch")
        page.select_option("#speed", "full")
        page.wait_for_function(
            "() => parseInt(document.querySelector('#played').textContent.slice(12)) > 24"
        )
        page.select_option("#speed", "slow")
        page.click("#course summary")
        page.wait_for_selector("#graph polyline")
        page.wait_for_function("() => document.querySelectorAll('#felt [id*=up2]').length > 1")
        page.wait_for_timeout(1000)  # until everything has moved
        shot: bytes = page.screenshot()
        browser.close()
    return _small(shot)


@contextmanager
def site(server: Any) -> Iterator[str]:
    """The address at which a `agents.web.server.Server` can be reached for a while."""
    import uvicorn

    from agents.web.app import make_app

    listener = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(make_app(server), log_level="warning"))
    thread = threading.Thread(target=running.run, args=([listener],), daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        running.should_exit = True
        thread.join(timeout=20)


def _small(png: bytes) -> bytes:
    """The same picture in few colours, which takes a third of the bytes."""
    from PIL import Image

    file = io.BytesIO()
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    few.save(file, "PNG", optimize=True)
    return file.getvalue()
