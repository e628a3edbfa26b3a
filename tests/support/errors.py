"""Checking that bad input is refused with one clear sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

BAD_INPUT = (ValueError, TypeError)


@contextmanager
def refused(
    *words: object, kind: type[Exception] | tuple[type[Exception], ...] = BAD_INPUT
) -> Iterator[None]:
    """The block raises an error of that kind whose sentence holds all the words (in any case)."""
    with pytest.raises(kind) as error:
        yield
    message = str(error.value)
    assert len(message) > 10, f"an error without a sentence: {error.value!r}"
    for word in words:
        assert str(word).lower() in message.lower()
