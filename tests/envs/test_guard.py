"""`env()` answers as `raw_env` in PettingZoo's three standard wrappers does, whatever is asked.

The same scripts, right and wrong, are run through both; after every call the result or error, the
warnings and all that the table shows must be the same.
"""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from razz_env import Action, Hand
from razz_env.envs.aec import env, raw_env
from razz_env.envs.guard import GuardedTable

ARGUMENTS = {"num_players": 3, "stacks": [500, 40, 9], "render_mode": "ansi"}

SHOWN = (
    "agents possible_agents num_agents max_num_agents agent_selection rewards terminations "
    "truncations infos _cumulative_rewards metadata render_mode action_spaces observation_spaces "
    "state_space largest_loss hand unwrapped nothing_of_that_name _private __array__"
).split()
"""Attributes looked at after every call."""

Call = Callable[["Run"], Any]


def standard(**arguments: Any) -> Any:
    table = raw_env(**arguments)
    wrapped = wrappers.TerminateIllegalWrapper(table, illegal_reward=-table.largest_loss)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class Run:
    """A script's run through one environment: `told` holds what every call gave and left."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.observation: Any = None
        self.iterator: Iterator[str] | None = None
        self.told: list[Any] = []

    def play(self, script: list[Call]) -> list[Any]:
        for call in script:
            self.told.append([heard(call, self), *(self.shows(name) for name in SHOWN)])
        return self.told

    def shows(self, name: str) -> Any:
        return heard(getattr, self.table, name)


def heard(call: Callable[..., Any], *arguments: Any) -> list[Any]:
    """What a call gives, or its error, and every warning."""
    EnvLogger.flush()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            told = plain(call(*arguments))
        except Exception as error:
            told = type(error), str(error)
    return [told, *EnvLogger.mqueue, *(str(warning.message) for warning in warned)]


def plain(value: Any) -> Any:
    """Something to compare: numbers with their types, arrays with every bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, raw_env):
        return plain(vars(value)["_hand"])
    if isinstance(value, Hand):
        return value.to_bytes()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return type(value)
    return repr(value)


# ---- what a script may do


def reset(seed: Any = None, **options: Any) -> Call:
    return lambda run: run.table.reset(seed=seed, options=options or None)


def step(action: Any) -> Call:
    return lambda run: run.table.step(action)


def step_where_mask_is(value: int, choice: int = 0) -> Call:
    """A legal action for 1, an illegal one for 0; None for an agent that is terminated."""

    def call(run: Run) -> None:
        places = np.flatnonzero(run.table.unwrapped.hand.action_mask() == value)
        over = run.table.terminations.get(run.table.agent_selection, True)
        run.table.step(None if over else int(places[choice % len(places)]))

    return call


def last(run: Run) -> Any:
    given = run.table.last()
    run.observation = given[0]
    return given


def observe(agent: str) -> Call:
    return lambda run: run.table.observe(agent)


def turn_mask(run: Run) -> None:
    """Spoil the mask that was given last."""
    mask = run.observation["action_mask"]
    mask[:] = 1 - mask


def iterate(run: Run) -> str:
    if run.iterator is None:
        run.iterator = iter(run.table.agent_iter(max_iter=20))
    return next(run.iterator)


def start_iterating(run: Run) -> None:
    run.iterator = None
    run.iterator = iter(run.table.agent_iter())


def put(name: str, value: Any) -> Call:
    """Set an attribute on the wrapper."""
    return lambda run: setattr(run.table, name, value)


def take_away(run: Run) -> None:
    """Undo `put`."""
    for name in ("agents", "agent_selection", "rewards", "colour", "infos"):
        vars(run.table).pop(name, None)


def put_inside(name: str, value: Any) -> Call:
    """Set an attribute on the table itself."""
    return lambda run: setattr(run.table.unwrapped, name, value)


def step_inside(run: Run) -> None:
    """A step behind the wrapper's back."""
    mask = run.table.unwrapped.hand.action_mask()
    run.table.unwrapped.step(int(mask.argmax()) if mask.any() else None)


def replace(copied: Callable[[Any], Any]) -> Call:
    def call(run: Run) -> None:
        run.table, run.iterator = copied(run.table), None

    return call


def pickled(table: Any) -> Any:
    return pickle.loads(pickle.dumps(table))


def ask(name: str, *arguments: Any) -> Call:
    return lambda run: getattr(run.table, name)(*arguments)


ACTIONS = [
    *range(-1, 8), None, 1.0, np.int64(2), np.int8(0), np.uint64(6), np.bool_(True),
    np.array(3), np.array([3]), np.float32(2), np.nan, "FOLD", "", [1], {}, Action.FOLD,
    Action.BRING_IN, 2**70, -(2**70),
]  # fmt: skip

QUESTIONS: list[Call] = [
    lambda run: str(run.table), ask("close"), ask("render"), ask("state"), ask("agent_iter"),
    last, ask("last", False), observe("player_0"), observe("nobody"), iterate, ask("clone"),
    ask("action_space", "player_0"), ask("action_space", "nobody"),
    ask("observation_space", "player_1"), ask("_was_dead_step", None), ask("_clear_rewards"),
    ask("_deads_step_first"),
]  # fmt: skip

ON = step_where_mask_is(1)
"""A legal step, or None when it is over."""

ILLEGAL = step_where_mask_is(0)

TO_THE_END = [last, step(None)] * 4
"""The steps of three terminated agents, and one too many."""

WHOLE_HAND = [call for turn in range(25) for call in (last, step_where_mask_is(1, turn))]
ALL_FOLD = [reset(1), ON, ON, ON]

SCRIPTS: dict[str, list[Call]] = {
    "all questions before a reset": [*QUESTIONS, step(0), step(None), step(99), reset(1), last],
    "a first reset that fails": [reset(-1), *QUESTIONS, step(0), step(None), reset(1), last, ON],
    "all questions in a hand": [reset(1), *QUESTIONS, ON, *QUESTIONS],
    "all questions after the end": [*ALL_FOLD, *QUESTIONS, *TO_THE_END, *QUESTIONS, step(0)],
    "every kind of action": [call for act in ACTIONS for call in (reset(2), last, step(act))],
    "every kind of action, unseen": [call for act in ACTIONS for call in (reset(2), step(act))],
    "every kind of action, terminated": [
        call for act in ACTIONS for call in (*ALL_FOLD, step(act), step(None), step(act))
    ],
    "whole hands": [reset(1), *WHOLE_HAND, reset(), *WHOLE_HAND, *TO_THE_END],
    "a hand without a decision": [reset(1, stacks=[1, 1, 1]), *TO_THE_END],
    "an illegal action": [reset(1), last, ON, last, ILLEGAL, *TO_THE_END, reset(), last, ON],
    "an illegal action, unseen": [reset(1), ILLEGAL, ask("last"), step(0), *TO_THE_END],
    "an illegal action after a look at another": [
        reset(1), observe("player_0"), observe("player_1"), observe("player_2"), ILLEGAL
    ],
    "a bad reset in a hand": [reset(1), last, reset(1.5), ILLEGAL, step(None), reset(-1), last],
    "a spoilt mask": [reset(1), last, turn_mask, ON, last, reset(1), last, turn_mask, ILLEGAL],
    "a loop that does not step": [
        reset(1), iterate, iterate, ON, iterate, iterate, reset(), iterate
    ],
    "a loop to the end": [reset(1), start_iterating, *[iterate, last, ON] * 30],
    "a loop with too few turns": [reset(4), *[iterate, last, step(99), ON] * 22],
    "attributes put on the wrapper": [
        put("colour", 1), put("rewards", {}), reset(1), last, put("agents", []), ON, iterate, last,
        take_away, put("agent_selection", "player_1"), last, ON, ILLEGAL, put("infos", {}), last,
        take_away, last, *TO_THE_END, put("agents", ["player_0"]), step(None), step(1), iterate
    ],
    "steps behind the wrapper's back": [
        reset(1), last, step_inside, ON, step_inside, ILLEGAL, last
    ],
    "a seat chosen out of turn": [
        reset(1), put_inside("agent_selection", "player_0"), last, ON, last, ILLEGAL, *TO_THE_END
    ],
    "nobody selected": [
        reset(1), put_inside("agent_selection", "nobody"), last, step(0), step(9), step(None),
        *ALL_FOLD, put_inside("agent_selection", "player_2"), last, step(None),
        put_inside("agent_selection", "player_2"), last, step(None), step(1), step(9),
        *ALL_FOLD, ask("last"), put_inside("agent_selection", "nobody"), step(1), step(9)
    ],
    "truncated from outside": [
        reset(1), last, put_inside("truncations", dict.fromkeys(["player_0", "player_1"], True)),
        ON, step(None), last
    ],
    "copies in a hand": [
        replace(copy.deepcopy), replace(pickled), reset(1), last, replace(pickled), ON, last,
        turn_mask, replace(copy.deepcopy), ON, replace(copy.copy), last, *TO_THE_END
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_gives_the_same_as_under_the_standard_wrappers(name: str) -> None:
    expected = Run(standard(**ARGUMENTS)).play(SCRIPTS[name])
    assert Run(env(**ARGUMENTS)).play(SCRIPTS[name]) == expected


LIKELY = [last, ON, *[step_where_mask_is(1, choice) for choice in range(4)], iterate]
UNLIKELY: list[Call] = [
    *QUESTIONS, *map(step, ACTIONS), ILLEGAL, step_where_mask_is(0, 3), *TO_THE_END, turn_mask,
    step_inside, start_iterating, reset(-1), reset(stacks=[5]), replace(copy.deepcopy),
    replace(pickled), put("agents", []), put("agent_selection", "player_2"), put("colour", 1),
    put_inside("agent_selection", "player_0"), take_away, take_away, take_away
]  # fmt: skip


def random_script(seed: int, length: int) -> list[Call]:
    """Mostly plain play, in between everything else."""
    rng = np.random.default_rng(seed)
    script: list[Call] = [reset(seed)] if seed % 4 else [*QUESTIONS, reset(seed)]
    for _ in range(length):
        chance = rng.random()
        calls = [reset(), reset(int(rng.integers(99)))] if chance < 0.05 else LIKELY
        calls = UNLIKELY if chance > 0.7 else calls
        script.append(calls[rng.integers(len(calls))])
    return script


@pytest.mark.parametrize("seed", range(12))
def test_random_scripts_give_the_same_as_under_the_standard_wrappers(seed: int) -> None:
    script = random_script(seed, 120)
    assert Run(env(**ARGUMENTS)).play(script) == Run(standard(**ARGUMENTS)).play(script)


@pytest.mark.parametrize(
    "worn",
    [
        wrappers.OrderEnforcingWrapper,
        lambda table: wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table)),
        lambda table: wrappers.OrderEnforcingWrapper(
            wrappers.TerminateIllegalWrapper(table, illegal_reward=-table.largest_loss)
        ),
        lambda table: wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(table, illegal_reward=-table.largest_loss)
        ),
    ],
)
def test_the_comparison_notices_a_missing_wrapper(worn: Callable[[Any], Any]) -> None:
    script = SCRIPTS["every kind of action"] + SCRIPTS["a loop that does not step"]
    expected = Run(standard(**ARGUMENTS)).play(script)
    assert Run(worn(raw_env(**ARGUMENTS))).play(script) != expected


def test_an_illegal_action_costs_the_largest_stack_of_the_hand_in_play() -> None:
    table = env(num_players=3, stacks=500, reward_unit="chips")
    for stacks, cost in (([9000, 40, 70], -9000), (None, -500)):
        table.reset(seed=1, options=stacks and {"stacks": stacks})
        culprit = table.agent_selection
        table.step(int(Action.CHECK))  # nobody may check on third street
        assert table.rewards[culprit] == cost


@pytest.mark.parametrize("action", [True, False, np.True_])
def test_a_bool_is_no_action(action: Any) -> None:
    table = env(num_players=3)
    table.reset(seed=1)
    before = table.to_bytes()
    with pytest.raises(AssertionError, match="action is not in action space"):
        table.step(action)
    assert table.to_bytes() == before


def test_one_wrapper_is_all_that_pettingzoo_makes() -> None:
    table = pettingzoo.make("aec", "razz_env/razz-v0", **ARGUMENTS)
    assert type(table) is GuardedTable
    assert type(table.env) is raw_env
    assert table.env is table.unwrapped
    assert isinstance(table, wrappers.OrderEnforcingWrapper)  # for whoever asks
