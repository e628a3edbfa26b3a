"""Setting up a hand: seats, stacks, seeds, a given deck, or a plan of known cards."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from razz_env.rules.cards import NO_CARD, format_card, parse_cards
from razz_env.rules.checks import is_whole
from razz_env.rules.dealing import PLAN_TOO_SHORT, deck_size, fill_deck
from razz_env.rules.house_rules import MAX_CHIPS, RulesLike, as_house_rules, check_table_size
from razz_env.rules.record import CARDS_PER_SEAT, HAND
from razz_env.rules.terms import Street

StacksLike: TypeAlias = int | Sequence[int] | NDArray[np.int64]
"""Chips of every seat, or one number for each."""


def blank_hands(count: int, num_players: int, rules: RulesLike, stacks: StacksLike) -> NDArray[Any]:
    """`count` records of dtype `HAND` with rules, seats and starting stacks, nothing dealt.

    Raises:
        ValueError: rules, seats or stacks out of range.
    """
    house = as_house_rules(rules)
    check_table_size(house, num_players)
    hands = np.zeros(count, HAND)
    public = hands["public"]
    public["rules"] = house.record()
    public["num_seats"] = num_players
    public["starting_stack"][:, :num_players] = _check_stacks(stacks, num_players)
    hands["burnt"] = hands["scrambled"] = NO_CARD
    return hands


def check_seed(seed: int, name: str = "seed") -> int:
    """A seed, or the number of a table or hand, as int, 0 <= seed < 2**63.

    Raises:
        ValueError: outside that range or not a whole number.
    """
    if not is_whole(seed):
        raise ValueError(f"A {name} must be a whole number, not {seed!r}.")
    if not 0 <= seed < 2**63:
        raise ValueError(f"The {name} {seed} is outside 0 .. 2**63 - 1.")
    return int(seed)


def fresh_seed() -> int:
    """A seed from the operating system's randomness."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1)


def _check_stacks(stacks: StacksLike, num_players: int) -> NDArray[np.int64]:
    given = np.asarray(stacks)
    if given.dtype == object and all(is_whole(stack) for stack in given.flat):
        raise ValueError(f"The stacks {stacks!r} must be 1 to {MAX_CHIPS}.")
    if given.dtype.kind not in "iu":
        raise ValueError(f"Stacks must be whole chips, not {stacks!r}.")
    if given.ndim > 1 or (given.ndim == 1 and len(given) != num_players):
        raise ValueError(f"{num_players} players need one stack or {num_players}, not {stacks!r}.")
    for seat, stack in enumerate(np.broadcast_to(given, num_players)):
        if not 0 < stack <= MAX_CHIPS:
            raise ValueError(f"The stack of seat {seat} is {stack}; it must be 1 to {MAX_CHIPS}.")
    return given.astype(np.int64)


def check_decisions(public: Any) -> None:
    """Refuse stacks with which no hand has a decision.

    Raises:
        ValueError: fewer than two seats have more than the ante.
    """
    stacks = public.starting_stack[: public.num_seats]
    if np.count_nonzero(stacks > public.rules.ante) < 2:
        raise ValueError(
            f"With stacks {stacks.tolist()} and an ante of {public.rules.ante} no hand has a "
            "decision: at least two seats need more than the ante."
        )


def check_table(num_players: int, rules: RulesLike, stacks: StacksLike) -> None:
    """Refuse a table that cannot be, or at which no hand has a decision.

    Raises:
        ValueError: rules, seats or stacks out of range; and see `check_decisions`.
    """
    check_decisions(blank_hands(1, num_players, rules, stacks)[0].public)


def stack_deck(record: Any, cards: tuple[int, ...]) -> None:
    """Put a whole deck, in dealing order, into the record."""
    fill_deck(record)
    size = int(deck_size(record))
    if sorted(cards) != sorted(record.deck[:size].tolist()):
        raise ValueError(
            f"A deck has all {size} cards of these rules in dealing order; {len(cards)} were given."
        )
    record.deck[:size] = cards


def _plan_places(rules: Any) -> list[int]:
    """Places in the plan of a seat's cards in dealing order: down, up by street, seventh."""
    up = [street - 1 for street in range(4, 7) if rules.streets >> (street - 3) & 1]
    seventh = [CARDS_PER_SEAT - 1] if rules.streets >> (Street.SEVENTH - 3) & 1 else []
    return [*range(rules.third_street), 2, *up, *seventh]


def lay_plan(record: Any, seats: list[tuple[int, ...]], community: str | int | None) -> None:
    """Put known cards, for each seat in dealing order, into the record's plan."""
    places = _plan_places(record.public.rules)
    least = int(record.public.rules.third_street) + 1
    shared = _community_card(community)
    given = parse_cards([card for own in seats for card in own] + list(shared))
    deck = record.deck.tolist()
    for card in given:
        if card not in deck:
            raise ValueError(f"The card {format_card(card)} is not in the deck of these rules.")
    for seat, own in enumerate(seats):
        if not least <= len(own) <= len(places):
            raise ValueError(
                f"Seat {seat} has {len(own)} cards; it must be given {least} to {len(places)}."
            )
    if shared and not record.public.rules.streets >> (Street.SEVENTH - 3) & 1:
        raise ValueError("These rules have no seventh street and so no community card.")
    record.plan[:] = NO_CARD
    for seat, own in enumerate(seats):
        record.plan[seat, places[: len(own)]] = own
    record.plan_community = shared[0] if shared else NO_CARD


def _community_card(community: str | int | None) -> tuple[int, ...]:
    if community is None:
        return ()
    cards = parse_cards(community if isinstance(community, str) else (community,))
    if len(cards) != 1:
        raise ValueError(f"There is one community card, not {len(cards)} ({community!r}).")
    return cards


def check_plan(record: Any) -> None:
    """Refuse a hand that has just needed a card that `from_cards` was not given.

    Raises:
        ValueError: naming the seat and street, or the community card.
    """
    if record.planned != PLAN_TOO_SHORT:
        return
    public = record.public
    if public.community != NO_CARD:
        raise ValueError(
            "The stub is too short for seventh street: give the shared card as community=..."
        )
    seat, street = _first_missing(record)
    if seat is None:
        raise ValueError("The stub cannot serve the cards given: one of them had to be burnt.")
    given = np.count_nonzero(record.plan[seat] != NO_CARD)
    raise ValueError(
        f"Seat {seat} plays {street.name.lower()} street but was given only {given} cards; give "
        "it more."
    )


def _first_missing(record: Any) -> tuple[int | None, Street]:
    """The first live seat and street for which the plan has no card."""
    public = record.public
    last = Street(int(public.street))
    for street in Street:
        is_played = public.rules.streets >> (street - 3) & 1 and Street.THIRD < street <= last
        for seat in range(int(public.num_seats) if is_played else 0):
            if public.live[seat] and record.plan[seat, street - 1] == NO_CARD:
                return seat, street
    return None, last
