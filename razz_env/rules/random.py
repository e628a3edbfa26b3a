"""Randomness of the deal: a counter-seeded SplitMix64 stream for each hand.

The stream of a hand depends only on (seed, table, index), so the same hands are dealt whatever the
batch size, thread count or order. Source of the mixing function: Steele, Lea and Flood, "Fast
splittable pseudorandom number generators" (2014), with the constants of the public SplitMix64.
"""

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def mix(state: int) -> int:
    """One SplitMix64 output for a 64-bit state: every bit depends on every bit."""
    z = np.uint64(state)
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return int(np.int64(z ^ (z >> np.uint64(31))))


@kernel
def next_state(state: int) -> int:
    """The state after `state`; `mix` of it is the next 64 random bits."""
    return int(np.int64(np.uint64(state) + _GOLDEN))


@kernel
def stream(seed: int, table: int, index: int) -> int:
    """First state of the stream that belongs to hand `index` of table `table` under `seed`."""
    return mix(next_state(mix(next_state(mix(next_state(seed)) ^ table)) ^ index))


@kernel
def below(state: int, bound: int) -> int:
    """A whole number 0..bound-1 from one state, for 0 < bound <= 52.

    The high 32 bits are scaled to the bound: its bias is under bound / 2**32, about 1e-8.
    """
    high = np.uint64(mix(state)) >> np.uint64(32)
    return int(np.int64((high * np.uint64(bound)) >> np.uint64(32)))


@kernel
def mix_cards(cards: NDArray[np.int8], count: int, state: int) -> int:
    """Mix the first `count` cards (Fisher-Yates); the state of the stream after it."""
    for last in range(count - 1, 0, -1):
        state = next_state(state)
        other = below(state, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
    return state
