"""Whole hands in words, to be read by a person who knows Razz; any change in the play shows here.

    python -m tests.playthroughs.test_goldens

writes the goldens anew. Read the difference before you commit it.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from razz_env import Hand
from razz_env.rules.events import ActionTaken
from razz_env.rules.house_rules import PRESETS
from tests.support.plain_table import AGGRESSIVE
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
    "pokerstars_next_level": (3, "pokerstars", [75, 300, 300], 19),
    "pokerkit_three_seats": (3, "pokerkit", 300, 19),
    "pokerkit_short_bring_in": (3, "pokerkit", [7, 200, 300], 5),
    "roberts_lifted_cap": (3, "roberts", 700, 5),
    "wsop_live_fifth_bet": (4, "wsop_live", 500, 1),
    "wsop_tournament_lifted_cap": (2, "wsop_tournament", 900, 18),
    "tda_tied_boards": (5, "tda", 500, 35),
    "kuhn_two_seats": (2, "kuhn", 100, 1),
    "mini20_three_seats": (3, "mini20", 200, 4),
    "mini24_community_card": (5, "mini24", 300, 1),
    "mini32_four_seats": (4, "mini32", 300, 1),
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


def bets(hand: Hand, street: int) -> int:
    """Completions, bets and raises of a street."""
    taken = (event for event in hand.events if isinstance(event, ActionTaken))
    return sum(event.street == street and event.action in AGGRESSIVE for event in taken)


def opens_by_suit(hand: Hand) -> bool:
    """Whether a later street is opened by another seat than position would choose."""
    other = Hand.deal(hand.num_players, "roberts", hand.starting_stacks.tolist(), hand.record.seed)
    for event in hand.events:
        if isinstance(event, ActionTaken):
            if other.actor != event.seat:
                return True
            other.apply(event.action)
    return False


SHOWN: dict[str, Callable[[Hand], bool]] = {
    "full_tilt_side_pots": lambda hand: len(hand.pots) > 1,
    "full_tilt_short_bring_in": lambda hand: "bring_in 3 (to 3), all-in" in tell(hand),
    "full_tilt_community_card": lambda hand: hand.community is not None,
    "pokerstars_next_level": lambda hand: (
        "seat 0 raise 32 (to 52), all-in\nseat 1 raise 40 (to 80)\n" in tell(hand)
    ),
    "pokerkit_short_bring_in": lambda hand: (
        "seat 0 bring_in 3 (to 3), all-in\nseat 1 call 3 (to 3)\n" in tell(hand)
    ),
    "roberts_lifted_cap": lambda hand: max(bets(hand, street) for street in range(3, 8)) > 4,
    "wsop_live_fifth_bet": lambda hand: bets(hand, 3) == 5,
    "wsop_tournament_lifted_cap": lambda hand: max(bets(hand, s) for s in range(3, 8)) > 5,
    "tda_tied_boards": opens_by_suit,
    "mini24_community_card": lambda hand: hand.community is not None,
}


@pytest.mark.parametrize("name", SHOWN)
def test_hand_shows_what_its_name_says(name: str) -> None:
    assert SHOWN[name](play(name))


def test_every_preset_has_a_playthrough() -> None:
    assert {rules for _, rules, _, _ in PLAYTHROUGHS.values()} == set(PRESETS)


if __name__ == "__main__":
    for golden in PLAYTHROUGHS:
        (GOLDENS / f"{golden}.txt").write_text(tell(play(golden)))
