"""Small words for setting up and playing a hand in a test.

Seats are called S1, S2, ... as in the rule cases: S1 is seat index 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from razz_env import Action, Hand, HouseRules, Street
from razz_env.rules.events import ActionTaken, AntePosted

from .lows import DECK

TABLE_T = {"ante": 4, "bring_in": 5, "small_bet": 20, "big_bet": 40}
STREETS = {3: "THIRD", 4: "FOURTH", 5: "FIFTH", 6: "SIXTH", 7: "SEVENTH"}


def table_rules(preset: str = "full_tilt", **changes: Any) -> HouseRules:
    """The preset at the stakes of table T (4/5/20/40) with ``changes``."""
    return HouseRules.preset(preset, **{**TABLE_T, **changes})


def fill(*seats: str, reserve: str = "") -> list[str]:
    """Seat texts padded to seven cards: "??" and missing cards become unused cards of the deck.

    A seventh card is given to all seats or to none (eight seats get six each). Cards of
    ``reserve`` are left alone.
    """
    texts = [s.replace(" ", "") for s in seats]
    rows = [[t[i : i + 2] for i in range(0, len(t), 2)] for t in texts]
    named = {c for row in rows for c in row if c != "??"} | {
        reserve[i : i + 2] for i in range(0, len(reserve), 2)
    }
    spare = [c for c in reversed(DECK) if c not in named]
    for position in range(7):
        enough = len(spare) >= sum(position >= len(row) for row in rows)
        for row in rows:
            if position < len(row) and row[position] == "??":
                row[position] = spare.pop(0)
            elif position >= len(row) and enough:
                row.append(spare.pop(0))
    return ["".join(row) for row in rows]


def deal(
    *seats: str,
    rules: HouseRules | None = None,
    stacks: int | Sequence[int] = 500,
    community: str | None = None,
) -> Hand:
    """A hand with these cards (down down up up up up down; "??" or missing = any) at table T."""
    texts = fill(*seats, reserve=community or "")
    rules = table_rules() if rules is None else rules
    return Hand.from_cards(texts, rules=rules, stacks=stacks, community=community)


def ladder(num_players: int) -> list[str]:
    """Cards with which the last seat brings in and S1 opens every later street."""
    middle = [f"????{rank}d" for rank in "6789TJ"[: num_players - 2]]
    return ["????2c3c4c5c", *middle, "????Ks"]


def ladder_hand(
    num_players: int, stacks: int | Sequence[int] = 500, rules: HouseRules | None = None
) -> Hand:
    """A hand dealt the ``ladder`` cards."""
    return deal(*ladder(num_players), rules=rules, stacks=stacks)


def limp(hand: Hand) -> Hand:
    """Third street: the bring-in, and everybody just calls."""
    while hand.street == Street.THIRD and not hand.is_over:
        legal = hand.legal_actions()
        hand.apply(Action.BRING_IN if Action.BRING_IN in legal else Action.CALL)
    return hand


def check_down(hand: Hand, until: int | None = None) -> Hand:
    """Everybody checks, to the end of the hand or up to the street ``until``."""
    while not hand.is_over and (until is None or hand.street < until):
        hand.apply(Action.CHECK)
    return hand


def play(hand: Hand, script: str) -> Hand:
    """Play a script of moves separated by commas or new lines, checking turn and chips.

    ``S3 BRING_IN 5`` says that S3 is to act and puts in 5 now, ``S1 RAISE to 40`` that its chips
    on this street become 40; without a number only the turn is checked.
    """
    for move in script.replace("\n", ",").split(","):
        words = move.split()
        if not words:
            continue
        seat, action = int(words[0][1:]) - 1, Action[words[1]]
        assert hand.actor == seat, f"{move.strip()!r}: turn of {_seat_name(hand.actor)}"
        assert action in hand.legal_actions(), f"{move.strip()!r}: legal are {menu(hand)}"
        if words[2:3] == ["to"]:
            assert hand.to_amount(action) == int(words[3]), move.strip()
        elif words[2:]:
            assert hand.amount(action) == int(words[2]), move.strip()
        hand.apply(action)
    return hand


def _seat_name(seat: int | None) -> str:
    return "nobody" if seat is None else f"S{seat + 1}"


def menu(hand: Hand) -> dict[str, int]:
    """Names of the legal actions -> chips each puts in now."""
    return {a.name: int(hand.amount(a)) for a in hand.legal_actions()}


def pots(hand: Hand) -> list[tuple[int, tuple[int, ...]]]:
    """(chips, eligible seats) of every pot, main pot first."""
    return [(int(p.amount), tuple(int(s) for s in p.eligible)) for p in hand.pots]


def payoffs(hand: Hand) -> list[int]:
    """Net chips by seat, after checking that no chip was made or lost."""
    assert hand.is_over
    check_settlement(hand)
    return [int(x) for x in hand.payoffs]


def put_in(hand: Hand) -> np.ndarray:
    """Chips every seat put in, added up from the events."""
    chips = np.zeros(hand.num_players, dtype=np.int64)
    for event in hand.events:
        if isinstance(event, AntePosted | ActionTaken):
            chips[event.seat] += event.chips
    return chips


def check_settlement(hand: Hand) -> None:
    """A finished hand pays out exactly the chips put in (RULES 5: chips never vanish)."""
    won = np.zeros(hand.num_players, dtype=np.int64)
    for pot in hand.pots:
        assert sum(int(s) for s in pot.shares) == pot.amount
        assert len(pot.shares) == len(pot.winners)
        assert set(pot.winners) <= set(pot.eligible)
        for seat, share in zip(pot.winners, pot.shares, strict=True):
            won[seat] += share
    paid = put_in(hand)
    assert won.sum() + hand.returned.sum() == paid.sum()
    assert (hand.payoffs == won + hand.returned - paid).all()
    assert int(hand.payoffs.sum()) == 0
    assert (hand.stacks == hand.starting_stacks + hand.payoffs).all()
