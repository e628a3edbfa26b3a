"""Makes this process `razz play` signal itself at the moments at which hands could be lost."""

import os
import signal
import sys
from typing import Any

from rich.console import Console

from agents.play.saving import SessionFile


def signalled_again(number: int) -> None:
    """Send a signal once the game has been ended by one, and again before the file is whole."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # may be ignored in the background
    save = SessionFile.__exit__

    def signal_and_save(*args: Any) -> None:
        _signal(number)
        save(*args)

    def quieten(console: Console, value: bool) -> None:
        if value:
            _signal(number)
        console.__dict__["quiet"] = value

    SessionFile.__exit__ = signal_and_save  # type: ignore[method-assign]
    is_quiet = property(lambda console: console.__dict__["quiet"], quieten)
    Console.quiet = is_quiet  # type: ignore[assignment]


def _signal(number: int) -> None:
    print("signalled again", file=sys.stderr, flush=True)
    os.kill(os.getpid(), number)
