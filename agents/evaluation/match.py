"""Matches: two players, many decks, one rating."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from agents.evaluation.cluster import Cluster
from agents.evaluation.crew import Crew
from agents.evaluation.duplicate import DECKS_PER_BLOCK, BlockResult, Estimator
from agents.evaluation.plan import TablePlan, Task
from agents.evaluation.progress import Progress
from agents.evaluation.result import Estimate, Ints, MatchResult, estimate_of
from agents.evaluation.seating import Seatings
from agents.evaluation.sequences import FEWEST_NONZERO, FIRST_LOOK, anytime_errors
from agents.evaluation.statistics import DeckSums
from razz_env.envs.agent import Agent, check_players_fit, identity_of
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.checks import is_whole
from razz_env.rules.house_rules import RulesLike, as_house_rules, check_table_size
from razz_env.rules.setup import StacksLike


@dataclass(frozen=True)
class Stopping:
    """When a match ends before its last deck; it is looked at after every block of decks.

    A match of a player against itself, which scores 0 in every deck, ends at the first look.

    Attributes:
        half_width: end when the anytime interval is so narrow, in BB/100; None for never.
        decided: end when the anytime interval does not hold 0.
    """

    half_width: float | None = None
    decided: bool = False

    def __post_init__(self) -> None:
        if self.half_width is not None and not self.half_width > 0:
            raise ValueError(f"A half-width of {self.half_width} BB/100 cannot be reached.")

    def __bool__(self) -> bool:
        return self.half_width is not None or self.decided

    def ends(self, mean: float, error: float, decks: int) -> bool:
        """Whether so many decks with this mean and standard error, in BB/100, are enough."""
        half_width = anytime_errors(decks) * error
        if self.half_width is not None and half_width <= self.half_width:
            return True
        return self.decided and abs(mean) > half_width


def play_match(
    agent_a: Agent | str,
    agent_b: Agent | str,
    decks: int = 20_000,
    seed: int = 0,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    num_players: int = 2,
    progress: Progress | None = None,
    *,
    workers: int = 1,
    cluster: Cluster | None = None,
    stopping: Stopping | None = None,
    seatings: Seatings = "cyclic",
    estimators: Sequence[Estimator] = (),
) -> MatchResult:
    """Rate A against B by duplicate: heads-up, or against B in all other seats.

    Every deck is played `num_players` times, with A once in every seat. The same arguments give the
    same result on every machine and with any number of workers; heads-up, exchanging A and B
    changes its sign and nothing else, and a player against itself scores 0 in every deck.

    Decks: deck i has the cards of `Hand.deal(num_players, seed=deck_seed(seed), index=i)`, where
    `agents.evaluation.seeds.deck_seed` derives a seed for matches only. So decks depend on nothing
    but (seed, i), matches with one seed share their decks, and they are not the decks that
    batches, environments and training deal under the same number.

    Players: they get a generator for each seat and each block of 1,000 decks, which depends only on
    (seed, block, seat, who sits where); who is told by `razz_env.envs.agent.identity_of`. A longer
    match therefore repeats the whole blocks of a shorter one.

    Args:
        agent_a: the player to rate or its name, such as "scripted:tight".
        agent_b: the player in all other seats, or its name.
        decks: at least 2; the most that are played where `stopping` may end the match.
        seed: 0 to 2**63 - 1.
        rules: preset name, mapping or HouseRules.
        stacks: chips of every seat at the start of every hand, or one number for each.
        num_players: 2 to 8 seats.
        progress: called after every block of decks.
        workers: processes that play; see `agents.evaluation.crew`.
        cluster: a Ray cluster that plays instead; see `agents.evaluation.cluster`.
        stopping: when to end early; never if None.
        seatings: "cyclic", or "all" orders of the players.
        estimators: of the result besides chips; the last one is what `stopping` looks at.

    Raises:
        ValueError: anything out of range, or an unknown player.
        AgentFault: a player raised an exception or chose no legal action; it is named with deck
            and seat.
    """
    match = make_match(
        agent_a,
        agent_b,
        decks,
        seed,
        rules,
        stacks,
        num_players,
        stopping=stopping,
        seatings=seatings,
        estimators=estimators,
    )
    match.play(workers, progress, cluster)
    return match.result()


def make_match(
    agent_a: Agent | str,
    agent_b: Agent | str,
    decks: int = 20_000,
    seed: int = 0,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    num_players: int = 2,
    *,
    stopping: Stopping | None = None,
    seatings: Seatings = "cyclic",
    estimators: Sequence[Estimator] = (),
) -> "Match":
    """A match that has not begun; arguments and errors are those of `play_match`."""
    first, second = resolve_agent(agent_a), resolve_agent(agent_b)
    house_rules = as_house_rules(rules)
    check_table_size(house_rules, num_players)
    lineup = (first, *[second] * (num_players - 1))
    check_players_fit(lineup, num_players)
    plan = TablePlan(lineup, seed, house_rules, stacks, seatings, tuple(estimators))
    return Match(plan, check_decks(decks), stopping or Stopping())


def rate(
    agent: Agent | str,
    opponents: Sequence[Agent | str],
    decks: int = 20_000,
    seed: int = 0,
    rules: RulesLike = "full_tilt",
    stacks: StacksLike = 500,
    num_players: int = 2,
    progress: Progress | None = None,
    *,
    workers: int = 1,
) -> list[MatchResult]:
    """One match against each opponent, all with the same decks; see `play_match`.

    `progress` counts the decks of all matches together.

    Raises:
        ValueError, AgentFault: as `play_match`; unknown players are refused before the first match.
        TypeError: opponents that are no list of players.
    """
    if isinstance(opponents, str):
        raise TypeError(f"opponents must be a list of players: write [{opponents!r}].")
    player = resolve_agent(agent)
    others = [resolve_agent(opponent) for opponent in opponents]
    results = []
    for number, other in enumerate(others):
        part = _part_of(progress, number * decks, len(others) * decks)
        results.append(
            play_match(
                player, other, decks, seed, rules, stacks, num_players, part, workers=workers
            )
        )
    return results


def check_decks(decks: int) -> int:
    """A number of decks that makes an interval.

    Raises:
        ValueError: no whole number, or fewer than two.
    """
    if not is_whole(decks):
        raise ValueError(f"The number of decks must be a whole number, not {decks!r}.")
    if decks < 2:
        raise ValueError(f"decks={decks} is too few: an interval needs at least 2.")
    return int(decks)


def tasks_of(plan: int, decks: int, first_block: int = 0) -> Iterator[Task]:
    """The blocks of so many decks from a block on, the last one cut to fit."""
    for block in range(first_block, -(-decks // DECKS_PER_BLOCK)):
        yield Task(plan, block, min(DECKS_PER_BLOCK, decks - block * DECKS_PER_BLOCK))


class Match:
    """A match of two players: what is kept of the first one while its blocks come in, in order.

    Whatever ends `play` early, `result` tells the match as far as it was played.

    Attributes:
        plan: of the tables it is played on.
        lineup: the first player, and the second one in all other seats.
        decks: that it plays at most.
        hands_per_deck: in how many hands each of them is played.
    """

    def __init__(self, plan: TablePlan, decks: int, stopping: Stopping) -> None:
        tables = plan.tables()
        self.plan = plan
        self.lineup = plan.lineup
        self.decks = decks
        self._identities = tuple(identity_of(agent) for agent in plan.lineup)
        self.hands_per_deck = tables.hands_per_deck
        self._rules, self._stacks = tables.rules, tables.stacks
        self._stopping = stopping
        self._estimators = plan.estimators
        self._chips: list[Ints] = []
        self._estimates: dict[str, list[Ints]] = {one.name: [] for one in plan.estimators}
        self._watched = DeckSums()
        self._nonzero = 0
        self._hand_squares = 0
        self._seconds = 0.0

    @property
    def decks_done(self) -> int:
        """Decks played by now."""
        return self._watched.decks

    def play(
        self,
        workers: int = 1,
        progress: Progress | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """Play until the decks are used up or the match may end; once only.

        Raises:
            AgentFault: a player raised an exception or chose no legal action.
            WorkerLost: a process died, or too many workers of the cluster.
            ValueError: a number of workers that is none, or a player that cannot be sent to them.
        """
        start = time.perf_counter()
        tasks = tasks_of(0, self.decks)
        try:
            crew = Crew([self.plan], workers, cluster)
            with crew, closing(crew.play(tasks)) as blocks:
                for _, block in blocks:
                    self.add(block)
                    ends = self._may_end()
                    if progress is not None:
                        done = self.decks_done
                        progress(done, done if ends else self.decks)
                    if ends:
                        return
        finally:
            self._seconds = time.perf_counter() - start

    def add(self, block: BlockResult) -> None:
        """Keep the next block."""
        self._chips.append(block.chips[:, 0].copy())
        for name, values in block.estimates.items():
            self._estimates[name].append(values[:, 0].copy())
        watched = self._estimates[self._estimators[-1].name] if self._estimators else self._chips
        self._watched += DeckSums.of(watched[-1])
        self._nonzero += int(np.count_nonzero(watched[-1]))
        self._hand_squares += block.hand_squares[0]

    def _may_end(self) -> bool:
        sums = self._watched
        if not self._stopping or sums.decks < FIRST_LOOK:
            return False
        if len(set(self._identities)) == 1:  # the result is known to be exactly 0
            return True
        if self._nonzero < FEWEST_NONZERO:
            return False
        scale = self._scale / (self._estimators[-1].units_per_chip if self._estimators else 1)
        mean, error = scale * sums.mean_chips, scale * sums.standard_error_chips
        return self._stopping.ends(mean, error, sums.decks)

    @property
    def _scale(self) -> float:
        """What makes BB/100 of chips a deck."""
        return 100 / (self.hands_per_deck * self._rules.big_bet)

    def result(self) -> MatchResult:
        """The match as far as it was played.

        Raises:
            ValueError: fewer than two decks were played.
        """
        if self.decks_done < 2:
            raise ValueError("There is no result yet: not even two decks have been played.")
        chips = np.concatenate(self._chips)
        hands = len(chips) * self.hands_per_deck
        sums = DeckSums.of(chips)
        duplicate = estimate_of("duplicate", sums, self._scale)
        raw = estimate_of(
            "single hands",
            DeckSums(hands, sums.chips, self._hand_squares),
            100 / self._rules.big_bet,
        )
        return MatchResult(
            agent=self.lineup[0].name,
            opponent=self.lineup[1].name,
            num_players=len(self.lineup),
            decks=len(chips),
            hands=hands,
            bb_per_100=duplicate.bb_per_100,
            standard_error=duplicate.standard_error,
            seed=int(self.plan.seed),
            rules=self._rules,
            stacks=self._stacks,
            seconds=self._seconds,
            deck_chips=chips,
            identities=self._identities[:2],
            sequential=bool(self._stopping),
            estimates=(raw, duplicate, *self._reduced()),
        )

    def _reduced(self) -> Iterator[Estimate]:
        for one in self._estimators:
            values = np.concatenate(self._estimates[one.name])
            yield estimate_of(one.name, DeckSums.of(values), self._scale / one.units_per_chip)


def _part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """The progress of one match among several."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)
