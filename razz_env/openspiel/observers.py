"""What players of the OpenSpiel game see: tensors by the project's layouts, and strings.

The information state is all that a seat has seen, exactly: its own cards, every up card with its
suit, folded seats' included, and all actions in order. The two down cards of third street come
without an order, as a player picks them up together. Where chance deals ranks, suits are left out
and the seat with the highest door card stands for the suits that broke the tie.
"""

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from razz_env._jit import atomic
from razz_env.observation.encoding import encode_seat, relative_seat
from razz_env.observation.scale import scale_of
from razz_env.observation.spec import spec
from razz_env.rules.action_log import log_action, log_seat
from razz_env.rules.cards import DECK_SIZE, NO_CARD, RANKS, SUITS, format_card
from razz_env.rules.record import (
    DOWN_CARDS,
    HAND,
    MAX_SEATS,
    PUBLIC,
    SHOWN,
    UP_CARDS,
    Record,
)

Floats = NDArray[np.float32]
Pieces = list[tuple[str, tuple[int, ...]]]

_BYTES = 256
_CARD_TEXT = [format_card(card) for card in range(DECK_SIZE)] + [""] * (_BYTES - DECK_SIZE)
_RANK_TEXT = [RANKS[card >> 2] for card in range(DECK_SIZE)] + [""] * (_BYTES - DECK_SIZE)
_MOVE_TEXT = [
    f"{log_seat(entry)}{'fkciobr'[min(log_action(entry), 6)]}" for entry in range(MAX_SEATS * 8)
]
"""Texts by the value of a byte: 255 is -1, no card and no seat."""


def _place(name: str) -> int:
    """Where a public field begins in the bytes of a record."""
    assert HAND.fields is not None
    assert PUBLIC.fields is not None
    return int(HAND.fields["public"][1]) + int(PUBLIC.fields[name][1])


_UP, _LOG, _LOG_LENGTH = _place("up"), _place("log"), _place("log_length")
_COMMUNITY, _OVER = _place("community"), _place("over")
_SHOWN, _SHOWN_DOWN = _place("shown"), _place("shown_down")
_DOWN = int(HAND.fields["down"][1]) if HAND.fields else 0


class RazzObserver:
    """What a player sees, as OpenSpiel's observers give it.

    Attributes:
        tensor: float32[size], written by `set_from`.
        dict: its named parts. "features" is `razz_env.observation.spec(num_players)`; with
            perfect recall "infostate" is that of the mode "infostate", "player" says which seat
            looks on, and suits follow: "down" and "river" by card, "up" (relative seat, street,
            suit) and "community"; or, where chance deals ranks, "door", the seat with the highest
            door card.
    """

    def __init__(
        self,
        num_players: int,
        by_rank: bool,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: dict[str, Any] | None = None,
    ) -> None:
        """An observer for a table of so many seats.

        Raises:
            ValueError: parameters, or a kind of observation other than one player's view.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        _check_kind(kind, params)
        self._num_players, self._by_rank = num_players, by_rank
        self._recalls = kind.perfect_recall
        layout = spec(num_players, "infostate" if self._recalls else "features")
        self._offsets, self._size = layout.offsets.copy(), layout.size
        pieces = self._pieces()
        self.tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in pieces), np.float32)
        self.dict: dict[str, Floats] = {}
        start = 0
        for name, shape in pieces:
            part = self.tensor[start : start + int(np.prod(shape))]
            self.dict[name] = part.reshape(shape)
            start += len(part)

    def _pieces(self) -> Pieces:
        if not self._recalls:
            return [("features", (self._size,))]
        seats = self._num_players
        pieces: Pieces = [("infostate", (self._size,)), ("player", (seats,))]
        if self._by_rank:
            return [*pieces, ("door", (seats,))]
        return [
            *pieces,
            ("down", (DECK_SIZE,)),
            ("river", (DECK_SIZE,)),
            ("up", (seats, UP_CARDS, len(SUITS))),
            ("community", (len(SUITS),)),
        ]

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees of a state."""
        hands, out = state.table.array, self.tensor
        _look(hands, player, self._offsets, self._num_players, out[: self._size])
        if self._recalls:
            rest = out[self._size :]
            rest[:] = 0
            rest[player] = 1
            if not self._by_rank:
                _write_suits(hands, player, rest[self._num_players :])
            elif (door := self._door(hands.tobytes())) is not None:
                rest[self._num_players + door] = 1

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees of a state, as text."""
        array = state.table.array
        seen = self._cards(array.tobytes(), player)
        if self._recalls:
            return seen
        return f"{seen} | {_chips(array[0].public, self._num_players)}"

    def _cards(self, data: bytes, player: int) -> str:
        """The cards that a player has seen, and with perfect recall the actions."""
        texts = _RANK_TEXT if self._by_rank else _CARD_TEXT
        own = _DOWN + player * DOWN_CARDS
        down = "".join([texts[card] for card in sorted(data[own : own + 2])])
        boards = [
            "".join([texts[card] for card in data[at : at + UP_CARDS]])
            for at in range(_UP, _UP + self._num_players * UP_CARDS, UP_CARDS)
        ]
        seen = f"{player} {down} {texts[data[own + 2]]} {' '.join(boards)}"
        if data[_COMMUNITY] < DECK_SIZE:
            seen += f" +{texts[data[_COMMUNITY]]}"
        if data[_OVER]:
            seen += self._shown(data, texts)
        if not self._recalls:
            return seen
        log = data[_LOG : _LOG + int.from_bytes(data[_LOG_LENGTH : _LOG_LENGTH + 2], "little")]
        if self._by_rank:
            door = self._door(data)
            seen += " ^" if door is None else f" ^{door}"
        return f"{seen} {''.join([_MOVE_TEXT[entry] for entry in log])}"

    def _door(self, data: bytes) -> int | None:
        """The seat with the highest door card, which an all-in seat may be without opening."""
        doors = data[_UP : _UP + self._num_players * UP_CARDS : UP_CARDS]
        return None if doors[0] >= DECK_SIZE else doors.index(max(doors))

    def _shown(self, data: bytes, texts: list[str]) -> str:
        told = ""
        for seat in range(self._num_players):
            if data[_SHOWN + seat] == SHOWN:
                at = _SHOWN_DOWN + seat * DOWN_CARDS
                told += f" {seat}:{''.join([texts[card] for card in data[at : at + DOWN_CARDS]])}"
        return told


def _check_kind(kind: pyspiel.IIGObservationType, params: dict[str, Any] | None) -> None:
    if params:
        raise ValueError(f"Razz has no parameters of observations; {params} were given.")
    if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
        raise ValueError(
            "Razz observes what one player sees: public_info=True and "
            f"private_info=SINGLE_PLAYER, not {kind}."
        )


def _chips(public: Any, num_players: int) -> str:
    """The state of the betting, without how it came about."""
    stacks, bets = public.stack[:num_players].tolist(), public.street_chips[:num_players].tolist()
    live = "".join(map(str, public.live[:num_players].tolist()))
    pot = int(public.total_chips[:num_players].sum())
    return (
        f"street {public.street} actor {public.actor} live {live} pot {pot} bets {public.bets} "
        f"street chips {bets} stacks {stacks}"
    )


@atomic
def _look(hands: Record, seat: int, offsets: NDArray[np.int64], seats: int, out: Floats) -> None:
    hand = hands[0]
    scale = scale_of(hand.public)
    encode_seat(hand.public, hand.down[seat], seat, scale, offsets, seats, out)


@atomic
def _write_suits(hands: Record, me: int, out: Floats) -> None:
    """Own cards one by one, and the suits of all up cards, into zeros."""
    hand = hands[0]
    public, suits = hand.public, 4
    for place in range(DOWN_CARDS):
        if hand.down[me, place] >= 0:
            out[hand.down[me, place] + (DECK_SIZE if place == 2 else 0)] = 1
    start = 2 * DECK_SIZE
    for seat in range(public.num_seats):
        away = relative_seat(seat, me, public.num_seats)
        for place in range(UP_CARDS):
            card = public.up[seat, place]
            if card >= 0:
                out[start + (away * UP_CARDS + place) * suits + (card & 3)] = 1
    if public.community != NO_CARD:
        out[start + public.num_seats * UP_CARDS * suits + (public.community & 3)] = 1
