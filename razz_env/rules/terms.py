"""The words of the game that everything else uses: actions and streets."""

from enum import IntEnum


class Action(IntEnum):
    """What a player may do. The value is the action's index in every mask, for ever."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    BRING_IN = 3
    COMPLETE = 4
    BET = 5
    RAISE = 6


class Street(IntEnum):
    """The betting rounds, by the number of cards a full hand holds on them (RULES 1)."""

    THIRD = 3
    FOURTH = 4
    FIFTH = 5
    SIXTH = 6
    SEVENTH = 7


NUM_ACTIONS = len(Action)
