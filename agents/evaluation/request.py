"""What `razz evaluate` is asked for: the whole of it, so that a report can be made again."""

import shlex
from dataclasses import asdict, dataclass
from typing import Any

from agents.evaluation.estimators import named_estimators
from agents.evaluation.match import Match, Stopping, make_match
from razz_env.rules.house_rules import as_house_rules, check_table_size

DEFAULT_HANDS = 40_000
MOST_HANDS = 20_000_000
"""Played by a match that may end early, if `--hands` says no other number."""
_TOO_MANY_HANDS = 10**12
"""More would take years, so that such a number is a slip."""


@dataclass(frozen=True)
class MatchRequest:
    """A match as it is asked for on the command line; see `agents.evaluation.command.evaluate`.

    Everything that decides the result is here, and nothing else.
    """

    agent: str
    opponent: str
    hands: int | None = None
    seed: int = 0
    rules: str = "full_tilt"
    stacks: int = 500
    players: int = 2
    until: float | None = None
    until_decided: bool = False
    estimator: str | None = None

    @property
    def stopping(self) -> Stopping:
        """When the match ends early.

        Raises:
            ValueError: a half-width that cannot be reached.
        """
        return Stopping(self.until, self.until_decided)

    @property
    def all_hands(self) -> int:
        """Hands to play, at most if it may end early."""
        if self.hands is not None:
            return self.hands
        return MOST_HANDS if self.stopping else DEFAULT_HANDS

    def match(self, decks: int | None = None) -> Match:
        """The match, not yet begun; of another number of decks if one is given.

        Raises:
            ValueError: a number out of range, or an unknown player, rules or estimator.
        """
        stopping = self.stopping
        check_table_size(as_house_rules(self.rules), self.players)
        return make_match(
            self.agent,
            self.opponent,
            decks_for(self.all_hands, self.players) if decks is None else decks,
            self.seed,
            self.rules,
            self.stacks,
            self.players,
            stopping=stopping,
            estimators=named_estimators(self.estimator),
        )

    @property
    def command(self) -> str:
        """The command that makes the same report anywhere."""
        words = ["razz", "evaluate", self.agent, self.opponent, "--hands", str(self.all_hands)]
        words += ["--seed", str(self.seed), "--rules", self.rules, "--stacks", str(self.stacks)]
        words += ["--players", str(self.players)]
        words += [] if self.until is None else ["--until", str(self.until)]
        words += ["--until-decided"] if self.until_decided else []
        words += [] if self.estimator is None else ["--estimator", self.estimator]
        return shlex.join(words)

    def to_dict(self) -> dict[str, Any]:
        """Its fields, ready for JSON; `MatchRequest(**fields)` is the way back."""
        return asdict(self)


def decks_for(hands: int, hands_per_deck: int) -> int:
    """The number of decks for at least so many hands: each is played once in every seating.

    Raises:
        ValueError: fewer hands than two decks take, or more than a person can wait for.
    """
    if hands > _TOO_MANY_HANDS:
        raise ValueError(f"{hands:.1e} hands are too many: {_TOO_MANY_HANDS:,} are the most.")
    if hands < 2 * hands_per_deck:
        raise ValueError(
            f"{hands} hands are too few: a deck takes {hands_per_deck} hands, one in each seating, "
            f"and an interval needs two decks, so play at least {2 * hands_per_deck} hands."
        )
    return -(-hands // hands_per_deck)
