"""The observation's layout: one list of named parts, from which everything else derives.

The size, the Box bounds, the documented table, `describe` and the encoder's offsets all come from
`PARTS`; the encoder (`encoding.py`) has one writer for each part.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from razz_env.rules.cards import NUM_RANKS, RANKS
from razz_env.rules.checks import is_whole
from razz_env.rules.lowball import PLAYED_CARDS
from razz_env.rules.record import LOG_SIZE, MAX_SEATS, UP_CARDS

SPEC_VERSION = 1
"""Raised whenever the meaning or the place of any number of an observation changes."""

Mode: TypeAlias = Literal["features", "infostate"]
MODES: tuple[str, ...] = get_args(Mode)


class Part(IntEnum):
    """The named parts of an observation, in their order."""

    OWN_DOWN = 0
    OWN_RIVER = 1
    UP_CARDS = 2
    COMMUNITY = 3
    DEAD_RANKS = 4
    UNSEEN_RANKS = 5
    PRESENT = 6
    LIVE = 7
    ALL_IN = 8
    BRING_IN = 9
    FIRST_TO_ACT = 10
    LAST_AGGRESSOR = 11
    TO_ACT = 12
    STREET_CHIPS = 13
    TOTAL_CHIPS = 14
    STACK = 15
    STREET = 16
    ROUND = 17
    STAKES = 18
    BETTING = 19
    OWN_LOW = 20
    BOARD_LOWS = 21
    ACTION_LOG = 22


ROUND_NAMES = (
    "bets made",
    "raises left",
    "pot",
    "to call",
    "pot odds",
    "live opponents",
    "opponents with chips",
    "bring-in due",
)
STAKE_NAMES = ("ante", "bring-in", "small bet")
BETTING_NAMES = ("checks", "calls and bring-ins", "completions, bets and raises")
LOG_NAMES = ("seat", "action", "street")

Shape: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class PartInfo:
    """What a part is: its shape for a number of seats, its meaning and the range of its values."""

    shape: Callable[[int], Shape]
    meaning: str
    high: float = 1.0
    modes: tuple[str, ...] = MODES


def _per_seat(seats: int) -> Shape:
    return (seats,)


def _per_rank(_seats: int) -> Shape:
    return (NUM_RANKS,)


PARTS: dict[Part, PartInfo] = {
    Part.OWN_DOWN: PartInfo(_per_rank, "own down cards of third street: how many of a rank", 2.0),
    Part.OWN_RIVER: PartInfo(_per_rank, "own down card of seventh street: its rank"),
    Part.UP_CARDS: PartInfo(
        lambda seats: (seats, UP_CARDS, NUM_RANKS),
        "up card of every seat on third to sixth street: its rank; a fold does not erase it",
    ),
    Part.COMMUNITY: PartInfo(_per_rank, "community card: its rank"),
    Part.DEAD_RANKS: PartInfo(_per_rank, "cards of a rank seen outside the own hand / 4"),
    Part.UNSEEN_RANKS: PartInfo(_per_rank, "cards of a rank not seen at all / 4"),
    Part.PRESENT: PartInfo(_per_seat, "1 for a seat that was dealt in"),
    Part.LIVE: PartInfo(_per_seat, "1 for a seat that has not folded"),
    Part.ALL_IN: PartInfo(_per_seat, "1 for a live seat without chips behind"),
    Part.BRING_IN: PartInfo(_per_seat, "1 for the seat that has, or had, to bring in"),
    Part.FIRST_TO_ACT: PartInfo(_per_seat, "1 for the seat whose exposed cards open the street"),
    Part.LAST_AGGRESSOR: PartInfo(
        _per_seat, "1 for the last seat to complete, bet or raise on this street"
    ),
    Part.TO_ACT: PartInfo(_per_seat, "1 for the seat to act"),
    Part.STREET_CHIPS: PartInfo(
        _per_seat, "chips put in on this street / the street's bet / (cap + 1)"
    ),
    Part.TOTAL_CHIPS: PartInfo(
        _per_seat, "square root of: chips put in this hand / what a hand can cost, at most 1"
    ),
    Part.STACK: PartInfo(
        _per_seat,
        "square root of: chips behind / what a hand can cost, at most 1 (more cannot matter)",
    ),
    Part.STREET: PartInfo(lambda _: (5,), "the street, third to seventh"),
    Part.ROUND: PartInfo(
        lambda _: (len(ROUND_NAMES),),
        "bets made / cap; raises left / cap; square root of: pot / what a hand can cost all seats; "
        "chips to call / the street's bet / (cap + 1); to call / (pot + to call); live opponents / "
        "seats dealt in; opponents with chips / seats dealt in; 1 while the bring-in is due",
    ),
    Part.STAKES: PartInfo(
        lambda _: (len(STAKE_NAMES),), "ante / (ante + big bet); bring-in / small bet; small / big"
    ),
    Part.BETTING: PartInfo(
        lambda seats: (5, seats, len(BETTING_NAMES)),
        "how often a seat has checked; called or brought in; completed, bet or raised, by street",
        float(LOG_SIZE),
    ),
    Part.OWN_LOW: PartInfo(
        lambda _: (PLAYED_CARDS,),
        "how low the own five lowest different ranks are, lowest first: ace 1, deuce 12/13 .. king "
        "1/13; 0 where there are not so many",
    ),
    Part.BOARD_LOWS: PartInfo(
        lambda seats: (seats, UP_CARDS), "the same for the up cards of every seat"
    ),
    Part.ACTION_LOG: PartInfo(
        lambda _: (LOG_SIZE, len(LOG_NAMES)),
        "all actions in order: (relative seat + 1) / 8; (action + 1) / 7; (street - 2) / 5; zeros "
        "after the last",
        modes=("infostate",),
    ),
}


@dataclass(frozen=True)
class Slice:
    """Where a part lies in the vector.

    Attributes:
        name: the part's name in lower case.
        start: index of its first number.
        shape: its shape; the numbers lie in C order.
        meaning: what the numbers say. Seats are relative: 0 is the observing seat, then clockwise.
        low, high: range of the numbers.
    """

    name: str
    start: int
    shape: Shape
    meaning: str
    low: float
    high: float

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.shape))

    @property
    def stop(self) -> int:
        """Index after its last number."""
        return self.start + self.size


class ObservationSpec:
    """The layout of an observation: its parts, size, bounds and documentation.

    Attributes:
        mode: "features", or "infostate" with the ordered action log: perfect recall up to suits.
            Where suits broke a tie of exposed cards and a tied seat was all-in, it forgets who was
            to open an earlier street; `first_to_act` tells that of the street in play alone.
        seats: number of seats the vector has room for.
        slices: the parts in order.
        size: D, the length of the vector.
        low, high: float32[D] bounds.
        offsets: int64[len(Part)], start of each part; -1 for a part this mode does not have.
    """

    def __init__(self, seats: int, mode: str) -> None:
        """Use `spec(...)`, which checks the arguments."""
        self.mode = mode
        self.seats = seats
        self.slices = _lay_out(seats, mode)
        self.size = self.slices[-1].stop
        self.low = np.concatenate([np.full(s.size, s.low, np.float32) for s in self.slices])
        self.high = np.concatenate([np.full(s.size, s.high, np.float32) for s in self.slices])
        starts = {s.name: s.start for s in self.slices}
        self.offsets = np.array([starts.get(part.name.lower(), -1) for part in Part], np.int64)
        for shared in (self.low, self.high, self.offsets):
            shared.flags.writeable = False

    @property
    def version(self) -> str:
        """Text that changes whenever the layout or its meaning does; models are bound to it."""
        layout = repr([(s.name, s.start, s.shape, s.meaning, s.high) for s in self.slices])
        digest = hashlib.sha256(layout.encode()).hexdigest()[:8]
        return f"{SPEC_VERSION}-{self.mode}-{self.seats}-{digest}"

    def __getitem__(self, name: str) -> Slice:
        """The part of this name.

        Raises:
            KeyError: no such part in this mode.
        """
        for part in self.slices:
            if part.name == name:
                return part
        names = ", ".join(part.name for part in self.slices)
        raise KeyError(f"The {self.mode} observation has no part {name!r}; it has {names}.")

    def split(self, vector: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """The parts of a vector float32[D] by name, each in its own shape (views)."""
        if vector.shape != (self.size,):
            raise ValueError(f"This observation has shape ({self.size},), not {vector.shape}.")
        return {
            part.name: vector[part.start : part.stop].reshape(part.shape) for part in self.slices
        }

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = ["| part | from | shape | range | meaning |", "|---|---|---|---|---|"]
        for part in self.slices:
            shape = " x ".join(str(side) for side in part.shape)
            rows.append(
                f"| `{part.name}` | {part.start} | {shape} | {part.low:g} to {part.high:g} "
                f"| {part.meaning} |"
            )
        return "\n".join(rows)

    def describe(self, vector: NDArray[np.float32]) -> str:
        """Text of a vector float32[D]: a line for each part, its numbers that are not zero."""
        lines = []
        for name, values in self.split(np.asarray(vector)).items():
            places = zip(*np.nonzero(values), strict=True)
            said = [f"{_label(name, place)} {values[place]:.3g}" for place in places]
            lines.append(f"{name}: {'; '.join(said) or '-'}")
        return "\n".join(lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObservationSpec) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)

    def __repr__(self) -> str:
        return f"<ObservationSpec {self.version}, {self.size} numbers>"


@lru_cache(typed=True)  # 6.0 is not taken for 6
def spec(num_players: int = 6, mode: str = "features", seats: int | None = None) -> ObservationSpec:
    """The layout for a table of `num_players` seats.

    Args:
        num_players: 2 to 8.
        mode: "features" or "infostate".
        seats: room for so many seats instead (padded with zeros), so that one network can play
            tables of different sizes.

    Raises:
        ValueError: an unknown mode or an impossible number of seats.
    """
    if mode not in MODES:
        raise ValueError(f"There is no observation mode {mode!r}; known: {', '.join(MODES)}.")
    if not is_whole(num_players) or not 2 <= num_players <= MAX_SEATS:
        raise ValueError(f"Razz is played by 2 to {MAX_SEATS} players, not {num_players}.")
    room = num_players if seats is None else seats
    if not is_whole(room) or not num_players <= room <= MAX_SEATS:
        raise ValueError(f"seats={room} must be a whole number, {num_players} to {MAX_SEATS}.")
    return ObservationSpec(int(room), mode)


def _lay_out(seats: int, mode: str) -> tuple[Slice, ...]:
    slices: list[Slice] = []
    start = 0
    for part, info in PARTS.items():
        if mode in info.modes:
            entry = Slice(part.name.lower(), start, info.shape(seats), info.meaning, 0.0, info.high)
            slices.append(entry)
            start = entry.stop
    return tuple(slices)


_STREETS = ("third", "fourth", "fifth", "sixth", "seventh")


def _seat(place: Any) -> str:
    return "me" if place == 0 else f"seat +{place}"


def _rank(place: Any) -> str:
    return RANKS[place]


def _street(place: Any) -> str:
    return _STREETS[place]


def _among(names: tuple[str, ...]) -> Callable[[Any], str]:
    return lambda place: names[place]


_AXES: dict[str, tuple[Callable[[Any], str], ...]] = {
    "own_down": (_rank,),
    "own_river": (_rank,),
    "up_cards": (_seat, _street, _rank),
    "community": (_rank,),
    "dead_ranks": (_rank,),
    "unseen_ranks": (_rank,),
    "street": (_street,),
    "round": (_among(ROUND_NAMES),),
    "stakes": (_among(STAKE_NAMES),),
    "betting": (_street, _seat, _among(BETTING_NAMES)),
    "own_low": (str,),
    "board_lows": (_seat, str),
    "action_log": (str, _among(LOG_NAMES)),
}


def _label(name: str, place: tuple[Any, ...]) -> str:
    axes = _AXES.get(name, (_seat,))
    return " ".join(axis(index) for axis, index in zip(axes, place, strict=True))
