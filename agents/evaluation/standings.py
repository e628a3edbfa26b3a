"""What a tournament has come to: the crosstable, the ranking and what is known of each player."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from agents.evaluation.duplicate import BlockResult
from agents.evaluation.field import Field, Lineup
from agents.evaluation.ranking import Equilibrium, alpha_rank, cycles, maximal_lottery, nash_average
from agents.evaluation.result import Estimate, estimate_of
from agents.evaluation.seating import seatings_of
from agents.evaluation.sequences import FIRST_LOOK, anytime_errors
from agents.evaluation.statistics import (
    DeckSums,
    Interval,
    bootstrap_interval,
    holm,
    two_sided_p,
)
from agents.evaluation.style import Counts, no_counts
from agents.evaluation.tournament import Tournament
from razz_env.envs.agent import identity_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RUNNING_POINTS = 60


@dataclass(frozen=True)
class Match:
    """One line-up's results, from the point of view of one of its players.

    Attributes:
        player: its number in the field.
        others: numbers of the players in the other seats.
        estimates: "single hands", "duplicate", and those of estimators.
        bootstrap: 95 % interval of the duplicate over decks, in BB/100.
    """

    player: int
    others: tuple[int, ...]
    estimates: tuple[Estimate, ...]
    bootstrap: Interval


@dataclass(frozen=True)
class Comparison:
    """Whether one player does better than another.

    Attributes:
        one: its number in the field.
        other: the other's.
        bb_per_100: the cell of the crosstable.
        standard_error: of it.
        p: two-sided, for no difference; None from too few decks.
        adjusted_p: after Holm, with all comparisons of the tournament; None from too few decks.
    """

    one: int
    other: int
    bb_per_100: float
    standard_error: float
    p: float | None
    adjusted_p: float | None

    @property
    def is_decided(self) -> bool:
        """Whether the difference is no chance, with 5 % for any error in the tournament."""
        return self.adjusted_p is not None and self.adjusted_p < 0.05


@dataclass(frozen=True)
class Running:
    """A player's result as it came in.

    Attributes:
        decks: int64[P].
        means: float64[P], after so many decks, in BB/100.
        half_widths: float64[P], of the anytime interval.
    """

    decks: Ints
    means: Floats
    half_widths: Floats


class Standings:
    """The results over the decks that every line-up has played.

    All line-ups play the same decks, so their results depend on each other; the unit of everything
    that is summed over line-ups is therefore the deck too.

    Attributes:
        field: who played what.
        decks: of every line-up.
        order: numbers of the players, the one that won most first.
    """

    def __init__(self, tournament: Tournament) -> None:
        """The standings of now.

        Raises:
            ValueError: fewer than two decks have been played by all.
        """
        self.field: Field = tournament.field
        self.decks = tournament.common_decks
        if self.decks < 2:
            raise ValueError("There are no standings yet: not every line-up has played two decks.")
        self.lineups = self.field.lineups()
        self._hands_per_deck = [
            len(seatings_of(self._identities(lineup), self.field.seatings))
            for lineup in self.lineups
        ]
        tasks = sorted(tournament.blocks, key=lambda task: (task.plan, task.block))
        self._blocks: list[list[BlockResult]] = [[] for _ in self.lineups]
        decks = [0] * len(self.lineups)
        for task in tasks:
            if decks[task.plan] < self.decks:
                self._blocks[task.plan].append(tournament.blocks[task])
                decks[task.plan] += task.decks
        self.order = tuple(sorted(range(len(self.field.players)), key=self._place))

    @property
    def is_mixed(self) -> bool:
        """Whether different players sit at tables of more than two."""
        return self.field.tables == "mixed" and not self.field.is_heads_up

    @property
    def counts_all(self) -> bool:
        """Whether the results of all players of a line-up count, and not only of the first."""
        return self.is_mixed or self.field.is_heads_up

    @property
    def has_enough_decks(self) -> bool:
        """Whether there are so many decks that they may decide something."""
        return self.decks >= FIRST_LOOK

    @property
    def hands(self) -> int:
        """Hands played in all matches."""
        return sum(self._hands_per_deck) * self.decks

    def totals(self) -> list[Estimate]:
        """What every player, by number, won in all its matches together."""
        return [self._total(number) for number in range(len(self.field.players))]

    @cached_property
    def matches(self) -> list[Match]:
        """All matches, each from the point of view of every player whose result counts there."""
        return [
            self._match(number, player)
            for number, lineup in enumerate(self.lineups)
            for player in self._rated(lineup)
        ]

    @cached_property
    def crosstable(self) -> list[list[Estimate | None]]:
        """What the player of a row won of that of a column; None on the diagonal.

        At mixed tables what it won more than the other, where both sat, in as many hands each.
        """
        count = len(self.field.players)
        return [
            [self._against(row, column) if row != column else None for column in range(count)]
            for row in range(count)
        ]

    @cached_property
    def payoffs(self) -> Floats:
        """The crosstable in BB/100, float64[k, k], zeros on the diagonal."""
        rows = [[cell.bb_per_100 if cell else 0.0 for cell in row] for row in self.crosstable]
        return np.array(rows)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Every pair, by Holm's method together."""
        found = list(self._compared())
        if not self.has_enough_decks:
            return [
                Comparison(a, b, one.bb_per_100, one.standard_error, None, None)
                for a, b, one in found
            ]
        ps = [two_sided_p(one.bb_per_100, one.standard_error) for _, _, one in found]
        return [
            Comparison(a, b, one.bb_per_100, one.standard_error, p, adjusted)
            for (a, b, one), p, adjusted in zip(found, ps, holm(ps), strict=True)
        ]

    @cached_property
    def nash(self) -> Equilibrium:
        """Nash averaging of the crosstable."""
        return nash_average(self.payoffs)

    @cached_property
    def lottery(self) -> Equilibrium:
        """The maximal lottery of the crosstable."""
        return maximal_lottery(self.payoffs)

    @cached_property
    def alpha(self) -> Floats | None:
        """Alpha-Rank of the crosstable, if OpenSpiel and networkx are installed."""
        return alpha_rank(self.payoffs)

    @cached_property
    def cycles(self) -> list[tuple[int, int, int]]:
        """Threes of which each beats the next, by comparisons that hold together."""
        beats = np.zeros((len(self.field.players),) * 2, np.bool_)
        for one in self.comparisons:
            if one.is_decided:
                winner, loser = (one.one, one.other) if one.bb_per_100 > 0 else (one.other, one.one)
                beats[winner, loser] = True
        return cycles(beats)

    def style(self, player: int) -> Counts:
        """What a player did in all its matches, int64[5, 14]; see `agents.evaluation.style`."""
        counts: Counts = no_counts(1)[0]
        for lineup, blocks in zip(self.lineups, self._blocks, strict=True):
            for member in np.flatnonzero(np.array(lineup) == player).tolist():
                for block in blocks:
                    counts += block.style[member]
        return counts

    def running(self, player: int) -> Running:
        """A player's result in all its matches together, after growing numbers of decks."""
        results, scale = self._all_results(player)
        first = max(2, self.decks // 20)  # before that the band hides everything else
        ends = np.unique(np.linspace(first, self.decks, RUNNING_POINTS).astype(np.int64))
        sums = [DeckSums.of(part) for part in np.split(results, ends[:-1])]
        means, widths, grown = [], [], DeckSums()
        for part in sums:
            grown += part
            means.append(scale * grown.mean_chips)
            widths.append(scale * grown.standard_error_chips * anytime_errors(grown.decks))
        return Running(ends, np.array(means), np.array(widths))

    def _place(self, player: int) -> tuple[float, str]:
        return -self._total(player).bb_per_100, self.field.names[player]

    def _total(self, player: int) -> Estimate:
        results, scale = self._all_results(player)
        return estimate_of(self.best_estimate, DeckSums.of(results), scale)

    @property
    def best_estimate(self) -> str:
        """The estimate by which players are ranked: of the last estimator, or the duplicate."""
        return self.field.estimators[-1].name if self.field.estimators else "duplicate"

    def _all_results(self, player: int) -> tuple[Ints, float]:
        """Best estimates int64[decks] of a player in all its matches, and what makes BB/100."""
        numbers = [n for n, lineup in enumerate(self.lineups) if player in self._rated(lineup)]
        return self._results_in(numbers, player)

    def _results_in(self, matches: list[int], player: int) -> tuple[Ints, float]:
        """Best estimates int64[decks] of a player in some matches, and what makes BB/100."""
        best = self.field.estimators[-1] if self.field.estimators else None
        results = np.zeros(self.decks, np.int64)
        for number in matches:
            members = self._members(self.lineups[number], player)
            results += self._column(number, members, best.name if best else None)
        return results, self._scale(matches, player) / (best.units_per_chip if best else 1)

    def _scale(self, matches: list[int], player: int) -> float:
        """What makes BB/100 of a player's chips a deck in some matches."""
        return 100 / (self._hands_in(matches, player) * self.field.rules.big_bet)

    def _hands_in(self, matches: list[int], player: int) -> int:
        """Hands that a player plays with a deck in some matches, copies counted each."""
        return sum(
            len(self._members(self.lineups[number], player)) * self._hands_per_deck[number]
            for number in matches
        )

    def _column(self, match: int, members: list[int], estimator: str | None = None) -> Ints:
        """Chips int64[decks] of some members of a line-up together, or an estimate of them."""
        parts = [
            (block.chips if estimator is None else block.estimates[estimator])[:, members]
            for block in self._blocks[match]
        ]
        together: Ints = np.concatenate(parts).sum(axis=1)
        return together

    def _identities(self, lineup: Lineup) -> list[str]:
        return [identity_of(self.field.players[number]) for number in lineup]

    def _rated(self, lineup: Lineup) -> tuple[int, ...]:
        """The players of a line-up whose results count: against copies only the one."""
        return tuple(dict.fromkeys(lineup)) if self.counts_all else lineup[:1]

    def _members(self, lineup: Lineup, player: int) -> list[int]:
        return [member for member, number in enumerate(lineup) if number == player]

    def _match(self, number: int, player: int) -> Match:
        lineup = self.lineups[number]
        members = self._members(lineup, player)
        chips, scale = self._column(number, members), self._scale([number], player)
        sums = DeckSums.of(chips)
        hands = self.decks * self._hands_per_deck[number] * len(members)
        squares = sum(block.hand_squares[m] for block in self._blocks[number] for m in members)
        raw = estimate_of(
            "single hands", DeckSums(hands, sums.chips, squares), 100 / self.field.rules.big_bet
        )
        reduced = [
            estimate_of(
                one.name,
                DeckSums.of(self._column(number, members, one.name)),
                scale / one.units_per_chip,
            )
            for one in self.field.estimators
        ]
        others = tuple(other for member, other in enumerate(lineup) if member != members[0])
        return Match(
            player,
            others,
            (raw, estimate_of("duplicate", sums, scale), *reduced),
            bootstrap_interval(chips, scale, self.field.seed),
        )

    def _against(self, row: int, column: int) -> Estimate | None:
        together = [
            number
            for number, lineup in enumerate(self.lineups)
            if row in self._rated(lineup) and column in lineup
        ]
        if not together:
            return None
        ours, our_scale = self._results_in(together, row)
        if not self.is_mixed:
            return estimate_of(self.best_estimate, DeckSums.of(ours), our_scale)
        theirs, _ = self._results_in(together, column)
        our_hands, their_hands = (self._hands_in(together, one) for one in (row, column))
        difference = ours * their_hands - theirs * our_hands  # whole numbers, to sum exactly
        return estimate_of(self.best_estimate, DeckSums.of(difference), our_scale / their_hands)

    def _compared(self) -> Iterator[tuple[int, int, Estimate]]:
        """Every pair once; against copies in both directions."""
        copies = not self.is_mixed and not self.field.is_heads_up
        for place, row in enumerate(self.order):
            for column in self.order if copies else self.order[place + 1 :]:
                cell = self.crosstable[row][column]
                if cell is not None:
                    yield row, column, cell
