"""Intervals that may be looked at after every deck: a match may end when its interval says so.

An ordinary 95 % interval covers the truth 95 % of the time if the number of decks was fixed before.
Whoever looks again and again and stops at a result that pleases is wrong far more often. A
confidence sequence covers the truth at all times together, with 95 % probability.
"""

import math

DESIGN_DECKS = 20_000
"""The number of decks at which the sequence is about as narrow as it can be made; it is little
wider at others. It has to be chosen before the match."""

FIRST_LOOK = 1_000
"""No match ends before so many decks, and nothing is called decided: the sequence is asymptotic.
The normal interval of fewer may be too narrow, down to nothing where two decks come out alike."""

FEWEST_NONZERO = 100
"""... nor before so many decks were not drawn: a match of almost equal players has an error that
cannot be told from few decks."""


def anytime_errors(decks: int, level: float = 0.95, design_decks: int = DESIGN_DECKS) -> float:
    """Half-width of the confidence sequence, in standard errors of the mean over so many decks.

    It is the asymptotic confidence sequence of I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy
    and A. Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences" (Annals
    of Statistics 52, 2024), theorem 2.2, with their choice of rho for a design time: after t decks
    with sample deviation s the mean is known to

        s sqrt(2 (t rho^2 + 1) / (t^2 rho^2) ln(sqrt(t rho^2 + 1) / alpha)).

    Assumptions: decks are independent and alike, which their seeds make them, and have a finite
    moment of higher than second order, which stacks bound. It holds in the limit of a late first
    look, as the central limit theorem holds in the limit of many decks: hence `FIRST_LOOK`.

    Args:
        decks: t, at least 1.
        level: 1 - alpha.
        design_decks: t at which it shall be narrow.
    """
    alpha = 1 - level
    wide = -2 * math.log(alpha)
    rho_square = (wide + math.log(wide) + 1) / design_decks
    grown = decks * rho_square + 1
    return math.sqrt(2 * grown / (grown - 1) * math.log(math.sqrt(grown) / alpha))
