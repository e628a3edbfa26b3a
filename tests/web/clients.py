"""Pages without a browser: the server's websocket, driven by threads."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

testclient = pytest.importorskip("starlette.testclient")
pytest.importorskip("fastapi")

from agents.web.app import make_app  # noqa: E402
from agents.web.server import Server, offered_players  # noqa: E402

HOST = {"host": "127.0.0.1:8000"}
ORDER = {"do": "create", "name": "Ann", "rules": "full_tilt", "stacks": 500, "seed": 1}

_FACE = re.compile(r'href="#razz-r(\d+)".*?href="#razz-s(\d)"')
_WRITTEN = re.compile(r"(?<![A-Za-z0-9])([A2-9TJQK])([cdhs])(?![a-z])")


@contextmanager
def served(**options: Any) -> Iterator[tuple[Any, Server]]:
    """A server and a client of it, as `with` block."""
    server = Server(offered_players(), **options)
    with testclient.TestClient(make_app(server), base_url="http://127.0.0.1:8000") as client:
        yield client, server


class Page:
    """An open page. Everything that it hears is kept in `heard`."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.heard: list[str] = []
        assert self.hear()["type"] == "lobby"

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        self.heard.append(self.socket.receive_text())
        return json.loads(self.heard[-1])

    def until(self, kind: str, good: Callable[[dict[str, Any]], bool] = lambda _: True) -> Any:
        """The next message of a kind that is good; states on the way are passed over."""
        while True:
            message = self.hear()
            if message["type"] == "refused" and kind != "refused":
                raise AssertionError(message["sentence"])
            if message["type"] == kind and good(message):
                return message

    def open(self, seats: list[str], **more: Any) -> dict[str, Any]:
        self.say(**{**ORDER, "seats": seats, **more})
        return self.until("seated")

    def join(self, table: str, token: str | None = None) -> dict[str, Any]:
        self.say(do="join", table=table, token=token)
        return self.until("seated")

    def act(self, state: dict[str, Any], action: str) -> None:
        self.say(do="act", action=action, hand=state["hand"], decision=state["decision"])

    def my_turn(self) -> dict[str, Any]:
        return self.until("state", lambda state: bool(state["choices"]))


@contextmanager
def page(client: Any) -> Iterator[Page]:
    with client.websocket_connect("/socket", headers=HOST) as socket:
        yield Page(socket)


def play_until(one: Page, hands: int, seed: int) -> None:
    """Act at random, as far as asked, until so many hands are over."""
    rng, acted = np.random.default_rng(seed), None
    while True:
        state = one.until("state")
        if state.get("hands", 0) >= hands:
            return
        asked = state.get("hand"), state.get("decision")
        if state["choices"] and asked != acted:  # a state may be told twice before the answer
            acted = asked
            chosen = state["choices"][int(rng.integers(len(state["choices"])))]
            one.act(state, chosen["action"])


def all_at_once(*jobs: Callable[[], None]) -> None:
    """Run jobs in threads; the first error of one is raised."""
    errors: list[BaseException] = []

    def run(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(job,), daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=3600)
        assert not thread.is_alive(), "a page waits for ever"
    if errors:
        raise errors[0]


def drawn_cards(svg: str) -> tuple[set[int], int]:
    """The cards whose faces are in a drawing, and how many lie face down."""
    faces, backs = set(), 0
    for chunk in re.findall(r'<g id="card-[\w-]+".*?(?=<g id="card-|<g id="seat-|<text|$)', svg):
        face = _FACE.search(chunk)
        backs += face is None
        if face:
            faces.add(int(face[1]) * 4 + int(face[2]))
    return faces, backs


def written_cards(text: str) -> set[int]:
    """The cards that are written in a text, such as "Kd"."""
    return {"A23456789TJQK".index(r) * 4 + "cdhs".index(s) for r, s in _WRITTEN.findall(text)}
