"""The Poker Hand History notation (PHH) for fixed-limit razz, variant FR, read into records.

A `.phh` file is one hand, a `.phhs` file a table `[n]` for each. `phh_text` writes them. A file
means what PokerKit makes of it, so its hands are read under the preset `pokerkit` unless it carries
our own field `_house_rules`. Amounts are in the currency's units where there is a currency.
"""

import tomllib
from datetime import datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any

from razz_env.history.checks import check_fields
from razz_env.history.money import CENTS, CURRENCIES, parse_amount
from razz_env.history.record import (
    Award,
    Bystander,
    HandRecord,
    HistoryError,
    Move,
    Seat,
    Showing,
    Tournament,
    check_record,
)
from razz_env.history.room import CARD_NUMBERS, AnotherGame
from razz_env.history.toml_lines import read_table
from razz_env.rules.cards import NO_CARD
from razz_env.rules.house_rules import MAX_CHIPS, HouseRules
from razz_env.rules.terms import Action

REQUIRED = ("antes", "bring_in", "small_bet", "big_bet", "starting_stacks", "actions")
_LISTS = {"antes", "starting_stacks", "actions", "players", "seats", "winnings"} | {
    "finishing_stacks",
    "_house_rules",
    "_awards",
    "_tournament",
    "_bystanders",
}
ZONES = {"ET": "America/New_York"}
"""Names of time zones that rooms print -> the names of the time zone database."""

VARIANTS = {
    "FT": "fixed-limit Texas hold'em",
    "NT": "no-limit Texas hold'em",
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha eight or better",
    "F7S": "fixed-limit seven-card stud",
    "F7S/8": "fixed-limit seven-card stud eight or better",
    "N2L1D": "no-limit deuce-to-seven single draw",
    "F2L3D": "fixed-limit deuce-to-seven triple draw",
    "FB": "fixed-limit badugi",
}
_ZONE_NAMES = {name: zone for zone, name in ZONES.items()}
_PRESET = "pokerkit"
_DIGITS = 20
"""No amount has more digits on either side of its point."""


def parse_hand(lines: list[str]) -> HandRecord:
    """One hand in PHH notation, without its `[n]` line.

    Raises:
        AnotherGame: the hand is of another variant.
        HistoryError: what is wrong with it.
    """
    try:
        table = read_table(lines)
    except tomllib.TOMLDecodeError as error:
        raise HistoryError(f"it is no TOML: {error}.") from None
    variant = table.get("variant")
    if variant != "FR":
        if variant is None:
            raise HistoryError("it has no variant: PHH hands of razz say variant = 'FR'.")
        raise AnotherGame(VARIANTS.get(str(variant), f"variant {variant}"))
    missing = [name for name in REQUIRED if name not in table]
    if missing:
        raise HistoryError(f"the required field {missing[0]!r} is missing.")
    try:
        return check_record(check_fields(_read(table)))
    except (TypeError, AttributeError, KeyError, IndexError) as error:
        raise HistoryError(f"a field has a value of the wrong kind: {error}.") from None


def _read(table: dict[str, Any]) -> HandRecord:
    for name in _LISTS & table.keys():
        if not isinstance(table[name], list):
            raise HistoryError(f"the field {name!r} is no list.")
    currency = _currency(table)
    unit = CENTS if currency else 1
    antes = _amounts(table["antes"], unit)
    stacks = _amounts(table["starting_stacks"], unit)
    if len(antes) != len(stacks):
        raise HistoryError(f"{len(antes)} antes and {len(stacks)} starting_stacks do not match.")
    ante = max(antes, default=0)
    if any(posted < min(ante, stack) for posted, stack in zip(antes, stacks)):
        raise HistoryError(f"the antes {antes} differ between seats; in razz everyone antes alike.")
    play = _Actions(len(stacks), unit)
    play.read_all(table["actions"])
    if "_community" in table:
        play.share(_cards(table["_community"])[0])
    stakes = (_amount(table[name], unit) for name in ("bring_in", "small_bet", "big_bet"))
    rules = _rules(ante, *stakes, tuple(table.get("_house_rules", ())))
    return _with_facts(table, currency, unit, rules, stacks, play)


def _with_facts(
    table: dict[str, Any],
    currency: str | None,
    unit: int,
    rules: HouseRules,
    stacks: list[int],
    play: "_Actions",
) -> HandRecord:
    names = table.get("players") or [f"Player{seat + 1}" for seat in range(len(stacks))]
    numbers = table.get("seats") or range(1, len(stacks) + 1)
    seats = tuple(
        Seat(name, number, stack, min(rules.ante, stack), tuple(cards))
        for name, number, stack, cards in zip(names, numbers, stacks, play.cards, strict=True)
    )
    rake = _amount(table.get("_rake", 0), unit)
    return HandRecord(
        rules=rules,
        seats=seats,
        moves=tuple(play.moves),
        showings=tuple(play.showings or play.early) if play.live > 1 else (),
        awards=_awards(table, unit),
        rake=rake,
        finishing_stacks=tuple(_amounts(table.get("finishing_stacks", ()), unit)),
        community=play.community,
        high_door=table.get("_high_door"),
        bring_in_known=table.get("_bring_in_known", True),
        currency=currency,
        room=table.get("venue", ""),
        hand_id=str(table.get("hand", "")),
        table=str(table.get("table", "")),
        max_seats=table.get("seat_count", 0),
        time=_time(table),
        zone=_ZONE_NAMES.get(table.get("time_zone", ""), table.get("time_zone", "")),
        clock=table.get("_clock", ""),
        tournament=Tournament(*table["_tournament"]) if "_tournament" in table else None,
        mix=table.get("_mix", ""),
        club=table.get("_club", ""),
        hero=table.get("_hero"),
        bystanders=_bystanders(table, unit),
    )


def _currency(table: dict[str, Any]) -> str | None:
    if "currency" in table:
        return str(table["currency"])
    if "currency_symbol" in table:
        return CURRENCIES.get(table["currency_symbol"], "XXX")
    stakes = (table[name] for name in ("bring_in", "small_bet", "big_bet"))
    numbers = [*stakes, *table["antes"], *table["starting_stacks"]]
    return "XXX" if any(isinstance(number, Decimal) for number in numbers) else None


def _amount(value: Any, unit: int) -> int:
    if type(value) is int and 0 <= value <= MAX_CHIPS // unit:
        return value * unit
    if isinstance(value, Decimal) and not -_DIGITS < value.adjusted() < _DIGITS:
        raise HistoryError(f"{value} is no amount that stays exact.")
    try:
        return parse_amount(format(value, "f") if isinstance(value, Decimal) else str(value), unit)
    except ValueError as error:
        raise HistoryError(f"{error}.") from None


def _amounts(values: Any, unit: int) -> list[int]:
    if (
        unit == 1
        and set(map(type, values)) == {int}
        and 0 <= min(values) <= max(values) <= MAX_CHIPS
    ):
        return list(values)
    return [_amount(value, unit) for value in values]


@lru_cache(maxsize=1024)
def _rules(
    ante: int, bring_in: int, small_bet: int, big_bet: int, options: tuple[str, ...]
) -> HouseRules:
    changes: dict[str, Any] = {
        "ante": ante,
        "bring_in": bring_in,
        "small_bet": small_bet,
        "big_bet": big_bet,
    }
    preset = _PRESET
    for option in options:
        name, _, value = option.partition(" = ")
        if name == "preset":
            preset = value
        else:
            changes[name] = _option(value)
    try:
        return HouseRules.preset(preset, **changes)
    except ValueError as error:
        raise HistoryError(f"the rules are impossible: {error}") from None


def _option(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("("):
        return tuple(int(part) for part in text[1:-1].split(",") if part.strip())
    return int(text) if text.isdigit() else text


def _time(table: dict[str, Any]) -> datetime | None:
    clock = table.get("time", time())
    if not all(name in table for name in ("year", "month", "day")):
        return None
    try:
        return datetime.combine(datetime(table["year"], table["month"], table["day"]), clock)
    except ValueError as error:
        raise HistoryError(f"its date is impossible: {error}.") from None


def _awards(table: dict[str, Any], unit: int) -> tuple[Award, ...]:
    if "_awards" in table:
        parts = (text.split() for text in table["_awards"])
        return tuple(Award(int(p), int(s), parse_amount(c, unit)) for p, s, c in parts)
    won = _amounts(table.get("winnings", ()), unit)
    return tuple(Award(0, seat, chips) for seat, chips in enumerate(won) if chips)


def _bystanders(table: dict[str, Any], unit: int) -> tuple[Bystander, ...]:
    rows = (text.split(" ", 2) for text in table.get("_bystanders", ()))
    return tuple(
        Bystander(name, int(number), parse_amount(stack, unit)) for number, stack, name in rows
    )


def _cards(text: str) -> tuple[int, ...]:
    try:
        if len(text) == 6:
            return _NUMBERS[text[:2]], _NUMBERS[text[2:4]], _NUMBERS[text[4:]]
        return tuple(_NUMBERS[text[at : at + 2]] for at in range(0, len(text), 2))
    except KeyError as error:
        raise HistoryError(f"{error.args[0]!r} in {text!r} is no card.") from None


_NUMBERS = {**CARD_NUMBERS, "??": NO_CARD}
_SINGLE_CARDS = {
    f"d dh p{seat + 1} {name}": (seat, card) for seat in range(8) for name, card in _NUMBERS.items()
}
_MAX_KNOWN = 100_000


_KNOWN: dict[tuple[int, int], dict[int, dict[str, Move]]] = {}
"""(seats at the table, unit of its amounts) -> street -> action -> move; filled by reading."""


class _Actions:
    """What the actions of a file add up to, read one by one."""

    def __init__(self, num_seats: int, unit: int) -> None:
        self.unit = unit
        self.street = 3
        self.cards: list[list[int]] = [[] for _ in range(num_seats)]
        self.moves: list[Move] = []
        self.showings: list[Showing] = []
        self.early: list[Showing] = []  # hands that lie open before all cards are dealt
        self.community: int | None = None
        self._seats = {f"p{seat + 1}": seat for seat in range(num_seats)}
        self._known = _KNOWN.setdefault((num_seats, unit), {s: {} for s in range(3, 8)})

    def read_all(self, actions: list[str]) -> None:
        """Every action of a hand.

        The same few thousand moves and deals make up all hands of a table, so each is taken apart
        once.
        """
        known, cards, seats = self._known[self.street], self.cards, len(self.cards)
        for action in actions:
            move = known.get(action)
            if move is not None:
                self.moves.append(move)
                continue
            deal = _SINGLE_CARDS.get(action)
            if deal is None or deal[0] >= seats:
                self._read(action)
            else:
                row = cards[deal[0]]
                row.append(deal[1])
                if len(row) <= self.street and not self.showings:
                    continue
                self._after_deal(deal[0])
            known = self._known[self.street]

    @property
    def live(self) -> int:
        """Number of seats that did not fold."""
        return len(self.cards) - sum(move.action == 0 for move in self.moves)

    def _read(self, action: str) -> None:
        """One action such as `p2 cbr 200` or `d dh p1 7c3hKc`; a comment after # is left out.

        But a call with a raise in its comment is that raise (`phh_text.nominal_raises`).
        """
        if "#" in action:
            action, _, comment = action.partition("#")
            if comment.startswith(" cbr ") and action.endswith(" cc "):
                action = action[:-4] + comment
        words = action.split()
        if not words:
            return
        if words[0] == "d":
            self._deal(words)
            return
        seat = self._seats.get(words[0])
        if seat is None or len(words) not in (2, 3):
            raise HistoryError(f"{action!r} is no action of a player at the table.")
        self._act(seat, words, action)

    def _act(self, seat: int, words: list[str], action: str) -> None:
        verb = words[1]
        if verb == "cc":
            move = Move(seat, self.street, 2)
        elif verb == "f":
            move = Move(seat, self.street, 0)
        elif verb == "cbr" and len(words) == 3:
            move = Move(seat, self.street, 6, -1, self._to_chips(words[2]))
        elif verb == "pb":
            move = Move(seat, self.street, 3)
        elif verb == "sm":
            self._show(seat, words)
            return
        else:
            raise HistoryError(f"{action!r} is no action of razz.")
        self.moves.append(move)
        known = self._known[self.street]
        if len(known) < _MAX_KNOWN:
            known[action] = move

    def _to_chips(self, text: str) -> int:
        try:
            return parse_amount(text, self.unit)
        except ValueError as error:
            raise HistoryError(f"{error}.") from None

    def share(self, card: int) -> None:
        """The seventh card of every hand is one shared card."""
        self.community = card
        for row in self.cards:
            if len(row) == 7 and row[6] in (card, NO_CARD):
                row.pop()

    def _deal(self, words: list[str]) -> None:
        if words[1:2] == ["db"] and len(words) == 3:
            self.community, self.street = _cards(words[2])[0], 7
            self.early, self.showings = self.showings or self.early, []
            return
        seat = self._seats.get(words[2]) if len(words) == 4 and words[1] == "dh" else None
        if seat is None:
            raise HistoryError(f"{' '.join(words)!r} deals no card to a player at the table.")
        self.cards[seat] += _cards(words[3])
        self._after_deal(seat)

    def _after_deal(self, seat: int) -> None:
        """Hands shown before a deal lie open early; a longer hand begins a street."""
        if self.showings:
            self.early, self.showings = self.showings, []
        held = len(self.cards[seat])
        if held > 7:
            raise HistoryError(f"p{seat + 1} is dealt more than seven cards.")
        self.street = max(self.street, held)

    def _show(self, seat: int, words: list[str]) -> None:
        self.showings.append(Showing(seat, len(words) == 2))
        if len(words) == 2 or words[2] == "-":
            return
        row = self.cards[seat]
        new = [card for card in _cards(words[2]) if card not in row and card != NO_CARD]
        for place, card in enumerate(row):
            if card == NO_CARD and new:
                row[place] = new.pop(0)
        if new:
            raise HistoryError(f"p{seat + 1} shows a card that was not dealt to it.")


assert (Action.FOLD, Action.CALL, Action.BRING_IN, Action.RAISE) == (0, 2, 3, 6)
