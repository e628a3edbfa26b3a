"""Our hands in lockstep with PokerKit's FixedLimitRazz, preset ``pokerkit``, nobody all-in."""

from __future__ import annotations

import numpy as np
import pytest

from razz_env import Action, Hand, HouseRules

from ..support.lows import DECK
from ..support.pokerkit_lockstep import PokerKitTable

RULES = HouseRules.preset("pokerkit")
DEEP = 10_000  # far above all that four bets on five streets can cost
# how often a random player folds, so that many hands reach the river
WEIGHTS = {Action.FOLD: 0.15, Action.CHECK: 1, Action.CALL: 1, Action.BRING_IN: 1}


def random_cards(rng: np.random.Generator, num_players: int) -> list[str]:
    """Seven cards for every seat."""
    deck = [DECK[i] for i in rng.permutation(52)]
    return ["".join(deck[7 * i : 7 * i + 7]) for i in range(num_players)]


def choose(rng: np.random.Generator, legal: tuple[Action, ...]) -> Action:
    weights = np.array([WEIGHTS.get(a, 0.6) for a in legal])
    return legal[rng.choice(len(legal), p=weights / weights.sum())]


def play_in_lockstep(rng: np.random.Generator, num_players: int) -> Hand:
    """One random hand; every state is compared, then the settlement."""
    cards = random_cards(rng, num_players)
    hand = Hand.from_cards(cards, rules=RULES, stacks=DEEP)
    kit = PokerKitTable(RULES, [DEEP] * num_players, cards)
    log: list[str] = []
    while not hand.is_over:
        where = f"{cards} {' '.join(log)}"
        assert not kit.is_over, where
        assert hand.street == kit.street, where
        assert hand.actor == kit.actor, where
        ours = {a: int(hand.amount(a)) for a in hand.legal_actions()}
        assert ours == kit.menu(), where
        assert hand.pot_chips == kit.pot_chips, where
        assert list(hand.stacks) == kit.stacks, where
        action = choose(rng, hand.legal_actions())
        log.append(f"S{hand.actor + 1}:{action.name}")
        hand.apply(action)
        kit.apply(action)
    where = f"{cards} {' '.join(log)}"
    assert kit.is_over, where
    if hand.showdown:  # PokerKit gives a last seat left its own last bets back outside the pot
        assert [int(p.amount) for p in hand.pots] == kit.pots(), where
    assert list(hand.stacks) == kit.stacks, where
    assert [int(x) for x in hand.payoffs] == kit.payoffs, where
    return hand


def play_many(num_players: int, hands: int, seed: int) -> list[Hand]:
    rng = np.random.default_rng([seed, num_players])
    return [play_in_lockstep(rng, num_players) for _ in range(hands)]


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_random_hands_agree_with_pokerkit(num_players: int) -> None:
    hands = play_many(num_players, 200, seed=1)
    showdowns = [h for h in hands if h.showdown]
    assert len(showdowns) > 20  # the settlement of real showdowns is compared too


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_5_000_random_hands_agree_with_pokerkit(num_players: int) -> None:
    play_many(num_players, 5_000, seed=2)
