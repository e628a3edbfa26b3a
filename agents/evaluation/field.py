"""The field of a tournament: its players and the line-ups in which they meet."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, permutations
from typing import Any, Literal, TypeAlias

from agents.evaluation.duplicate import DECKS_PER_BLOCK, Estimator
from agents.evaluation.match import check_decks
from agents.evaluation.plan import TablePlan
from agents.evaluation.seating import Seatings
from razz_env.envs.agent import Agent, check_players_fit, identity_of
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.house_rules import HouseRules, RulesLike, as_house_rules, check_table_size
from razz_env.rules.setup import StacksLike, check_seed

TableKind: TypeAlias = Literal["copies", "mixed"]
"""One player against copies of another, or tables at which different players sit."""

MOST_MATCHES = 1000
Lineup: TypeAlias = tuple[int, ...]
"""Numbers of players of the field."""


@dataclass(frozen=True)
class Field:
    """The players of a tournament and all that decides its results.

    Players are kept in the order of their identities, and line-ups are made from that, so that
    results do not depend on the order in which the players were named.

    Attributes:
        players: at least two different ones.
        decks: that every line-up plays, the same for all.
        seed: of decks and players.
        rules: house rules.
        stacks: chips of every seat at the start of every hand, or one number for each.
        num_players: seats of a table.
        tables: "copies": each player against `num_players - 1` copies of each other one; heads-up
            that is each pair once. "mixed": every choice of `num_players` different players; a
            field with fewer of them fills its tables with as equal numbers of each as can be.
        seatings: "cyclic" or "all" orders of the players.
        estimators: of the results besides chips.
    """

    players: tuple[Agent, ...]
    decks: int
    seed: int
    rules: HouseRules
    stacks: StacksLike
    num_players: int
    tables: TableKind
    seatings: Seatings
    estimators: tuple[Estimator, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by number."""
        return tuple(player.name for player in self.players)

    @property
    def is_heads_up(self) -> bool:
        """Whether every match is of two players."""
        return self.num_players == 2

    def lineups(self) -> tuple[Lineup, ...]:
        """The line-ups of all matches."""
        numbers = range(len(self.players))
        if self.is_heads_up:
            return tuple(combinations(numbers, 2))
        if self.tables == "copies":
            return tuple(
                (one, *[other] * (self.num_players - 1)) for one, other in permutations(numbers, 2)
            )
        each, more = divmod(self.num_players, len(self.players))
        return tuple(
            tuple(sorted([*list(numbers) * each, *chosen]))
            for chosen in combinations(numbers, more)
        )

    @property
    def hands_per_deck(self) -> int:
        """Hands in which the first line-up plays every deck."""
        return self.plans()[0].tables().hands_per_deck

    def prolonged(self, decks: int) -> "Field":
        """The same field with another number of decks."""
        return replace(self, decks=check_decks(decks))

    def plans(self) -> tuple[TablePlan, ...]:
        """What each line-up plays."""
        return tuple(
            TablePlan(
                tuple(self.players[number] for number in lineup),
                self.seed,
                self.rules,
                self.stacks,
                self.seatings,
                self.estimators,
            )
            for lineup in self.lineups()
        )

    def definition(self) -> dict[str, Any]:
        """All that decides what a block of decks comes to, ready for JSON; names do not."""
        return {
            "identities": [identity_of(player) for player in self.players],
            "seed": self.seed,
            "rules": json.loads(json.dumps(asdict(self.rules))),
            "stacks": self.stacks if isinstance(self.stacks, int) else list(self.stacks),
            "num_players": self.num_players,
            "tables": "heads-up" if self.is_heads_up else self.tables,
            "seatings": self.seatings,
            "estimators": [one.name for one in self.estimators],
            "decks_per_block": DECKS_PER_BLOCK,
        }

    def digest(self) -> str:
        """Eight hexadecimal digits that stand for the definition."""
        text = json.dumps(self.definition(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def make_field(
    agents: Sequence[Agent | str],
    decks: int,
    seed: int = 0,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    num_players: int = 2,
    tables: TableKind = "copies",
    seatings: Seatings = "cyclic",
    estimators: Sequence[Estimator] = (),
) -> Field:
    """A field, checked; see `Field` for the arguments.

    Raises:
        ValueError: anything out of range, an unknown player, one that is named twice, or so many
            that they would play more than `MOST_MATCHES` matches.
        TypeError: agents that are no list of players.
    """
    if isinstance(agents, str):
        raise TypeError(f"agents must be a list of players, not the text {agents!r}.")
    house_rules = as_house_rules(rules)
    check_table_size(house_rules, num_players)
    players = sorted((resolve_agent(agent) for agent in agents), key=identity_of)
    check_different(players)
    check_players_fit(players, num_players)
    field = Field(
        tuple(players),
        check_decks(decks),
        check_seed(seed),
        house_rules,
        stacks,
        num_players,
        tables,
        seatings,
        tuple(estimators),
    )
    _check_size(field)
    field.plans()[0].tables()
    return field


def check_different(players: Sequence[Agent]) -> None:
    """Refuse fewer than two players, and two that are or are called the same.

    Raises:
        ValueError: naming them.
    """
    if len(players) < 2:
        raise ValueError("A tournament needs at least two players.")
    for one, other in combinations(players, 2):
        if identity_of(one) == identity_of(other):
            called = f" ({other.name!r})" if other.name != one.name else ""
            raise ValueError(
                f"The player {one.name!r} is in the field twice{called}: name it once."
            )
        if one.name == other.name:
            raise ValueError(f"Two different players are called {one.name!r}: rename one of them.")


def _check_size(field: Field) -> None:
    if field.tables not in ("copies", "mixed"):
        raise ValueError(f"tables={field.tables!r} is no choice; known: 'copies', 'mixed'.")
    count = len(field.lineups())
    if count > MOST_MATCHES:
        raise ValueError(
            f"{len(field.players)} players would play {count:,} matches, and {MOST_MATCHES:,} is "
            "the limit: name fewer players, or use the tables 'copies'."
        )
