"""The one line on the terminal that tells how far a match or a tournament is."""

import sys
import time
from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the decks played so far and the decks in all."""


def terminal_progress() -> Progress | None:
    """A line that counts the decks and guesses the time left; none where errors go to a file."""
    return ProgressLine() if sys.stderr.isatty() else None


class ProgressLine:
    """Shows decks, and the time left once a second has passed; it wipes itself at the end."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun: tuple[float, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        """So many decks of so many have been played."""
        now = self._clock()
        start, first = self._begun = self._begun or (now, done)
        left = ""
        if now - start > 1 and done > first:
            seconds = (total - done) * (now - start) / (done - first)
            left = f", {int(seconds // 60)}:{int(seconds % 60):02} left"
        text = f"{done:,} of {total:,} decks{left}\033[K"
        print(text, end="\r" if done < total else "\r\033[K", file=sys.stderr, flush=True)
