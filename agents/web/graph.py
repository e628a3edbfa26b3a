"""The course of a session as a graph: an SVG with a line for every seat, in big bets."""

from collections.abc import Sequence
from html import escape

from agents.table.score import Score

_WIDTH, _HEIGHT = 420, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 16, 12, 28
_STYLES = ("", "8 4", "2 4", "8 4 2 4", "14 5", "4 4", "12 3 3 3", "1 6")
"""Dashes of the lines: they can be told apart without colour."""


def graph_svg(score: Score, names: Sequence[str]) -> str:
    """What every seat has won, over the hands of the session."""
    points = score.points
    low = min(0.0, *(min(row) for _, row in points))
    high = max(0.0, *(max(row) for _, row in points))
    scale = _Scale(max(score.hands, 1), low, high if high > low else low + 1)
    lines = "".join(_line(points, seat, scale) for seat in range(len(names)))
    labels = "".join(_label(names, score, seat) for seat in range(len(names)))
    height = _HEIGHT + 22 * ((len(names) + 1) // 2)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" class="graph" '
        f'role="img" aria-label="Big bets won by every seat over {score.hands} hands">'
        f"{_axes(scale, score.hands)}{lines}{labels}</svg>"
    )


class _Scale:
    """From hands and big bets to places in the picture."""

    def __init__(self, hands: int, low: float, high: float) -> None:
        self.hands, self.low, self.high = hands, low, high

    def x(self, hands: float) -> float:
        return _LEFT + hands / self.hands * (_WIDTH - _LEFT - _RIGHT)

    def y(self, big_bets: float) -> float:
        share = (big_bets - self.low) / (self.high - self.low)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def _axes(scale: _Scale, hands: int) -> str:
    drawn = ""
    for big_bets in sorted({scale.low, 0.0, scale.high}):
        y = scale.y(big_bets)
        drawn += f'<path class="axis" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>'
        words = _signed(big_bets, 0)
        drawn += f'<text x="{_LEFT - 6}" y="{y + 5:.1f}" text-anchor="end">{words}</text>'
    end = f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">{hands} hands</text>'
    return f'{drawn}{end}<text x="{_LEFT}" y="{_HEIGHT - 6}">BB won</text>'


def _signed(big_bets: float, digits: int) -> str:
    """With a sign that is no hyphen, and none where it comes to nothing."""
    rounded = round(big_bets, digits)
    return f"{rounded:+.{digits}f}".replace("-", "\u2212") if rounded else f"{0:.{digits}f}"


def _line(points: Sequence[tuple[int, tuple[float, ...]]], seat: int, scale: _Scale) -> str:
    path = " ".join(f"{scale.x(hands):.1f},{scale.y(row[seat]):.1f}" for hands, row in points)
    return f'<polyline class="line{seat}" stroke-dasharray="{_STYLES[seat]}" points="{path}"/>'


def _label(names: Sequence[str], score: Score, seat: int) -> str:
    row, column = divmod(seat, 2)
    x, y = _LEFT + column * (_WIDTH - _LEFT) / 2, _HEIGHT + 16 + 22 * row
    words = f"{names[seat]} {_signed(score.net_big_bets[seat], 1)}"
    return (
        f'<path class="line{seat}" stroke-dasharray="{_STYLES[seat]}" d="M{x:.0f} {y - 5}h34"/>'
        f'<text x="{x + 42:.0f}" y="{y}">{escape(words)}</text>'
    )
