"""The one function of equities: reads the situation, chooses the method, makes the result."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from razz_env.equity.exact import count_exactly, count_work
from razz_env.equity.ranges import as_weights
from razz_env.equity.result import Equity, Method
from razz_env.equity.sampling import sample
from razz_env.equity.situation import Situation, read_situation
from razz_env.equity.tally import Tally
from razz_env.rules.cards import CardsLike
from razz_env.rules.checks import is_whole
from razz_env.rules.house_rules import RulesLike, as_house_rules

SAMPLES = 1_000_000
"""Deals of a Monte Carlo run unless told otherwise."""

AUTO_WORK = 1e8
"""Most combinations of rank multisets that "auto" counts exactly: about half a second."""

MOST_WORK = 3e10
"""Most that "exact" counts: some minutes."""


def equity(
    hands: Sequence[CardsLike],
    *,
    dead: CardsLike = "",
    community: CardsLike = "",
    ranges: Sequence[ArrayLike | None] | None = None,
    street: int | None = None,
    method: Literal["auto", "exact", "monte_carlo"] = "auto",
    samples: int = SAMPLES,
    seed: int | np.random.Generator = 0,
    rules: RulesLike = "full_tilt",
) -> Equity:
    """The share of the pot that each of 2 to 8 hands takes when all are dealt out and shown.

    A hand is a text of three to seven cards, down cards first: ranks alone (`"A23"`), cards with
    suits (`"As2h|3c"`), `x` for a card that is unknown (`"xx7"` is a seven as door card), or empty
    for a hand of which nothing is known. Suits never decide, so a rank alone stands for any card of
    that rank that is left. Cards 0..51 with -1 for unknown ones will do too.

    Cards that are neither in a hand nor dead may come. Where they do not suffice for everyone's
    seventh card, one community card counts for all (RULES 6); the cards of players who folded
    count as cards that may come, unless they are named as dead, unknown ones by `x`.

    Args:
        hands: the hands, in any mixture of these forms.
        dead: cards that cannot come, in the same notation; an `x` only makes the stub smaller.
        community: a community card that lies on the table as everyone's seventh card.
        ranges: for each hand None or weights of its two down cards, float[91] in the order of
            `PAIRS` or float[13, 13] symmetric, for hands whose first two cards are unknown. A
            weight is that of each combination of two cards; all equal are the same as no range.
        street: the street that the hands are on (3 to 7): fills them up with unknown cards, and
            refuses hands that have more.
        method: "exact" counts every deal, "monte_carlo" draws `samples` of them at random, "auto"
            counts where that takes no more than about half a second.
        samples: number of random deals.
        seed: whole number or Generator; the same seed gives the same numbers.
        rules: the deck and the streets; other rules matter only in the small variants, and
            `burn_cards` where the stub is short.

    Raises:
        ValueError: cards that do not exist, stand twice or are too many; ranges that do not fit;
            an exact count that would take longer than some minutes.
    """
    _check_options(hands, method, samples, seed)
    given = [None] * len(hands) if ranges is None else list(ranges)
    weights = [as_weights(one, hand) for hand, one in enumerate(given, 1)]
    house = as_house_rules(rules)
    situation = read_situation(hands, dead, community, weights, house, street)
    work = count_work(situation)
    if method == "exact" and work > MOST_WORK:
        raise ValueError(
            f"An exact count would compare {work:.1e} combinations of hands, and {MOST_WORK:.0e} "
            'is the most: sample instead (method="monte_carlo").'
        )
    if method == "exact" or (method == "auto" and work <= AUTO_WORK):
        return _result(situation, count_exactly(situation), "exact", situation.deals)
    rng = np.random.default_rng(seed)
    return _result(situation, sample(situation, samples, rng), "monte_carlo", samples)


def _check_options(
    hands: Sequence[CardsLike], method: str, samples: int, seed: int | np.random.Generator
) -> None:
    if isinstance(hands, str):
        raise ValueError(f"hands={hands!r} must be a list with one text a hand: {hands.split()}.")
    if method not in ("auto", "exact", "monte_carlo"):
        raise ValueError(f'method={method!r} must be "auto", "exact" or "monte_carlo".')
    if not is_whole(samples) or samples < 1:
        raise ValueError(f"samples={samples!r} must be a whole number above 0.")
    if not isinstance(seed, np.random.Generator) and not (is_whole(seed) and seed >= 0):
        raise ValueError(f"seed={seed!r} must be a whole number >= 0 or a Generator.")


def _result(situation: Situation, tally: Tally, method: Method, samples: int) -> Equity:
    exact = method == "exact"
    return Equity(
        hands=situation.names,
        equities=tally.equities,
        wins=tally.wins,
        ties=tally.ties,
        standard_errors=np.zeros(situation.num_hands) if exact else tally.standard_errors,
        method=method,
        samples=samples,
        effective_samples=float(samples) if exact else tally.effective_samples,
    )
