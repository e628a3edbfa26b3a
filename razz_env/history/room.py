"""What the text of every poker room has in common: the draft of a hand, filled line by line.

Names are matched by the seat list, longest first, so a name may hold brackets, colons and verbs.
"""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

from razz_env.history.money import parse_amount
from razz_env.history.record import (
    Award,
    Bystander,
    HandRecord,
    HistoryError,
    Move,
    Seat,
    Showing,
    check_record,
    dealt_counts,
)
from razz_env.rules.cards import NO_CARD, RANKS, SUITS, format_card
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.record import CARDS_PER_SEAT
from razz_env.rules.terms import Action

AMOUNT = r"(?>[$€£]?(?:[.,]*\d)+)"
"""An amount as printed, without the full stop of a sentence after it; never tried in parts."""

MAX_LINE = 1000
"""Characters of a line; the longest that rooms print has about 160."""

MAX_CHAIRS = 20
"""Lines of a seat list; no room has so large a table."""

_Row = TypeVar("_Row", bound=Hashable)

CARD_NUMBERS = {
    rank + suit: r * 4 + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)
}

CARD_GROUPS = re.compile(r"(?: ?\[[2-9TJQKAcdhs ]+\])+")
_POT = re.compile(rf"(Main|Side) pot(?:[- ]?#?(\d+))? ({AMOUNT})")
_POT_NAME = re.compile(r"(?:the )?(?:(main )|(side ))?pot(?:[- ]#?(\d+))?")


def short_enough(line: str) -> str:
    """The line, if it is no longer than any line of a room.

    Raises:
        HistoryError: it is longer.
    """
    if len(line) > MAX_LINE:
        raise HistoryError(
            f"the line {line[:40]!r}... has {len(line):,} characters, more than the {MAX_LINE:,} "
            "that a room's line may have: shorten it or take it out."
        )
    return line


class AnotherGame(Exception):
    """The hand is whole but not of Razz."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.game = game


def known_number(digits: str) -> str:
    """The number of a hand as printed; empty if it is 0, which stands for none."""
    return digits if digits.strip("0") else ""


def parse_time(text: str) -> datetime:
    """`"2010/12/07 4:10:10"`.

    Raises:
        HistoryError: no date and time.
    """
    try:
        return datetime.strptime(text, "%Y/%m/%d %H:%M:%S")
    except ValueError:
        raise HistoryError(f"{text!r} is no date and time.") from None


@lru_cache(maxsize=4096)
def card_numbers(text: str) -> tuple[int, ...]:
    """`"[4c 2h] [8h]"` -> the three cards.

    Raises:
        HistoryError: a card that does not exist.
    """
    names = text.replace("[", " ").replace("]", " ").split()
    try:
        return tuple(CARD_NUMBERS[name] for name in names)
    except KeyError as error:
        raise HistoryError(f"{error.args[0]!r} is no card.") from None


@lru_cache(maxsize=1024)
def room_rules(preset: str, ante: int, bring_in: int, small_bet: int, big_bet: int) -> HouseRules:
    """The room's rule book at some stakes.

    Raises:
        HistoryError: stakes that razz cannot have.
    """
    try:
        return HouseRules.preset(
            preset, ante=ante, bring_in=bring_in, small_bet=small_bet, big_bet=big_bet
        )
    except ValueError as error:
        raise HistoryError(f"the stakes are impossible: {error}") from None


def _by_name(rows: list[tuple[str, int]], what: str) -> dict[str, int]:
    """Amounts by name, one line for each."""
    if twice := repeated(name for name, _ in rows):
        raise HistoryError(f"{twice} {what} in two lines.")
    return dict(rows)


def _refuse_strangers(names: Iterable[str], known: Collection[str], what: str) -> None:
    if stranger := next((name for name in names if name not in known), None):
        raise HistoryError(f"{stranger} {what} without having been dealt in.")


def repeated(rows: Iterable[_Row]) -> _Row | None:
    """The first row that stands there for the second time."""
    seen = set()
    for row in rows:
        if row in seen:
            return row
        seen.add(row)
    return None


class Draft:
    """A hand while its lines are read."""

    def __init__(self, preset: str, unit: int, facts: dict[str, Any]) -> None:
        """Begin a hand; `facts` are the fields of `HandRecord` that the header gives."""
        self.preset = preset
        self.unit = unit
        self.facts = facts
        self.street = 2
        self.chairs: dict[str, tuple[int, int]] = {}  # name -> number, stack
        self.names: list[str] = []  # longest first
        self.by_number: dict[int, str] = {}
        self.antes: list[tuple[str, int]] = []
        self.cards: dict[str, list[int]] = {}
        self.moves: list[tuple[str, int, Action, int, int, bool]] = []
        self.committed: dict[str, int] = {}
        self.showings: list[tuple[str, bool, str]] = []
        self.awards: list[tuple[int, str, int]] = []
        self.returned: list[tuple[str, int]] = []
        self.pots: list[int] = []
        self.bring_in = 0
        self.high_door: str | None = None
        self.done = False

    def amount(self, text: str) -> int:
        """Units of a printed amount.

        Raises:
            HistoryError: no amount.
        """
        try:
            return parse_amount(text, self.unit)
        except ValueError as error:
            raise HistoryError(f"{error}.") from None

    # ---- the table

    def add_chair(self, number: int, name: str, stack: int) -> None:
        """A line of the seat list."""
        if name in self.chairs or number in self.by_number:
            raise HistoryError(f"the seat list names {name!r} or seat {number} twice.")
        if len(self.chairs) == MAX_CHAIRS:
            raise HistoryError(f"the seat list names more than {MAX_CHAIRS} players.")
        self.chairs[name] = number, stack
        self.by_number[number] = name
        self.names = sorted(self.chairs, key=len, reverse=True)

    def split(self, line: str, ends: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
        """(name, end, rest) for every known name that the line begins with, longest first."""
        for name in self.names:
            if line.startswith(name):
                for end in ends:
                    if line.startswith(end, len(name)):
                        yield name, end, line[len(name) + len(end) :]

    def summary_seat(self, line: str) -> tuple[str | None, str]:
        """(name, rest) of the line `Seat 3: Ann folded`; no name if the seat list has none there.

        Raises:
            HistoryError: the seat list puts that player elsewhere.
        """
        number, _, rest = line[5:].partition(": ")
        name = self.by_number.get(int(number)) if number.isdecimal() else None
        if name and rest.startswith(name):
            return name, rest[len(name) :]
        if other := next(self.split(rest, (" ",)), None):
            raise HistoryError(f"the seat list does not put {other[0]!r} in seat {number}.")
        return None, rest

    def begin_street(self, street: int) -> None:
        """A street title."""
        if street == self.street:
            return
        self.street = street
        self.committed.clear()

    def share(self, text: str) -> None:
        """The shared seventh card, by the first line that shows it.

        Raises:
            HistoryError: the line shows none.
        """
        cards = card_numbers(text)
        if not cards:
            raise HistoryError("a line of the shared seventh card shows no card.")
        self.facts.setdefault("community", cards[-1])

    def begin_titled(self, title: re.Match[str] | None, streets: Mapping[str, int]) -> bool:
        """The title of a street and the cards behind it; False if it is none of `streets`."""
        if title is None or title[1] not in streets:
            return False
        self.begin_street(streets[title[1]])
        if self.street == 7 and title[2]:
            self.share(title[2])
        return True

    def read_dealt(self, line: str) -> bool:
        """A line that begins with "Dealt to"; False if no known name and cards follow."""
        for name, _, cards in self.split(line.removeprefix("Dealt to "), (" ",)):
            if CARD_GROUPS.fullmatch(cards):
                self.dealt(name, card_numbers(cards))
                return True
        return False

    # ---- cards

    def dealt(self, name: str, cards: tuple[int, ...]) -> None:
        """A `Dealt to` line: the whole hand so far, or its up cards."""
        street = min(self.street, 7)
        if len(cards) == street or (street == 7 and len(cards) == 6):
            self.know(name, 0, cards)
            if street == 3 and "hero" not in self.facts:
                self.facts["hero"] = name
        elif street < 7 and len(cards) == street - 2:
            self.know(name, 2, cards)
        else:
            raise HistoryError(f"{name} is dealt {len(cards)} cards on street {street}.")

    def know(self, name: str, place: int, cards: tuple[int, ...]) -> None:
        """Cards of a player from a place in dealing order on; they must agree with earlier ones."""
        if place + len(cards) > CARDS_PER_SEAT:
            raise HistoryError(f"{len(cards)} cards of {name} stand in a line; nobody has so many.")
        row = self.cards.setdefault(name, [NO_CARD] * CARDS_PER_SEAT)
        for at, card in enumerate(cards, place):
            if row[at] not in (NO_CARD, card):
                raise HistoryError(
                    f"card {at + 1} of {name} is {format_card(row[at])} in one line and "
                    f"{format_card(card)} in another."
                )
            row[at] = card

    def shows(self, name: str, cards: tuple[int, ...], low: str) -> None:
        """A shown hand: the showdown itself, or a hand that lies open early."""
        self.know(name, 0, cards)
        if len(cards) == 7 or (len(cards) == 6 and "community" in self.facts):
            self.showings.append((name, False, low))

    # ---- moves and money

    def posts(self, name: str, chips: int) -> None:
        """An ante."""
        self.antes.append((name, chips))

    def puts_in(self, name: str, action: Action, chips: int, all_in: bool) -> None:
        """A move that adds chips (perhaps none)."""
        to_chips = self.committed.get(name, 0) + chips
        self._move(name, action, chips, to_chips, all_in)

    def makes_it(self, name: str, action: Action, to_chips: int, all_in: bool) -> None:
        """A move that is printed by the street total it makes."""
        chips = to_chips - self.committed.get(name, 0)
        if chips <= 0:
            raise HistoryError(f"{name} raises to {to_chips} but has that much in already.")
        self._move(name, action, chips, to_chips, all_in)

    def _move(self, name: str, action: Action, chips: int, to_chips: int, all_in: bool) -> None:
        if not 3 <= self.street <= 7:
            raise HistoryError(f"{name} acts outside of a betting round.")
        self.committed[name] = to_chips
        if action == Action.BRING_IN and not all_in:
            self.bring_in = chips
        self.moves.append((name, self.street, action, chips, to_chips, all_in))

    def wager(self) -> Action:
        """The rules' word for the next aggressive action; the engine has the last word."""
        aggressive = any(m[1] == self.street and m[2] >= Action.COMPLETE for m in self.moves)
        if self.street == 3:
            return Action.RAISE if aggressive else Action.COMPLETE
        return Action.RAISE if aggressive else Action.BET

    def wins(self, name: str, pot: str, chips: int) -> None:
        """A win from a pot, by the words that name the pot."""
        match = _POT_NAME.match(pot)
        number = 0
        if match and match[2]:
            number = int(match[3] or 1)
        self.awards.append((number, name, chips))

    def total(self, total: str, pots: str, rake: str) -> None:
        """The line `Total pot 170 Main pot 90. Side pot 80. | Rake 0`."""
        self.facts["total_pot"] = self.amount(total)
        self.facts["rake"] = self.amount(rake)
        self.pots = [self.amount(amount) for _, _, amount in _POT.findall(pots)]
        self.done = True

    # ---- the end

    def finish(self, stakes: tuple[int, int, int]) -> HandRecord:
        """The record. `stakes` are ante (0 if the header has none), small bet, big bet.

        Raises:
            HistoryError: a hand cut off, or not a hand of Razz.
        """
        if not self.done:
            raise HistoryError("the hand is cut off before its summary.")
        posted = _by_name(self.antes, "posts an ante")
        players = self._in_position(posted)
        place = {name: seat for seat, name in enumerate(players)}
        returned = _by_name(self.returned, "gets uncalled chips back")
        _refuse_strangers(returned, place, "gets uncalled chips back")
        moves = self._numbered(self.moves, place, Move)
        _refuse_strangers(filter(None, [self.high_door]), place, "has the high door card")
        facts = self.facts
        if facts["total_pot"] > facts["rake"] and not self.awards:
            raise HistoryError("no line says who won the pot.")
        hero = facts.pop("hero", None)
        return check_record(
            HandRecord(
                rules=self._rules(stakes, posted),
                seats=self._seats(players, posted, moves),
                moves=moves,
                showings=self._final_showings(place, moves),
                awards=self._final_awards(place),
                returned=tuple(returned.get(name, 0) for name in players),
                pots=tuple(self.pots or filter(None, [facts["total_pot"]])),
                high_door=place.get(self.high_door or ""),
                bring_in_known=self.bring_in > 0,
                hero=place.get(hero),
                bystanders=tuple(
                    Bystander(name, *chair)
                    for name, chair in self.chairs.items()
                    if name not in place
                ),
                **facts,
            )
        )

    def _in_position(self, posted: dict[str, int]) -> list[str]:
        """The players from the left of the button on.

        PokerStars posts antes in that order, whatever chair is its first; Full Tilt in any order,
        so there, and where there are no antes, the chairs tell.
        """
        players = [name for name in self.chairs if name in posted or name in self.cards]
        players.sort(key=lambda name: self.chairs[name][0])
        order = list(posted)
        if self.preset != "pokerstars" or len(order) != len(players):
            return players
        first = players.index(order[0])
        return order if order == players[first:] + players[:first] else players

    @staticmethod
    def _numbered(
        rows: list[tuple[Any, ...]], place: dict[str, int], kind: Callable[..., Any]
    ) -> tuple[Any, ...]:
        for row in rows:
            if row[0] not in place:
                raise HistoryError(f"{row[0]} acts without an ante or cards.")
        return tuple(kind(place[row[0]], *row[1:]) for row in rows)

    def _final_awards(self, place: dict[str, int]) -> tuple[Award, ...]:
        """What was won, main pot first, whatever the order of print."""
        _refuse_strangers((name for _, name, _ in self.awards), place, "wins")
        if twice := repeated((name, pot) for pot, name, _ in self.awards):
            raise HistoryError(f"{twice[0]} wins the same pot in two lines.")
        return tuple(sorted(Award(pot, place[name], won) for pot, name, won in self.awards))

    def _final_showings(
        self, place: dict[str, int], moves: tuple[Move, ...]
    ) -> tuple[Showing, ...]:
        """The showdown; a winner whom all have left may show or muck, but that is none.

        Who mucks and shows all the same has shown.
        """
        folded = {move.seat for move in moves if move.action == Action.FOLD}
        if len(place) - len(folded) < 2:
            return ()
        if twice := repeated((name, mucked) for name, mucked, _ in self.showings):
            raise HistoryError(f"{twice[0]} {'mucks' if twice[1] else 'shows'} in two lines.")
        shown = {name for name, mucked, _ in self.showings if not mucked}
        rows = [row for row in self.showings if not row[1] or row[0] not in shown]
        showings: tuple[Showing, ...] = self._numbered(rows, place, Showing)
        return showings

    def _seats(
        self, players: list[str], posted: dict[str, int], moves: tuple[Move, ...]
    ) -> tuple[Seat, ...]:
        counts = dealt_counts(len(players), moves, self.facts.get("community"))
        self._check_boards(players, counts)
        blank = [NO_CARD] * CARDS_PER_SEAT
        return tuple(
            Seat(
                name,
                *self.chairs[name],
                posted.get(name, 0),
                tuple(self.cards.get(name, blank)[:count]),
            )
            for name, count in zip(players, counts, strict=True)
        )

    def _check_boards(self, players: list[str], counts: list[int]) -> None:
        """Rooms print every up card: one that is missing was lost with its line."""
        for name, count in zip(players, counts, strict=True):
            board = self.cards.get(name, [NO_CARD] * CARDS_PER_SEAT)[2 : min(count, 6)]
            if NO_CARD in board:
                street = board.index(NO_CARD) + 3
                raise HistoryError(f"no line deals {name} a card on street {street}.")

    def _rules(self, stakes: tuple[int, int, int], posted: dict[str, int]) -> HouseRules:
        ante, small_bet, big_bet = stakes
        most = max(posted.values(), default=0)
        bring_in = self.bring_in or self._guessed_bring_in(small_bet)
        return room_rules(self.preset, max(ante, most), bring_in, small_bet, big_bet)

    def _guessed_bring_in(self, small_bet: int) -> int:
        """The bring-in where no one pays it in full: the first call of it, or about 30 %.

        All-in amounts bound it: one that brings in or calls is no more, one that completes is more.
        """
        least, most = 1, small_bet - 1
        for _, street, action, _, to_chips, all_in in self.moves:
            if street != 3 or (action >= Action.COMPLETE and not all_in):
                break
            if action >= Action.COMPLETE:
                most = min(most, to_chips - 1)
                break
            if action == Action.CALL and not all_in and to_chips < small_bet:
                return to_chips
            least = max(least, to_chips)
        return max(least, min(small_bet * 3 // 10, most))
