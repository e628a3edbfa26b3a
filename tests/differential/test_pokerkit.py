"""Our hands in lockstep with PokerKit's FixedLimitRazz, preset ``pokerkit``, nobody all-in."""

from __future__ import annotations

import numpy as np
import pytest
from pokerkit import RegularLowHand

from razz_env import Action, Hand, HouseRules

from ..support.glance import glance
from ..support.lows import DECK
from ..support.pokerkit_lockstep import PokerKitTable, RememberedLow, card_of, known_cards

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
    kit = PokerKitTable(RULES, [DEEP] * num_players, known_cards(cards))
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


def test_a_glance_tells_what_the_hand_tells() -> None:
    rng = np.random.default_rng(3)
    for seed in range(60):
        hand = Hand.deal(2 + seed % 7, "pokerkit", rng.integers(1, 200, 2 + seed % 7), seed)
        while not hand.is_over:
            check_glance(hand)
            hand.apply(choose(rng, hand.legal_actions()))
        assert glance(hand).is_over
        assert glance(hand).menu == {}
        assert glance(hand).stacks == hand.stacks.tolist()


def check_glance(hand: Hand) -> None:
    now = glance(hand)
    assert (now.is_over, now.street, now.actor) == (False, hand.street, hand.actor)
    assert now.menu == {action: hand.amount(action) for action in hand.legal_actions()}
    assert now.must_open == (Action.BRING_IN in now.menu)
    assert (now.to_call, now.pot_chips) == (hand.to_call, hand.pot_chips)
    assert now.stacks == hand.stacks.tolist()
    assert now.street_chips == hand.street_chips.tolist()
    assert now.total_chips == hand.total_chips.tolist()
    assert tuple(np.flatnonzero(now.live)) == hand.live_seats


def test_remembered_lows_are_pokerkits_own() -> None:
    rng = np.random.default_rng(4)
    for count in (5, 6, 7):
        for _ in range(100):
            texts = [DECK[card] for card in rng.permutation(52)[:count]]
            own = RegularLowHand.from_game("".join(texts)).entry
            for _ in range(2):
                assert RememberedLow.from_game([card_of(text) for text in texts]).entry == own


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
