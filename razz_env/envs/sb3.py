"""The batch of tables as a `VecEnv` of Stable-Baselines3: one learner seat at every table.

The only module of this package that imports stable_baselines3; it comes with the extra `train`.
"""

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

from razz_env._jit import kernel
from razz_env.envs.agent import Agent
from razz_env.envs.answers import BadAnswer, check_answer
from razz_env.envs.batch import TableBatch, make_batch
from razz_env.envs.opponents import OpponentError, resolve_agent
from razz_env.observation.encoding import encode_batch
from razz_env.rules.house_rules import RulesLike
from razz_env.rules.record import SEAT_VIEW, Record
from razz_env.rules.seat_view import seat_view
from razz_env.rules.setup import StacksLike, check_seed, fresh_seed
from razz_env.rules.terms import NUM_ACTIONS

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Infos = list[dict[str, Any]]
Steps = tuple[Floats, Floats, NDArray[np.bool_], Infos]


class RazzVecEnv(VecEnv):
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
        if not big_bets_per_reward > 0:
            raise ValueError(f"big_bets_per_reward={big_bets_per_reward} must be more than 0.")
        self._pending_seed: int | None = fresh_seed() if seed is None else check_seed(seed)
        self._batch = make_batch(
            num_tables,
            num_players,
            rules,
            stacks,
            self._pending_seed,
            observation=observation,
            auto_deal=False,
        )
        self._scale = np.float32(1 / big_bets_per_reward)
        self._agents: list[Agent] = []
        self._opponent_of = np.zeros((num_tables, num_players), np.int64)
        self.set_opponents(opponents, weights)
        self._tables = np.arange(num_tables)
        self._learners = np.zeros(num_tables, np.int64)
        self._has_decided = np.zeros(num_tables, np.bool_)
        self._actions: NDArray[Any] | None = None
        self._is_dealt = False
        self._clear_books()
        layout = self._batch.spec
        assert layout is not None
        self._layout = layout
        space = Box(layout.low, layout.high, dtype=np.float32)
        super().__init__(num_tables, space, Discrete(NUM_ACTIONS))

    @property
    def batch(self) -> TableBatch:
        """The tables, hidden cards included: for tests and tools, not for the learner."""
        return self._batch

    @property
    def learners(self) -> Ints:
        """The learner's seat at every table, int64[N]."""
        return self._learners.copy()

    @property
    def opponents(self) -> list[list[str]]:
        """Names of the players in the hands now dealt, by table and seat; "" for the learner."""
        names = [[self._agents[k].name for k in row] for row in self._opponent_of]
        for table, seat in enumerate(self._learners):
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
            ValueError: no opponents, an unknown one, or weights that do not fit.
        """
        if isinstance(opponents, str) or not len(opponents):
            raise ValueError(f"opponents must be a list of names or agents, not {opponents!r}.")
        chances = _as_chances(weights, len(opponents))
        fresh = [resolve_agent(opponent) for opponent in opponents]
        in_play = np.unique(self._opponent_of) if self._agents else np.zeros(0, np.int64)
        self._opponent_of = np.searchsorted(in_play, self._opponent_of)
        self._agents = [self._agents[number] for number in in_play] + fresh
        self._first_drawn = len(in_play)
        self._chance_up_to = np.cumsum(chances)[:-1]

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions at every table, bool[N, 7]."""
        return self._batch.action_masks.astype(np.bool_)

    def reset(self) -> Floats:
        """Deal a new hand at every table and play up to the learner's first decisions.

        After `seed(s)`, or the first time, it is hand 0 of that seed, else the next hand of each
        table; hands in play are given up. The books of hands start anew.

        Returns:
            float32[N, D].
        """
        if self._pending_seed is not None:
            self._start_stream(self._pending_seed)
            self._pending_seed = None
        else:
            self._deal(self._tables, self._batch.hands["index"] + 1)
        self._clear_books()
        self._is_dealt, self._actions = True, None
        self._start_step()
        self._play_opponents()
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
            OpponentError: an opponent's answer is no legal action.
            RuntimeError: there are no actions to play.
        """
        if not self._is_dealt or self._actions is None:
            raise RuntimeError("Call reset(), then step(actions).")
        actions, self._actions = self._actions, None
        self._start_step()
        nets, over = self._batch.step(actions)
        self._has_decided[:] = True
        self._finish(self._tables[over], nets[over])
        self._play_opponents()
        observations = self._batch.observations.copy()
        return observations, self._rewards, self._dones, self._infos

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
        return list(self.action_masks()[self._rows(indices)])

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """No table is wrapped."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Any) -> Ints:
        return self._tables if indices is None else np.atleast_1d(self._tables[indices])

    def _clear_books(self) -> None:
        self.finished_hands = 0
        self.finished_big_bets = 0.0
        self.skipped_hands = 0
        self.skipped_big_bets = 0.0

    def _start_stream(self, seed: int) -> None:
        """Hand 0 of a seed; opponents are drawn and draw from two streams of the same seed."""
        draws, plays = np.random.SeedSequence(seed).spawn(2)
        self._draws, self._plays = np.random.default_rng(draws), np.random.default_rng(plays)
        for agent in self._agents:
            forget = getattr(agent, "reset", None)
            if forget is not None:
                forget()
        self._batch.reset(seed)
        self._sit_down(self._tables)

    def _deal(self, tables: Ints, indices: Ints) -> None:
        self._batch.deal(tables, tables, indices)
        self._sit_down(tables)

    def _sit_down(self, tables: Ints) -> None:
        """Place the learner and draw the opponents of hands that have just been dealt."""
        players = self._batch.num_players
        self._learners[tables] = (tables + self._batch.hands["index"][tables]) % players
        drawn = np.searchsorted(
            self._chance_up_to, self._draws.random((len(tables), players)), side="right"
        )
        self._opponent_of[tables] = drawn + self._first_drawn
        self._has_decided[tables] = False

    def _start_step(self) -> None:
        nothing: dict[str, Any] = {}
        self._rewards = np.zeros(self._batch.num_tables, np.float32)
        self._dones = np.zeros(self._batch.num_tables, np.bool_)
        self._infos: Infos = [nothing] * self._batch.num_tables

    def _play_opponents(self) -> None:
        """Pass after pass, until the learner is to act at every table."""
        batch = self._batch
        while len(waiting := np.flatnonzero(batch.actors != self._learners)):
            nets, over = batch.step(self._ask(waiting), waiting)
            self._finish(waiting[over], nets[over])

    def _ask(self, waiting: Ints) -> Ints:
        """Actions int64[K] of the opponents to act at the tables int64[K]."""
        batch = self._batch
        opponents = self._opponent_of[waiting, batch.actors[waiting]]
        actions = np.empty(len(waiting), np.int64)
        for number in np.flatnonzero(np.bincount(opponents)):
            theirs = np.flatnonzero(opponents == number)
            rows = waiting[theirs]
            agent, masks = self._agents[number], batch.action_masks[rows]
            answer = agent.act(batch.views[rows], batch.observations[rows], masks, self._plays)
            actions[theirs] = self._checked(agent, answer, rows)
        return actions

    def _checked(self, agent: Agent, answer: Any, rows: Ints) -> Ints:
        """An opponent's answer, if it is a legal action for each of the tables."""
        batch = self._batch
        try:
            return check_answer(answer, batch.action_masks[rows], lambda k: batch.hand(rows[k]))
        except BadAnswer as bad:
            raise OpponentError(
                f"At table {rows[bad.place]} the opponent {agent.name!r} {bad}."
            ) from None

    def _finish(self, tables: Ints, nets: Floats) -> None:
        """Pay the learners of hands that are over, and deal the next.

        Args:
            tables: int64[K].
            nets: float32[K, P], net big bets of every seat.
        """
        if not len(tables):
            return
        own = nets[np.arange(len(tables)), self._learners[tables]]
        is_episode = self._has_decided[tables]
        self._book(own, is_episode)
        ended = tables[is_episode]
        self._rewards[ended] = own[is_episode] * self._scale
        self._dones[ended] = True
        for table, observation in zip(ended.tolist(), self._last_look(ended), strict=True):
            self._infos[table] = {"terminal_observation": observation}
        self._deal(tables, self._batch.hands["index"][tables] + 1)

    def _book(self, big_bets: Floats, is_episode: NDArray[np.bool_]) -> None:
        finished = int(is_episode.sum())
        won = float(big_bets[is_episode].sum(dtype=np.float64))
        self.finished_hands += finished
        self.finished_big_bets += won
        self.skipped_hands += len(big_bets) - finished
        self.skipped_big_bets += float(big_bets.sum(dtype=np.float64)) - won

    def _last_look(self, tables: Ints) -> Floats:
        """What the learners see of hands that are over, float32[K, D]."""
        views = np.zeros(len(tables), SEAT_VIEW)
        _views_of(self._batch.hands, tables, self._learners, views)
        return encode_batch(views, self._layout)


def _as_chances(weights: ArrayLike | None, count: int) -> NDArray[np.float64]:
    """Weights as chances that sum to 1."""
    given = np.ones(count) if weights is None else np.asarray(weights, np.float64)
    if given.shape != (count,):
        raise ValueError(f"{count} opponents need {count} weights, not {np.size(given)}.")
    if not np.isfinite(given).all() or (given < 0).any() or given.sum() <= 0:
        raise ValueError(f"weights must be at least 0 and not all 0, not {given.tolist()}.")
    chances: NDArray[np.float64] = given / given.sum()
    return chances


@kernel
def _views_of(hands: Record, tables: Ints, seats: Ints, views: Record) -> None:
    """The view of one chosen seat (`seats` int64[N]) at each of K tables."""
    for place in range(len(tables)):
        seat_view(hands[tables[place]], seats[tables[place]], views[place])
