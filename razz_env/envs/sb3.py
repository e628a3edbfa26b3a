"""The batch of tables as a `VecEnv` of Stable-Baselines3: one learner seat at every table.

The only module of this package that imports stable_baselines3; it comes with the extra `train`.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import ArrayLike, NDArray

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "razz_env.envs.sb3 needs stable-baselines3, which is not installed: "
        'pip install "razz-env[train]"',
        name=missing.name,
    ) from missing

from razz_env.envs.agent import Agent, check_players_fit
from razz_env.envs.batch import TableBatch
from razz_env.envs.learning_seats import LearningSeats, batch_for_learners
from razz_env.envs.opponents import resolve_agent
from razz_env.envs.saving import Saved, State, generator_of, generator_state, table_facts
from razz_env.envs.tables import Floats, Ints
from razz_env.observation import ObservationSpec
from razz_env.rules.checks import is_whole
from razz_env.rules.house_rules import RulesLike
from razz_env.rules.setup import StacksLike, check_seed, fresh_seed
from razz_env.rules.terms import NUM_ACTIONS

Infos = list[dict[str, Any]]
Steps = tuple[Floats, Floats, NDArray[np.bool_], Infos]


class TablesVecEnv(VecEnv):
    """What tables in one batch have in common as a `VecEnv`: they are rows and no objects."""

    def __init__(self, num_tables: int, layout: ObservationSpec) -> None:
        """So many tables with observations of this layout, float32[D], and `Discrete(7)`."""
        self._tables = np.arange(num_tables)
        self._pending_seed: int | None = None
        space = Box(layout.low, layout.high, dtype=np.float32)
        super().__init__(num_tables, space, Discrete(NUM_ACTIONS))

    @abstractmethod
    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of the seats to act, bool[N, 7]."""

    def close(self) -> None:
        """Nothing is held open."""

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """One seed for all tables, used at the next `reset`; None draws one."""
        self._pending_seed = fresh_seed() if seed is None else check_seed(seed)
        return [self._pending_seed] * self.num_envs

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the environment, once for each of the tables."""
        if attr_name == "render_mode":
            return [None] * len(self._rows(indices))
        return [getattr(self, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: tables have no attributes of their own."""
        raise AttributeError(f"Tables share everything; {attr_name!r} cannot be set for some.")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """`env_method("action_masks")`: the masks of some tables, a list of bool[7].

        Raises:
            AttributeError: any other method; tables are no objects.
        """
        if method_name != "action_masks":
            raise AttributeError(
                f"Tables have no method {method_name!r}, only 'action_masks': they are rows of one "
                "batch."
            )
        masks = self.action_masks()
        return list(masks if indices is None else masks[self._rows(indices)])

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No table is wrapped."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Any) -> Ints:
        return self._tables if indices is None else np.atleast_1d(self._tables[indices])


_BOOKS = {
    "finished_hands": int,
    "finished_big_bets": float,
    "skipped_hands": int,
    "skipped_big_bets": float,
}
"""What is counted since the last `reset`, and in which type."""


class RazzVecEnv(Saved, TablesVecEnv):
    """N tables, each with one seat that learns; opponents play inside `step`. A hand is an episode.

    Learner: seat (table + hand index) % players, so it moves on by one seat with every hand. All
    other seats are played by opponents drawn for every hand and seat from a weighted list. They act
    in batches: in each pass an opponent is asked once for all tables that wait for it.

    Observation: float32[N, D], laid out as `razz_env.observation.spec(num_players, observation)`
    tells. Action: `Discrete(7)`, the numbers of `razz_env.Action`; an illegal one raises
    `IllegalAction`, and no table is moved. Masks: `action_masks()` bool[N, 7], which is also what
    `sb3_contrib`'s `get_action_masks` finds.

    Reward: 0 until the hand ends, then the learner's own net result in units of
    `big_bets_per_reward` big bets, in the step of its own last decision, whoever acts last. Hands
    in which the learner has no decision are no episodes: they are booked in `skipped_hands` and
    `skipped_big_bets`, never credited to another decision. `finished_hands` and
    `finished_big_bets` are the same for the episodes.

    Infos: `terminal_observation` float32[D], what the learner sees of the ended hand, where a hand
    has ended. All other tables share one empty dict.

    Seeds: under seed s table t's hand i is `Hand.deal(seed=s, table=t, index=i)`; which opponents
    sit where and what they do repeats from the same seed. Global random generators are not touched.
    """

    _magic = b"RAZZVECENV2"

    def __init__(
        self,
        num_tables: int = 512,
        num_players: int = 2,
        opponents: Sequence[Agent | str] = ("caller",),
        weights: ArrayLike | None = None,
        rules: RulesLike = "full_tilt",
        stacks: StacksLike = 500,
        seed: int | None = None,
        observation: str = "features",
        big_bets_per_reward: float = 1.0,
    ) -> None:
        """Tables at which no hand is dealt before `reset`.

        Args:
            num_tables: N.
            num_players: seats of every table, 2 to 8.
            opponents: agents or their names; see `set_opponents`.
            weights: float[len(opponents)], how often each is drawn; None for equally often.
            rules: preset name, mapping or HouseRules.
            stacks: chips of every seat at the start of every hand, or one number for each.
            seed: of the first `reset`; None draws one.
            observation: "features" or "infostate".
            big_bets_per_reward: big bets that a reward of 1 stands for. Learners like rewards of
                about unit size: see `agents.training`.

        Raises:
            ValueError: anything out of range, an unknown opponent, or stacks with which no hand has
                a decision.
        """
        if not 0 < big_bets_per_reward < np.inf:
            raise ValueError(
                f"big_bets_per_reward={big_bets_per_reward} must be a finite number above 0."
            )
        first_seed = fresh_seed() if seed is None else check_seed(seed)
        batch = batch_for_learners(num_tables, num_players, rules, stacks, observation, first_seed)
        every_table = np.arange(batch.num_tables)
        self._seats = LearningSeats(
            batch, (), self._sit_down, every_table, batch.rules.big_bet, deals_on=True
        )
        self._batch = batch
        self._big_bets_per_reward = float(big_bets_per_reward)
        self._scale = np.float32(1 / big_bets_per_reward)
        self._actions: NDArray[Any] | None = None
        self._draws = np.random.default_rng(0)  # a stream's own from the first reset on
        self.set_opponents(opponents, weights)
        self._clear_books()
        super().__init__(batch.num_tables, self._seats.layout)
        self._pending_seed = first_seed

    @property
    def batch(self) -> TableBatch:
        """The tables, hidden cards included: for tests and tools, not for the learner."""
        return self._batch

    @property
    def learners(self) -> Ints:
        """The learner's seat at every table, int64[N]."""
        return self._seats.learners.copy()

    @property
    def opponents(self) -> list[list[str]]:
        """Names of the players in the hands now dealt, by table and seat; "" for the learner."""
        seats = self._seats
        names = [[seats.agents[k].name for k in row] for row in seats.opponent_of]
        for table, seat in enumerate(seats.learners):
            names[table][seat] = ""
        return names

    def set_opponents(
        self, opponents: Sequence[Agent | str], weights: ArrayLike | None = None
    ) -> None:
        """Draw the opponents of all hands dealt from now on from this list.

        Hands in play go on with the opponents that they began with.

        Args:
            opponents: at least one agent or name.
            weights: float[len(opponents)], how often each is drawn; None for equally often.

        Raises:
            ValueError: no opponents, an unknown one, one of tables of another size, or weights
                that do not fit.
        """
        agents, chances = weighted_opponents(opponents, weights)
        check_players_fit(agents, self._batch.num_players)
        self._first_drawn = self._seats.replace_agents(agents)
        self._chance_up_to = np.cumsum(chances)[:-1]

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions at every table, bool[N, 7].

        Raises:
            RuntimeError: before the first `reset`, or after an opponent's illegal answer.
        """
        self._require_turn()
        return self._batch.action_masks.astype(np.bool_)

    def reset(self) -> Floats:
        """Deal a new hand at every table and play up to the learner's first decisions.

        After `seed(s)`, or the first time, it is hand 0 of that seed, else the next hand of each
        table; hands in play are given up. The books of hands start anew.

        Returns:
            float32[N, D].
        """
        self._seats.start_books()
        if self._pending_seed is not None:
            self._start_stream(self._pending_seed)
            self._pending_seed = None
        else:
            self._seats.deal_next(self._tables)
        self._clear_books()
        self._actions = None
        self._play_on()
        return self._batch.observations.copy()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the learner's actions, int[N]; `step_wait` plays them."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> Steps:
        """Play the learner's actions and the opponents' up to the learner's next decisions.

        Returns:
            observations float32[N, D], rewards float32[N], dones bool[N], infos.

        Raises:
            razz_env.IllegalAction: naming table, seat, street and action; no table is moved.
            OpponentError: an opponent failed; only `reset` goes on then.
            RuntimeError: there are no actions to play.
        """
        self._require_turn()
        if self._actions is None:
            raise RuntimeError("There are no actions to play: call step(actions).")
        actions, self._actions = self._actions, None
        self._seats.start_books()
        self._seats.act(actions)
        self._play_on()
        seats = self._seats
        rewards = seats.returns.astype(np.float32) * self._scale
        return self._batch.observations.copy(), rewards, seats.ended.copy(), self._infos()

    def _made_with(self) -> State:
        batch = self._batch
        stacks = batch.hands[0].public.starting_stack[: batch.num_players]
        return table_facts(batch.num_players, batch.rules, stacks) | {
            "num_tables": self.num_envs,
            "big_bets_per_reward": self._big_bets_per_reward,
            "observation": self._seats.layout.mode,
        }

    def _state(self) -> State:
        return self._seats.state() | {
            "pending_seed": self._pending_seed,
            "opponent_draws": generator_state(self._draws),
            "first_drawn": self._first_drawn,
            "chance_up_to": self._chance_up_to,
            "books": {name: getattr(self, name) for name in _BOOKS},
        }

    def _put_back(self, state: State) -> None:
        first, up_to = state["first_drawn"], state["chance_up_to"]
        if (
            up_to.ndim != 1
            or up_to.dtype != np.float64
            or not is_whole(first)
            or not 0 <= first < len(state["agents"]) - len(up_to)
        ):
            raise ValueError("The saved state draws opponents that it does not have.")
        pending, draws = state["pending_seed"], generator_of(state["opponent_draws"])
        pending = None if pending is None else check_seed(pending)
        books = {name: state["books"][name] for name in _BOOKS}
        if not all(isinstance(books[name], kind) for name, kind in _BOOKS.items()):
            raise ValueError(f"The saved state counts its hands as {books}: load what it gave.")
        self._seats.put_back(state)
        self._pending_seed, self._first_drawn, self._chance_up_to = pending, first, up_to
        self._draws, self._actions = draws, None
        for name, value in books.items():
            setattr(self, name, value)

    def _clear_books(self) -> None:
        self.finished_hands = 0
        self.finished_big_bets = 0.0
        self.skipped_hands = 0
        self.skipped_big_bets = 0.0

    def _start_stream(self, seed: int) -> None:
        """Hand 0 of a seed; opponents are drawn and draw from two streams of the same seed."""
        draws, plays = np.random.SeedSequence(seed).spawn(2)
        self._draws = np.random.default_rng(draws)
        self._seats.start_stream(np.random.default_rng(plays))
        self._batch.hands["seed"] = seed
        self._seats.deal(self._tables, np.zeros_like(self._tables))

    def _sit_down(self, tables: Ints, indices: Ints) -> tuple[Ints, Ints]:
        """Place the learners and draw the opponents, for `LearningSeats`."""
        players = self._batch.num_players
        chances = self._draws.random((len(tables), players))
        drawn = np.searchsorted(self._chance_up_to, chances, side="right")
        return (tables + indices) % players, drawn + self._first_drawn

    def _play_on(self) -> None:
        """Play up to the learner's next decisions, and book what has ended."""
        seats = self._seats
        seats.play_on()
        self.finished_hands += int(np.count_nonzero(seats.ended))
        self.finished_big_bets += float(seats.returns.sum())
        self.skipped_hands += int(seats.skipped_hands.sum())
        self.skipped_big_bets += float(seats.skipped_returns.sum())

    def _infos(self) -> Infos:
        nothing: dict[str, Any] = {}
        infos = [nothing] * self.num_envs
        ended = np.flatnonzero(self._seats.ended)
        for table, look in zip(ended.tolist(), self._seats.last_look[ended], strict=True):
            infos[table] = {"terminal_observation": look}
        return infos

    def _require_turn(self) -> None:
        if not self._seats.is_ready:
            raise RuntimeError("The learner is not to act at every table: call reset() first.")


def weighted_opponents(
    opponents: Sequence[Agent | str], weights: ArrayLike | None
) -> tuple[list[Agent], NDArray[np.float64]]:
    """Opponents as agents, and their weights as chances that sum to 1.

    Raises:
        ValueError: no opponents, an unknown one, or weights that do not fit.
    """
    if isinstance(opponents, str) or not len(opponents):
        raise ValueError(f"opponents must be a list of names or agents, not {opponents!r}.")
    chances = _as_chances(weights, len(opponents))
    return [resolve_agent(opponent) for opponent in opponents], chances


def _as_chances(weights: ArrayLike | None, count: int) -> NDArray[np.float64]:
    """Weights as chances that sum to 1."""
    given = np.ones(count) if weights is None else np.asarray(weights, np.float64)
    if given.shape != (count,):
        raise ValueError(f"{count} opponents need {count} weights, not {np.size(given)}.")
    if not np.isfinite(given).all() or (given < 0).any() or given.sum() <= 0:
        raise ValueError(f"weights must be at least 0 and not all 0, not {given.tolist()}.")
    chances: NDArray[np.float64] = given / given.sum()
    return chances
