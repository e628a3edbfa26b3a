"""Long sessions stay flat in memory, at the table and in the browser's room."""

from __future__ import annotations

import gc
import json
import sys
import tracemalloc

import pytest

from agents.table.session import Table

BOTS = ["scripted:tight", "caller", "random", "scripted:loose"]


def grown_bytes(table: Table, warm_up: int, hands: int) -> int:
    """By how many bytes Python's memory grows over so many hands after the first ones."""
    tracemalloc.start()
    _play(table, warm_up)
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    _play(table, hands)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return after - before


def _play(table: Table, hands: int) -> None:
    for _ in range(hands):
        table.deal()
        table.play_out()
        table.news()


def test_hands_beyond_the_kept_ones_are_let_go() -> None:
    # A record has some 6,000 bytes; what a hand may leave is a point of the course of the score.
    assert grown_bytes(Table(["caller", "random"], seed=1), 60, 30) < 30 * 1500


@pytest.mark.slow
def test_ten_thousand_hands_are_flat() -> None:
    """Counted in blocks, at least one for an object; tracing takes four times as long."""
    table = Table(BOTS, seed=1)
    _play(table, 1000)
    gc.collect()
    blocks, megabytes = sys.getallocatedblocks(), _resident_megabytes()
    _play(table, 9000)
    gc.collect()
    assert table.score.hands == 10_000
    assert sys.getallocatedblocks() - blocks < 2000
    assert _resident_megabytes() - megabytes < 12


@pytest.mark.slow
def test_ten_thousand_hands_in_the_browsers_room_are_flat() -> None:
    web = pytest.importorskip("tests.web.clients")
    resident: list[float] = []  # some six minutes of one core
    with web.served() as (client, _), web.page(client) as ann:
        ann.open(["caller", "random"], seed=1, stacks=40)  # soon all-in: few pictures for a hand
        ann.say(do="speed", speed="full")
        for hands in (1500, 10_000):
            while True:
                told = json.loads(ann.socket.receive_text())
                if told.get("hands", 0) >= hands:
                    break
            gc.collect()
            resident.append(_resident_megabytes())
    assert resident[1] - resident[0] < 4  # 0.6 when it was measured, none of it after 6,000 hands


def _resident_megabytes() -> float:
    with open("/proc/self/statm") as file:  # noqa: PTH123  # not a file in any useful sense
        return int(file.read().split()[1]) * 4096 / 1e6
