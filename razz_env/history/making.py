"""Records of hands that were played in the engine, one or many at a time."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.history.ending import End, Ends
from razz_env.history.kernels import COLUMNS, retell_hands
from razz_env.history.record import HandRecord, HistoryError, Move, Seat, check_full_game
from razz_env.rules.cards import NO_CARD
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.record import HAND, RULES


def from_hand(hand: Hand, like: HandRecord | None, facts: dict[str, Any]) -> HandRecord:
    """`HandRecord.from_hand`."""
    array = np.frombuffer(bytearray(hand.record.tobytes()), HAND)
    names = facts.pop("names", None)
    if names is not None and (isinstance(names, str) or len(names) != hand.num_players):
        raise HistoryError(f"names={names!r} must be {hand.num_players} names, one for each seat.")
    record = records_of(array, names)[0]
    if like is None:
        return replace(record, **facts) if facts else record
    engine: dict[str, Any] = {
        "rules": record.rules,
        "seats": tuple(map(_like_seat, record.seats, like.seats)),
        "moves": record.moves,
        "returned": record.returned,
        "pots": record.pots,
        "total_pot": record.total_pot,
        "rake": like.rake or record.rake,
        "finishing_stacks": (),
        "community": record.community,
        "awards": like.awards if like.rake else record.awards,
        "showings": record.showings,
    }
    return replace(like, **{**engine, **facts})


def _like_seat(seat: Seat, model: Seat) -> Seat:
    """The seat with the model's name and number, and its unknown cards unknown."""
    shown = model.cards + seat.cards[len(model.cards) :]
    cards = tuple(
        NO_CARD if known == NO_CARD else card for card, known in zip(seat.cards, shown, strict=True)
    )
    return seat._replace(name=model.name, number=model.number, cards=cards)


def records_of(hands: NDArray[Any], names: Sequence[str] | None = None) -> list[HandRecord]:
    """The records of many finished hands, such as those of `make_batch`.

    Args:
        hands: HAND[N]; they are not changed.
        names: one for each seat of the largest table; "Player1", "Player2", ... if None.

    Raises:
        HistoryError: a hand that is not over, or of a small variant, or has more seats than names.
    """
    if not hands["public"]["over"].all():
        raise HistoryError("Only a finished hand has a record; this one waits for an action.")
    rules = [_rules_of(part.tobytes()) for part in hands["public"]["rules"]]
    for house in set(rules):
        check_full_game(house)
    moves = moves_of(hands)
    ends = Ends(hands)
    names = [f"Player{number}" for number in range(1, 9)] if names is None else names
    most = int(hands["public"]["num_seats"].max(initial=0))
    if len(names) < most:
        raise HistoryError(f"There are {len(names)} names for tables of up to {most} seats.")
    seats = _seats_of(hands, names)
    shared = hands["public"]["community"].tolist()
    return [_record(rules[i], seats[i], moves[i], ends[i], shared[i]) for i in range(len(hands))]


def _record(
    rules: HouseRules, seats: tuple[Seat, ...], moves: tuple[Move, ...], end: End, shared: int
) -> HandRecord:
    return HandRecord(
        rules=rules,
        seats=tuple(seat._replace(ante=min(rules.ante, seat.stack)) for seat in seats),
        moves=moves,
        showings=end.showdown,
        awards=end.awards,
        returned=end.returned,
        pots=end.pots,
        total_pot=sum(end.pots),
        rake=sum(end.pots) - sum(end.shares),
        community=None if shared == NO_CARD else shared,
    )


@lru_cache(maxsize=256)
def _rules_of(numbers: bytes) -> HouseRules:
    return HouseRules.from_record(np.frombuffer(numbers, RULES)[0])


def _seats_of(hands: NDArray[Any], names: Sequence[str]) -> list[tuple[Seat, ...]]:
    public = hands["public"]
    rows = zip(
        public["num_seats"].tolist(),
        public["starting_stack"].tolist(),
        public["up"].tolist(),
        hands["down"].tolist(),
        strict=True,
    )
    return [
        tuple(
            Seat(names[seat], seat + 1, stacks[seat], 0, _own_cards(up[seat], down[seat]))
            for seat in range(size)
        )
        for size, stacks, up, down in rows
    ]


def _own_cards(up: list[int], down: list[int]) -> tuple[int, ...]:
    return tuple(card for card in (*down[:2], *up, down[2]) if card != NO_CARD)


def moves_of(hands: NDArray[Any]) -> list[tuple[Move, ...]]:
    """The actions of many hands so far, with their amounts."""
    again = hands.copy()
    again["planned"] = 0
    lengths = hands["public"]["log_length"].astype(np.int64)
    first = np.concatenate([[0], np.cumsum(lengths)])
    rows = np.zeros((int(first[-1]), COLUMNS), np.int64)
    retell_hands(again, hands["public"]["log"].copy(), first, rows)
    moves = moves_from_rows(rows)
    bounds = first.tolist()
    return [moves[a:b] for a, b in pairwise(bounds)]


def moves_from_rows(rows: NDArray[np.int64]) -> tuple[Move, ...]:
    """Moves from rows of int64[N, COLUMNS]."""
    return tuple(
        Move(seat, street, action, chips, to_chips, bool(all_in))
        for seat, street, action, chips, to_chips, all_in in rows.tolist()
    )
