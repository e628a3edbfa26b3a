"""The Gymnasium environment of one learning seat as a vector: N tables in one batch."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from razz_env.envs.agent import Agent, check_players_fit
from razz_env.envs.batch import TableBatch
from razz_env.envs.dealing import deal_options
from razz_env.envs.learning_seats import LearningSeats, batch_for_learners
from razz_env.envs.opponents import resolve_agent
from razz_env.envs.pictures import seat_pixels
from razz_env.envs.saving import Saved, State, require_like, table_facts
from razz_env.envs.seat_options import (
    TIME_IS_UP,
    check_illegal_action,
    check_opponents,
    check_seat,
    check_stacks,
)
from razz_env.envs.tables import Flags, Floats, Ints
from razz_env.envs.units import RENDER_FPS, check_render_mode, chips_per_reward
from razz_env.envs.vector_reset import Deals, Seeds, plan_deals
from razz_env.render.ansi import seat_text
from razz_env.rules.checks import is_whole
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import RulesLike, as_house_rules, nearest
from razz_env.rules.setup import StacksLike
from razz_env.rules.terms import NUM_ACTIONS

Rewards = NDArray[np.float64]
Infos: TypeAlias = dict[str, Any]

_RENDER_MODES = {
    "human": "prints the tables",
    "ansi": "returns a text for each",
    "rgb_array": "returns pixels for each",
}


class RazzVectorEnv(Saved, VectorEnv[Floats, NDArray[Any], NDArray[Any]]):
    """N tables, each with one seat that learns; opponents play inside `step`. A hand is an episode.

    It is what `gymnasium.make_vec("razz_env/Razz-v0", num_envs=64, opponents=[...])` makes. It does
    what a `SyncVectorEnv` of N `RazzSeatEnv` with the same options does, only that all tables are
    rows of one batch: opponents are asked once for all tables that wait for them. Environment i is
    table i, under which errors name it.

    Observation: float32[N, D]; action: int[N]; reward float64[N]; all as `RazzSeatEnv` has them for
    one table. Masks: `infos["action_mask"]` int8[N, 7], zeros where a hand is over, and
    `action_masks()` bool[N, 7]. An illegal action raises `IllegalAction` and no table is moved,
    unless `illegal_action` is "check_or_fold".

    Infos: those of `RazzSeatEnv` as arrays, each with a mask bool[N] under the same name with "_"
    before it that tells which environments gave one: "action_mask"; where a hand was dealt
    "skipped_hands" int64[N] and "skipped_return" float64[N]; "illegal_action" bool[N] where one was
    played under "check_or_fold"; and with `SAME_STEP` "final_obs" object[N] and "final_info".

    Autoreset: what becomes of a table whose hand is over. `NEXT_STEP`: the next step deals there,
    whatever its action. `SAME_STEP`: the next hand is dealt at once, and the end of the last is in
    "final_obs" and "final_info". `DISABLED`: it waits for `reset(options={"reset_mask": ...})`.

    Seeds: `reset(seed=s)` starts stream s + i in environment i, whose hands are
    `Hand.deal(seed=s + i, index=0, 1, ...)`, whatever N and the other tables. Opponents draw from
    one generator for all tables, which depends on all seeds; it starts anew, and opponents forget,
    when all environments start a stream. So everything repeats from the same seeds, and equals a
    `SyncVectorEnv` bit for bit where opponents draw nothing and remember nothing.
    Global random generators are not touched.
    """

    _magic = b"RAZZVECTOR2"
    metadata = {"render_modes": list(_RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[Agent | str] = ("caller",),
        rules: RulesLike = "full_tilt",
        stacks: StacksLike = 500,
        seat: int | None = None,
        observation: str = "features",
        reward_unit: str = "big_bets",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """N tables of 1 + len(opponents) players at which no hand is dealt yet.

        `num_envs` is N, at least 1; `autoreset_mode` says what becomes of a table whose hand is
        over, see above. All else is as for `RazzSeatEnv`, the same at every table. Opponents with
        the same name are one agent; `render` in modes "ansi" and "rgb_array" returns a text or a
        picture for every table.

        Raises:
            ValueError, TypeError: as `RazzSeatEnv`, an impossible `num_envs`, or an unknown
                `autoreset_mode`.
        """
        agents, self._clockwise = _at_table(opponents)
        self._num_players = len(self._clockwise)
        self._rules = as_house_rules(rules)
        self._stacks = check_stacks(stacks, self._num_players, self._rules)
        self._fixed_seat = check_seat(seat, self._num_players)
        self._reward_unit = reward_unit
        self._illegal_action = check_illegal_action(illegal_action)
        self.render_mode = check_render_mode(render_mode, _RENDER_MODES)
        self._mode = _as_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._seats = LearningSeats(
            self._make_batch(num_envs, observation),
            agents,
            self._sit_down,
            np.zeros(num_envs, np.int64),
            chips_per_reward(reward_unit, self._rules),
            deals_on=self._mode == AutoresetMode.SAME_STEP,
        )
        self.num_envs = num_envs = self.batch.num_tables
        self._waits = np.zeros(num_envs, np.bool_)
        self._is_dealt = False
        layout = self._seats.layout
        self.single_observation_space = Box(layout.low, layout.high, dtype=np.float32)
        self.single_action_space = Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def batch(self) -> TableBatch:
        """The tables, hidden cards included: for spectators and tools, not for the learner."""
        return self._seats.batch

    @property
    def learners(self) -> Ints:
        """The learner's seat at every table, int64[N]."""
        return self._seats.learners.copy()

    def action_masks(self) -> Flags:
        """The learner's legal actions at every table, bool[N, 7]; none where a hand is over.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`, or after an opponent's illegal
                answer.
        """
        self._require_turn()
        return self.batch.action_masks.astype(np.bool_)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, Infos]:
        """Deal the next hand in which the learner has a decision, at all tables or some of them.

        Args:
            seed: s starts stream s + i in environment i; or a list of N, where None goes on to the
                next hand of the stream, as None for all does.
            options: "reset_mask" bool[N], the environments to reset; "deck" and "stacks" as for
                `RazzSeatEnv`, the same at all of them.

        Returns:
            Observations float32[N, D], and the infos of the environments that were reset.

        Raises:
            ValueError, TypeError: a seed, mask, deck or stacks out of range; the hands in play go
                on.
            gymnasium.error.ResetNeeded: only some tables, before the first `reset` of all.
            OpponentError: an opponent failed; `reset` of all deals the next hands.
            gymnasium.error.ClosedEnvironmentError: after `close`, as from `step` and `render`.
        """
        self._require_open()
        hands = self.batch.hands
        deals = plan_deals(seed, options, hands["seed"], hands["index"], self._is_dealt)
        if len(deals.tables) < self.num_envs:
            self._require_turn()
        given = self._given_hands(deals)
        if isinstance(seed, int):
            super().reset(seed=seed)
        self._deal(deals, given)
        self._waits[deals.tables] = False
        is_reset = np.zeros(self.num_envs, np.bool_)
        is_reset[deals.tables] = True
        infos: Infos = {}
        _tell(infos, "action_mask", self.batch.action_masks * is_reset[:, np.newaxis], is_reset)
        self._tell_skipped(infos, is_reset)
        return self._observe(), infos

    def step(self, actions: NDArray[Any]) -> tuple[Floats, Rewards, Flags, Flags, Infos]:
        """Play the learner's actions and the opponents' up to the learner's next decisions.

        Args:
            actions: int[N]; those of tables that are dealt in this step are not looked at.

        Returns:
            observations float32[N, D], rewards float64[N], terminations bool[N], truncations
            bool[N], all False, and infos.

        Raises:
            razz_env.IllegalAction: naming table, seat, street and action; no table is moved.
            ValueError: actions of another shape or type; no table is moved.
            OpponentError: an opponent failed; only `reset` of all goes on then.
            gymnasium.error.ResetNeeded: before `reset`, or where a table waits for one.
        """
        seats, dealt = self._seats, self._waits
        self._require_turn()
        self._refuse_waiting()
        chosen, is_illegal = self._look_at(actions)
        seats.start_books()
        playing = np.flatnonzero(~dealt)
        seats.act(chosen[playing], playing if dealt.any() else None)
        if dealt.any():
            seats.deal_next(np.flatnonzero(dealt))
        seats.play_on()
        ended = seats.ended.copy()
        if self._mode == AutoresetMode.SAME_STEP:
            infos = self._infos(ended, ~ended, is_illegal)
            self._tell_ends(infos, ended, is_illegal)
        else:
            infos = self._infos(dealt, ~dealt, is_illegal)
            self._waits = ended.copy()
        if self.render_mode == "human":
            self.render()
        never = np.zeros(self.num_envs, np.bool_)
        return self._observe(), seats.returns.copy(), ended, never, infos

    def render(self) -> tuple[str, ...] | tuple[NDArray[np.uint8], ...] | None:
        """The tables as the learners see them: texts in mode "ansi", printed in "human".

        In mode "rgb_array" they are pixels uint8[height, width, 3].
        """
        if self.render_mode is None:
            return None
        self._require_turn()
        learners = self._seats.learners.tolist()
        views = (self.batch.hand(table).view(seat) for table, seat in enumerate(learners))
        if self.render_mode == "rgb_array":
            return tuple(seat_pixels(view) for view in views)
        texts = tuple(map(seat_text, views))
        if self.render_mode == "ansi":
            return texts
        print("\n\n".join(texts))
        return None

    def _made_with(self) -> State:
        """Seats of the opponents and what becomes of ended hands matter for what is noted."""
        return table_facts(self._num_players, self._rules, self._stacks) | {
            "num_envs": self.num_envs,
            "seat": self._fixed_seat,
            "reward_unit": self._reward_unit,
            "observation": self._seats.layout.mode,
            "autoreset_mode": self._mode.value,
            "clockwise": self._clockwise.tolist(),
        }

    def _state(self) -> State:
        return self._seats.state() | {"waits": self._waits, "is_dealt": self._is_dealt}

    def _put_back(self, state: State) -> None:
        require_like("waits", state["waits"], self._waits)
        is_dealt = bool(state["is_dealt"])
        self._seats.put_back(state)
        self._waits, self._is_dealt = state["waits"], is_dealt

    def _make_batch(self, num_envs: int, observation: str) -> TableBatch:
        if not is_whole(num_envs) or num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r} must be a whole number of at least 1.")
        return batch_for_learners(
            num_envs, self._num_players, self._rules, self._stacks, observation
        )

    def _sit_down(self, tables: Ints, indices: Ints) -> tuple[Ints, Ints]:
        """Seat learners and opponents with their stacks, for `LearningSeats`."""
        players = self._num_players
        learners = self._learner_at(indices)
        away = (np.arange(players) - learners[:, np.newaxis]) % players
        stacks = np.broadcast_to(self._stacks, players)
        self.batch.hands["public"]["starting_stack"][tables, :players] = stacks[away]
        return learners, self._clockwise[away]

    def _learner_at(self, indices: Ints) -> Ints:
        """The learner's seats int64[K] in hands of these numbers."""
        if self._fixed_seat is not None:
            return np.full(len(indices), self._fixed_seat)
        return indices % self._num_players

    def _given_hands(self, deals: Deals) -> list[Hand]:
        """The hands to deal, where the options give deck or stacks; otherwise none."""
        chosen = deal_options(deals.options, self._stacks, strict=True)
        if not deals.options:
            return []
        stacks, hands = chosen["stacks"], []
        places = zip(deals.seeds, deals.indices, self._learner_at(deals.indices), strict=True)
        for seed, index, seat in places:
            chosen["stacks"] = np.roll(stacks, seat) if np.ndim(stacks) else stacks
            hand = Hand.deal(
                self._num_players, self._rules, seed=int(seed), index=int(index), **chosen
            )
            hands.append(hand)
        return hands

    def _deal(self, deals: Deals, given: list[Hand]) -> None:
        """Deal up to the learners' first decisions."""
        seats, tables = self._seats, deals.tables
        if deals.is_start:
            streams = np.random.SeedSequence(deals.seeds.tolist())
            seats.start_stream(np.random.default_rng(streams))
            self._is_dealt = True
        seats.start_books()
        self.batch.hands["seed"][tables] = deals.seeds
        seats.deal(tables, deals.indices)
        if given:
            for table, hand in zip(tables.tolist(), given, strict=True):
                self.batch.hands[table] = hand.record
            self.batch.refresh()
            seats.finish(
                np.array([t for t, hand in zip(tables, given, strict=True) if hand.is_over])
            )
        seats.play_on()

    def _require_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("The tables are closed: make them anew to play on.")

    def _require_turn(self) -> None:
        self._require_open()
        if not self._seats.is_ready:
            raise ResetNeeded("The learners are not to act: call reset() first.")

    def _refuse_waiting(self) -> None:
        if self._mode == AutoresetMode.DISABLED and self._waits.any():
            raise ResetNeeded(
                f"The hands of the environments {np.flatnonzero(self._waits).tolist()} are over: "
                "call reset(options={'reset_mask': terminations}) first."
            )

    def _look_at(self, actions: NDArray[Any]) -> tuple[NDArray[Any], Flags]:
        """The actions to play, int[N], and which were illegal under "check_or_fold", bool[N]."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"step wants {self.num_envs} whole-number actions, not {chosen.dtype} of shape "
                f"{chosen.shape}."
            )
        if self._illegal_action == "raise":
            return chosen, np.zeros(self.num_envs, np.bool_)
        masks, rows = self.batch.action_masks, np.arange(self.num_envs)
        is_action = (chosen >= 0) & (chosen < NUM_ACTIONS)
        is_legal = masks[rows, np.where(is_action, chosen, 0)] == 1
        is_illegal = is_action & ~is_legal & ~self._waits
        instead = np.array(TIME_IS_UP)[masks[:, TIME_IS_UP].argmax(axis=1)]
        return np.where(is_illegal, instead, chosen), is_illegal

    def _observe(self) -> Floats:
        observations = self.batch.observations.copy()
        if self._waits.any():
            observations[self._waits] = self._seats.last_look[self._waits]
        return observations

    def _infos(self, dealt: Flags, stepped: Flags, is_illegal: Flags) -> Infos:
        """Infos of a step in which some tables were dealt and the others told of a step."""
        infos: Infos = {}
        _tell(infos, "action_mask", self.batch.action_masks.copy(), np.ones_like(dealt))
        self._tell_skipped(infos, dealt)
        if self._illegal_action == "check_or_fold":
            _tell(infos, "illegal_action", is_illegal & stepped, stepped)
        return infos

    def _tell_skipped(self, infos: Infos, dealt: Flags) -> None:
        seats = self._seats
        _tell(infos, "skipped_hands", seats.skipped_hands.copy(), dealt)
        _tell(infos, "skipped_return", seats.skipped_returns.copy(), dealt)

    def _tell_ends(self, infos: Infos, ended: Flags, is_illegal: Flags) -> None:
        """What `SAME_STEP` tells of the hands that have ended."""
        tables = np.flatnonzero(ended)
        looks = np.full(self.num_envs, None, dtype=object)
        for table, look in zip(tables.tolist(), self._seats.last_look[tables], strict=True):
            looks[table] = look
        final: Infos = {}
        _tell(final, "action_mask", np.zeros((self.num_envs, NUM_ACTIONS), np.int8), ended)
        if self._illegal_action == "check_or_fold":
            _tell(final, "illegal_action", is_illegal & ended, ended)
        _tell(infos, "final_obs", looks, ended)
        _tell(infos, "final_info", final, ended)


def _as_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The mode itself; its name or its value stand for it.

    Raises:
        ValueError: no mode.
    """
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    names = [known.name for known in AutoresetMode]
    raise ValueError(f"There is no autoreset_mode {mode!r}{nearest(mode, names)}.")


def _at_table(opponents: Sequence[Agent | str]) -> tuple[list[Agent], Ints]:
    """The different opponents; and int64[P] which of them sits so many seats from the learner."""
    numbers: dict[str | int, int] = {}
    agents: list[Agent] = []
    clockwise = [0]
    for given in check_opponents(opponents):
        key = given if isinstance(given, str) else id(given)
        if key not in numbers:
            numbers[key] = len(agents)
            agents.append(resolve_agent(given))
        clockwise.append(numbers[key])
    check_players_fit(agents, len(clockwise))
    return agents, np.array(clockwise)


def _tell(infos: Infos, key: str, values: Any, where: Flags) -> None:
    """Give some environments an info; where none has one, there is no such key."""
    if where.any():
        infos[key], infos[f"_{key}"] = values, where.copy()
