"""Ctrl-C ends a command wherever it comes, also where Python would drop it."""

from __future__ import annotations

import ctypes
import signal
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from agents import cli
from agents.interrupts import listening


def _raw_object_cache_test(_: int) -> None:
    """Named as the functions are that LLVM calls while it compiles."""
    signal.raise_signal(signal.SIGINT)


CALLED_BY_C = ctypes.CFUNCTYPE(None, ctypes.c_int)(_raw_object_cache_test)


def in_a_callback() -> None:
    """What a KeyboardInterrupt in a callback of ctypes is: dropped, and the work goes on."""
    CALLED_BY_C(0)
    for _ in range(200):
        time.sleep(0.05)
    raise AssertionError("Ctrl-C was not heard.")


def in_an_import() -> None:
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt as stopped:
        raise ImportError("initialization failed") from stopped


def at_work() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("work", [in_a_callback, in_an_import, at_work])
def test_a_command_ends(
    work: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "_call", lambda *_: work())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert cli.run("evaluate", [], "razz evaluate") == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert "`razz evaluate` was stopped." in capsys.readouterr().err


def test_an_error_without_ctrl_c_stays_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ImportError("initialization failed")

    monkeypatch.setattr(cli, "_call", fail)
    with pytest.raises(ImportError, match="initialization"):
        cli.run("evaluate", [], "razz evaluate")


def test_an_error_after_a_ctrl_c_that_was_taken_stays_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail_later(*_: object) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("a bug in the report")

    monkeypatch.setattr(cli, "_call", fail_later)
    with pytest.raises(RuntimeError, match="bug"):
        cli.run("evaluate", [], "razz evaluate")


def test_a_handler_of_somebody_else_stays() -> None:
    def theirs(*_: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGINT, theirs)
    try:
        with listening():
            assert signal.getsignal(signal.SIGINT) is theirs
        assert signal.getsignal(signal.SIGINT) is theirs
    finally:
        signal.signal(signal.SIGINT, before)
