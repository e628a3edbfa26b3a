"""Whole hands in words, to be read by a person who knows Razz; any change in the play shows here.

    python -m tests.playthroughs.test_goldens

writes the goldens anew. Read the difference before you commit it.
"""

from pathlib import Path

import numpy as np
import pytest

from razz_env import Hand
from tests.support.telling import tell

GOLDENS = Path(__file__).parent / "goldens"

# name: seats, rules, stacks, seed. Play is random but legal, with few folds; the seeds were chosen
# so that the hands show what their names say.
PLAYTHROUGHS: dict[str, tuple[int, str, int | list[int], int]] = {
    "full_tilt_heads_up": (2, "full_tilt", 500, 3),
    "full_tilt_six_seats": (6, "full_tilt", 500, 5),
    "full_tilt_side_pots": (4, "full_tilt", [38, 71, 160, 500], 9),
    "full_tilt_short_bring_in": (3, "full_tilt", [7, 200, 300], 5),
    "full_tilt_community_card": (8, "full_tilt", 500, 13),
    "pokerstars_four_seats": (4, "pokerstars", 400, 17),
    "pokerkit_three_seats": (3, "pokerkit", 300, 19),
}


def play(name: str) -> Hand:
    """The hand of this name."""
    seats, rules, stacks, seed = PLAYTHROUGHS[name]
    hand = Hand.deal(seats, rules, stacks, seed)
    rng = np.random.default_rng(seed)
    while not hand.is_over:
        legal = [action for action in hand.legal_actions() if action.name != "FOLD"]
        stays = name.endswith("community_card") or rng.random() < 0.93
        hand.apply(legal[rng.integers(len(legal))] if stays else hand.legal_actions()[0])
    return hand


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_hand_goes_as_it_went(name: str) -> None:
    assert tell(play(name)) == (GOLDENS / f"{name}.txt").read_text()


def test_hands_show_what_their_names_say() -> None:
    assert len(play("full_tilt_side_pots").pots) > 1
    assert play("full_tilt_community_card").community is not None
    assert "bring_in 3 (to 3), all-in" in tell(play("full_tilt_short_bring_in"))


if __name__ == "__main__":
    for golden in PLAYTHROUGHS:
        (GOLDENS / f"{golden}.txt").write_text(tell(play(golden)))
