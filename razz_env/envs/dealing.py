"""The hand in play at a table, and which hand of the table's stream is dealt next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gymnasium.error import ResetNeeded

from razz_env.envs.pictures import Shown
from razz_env.envs.saving import State, hand_of, hand_state
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import HouseRules, nearest
from razz_env.rules.setup import check_seed, fresh_seed

_OPTIONS = ("deck", "stacks")


@dataclass(frozen=True)
class Place:
    """A hand of the stream of table 0: `Hand.deal(seed=seed, index=index)`, as in `make_batch`."""

    seed: int
    index: int


class OneTable(Shown):
    """What the environments of a single table share: the hand in play, and how it is shown."""

    _place: Place | None = None
    _hand: Hand | None = None

    @property
    def hand(self) -> Hand:
        """The hand in play, hidden cards included: for spectators and tools, not for players.

        Raises:
            gymnasium.error.ResetNeeded: before the first `reset`.
        """
        if self._hand is None:
            raise ResetNeeded("No hand is dealt yet: call reset() first.")
        return self._hand

    def _hand_state(self) -> State:
        """The hand in play and its place, for `hand_and_place`."""
        place = None if self._place is None else [self._place.seed, self._place.index]
        return {"place": place, "hand": hand_state(self._hand)}


def hand_and_place(
    state: State, num_players: int, rules: HouseRules
) -> tuple[Hand | None, Place | None]:
    """The hand and its place that `OneTable._hand_state` told.

    Raises:
        ValueError: as `hand_of`, a place out of range, or a hand without a place.
    """
    place, hand = state["place"], hand_of(state["hand"], num_players, rules)
    if place is not None:
        seed, index = place
        place = Place(check_seed(seed), check_seed(index, "index"))
    if (place is None) != (hand is None):
        raise ValueError("The saved state has a hand without its place: load what to_bytes gave.")
    return hand, place


def next_place(place: Place | None, seed: int | None) -> Place:
    """The hand to deal after `place`: hand 0 of a seed that is given, else the next of its stream.

    Without a seed and without a hand before, the seed is a fresh one.

    Raises:
        ValueError: a seed that is no whole number from 0 to 2**63 - 1.
    """
    if seed is not None:
        return Place(check_seed(seed), 0)
    if place is None:
        return Place(fresh_seed(), 0)
    return Place(place.seed, place.index + 1)


def deal_options(
    options: Mapping[str, Any] | None, stacks: Any, *, strict: bool = False
) -> dict[str, Any]:
    """The arguments `deck` and `stacks` of a deal, from the options of a `reset`.

    Raises:
        ValueError: options that are no mapping, or with `strict` an unknown key.
    """
    chosen = {} if options is None else options
    if not isinstance(chosen, Mapping):
        raise ValueError(f"options must be a mapping with 'deck' and 'stacks', not {options!r}.")
    for key in chosen if strict else ():
        if key not in _OPTIONS:
            raise ValueError(f"There is no reset option {key!r}{nearest(key, _OPTIONS)}.")
    return {"deck": chosen.get("deck"), "stacks": chosen.get("stacks", stacks)}
