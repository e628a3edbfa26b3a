"""The estimator: what every seat won, plus what luck took from it and less what luck gave it.

**Definition.** Let z be a finished hand, u(z) what every seat won, and v any function that gives
every point h of a hand a number for every seat. On the way to z, chance or a player whose chances
are known chose again and again: at h one of some continuations ha, with chances p(a), and took a*.
The estimate is

    u(z) + sum over these h of [ sum over a of p(a) v(ha) - v(ha*) ].

Each bracket has mean zero whatever v is, so the estimate is as unbiased as u(z). The nearer v comes
to what is won on average from h on, the more of the luck it takes away. This is the estimate of
N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, "AIVAT: A New Variance Reduction
Technique for Agent Evaluation in Imperfect Information Games" (AAAI 2018), equation 1 to 3, with
all cards given to v, and without their average over the hands that a player might have held instead
(their "imaginary observations"): the players of Razz are asked about the hands that they held only.

**Chance.** Every card that a seat gets is one choice: on third street the down cards and the door
card of seat 1, then of seat 2 and so on, then street by street one card for each live seat, and the
community card if there is one. Given the cards before, every card that no seat has got is equally
likely: the deck is shuffled evenly, and burn cards, mixed into the stub or not, are cards that no
seat has got. (A stub that is mixed in the middle of a hand gets an order that the order of the
whole deck decides, as by a hash: even, but for what hashes are not.) v knows cards by their ranks,
so the sum has 13 terms, each weighed by the number of cards of the rank that are left. Suits break
ties for the bring-in and for odd chips: they decide who acts next, which v is not told at a card,
and u(z), which is taken as it was.

**Players.** The actions of players that have `action_probabilities` are choices too, those of
others are not corrected. A player with the attribute `is_certain` is not asked: its brackets are
zero.

**Value function.** v is `agents.evaluation.aivat.value`, with numbers that were fitted beforehand
on other decks and are part of the package. The name of the estimator holds their hash.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.aivat.decision_chances import chances_in
from agents.evaluation.aivat.prospects import prospects_of
from agents.evaluation.aivat.replay import correct_each, new_room
from agents.evaluation.aivat.value import Weights
from agents.evaluation.aivat.weights import digest, shipped_weights
from razz_env.envs.agent import Agent
from razz_env.rules.record import MAX_SEATS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNITS_PER_CHIP = 1_000_000


@dataclass(frozen=True, eq=False)
class Aivat:
    """The estimator of this module; one of `agents.evaluation.duplicate.Estimator`.

    Attributes:
        weights: of the value function; those of the package by default.
        units_per_chip: how many units of an estimate make a chip.
    """

    weights: Weights = field(default_factory=shipped_weights, repr=False)
    units_per_chip: int = UNITS_PER_CHIP

    @property
    def name(self) -> str:
        """Under which it stands in reports, with the beginning of the value function's hash."""
        return f"duplicate + aivat:{digest(self.weights)[:12]}"

    def estimate(self, hands: NDArray[Any], players: Sequence[Agent]) -> Ints:
        """Estimates int64[K, n] of what every seat wins; see `Estimator.estimate`.

        They sum to zero as chips do (or to minus the rake).
        """
        seats, public = len(players), hands["public"]
        net_chips = (public["stack"] - public["starting_stack"])[:, :seats]
        found = corrections_of(hands, players, self.weights)[:, :seats]
        units = np.rint(found * self.units_per_chip).astype(np.int64)
        units[:, -1] -= units.sum(axis=1)
        estimates: Ints = net_chips * self.units_per_chip + units
        return estimates


def corrections_of(hands: NDArray[Any], players: Sequence[Agent], weights: Weights) -> Floats:
    """What to add in chips to what every seat won, float64[K, 8], for HAND[K] finished hands.

    Raises:
        BadProbabilities: a player tells chances that are none.
    """
    corrections = np.zeros((len(hands), MAX_SEATS))
    if len(hands):
        room = new_room(prospects_of(hands[0]["public"]["rules"]), weights)
        correct_each(hands, hands.copy(), chances_in(hands, players), room, corrections)
    return corrections
