"""Where a match gets its randomness: from one seed, a stream of decks and streams for the players.

Both are derived with a tag of their own, so that seed 7 of a match and seed 7 of a batch, an
environment or a training run have nothing in common, and a match is played on unseen decks.
"""

import hashlib

import numpy as np

from razz_env.rules.hand import check_seed

_DECKS = int.from_bytes(b"razz match: decks")
_PLAYERS = int.from_bytes(b"razz match: players")


def deck_seed(seed: int) -> int:
    """The seed under which a match with `seed` deals: deck i is `Hand.deal(seed=..., index=i)`.

    Raises:
        ValueError: a seed that is no whole number from 0 to 2**63 - 1.
    """
    derived = np.random.SeedSequence(check_seed(seed), spawn_key=(_DECKS,))
    return int(derived.generate_state(1, np.uint64)[0] >> 1)


def player_rng(seed: int, block: int, seat: int, name: str) -> np.random.Generator:
    """The generator of the player `name` in a seat while a block of decks is played.

    It knows nothing of the other players, of the order in which they were named and of the seats'
    rotation: a player that meets itself therefore plays both hands of a deck alike.
    """
    digest = int.from_bytes(hashlib.sha256(name.encode()).digest())
    return np.random.default_rng(
        np.random.SeedSequence(check_seed(seed), spawn_key=(_PLAYERS, block, seat, digest))
    )
