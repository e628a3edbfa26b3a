"""The examples that need nothing but the package's own dependencies."""

import math

import pytest

from tests.examples.running import Watch, run


def test_pettingzoo_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    totals = run("pettingzoo_loop")["totals"]
    assert watch.decisions > 500
    assert watch.illegal == 0
    paid = sum(watch.results)
    assert list(totals.values()) == pytest.approx(paid)
    assert len(watch.results) == 100


def test_gymnasium_seat() -> None:
    names = run("gymnasium_seat")
    assert names["over"]
    assert math.isfinite(names["total"])
    assert names["total"] != 0


def test_gymnasium_vector() -> None:
    names = run("gymnasium_vector")
    assert names["hands"] > 1000
    assert names["total"] == pytest.approx(-0.5 * names["hands"], rel=0.6)  # it plays at random
