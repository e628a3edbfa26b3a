"""What a player does with every starting hand: 91 pairs of down cards by 13 door cards."""

from dataclasses import dataclass
from math import comb
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.inspection.action_chances import chances
from agents.inspection.random_boards import Facing, random_views
from agents.inspection.spot import SpotError, read_spot
from razz_env.envs.agent import Agent
from razz_env.equity import PAIRS
from razz_env.rules.cards import RANKS
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.record import SEAT_VIEW
from razz_env.rules.seat_view import seat_view
from razz_env.rules.setup import StacksLike
from razz_env.rules.terms import Action

__all__ = ["Facing", "Scene", "StartingHands", "starting_hands"]

Floats: TypeAlias = NDArray[np.float64]
Deed = Literal["raise", "call", "fold"]
DEEDS: dict[Deed, tuple[Action, ...]] = {
    "raise": (Action.COMPLETE, Action.BET, Action.RAISE),
    "call": (Action.CALL, Action.CHECK, Action.BRING_IN),
    "fold": (Action.FOLD,),
}
"""What a starting hand may do, in the words of the picture: to complete is to raise."""


@dataclass(frozen=True)
class Scene:
    """In which spot the starting hands are held.

    Attributes:
        hand: a spot with unknown own cards, "(xx)x | K | 7f"; None for boards at random.
        actions: what was done before it, see `read_spot`.
        facing: at random boards, what has been done.
        players: seats at random boards.
        boards: random boards for each starting hand.
        rules: house rules.
        stacks: chips at the start, for all or in the order of the spot.
        seat: the own seat in a given spot.
    """

    hand: str | None = None
    actions: str | None = None
    facing: Facing = "nothing"
    players: int = 6
    boards: int = 40
    rules: HouseRules = HouseRules()  # noqa: RUF009, it is frozen
    stacks: StacksLike = 500
    seat: int = 0

    @property
    def text(self) -> str:
        """The spot in words."""
        if self.hand is not None:
            return self.hand if self.actions is None else f"{self.hand}, {self.actions}"
        table = "heads-up" if self.players == 2 else f"{self.players} players"
        kind = "first in" if self.facing == "nothing" else "facing a completion"
        return f"{kind}, {table}, {self.boards} random boards a hand"


@dataclass(frozen=True, eq=False)
class StartingHands:
    """What a player does with every starting hand.

    Attributes:
        player: its name.
        scene: the spot.
        shares: float64[91, 13, 3], how often it raises (or completes), calls and folds, by down
            cards in the order of `razz_env.equity.PAIRS` and door rank; NaN where the spot cannot
            be, as the own door would have to bring in.
        samples: how often it was asked about a hand on one board; None if it tells its chances.
    """

    player: str
    scene: Scene
    shares: Floats
    samples: int | None

    def by_door(self) -> Floats:
        """Shares float64[13, 3] with each door, hands weighed by their numbers of combinations."""
        weights = np.where(np.isnan(self.shares[:, :, 0]), 0.0, combinations())
        sums = np.einsum("pd,pda->da", weights, np.nan_to_num(self.shares))
        with np.errstate(invalid="ignore"):
            share: Floats = sums / weights.sum(axis=0)[:, np.newaxis]
        return share

    def rows(self) -> list[tuple[str, str, float | None, float | None, float | None]]:
        """Door, down cards and the three shares of every starting hand; None where it cannot be."""
        found = []
        for door, name in enumerate(RANKS):
            for pair, (low, high) in enumerate(PAIRS):
                values = [None if np.isnan(v) else float(v) for v in self.shares[pair, door]]
                found.append((name, RANKS[low] + RANKS[high], *values))
        return found  # type: ignore[return-value]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, for JSON."""
        names = ("door", "down", *DEEDS)
        return {
            "player": self.player,
            "spot": self.scene.text,
            "samples": self.samples,
            "hands": [dict(zip(names, row, strict=True)) for row in self.rows()],
        }


def combinations() -> Floats:
    """float64[91, 13], in how many ways each starting hand can be dealt, suits told apart."""
    ways = np.zeros((len(PAIRS), len(RANKS)))
    for pair, (low, high) in enumerate(PAIRS):
        for door in range(len(RANKS)):
            down = {rank: (low, high).count(rank) for rank in (low, high)}
            free = {rank: 4 - (rank == door) for rank in down}
            ways[pair, door] = 4 * np.prod([comb(free[rank], n) for rank, n in down.items()])
    return ways


def starting_hands(
    player: Agent, scene: Scene, *, samples: int = 1000, seed: int = 0
) -> StartingHands:
    """Ask a player about every starting hand.

    On random boards a player that does not tell its probabilities acts once on each board.

    Args:
        player: the one to ask.
        scene: the spot.
        samples: how often it acts with a hand in a given spot.
        seed: of boards and samples.

    Raises:
        SpotError: a given spot that cannot be with any hand, or is not of third street.
        ValueError: numbers out of range, or a player that fails to answer.
    """
    _check_full_deck(scene.rules)
    rng = np.random.default_rng(seed)
    if scene.hand is None:
        samples = 1
        cells, views = random_views(
            scene.rules, scene.stacks, scene.players, scene.facing, scene.boards, rng
        )
    else:
        cells, views = _given_views(scene)
    told = chances(player, views, samples, rng)
    grouped = np.stack([told.shares[:, list(deeds)].sum(axis=1) for deeds in DEEDS.values()], 1)
    sums = np.zeros((len(PAIRS) * len(RANKS), len(DEEDS)))
    np.add.at(sums, cells, grouped)
    counts = np.bincount(cells, minlength=len(sums))[:, np.newaxis]
    with np.errstate(invalid="ignore"):
        shares = (sums / counts).reshape(len(PAIRS), len(RANKS), len(DEEDS))
    return StartingHands(player.name, scene, shares, told.samples)


def _check_full_deck(rules: HouseRules) -> None:
    if (rules.deck_ranks, rules.deck_suits, rules.third_street) != (13, 4, 2):
        raise ValueError("Starting hands are drawn for the full game, not for its small variants.")


def _given_views(scene: Scene) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Cells int64[K] and views SEAT_VIEW[K] of the starting hands that a given spot may hold."""
    assert scene.hand is not None
    own, bar, others = scene.hand.partition("|")
    if own.replace(" ", "").lower() not in ("(xx)x", "[xx]x"):
        raise SpotError(
            f"The own cards of a spot for all starting hands are unknown: write (xx)x | ..., not "
            f"{own.strip()!r}."
        )
    cells, hands, first = [], [], None
    for pair, (low, high) in enumerate(PAIRS):
        for door in range(len(RANKS)):
            text = f"({RANKS[low]}{RANKS[high]}){RANKS[door]}{bar}{others}"
            try:
                hands.append(_hand(text, scene))
                cells.append(pair * len(RANKS) + door)
            except SpotError as error:
                first = error if first is None else first
    if not hands:
        raise first or SpotError("The spot cannot be.")
    views = np.zeros(len(hands), SEAT_VIEW)
    for hand, view in zip(hands, views, strict=True):
        seat_view(hand.record, scene.seat, view)
    return np.array(cells), views


def _hand(text: str, scene: Scene) -> Any:
    return read_spot(
        text, actions=scene.actions, rules=scene.rules, stacks=scene.stacks, seat=scene.seat
    )
