"""Records through the engine: replaying, filling unknown cards, to and from a `Hand`.

The work is done for many records in one compiled call; a single hand is a batch of one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env.history.ending import End, Ends
from razz_env.history.kernels import COLUMNS, START_FAILED, UNKNOWN, play_hands
from razz_env.history.lows import low_text
from razz_env.history.making import moves_from_rows
from razz_env.history.record import (
    Award,
    HandRecord,
    HistoryError,
    Move,
    Seat,
    Showing,
    check_full_game,
)
from razz_env.rules.cards import DECK_SIZE, NO_CARD
from razz_env.rules.dealing import PLAN_TOO_SHORT
from razz_env.rules.hand import Hand
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.lowball import low_from_key
from razz_env.rules.record import CARDS_PER_SEAT, HAND, MAX_SEATS
from razz_env.rules.setup import blank_hands
from razz_env.rules.terms import NUM_ACTIONS, Action

_DRAWS = 400
"""How often unknown cards are drawn before the first draw is kept although it does not fit."""

_PADDING = [(NO_CARD,) * (CARDS_PER_SEAT - count) for count in range(CARDS_PER_SEAT + 1)]


@dataclass(frozen=True)
class Replays:
    """Records that were played through the engine.

    Attributes:
        records: what was played, unknown cards filled.
        hands: HAND[N], each after the moves that fit.
        fitted: how many moves fit, N; START_FAILED if the deal itself lacked cards.
        script: int64[M, COLUMNS], all moves, with the engine's actions and amounts where they fit.
        first: int64[N + 1], row of each hand's first move.
    """

    records: tuple[HandRecord, ...]
    hands: NDArray[Any]
    fitted: list[int]
    script: NDArray[np.int64]
    first: NDArray[np.int64]

    def hand(self, index: int) -> Hand:
        """A replayed hand as a friendly object."""
        return Hand(self.hands[index : index + 1])

    def moves(self, index: int) -> tuple[Move, ...]:
        """The moves of a hand in the engine's words."""
        return moves_from_rows(self.script[self.first[index] : self.first[index + 1]])

    @cached_property
    def ends(self) -> Ends:
        """How each hand ended; only of those that fit."""
        return Ends(self.hands)

    @cached_property
    def fits(self) -> list[bool]:
        """For each hand, whether all its moves fit and end it."""
        over = self.hands["public"]["over"].tolist()
        counts = (len(record.moves) for record in self.records)
        return [o == 1 and f == n for o, f, n in zip(over, self.fitted, counts, strict=True)]

    @property
    def finishing_stacks(self) -> NDArray[np.int64]:
        """int64[N, 8]: stacks at the end, before rake."""
        stacks: NDArray[np.int64] = self.hands["public"]["stack"].copy()
        return stacks


def replay(records: Iterable[HandRecord], rng: np.random.Generator | None = None) -> Replays:
    """Play records through the engine in one compiled call.

    Args:
        records: any records; unknown cards are filled first.
        rng: where unknown cards come from; a fixed stream if None.
    """
    filled = tuple(_filled(record, rng) for record in records)
    return _play(filled)


def replay_many(records: Iterable[HandRecord], chunk: int = 256) -> Iterator[Replays]:
    """`replay` over a long stream, `chunk` hands at a time."""
    waiting: list[HandRecord] = []
    for record in records:
        waiting.append(record)
        if len(waiting) == chunk:
            yield replay(waiting)
            waiting = []
    if waiting:
        yield replay(waiting)


def _play(records: Sequence[HandRecord]) -> Replays:
    hands = lay_out(records)
    moves = list(chain.from_iterable(chain.from_iterable(r.moves for r in records)))
    script = np.array(moves, np.int64).reshape(-1, COLUMNS)
    first = np.zeros(len(records) + 1, np.int64)
    np.cumsum([len(record.moves) for record in records], out=first[1:])
    fitted = np.zeros(len(records), np.int64)
    play_hands(hands, script, first, fitted, np.zeros(NUM_ACTIONS, np.int8))
    return Replays(tuple(records), hands, fitted.tolist(), script, first)


def lay_out(records: Sequence[HandRecord]) -> NDArray[Any]:
    """HAND[N] with each record's rules, stacks and cards; nothing dealt yet.

    Raises:
        HistoryError: a small variant or impossible cards.
    """
    blanks = b"".join(_blank(record.rules, len(record.seats)) for record in records)
    hands = np.frombuffer(bytearray(blanks), HAND)
    stacks: list[int] = []
    cards: list[int] = []
    for record in records:
        empty = MAX_SEATS - len(record.seats)
        for seat in record.seats:
            stacks.append(seat.stack)
            cards += seat.cards
            cards += _PADDING[len(seat.cards)]
        stacks += [0] * empty
        cards += _PADDING[0] * empty
    hands["public"]["starting_stack"] = np.array(stacks, np.int64).reshape(-1, MAX_SEATS)
    hands["plan"] = np.array(cards, np.int8).reshape(-1, MAX_SEATS, CARDS_PER_SEAT)
    shared = [NO_CARD if record.community is None else record.community for record in records]
    hands["plan_community"] = shared
    _check_cards(hands, records)
    return hands


def _check_cards(hands: NDArray[Any], records: Sequence[HandRecord]) -> None:
    """Refuse cards that the engine would look for in vain."""
    planned = hands["plan"].reshape(len(hands), -1)
    cards = np.sort(np.column_stack([planned, hands["plan_community"]]), axis=1)
    twice = (cards[:, 1:] == cards[:, :-1]) & (cards[:, 1:] != NO_CARD)
    wrong = np.flatnonzero(
        twice.any(axis=1) | (cards[:, 0] < NO_CARD) | (cards[:, -1] >= DECK_SIZE)
    )
    if len(wrong):
        name = records[int(wrong[0])].name
        raise HistoryError(f"{name} has a card that stands twice or does not exist.")


@lru_cache(maxsize=256)
def _blank(rules: HouseRules, num_seats: int) -> bytes:
    check_full_game(rules)
    hand = blank_hands(1, num_seats, rules, 1)
    hand["deck"] = np.arange(hand["deck"].shape[1])
    hand["planned"] = 1
    return hand.tobytes()


def fill(record: HandRecord, rng: np.random.Generator) -> HandRecord:
    """`HandRecord.fill`."""
    places = record.unknown_cards
    if not places:
        return record
    spare = _spare_cards(record)
    if len(spare) < len(places):
        raise HistoryError(f"{record.name} deals more cards than a deck has.")
    first = None
    for _ in range(_DRAWS):
        drawn = rng.permutation(spare)[: len(places)].tolist()
        candidate = _with_drawn(record, places, drawn)
        if not _draw_matters(record, places) or comes_out(candidate):
            return candidate
        first = first or candidate
    assert first is not None
    return first


def _filled(record: HandRecord, rng: np.random.Generator | None) -> HandRecord:
    if all(NO_CARD not in seat.cards for seat in record.seats):
        return record
    return fill(record, np.random.default_rng(0) if rng is None else rng)


def _spare_cards(record: HandRecord) -> list[int]:
    known = {card for seat in record.seats for card in seat.cards}
    return [card for card in range(52) if card not in known and card != record.community]


def _draw_matters(record: HandRecord, places: Iterable[tuple[int, int]]) -> bool:
    """Whether an unknown card decides who acts (an up card) or who wins (a hand shown down)."""
    live = record.live_seats
    shown_down = live if len(live) > 1 else ()
    return any(2 <= place <= 5 or seat in shown_down for seat, place in places)


def _with_drawn(
    record: HandRecord, places: tuple[tuple[int, int], ...], drawn: list[int]
) -> HandRecord:
    rows = [list(seat.cards) for seat in record.seats]
    for (seat, place), card in zip(places, drawn, strict=True):
        rows[seat][place] = card
    filled = record.with_cards(tuple(row) for row in rows)
    return replace(filled, filled=frozenset(places))


def comes_out(record: HandRecord) -> bool:
    """Whether a record without unknown cards replays to its end and to its own winners."""
    played = _play([record])
    if not played.fits[0]:
        return False
    winners = {award.seat for award in played.ends[0].awards}
    if record.awards:
        return winners == {award.seat for award in record.awards}
    mucked = {showing.seat for showing in record.showings if showing.mucked}
    return not winners & mucked


def to_hand(record: HandRecord, rng: np.random.Generator | None, moves: int | None) -> Hand:
    """`HandRecord.to_hand`."""
    if record.unknown_cards and rng is None:
        raise HistoryError(
            f"{record.name} has {len(record.unknown_cards)} unknown cards: give a numpy Generator "
            "to fill them, such as numpy.random.default_rng(0)."
        )
    wanted = record.moves if moves is None else record.moves[:moves]
    filled = record if rng is None else fill(record, rng)
    played = _play([replace(filled, moves=wanted)])
    if played.fitted[0] != len(wanted):
        raise HistoryError(f"{record.name}, {misfit(played, 0)}")
    return played.hand(0)


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first move of a hand that the rules do not take: `kind` and a sentence."""

    kind: str
    sentence: str
    move: int

    def __str__(self) -> str:
        return self.sentence


def misfit(played: Replays, index: int) -> Misfit:
    """What is wrong with a replayed hand that does not fit."""
    record, fitted, hand = played.records[index], played.fitted[index], played.hand(index)
    if fitted == START_FAILED or int(hand.record.planned) == PLAN_TOO_SHORT:
        return Misfit("cards", "the rules deal more cards than the file has.", max(fitted, 0))
    if fitted == len(record.moves):
        name = record.seats[hand.actor or 0].name
        return Misfit("unfinished", f"after the last action {name} still has to act.", fitted)
    move = record.moves[fitted]
    who = f"action {fitted + 1}, {record.seats[move.seat].name} {Action(move.action).name}"
    kind, why = _refusal(record, hand, move)
    return Misfit(kind, f"{who}: {why}", fitted)


def _refusal(record: HandRecord, hand: Hand, move: Move) -> tuple[str, str]:
    if hand.actor is None:
        return "actor", "the hand was over by then."
    if hand.street != move.street:
        return "street", f"it is of street {move.street}, but street {int(hand.street)} goes on."
    if hand.actor != move.seat:
        opens = hand.street == 3 and not int(hand.record.public.log_length)
        duty = "the bring-in is due from" if opens else "it was the turn of"
        return "bring-in" if opens else "actor", f"{duty} {record.seats[hand.actor].name}."
    action = Action(move.action)
    if action >= Action.COMPLETE:
        action = next((a for a in hand.legal_actions() if a >= Action.COMPLETE), action)
    if action not in hand.legal_actions():
        names = ", ".join(legal.name for legal in hand.legal_actions())
        return "action", f"that is not legal; legal: {names}."
    chips, to_chips = hand.amount(action), hand.to_amount(action)
    unknown = move.chips == UNKNOWN
    said = f"to {move.to_chips}" if unknown else f"{move.chips} to {move.to_chips}"
    return "amount", f"the file says {said}, the rules {chips} to {to_chips}."


def complete(record: HandRecord) -> HandRecord:
    """`HandRecord.completed`."""
    played = replay([record])
    if not played.fits[0]:
        raise HistoryError(f"{record.name}, {misfit(played, 0)}")
    return completed(played, 0)


def completed(played: Replays, index: int) -> HandRecord:
    """The record of a hand that fits, with all amounts, and its end where the file has none."""
    record, end = played.records[index], played.ends[index]
    return replace(
        record,
        seats=_hide(record.seats, record.filled),
        filled=frozenset(),
        finishing_stacks=(),
        moves=played.moves(index),
        returned=record.returned or end.returned,
        pots=record.pots or end.pots,
        total_pot=sum(end.pots) if record.total_pot is None else record.total_pot,
        awards=_kept_awards(record, end),
        rake=record.rake or sum(end.pots) - sum(end.shares),
        showings=_named(record.showings, end) or end.showdown,
    )


def _kept_awards(record: HandRecord, end: End) -> tuple[Award, ...]:
    """The file's awards, unless it does not tell the pots apart; none where the rake took all."""
    if not record.awards and record.rake == sum(end.pots):
        return ()
    plain = len(end.pots) == 1 or any(award.pot for award in record.awards)
    return record.awards if record.awards and (record.rake or plain) else end.awards


def _hide(seats: tuple[Seat, ...], filled: frozenset[tuple[int, int]]) -> tuple[Seat, ...]:
    if not filled:
        return seats
    return tuple(
        seat._replace(
            cards=tuple(
                NO_CARD if (number, place) in filled else card
                for place, card in enumerate(seat.cards)
            )
        )
        for number, seat in enumerate(seats)
    )


def _named(showings: tuple[Showing, ...], end: End) -> tuple[Showing, ...]:
    """The file's showdown with the name of every shown low."""
    return tuple(
        s
        if s.mucked or s.low or s.seat not in end.keys
        else s._replace(low=low_text(low_from_key(end.keys[s.seat])))
        for s in showings
    )
