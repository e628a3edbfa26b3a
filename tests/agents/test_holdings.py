"""What rivals may hold: equities against `razz_env.equity`, and what actions tell."""

from __future__ import annotations

import numpy as np
import pytest

from agents.players.equity import UNIFORM, WEIGHTED
from agents.players.holdings import Reading, equity_of, scratch, tables, weight_of
from agents.players.reading import live_rivals
from razz_env import Hand
from razz_env.equity import PAIRS, equity
from razz_env.rules.cards import RANKS

from ..support.tables import check_down, deal, limp, play


def counted(hand: Hand, reading: Reading = UNIFORM) -> float:
    """The equity of the seat to act, as the players count it."""
    view = hand.view(hand.actor)
    return float(equity_of(view, live_rivals(view), reading, tables(), scratch()))


def dealt_out(hand: Hand, reading: Reading = UNIFORM) -> float:
    """The same by `razz_env.equity`: every deal, or 100,000 of them."""
    me = hand.actor
    assert me is not None
    rivals = [seat for seat in hand.live_seats if seat != me]
    folded = [seat for seat in range(hand.num_players) if seat not in hand.live_seats]
    texts = [names(hand.down_cards(me)[:2] + hand.up_cards(me) + hand.down_cards(me)[2:])]
    texts += ["xx" + names(hand.up_cards(seat)) + "x" * (hand.street == 7) for seat in rivals]
    public = hand.view(me).public
    ranges = [None] + [
        np.array([weight_of(public, seat, 1 << low | 1 << high, reading) for low, high in PAIRS])
        for seat in rivals
    ]
    dead = " ".join(names(hand.up_cards(seat)) for seat in folded)
    found = equity(texts, dead=dead, ranges=ranges, samples=100_000, rules=hand.rules)
    return float(found.equities[0])


def names(cards: tuple[int, ...]) -> str:
    """Their ranks."""
    return "".join(RANKS[card // 4] for card in cards)


def middle_hands(count: int, num_players: int, rules: str = "full_tilt") -> list[Hand]:
    """Hands somewhere in the middle of random play."""
    rng, hands = np.random.default_rng(1), list[Hand]()
    for seed in range(10 * count):
        hand = Hand.deal(num_players, rules, seed=seed)
        for _ in range(int(rng.integers(1, 7 * num_players))):
            legal = [a for a in hand.legal_actions() if a or rng.random() < 0.1]
            if legal:
                hand.apply(legal[rng.integers(len(legal))])
        if not hand.is_over:
            hands.append(hand)
    return hands[:count]


@pytest.mark.parametrize("reading", [UNIFORM, WEIGHTED], ids=["uniform", "weighted"])
def test_heads_up_the_equity_is_that_of_dealing_out(reading: Reading) -> None:
    errors = np.array([counted(h, reading) - dealt_out(h, reading) for h in middle_hands(60, 2)])
    assert abs(errors.mean()) < 0.003
    assert np.sqrt((errors**2).mean()) < 0.01


def test_against_three_the_equity_is_nearly_that_of_dealing_out() -> None:
    errors = np.array([counted(hand) - dealt_out(hand) for hand in middle_hands(25, 4)])
    assert abs(errors.mean()) < 0.01
    assert np.sqrt((errors**2).mean()) < 0.02


def test_multisets_are_91_pairs_and_455_triples_of_ranks() -> None:
    assert np.diff(tables().starts).tolist() == [1, 13, 91, 455, 1820, 6175]


def test_a_wheel_on_the_river_beats_all_but_a_wheel() -> None:
    hand = check_down(limp(deal("Ah2d3h4h5hKcQc", "????Kd7c8c9c")), until=7)
    assert counted(hand) == 1.0
    hand = check_down(limp(deal("Ah2d3h4h5hKcQc", "????Kd2c3c4c")), until=7)
    assert 0.9 < counted(play(hand, "S2 CHECK")) < 1.0


def test_actions_make_low_hole_cards_likelier_on_every_street() -> None:
    hand = deal("Ah2d7h9hTh", "????6d3c4c")
    before = counted(play(hand, "S1 BRING_IN, S2 COMPLETE"), WEIGHTED)
    assert before < counted(hand) - 0.05
    play(hand, "S1 CALL, S2 BET, S1 CALL, S2 BET")
    weights = [weight_of(hand.view(0).public, 1, hole, WEIGHTED) for hole in (0b11, 0b11 << 11)]
    assert weights[1] < 0.01 * weights[0]


def test_to_bring_in_tells_nothing() -> None:
    hand = play(deal("????6c", "????Ks"), "S2 BRING_IN")
    public = hand.view(0).public
    assert {weight_of(public, 1, 1 << low | 1 << high, WEIGHTED) for low, high in PAIRS} == {1.0}


@pytest.mark.parametrize("rules", ["kuhn", "mini20", "mini24", "mini32"])
def test_in_the_small_variants_the_better_hand_has_the_greater_share(rules: str) -> None:
    shares = []
    for seed in range(40):
        hand = Hand.deal(2, rules, seed=seed)
        shares.append((counted(hand), sum(hand.down_cards(hand.actor))))
        assert 0 <= shares[-1][0] <= 1
    low, high = (np.mean([s for s, _ in part]) for part in np.array_split(sorted_by(shares), 2))
    assert low > high


def sorted_by(shares: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """The lowest hole cards first."""
    return sorted(shares, key=lambda pair: pair[1])
