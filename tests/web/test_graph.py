"""The graph of a session says its figures as the page does."""

from __future__ import annotations

import re

from agents.table.score import Score
from agents.web.graph import graph_svg


def test_nothing_has_no_sign_and_a_loss_no_hyphen() -> None:
    score = Score(3)
    score.add([81, -81, 0], 40)
    words = re.findall("<text[^>]*>([^<]*)</text>", graph_svg(score, ["Ann", "Bob", "Cid"]))
    assert words == [
        *("\u22122", "0", "+2", "1 hands", "BB won"),
        *("Ann +2.0", "Bob \u22122.0", "Cid 0.0"),
    ]


def test_what_rounds_to_nothing_has_no_sign() -> None:
    score = Score(2)
    score.add([1, -1], 40)
    drawn = graph_svg(score, ["Ann", "Bob"])
    assert re.findall(">(Ann|Bob) ([^<]*)<", drawn) == [("Ann", "0.0"), ("Bob", "0.0")]
    assert "+0" not in drawn
    assert "\u22120" not in drawn
