"""Where a match gets its randomness: from one seed, a stream of decks and streams for the players.

Both are derived with a tag of their own, so that seed 7 of a match and seed 7 of a batch, an
environment or a training run have nothing in common, and a match is played on unseen decks.
"""

import hashlib
from collections.abc import Sequence

import numpy as np

from razz_env.rules.setup import check_seed

_DECKS = int.from_bytes(b"razz match: decks")
_PLAYERS = int.from_bytes(b"razz match: players")


def deck_seed(seed: int) -> int:
    """The seed under which a match with `seed` deals: deck i is `Hand.deal(seed=..., index=i)`.

    Raises:
        ValueError: a seed that is no whole number from 0 to 2**63 - 1.
    """
    derived = np.random.SeedSequence(check_seed(seed), spawn_key=(_DECKS,))
    return int(derived.generate_state(1, np.uint64)[0] >> 1)


def player_rng(seed: int, block: int, seat: int, seating: Sequence[str]) -> np.random.Generator:
    """The generator of the player in a seat while a block of decks is played.

    It depends on who sits where and not on which rotation of which line-up that is. So a player
    that meets itself plays all hands of a deck alike, and the order of the players is no matter.
    In different seatings a player must not draw the same numbers: it would use them on different
    decks, which would tie decks to each other and make every interval too narrow.

    Args:
        seed: of the match.
        block: number of the block.
        seat: the player's.
        seating: identities of the players in all seats (`razz_env.envs.agent.identity_of`).
    """
    digest = int.from_bytes(hashlib.sha256(repr(tuple(seating)).encode()).digest())
    return np.random.default_rng(
        np.random.SeedSequence(check_seed(seed), spawn_key=(_PLAYERS, block, seat, digest))
    )
