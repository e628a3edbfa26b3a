"""What an opponent's two down cards may be, by chance alone: a vector over the 91 pairs of ranks.

The counts are exact: in how many ways two of the cards that the seat has not seen make each pair.
Nothing is read into what the opponent did; whoever does that multiplies by its own likelihoods.
"""

import numpy as np
from numpy.typing import NDArray

from razz_env.equity.ranges import PAIR_HIGHS, PAIR_LOWS, PAIRS, count_ways
from razz_env.rules.cards import NO_CARD, RANKS
from razz_env.rules.checks import is_whole, require_view
from razz_env.rules.record import SHOWN, SeatView


def unseen_ranks(view: SeatView) -> NDArray[np.int64]:
    """Cards of each rank, int64[13], that a seat has not seen: not its own, not shown to all.

    Raises:
        TypeError: anything but a seat's view, such as a hand's record.
    """
    require_view(view, "Beliefs are made of")
    public = view.public
    others = np.arange(len(public.shown)) != view.seat
    seen = np.concatenate(
        [view.down, public.up.ravel(), public.shown_down[others].ravel(), [public.community]]
    )
    left = np.zeros(len(RANKS), np.int64)
    left[: public.rules.deck_ranks] = public.rules.deck_suits
    gone: NDArray[np.int64] = np.bincount(seen[seen != NO_CARD] >> 2, minlength=len(RANKS))
    return left - gone


def pair_counts(view: SeatView) -> NDArray[np.int64]:
    """In how many ways two unseen cards make each pair of `PAIRS`, int64[91].

    Raises:
        TypeError: as `unseen_ranks`.
    """
    return count_ways(unseen_ranks(view), PAIR_LOWS, PAIR_HIGHS).astype(np.int64)


def uniform_beliefs(view: SeatView, opponent: int) -> NDArray[np.float64]:
    """Chances of an opponent's two down cards of third street, float64[91] by `PAIRS`.

    Cards that were shown at the end are certain. The same for every opponent that has not shown,
    folded or not: its cards and the undealt ones are alike to one who has seen neither.

    Raises:
        TypeError: as `unseen_ranks`.
        ValueError: no opponent's seat, or rules with one down card.
    """
    counts = pair_counts(view)
    public = view.public
    if not is_whole(opponent) or not 0 <= opponent < public.num_seats or opponent == view.seat:
        raise ValueError(
            f"Seat {opponent!r} is no opponent of seat {view.seat}; seats are 0 to "
            f"{public.num_seats - 1}."
        )
    if public.rules.third_street != 2:
        raise ValueError("These rules have one down card on third street, so there are no pairs.")
    if public.shown[opponent] == SHOWN:
        low, high = sorted((public.shown_down[opponent, :2] >> 2).tolist())
        counts = np.zeros(len(PAIRS), np.int64)
        counts[PAIRS.index((low, high))] = 1
    beliefs: NDArray[np.float64] = counts / counts.sum()
    return beliefs
