"""Ranks, suits and marks as outlines of our own, so that no card depends on a font.

Ranks are strokes in a box 20 wide and 28 high, suits are areas in a box of 20 by 20. A drawing has
each once, in its `defs`, whatever cards are on the table.
"""

_SEVENTH = "M2.5 2.4H17.5L8 26"

RANK_PATHS = (
    "M2 26 10 2 18 26M5 17.6H15",
    "M3 8.8C3 4.6 6 2 10 2s7 2.6 7 6.6C17 14 3.4 19.6 3 26H17.6",
    "M3.4 2.4H16.6L9 11.4C13.8 11.2 17.2 14.2 17.2 18.6S14 26 9.6 26C6.4 26 3.8 24.6 2.6 22.2",
    "M14.2 26V2L2 19.4H18.4",
    (
        "M16.2 2.4H5.2L4 13C5.6 11.6 7.6 10.8 9.8 10.8c4.4 0 7.4 3 7.4 7.5S14 26 9.6 26"
        "C6.4 26 3.8 24.6 2.6 22.2"
    ),
    "M15.6 3.2C8 4.4 2.8 10 2.8 18.4M2.8 18.4a7.2 7.4 0 1 0 14.4 0 7.2 7.4 0 1 0-14.4 0Z",
    _SEVENTH,
    "M10 13.2a5.9 5.6 0 1 1 0-11.2 5.9 5.6 0 1 1 0 11.2 7.2 6.4 0 1 1 0 12.8 7.2 6.4 0 1 1 0-12.8Z",
    "M4.4 24.8C12 23.6 17.2 18 17.2 9.6M17.2 9.6a7.2 7.4 0 1 0-14.4 0 7.2 7.4 0 1 0 14.4 0Z",
    "M-1 6.6 3.6 2.4V26M14.6 2c3.4 0 5.8 4 5.8 12s-2.4 12-5.8 12-5.8-4-5.8-12S11.2 2 14.6 2Z",
    "M8 2.4H15.4V18.6c0 4.6-2.4 7.4-6.2 7.4-3.4 0-5.8-2-6.4-5.4",
    "M10 2c5 0 8 4.6 8 12s-3 12-8 12-8-4.6-8-12S5 2 10 2ZM11.4 19.6 18.4 27",
    "M3.6 2V26M17.2 2 4 16.4M8.8 11.4 17.8 26",
)
"""Rank 0 (ace) .. 12 (king)."""

SUIT_PATHS = (
    (
        "M10 .8a4.5 4.5 0 0 1 3.7 7.1A4.5 4.5 0 1 1 11 14c.2 2.4 1 4.2 2.6 5.2H6.4"
        "C8 18.2 8.8 16.4 9 14A4.5 4.5 0 1 1 6.3 7.9 4.5 4.5 0 0 1 10 .8Z"
    ),
    "M10 .4Q13 5.6 17.4 10 13 14.4 10 19.6 7 14.4 2.6 10 7 5.6 10 .4Z",
    (
        "M10 18.8C4.4 14 .9 10.8.9 6.7.9 3.7 3.1 1.4 5.8 1.4 7.6 1.4 9.2 2.4 10 4.2"
        "c.8-1.8 2.4-2.8 4.2-2.8 2.7 0 4.9 2.3 4.9 5.3 0 4.1-3.5 7.3-9.1 12.1Z"
    ),
    (
        "M10 .8c5.6 4.8 9.1 7.4 9.1 11.2 0 2.6-1.9 4.5-4.3 4.5-1.6 0-2.9-.8-3.7-2.1"
        ".2 2.2 1 3.9 2.4 4.8H6.5c1.4-.9 2.2-2.6 2.4-4.8-.8 1.3-2.1 2.1-3.7 2.1"
        "-2.4 0-4.3-1.9-4.3-4.5 0-3.8 3.5-6.4 9.1-11.2Z"
    ),
)
"""Clubs, diamonds, hearts, spades."""

CARD_WIDTH, CARD_HEIGHT, CARD_RADIUS = 35.5, 64, 5.5

_LATTICE = "".join(
    f"M{x} {y - 4.1:g}l4.1 4.1-4.1 4.1-4.1-4.1Z"
    for y in (12, 22, 32, 42, 52)
    for x in (7.75, 17.75, 27.75)
)

STAR = "M0-8 2.4-2.5 8.2-2.2 3.7 1.5 5.2 7.1 0 4 -5.2 7.1-3.7 1.5-8.2-2.2-2.4-2.5Z"
POINTER = "M-6-8 8 0-6 8Z"


def definitions() -> str:
    """The `defs` of every drawing: all ranks, suits and the back, always the same."""
    ranks = "".join(
        f'<path id="razz-r{rank}" d="{path}" fill="none" stroke-width="3.5" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
        for rank, path in enumerate(RANK_PATHS)
    )
    suits = "".join(
        f'<path id="razz-s{suit}" d="{path}" stroke="none"/>'
        for suit, path in enumerate(SUIT_PATHS)
    )
    back = f'<path id="razz-back" d="{_LATTICE}" stroke="none"/>'
    chip = (
        '<g id="razz-chip"><circle r="13"/>'
        '<circle r="10.4" fill="none" stroke="#fff" stroke-width="5.2" '
        'stroke-dasharray="5.45 5.44"/><circle r="7.6" stroke="#fff" stroke-width="1.4"/></g>'
    )
    return f"<defs>{ranks}{suits}{back}{chip}</defs>"


DEFINITIONS = definitions()
