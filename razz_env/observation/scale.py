"""What chips and counts are measured by in an observation: the same all along at a table."""

from typing import NamedTuple

import numpy as np

from razz_env._jit import inlined
from razz_env.rules.record import Record

RANK_BITS = sum(1 << 4 * rank for rank in range(13))
"""One in each of thirteen numbers of four bits, a number for every rank."""


class Scale(NamedTuple):
    """Numbers that follow from the rules and the number of seats.

    Attributes:
        deck: how many cards of every rank there are, 13 numbers of four bits.
        per_limit: float32, 1 / what a hand can cost one seat at most.
        per_pot: 1 / what a hand can cost all seats.
        per_small_bets, per_big_bets: float32, 1 / (the street's bet * (cap + 1)).
        by_small_bets, by_big_bets, by_cap, by_seats: for `divided`.
        ante, bring_in, small_bet: float32, the stakes as they are shown.
    """

    deck: int
    per_limit: np.float32
    per_pot: float
    per_small_bets: np.float32
    per_big_bets: np.float32
    by_small_bets: float
    by_big_bets: float
    by_cap: float
    by_seats: float
    ante: np.float32
    bring_in: np.float32
    small_bet: np.float32


@inlined
def scale_of(public: Record) -> Scale:
    """The scale of a table."""
    rules = public.rules
    limit, full = _hand_limit(rules), rules.max_bets_per_round + 1
    small, big = rules.small_bet * full, rules.big_bet * full
    return Scale(
        _deck(rules),
        np.float32(1.0 / limit),
        1.0 / (limit * public.num_seats),
        np.float32(1.0 / small),
        np.float32(1.0 / big),
        divisor(small),
        divisor(big),
        divisor(rules.max_bets_per_round),
        divisor(public.num_seats),
        np.float32(rules.ante / (rules.ante + rules.big_bet)),
        np.float32(rules.bring_in / rules.small_bet),
        np.float32(rules.small_bet / rules.big_bet),
    )


@inlined
def _hand_limit(rules: Record) -> float:
    """What a hand can cost one seat at most: the ante and full rounds, half a bet for all-ins."""
    bets = 2 * rules.small_bet + 3 * rules.big_bet
    return float(rules.ante + (rules.max_bets_per_round + 0.5) * bets)


@inlined
def _deck(rules: Record) -> int:
    return int(rules.deck_suits * (RANK_BITS & ((1 << 4 * rules.deck_ranks) - 1)))


@inlined
def divisor(number: int) -> float:
    """What `divided` wants for a division by this number."""
    return 1.0 / np.float64(np.float32(number))


@inlined
def divided(number: int, divisor: float) -> np.float32:
    """float32(number) / float32(the number of the divisor), exactly, without a division.

    A quotient of two float32 is at least 2**-49 of itself away from where rounding to float32
    changes; the product here is within 2**-52 of it.
    """
    return np.float32(np.float64(np.float32(number)) * divisor)
