"""What a player answers, checked: one legal action for each seat that it was asked about."""

from collections.abc import Callable
from textwrap import shorten
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.envs.agent import RAISED, told_error
from razz_env.rules.hand import refusal
from razz_env.rules.record import Record
from razz_env.rules.terms import NUM_ACTIONS

Ints = NDArray[np.int64]


class BadAnswer(ValueError):
    """An answer that is no legal action for every seat, or none at all.

    The message is the end of a sentence that begins with the player: "chose CHECK: ...".

    Attributes:
        place: index of the first decision at fault.
    """

    def __init__(self, place: int, complaint: str) -> None:
        super().__init__(complaint)
        self.place = place


def answer_of(asking: Callable[[], Any]) -> NDArray[Any]:
    """What a player returns, as an array.

    Raises:
        BadAnswer: it raised an error, or returned rows of several lengths.
    """
    try:
        return np.asarray(asking())
    except RAISED as error:
        raise BadAnswer(0, f"raised {told_error(error)}") from error


def check_answer(
    answer: NDArray[Any], masks: NDArray[np.int8], public_of: Callable[[int], Record]
) -> Ints:
    """A player's answer as int64[K], if it is a legal action for each of K seats.

    Args:
        answer: what `Agent.act` returned, see `answer_of`.
        masks: int8[K, 7], what was legal.
        public_of: that part of a place's record or view, for the error's sentence.

    Raises:
        BadAnswer: another shape or type, or an illegal action.
    """
    if answer.shape != (len(masks),) or answer.dtype.kind not in "iu":
        raise BadAnswer(
            0,
            f"was asked for {len(masks)} decisions and must answer with an array of as many whole "
            f"numbers, not {shorten(repr(answer), 60)} ({answer.dtype} of shape {answer.shape})",
        )
    inside = (answer >= 0) & (answer < NUM_ACTIONS)
    legal = inside & (masks[np.arange(len(masks)), np.where(inside, answer, 0)] == 1)
    if not legal.all():
        place = int(np.flatnonzero(~legal)[0])
        chosen = int(answer[place])
        raise BadAnswer(place, f"chose an illegal action: {refusal(public_of(place), chosen)}")
    return answer.astype(np.int64)
