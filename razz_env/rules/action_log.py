"""An entry of the action log: who acted, and how, in one small number."""

from razz_env._jit import inlined
from razz_env.rules.record import Record
from razz_env.rules.terms import Action

_ACTION_BITS = 3


@inlined
def log_entry(seat: int, action: int) -> int:
    """The entry of a seat's action."""
    return seat << _ACTION_BITS | action


@inlined
def log_seat(entry: int) -> int:
    """The seat that acted."""
    return entry >> _ACTION_BITS


@inlined
def log_action(entry: int) -> int:
    """The number of the action that it took."""
    return entry & ((1 << _ACTION_BITS) - 1)


def logged_actions(public: Record, first: int = 0) -> list[tuple[int, Action]]:
    """(seat, action) of every entry of a hand's log from place `first` on, in order."""
    entries = public.log[first : public.log_length].tolist()
    return [(entry >> _ACTION_BITS, Action(entry & ((1 << _ACTION_BITS) - 1))) for entry in entries]
