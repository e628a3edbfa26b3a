"""The tables of self-play: any number of seats of a hand may be the learner's.

Hand by hand every seat is the learner's or that of an opponent from the pool. The tables stop
wherever a seat of the learner's is to act, whichever it is, so each of its decisions can be learnt
from.
"""

from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import ArrayLike, NDArray

from agents.evaluation.style import Counts
from agents.players.inputs import SCALE, Inputs, write_chances
from agents.players.showdown import desk
from agents.training.acting import Chooser
from agents.training.columns import Columns, Turn
from agents.training.critic import hidden_size, write_hidden
from agents.training.seats import Seats
from agents.training.stakes import look_at_stakes
from razz_env.envs.agent import Agent
from razz_env.envs.batch import TableBatch
from razz_env.envs.learning_seats import batch_for_learners
from razz_env.envs.sb3 import TablesVecEnv, weighted_opponents
from razz_env.envs.seated_tables import LEARNER
from razz_env.envs.tables import Flags, Floats
from razz_env.rules.house_rules import RulesLike
from razz_env.rules.setup import StacksLike, check_seed


class Report(NamedTuple):
    """What happened at some tables.

    Attributes:
        finished_hands: hands that have ended since the tables were made.
        styles: int64[2, 5, 14], what learner (0) and opponents (1) did; see
            `agents.evaluation.style`.
        learner: hands of the learner's seats against opponents since `set_opponents`; big bets won.
        opponents: name, hands, and big bets won of every opponent that ended a hand since then; one
            that was drawn again while it was in a hand is there twice.
    """

    finished_hands: int
    styles: Counts
    learner: tuple[int, float]
    opponents: list[tuple[str, int, float]]


class LearnersTables(TablesVecEnv):
    """N tables of self-play as far as they are a `VecEnv`, wherever they are played.

    `step` is refused: several seats of a table learn from one hand, so no single reward would be
    right. `rollout` is what a learner calls.
    """

    @property
    @abstractmethod
    def batch(self) -> TableBatch:
        """Tables such as these, hidden cards included: for tests and tools, not for the learner."""

    @property
    @abstractmethod
    def report(self) -> Report:
        """What happened; a copy."""

    @abstractmethod
    def seed_choices(self, seed: int) -> None:
        """Start the random stream from which the learner's actions are drawn."""

    @abstractmethod
    def set_opponents(
        self, opponents: Sequence[Agent | str], weights: ArrayLike | None = None
    ) -> None:
        """Draw the opponents of all hands dealt from now on from this list.

        Hands in play go on with the opponents that they began with. Results start anew.

        Args:
            opponents: at least one agent or name.
            weights: float[len(opponents)], how often each is drawn; None for equally often.

        Raises:
            ValueError: no opponents, an unknown one, or weights that do not fit.
        """

    @abstractmethod
    def rollout(self, chooser: Chooser, columns: Columns) -> Generator[int]:
        """Play as many decisions at every table as there is room for, and write them there.

        Args:
            chooser: the learner's policy.
            columns: Columns[T, N], written.

        Yields:
            The decisions made since the last time.

        Raises:
            NotFinite, IllegalChoice: see there.
            OpponentError: see `SelfPlayTables.play`.
        """

    def step_async(self, actions: NDArray[Any]) -> None:
        """Refused; see the class."""
        raise TypeError(
            "Several seats of a table learn from one hand, so a step has no single reward: use "
            "play(actions), or RazzVecEnv for one learning seat a table."
        )

    def step_wait(self) -> Any:
        """Refused; see the class."""
        self.step_async(np.zeros(0))


class SelfPlayTables(LearnersTables):
    """N tables of self-play, of one size or several, in this process.

    `turn` shows the seats of the learner's to act, `play` takes their actions, `rollout` does both
    with a policy. A pickle of the tables goes on identically.

    Seeds: under seed s table t's hand i is `Hand.deal(seed=s, table=t, index=i)`; who sits where
    and what opponents do repeats from the same seed. Global random generators are not touched.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        opponents: Sequence[Agent | str] = ("caller",),
        weights: ArrayLike | None = None,
        rules: RulesLike = "full_tilt",
        stacks: StacksLike = 500,
        seed: int = 0,
        observation: str = "features",
        seats: int | None = None,
        big_bets_per_reward: float = 1.0,
        self_share: float = 0.5,
        copies_share: float = 0.0,
        all_cards: bool = False,
        win_chance: bool = False,
    ) -> None:
        """Tables at which no hand is dealt before `reset`.

        Args:
            sizes: seats of every table, 2 to 8.
            opponents: agents or their names; see `set_opponents`.
            weights: how often each is drawn; None for equally often.
            rules: preset name, mapping or HouseRules.
            stacks: chips of every seat at the start of every hand, or one number for each.
            observation: "features" or "infostate".
            seats: room for so many seats in the observations; None for the largest table's.
            seed: of the first `reset`.
            big_bets_per_reward: big bets that a reward of 1 stands for.
            self_share: share of the hands in which all seats are the learner's.
            copies_share: share of the others in which all opponents are one and the same player.
            all_cards: put the others' live down cards behind the observations, for a value network
                that may see them; see `agents.training.critic`. The policy must not.
            win_chance: put the chance to win behind the observations, before the others' cards.

        Raises:
            ValueError: anything out of range, or an unknown opponent.
        """
        batch = batch_for_learners(
            len(sizes), list(sizes), rules, stacks, observation, check_seed(seed), seats
        )
        self._seats = Seats(batch, self_share, copies_share)
        self._scale = np.float32(1 / big_bets_per_reward)
        self._streets = np.zeros(len(sizes), np.int8)
        self._low, self._high = (np.zeros(len(sizes), np.float32) for _ in range(2))
        self._choices = np.random.default_rng(0)
        self.set_opponents(opponents, weights)
        super().__init__(len(sizes), self._seats.layout)
        self._pending_seed = seed
        self._inputs, self._desk = Inputs(self._seats.layout, win_chance), desk()
        hidden = hidden_size(self._seats.layout.seats) if all_cards else 0
        self._wide: Floats | None = None
        if win_chance or all_cards:
            self._wide = np.zeros((len(sizes), self._inputs.size + hidden), np.float32)
            seen, chance = self.observation_space, np.full(int(win_chance), SCALE / 2, np.float32)
            assert isinstance(seen, Box)
            self.observation_space = Box(
                np.concatenate([seen.low, -chance, np.zeros(hidden, np.float32)]),
                np.concatenate([seen.high, chance, np.ones(hidden, np.float32)]),
            )

    @property
    def batch(self) -> TableBatch:
        """The tables."""
        return self._seats.batch

    @property
    def agents(self) -> list[Agent]:
        """The opponents: those that are drawn now, and those still in a hand that began before."""
        return self._seats.agents

    @property
    def opponents(self) -> list[list[str]]:
        """Names of the players in the hands now dealt, by table and seat; "" for the learner."""
        agents = self._seats.agents
        sizes = self.batch.hands["public"]["num_seats"]
        return [
            ["" if k == LEARNER else agents[k].name for k in row[:size]]
            for row, size in zip(self._seats.opponent_of, sizes, strict=True)
        ]

    @property
    def report(self) -> Report:
        """What happened at the tables; a copy."""
        books, agents = self._seats.books, self._seats.agents
        finished, hands, won = books.totals
        opponents = [
            (agents[k].name, int(books.hands[k]), float(books.won[k]))
            for k in np.flatnonzero(books.hands)
        ]
        return Report(int(finished), self._seats.styles.copy(), (int(hands), float(won)), opponents)

    def seed_choices(self, seed: int) -> None:
        """Start the random stream from which the learner's actions are drawn."""
        self._choices = np.random.default_rng(seed)

    def set_opponents(
        self, opponents: Sequence[Agent | str], weights: ArrayLike | None = None
    ) -> None:
        """See `LearnersTables.set_opponents`."""
        self._seats.set_opponents(*weighted_opponents(opponents, weights))

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of the seats to act, bool[N, 7]."""
        return self.batch.action_masks.astype(np.bool_)

    def reset(self) -> Floats:
        """Deal hand 0 of the seed given last and play up to the learner's first decisions.

        Returns:
            float32[N, D], see `turn`.
        """
        assert self._pending_seed is not None
        self._seats.start(self._pending_seed)
        return self.turn().observations

    def turn(self) -> Turn:
        """What the learner's seats to act see."""
        batch = self.batch
        look_at_stakes(batch.hands["public"], batch.actors, self._low, self._high, self._streets)
        self._low *= self._scale
        self._high *= self._scale
        return Turn(
            self._observe(),
            batch.action_masks,
            batch.actors,
            self._streets,
            self._low,
            self._high,
        )

    def _observe(self) -> Floats:
        """What the seats to act see, and behind it the chance and all cards, as is wanted."""
        batch, wide, inputs = self.batch, self._wide, self._inputs
        if wide is None:
            return batch.observations
        wide[:, : inputs.layout.size] = batch.observations
        if inputs.win_chance:
            write_chances(batch.views, inputs.layout.size, self._desk, wide)
        if inputs.size < wide.shape[1]:
            write_hidden(batch.hands, batch.actors, inputs.size, wide)
        return wide

    def play(self, actions: NDArray[Any]) -> tuple[Flags, Floats]:
        """Play the learner's actions int[N], and the opponents' up to its next decisions.

        Returns:
            ended bool[N], where the hand of the learner's action is over, and rewards
            float32[N, P], what every seat has won in it; both are overwritten by the next call.

        Raises:
            razz_env.IllegalAction: naming table, seat, street and action; no table is moved.
            OpponentError: an opponent failed; only `reset` goes on then.
        """
        self._seats.act(actions)
        books = self._seats.books
        books.payoffs[:] *= self._scale
        return books.ended, books.payoffs

    def rollout(self, chooser: Chooser, columns: Columns) -> Generator[int]:
        """Play decision after decision at all tables at once; see `LearnersTables.rollout`."""
        for step in range(len(columns.ended)):
            turn = self.turn()
            choices = chooser.choose(turn.observations, turn.masks, self._choices)
            columns.add_decisions(step, turn, choices)
            columns.add_results(step, *self.play(choices.actions))
            yield self.num_envs
        turn = self.turn()
        columns.add_next(turn, chooser.scores(turn.observations)[1])
