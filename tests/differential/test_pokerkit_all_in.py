"""Our hands in lockstep with PokerKit, preset ``pokerkit``: all-ins, side pots and ties.

Every state is compared. Where the two may differ, `DIFFERENCES` says so and which rule explains
it, and it is checked both ways: a difference without its reason fails, and so does a reason without
the difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from pokerkit import Automation, CardBurning, FixedLimitRazz, HoleDealing, Mode, State

from razz_env import Action, Hand, HouseRules
from razz_env.rules.events import ActionTaken

from ..support.glance import Glance, glance
from ..support.lows import DECK
from ..support.plain_table import AGGRESSIVE
from ..support.pokerkit_lockstep import AUTOMATIONS, PokerKitTable, from_the_top, known_cards
from ..support.tables import check_down, limp

STAKES = ((4, 5, 20, 40), (0, 5, 20, 40), (3, 6, 21, 42), (7, 2, 5, 9), (10, 9, 25, 25))
NAMES = ("ante", "bring_in", "small_bet", "big_bet")
RULES = [HouseRules.preset("pokerkit", **dict(zip(NAMES, s, strict=True))) for s in STAKES]
WEIGHTS = {Action.FOLD: 0.2, Action.CHECK: 1.0, Action.CALL: 1.0, Action.BRING_IN: 1.0}
CAP = RULES[0].max_bets_per_round
DEPTHS = (12, 40, 120, 300, 1000)


def somebody_can_cover(now: Glance) -> bool:
    """Whether some opponent can put in more than the wager of the street."""
    wager = max(now.street_chips)
    return any(
        now.live[seat] and seat != now.actor and now.street_chips[seat] + chips > wager
        for seat, chips in enumerate(now.stacks)
    )


def nobody_can_cover(now: Glance) -> bool:
    """Ours offers a raise that no opponent could call with more than the wager it answers."""
    return any(action in now.menu for action in AGGRESSIVE) and not somebody_can_cover(now)


def only_having_acted_shuts_the_raise(now: Glance) -> bool:
    return (
        now.has_acted
        and now.bets < CAP
        and now.stacks[now.actor] > now.to_call
        and somebody_can_cover(now)
    )


def pokerkit_reopens(now: Glance) -> bool:
    """Whether short all-ins reopen the betting to the seat to act as PokerKit counts.

    A raise is full there if it is no smaller than the largest of the round so far (a short opening
    bet always is), and all-ins that follow one another add up to a full one.
    """
    if not only_having_acted_shuts_the_raise(now):
        return False
    wager, largest, shorts = 0, 0, 0
    acted: set[int] = set()
    for event in now.hand.events:
        if not isinstance(event, ActionTaken) or event.street != now.street:
            continue
        acted.add(event.seat)
        if event.action in AGGRESSIVE:
            size = event.to_chips - wager
            if size >= largest:
                acted = {event.seat}
            largest = max(largest, size)
            shorts = shorts + size if event.all_in else 0
            if shorts >= largest:
                shorts = 0
        wager = max(wager, event.to_chips)
    return now.to_call >= largest and not (shorts > 0 and now.actor in acted)


def opens_with_no_more_than_the_bring_in(now: Glance) -> bool:
    return now.must_open and now.stacks[now.actor] <= now.hand.rules.bring_in


def shares_differ(now: Glance) -> bool:
    """Whether splitting merged pots gives some seat other chips than splitting each alone."""
    return pokerkit_stacks(now) != now.stacks


def folded_cards_would_fill_the_stub(now: Glance) -> bool:
    """Ours has dealt a community card though somebody had folded before; seven seats need 49."""
    if now.hand.community is None:
        return False
    actions = [event for event in now.hand.events if isinstance(event, ActionTaken)]
    return any(event.action == Action.FOLD and event.street < 7 for event in actions)


@dataclass(frozen=True)
class Difference:
    """What PokerKit does, the rule for which ours does otherwise, and where they differ."""

    pokerkit: str
    rule: str
    applies: Callable[[Glance], bool]


DIFFERENCES = {
    "no raise": Difference(
        "offers no raise when no opponent can put in more than the wager",
        "RULES 4: no raise only when no opponent who could respond has chips left",
        nobody_can_cover,
    ),
    "reopened": Difference(
        "adds short all-ins up, and measures a full raise by the largest of the round so far",
        "RULES 5, full_on_top: a short all-in never reopens for those who acted",
        pokerkit_reopens,
    ),
    "no completion": Difference(
        "lets a seat with no more than the bring-in complete with the same chips",
        "RULES 5: a short completion lies between bring-in and small bet, so all-in for no more "
        "than the bring-in is the bring-in itself, short if it is less",
        opens_with_no_more_than_the_bring_in,
    ),
    "odd chips": Difference(
        "takes losing hands away first, then merges the pots that are left with the same seats",
        "RULES 5: each pot is split alone, so odd chips of two pots do not make whole shares",
        shares_differ,
    ),
    "short stub": Difference(
        "deals burn cards and the cards of folded hands again when the stub runs out",
        "RULES 6: mucked cards are never dealt again, one community card is everyone's seventh",
        folded_cards_would_fill_the_stub,
    ),
}


def pokerkit_pots(now: Glance) -> list[tuple[int, tuple[int, ...]]]:
    """(chips, winners) of our pots, merged where the same seats are left when losers are gone."""
    left = {seat for pot in now.pots for seat in pot.winners}
    merged: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
    for pot in now.pots:
        key = tuple(seat for seat in pot.eligible if seat in left)
        merged[key] = (merged.get(key, (0, ()))[0] + pot.amount, pot.winners)
    return list(merged.values())


def pokerkit_stacks(now: Glance) -> list[int]:
    """Final stacks with merged pots, each remainder to the pot's first winner."""
    hand = now.hand
    stacks: list[int] = (hand.starting_stacks - hand.total_chips + hand.returned).tolist()
    for amount, winners in pokerkit_pots(now):
        share, odd = divmod(amount, len(winners))
        for seat in winners:
            stacks[seat] += share
        stacks[winners[0]] += odd
    return stacks


def random_cards(rng: np.random.Generator, num_players: int) -> list[str]:
    """Seven cards for every seat; in half of the hands two seats have the same ranks and tie."""
    order = rng.permutation(52).tolist()
    if rng.random() < 0.5:
        ranks, suit = rng.permutation(13)[:7].tolist(), int(rng.integers(4))
        twins = [4 * rank + (suit + turn) % 4 for turn in range(2) for rank in ranks]
        order = twins + [card for card in order if card not in twins]
    rows = [[DECK[card] for card in order[7 * i : 7 * i + 7]] for i in range(num_players)]
    return ["".join(rows[i]) for i in rng.permutation(num_players)]


def random_table(rng: np.random.Generator) -> tuple[Hand, PokerKitTable, str]:
    """The same hand at both, most seats short of a hand bet out to the end, and its description.

    Two to seven seats have known cards. Eight are dealt from a deck, for it has not seven each.
    """
    num_players = int(rng.integers(2, 9))
    rules = RULES[rng.integers(len(RULES))]
    deepest = DEPTHS[rng.integers(len(DEPTHS))]
    stacks = rng.integers(1, deepest, num_players).tolist()
    if num_players == 8:
        deck = [DECK[card] for card in rng.permutation(52)]
        hand = Hand.deal(8, rules, stacks, deck="".join(deck))
        return hand, PokerKitTable(rules, stacks, from_the_top(deck)), f"{rules} {stacks} {deck}"
    cards = random_cards(rng, num_players)
    hand = Hand.from_cards(cards, rules, stacks)
    return hand, PokerKitTable(rules, stacks, known_cards(cards)), f"{rules} {stacks} {cards}"


def expected_difference(now: Glance) -> str | None:
    """The entry of `DIFFERENCES` that says that the menus differ now, if one does."""
    names = ("no completion", "no raise", "reopened")
    return next((name for name in names if DIFFERENCES[name].applies(now)), None)


def common_menu(
    now: Glance, kit: PokerKitTable, seen: Counter[str], log: list[str]
) -> list[Action]:
    """The actions that both offer, after checking that `DIFFERENCES` explains all others."""
    ours, theirs = now.menu, kit.menu()
    both = [action for action in ours if action in theirs]
    assert [ours[a] for a in both] == [theirs[a] for a in both], log
    expected, found = expected_difference(now), ours.keys() ^ theirs.keys()
    assert len(found) == (expected is not None), (expected, log, ours, theirs)
    if expected is not None:
        assert (len(ours) > len(theirs)) == (expected == "no raise"), (log, ours, theirs)
        assert found <= {*AGGRESSIVE}, (log, ours, theirs)
        seen[expected] += 1
    return both


def choose(rng: np.random.Generator, actions: list[Action]) -> Action:
    weights = [WEIGHTS.get(action, 0.8) for action in actions]
    left = rng.random() * sum(weights)
    for action, weight in zip(actions, weights, strict=True):
        left -= weight
        if left < 0:
            return action
    return actions[-1]


def play_in_lockstep(rng: np.random.Generator, seen: Counter[str]) -> None:
    """One random hand; every state is compared, then the settlement.

    Where the stub is short the comparison ends: from there on the cards are not the same.
    """
    hand, kit, table = random_table(rng)
    now, log = glance(hand), [table]
    while not now.is_over and not kit.is_short:
        assert not kit.is_over, log
        assert (now.street, now.actor) == (kit.street, kit.actor), log
        assert now.pot_chips == kit.pot_chips, log
        assert now.stacks == kit.stacks, log
        action = choose(rng, common_menu(now, kit, seen, log))
        log.append(f"S{now.actor + 1}:{action.name}")
        hand.apply(action)
        kit.apply(action)
        now = glance(hand)
    assert DIFFERENCES["short stub"].applies(now) == kit.is_short, log
    assert (hand.community is not None) == (kit.is_short or kit.has_community_card), log
    if kit.is_short:
        seen["short stub"] += 1
    else:
        check_settlement(now, kit, seen, log)
        count_kinds(now, seen)


def check_settlement(now: Glance, kit: PokerKitTable, seen: Counter[str], log: list[str]) -> None:
    assert kit.is_over, log
    assert kit.stacks == pokerkit_stacks(now), (log, now.stacks, kit.stacks, now.pots)
    seen["odd chips"] += DIFFERENCES["odd chips"].applies(now)
    if sum(now.live) > 1:  # PokerKit gives a last seat its own last bets back outside the pot
        amounts = [amount for amount, _ in pokerkit_pots(now)]
        assert amounts == kit.pots(), (log, now.pots, kit.pots())


def count_kinds(now: Glance, seen: Counter[str]) -> None:
    """Count what kinds of hands were compared to their ends."""
    seen["hands"] += 1
    seen["hands of eight"] += len(now.stacks) == 8
    seen["community cards"] += now.hand.community is not None
    seen["all-in hands"] += any(now.hand.starting_stacks == now.total_chips)
    seen["side-pot hands"] += len(now.pots) > 1
    seen["tied pots"] += sum(len(pot.winners) > 1 for pot in now.pots)
    seen["uneven splits"] += sum(len(set(pot.shares)) > 1 for pot in now.pots)


def play_many(hands: int, seed: int | list[int]) -> Counter[str]:
    seen: Counter[str] = Counter()
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        play_in_lockstep(rng, seen)
    return seen


def pokerkit_hand_of_eight() -> State:
    """Eight seats, shuffled by PokerKit; one folds on fourth street, seven stay to the end."""
    automations = (
        *AUTOMATIONS,
        Automation.CARD_BURNING,
        Automation.HOLE_DEALING,
        Automation.BOARD_DEALING,
    )
    state = FixedLimitRazz.create_state(
        automations, True, 4, 5, 20, 40, (500,) * 8, 8, mode=Mode.TOURNAMENT
    )
    state.post_bring_in()
    while state.street_index == 0:
        state.check_or_call()
    state.complete_bet_or_raise_to()
    state.fold()
    while state.status:
        state.check_or_call()
    return state


@pytest.mark.filterwarnings("ignore:Returning reserved")
def test_pokerkit_deals_cards_again_where_ours_deals_a_community_card() -> None:
    operations = pokerkit_hand_of_eight().operations
    dealt = [repr(c) for op in operations if isinstance(op, HoleDealing) for c in op.cards]
    burnt = [repr(op.card) for op in operations if isinstance(op, CardBurning)]
    assert len(dealt) == 8 * 4 + 7 * 3
    assert len(set(dealt + burnt)) < len(dealt + burnt)

    hand = Hand.deal(8, "pokerkit", seed=1)
    limp(hand)
    for action in (Action.BET, Action.FOLD, *[Action.CALL] * 6):
        hand.apply(action)
    check_down(hand)
    assert len(hand.live_seats) == 7
    assert DIFFERENCES["short stub"].applies(glance(hand))


def check_counts(seen: Counter[str], hands: int) -> None:
    """Every kind of hand came up often, and every entry of `DIFFERENCES` at least once."""
    assert seen["hands"] + seen["short stub"] == hands
    assert seen["all-in hands"] > hands // 2
    assert seen["side-pot hands"] > hands // 4
    assert seen["hands of eight"] > hands // 16
    assert seen["tied pots"] > hands // 16
    assert seen["uneven splits"] > hands // 50
    assert seen["community cards"] > hands // 100
    assert [name for name in DIFFERENCES if not seen[name]] == []


@pytest.mark.parametrize("part", range(4))
def test_20_000_random_short_stacked_hands_agree_with_pokerkit(part: int) -> None:
    check_counts(play_many(5_000, seed=[31, part]), 5_000)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(50))
def test_1_000_000_random_short_stacked_hands_agree_with_pokerkit(part: int) -> None:
    check_counts(play_many(20_000, seed=[32, part]), 20_000)
