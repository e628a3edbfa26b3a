"""What a player is: the one protocol of everything that acts in a hand."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from razz_env.rules.checks import is_whole


class PlayerError(RuntimeError):
    """A player has raised an error, or answered with something else than it was asked for."""


RAISED = (Exception, SystemExit)
"""What a player may raise: `sys.exit()` ends a player, not the program that asks it."""


def told_error(error: BaseException) -> str:
    """An error of a player within a sentence: its type and the first line of what it says."""
    name = type(error).__name__
    words = str(error).strip().splitlines()
    return f"{name}: {words[0].rstrip('.')}" if words else name


def forget(agent: "Agent") -> None:
    """Let a player that remembers earlier hands forget them, by its optional `reset()`.

    Raises:
        PlayerError: that raised an error.
    """
    reset = getattr(agent, "reset", None)
    try:
        if reset is not None:
            reset()
    except RAISED as error:
        raise PlayerError(
            f"The reset() of the player {agent.name!r} raised {told_error(error)}."
        ) from error


def identity_of(agent: "Agent") -> str:
    """What a player is, whatever it is called: its optional `identity`, else its name.

    Raises:
        TypeError: an `identity` that is no text.
    """
    identity = getattr(agent, "identity", agent.name)
    if not isinstance(identity, str):
        raise TypeError(
            f"The identity of the player {agent.name!r} must be text, not {identity!r}."
        )
    return identity


def sizes_of(agent: "Agent") -> tuple[int, ...] | None:
    """Numbers of players at whose tables a player plays, as far as it says so; None for all.

    They are its optional `table_sizes`, else its optional `num_players`.

    Raises:
        TypeError: they are no whole numbers.
    """
    size: int | None = getattr(agent, "num_players", None)
    sizes: Any = getattr(agent, "table_sizes", None if size is None else (size,))
    if sizes is None:
        return None
    told = tuple(sizes) if np.iterable(sizes) else ()
    if not told or not all(map(is_whole, told)):
        raise TypeError(
            f"The player {agent.name!r} says that it plays at tables of {sizes!r} players: "
            "`num_players` must be a whole number, `table_sizes` a tuple of them."
        )
    return tuple(int(one) for one in told)


def check_players_fit(players: "Sequence[Agent]", num_players: int) -> None:
    """Refuse players that say themselves that they play at tables of another size.

    Raises:
        ValueError: naming the first one.
    """
    for player in players:
        sizes = sizes_of(player)
        if sizes is not None and num_players not in sizes:
            raise ValueError(
                f"The player {player.name!r} plays at tables of {', '.join(map(str, sizes))} "
                f"players, not of {num_players}."
            )


def wants_observations(agent: "Agent") -> bool:
    """Whether a player looks at observations: yes, unless it has `needs_observations = False`."""
    return bool(getattr(agent, "needs_observations", True))


@runtime_checkable
class Agent(Protocol):
    """A player that acts for K seats at once, so that a million hands are cheap.

    The seats are independent decisions, mostly of different tables. A player may have a method
    `reset()` too: it forgets whatever the player remembers of earlier hands, and is called
    when an environment starts a new stream of hands. A player that decides by views and masks
    alone may have an attribute `needs_observations = False`; whoever asks it may then spare the
    encoding and give it observations of no columns, float32[K, 0]. A player that its name does not
    determine, such as one read from a file, should have an attribute `identity`, a text made from
    what it is, such as a hash of its weights: matches key its randomness by that. One that plays
    only at tables of one size may say so by an attribute `num_players`, at several by a tuple
    `table_sizes`. One that can tell how likely each of its actions is has a method
    `action_probabilities`, see `OpenAgent`.
    """

    @property
    def name(self) -> str:
        """The name under which results are reported, such as "scripted:tight"."""

    def act(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> NDArray[np.integer[Any]]:
        """Choose one legal action for each seat.

        Args:
            views: SEAT_VIEW[K], what each seat may know.
            observations: float32[K, D], the views in the observation mode of the environment; a
                player that needs another layout encodes `views` itself.
            masks: int8[K, 7], 1 for each legal action; at least one in every row.
            rng: the only source of randomness a player may use.

        Returns:
            int[K], numbers of `Action`.
        """


@runtime_checkable
class OpenAgent(Agent, Protocol):
    """A player that tells how likely each of its actions is, and draws nothing for that.

    One whose every action is certain may have an attribute `is_certain = True`; whoever only needs
    to know what it leaves to chance need not ask it then.
    """

    def action_probabilities(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
    ) -> NDArray[np.float64]:
        """The chances with which `act` would choose each action, row by row.

        They are those of `act` for the same arguments, whatever other rows there are: a player that
        remembers earlier decisions, or whose choices in different rows hang together, must not have
        this method.

        Args:
            views: SEAT_VIEW[K], what each seat may know.
            observations: float32[K, D], as for `act`.
            masks: int8[K, 7], 1 for each legal action; at least one in every row.

        Returns:
            float64[K, 7], by number of `Action`; every row sums to 1 and is 0 where the mask is.
        """
