"""The state of an environment as bytes: numbers, words and arrays under a checksum.

Every environment has `to_bytes` and `load_bytes`. The bytes hold the state alone; they are put into
an environment that was made alike, which they tell. Nothing in them is code, unlike in a pickle.
"""

import json
from abc import ABC, abstractmethod
from dataclasses import asdict
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from razz_env.envs.alike import check_same_tables
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.record import HAND
from razz_env.rules.saved_hands import check_hands
from razz_env.rules.sealing import sealed, unsealed
from razz_env.rules.setup import StacksLike, blank_hands

State: TypeAlias = dict[str, Any]
"""Name -> a number, a word, a list or mapping of them, None, or an array of numbers."""

_GENERATORS: dict[str, type[np.random.BitGenerator]] = {
    "PCG64": np.random.PCG64,
    "PCG64DXSM": np.random.PCG64DXSM,
}
"""Those that can be saved: their state is a few numbers. Others of NumPy keep arrays and a place in
them, which it takes unseen, so that a wrong one crashes a later step."""

_LENGTH_BYTES = 8


class Saved(ABC):
    """An environment whose state can be saved and put back."""

    _magic: bytes
    """First bytes of what is saved: the kind of environment and the version of the form."""

    def to_bytes(self) -> bytes:
        """The state as bytes, for `load_bytes` of an environment made alike.

        What opponents remember themselves is not in it, only what they draw from.
        """
        return sealed(self._magic, _packed(self._made_with(), self._state()))

    def load_bytes(self, data: bytes) -> None:
        """Put back the state saved by `to_bytes`; everything goes on exactly where it stood.

        Raises:
            ValueError: data that is no such state, is damaged, or of an environment that was made
                otherwise; this one stays as it is.
            TypeError: no bytes.
        """
        body = unsealed(self._magic, data)
        try:
            made_with, state = _unpacked(body)
            self._check_made_with(made_with)
            self._put_back(state)
        except (AttributeError, LookupError, OverflowError, TypeError) as error:
            raise ValueError(
                f"The saved state is not of the form that this environment writes ({error!r}): "
                "load what to_bytes gave, unaltered."
            ) from error

    def _check_made_with(self, made_with: State) -> None:
        mine = json.loads(json.dumps(self._made_with()))
        for name in mine:
            saved, own = _differing(made_with.get(name), mine[name])
            if saved != own:
                raise ValueError(
                    f"The saved environment was made with {name}={saved!r} and this one with "
                    f"{own!r}: load it into one made alike."
                )

    @abstractmethod
    def _made_with(self) -> State:
        """What must be the same in another environment that takes up the state."""

    @abstractmethod
    def _state(self) -> State:
        """The state."""

    @abstractmethod
    def _put_back(self, state: State) -> None:
        """Take up a state; one that cannot be is an error before anything has changed."""


def table_facts(num_players: int, rules: HouseRules, stacks: StacksLike) -> State:
    """What every environment must be made alike in."""
    return {
        "num_players": num_players,
        "rules": asdict(rules),
        "stacks": np.broadcast_to(stacks, num_players).tolist(),
        "record_bytes": HAND.itemsize,
    }


def _differing(saved: Any, mine: Any) -> tuple[Any, Any]:
    """Two facts; of two sets of rules only the options that are not the same."""
    if not isinstance(saved, dict) or not isinstance(mine, dict):
        return saved, mine
    names = [name for name in mine if saved.get(name) != mine[name]]
    names += [name for name in saved if name not in mine]
    return {name: saved.get(name) for name in names}, {name: mine.get(name) for name in names}


def hand_state(hand: Hand | None) -> NDArray[np.uint8] | None:
    """A hand's record as bytes."""
    return None if hand is None else np.frombuffer(hand.array.tobytes(), np.uint8)


def hands_of(records: NDArray[np.uint8], tables: NDArray[Any]) -> NDArray[Any]:
    """HAND[N] out of the records' bytes, for tables HAND[N].

    Raises:
        ValueError: another number of tables or seats, other rules, or a hand that no cards and
            actions lead to.
    """
    hands = np.frombuffer(bytearray(records.tobytes()), HAND)
    check_same_tables(hands, tables)
    check_hands(hands)
    return hands


def hand_of(record: NDArray[np.uint8] | None, num_players: int, rules: HouseRules) -> Hand | None:
    """The hand saved by `hand_state`, at a table of so many seats.

    Raises:
        ValueError: as `hands_of`.
    """
    if record is None:
        return None
    return Hand(hands_of(record, blank_hands(1, num_players, rules, 1)))


def require_like(name: str, saved: NDArray[Any], mine: NDArray[Any]) -> None:
    """Refuse a saved array that is of another shape or type than this environment's own.

    Raises:
        ValueError: names it.
    """
    if saved.shape != mine.shape or saved.dtype != mine.dtype:
        raise ValueError(
            f"The saved state has {name} {saved.dtype} of shape {saved.shape} and not {mine.dtype} "
            f"of shape {mine.shape}: load what to_bytes gave, unaltered."
        )


def generator_state(rng: np.random.Generator) -> State:
    """Where a generator stands."""
    state: State = dict(rng.bit_generator.state)
    return state


def generator_of(state: State) -> np.random.Generator:
    """A generator that goes on from there.

    Raises:
        ValueError: a state of another kind than `_GENERATORS`.
    """
    name = state["bit_generator"]
    if name not in _GENERATORS:
        raise ValueError(
            f"A saved generator is one of {', '.join(_GENERATORS)}, not {name!r}: load what "
            "to_bytes gave, unaltered."
        )
    bits = _GENERATORS[name]()
    bits.state = state
    return np.random.Generator(bits)


def _packed(made_with: State, state: State) -> bytes:
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in state.items() if name not in arrays}
    forms = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    head = json.dumps([made_with, plain, forms]).encode()
    parts = [np.ascontiguousarray(array).tobytes() for array in arrays.values()]
    return b"".join([len(head).to_bytes(_LENGTH_BYTES, "little"), head, *parts])


def _unpacked(body: bytearray) -> tuple[State, State]:
    start = _LENGTH_BYTES + int.from_bytes(body[:_LENGTH_BYTES], "little")
    made_with, state, forms = json.loads(body[_LENGTH_BYTES:start])
    for name, kind, shape in forms:
        dtype, count = np.dtype(kind), int(np.prod(shape))
        state[name] = np.frombuffer(body, dtype, count, start).reshape(shape).copy()
        start += count * dtype.itemsize
    return made_with, state
