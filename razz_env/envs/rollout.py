"""Many decisions in one call: a compiled policy plays on at every table, for Monte Carlo work.

Nothing returns to Python between decisions, and a table stays in the processor's nearest cache
until its decisions are made.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from razz_env._jit import inlined, kernel, scratch
from razz_env.envs.policy import Policy
from razz_env.envs.tables import Floats, Ints, Masks, Tables, deal_next, show
from razz_env.observation.scale import scale_of
from razz_env.rules.betting import legal_actions
from razz_env.rules.play import apply
from razz_env.rules.random import mix, next_state, stream
from razz_env.rules.record import SEAT_VIEW, Record
from razz_env.rules.seat_view import seat_view
from razz_env.rules.terms import NUM_ACTIONS

POLICY_SALT = 0x52415A5A
"""Keeps the policy's random numbers apart from the decks of the same seed."""


@dataclass(frozen=True)
class Rollout:
    """What a rollout came to; all figures are about the hands that ended in it.

    Attributes:
        decisions: how many actions were played, at all tables together.
        hands: how many hands ended.
        net_big_bets: float64[P], sum over hands of what every seat won or lost.
        squared_big_bets: float64[P], sum of the squares of the same.
    """

    decisions: int
    hands: int
    net_big_bets: NDArray[np.float64]
    squared_big_bets: NDArray[np.float64]

    @property
    def bb_per_100(self) -> NDArray[np.float64]:
        """Net big bets of every seat in a hundred hands, float64[P]; NaN where no hand ended."""
        return 100 * self.net_big_bets / (self.hands or np.nan)

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Standard error of `bb_per_100`, float64[P]; NaN for fewer than two hands.

        Hands are taken as independent; a table whose hand has not ended is left out, so very few
        steps favour short hands.
        """
        hands = self.hands if self.hands > 1 else np.nan
        mean = self.net_big_bets / hands
        variance = (self.squared_big_bets / hands - mean**2) * hands / (hands - 1)
        spread: NDArray[np.float64] = 100 * np.sqrt(np.maximum(variance, 0) / hands)
        return spread


class Tally(NamedTuple):
    """What is counted at every table; sums of tables do not depend on who counted them.

    Attributes:
        decisions, hands: int64[N].
        net, squared: float64[N, P], big bets.
        fault: int64[N], an illegal action that the policy chose at the table, plus 1 if it is not
            negative; else 0.
    """

    decisions: Ints
    hands: Ints
    net: NDArray[np.float64]
    squared: NDArray[np.float64]
    fault: Ints


def empty_tally(num_tables: int, num_players: int) -> Tally:
    """Nothing counted yet."""
    counts = [np.zeros(num_tables, np.int64) for _ in range(3)]
    sums = [np.zeros((num_tables, num_players)) for _ in range(2)]
    return Tally(counts[0], counts[1], sums[0], sums[1], counts[2])


def total(tally: Tally) -> Rollout:
    """All tables together."""
    return Rollout(
        int(tally.decisions.sum()),
        int(tally.hands.sum()),
        tally.net.sum(axis=0),
        tally.squared.sum(axis=0),
    )


@kernel
def random_action(mask: Masks, bits: int) -> int:
    """A legal action, all equally likely; `bits` are 63 random ones, mask int8[7].

    Source: the high bits scaled to the number of legal actions, as in `random.below`.
    """
    count = 0
    for action in range(NUM_ACTIONS):
        count += mask[action]
    wanted = ((bits >> 32) * count) >> 31
    passed = 0  # counted on to the end: no processor can guess where it would be broken off
    for action in range(NUM_ACTIONS):
        wanted -= mask[action]
        passed += wanted >= 0
    return passed if count else -1


@inlined
def first_bits(hand: Record, seed: int) -> int:
    """First state of the policy's stream in this hand."""
    return stream(seed ^ POLICY_SALT, hand.table, hand.index)


@inlined
def bits_at(state: int, public: Record) -> int:
    """63 random bits for the decision that comes next in the hand."""
    return mix(next_state(state ^ public.log_length)) & 0x7FFFFFFFFFFFFFFF


@inlined
def play(tables: Tables, row: int, action: int, auto_deal: bool, tally: Tally) -> bool:
    """Play an action at a table and count; whether another hand was dealt.

    What the next seat to act sees is left to the caller.
    """
    hand = tables.hands[row]
    apply(hand, action)
    tally.decisions[row] += 1
    dealt = False
    if hand.public.over:
        _count_hand(hand.public, tally.net[row], tally.squared[row])
        tally.hands[row] += 1
        if auto_deal:
            deal_next(hand)
            dealt = True
    return dealt


@kernel
def _count_hand(public: Record, net: NDArray[np.float64], squared: NDArray[np.float64]) -> None:
    for seat in range(public.num_seats):
        won = (public.stack[seat] - public.starting_stack[seat]) / public.rules.big_bet
        net[seat] += won
        squared[seat] += won * won


@kernel
def roll_random(
    tables: Tables, rows: Ints, steps: int, seed: int, auto_deal: bool, tally: Tally
) -> None:
    """So many uniformly random decisions at every row; nobody looks before the last is made."""
    for row in rows:
        hand = tables.hands[row]
        state = first_bits(hand, seed)
        for _ in range(steps):
            if hand.public.over:
                break
            action = random_action(tables.masks[row], bits_at(state, hand.public))
            if play(tables, row, action, auto_deal, tally):
                state = first_bits(hand, seed)
            legal_actions(hand.public, tables.masks[row])
        show(tables, row, scale_of(hand.public))


@lru_cache(maxsize=32)
def roller(policy: Policy) -> Any:
    """`roll_random` for a policy of the caller's, compiled for it."""

    @numba.njit(nogil=True, error_model="numpy")
    def roll(
        tables: Tables,
        rows: Ints,
        steps: int,
        seed: int,
        auto_deal: bool,
        tally: Tally,
        observations: Floats,
        masks: Masks,
    ) -> None:
        view = scratch(SEAT_VIEW)
        for row in rows:
            hand, mask = tables.hands[row], masks[row]
            state, scale = first_bits(hand, seed), scale_of(hand.public)
            for _ in range(steps):
                if hand.public.over:
                    break
                seat_view(hand, hand.public.actor, view)
                bits = bits_at(state, hand.public)
                action = int(policy(view, observations[row], mask, bits))
                if action < 0 or action >= NUM_ACTIONS or mask[action] != 1:
                    tally.fault[row] = action + 1 if action >= 0 else action
                    break
                if play(tables, row, action, auto_deal, tally):
                    state = first_bits(hand, seed)
                show(tables, row, scale)

    return roll
