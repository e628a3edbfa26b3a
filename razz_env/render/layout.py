"""Where everything lies on the table: places for two to eight seats.

Units are those of the drawing's `viewBox`, 800 wide and 700 high. Seats go clockwise from the
bottom; the fewer there are, the larger they are drawn.
"""

from dataclasses import dataclass

WIDTH, HEIGHT = 800, 700

PLATE_WIDTH, PLATE_HEIGHT = 260, 58
CARD_PITCH = 37.0
UP_Y, DOWN_Y = -72, -62
"""Upper edges of up and down cards above a plate; down cards are tucked under it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a seat lies: `x`, `y` is the middle of its plate's upper edge."""

    x: float
    y: float
    bet: tuple[float, float]
    button: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of a table of so many seats, clockwise from the bottom.

    Attributes:
        scale: size of seats and cards.
        places: one for each seat.
        pots: middle of the first row of pots.
        pots_per_row: how many pots lie side by side.
        community: middle of the upper edge of the shared card.
    """

    scale: float
    places: tuple[Place, ...]
    pots: tuple[float, float]
    pots_per_row: int
    community: tuple[float, float]


def _row(x: float, y: float, bet: tuple[float, float]) -> Place:
    """A seat whose bet lies above or below it; the button lies beside the bet, on the outside."""
    outwards = -1 if x < WIDTH / 2 else 1
    return Place(x, y, bet, (bet[0] + outwards * 84, bet[1]))


def _side(x: float, y: float, bet: tuple[float, float]) -> Place:
    """A seat whose bet lies beside it; the button lies above the bet."""
    outwards = -1 if x < WIDTH / 2 else 1
    return Place(x, y, bet, (bet[0] + outwards * 22, bet[1] - 44))


LAYOUTS = {
    2: Layout(
        1.45,
        (_row(400, 512, (400, 374)), _row(400, 150, (400, 264))),
        (400, 318),
        3,
        (650, 270),
    ),
    3: Layout(
        1.3,
        (
            _row(400, 516, (400, 396)),
            _row(205, 148, (285, 258)),
            _row(595, 148, (515, 258)),
        ),
        (400, 318),
        3,
        (650, 290),
    ),
    4: Layout(
        1.1,
        (
            _row(400, 530, (400, 426)),
            _row(152, 316, (212, 412)),
            _row(400, 92, (400, 188)),
            _row(648, 316, (588, 412)),
        ),
        (400, 240),
        1,
        (400, 322),
    ),
    5: Layout(
        1.05,
        (
            _row(400, 538, (400, 440)),
            _row(146, 362, (206, 452)),
            _row(238, 126, (300, 216)),
            _row(562, 126, (500, 216)),
            _row(654, 362, (594, 452)),
        ),
        (400, 268),
        2,
        (400, 332),
    ),
    6: Layout(
        1.0,
        (
            _row(400, 538, (400, 446)),
            _side(138, 424, (330, 396)),
            _side(138, 196, (330, 222)),
            _row(400, 86, (400, 174)),
            _side(662, 196, (470, 222)),
            _side(662, 424, (470, 396)),
        ),
        (400, 272),
        2,
        (400, 334),
    ),
    7: Layout(
        1.0,
        (
            _row(400, 540, (400, 444)),
            _row(138, 490, (204, 392)),
            _side(138, 302, (322, 330)),
            _row(262, 120, (300, 206)),
            _row(538, 120, (500, 206)),
            _side(662, 302, (478, 330)),
            _row(662, 490, (596, 392)),
        ),
        (400, 250),
        2,
        (400, 326),
    ),
    8: Layout(
        1.0,
        (
            _row(400, 540, (400, 444)),
            _row(138, 502, (204, 406)),
            _side(138, 318, (322, 346)),
            _row(138, 132, (204, 222)),
            _row(400, 84, (400, 172)),
            _row(662, 132, (596, 222)),
            _side(662, 318, (478, 346)),
            _row(662, 502, (596, 406)),
        ),
        (400, 228),
        2,
        (400, 314),
    ),
}
