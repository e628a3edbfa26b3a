"""What a match has come to: the rating, its intervals and its estimates."""

from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.sequences import FIRST_LOOK, anytime_errors
from agents.evaluation.statistics import Z_95, DeckSums, Interval, bootstrap_interval
from razz_env.rules.house_rules import HouseRules

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """One way to work out the same rating from the same hands.

    Attributes:
        name: "single hands" takes every hand for a deck of its own, as if there were no duplicate:
            its error is what the duplicate is measured by. "duplicate" has the deck for its unit.
            Others are those of `agents.evaluation.duplicate.Estimator`.
        bb_per_100: the rating.
        standard_error: of it, in BB/100.
    """

    name: str
    bb_per_100: float
    standard_error: float

    @property
    def mbb_per_hand(self) -> float:
        """The rating in thousandths of a big bet a hand."""
        return 10 * self.bb_per_100

    @property
    def normal(self) -> Interval:
        """The normal 95 % interval, for a number of decks fixed beforehand."""
        return self.within(Z_95)

    def within(self, errors: float) -> Interval:
        """The rating and so many standard errors to both sides."""
        half_width = errors * self.standard_error
        return Interval(self.bb_per_100 - half_width, self.bb_per_100 + half_width)

    def anytime(self, decks: int) -> Interval | None:
        """The 95 % interval for whenever a match is ended; None before `FIRST_LOOK` decks."""
        return self.within(anytime_errors(decks)) if decks >= FIRST_LOOK else None

    def to_dict(self, decks: int) -> dict[str, Any]:
        """All that it tells after so many decks, ready for JSON."""
        anytime = self.anytime(decks)
        return asdict(self) | {
            "mbb_per_hand": self.mbb_per_hand,
            "normal": list(self.normal),
            "anytime": None if anytime is None else list(anytime),
        }


def estimate_of(name: str, sums: DeckSums, scale: float) -> Estimate:
    """The estimate from sums over decks; `scale` makes BB/100 of their mean."""
    return Estimate(name, scale * sums.mean_chips, scale * sums.standard_error_chips)


@dataclass(frozen=True)
class MatchResult:
    """How one player did against another, or against several copies of it.

    Attributes:
        agent: name of the rated player.
        opponent: name of the player in all other seats.
        num_players: seats.
        decks: number of decks.
        hands: number of hands: every deck is played `num_players` times unless more seatings were
            asked for.
        bb_per_100: what `agent` won, in big bets per 100 hands.
        standard_error: of `bb_per_100`, over decks, in BB/100.
        seed: of the match.
        rules: house rules.
        stacks: chips of every seat at the start of every hand.
        seconds: time the match took.
        deck_chips: int64[decks], net chips of `agent` over the hands of each deck.
        identities: of agent and opponent, what their randomness depends on.
        sequential: whether the match could end early, so that only the anytime interval is valid.
        estimates: "single hands", "duplicate", and those of estimators.
    """

    agent: str
    opponent: str
    num_players: int
    decks: int
    hands: int
    bb_per_100: float
    standard_error: float
    seed: int
    rules: HouseRules
    stacks: tuple[int, ...]
    seconds: float = field(compare=False)
    deck_chips: Ints = field(compare=False, repr=False)
    identities: tuple[str, ...] = ()
    sequential: bool = False
    estimates: tuple[Estimate, ...] = ()

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval of `bb_per_100`, in BB/100.

        The normal interval, or the anytime interval if the match could end early.
        """
        errors = anytime_errors(self.decks) if self.sequential else Z_95
        return errors * self.standard_error

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval, in BB/100."""
        return self.bb_per_100 - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval, in BB/100."""
        return self.bb_per_100 + self.half_width

    def variance_ratio(self, estimate: Estimate) -> float | None:
        """The variance of single hands over that of an estimate; None if that is 0."""
        if estimate.standard_error == 0:
            return None
        return (self.estimates[0].standard_error / estimate.standard_error) ** 2

    @cached_property
    def bootstrap(self) -> Interval:
        """The bootstrap interval of `bb_per_100` over decks; see `bootstrap_interval`."""
        scale = 100 * self.decks / (self.hands * self.rules.big_bet)
        return bootstrap_interval(self.deck_chips, scale, self.seed)

    def to_dict(self) -> dict[str, Any]:
        """All that the arguments of the match decide, without `deck_chips`, ready for JSON."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        for name in ("deck_chips", "seconds"):
            del values[name]
        return values | {
            "low": self.low,
            "high": self.high,
            "half_width": self.half_width,
            "rules": asdict(self.rules),
            "stacks": list(self.stacks),
            "estimates": [self._told(estimate) for estimate in self.estimates],
        }

    def _told(self, estimate: Estimate) -> dict[str, Any]:
        ratio = self.variance_ratio(estimate)
        return estimate.to_dict(self.decks) | {"variance_ratio": ratio}
