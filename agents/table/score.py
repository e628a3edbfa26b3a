"""The running score of a table in big bets, and its course, in memory that does not grow."""

from collections.abc import Sequence

POINTS = 512
"""Most points of a course; when it is full every second one is dropped."""


class Score:
    """What every seat has won so far.

    Attributes:
        hands: hands that were played.
        net_big_bets: won big bets of each seat.
        course: (hands, net big bets of each seat) at equal distances, the first at 0 hands.
    """

    def __init__(self, seats: int) -> None:
        """Nothing has been played yet."""
        self.hands = 0
        self.net_big_bets = [0.0] * seats
        self.course: list[tuple[int, tuple[float, ...]]] = [(0, (0.0,) * seats)]
        self._step = 1

    def add(self, net_chips: Sequence[int], big_bet: int) -> None:
        """Count a finished hand."""
        self.hands += 1
        for seat, chips in enumerate(net_chips):
            self.net_big_bets[seat] += chips / big_bet
        if self.hands % self._step == 0:
            self.course.append((self.hands, tuple(self.net_big_bets)))
        if len(self.course) > POINTS:
            self.course = self.course[::2]
            self._step *= 2

    @property
    def points(self) -> list[tuple[int, tuple[float, ...]]]:
        """The course up to now, for a graph."""
        now = (self.hands, tuple(self.net_big_bets))
        return self.course if self.course[-1][0] == self.hands else [*self.course, now]
