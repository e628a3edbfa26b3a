"""The small variants of RULES 10 on the same kernels; `kuhn` against a count written apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import pytest

from razz_env import Action, Hand, HouseRules, Street, make_batch
from razz_env.observation import encode, spec

NAMED = {"kuhn": 2, "mini20": 4, "mini24": 5, "mini32": 5}
"""Variant -> cards of a full hand."""


def histories(hand: Hand) -> Iterator[tuple[tuple[Action, ...], Hand]]:
    """Every way to play a hand on, with the finished hand."""
    if hand.is_over:
        yield (), hand
        return
    for action in hand.legal_actions():
        following = hand.clone()
        following.apply(action)
        for rest, end in histories(following):
            yield (action, *rest), end


def kuhn_payoff_to_the_bring_in(own: tuple[int, int], other: tuple[int, int], line: str) -> int:
    """Net chips of the bring-in seat in heads-up kuhn at 4/5/20, worked out by hand.

    `line`: b bring-in, c complete, k call, f fold. Two-card lows are compared as lows: no pair
    beats a pair, then the higher card decides, then the lower one; ranks 0 (ace) to 5.
    """
    if line in ("cf", "bcf"):
        return 4 if line == "cf" else -9
    if line == "bf":
        return 4
    staked = {"bk": 9, "ck": 24, "bck": 24}[line]

    def worth(ranks: tuple[int, int]) -> tuple[bool, int, int]:
        return ranks[0] == ranks[1], max(ranks), min(ranks)

    mine, theirs = worth(own), worth(other)
    return 0 if mine == theirs else staked if mine < theirs else -staked


LETTERS = {
    Action.BRING_IN: "b",
    Action.COMPLETE: "c",
    Action.CALL: "k",
    Action.FOLD: "f",
}


def test_kuhn_every_deal_and_history_pays_what_a_count_written_apart_says() -> None:
    cards = [rank * 4 + suit for rank in range(6) for suit in range(2)]
    lines: Counter[str] = Counter()
    total = Fraction(0)
    for down_a, up_a, down_b, up_b in permutations(cards, 4):
        rest = [card for card in cards if card not in (down_a, up_a, down_b, up_b)]
        hand = Hand.deal(2, "kuhn", 100, seed=0, deck=[down_a, up_a, down_b, up_b, *rest])
        opener = 0 if up_a > up_b else 1
        assert hand.actor == hand.bring_in_seat == opener
        ranks = [(down_a // 4, up_a // 4), (down_b // 4, up_b // 4)]
        for actions, end in histories(hand):
            line = "".join(LETTERS[action] for action in actions)
            expected = kuhn_payoff_to_the_bring_in(ranks[opener], ranks[1 - opener], line)
            assert end.payoffs[opener] == expected == -end.payoffs[1 - opener], (ranks, line)
            lines[line] += 1
            total += expected
    deals = 12 * 11 * 10 * 9
    assert lines == dict.fromkeys(["bf", "bk", "bcf", "bck", "cf", "ck"], deals)
    assert total < 0, "the higher door card is a handicap"


@pytest.mark.parametrize("name", NAMED)
def test_named_variants_are_played_to_the_showdown(name: str) -> None:
    rules = HouseRules.preset(name)
    hand = Hand.deal(2, name, 500, seed=4)
    streets = {hand.street}
    while not hand.is_over:
        hand.apply(hand.legal_actions()[-1] if hand.to_call == 0 else Action.CALL)
        streets.add(hand.street)
    assert streets == {Street(street) for street in rules.streets}
    for shown in hand.showdown:
        assert len(shown.cards) == NAMED[name]
        assert all(card // 4 < rules.deck_ranks for card in shown.cards)
        assert all(card % 4 < rules.deck_suits for card in shown.cards)
    assert hand.rules == rules


@pytest.mark.parametrize("name", NAMED)
def test_the_cap_of_the_variant_holds(name: str) -> None:
    hand = Hand.deal(2, name, 10_000, seed=4)
    raises = 0
    while hand.street == Street.THIRD and hand.legal_actions()[-1] >= Action.COMPLETE:
        hand.apply(hand.legal_actions()[-1])
        raises += 1
    assert raises == HouseRules.preset(name).max_bets_per_round


@pytest.mark.parametrize("name", NAMED)
def test_batches_and_observations_take_variants(name: str) -> None:
    batch = make_batch(64, 2, name, seed=1)
    for step in range(80):
        legal = batch.action_masks.argmax(1)
        last = 6 - batch.action_masks[:, ::-1].argmax(1)
        batch.step(legal if step % 3 else last)
        assert (batch.observations >= batch.spec.low).all()
        assert (batch.observations <= batch.spec.high).all()
    hand = Hand.deal(2, name, seed=1)
    parts = spec(2).split(encode(hand.view(0)))
    rules = HouseRules.preset(name)
    assert parts["own_down"].sum() == rules.third_street
    seen = 4 * parts["dead_ranks"].sum() + rules.third_street + 1
    assert 4 * parts["unseen_ranks"].sum() + seen == rules.deck_ranks * rules.deck_suits


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"deck_ranks": 2}, "3 to 13"),
        ({"deck_ranks": 5.0}, "whole number from 3 to 13"),
        ({"deck_suits": 5}, "1 to 4"),
        ({"third_street": 3}, "1 to 2"),
        ({"third_street": True}, "whole number from 1 to 2"),
        ({"streets": (3, 4.0)}, "whole numbers"),
        ({"streets": (4, 5)}, "begin with third"),
        ({"streets": (3, 5, 4)}, "rising"),
        ({"streets": "34"}, "tuple"),
        ({"streets": [3, 4.0]}, "whole numbers"),
        ({"streets": ()}, "begin with third"),
    ],
)
def test_impossible_variants_are_refused(fields: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        HouseRules(**fields)


def test_more_players_than_the_deck_serves_are_refused() -> None:
    with pytest.raises(ValueError, match="8 players need 16 cards and this deck has 12"):
        Hand.deal(8, "kuhn")
    with pytest.raises(ValueError, match="not in the deck of these rules"):
        Hand.from_cards(["AcKd", "2c3c"], "kuhn")


def test_rules_7_a_bet_on_the_last_street_played_decides_who_shows_first() -> None:
    rules = HouseRules.preset("mini20", showdown_order="first_seat")
    hand = Hand.from_cards(["AcAd2c3c", "4c4d5c5d"], rules)
    for action in ("bring_in", "call", "check", "bet", "call"):
        hand.apply(action)
    assert [shown.seat for shown in hand.showdown] == [1, 0]


def test_a_missing_card_is_told_by_a_street_that_is_played() -> None:
    hand = Hand.from_cards(["AcAd2c3c", "4c4d5c5d"], "mini24")
    for action in ("bring_in", "call", "check"):
        hand.apply(action)
    with pytest.raises(ValueError, match="plays seventh street but was given only 4 cards"):
        hand.apply("check")
