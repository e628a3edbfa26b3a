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

from typing import NamedTuple, TypeAlias

from agents.players.reading import (
    board_ranks,
    count_cards,
    count_up_to,
    door_rank,
    live_by_rank,
    live_cards,
    low_size,
    own_ranks,
    seen_cards,
    streets_to_come,
    unseen_cards,
)
from razz_env._jit import inlined, kernel
from razz_env.rules.betting import SEVENTH
from razz_env.rules.cards import NO_CARD
from razz_env.rules.record import Record

EIGHT = 7
START_HEIGHTS = 4

Odds: TypeAlias = tuple[float, float, float, float, float, float]
"""Chances that 0, 1, ... 5 ranks are still missing."""


class Draw(NamedTuple):
    """What is known of a hand, and what may come to it.

    Attributes:
        ranks: set of the ranks that it has for sure.
        outs: live cards of all other ranks, packed as `reading.seen_cards`.
        unseen: cards of any rank that are not seen.
        to_come: cards that are still to come, or were dealt face down on seventh street.
    """

    ranks: int
    outs: int
    unseen: int
    to_come: int


class Hits(NamedTuple):
    """How likely each card to come has one of the ranks that help.

    Attributes:
        hole_cards: how many cards come first that are dealt already, face down.
        hole_hit: the chance of each of them.
        outs: mean number of live cards of a rank that helps.
        unseen: cards that may come after them.
    """

    hole_cards: int
    hole_hit: float
    outs: float
    unseen: int


@inlined
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


@inlined
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


@inlined
def hit_by(hits: Hits, card: int) -> float:
    """The chance for the card with this number, from 0 on."""
    if card < hits.hole_cards:
        return hits.hole_hit
    return hits.outs / (hits.unseen - (card - hits.hole_cards))


@inlined
def chance_to_fill(missing: int, spare: int, hits: Hits, cards: int) -> float:
    """Chance that so many cards, at least one, fill all `missing` ranks (1..5); see `after_card`.

    Of the last card only counts whether it fills the last rank.
    """
    last = cards - 1
    if missing <= 2:
        return _chance_to_fill_few(missing, spare, hits, last)
    odds = still_missing(missing)
    for card in range(last):
        odds = after_card(odds, spare, hit_by(hits, card))
    return odds[0] + odds[1] * hit_by(hits, last) * (spare + 1)


@inlined
def _chance_to_fill_few(missing: int, spare: int, hits: Hits, last: int) -> float:
    """The same for one or two ranks, most hands' case, without the odds that three are missing."""
    none, one, two = 0.0, 1.0 if missing == 1 else 0.0, 1.0 if missing == 2 else 0.0
    for card in range(last):
        hit = hit_by(hits, card)
        first, second = one * hit * (spare + 1), two * hit * (spare + 2)
        none, one, two = none + first, one - first + second, two - second
    return none + one * hit_by(hits, last) * (spare + 1)


@inlined
def own_draw(view: Record, seen: int) -> Draw:
    """The own hand."""
    rules, ranks = view.public.rules, own_ranks(view)
    outs = live_by_rank(rules, seen, ranks)
    return Draw(ranks, outs, unseen_cards(rules, seen), streets_to_come(view.public))


@inlined
def rival_draw(public: Record, seat: int, seen: int) -> Draw:
    """Another seat's hand, but for its hole cards."""
    rules, ranks = public.rules, board_ranks(public, seat)
    outs = live_by_rank(rules, seen, ranks)
    unseen = unseen_cards(rules, seen)
    return Draw(ranks, outs, unseen, unseen_after_hole_cards(public))


@inlined
def chance_within(rules: Record, draw: Draw, top: int) -> float:
    """Chance that a hand, all of it seen, ends within height `top`."""
    have, spare = count_up_to(draw.ranks, top), top + 1 - low_size(rules)
    missing = low_size(rules) - have
    if missing <= 0 or top == rules.deck_ranks:
        return 1.0
    if spare < 0 or missing > draw.to_come:
        return 0.0
    outs = count_cards(draw.outs, top) / (top + 1 - have)
    return chance_to_fill(missing, spare, Hits(0, 0.0, outs, draw.unseen), draw.to_come)


@inlined
def rival_chance_within(view: Record, seat: int, top: int, seen: int, credit: float) -> float:
    """Chance that another seat ends within height `top`, by its board and unseen hole cards."""
    rules, draw = view.public.rules, rival_draw(view.public, seat, seen)
    have, spare = count_up_to(draw.ranks, top), top + 1 - low_size(rules)
    missing = low_size(rules) - have
    if missing <= 0 or top == rules.deck_ranks:
        return 1.0
    if spare < 0 or missing > rules.third_street + draw.to_come:
        return 0.0
    kinds = top + 1 - have
    hole_hit = hole_card_hit(rules, draw, door_rank(view.public, seat), top, seen, credit)
    outs = count_cards(draw.outs, top) / kinds
    hole_cards = int(rules.third_street)
    hits = Hits(hole_cards, hole_hit / kinds, outs, draw.unseen - hole_cards)
    return chance_to_fill(missing, spare, hits, hole_cards + draw.to_come)


@inlined
def hole_card_hit(
    rules: Record, draw: Draw, door: int, top: int, seen: int, credit: float
) -> float:
    """Chance that a hole card of another seat is a new rank no higher than `top`.

    With chance `credit` it is a card that players start with, low and no pair with the door card;
    else it may be any.
    """
    of_any = count_cards(draw.outs, top) / draw.unseen
    start_cards = max(live_cards(rules, seen, 1 << door, EIGHT), 1)
    of_start = count_cards(draw.outs, min(top, EIGHT)) / start_cards
    return credit * of_start + (1.0 - credit) * of_any


@kernel
def unknown_cards(public: Record) -> int:
    """Cards of another seat that are not seen, all that are still to come among them."""
    return int(public.rules.third_street) + unseen_after_hole_cards(public)


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
    rules, seen = view.public.rules, seen_cards(view)
    draw, top = own_draw(view, seen), min(low_size(rules) - 1, rules.deck_ranks)
    while chance_within(rules, draw, top) == 0.0:
        top += 1  # lower than the own hand can get
    chance, own_below, is_made = 0.0, 0.0, False
    above_below = all_above_chance(view, rivals, trusted, top - 1, seen, credit)
    while not is_made:
        own = chance_within(rules, draw, top)
        above = all_above_chance(view, rivals, trusted, top, seen, credit)
        tied = above_below - above
        beaten = above + tied * (1.0 - roughness(view, top, own))
        chance += (own - own_below) * beaten
        own_below, above_below = own, above
        is_made = count_up_to(draw.ranks, top) >= low_size(rules) or top == rules.deck_ranks
        top += 1
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
    return (binomial(second, rest) + binomial(second + 1, rest)) / 2.0 / binomial(top, rest)


@kernel
def binomial(ranks: int, count: int) -> float:
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
    chances, draw = 0.0, own_draw(view, seen)
    for top in range(lowest, lowest + heights):
        chances += chance_within(rules, draw, top)
    return chances / heights
