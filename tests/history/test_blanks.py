"""Rooms have printed blanks at the end of lines: they are no part of what is told."""

from __future__ import annotations

import pytest

from razz_env.history import audit, hand_text, read
from razz_env.history.writing import FORMATS, Format

from .dealt import dealt, fixture

TEXTS = {
    "pokerstars": fixture("stars_cash.txt"),
    "pokerstars community": fixture("stars_community.txt"),
    "full_tilt": fixture("full_tilt_cash.txt"),
    "full_tilt all-in": fixture("full_tilt_all_in.txt"),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("end", [" ", "  ", "\t", " \r"])
def test_a_room_may_end_every_line_in_blanks(text: str, end: str) -> None:
    (record,) = read(text)
    (blank,) = read(text.replace("\n", f"{end}\n"))
    assert blank == record
    assert audit(blank).agrees


@pytest.mark.parametrize("to", FORMATS)
def test_every_format_may(to: Format) -> None:
    text = hand_text(dealt("pokerkit", 3, short=True)[0], to)
    assert list(read(text.replace("\n", " \n"))) == list(read(text))
