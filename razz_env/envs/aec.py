"""The PettingZoo environment: one table, every seat an agent, one hand an episode."""

import copy
from types import UnionType
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from razz_env.envs.dealing import OneTable, Place, deal_options, hand_and_place, next_place
from razz_env.envs.desk import OVER, Desk, Observation
from razz_env.envs.guard import GuardedTable
from razz_env.envs.saving import Saved, State, table_facts
from razz_env.envs.state import state_space, state_vector
from razz_env.envs.units import RENDER_FPS, RENDER_MODES, check_render_mode, chips_per_reward
from razz_env.observation.spec import ObservationSpec, spec
from razz_env.render.ansi import hand_text, seat_text
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import RulesLike, as_house_rules
from razz_env.rules.setup import StacksLike, blank_hands
from razz_env.rules.terms import NUM_ACTIONS

if TYPE_CHECKING:
    from razz_env.render.scene import Scene

_BY_AGENT: dict[str, type | UnionType] = {
    "rewards": int | float,
    "_cumulative_rewards": int | float,
    "terminations": bool,
    "truncations": bool,
    "infos": dict,
}
"""What PettingZoo keeps of every agent of a hand in play, and of which type it is."""

_TURN = ("agents", *_BY_AGENT, "agent_selection", "_skip_agent_selection")
"""All that it keeps."""


class raw_env(OneTable, Saved, AECEnv[str, Observation, int | None]):  # noqa: N801 - PettingZoo's own name for it
    """One table of Razz: the agents are its seats, one hand is an episode.

    Agents: `player_0` .. `player_{n-1}`, clockwise from the left of the fixed button.

    Observation: `{"observation": float32[D], "action_mask": int8[7]}`. The vector is laid out as
    `razz_env.observation.spec(num_players, observation)` tells, in seats relative to the observer.
    The mask is all zeros for every seat but the one to act. `observe(agent)` answers for every
    seat at any time, also after folds and after the end, and shows only what that seat may know.

    Action: `Discrete(7)`, the numbers of `razz_env.Action`: FOLD 0, CHECK 1, CALL 2, BRING_IN 3,
    COMPLETE 4, BET 5, RAISE 6. The rules fix every amount.

    Reward: 0 until the hand ends, then each seat's net result, in big bets (chips / big bet) or in
    chips. The rewards of a hand sum to zero; each is delivered once, by `last()`.

    Termination: all agents together when the hand is over; nothing is ever truncated. A seat that
    has folded is not selected again and gets its loss with the others. A hand without any
    decision, such as one with a seat all-in for the ante against one other, is over in `reset()`.

    Seeds: `reset(seed=s)` deals `Hand.deal(seed=s)`, the first hand of stream s; every
    `reset()` after it the next one, `index` 1, 2, ... An environment that was never seeded draws a
    seed. Global random generators are neither used nor touched.

    `copy.deepcopy`, `pickle`, `clone()` and `to_bytes` with `load_bytes` work in the middle of a
    hand.

    Version history of the id `razz_env/razz-v0`: v0, the first.
    """

    _magic = b"RAZZAEC2"
    metadata = {
        "name": "razz_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        num_players: int = 6,
        rules: RulesLike = "full_tilt",
        stacks: StacksLike = 500,
        reward_unit: str = "big_bets",
        observation: str = "features",
        render_mode: str | None = None,
        open_cards: bool = False,
    ) -> None:
        """A table at which no hand is dealt yet; `reset` deals one.

        Args:
            num_players: 2 to 8 seats.
            rules: preset name, mapping or HouseRules.
            stacks: chips of every seat at the start of every hand, or one number for each.
            reward_unit: "big_bets" or "chips".
            observation: "features", or "infostate" with the ordered log of actions.
            render_mode: None; "rgb_array" (`render` returns pixels uint8[700, 800, 3]) or "human"
                (shows them in a window), the table as spectators see it; or "ansi" (returns text,
                the table as the selected agent sees it).
            open_cards: show spectators, in every mode, all cards that have been dealt. By default
                they see no down card before the showdown.

        Raises:
            ValueError: anything out of range, named with its value.
        """
        super().__init__()
        self._rules = as_house_rules(rules)
        self._blank = Hand(blank_hands(1, num_players, self._rules, stacks))
        self._stacks = np.array(stacks)
        self._desk = Desk(num_players, observation)
        self._reward_unit = reward_unit
        self._chips_per_reward = chips_per_reward(reward_unit, self._rules)
        self.render_mode = check_render_mode(render_mode)
        self._open_cards = open_cards
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self.agents: list[str] = []
        self.action_spaces: dict[str, Space[Any]] = {
            agent: Discrete(NUM_ACTIONS) for agent in self.possible_agents
        }
        self.observation_spaces: dict[str, Space[Any]] = {
            agent: _seat_space(spec(num_players, observation)) for agent in self.possible_agents
        }
        self.state_space = state_space()
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    @property
    def largest_loss(self) -> float:
        """The most that a seat can lose in this hand: its largest stack, in reward units."""
        hand = self._blank if self._hand is None else self._hand
        return int(hand.starting_stacks.max()) / self._chips_per_reward

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """`Discrete(7)`, the same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand.

        Args:
            seed: start stream `seed`; None goes on to the next hand of the stream.
            options: "deck" (52 cards in dealing order) and "stacks" for this hand alone. Other
                keys are ignored, because PettingZoo's own tests pass some.

        Raises:
            ValueError: a seed, deck or stacks out of range; the hand in play goes on.
        """
        place = next_place(self._place, seed)
        hand, seat = self._deal(place, options)
        self._hand = hand
        self._place = place
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]  # typed str, None at PettingZoo
        self._pass_turn(seat)
        if self.render_mode == "human":
            self.render()

    def _deal(self, place: Place, options: dict[str, Any] | None) -> tuple[Hand, int]:
        """A new hand and its seat to act, or OVER."""
        if options is not None:
            chosen = deal_options(options, self._stacks)
            seats = len(self.possible_agents)
            hand = Hand.deal(seats, self._rules, seed=place.seed, index=place.index, **chosen)
            return hand, OVER if hand.actor is None else hand.actor
        hand = self._blank.clone()
        return hand, self._desk.deal(hand, place.seed, place.index)

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None for an agent that is terminated.

        Raises:
            razz_env.IllegalAction: naming seat, street, action and the legal ones; the environment
                is untouched.
            ValueError: an action other than None of a terminated agent.
            gymnasium.error.ResetNeeded: when no agents are left, or before the first `reset`.
        """
        hand = self.hand
        if not self.agents:
            raise ResetNeeded("The hand is over and all agents are gone: call reset().")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        seat = self._desk.play(hand, action)
        self._cumulative_rewards[agent] = 0.0  # `rewards` are 0 until the end, none to clear
        self._pass_turn(seat)
        if self.render_mode == "human":
            self.render()

    def _pass_turn(self, seat: int) -> None:
        """Select the seat to act, or pay everyone and terminate."""
        if seat != OVER:
            self.agent_selection = self.possible_agents[seat]
            return
        self.agent_selection = self.possible_agents[0]
        self.terminations = dict.fromkeys(self.agents, True)
        net_chips = self._desk.net_chips(self.hand)
        for agent, chips in zip(self.possible_agents, net_chips, strict=True):
            self.rewards[agent] = chips / self._chips_per_reward
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now, as described above; new arrays at every call.

        Raises:
            ValueError: there is no such agent.
        """
        hand, seat = self.hand, self._seats.get(agent)
        if seat is None:
            known = ", ".join(self.possible_agents)
            raise ValueError(f"There is no agent {agent!r}; agents are {known}.")
        return self._desk.look(hand, seat)

    def state(self) -> NDArray[np.int64]:
        """The full record of the hand, hidden cards and cards to come included, int64[S].

        `state_space` bounds it; `razz_env.envs.state.state_layout()` tells where every field lies.
        """
        return state_vector(self.hand)

    def _text(self) -> str:
        if self._open_cards:
            return hand_text(self.hand, open_cards=True)
        return seat_text(self.hand.view(self._seats[self.agent_selection]))

    def _scene(self) -> "Scene":
        from razz_env.render.making import hand_scene

        return hand_scene(self.hand, self.possible_agents, open_cards=self._open_cards)

    def _made_with(self) -> State:
        seats = len(self.possible_agents)
        return table_facts(seats, self._rules, self._stacks) | {"reward_unit": self._reward_unit}

    def _state(self) -> State:
        state = self._hand_state()
        return state | ({} if self._hand is None else {name: getattr(self, name) for name in _TURN})

    def _put_back(self, state: State) -> None:
        hand, place = hand_and_place(state, len(self.possible_agents), self._rules)
        turn = {} if hand is None else {name: state[name] for name in _TURN}
        if hand is not None and not _is_turn(turn, self.possible_agents, hand.actor):
            raise ValueError(
                "The saved state has agents, rewards or flags that its hand cannot have: load what "
                "to_bytes gave, unaltered."
            )
        self._hand, self._place = hand, place
        self.agents = []
        for name, value in turn.items():
            setattr(self, name, value)

    def clone(self) -> "raw_env":
        """An independent copy that goes on identically, made much faster than by `copy.deepcopy`.

        Only the spaces, which hold no state of the game, are shared with the original. Wrapped
        environments are copied by `copy.deepcopy`, or as `env.unwrapped.clone()`.
        """
        twin = copy.copy(self)
        twin._hand = None if self._hand is None else self._hand.clone()
        twin._desk, twin._window = copy.copy(self._desk), copy.copy(self._window)
        twin.agents = self.agents[:]
        if twin._hand is not None:
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(twin, name, dict(getattr(self, name)))
            twin.infos = {agent: dict(info) for agent, info in self.infos.items()}
        return twin


def _is_turn(turn: State, seats: list[str], actor: int | None) -> bool:
    """Whether PettingZoo can keep this of a hand in which the seat `actor` is to act."""
    agents, selected, skipped = (turn[name] for name in _TURN if name not in _BY_AGENT)
    if agents != [agent for agent in seats if agent in agents]:
        return False
    for name, kind in _BY_AGENT.items():
        if list(turn[name]) != agents or not all(isinstance(x, kind) for x in turn[name].values()):
            return False
    if skipped not in (None, *seats) or selected not in (agents or seats):
        return False
    is_ended = any(turn["terminations"].values()) or not agents
    return is_ended or (agents == seats and actor == seats.index(selected))


def _seat_space(layout: ObservationSpec) -> Dict:
    return Dict(
        {
            "observation": Box(layout.low, layout.high, dtype=np.float32),
            "action_mask": Box(0, 1, (NUM_ACTIONS,), np.int8),
        }
    )


def env(**kwargs: Any) -> GuardedTable:
    """`raw_env` with all that the wrappers of PettingZoo's classic games do; the same arguments.

    An illegal action, which `raw_env` refuses, ends the hand here: that agent loses as much as the
    largest stack of the hand, the others get nothing. Actions out of range and calls out of order
    are errors.
    """
    table = raw_env(**kwargs)
    return GuardedTable(table)
