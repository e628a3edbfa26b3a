"""The options of an environment of one learning seat, checked: alone and as a vector."""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature

import numpy as np

from razz_env.envs.agent import Agent, check_players_fit
from razz_env.envs.opponents import resolve_agent
from razz_env.rules.checks import is_whole
from razz_env.rules.house_rules import HouseRules, nearest
from razz_env.rules.record import MAX_SEATS
from razz_env.rules.setup import StacksLike, blank_hands
from razz_env.rules.terms import Action

ILLEGAL_ACTION = ("raise", "check_or_fold")
TIME_IS_UP = (Action.CHECK, Action.FOLD, Action.BRING_IN)
"""What a card room does for a player who does not act: the first of these that is legal."""


_SIZES = ("num_players", "players", "n_players", "num_seats", "seats")


def check_known(unknown: Mapping[str, object], make: Callable[..., object]) -> None:
    """Refuse options that an environment does not have.

    Args:
        unknown: what was given beside its options.
        make: makes the environment; its parameters are the options, the last one takes the rest.

    Raises:
        TypeError: names the first of them and what to write.
    """
    for option, value in unknown.items():
        if option in _SIZES:
            raise TypeError(
                f"There is no option {option!r}: learner and opponents make the table, such as "
                f"opponents=['caller'] * 3 for four players; not {option}={value!r}."
            )
        *known, _ = signature(make).parameters
        raise TypeError(f"There is no option {option!r}{nearest(option, known)}.")


def check_opponents(opponents: Sequence[Agent | str]) -> Sequence[Agent | str]:
    """The opponents themselves, if a table has room for them.

    Raises:
        TypeError: no list of names or agents.
        ValueError: none, or too many for a table.
    """
    if not isinstance(opponents, list | tuple):
        raise TypeError(
            f"opponents must be a list of names or agents, such as ['caller'], not {opponents!r}."
        )
    if not 1 <= len(opponents) < MAX_SEATS:
        raise ValueError(f"A table seats 1 to {MAX_SEATS - 1} opponents, not {len(opponents)}.")
    return opponents


def resolve_opponents(opponents: Sequence[Agent | str]) -> tuple[Agent, ...]:
    """The agents that opponents stand for, one for each.

    Raises:
        TypeError: see `check_opponents`.
        ValueError: see `check_opponents`; or an unknown opponent, or one of tables of another size.
    """
    agents = tuple(resolve_agent(opponent) for opponent in check_opponents(opponents))
    check_players_fit(agents, 1 + len(agents))
    return agents


def check_seat(seat: int | None, num_players: int) -> int | None:
    """The learner's seat itself; None, which moves on with every hand, too.

    Raises:
        ValueError: no seat of the table.
    """
    if seat is None:
        return None
    if not is_whole(seat) or not 0 <= seat < num_players:
        raise ValueError(f"seat={seat!r} must be 0 to {num_players - 1}, or None to move on.")
    return int(seat)


def check_stacks(stacks: StacksLike, num_players: int, rules: HouseRules) -> StacksLike:
    """A copy of the stacks, the learner's first, if they leave the learner decisions.

    Raises:
        ValueError: out of range, or the learner never has a decision.
    """
    public = blank_hands(1, num_players, rules, stacks)[0].public
    chips = public.starting_stack[:num_players]
    if chips[0] <= rules.ante or chips[1:].max() <= rules.ante:
        raise ValueError(
            f"With stacks {chips.tolist()} and an ante of {rules.ante} the learner never has a "
            "decision: it and at least one opponent need more than the ante."
        )
    return np.array(stacks)


def check_illegal_action(choice: str) -> str:
    """What shall be done with an illegal action: the choice itself.

    Raises:
        ValueError: neither "raise" nor "check_or_fold".
    """
    if choice not in ILLEGAL_ACTION:
        hint = nearest(choice, ILLEGAL_ACTION)
        raise ValueError(f"illegal_action={choice!r} is no choice{hint}.")
    return choice
