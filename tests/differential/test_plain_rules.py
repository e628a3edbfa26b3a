"""Our hands in lockstep with the plainly written rules, short stacks and every option.

PokerKit is no oracle where seats are all-in for odd amounts (RULES 8); this one is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from razz_env import Action, Hand, HouseRules

from ..support.lows import DECK
from ..support.plain_table import PlainTable

OPTIONS: dict[str, tuple[Any, ...]] = {
    "max_bets_per_round": (4, 3, 5, 1),
    "board_tie": ("position", "high_suit"),
    "short_bring_in_call": ("full", "short"),
    "short_all_in_raise": ("half_bet", "next_level", "full_on_top"),
    "all_in_bring_in_may_fold": (True, False),
    "odd_chip": ("high_suit", "low_suit", "first_seat"),
    "fold_when_check_is_free": (False, True),
    "showdown_order": ("last_aggressor", "first_seat", "first_to_act"),
}
STAKES = ((4, 5, 20, 40), (0, 5, 20, 40), (3, 6, 21, 42), (7, 2, 5, 9), (10, 9, 25, 25))
# folds are rare, raises frequent: many all-ins and showdowns
WEIGHTS = {Action.FOLD: 0.2, Action.CHECK: 1.0, Action.CALL: 1.0, Action.BRING_IN: 1.0}


def random_rules(rng: np.random.Generator, preset: str | None) -> HouseRules:
    """The preset alone, or every option drawn at random."""
    names = ("ante", "bring_in", "small_bet", "big_bet")
    stakes = dict(zip(names, STAKES[rng.integers(len(STAKES))], strict=True))
    if preset is not None:
        return HouseRules.preset(preset, **stakes)
    drawn = {name: values[rng.integers(len(values))] for name, values in OPTIONS.items()}
    return HouseRules.preset("full_tilt", **stakes, **drawn)


def random_stacks(rng: np.random.Generator, num_players: int) -> list[int]:
    """From one chip up, most of them short of a hand bet out to the end."""
    deepest = rng.choice([12, 40, 120, 300])
    return [int(s) for s in rng.integers(1, deepest, num_players)]


def play_in_lockstep(rng: np.random.Generator, preset: str | None) -> None:
    """One random hand; every state is compared, then the settlement."""
    num_players = int(rng.integers(2, 8))
    rules, stacks = random_rules(rng, preset), random_stacks(rng, num_players)
    order = rng.permutation(52)
    cards = [tuple(int(c) for c in order[7 * i : 7 * i + 7]) for i in range(num_players)]
    texts = ["".join(DECK[c] for c in seat) for seat in cards]
    hand = Hand.from_cards(texts, rules=rules, stacks=stacks)
    plain = PlainTable(rules, stacks, cards)
    log = [f"{rules} {stacks} {texts}"]
    while not plain.is_over:
        where = " ".join(log)
        assert not hand.is_over, where
        assert (hand.street, hand.actor) == (plain.street, plain.actor), where
        assert hand.first_to_act == plain.first_to_act, where
        assert {a: int(hand.amount(a)) for a in hand.legal_actions()} == plain.menu(), where
        assert list(hand.stacks) == plain.stacks, where
        legal = hand.legal_actions()
        weights = np.array([WEIGHTS.get(a, 0.8) for a in legal])
        action = legal[rng.choice(len(legal), p=weights / weights.sum())]
        log.append(f"S{plain.actor + 1}:{action.name}")
        hand.apply(action)
        plain.apply(action)
    where = " ".join(log)
    assert hand.is_over, where
    assert [int(c) for c in hand.returned] == plain.returned, where
    assert [(int(p.amount), list(p.eligible)) for p in hand.pots] == plain.pots, where
    shares = [{int(w): int(s) for w, s in zip(p.winners, p.shares, strict=True)} for p in hand.pots]
    assert shares == plain.shares, where
    assert [int(x) for x in hand.payoffs] == plain.payoffs, where
    assert [(s.seat, s.mucked) for s in hand.showdown] == plain.showdown, where


PRESETS = pytest.mark.parametrize("preset", ["full_tilt", "pokerstars", "pokerkit", None])


def play_many(preset: str | None, hands: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        play_in_lockstep(rng, preset)


@PRESETS
def test_random_short_stacked_hands_agree_with_the_plain_rules(preset: str | None) -> None:
    play_many(preset, 400, seed=21)


@pytest.mark.slow
@PRESETS
def test_10_000_short_stacked_hands_agree_with_the_plain_rules(preset: str | None) -> None:
    play_many(preset, 10_000, seed=22)
