"""How low hands will get: the chance to end within a height, and the chance to end lowest.

The height of a low is its highest rank: 8-6-4-2-A has height 7, the rank of the eight. A hand ends
within a height when five of its ranks are no higher, so the question is how often the cards to come
fill the ranks that are missing. Only live cards help, and each that came leaves one rank less.
"""

from typing import TypeAlias

from agents.players.reading import (
    board_ranks,
    count_up_to,
    dead_cards,
    door_rank,
    live_cards,
    own_ranks,
)
from razz_env._jit import kernel
from razz_env.rules.cards import NO_CARD
from razz_env.rules.record import Record
from razz_env.rules.terms import Street

FIVE, SIX, EIGHT, NINE, KING = 4, 5, 7, 8, 12
PAIRED = KING + 1
"""The height above all: every hand ends within it, those with a pair included."""

LOW_CARDS = 5
HOLE_CARDS = 2
SEVENTH = int(Street.SEVENTH)

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
def own_chance_within(view: Record, top: int, dead: int) -> float:
    """Chance that the own hand ends within height `top`."""
    ranks = own_ranks(view)
    have = count_up_to(ranks, top)
    if have >= LOW_CARDS or top == PAIRED:
        return 1.0
    outs = live_cards(dead, ranks, top) / (top + 1 - have)
    live = live_cards(dead, 0, KING)
    odds = still_missing(LOW_CARDS - have)
    for gone in range(SEVENTH - view.public.street):
        odds = after_card(odds, top + 1 - LOW_CARDS, outs / (live - gone))
    return odds[0]


@kernel
def rival_chance_within(view: Record, seat: int, top: int, dead: int, credit: float) -> float:
    """Chance that another seat ends within height `top`, by its board and unseen hole cards."""
    ranks = board_ranks(view.public, seat)
    have = count_up_to(ranks, top)
    if have >= LOW_CARDS or top == PAIRED:
        return 1.0
    kinds, spare = top + 1 - have, top + 1 - LOW_CARDS
    odds = still_missing(LOW_CARDS - have)
    hole_hit = hole_card_hit(ranks, door_rank(view.public, seat), top, dead, credit)
    for _ in range(HOLE_CARDS):
        odds = after_card(odds, spare, hole_hit / kinds)
    outs = live_cards(dead, ranks, top) / kinds
    live = live_cards(dead, 0, KING) - HOLE_CARDS
    for gone in range(unseen_after_hole_cards(view.public)):
        odds = after_card(odds, spare, outs / (live - gone))
    return odds[0]


@kernel
def hole_card_hit(ranks: int, door: int, top: int, dead: int, credit: float) -> float:
    """Chance that a hole card of another seat is a new rank no higher than `top`.

    With chance `credit` it is a card that players start with, low and no pair with the door card;
    else it may be any.
    """
    of_any = live_cards(dead, ranks, top) / live_cards(dead, 0, KING)
    start_cards = max(live_cards(dead, 1 << door, EIGHT), 1)
    of_start = live_cards(dead, ranks, min(top, EIGHT)) / start_cards
    return credit * of_start + (1.0 - credit) * of_any


@kernel
def unseen_after_hole_cards(public: Record) -> int:
    """Cards of another seat that are still to come, or dealt face down on seventh street."""
    if public.street == SEVENTH:
        return 1 if public.community == NO_CARD else 0
    return SEVENTH - int(public.street)


@kernel
def all_above_chance(
    view: Record, rivals: int, trusted: int, top: int, dead: int, credit: float
) -> float:
    """Chance that every rival ends above height `top`; only `trusted` seats are given credit."""
    chance = 1.0
    for seat in range(view.public.num_seats):
        if rivals >> seat & 1:
            given = credit if trusted >> seat & 1 else 0.0
            chance *= 1.0 - rival_chance_within(view, seat, top, dead, given)
    return chance


@kernel
def win_chance(view: Record, rivals: int, trusted: int, credit: float) -> float:
    """Chance to end lower than every seat of the set `rivals`.

    Those who are in the set `trusted` started with low hole cards with chance `credit`. A rival of
    the same height is beaten as often as own roughness leaves room for it.
    """
    dead = dead_cards(view)
    chance, own_below, above_below = 0.0, 0.0, 1.0
    for top in range(FIVE, PAIRED + 1):
        own = own_chance_within(view, top, dead)
        above = all_above_chance(view, rivals, trusted, top, dead, credit)
        tied = above_below - above
        beaten = above + tied * (1.0 - roughness(view, top, own))
        chance += (own - own_below) * beaten
        own_below, above_below = own, above
    return chance


@kernel
def roughness(view: Record, top: int, own_chance: float) -> float:
    """Share of the lows of height `top` that beat the own one: 8-7 is rough, 8-5 is smooth.

    A half as long as the own low is not made. Counted by the second highest rank; among four ranks
    below `top` all are equally likely.
    """
    if own_chance < 1.0 or top == PAIRED:
        return 0.5
    ranks, second = own_ranks(view), top - 1
    while not ranks >> second & 1:
        second -= 1
    return (choose_four(second) + choose_four(second + 1)) / 2.0 / choose_four(top)


@kernel
def choose_four(ranks: int) -> float:
    """Number of ways to choose four of so many ranks."""
    return ranks * (ranks - 1) * (ranks - 2) * (ranks - 3) / 24.0


@kernel
def start_worth(view: Record) -> float:
    """How good three cards are: the mean chance to end within a six, seven, eight and nine.

    With all cards live 0.42 for A-2-3, 0.31 for 6-7-8, 0.25 for A-2-9, 0.17 for A-2-K.
    """
    dead = dead_cards(view)
    chances = 0.0
    for top in range(SIX, NINE + 1):
        chances += own_chance_within(view, top, dead)
    return chances / (NINE + 1 - SIX)
