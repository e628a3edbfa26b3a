"""Run an example in this process and watch every decision at its tables."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from razz_env.envs.desk import Desk
from razz_env.rules.hand import Hand

EXAMPLES = Path(__file__).parents[2] / "examples"


class Watch:
    """What was chosen at single tables, and what every hand came to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.decisions = 0
        self.illegal = 0
        self.results: list[np.ndarray] = []  # big bets by seat, of every hand that has ended
        play = Desk.play

        def watched(desk: Desk, hand: Hand, action: Any) -> int:
            self.decisions += 1
            self.illegal += not hand.action_mask()[int(action)]
            actor = play(desk, hand, action)
            if hand.is_over:
                self.results.append(hand.payoffs / hand.rules.big_bet)
            return actor

        monkeypatch.setattr(Desk, "play", watched)


def run(name: str) -> dict[str, Any]:
    """The names that an example leaves behind."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="example")
