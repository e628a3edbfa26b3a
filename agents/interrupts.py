"""Ctrl-C that is heard wherever it comes.

Python raises KeyboardInterrupt in whatever runs. In a callback of the compiler it would be printed
and dropped.
"""

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS_BETWEEN_TRIES = 0.05
_CALLBACK = "_raw_object_cache"
"""How the functions are named that LLVM calls through ctypes while it compiles."""


@contextmanager
def listening() -> Iterator[None]:
    """Take Ctrl-C in the block, where Python's own handler would; elsewhere nothing changes."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _hear(_number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, in a callback a moment later."""
    while frame is not None:
        if frame.f_code.co_name.startswith(_CALLBACK):
            again = threading.Timer(SECONDS_BETWEEN_TRIES, _thread.interrupt_main)
            again.daemon = True
            again.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt
