"""Opponents by name: the entry-point group `razz_env.agents`, and asking an agent to act.

This package knows no players. A name such as "caller" or "ppo:runs/x/model.zip" is a family and an
argument; any installed package may add families to the group, whose entries are factories that take
the argument's text, or None, and return an `Agent`. A factory that takes nothing, such as a class
without parameters, will do too.
"""

import importlib
import inspect
import re
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter

import numpy as np

from razz_env.envs.agent import RAISED, Agent, PlayerError, forget, told_error
from razz_env.envs.answers import BadAnswer, answer_of, check_answer
from razz_env.observation import ObservationSpec
from razz_env.observation.encoding import encode_batch
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import nearest
from razz_env.rules.record import SEAT_VIEW
from razz_env.rules.seat_view import seat_view
from razz_env.rules.terms import Action

GROUP = "razz_env.agents"


class OpponentError(PlayerError):
    """An opponent has raised an error, or answered with something that is no legal action."""


def resolve_agent(agent: Agent | str) -> Agent:
    """The agent that a name stands for; an agent stands for itself.

    Args:
        agent: "family" or "family:argument", or an object with `name` and `act`.

    Raises:
        ValueError: an unknown family, with the nearest known one.
        ModuleNotFoundError: a player that needs a package which is not installed, with the pip
            command that installs it.
        TypeError: neither a name nor an agent.
    """
    if isinstance(agent, str):
        return _make(agent)
    if isinstance(agent, type):
        raise TypeError(f"{agent.__name__} is a class of players; make one: {agent.__name__}().")
    if isinstance(agent, Agent):
        return agent
    raise TypeError(
        f"A player is a name such as 'caller' or an object with `name` and `act`, not {agent!r}."
    )


def _make(name: str) -> Agent:
    family, colon, argument = name.partition(":")
    entry = _find(family)
    try:
        made = _call(entry, name, argument if colon else None)
    except ModuleNotFoundError as missing:
        raise _explained(missing, name, entry) from missing
    except (ValueError, TypeError):
        raise
    except RAISED as error:
        raise ValueError(f"The player {name!r} cannot be made: {told_error(error)}.") from error
    if not isinstance(made, Agent):
        raise TypeError(
            f"The entry {entry.value!r} of {GROUP} made {made!r} of {name!r}; an agent has `name` "
            "and `act`."
        )
    return made


def _call(entry: EntryPoint, name: str, argument: str | None) -> object:
    """What the entry's factory makes; one without parameters, such as a plain class, is called so.

    Raises:
        ValueError: an argument for a factory that takes none.
        TypeError: a factory that wants something else.
    """
    factory = _loaded(entry)
    if _takes(factory, argument):
        return factory(argument)
    if not _takes(factory):
        raise TypeError(
            f"The entry {entry.value!r} of {GROUP} cannot be called for {name!r}: a factory takes "
            "the text behind the colon, or nothing."
        )
    if argument is not None:
        raise ValueError(
            f"The player {entry.name!r} takes no argument; write {entry.name!r} instead of "
            f"{name!r}."
        )
    return factory()


def _loaded(entry: EntryPoint) -> Callable[..., object]:
    """The entry's factory.

    Raises:
        ValueError: there is none under that name.
    """
    try:
        found = importlib.import_module(entry.module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{entry.module}.".startswith(f"{error.name}."):
            raise
        raise _not_there(entry, error) from error
    try:
        factory: Callable[..., object] = attrgetter(entry.attr)(found)
    except AttributeError as error:
        raise _not_there(entry, error) from error
    return factory


def _not_there(entry: EntryPoint, error: Exception) -> ValueError:
    return ValueError(
        f"The entry {entry.name!r} of {GROUP} names {entry.value!r}, which is not there "
        f"({error}): mend it in the pyproject.toml of its package, and install that again."
    )


def _takes(factory: Callable[..., object], *arguments: object) -> bool:
    try:
        inspect.signature(factory).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # some compiled functions have no signature to look at
        pass
    return True


def _find(family: str) -> EntryPoint:
    entries = {entry.name: entry for entry in entry_points(group=GROUP)}
    if not entries:
        raise ValueError(
            f"There is no player {family!r}: no installed package offers any. Install the one "
            "that does, such as `pip install razz-env`."
        )
    if family not in entries:
        raise ValueError(f"There is no player {family!r}{nearest(family, sorted(entries))}.")
    return entries[family]


def _explained(missing: ModuleNotFoundError, name: str, entry: EntryPoint) -> ModuleNotFoundError:
    """The same error with the way out, unless it says so itself or the package is at fault."""
    package = (missing.name or "").partition(".")[0]
    if not package or package == entry.module.partition(".")[0]:
        return missing
    return ModuleNotFoundError(
        f"The player {name!r} needs {package!r}, which is not installed: "
        f"pip install {_requirement(package, entry)}",
        name=missing.name,
    )


def _requirement(package: str, entry: EntryPoint) -> str:
    """What to give to pip: the extra of the entry's distribution that brings a package, if any.

    Where several do, that which the entry names as its own, else the smallest.
    """
    brings: dict[str, set[str]] = {}
    for line in (entry.dist.requires or ()) if entry.dist else ():
        if found := re.match(r"([\w.-]+).*;.*\bextra\s*==\s*[\"']([\w.-]+)[\"']", line):
            brings.setdefault(found[2], set()).add(_normal(found[1]))
    extras = [extra for extra, packages in brings.items() if _normal(package) in packages]
    if not extras or entry.dist is None:
        return package
    best = min(extras, key=lambda extra: (extra not in entry.extras, len(brings[extra])))
    return f'"{entry.dist.name}[{best}]"'


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def forget_all(opponents: Iterable[Agent]) -> None:
    """Let opponents forget what they remember, each once.

    Raises:
        OpponentError: the `reset` of one of them raised an error.
    """
    for opponent in {id(opponent): opponent for opponent in opponents}.values():
        try:
            forget(opponent)
        except PlayerError as failed:
            raise OpponentError(str(failed)) from failed.__cause__


def ask(agent: Agent, hand: Hand, layout: ObservationSpec, rng: np.random.Generator) -> Action:
    """The action that an agent chooses for the seat to act; the hand is not changed.

    Raises:
        OpponentError: it raised an error, or its answer is no legal action; names agent and seat.
    """
    seat = hand.actor
    if seat is None:
        raise ValueError("The hand is over; nobody is to act.")
    views = np.zeros(1, SEAT_VIEW)
    seat_view(hand.record, seat, views[0])
    mask = hand.action_mask()
    seen = encode_batch(views, layout)
    try:
        answer = answer_of(lambda: agent.act(views, seen, mask[np.newaxis].copy(), rng))
        return Action(int(check_answer(answer, mask[np.newaxis], views["public"].__getitem__)[0]))
    except BadAnswer as bad:
        raise OpponentError(f"The opponent {agent.name!r} in seat {seat} {bad}.") from bad.__cause__
