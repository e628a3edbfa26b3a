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

from ..support.lows import DECK
from ..support.pokerkit_lockstep import AUTOMATIONS, PokerKitTable
from ..support.tables import check_down, limp

AGGRESSIVE = {Action.COMPLETE, Action.BET, Action.RAISE}
STAKES = ((4, 5, 20, 40), (0, 5, 20, 40), (3, 6, 21, 42), (7, 2, 5, 9), (10, 9, 25, 25))
WEIGHTS = {Action.FOLD: 0.2, Action.CHECK: 1.0, Action.CALL: 1.0, Action.BRING_IN: 1.0}


def somebody_can_cover(hand: Hand) -> bool:
    """Whether some opponent can put in more than the wager of the street."""
    wager = hand.street_chips.max()
    others = [seat for seat in hand.live_seats if seat != hand.actor]
    return any(hand.street_chips[seat] + hand.stacks[seat] > wager for seat in others)


def nobody_can_cover(hand: Hand) -> bool:
    """Ours offers a raise that no opponent could call with more than the wager it answers."""
    return bool(AGGRESSIVE & set(hand.legal_actions())) and not somebody_can_cover(hand)


def only_having_acted_shuts_the_raise(hand: Hand) -> bool:
    public, seat = hand.record.public, hand.actor
    return (
        bool(public.acted[seat])
        and public.bets < hand.rules.max_bets_per_round
        and hand.stacks[seat] > hand.to_call
        and somebody_can_cover(hand)
    )


def pokerkit_reopens(hand: Hand) -> bool:
    """Whether short all-ins reopen the betting to the seat to act as PokerKit counts.

    A raise is full there if it is no smaller than the largest of the round so far (a short opening
    bet always is), and all-ins that follow one another add up to a full one.
    """
    if not only_having_acted_shuts_the_raise(hand):
        return False
    wager, largest, shorts = 0, 0, 0
    acted: set[int] = set()
    for event in hand.events:
        if not isinstance(event, ActionTaken) or event.street != hand.street:
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
    return hand.to_call >= largest and not (shorts > 0 and hand.actor in acted)


def opens_with_no_more_than_the_bring_in(hand: Hand) -> bool:
    return bool(hand.record.public.must_open) and hand.stacks[hand.actor] <= hand.rules.bring_in


def shares_differ(hand: Hand) -> bool:
    """Whether splitting merged pots gives some seat other chips than splitting each alone."""
    return pokerkit_stacks(hand) != hand.stacks.tolist()


def the_stub_was_short(hand: Hand) -> bool:
    return hand.community is not None


@dataclass(frozen=True)
class Difference:
    """What PokerKit does, the rule for which ours does otherwise, and where they differ."""

    pokerkit: str
    rule: str
    applies: Callable[[Hand], bool]


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
        "RULES 5: the aggressive action is for more chips than the passive one takes; this is the "
        "short all-in bring-in",
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
        the_stub_was_short,
    ),
}


def pokerkit_pots(hand: Hand) -> list[tuple[int, tuple[int, ...]]]:
    """(chips, winners) of our pots, merged where the same seats are left when losers are gone."""
    left = {seat for pot in hand.pots for seat in pot.winners}
    merged: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
    for pot in hand.pots:
        key = tuple(seat for seat in pot.eligible if seat in left)
        merged[key] = (merged.get(key, (0, ()))[0] + pot.amount, pot.winners)
    return list(merged.values())


def pokerkit_stacks(hand: Hand) -> list[int]:
    """Final stacks with merged pots, each remainder to the pot's first winner."""
    stacks = hand.starting_stacks - hand.total_chips + hand.returned
    for amount, winners in pokerkit_pots(hand):
        share, odd = divmod(amount, len(winners))
        stacks[list(winners)] += share
        stacks[winners[0]] += odd
    return [int(chips) for chips in stacks]


def random_cards(rng: np.random.Generator, num_players: int) -> list[str]:
    """Seven cards for every seat; in half of the hands two seats have the same ranks and tie."""
    order = rng.permutation(52).tolist()
    if rng.random() < 0.5:
        ranks, suit = rng.permutation(13)[:7], rng.integers(4)
        twins = [int(4 * rank + (suit + turn) % 4) for turn in range(2) for rank in ranks]
        order = twins + [card for card in order if card not in twins]
    rows = [[DECK[card] for card in order[7 * i : 7 * i + 7]] for i in range(num_players)]
    return ["".join(rows[i]) for i in rng.permutation(num_players)]


def random_table(rng: np.random.Generator) -> tuple[HouseRules, list[int], list[str]]:
    """Two to seven seats, most of them short of a hand bet out to the end."""
    num_players = int(rng.integers(2, 8))
    names = ("ante", "bring_in", "small_bet", "big_bet")
    stakes = dict(zip(names, STAKES[rng.integers(len(STAKES))], strict=True))
    deepest = rng.choice([12, 40, 120, 300, 1000])
    stacks = [int(chips) for chips in rng.integers(1, deepest, num_players)]
    return HouseRules.preset("pokerkit", **stakes), stacks, random_cards(rng, num_players)


def expected_difference(hand: Hand) -> str | None:
    """The entry of `DIFFERENCES` that says that the menus differ now, if one does."""
    names = ("no completion", "no raise", "reopened")
    return next((name for name in names if DIFFERENCES[name].applies(hand)), None)


def common_menu(hand: Hand, kit: PokerKitTable, seen: Counter[str], where: str) -> list[Action]:
    """The actions that both offer, after checking that `DIFFERENCES` explains all others."""
    ours = {a: int(hand.amount(a)) for a in hand.legal_actions()}
    theirs = kit.menu()
    both = [action for action in ours if action in theirs]
    assert {a: ours[a] for a in both} == {a: theirs[a] for a in both}, where
    expected = expected_difference(hand)
    found = [action.name for action in (ours.keys() ^ theirs.keys())]
    assert len(found) == (expected is not None), (expected, where, ours, theirs)
    if expected is not None:
        assert (len(ours) > len(theirs)) == (expected == "no raise"), (where, ours, theirs)
        assert ours.keys() ^ theirs.keys() <= AGGRESSIVE, (where, ours, theirs)
        seen[expected] += 1
    return both


def play_in_lockstep(rng: np.random.Generator, seen: Counter[str]) -> None:
    """One random hand; every state is compared, then the settlement."""
    rules, stacks, cards = random_table(rng)
    hand = Hand.from_cards(cards, rules=rules, stacks=stacks)
    kit = PokerKitTable(rules, stacks, cards)
    log = [f"{rules} {stacks} {cards}"]
    while not hand.is_over:
        where = " ".join(log)
        assert not kit.is_over, where
        assert (hand.street, hand.actor) == (kit.street, kit.actor), where
        assert hand.pot_chips == kit.pot_chips, where
        assert list(hand.stacks) == kit.stacks, where
        legal = common_menu(hand, kit, seen, where)
        weights = np.array([WEIGHTS.get(a, 0.8) for a in legal])
        action = legal[rng.choice(len(legal), p=weights / weights.sum())]
        log.append(f"S{hand.actor + 1}:{action.name}")
        hand.apply(action)
        kit.apply(action)
    check_settlement(hand, kit, seen, " ".join(log))
    seen["all-in hands"] += any(hand.total_chips == hand.starting_stacks)
    seen["side-pot hands"] += len(hand.pots) > 1
    seen["tied pots"] += sum(len(pot.winners) > 1 for pot in hand.pots)
    seen["uneven splits"] += sum(len(set(pot.shares)) > 1 for pot in hand.pots)


def check_settlement(hand: Hand, kit: PokerKitTable, seen: Counter[str], where: str) -> None:
    assert kit.is_over, where
    assert kit.stacks == pokerkit_stacks(hand), (where, hand.stacks, kit.stacks, hand.pots)
    seen["odd chips"] += DIFFERENCES["odd chips"].applies(hand)
    if hand.showdown:
        amounts = [amount for amount, _ in pokerkit_pots(hand)]
        assert amounts == kit.pots(), (where, hand.pots, kit.pots())


def play_many(hands: int, seed: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        play_in_lockstep(rng, seen)
    return seen


def test_300_random_short_stacked_hands_agree_with_pokerkit() -> None:
    seen = play_many(300, seed=31)
    assert seen["all-in hands"] > 200
    assert seen["side-pot hands"] > 80
    assert seen["tied pots"] > 20


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
    assert DIFFERENCES["short stub"].applies(hand)


@pytest.mark.slow
@pytest.mark.parametrize("hands", [20_000, 1_000_000])
def test_many_short_stacked_hands_agree_with_pokerkit(hands: int) -> None:
    seen = play_many(hands, seed=32)
    unseen = [name for name in DIFFERENCES if not seen[name]]
    assert unseen == ["short stub"], (
        "a difference that never comes is none; eight seats have theirs"
    )
