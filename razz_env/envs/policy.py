"""Whether a function can be the policy of a rollout: a sentence instead of numba's pages."""

import inspect
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import registry
from numpy.typing import NDArray

from razz_env.rules.record import SEAT_VIEW

Policy = Callable[..., int]

_FORM = "policy(view, observation, mask, bits) -> int"
_Dispatcher: Any = registry.CPUDispatcher  # numba's own annotations are too few to check against
_types: Any = types


def check_policy(policy: Any, observations: NDArray[Any], masks: NDArray[Any]) -> Policy:
    """The policy, if numba can compile it for a view and these arrays and it returns whole numbers.

    Args:
        policy: what `TableBatch.rollout` was given.
        observations: float32[N, D], and
        masks: int8[N, 7], as they will be handed to it, row by row.

    Raises:
        TypeError: numba has not compiled it, or cannot; it takes other arguments or returns
            something else.
    """
    if not isinstance(policy, _Dispatcher):
        raise TypeError(
            f"A policy is 'random' or a function compiled with numba.njit, not {policy!r}; put "
            "@numba.njit above your function."
        )
    name = policy.py_func.__name__
    if not _takes_four(policy.py_func):
        found = inspect.signature(policy.py_func)
        raise TypeError(f"The policy {name}{found} takes other arguments than {_FORM}.")
    result = _result_type(policy, np.zeros(1, SEAT_VIEW), observations, masks)
    if result is None:
        raise TypeError(
            f"The policy {name} is compiled for other types than those of {_FORM}: write "
            "@numba.njit above it, without a signature."
        )
    if not isinstance(result, _types.Integer):
        raise TypeError(
            f"The policy {name} returns {result}, which is no whole number in every case: make it "
            f"{_FORM}."
        )
    checked: Policy = policy
    return checked


def _takes_four(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind(*range(4))
    except TypeError:
        return False
    return True


def _result_type(policy: Any, *arrays: NDArray[Any]) -> Any:
    """Numba's type of what a policy returns for rows of these arrays and an int64, if it can."""
    arguments = (*(numba.typeof(array[0]) for array in arrays), _types.int64)
    try:
        call = _types.Dispatcher(policy).get_call_type(policy.typingctx, arguments, {})
    except Exception as error:  # numba lets all sorts of them through
        raise TypeError(
            f"The policy {policy.py_func.__name__} cannot be compiled as {_FORM}: {_gist(error)}."
        ) from None
    return None if call is None else call.return_type


def _gist(error: Exception) -> str:
    """The reason in one line out of the pages that numba writes."""
    text = str(error)
    if "readonly" in text:
        return "its arrays may only be read, copy what you change"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("Failed in")), "")
    place = next((line for line in lines if line.startswith("File ")), "").rstrip(":")
    return f"{type(error).__name__}: {said}{f' ({place})' if place else ''}".rstrip(".")
