"""The Gymnasium environment: one learning seat; the opponents play inside `step`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Never

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from razz_env.envs.agent import Agent
from razz_env.envs.dealing import OneTable, Place, deal_options, hand_and_place, next_place
from razz_env.envs.opponents import ask, forget_all
from razz_env.envs.saving import (
    Saved,
    State,
    generator_of,
    generator_state,
    table_facts,
)
from razz_env.envs.seat_options import (
    TIME_IS_UP,
    check_illegal_action,
    check_known,
    check_seat,
    check_stacks,
    resolve_opponents,
)
from razz_env.envs.units import (
    RENDER_FPS,
    RENDER_MODES,
    as_action,
    check_render_mode,
    chips_per_reward,
)
from razz_env.observation import encode, spec
from razz_env.render.ansi import seat_text
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import RulesLike, as_house_rules
from razz_env.rules.setup import StacksLike
from razz_env.rules.terms import NUM_ACTIONS, Action

if TYPE_CHECKING:
    from razz_env.render.scene import Scene

Floats = NDArray[np.float32]


class RazzSeatEnv(OneTable, Saved, gymnasium.Env[Floats, np.int64]):
    """One seat learns, every other seat is played by an opponent; one hand is an episode.

    Observation: float32[D], laid out as `razz_env.observation.spec(num_players, observation)`
    tells. Legal actions come beside it: `info["action_mask"]` int8[7] at every reset and step, and
    `action_masks()` bool[7] for sb3-contrib. At the end of the hand the mask is all zeros.

    Action: `Discrete(7)`, the numbers of `razz_env.Action`. What an illegal one does is
    chosen by `illegal_action`: "raise" raises `IllegalAction` and leaves the environment untouched.
    "check_or_fold" is for learners and checkers that know no masks, such as the `check_env` of
    Gymnasium and of SB3, which play random actions: it does what a card room does when a player's
    time is up (check, else fold; the bring-in is posted) and says so in `info["illegal_action"]`.

    Reward: 0 until the hand ends, then the learner's own net result, in big bets (chips / big bet)
    or in chips, whoever took the last action and even if the learner folded before.

    Termination: when the hand is over; nothing is ever truncated. Hands in which the learner has
    no decision are no episodes: `reset` goes on to the next deal and tells in
    `info["skipped_hands"]` how many there were and in `info["skipped_return"]` the learner's
    summed result, in reward units. The learner's result over all hands is the sum of both.

    Seeds: `reset(seed=s)` starts stream s, whose hands are `Hand.deal(seed=s, index=0, 1, ...)`, as
    in the PettingZoo environment; skipped hands count. Opponents draw from streams derived from
    the same seed, one each, so that everything repeats. Global random generators are not touched.

    Version history of the id `razz_env/Razz-v0`: v0, the first.
    """

    _magic = b"RAZZSEAT2"
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        opponents: Sequence[Agent | str] = ("caller",),
        rules: RulesLike = "full_tilt",
        stacks: StacksLike = 500,
        seat: int | None = None,
        observation: str = "features",
        reward_unit: str = "big_bets",
        illegal_action: str = "raise",
        render_mode: str | None = None,
        **unknown: Never,
    ) -> None:
        """A table of 1 + len(opponents) players at which no hand is dealt yet.

        Args:
            opponents: 1 to 7 agents or their names, clockwise from the learner.
            rules: preset name, mapping or HouseRules.
            stacks: chips of every player at the start of every hand, or one number for each: the
                learner's first, then the opponents' in their order.
            seat: the learner's seat; None moves the players on by one seat with every hand.
            observation: "features", or "infostate" with the ordered log of actions.
            reward_unit: "big_bets" or "chips".
            illegal_action: "raise" or "check_or_fold", see above.
            render_mode: None, "rgb_array" (`render` returns pixels uint8[700, 800, 3]), "human"
                (shows them in a window) or "ansi" (returns text); all as the learner sees it.
            unknown: there is no other option; one is refused in a sentence.

        Raises:
            ValueError: anything out of range, an unknown opponent, or stacks with which the learner
                never has a decision.
            TypeError: opponents that are no list of names or agents, or an unknown option.
        """
        check_known(unknown, RazzSeatEnv)
        self._opponents = resolve_opponents(opponents)
        self._num_players = 1 + len(self._opponents)
        self._rules = as_house_rules(rules)
        self._stacks = check_stacks(stacks, self._num_players, self._rules)
        self._fixed_seat = check_seat(seat, self._num_players)
        self._reward_unit = reward_unit
        self._chips_per_reward = chips_per_reward(reward_unit, self._rules)
        self._illegal_action = check_illegal_action(illegal_action)
        self.render_mode = check_render_mode(render_mode)
        self._layout = spec(self._num_players, observation)
        self.observation_space = Box(self._layout.low, self._layout.high, dtype=np.float32)
        self.action_space = Discrete(NUM_ACTIONS)
        self._generators: list[np.random.Generator] = []
        self._seat = 0

    @property
    def seat(self) -> int:
        """The learner's seat in this hand."""
        return self._seat

    @property
    def opponents(self) -> tuple[Agent, ...]:
        """The opponents, clockwise from the learner."""
        return self._opponents

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Deal the next hand in which the learner has a decision, and play up to it.

        Args:
            seed: start stream `seed`; None goes on to the next hand of the stream.
            options: "deck" (52 cards in dealing order) and "stacks" (learner first) for the first
                hand that is dealt now.

        Returns:
            The observation float32[D] and the info: "action_mask" int8[7], "skipped_hands" int,
            "skipped_return" float.

        Raises:
            ValueError: a seed, deck or stacks out of range; the hand in play goes on.
            OpponentError: an opponent failed; the next `reset` deals the next hand.
        """
        place = next_place(self._place, seed)
        hand = self._deal(place, options)
        super().reset(seed=place.seed if place.index == 0 else None)
        if place.index == 0:
            self._start_stream()
        self._play(place, hand)
        skipped_hands, skipped_return = 0, 0.0
        while self.hand.is_over:
            skipped_hands += 1
            skipped_return += self._net()
            place = next_place(place, None)
            self._play(place, self._deal(place, None))
        if self.render_mode == "human":
            self.render()
        skipped = {"skipped_hands": skipped_hands, "skipped_return": skipped_return}
        return self._observe(), {**self._info(), **skipped}

    def step(
        self, action: int | np.integer[Any]
    ) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and the opponents' up to the learner's next decision.

        Returns:
            observation float32[D], reward, terminated, False, and the info: "action_mask" int8[7],
            and "illegal_action" bool if `illegal_action` is "check_or_fold".

        Raises:
            razz_env.IllegalAction: naming seat, street, action and the legal ones; the environment
                is untouched.
            OpponentError: an opponent failed; only `reset` goes on from there.
            gymnasium.error.ResetNeeded: the learner has no decision: before `reset`, or when the
                hand is over.
        """
        if self.hand.actor != self._seat:
            raise ResetNeeded("The learner has no decision in this hand any more: call reset().")
        is_illegal = self._is_illegal(action)
        if is_illegal and self._illegal_action == "check_or_fold":
            action = _time_is_up(self.hand)
        self.hand.apply(as_action(action))
        self._play_opponents()
        info = self._info()
        if self._illegal_action == "check_or_fold":
            info["illegal_action"] = is_illegal
        if self.render_mode == "human":
            self.render()
        is_over = self.hand.is_over
        return self._observe(), self._net() if is_over else 0.0, is_over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions, bool[7], under the name that sb3-contrib asks for."""
        return self._mask().astype(np.bool_)

    def _text(self) -> str:
        return seat_text(self.hand.view(self._seat))

    def _scene(self) -> "Scene":
        from razz_env.render.making import seat_scene

        return seat_scene(self.hand.view(self._seat), self._names())

    def _names(self) -> list[str]:
        """What stands on the plates: the players' names by seat."""
        players = ["learner", *(opponent.name for opponent in self._opponents)]
        return [
            players[(seat - self._seat) % self._num_players] for seat in range(self._num_players)
        ]

    def _made_with(self) -> State:
        return table_facts(self._num_players, self._rules, self._stacks) | {
            "seat": self._fixed_seat,
            "reward_unit": self._reward_unit,
            "opponents": [opponent.name for opponent in self._opponents],
        }

    def _state(self) -> State:
        draws = [generator_state(rng) for rng in self._generators]
        return self._hand_state() | {"seat": self._seat, "draws": draws}

    def _put_back(self, state: State) -> None:
        hand, place = hand_and_place(state, self._num_players, self._rules)
        seat, generators = state["seat"], [generator_of(one) for one in state["draws"]]
        if place is not None and (
            seat != self._seat_of(place) or len(generators) != len(self._opponents)
        ):
            raise ValueError(
                "The saved state has the learner at another seat, or draws of other opponents than "
                "its hand: load what to_bytes gave, unaltered."
            )
        self._hand, self._place = hand, place
        self._seat, self._generators = seat, generators

    def _start_stream(self) -> None:
        forget_all(self._opponents)
        self._generators = self.np_random.spawn(len(self._opponents))

    def _seat_of(self, place: Place) -> int:
        if self._fixed_seat is not None:
            return self._fixed_seat
        return place.index % self._num_players

    def _deal(self, place: Place, options: dict[str, Any] | None) -> Hand:
        chosen = deal_options(options, self._stacks, strict=True)
        if np.ndim(chosen["stacks"]):
            chosen["stacks"] = np.roll(chosen["stacks"], self._seat_of(place))
        return Hand.deal(
            self._num_players, self._rules, seed=place.seed, index=place.index, **chosen
        )

    def _play(self, place: Place, hand: Hand) -> None:
        """Sit down at a hand that has been dealt and play up to the learner's first decision."""
        self._place, self._hand, self._seat = place, hand, self._seat_of(place)
        self._play_opponents()

    def _play_opponents(self) -> None:
        """The opponents' actions, up to the learner's next decision or the end of the hand."""
        hand = self.hand
        while (actor := hand.actor) is not None and actor != self._seat:
            number = (actor - self._seat) % self._num_players - 1
            opponent, generator = self._opponents[number], self._generators[number]
            hand.apply(ask(opponent, hand, self._layout, generator))

    def _is_illegal(self, action: Any) -> bool:
        """Whether it is a number of an action that the learner may not take now."""
        return bool(self.action_space.contains(action) and not self._mask()[int(action)])

    def _mask(self) -> NDArray[np.int8]:
        if self.hand.actor != self._seat:
            return np.zeros(NUM_ACTIONS, np.int8)
        return self.hand.action_mask()

    def _observe(self) -> Floats:
        return encode(self.hand.view(self._seat), self._layout.mode)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _net(self) -> float:
        return int(self.hand.payoffs[self._seat]) / self._chips_per_reward


def _time_is_up(hand: Hand) -> Action:
    """The first of `TIME_IS_UP` that is legal."""
    legal = hand.legal_actions()
    return next(action for action in TIME_IS_UP if action in legal)
