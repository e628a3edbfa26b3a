"""How low hands will get: the chance to end within a height, and the chance to end lowest.

The height of a low is its highest rank: 8-6-4-2-A has height 7, the rank of the eight. A hand ends
within a height when five of its ranks are no higher, so the question is how often the cards to come
fill the ranks that are missing. Only live cards help, and each that came leaves one rank less.

Deck, streets and hole cards are those of the view's rules, so the chances to end within a height
hold in the small variants (RULES 10) too. Where a hand has fewer than five cards, its low is made
of all of them. The height above all, the number of ranks in the deck, is one that every hand ends
within, pairs included; pairs are not told apart, so the chance to end lowest is coarse where most
hands end with one.
"""

from typing import TypeAlias

from agents.players.reading import (
    board_ranks,
    count_up_to,
    door_rank,
    live_cards,
    low_size,
    own_ranks,
    seen_cards,
    streets_to_come,
)
from razz_env._jit import kernel
from razz_env.rules.betting import SEVENTH
from razz_env.rules.cards import NO_CARD
from razz_env.rules.record import Record

EIGHT, KING = 7, 12
START_HEIGHTS = 4

Odds: TypeAlias = tuple[float, float, float, float, float, float]
"""Chances that 0, 1, ... 5 ranks are still missing."""


@kernel
def still_missing(ranks: int) -> Odds:
    """The odds when so many ranks (0..5) are missing for sure."""
    return (
        1.0 if ranks == 0 else 0.0,
        1.0 if ranks == 1 else 0.0,
        1.0 if ranks == 2 else 0.0,
        1.0 if ranks == 3 else 0.0,
        1.0 if ranks == 4 else 0.0,
        1.0 if ranks == 5 else 0.0,
    )


@kernel
def after_card(odds: Odds, spare: int, hit: float) -> Odds:
    """The odds after one more card: with k ranks missing, any of `spare` + k ranks helps.

    `hit` is the chance of a card of one of these ranks.
    """
    one = odds[1] * hit * (spare + 1)
    two = odds[2] * hit * (spare + 2)
    three = odds[3] * hit * (spare + 3)
    four = odds[4] * hit * (spare + 4)
    five = odds[5] * hit * (spare + 5)
    return (
        odds[0] + one,
        odds[1] - one + two,
        odds[2] - two + three,
        odds[3] - three + four,
        odds[4] - four + five,
        odds[5] - five,
    )


@kernel
def own_chance_within(view: Record, top: int, seen: int) -> float:
    """Chance that the own hand ends within height `top`."""
    return chance_within(view.public, own_ranks(view), top, seen)


@kernel
def chance_within(public: Record, ranks: int, top: int, seen: int) -> float:
    """Chance that a hand of these ranks, all of it seen, ends within height `top`."""
    rules = public.rules
    have, spare = count_up_to(ranks, top), top + 1 - low_size(rules)
    if have >= low_size(rules) or top == rules.deck_ranks:
        return 1.0
    if spare < 0:
        return 0.0
    outs = live_cards(rules, seen, ranks, top) / (top + 1 - have)
    live = live_cards(rules, seen, 0, KING)
    odds = still_missing(low_size(rules) - have)
    for gone in range(streets_to_come(public)):
        odds = after_card(odds, spare, outs / (live - gone))
    return odds[0]


@kernel
def rival_chance_within(view: Record, seat: int, top: int, seen: int, credit: float) -> float:
    """Chance that another seat ends within height `top`, by its board and unseen hole cards."""
    rules, ranks = view.public.rules, board_ranks(view.public, seat)
    have, spare = count_up_to(ranks, top), top + 1 - low_size(rules)
    if have >= low_size(rules) or top == rules.deck_ranks:
        return 1.0
    if spare < 0:
        return 0.0
    kinds = top + 1 - have
    odds = still_missing(low_size(rules) - have)
    hole_hit = hole_card_hit(rules, ranks, door_rank(view.public, seat), top, seen, credit)
    for _ in range(rules.third_street):
        odds = after_card(odds, spare, hole_hit / kinds)
    outs = live_cards(rules, seen, ranks, top) / kinds
    live = live_cards(rules, seen, 0, KING) - rules.third_street
    for gone in range(unseen_after_hole_cards(view.public)):
        odds = after_card(odds, spare, outs / (live - gone))
    return odds[0]


@kernel
def hole_card_hit(
    rules: Record, ranks: int, door: int, top: int, seen: int, credit: float
) -> float:
    """Chance that a hole card of another seat is a new rank no higher than `top`.

    With chance `credit` it is a card that players start with, low and no pair with the door card;
    else it may be any.
    """
    of_any = live_cards(rules, seen, ranks, top) / live_cards(rules, seen, 0, KING)
    start_cards = max(live_cards(rules, seen, 1 << door, EIGHT), 1)
    of_start = live_cards(rules, seen, ranks, min(top, EIGHT)) / start_cards
    return credit * of_start + (1.0 - credit) * of_any


@kernel
def unseen_after_hole_cards(public: Record) -> int:
    """Cards of another seat that are still to come, or dealt face down on seventh street."""
    if public.street == SEVENTH:
        return 1 if public.community == NO_CARD else 0
    return streets_to_come(public)


@kernel
def all_above_chance(
    view: Record, rivals: int, trusted: int, top: int, seen: int, credit: float
) -> float:
    """Chance that every rival ends above height `top`; only `trusted` seats are given credit."""
    chance = 1.0
    for seat in range(view.public.num_seats):
        if rivals >> seat & 1:
            given = credit if trusted >> seat & 1 else 0.0
            chance *= 1.0 - rival_chance_within(view, seat, top, seen, given)
    return chance


@kernel
def win_chance(view: Record, rivals: int, trusted: int, credit: float) -> float:
    """Chance to end lower than every seat of the set `rivals`.

    Those who are in the set `trusted` started with low hole cards with chance `credit`. A rival of
    the same height is beaten as often as own roughness leaves room for it.
    """
    seen, ranks, held = seen_cards(view), view.public.rules.deck_ranks, own_ranks(view)
    chance, own_below, above_below = 0.0, 0.0, 1.0
    for top in range(min(low_size(view.public.rules) - 1, ranks), ranks + 1):
        own = chance_within(view.public, held, top, seen)
        above = all_above_chance(view, rivals, trusted, top, seen, credit)
        tied = above_below - above
        beaten = above + tied * (1.0 - roughness(view, top, own))
        chance += (own - own_below) * beaten
        own_below, above_below = own, above
    return chance


@kernel
def roughness(view: Record, top: int, own_chance: float) -> float:
    """Share of the lows of height `top` that beat the own one: 8-7 is rough, 8-5 is smooth.

    A half as long as the own low is not made. Counted by the second highest rank; among the other
    ranks of a low, all below `top`, all are equally likely.
    """
    if own_chance < 1.0 or top == view.public.rules.deck_ranks:
        return 0.5
    ranks, second, rest = own_ranks(view), top - 1, low_size(view.public.rules) - 1
    while not ranks >> second & 1:
        second -= 1
    return (choose(second, rest) + choose(second + 1, rest)) / 2.0 / choose(top, rest)


@kernel
def choose(ranks: int, count: int) -> float:
    """Number of ways to choose `count` of so many ranks."""
    ways, orders = 1.0, 1.0
    for chosen in range(count):
        ways *= ranks - chosen
        orders *= chosen + 1
    return ways / orders


@kernel
def start_worth(view: Record) -> float:
    """How good the first cards are: the mean chance to end within a six, seven, eight and nine.

    With all cards live 0.42 for A-2-3, 0.31 for 6-7-8, 0.25 for A-2-9, 0.17 for A-2-K. In the small
    variants these are the four heights above the best one, or as many of them as the deck has.
    """
    rules, seen = view.public.rules, seen_cards(view)
    ranks = int(rules.deck_ranks)
    lowest = min(low_size(rules), ranks - 1)
    heights = min(START_HEIGHTS, ranks - lowest)
    chances, held = 0.0, own_ranks(view)
    for top in range(lowest, lowest + heights):
        chances += chance_within(view.public, held, top, seen)
    return chances / heights
