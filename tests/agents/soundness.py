"""Facts that a sound Razz player knows, each measured as a rate over spots of real games.

`python -m tests.agents.soundness` prints the one that networks are slowest to learn, at every size.

A fact is a function of a player, the number of seats and how many spots; none of them knows how the
player decides. Where it tells its chances (`action_probabilities`) these count, else it is asked
often and what it does is counted.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from agents.players.network import shipped, trained
from razz_env import Action, Hand, HouseRules
from razz_env.envs.agent import Agent
from razz_env.equity import equity

from .games import NOTHING, Spots, spots_of_games, with_deck

FOLD, CHECK, RAISE = Action.FOLD, Action.CHECK, Action.RAISE
AGGRESSIVE = [Action.COMPLETE, Action.BET, Action.RAISE]
FIVE, SIX, EIGHT, KING = 4, 5, 7, 12
WHEEL = (1 << FIVE + 1) - 1  # the set of the ranks ace to five
TRIED = {True: 10, False: 20}
"""Spots that are looked through for each pair: at more than two seats, and heads-up."""
LEAST_EQUITY = 0.015
"""By which the equity of a pair must differ: else nothing shows which way is the right one."""
TIMES = 40
"""How often a player that does not tell its chances is asked in each spot."""


def chances_of(player: Agent, views: Any, masks: Any, seed: int = 0) -> Any:
    """The chances float64[K, 7] of all actions in these spots."""
    tell = getattr(player, "action_probabilities", None)
    if tell is not None:
        return tell(views, np.zeros((len(views), 0), np.float32), masks)
    counts = np.zeros(masks.shape)
    rows = np.arange(len(views))
    for time in range(TIMES):
        rng = np.random.default_rng([seed, time])  # the same luck for spots that are compared
        counts[rows, player.act(views, NOTHING, masks, rng)] += 1
    return counts / TIMES


# ---- the facts


def king_door_folds(player: Agent, num_players: int, count: int = 100, seed: int = 1) -> float:
    """How often it folds a king door to a completion by a low door.

    Somebody with an ace to a six up has completed, and nobody has raised. None of the hole cards is
    low, or they are a pair: with two low ones the bring-in has the price for a call.
    """
    spots = spots_of_games(_king_door, num_players, count, seed)
    return float(chances_of(player, spots.views, spots.masks)[:, FOLD].mean())


def wheel_draw_continues(
    player: Agent, num_players: int, street: int, count: int = 100, seed: int = 2
) -> float:
    """How often it does not fold four cards to a wheel to a bet on fourth or fifth street.

    At least three cards of the rank that makes the wheel are not seen.
    """
    question = {4: _wheel_draw_on_fourth, 5: _wheel_draw_on_fifth}[street]
    spots = spots_of_games(question, num_players, count, seed)
    return 1 - float(chances_of(player, spots.views, spots.masks)[:, FOLD].mean())


def free_fold(player: Agent, num_players: int, count: int = 200, seed: int = 3) -> float:
    """The largest chance that it folds where it may check, under rules that allow that."""
    rules = HouseRules.preset("full_tilt", fold_when_check_is_free=True)
    spots = spots_of_games(_may_check_or_fold, num_players, count, seed, rules)
    return float(chances_of(player, spots.views, spots.masks)[:, FOLD].max())


class Raises(NamedTuple):
    """How often the best hand is raised: on average, and where it is raised least."""

    mean: float
    least: float


def wheel_raises(player: Agent, num_players: int, count: int = 60, seed: int = 4) -> Raises:
    """How often it raises with a wheel on the river where it is bet into by one opponent left."""
    spots = spots_of_games(_wheel_on_the_river, num_players, count, seed)
    chances = chances_of(player, spots.views, spots.masks)[:, RAISE]
    return Raises(float(chances.mean()), float(chances.min()))


class Moves(NamedTuple):
    """Which way choices move where low cards are dead instead of alive.

    Attributes:
        right: share of the spots, among those in which they move, in which it plays more
            carefully: fewer bets and raises, more folds.
        moved: in how many spots they move.
        asked: in how many spots it was asked.
    """

    right: float
    moved: int
    asked: int


def dead_cards_move(
    player: Agent, num_players: int, count: int = 200, seed: int = 5, least: float = 0.002
) -> Moves:
    """How its choices move between pairs of spots that differ in a few dead cards only.

    In one of a pair the cards that it sees gone are of ranks that it needs, in the other of ranks
    that it holds. Both are low, since a low door that folded shows a player who folds at random.
    Everything else is the same: the own cards, the actions.

    Args:
        player: the player.
        num_players: a bet of the only opponent left is to be called with a draw. At more than two
            seats the cards are doors of those who have folded; heads-up, where none have, up cards
            of the opponent on fifth street, a pip lower or higher where they are needed. In every
            pair they cost equity, so that heads-up it does not come from the opponent's board.
            (Elsewhere it would not be plain what is right: on third street dead low cards hurt
            those who are to be stolen from as well, and where a check is free the better hand may
            be the one to check, and to raise.)
        count: pairs to ask about.
        seed: of the games.
        least: a smaller difference of (chance to bet or raise) - (chance to fold) is no move.
    """
    alive, dead = _pairs(num_players, count, seed)
    boldness = []
    for spots in (alive, dead):
        chances = chances_of(player, spots.views, spots.masks)
        boldness.append(chances[:, AGGRESSIVE].sum(axis=1) - chances[:, FOLD])
    change = boldness[0] - boldness[1]
    moved = np.abs(change) > least
    right = float((change[moved] > 0).mean()) if moved.any() else 0.0
    return Moves(right, int(moved.sum()), count)


# ---- which spots


def _ranks(cards: Any) -> Any:
    """The sets int64[K] of the ranks of cards int8[K, n]; -1 is no card."""
    bits = np.where(cards >= 0, 1 << (np.maximum(cards, 0).astype(np.int64) >> 2), 0)
    return np.bitwise_or.reduce(bits, axis=1)


def _size(ranks: Any) -> Any:
    return np.bitwise_count(ranks)


def _own(views: Any) -> Any:
    """The ranks in the own hand, int64[K]."""
    rows = np.arange(len(views))
    up = views["public"]["up"][rows, views["seat"]]
    return _ranks(np.concatenate([views["down"], up], axis=1))


def _king_door(views: Any, masks: Any) -> Any:
    rows, public = np.arange(len(views)), views["public"]
    door = public["up"][rows, views["seat"], 0] >> 2
    opener = public["aggressor"][:, 0]
    their_door = public["up"][rows, opener, 0] >> 2
    low = _size(_ranks(views["down"][:, :2]) & ((1 << EIGHT + 1) - 1))
    paired = _size(_ranks(views["down"][:, :2])) == 1
    third = (public["street"] == 3) & (public["bets"] == 1) & (opener >= 0)
    hopeless = paired | (low == 0)
    return third & (door == KING) & (their_door <= SIX) & hopeless & (masks[:, FOLD] == 1)


def _wheel_draw(views: Any, masks: Any, street: int) -> Any:
    public, own = views["public"], _own(views)
    missing = WHEEL & ~own
    draws = (_size(missing) == 1) & (_size(own & ((1 << EIGHT + 1) - 1)) < 5)
    seen = public["up"].reshape(len(views), -1)
    wanted = np.log2(np.maximum(missing, 1)).astype(np.int64)[:, None]
    gone = ((seen >> 2) == wanted).sum(axis=1)
    faced = (masks[:, FOLD] == 1) & (masks[:, CHECK] == 0)
    return (public["street"] == street) & draws & (gone <= 1) & faced


def _wheel_draw_on_fourth(views: Any, masks: Any) -> Any:
    return _wheel_draw(views, masks, 4)


def _wheel_draw_on_fifth(views: Any, masks: Any) -> Any:
    return _wheel_draw(views, masks, 5)


def _may_check_or_fold(views: Any, masks: Any) -> Any:
    return (masks[:, FOLD] & masks[:, CHECK]) == 1


def _wheel_on_the_river(views: Any, masks: Any) -> Any:
    public = views["public"]
    made = (_own(views) & WHEEL) == WHEEL
    alone = (public["live"] == 1).sum(axis=1) == 2
    faced = (masks[:, RAISE] == 1) & (masks[:, CHECK] == 0)
    return (public["street"] == 7) & made & alone & faced


def _faced_draw(views: Any, masks: Any) -> Any:
    """A bet is to be called with a draw against one opponent left, others have folded."""
    public, low = views["public"], _size(_own(views) & ((1 << EIGHT + 1) - 1))
    street, left = public["street"], (public["live"] == 1).sum(axis=1)
    drawing = ((street == 5) & (low >= 3) & (low < 5)) | ((street == 6) & (low == 4))
    alone = (left == 2) & (public["num_seats"] > left)
    return drawing & alone & (masks[:, FOLD] == 1) & (masks[:, CHECK] == 0)


def _draw_on_fifth(views: Any, masks: Any) -> Any:
    """The same heads-up, on fifth street."""
    low = _size(_own(views) & ((1 << EIGHT + 1) - 1))
    faced = (masks[:, FOLD] == 1) & (masks[:, CHECK] == 0)
    return (views["public"]["street"] == 5) & (low >= 3) & (low < 5) & faced


# ---- pairs of spots


@cache
def _pairs(num_players: int, count: int, seed: int) -> tuple[Spots, Spots]:
    """So many pairs of spots, with needed cards alive and dead."""
    question = _faced_draw if num_players > 2 else _draw_on_fifth
    candidates = spots_of_games(question, num_players, count * TRIED[num_players > 2], seed)
    pairs = (_pair(record) for record in candidates.hands)
    found = list(islice((pair for pair in pairs if pair is not None), count))
    assert len(found) == count, f"Only {len(found)} of {count} pairs come up."
    alive, dead = zip(*found, strict=True)
    return tuple(  # type: ignore[return-value]
        Spots(np.concatenate([hand.array for hand in hands])) for hands in (alive, dead)
    )


def _pair(record: Any) -> tuple[Hand, Hand] | None:
    """The hand with cards of others that are of no use to who acts, and with such as it needs."""
    swaps = _folded_doors(record) if record.public.num_seats > 2 else _cards_of_rival(record)
    hands = [with_deck(record, _exchanged(record, swap)) for swap in swaps if swap]
    if len(hands) < 2 or hands[0] is None or hands[1] is None:
        return None
    alive, dead = hands
    if _equity(alive) - _equity(dead) < LEAST_EQUITY:
        return None
    return alive, dead


def _equity(hand: Hand) -> float:
    """The equity of who acts, against any two down cards of the one opponent left."""
    me, live = hand.actor, hand.array[0].public.live
    assert me is not None
    mine = (*hand.down_cards(me), *hand.up_cards(me))
    others = [seat for seat in range(hand.num_players) if seat != me]
    (rival,) = (seat for seat in others if live[seat])
    gone = [card for seat in others if not live[seat] for card in hand.up_cards(seat)]
    theirs = (-1, -1, *hand.up_cards(rival))
    return float(equity([mine, theirs], dead=gone, method="exact").equities[0])


def _exchanged(record: Any, swaps: list[tuple[int, int]]) -> list[int]:
    """The deck with the cards of each pair in each other's place."""
    deck: list[int] = record.deck.tolist()
    for one, other in swaps:
        i, j = deck.index(one), deck.index(other)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def _held(record: Any) -> set[int]:
    """The ranks in the hand of who acts."""
    seat = record.public.actor
    cards = [*record.down[seat].tolist(), *record.public.up[seat].tolist()]
    return {card >> 2 for card in cards if card >= 0}


def _folded_doors(record: Any) -> list[list[tuple[int, int]]]:
    """Single up cards of those who folded, for low cards that are held and for needed ones."""
    public, held = record.public, _held(record)
    gone = [
        int(public.up[seat, 0])
        for seat in range(public.num_seats)
        if not public.live[seat] and public.up[seat, 1] < 0
    ]
    low = set(range(EIGHT + 1))
    return [_matched(record, gone, ranks) for ranks in (low & held, low - held)]


def _matched(record: Any, gone: list[int], ranks: set[int]) -> list[tuple[int, int]]:
    """Each of these cards with one of the stub of such a rank; none if the stub has too few."""
    stub = [card for card in record.deck[record.next_card :].tolist() if card >> 2 in ranks]
    kept = [card for card in gone if card >> 2 in ranks]
    moved = [card for card in gone if card >> 2 not in ranks]
    if len(stub) < len(moved) or not gone:
        return []
    return [*((card, card) for card in kept), *zip(moved, stub, strict=False)]


def _cards_of_rival(record: Any) -> list[list[tuple[int, int]]]:
    """Up cards of the only opponent for such of ranks that who acts holds, and for needed ones."""
    public, held = record.public, _held(record)
    shown = [int(card) for card in public.up[1 - public.actor] if card >= 0]
    stub = record.deck[record.next_card :].tolist()
    taken = {card >> 2 for card in shown}
    alive: list[tuple[int, int]] = []
    dead: list[tuple[int, int]] = []
    for card in shown:
        for useless, needed in _neighbours(card >> 2, held):
            picks = [_of_rank(rank, card, stub) for rank in (useless, needed)]
            if None not in picks and not {useless, needed} & (taken - {card >> 2}):
                alive.append((card, picks[0]))  # type: ignore[arg-type]
                dead.append((card, picks[1]))  # type: ignore[arg-type]
                taken |= {useless, needed}
                break
    return [alive, dead]


def _neighbours(rank: int, held: set[int]) -> list[tuple[int, int]]:
    """Pairs of a held rank and a low one, a pip away, that is needed; one of them is this rank."""
    pairs = [(rank, rank - 1), (rank, rank + 1), (rank - 1, rank), (rank + 1, rank)]
    return [
        (useless, needed)
        for useless, needed in pairs
        if useless in held and needed not in held and 0 <= needed <= EIGHT
    ]


def _of_rank(rank: int, card: int, stub: list[int]) -> int | None:
    """The card itself if it is of this rank, else one of the stub."""
    return card if card >> 2 == rank else next((c for c in stub if c >> 2 == rank), None)


def main() -> None:
    """Print how often dead cards move the shipped networks the right way."""
    for name in shipped():
        player = trained(name)
        for size in player.table_sizes:
            moves = dead_cards_move(player, size, 400)
            print(f"{name}, {size} seats: {moves.right:.0%} of {moves.moved} spots", flush=True)


if __name__ == "__main__":
    main()
