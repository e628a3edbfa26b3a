"""Matches: two players, many decks, one rating."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.duplicate import DECKS_PER_BLOCK, DuplicateTables
from agents.evaluation.statistics import Z_95, DeckSums, bb_per_100
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.checks import is_whole
from razz_env.rules.house_rules import HouseRules, RulesLike, as_house_rules, check_table_size
from razz_env.rules.setup import StacksLike

Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the decks played so far and the decks in all."""


@dataclass(frozen=True)
class MatchResult:
    """How one player did against another, or against several copies of it.

    Attributes:
        agent: name of the rated player.
        opponent: name of the player in all other seats.
        num_players: seats, and hands in which each deck was played.
        decks: number of decks.
        hands: number of hands, decks * num_players.
        bb_per_100: what `agent` won, in big bets per 100 hands.
        standard_error: of `bb_per_100`, over decks, in BB/100.
        seed: of the match.
        rules: house rules.
        stacks: chips of every seat at the start of every hand.
        seconds: time the match took.
        deck_chips: int64[decks], net chips of `agent` over the hands of each deck.
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
    deck_chips: NDArray[np.int64] = field(compare=False, repr=False)

    @property
    def half_width(self) -> float:
        """Half the width of the normal 95 % interval of `bb_per_100`, in BB/100."""
        return Z_95 * self.standard_error

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval, in BB/100."""
        return self.bb_per_100 - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval, in BB/100."""
        return self.bb_per_100 + self.half_width

    def to_dict(self) -> dict[str, Any]:
        """Everything but `deck_chips`, ready for JSON."""
        values = vars(self) | {"low": self.low, "high": self.high, "half_width": self.half_width}
        del values["deck_chips"]
        return values | {"rules": asdict(self.rules), "stacks": list(self.stacks)}


def play_match(
    agent_a: Agent | str,
    agent_b: Agent | str,
    decks: int = 20_000,
    seed: int = 0,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    num_players: int = 2,
    progress: Progress | None = None,
) -> MatchResult:
    """Rate A against B by duplicate: heads-up, or against B in all other seats.

    Every deck is played `num_players` times, with A once in every seat. The same arguments give the
    same result on every machine; heads-up, exchanging A and B changes its sign and nothing else,
    and a player against itself scores 0 in every deck.

    Decks: deck i has the cards of `Hand.deal(num_players, seed=deck_seed(seed), index=i)`, where
    `agents.evaluation.seeds.deck_seed` derives a seed for matches only. So decks depend on nothing
    but (seed, i), matches with one seed share their decks, and they are not the decks that
    batches, environments and training deal under the same number.

    Players: they get a generator for each seat and each block of 1,000 decks, which depends only on
    (seed, block, seat, who sits where). A longer match therefore repeats the whole blocks of a
    shorter one.

    Args:
        agent_a: the player to rate or its name, such as "scripted:tight".
        agent_b: the player in all other seats, or its name.
        decks: at least 2.
        seed: 0 to 2**63 - 1.
        rules: preset name, mapping or HouseRules.
        stacks: chips of every seat at the start of every hand, or one number for each.
        num_players: 2 to 8 seats.
        progress: called after every block of decks.

    Raises:
        ValueError: anything out of range, or an unknown player.
        AgentFault: a player raised an exception or chose no legal action; it is named with deck
            and seat.
    """
    start = time.perf_counter()
    first, second = resolve_agent(agent_a), resolve_agent(agent_b)
    check_table_size(as_house_rules(rules), num_players)
    tables = DuplicateTables([first, *[second] * (num_players - 1)], seed, rules, stacks)
    deck_chips = _play(tables, _check_decks(decks), progress)
    mean, error = bb_per_100(DeckSums.of(deck_chips), num_players, tables.rules.big_bet)
    return MatchResult(
        agent=first.name,
        opponent=second.name,
        num_players=num_players,
        decks=len(deck_chips),
        hands=len(deck_chips) * num_players,
        bb_per_100=mean,
        standard_error=error,
        seed=int(seed),
        rules=tables.rules,
        stacks=tables.stacks,
        seconds=time.perf_counter() - start,
        deck_chips=deck_chips,
    )


def rate(
    agent: Agent | str,
    opponents: Sequence[Agent | str],
    decks: int = 20_000,
    seed: int = 0,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    num_players: int = 2,
    progress: Progress | None = None,
) -> list[MatchResult]:
    """One match against each opponent, all with the same decks; see `play_match`.

    `progress` counts the decks of all matches together.

    Raises:
        ValueError, AgentFault: as `play_match`; unknown players are refused before the first match.
    """
    player = resolve_agent(agent)
    others = [resolve_agent(opponent) for opponent in opponents]
    results = []
    for number, other in enumerate(others):
        part = _part_of(progress, number * decks, len(others) * decks)
        results.append(play_match(player, other, decks, seed, rules, stacks, num_players, part))
    return results


def _play(tables: DuplicateTables, decks: int, progress: Progress | None) -> NDArray[np.int64]:
    """Net chips of the first player of the line-up, int64[decks]."""
    chips = np.zeros(decks, np.int64)
    for first in range(0, decks, DECKS_PER_BLOCK):
        last = min(first + DECKS_PER_BLOCK, decks)
        chips[first:last] = tables.play_block(first // DECKS_PER_BLOCK, last - first)[:, 0]
        if progress is not None:
            progress(last, decks)
    return chips


def _part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """The progress of one match among several."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


def _check_decks(decks: int) -> int:
    if not is_whole(decks):
        raise ValueError(f"The number of decks must be a whole number, not {decks!r}.")
    if decks < 2:
        raise ValueError(f"decks={decks} is too few: an interval needs at least 2.")
    return int(decks)
