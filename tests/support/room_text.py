"""A throw-away reader of the real hands: room text (Full Tilt, PokerStars) and PHH.

It reads only what a replay needs. Money is in cents where the text has a dollar sign and in
chips otherwise. Seats are in order of position, first the seat left of the button.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

STREET_TITLES = {
    "3RD STREET": 3,
    "4TH STREET": 4,
    "5TH STREET": 5,
    "6TH STREET": 6,
    "7TH STREET": 7,
    "RIVER": 7,
}
MONEY = r"\$?([\d.,]*\d)"
VERBS = {
    "folds": "FOLD",
    "checks": "CHECK",
    "calls": "CALL",
    "brings in": "BRING_IN",
    "completes": "COMPLETE",
    "bets": "BET",
    "raises": "RAISE",
}


@dataclass(frozen=True)
class Move:
    """One printed action: ``chips`` put in now and ``to_chips`` the street total, if printed."""

    seat: int
    street: int
    verb: str
    chips: int | None = None
    to_chips: int | None = None


@dataclass
class RoomHand:
    """One hand as the room printed it."""

    name: str
    room: str
    players: list[str]
    stacks: list[int]
    stakes: dict[str, int]
    antes: list[int]
    cards: list[list[str]]
    moves: list[Move] = field(default_factory=list)
    bring_in_seat: int | None = None
    shown: list[tuple[int, bool]] = field(default_factory=list)  # (seat, mucked), in order
    returned: dict[int, int] = field(default_factory=dict)
    collected: dict[int, int] = field(default_factory=dict)
    lows: dict[int, str] = field(default_factory=dict)
    total_pot: int | None = None
    rake: int = 0

    def seat_cards(self) -> list[str]:
        """Card texts for ``fill``: unknown cards as "??"."""
        return ["".join(c or "??" for c in row) for row in self.cards]


def read_room_file(path: Path) -> list[RoomHand]:
    """All hands of a Full Tilt or PokerStars text file."""
    text = path.read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=(?:Full Tilt Poker Game|PokerStars (?:Home Game )?\w+) #)", text)
    return [_read_block(block.strip().splitlines(), path.stem) for block in blocks if block.strip()]


def _read_block(lines: list[str], stem: str) -> RoomHand:
    header = lines[0]
    room = "full_tilt" if header.startswith("Full Tilt") else "pokerstars"
    number = re.search(r"#(\d+)", header)[1]
    scale = 100 if re.search(r"\$[\d.]+\s?/\s?\$", header) else 1
    stacks = _stacks(lines, scale)
    antes = _antes(lines, scale, stacks)
    players = [p for p in stacks if p in antes] if room == "full_tilt" else list(antes)
    hand = RoomHand(
        name=f"{stem}-{number}",
        room=room,
        players=players,
        stacks=[stacks[p] for p in players],
        stakes=_stakes(header, lines, scale),
        antes=[antes[p] for p in players],
        cards=[[""] * 7 for _ in players],
    )
    _read_body(hand, lines, scale)
    return hand


def chips(text: str, scale: int) -> int:
    """``"1,234.50"`` in dollars -> 123450 cents; ``"30"`` in chips -> 30."""
    return int(Decimal(text.replace(",", "").rstrip(".")) * scale)


def _stacks(lines: list[str], scale: int) -> dict[str, int]:
    found = (re.match(rf"Seat \d+: (.+) \({MONEY}(?: in chips)?\)", line) for line in lines)
    return {m[1]: chips(m[2], scale) for m in found if m}


def _antes(lines: list[str], scale: int, stacks: dict[str, int]) -> dict[str, int]:
    found = (re.match(rf"(.+?):? (?:posts the ante|antes) {MONEY}", line) for line in lines)
    return {m[1]: chips(m[2], scale) for m in found if m and m[1] in stacks}


def _stakes(header: str, lines: list[str], scale: int) -> dict[str, int]:
    small, big = re.search(rf"{MONEY}\s?/\s?{MONEY}(?= USD|\)| Ante)", header).groups()
    antes = [re.search(rf"(?:posts the ante|antes) {MONEY}", line) for line in lines]
    bring_in = next(
        (m[1] for m in (re.search(rf"brings in for {MONEY}", line) for line in lines) if m), None
    )
    stakes = {
        "ante": max(chips(m[1], scale) for m in antes if m),
        "small_bet": chips(small, scale),
        "big_bet": chips(big, scale),
    }
    # not printed when the bring-in seat completed at once or nobody brought in
    stakes["bring_in"] = chips(bring_in, scale) if bring_in else stakes["small_bet"] * 3 // 10
    return stakes


def _read_body(hand: RoomHand, lines: list[str], scale: int) -> None:
    street = 3
    for line in lines:
        if title := re.match(r"\*\*\* (.+?) \*\*\*", line):
            street = STREET_TITLES.get(title[1].upper(), street)
        elif total := re.match(rf"Total pot {MONEY} \| Rake {MONEY}", line):
            hand.total_pot, hand.rake = (chips(x, scale) for x in total.groups())
        elif line.startswith("Uncalled bet"):
            _read_uncalled(hand, line, scale)
        elif line.startswith("Dealt to "):
            _read_dealt(hand, line, street)
        elif line.startswith("Seat "):
            _read_summary(hand, line)
        else:
            _read_player_line(hand, line, street, scale)


def _read_uncalled(hand: RoomHand, line: str, scale: int) -> None:
    m = re.match(rf"Uncalled bet (?:of )?\(?{MONEY}\)? returned to (.+)", line)
    hand.returned[hand.players.index(m[2])] = chips(m[1], scale)


def _read_dealt(hand: RoomHand, line: str, street: int) -> None:
    player, groups = _split_player(hand, line.removeprefix("Dealt to "))
    cards = re.findall(r"[2-9TJQKA][cdhs]", groups)
    row = hand.cards[player]
    if street == 7 or len(cards) == street:  # the reader's own cards, or a face-up all-in hand
        row[: len(cards)] = cards
    else:  # up cards only
        row[2 : 2 + len(cards)] = cards


def _read_summary(hand: RoomHand, line: str) -> None:
    if m := re.match(r"Seat \d+: (.+?) (?:showed|mucked) \[([^]]+)\]", line):
        hand.cards[hand.players.index(m[1])] = m[2].split()


def _split_player(hand: RoomHand, line: str) -> tuple[int, str]:
    """(seat, rest) by the longest player name the line starts with."""
    for player in sorted(hand.players, key=len, reverse=True):
        if line.startswith((player + " ", player + ": ")):
            return hand.players.index(player), line[len(player) :].lstrip(": ")
    raise LookupError(line)


def _read_player_line(hand: RoomHand, line: str, street: int, scale: int) -> None:
    try:
        seat, rest = _split_player(hand, line)
    except LookupError:
        return
    if re.match(r"is high with", rest):
        hand.bring_in_seat = seat
    elif m := re.match(rf"(?:collected|wins the pot) \(?{MONEY}\)?", rest):
        hand.collected[seat] = hand.collected.get(seat, 0) + chips(m[1], scale)
    elif m := re.match(r"shows \[([^]]+)\](?: \(Lo: ([^)]+)\)| (.+))?", rest):
        _read_shown(hand, seat, m[1].split(), m[2] or m[3])
    elif rest == "mucks hand":
        hand.shown.append((seat, True))
    else:
        _read_move(hand, seat, rest, street, scale)


def _read_shown(hand: RoomHand, seat: int, cards: list[str], low: str | None) -> None:
    if len(cards) == 7:  # an all-in hand is also shown early, with the cards it has then
        hand.shown.append((seat, False))
        hand.cards[seat] = cards
        hand.lows[seat] = low
    else:
        hand.cards[seat][: len(cards)] = cards


def _read_move(hand: RoomHand, seat: int, rest: str, street: int, scale: int) -> None:
    verb = next((v for v in VERBS if re.match(rf"{v}\b", rest)), None)
    if verb is None:
        return
    move = {"seat": seat, "street": street, "verb": VERBS[verb]}
    if verb in ("bets", "calls", "brings in"):
        move["chips"] = chips(re.match(rf"{verb} (?:for )?{MONEY}", rest)[1], scale)
    elif verb == "completes":
        move["to_chips"] = chips(re.match(rf"completes it to {MONEY}", rest)[1], scale)
    elif verb == "raises":
        m = re.match(rf"raises (?:{MONEY} )?to {MONEY}", rest)
        move["to_chips"] = chips(m[2], scale)
    if hand.bring_in_seat is None:
        hand.bring_in_seat = seat  # on PokerStars the first to act
    hand.moves.append(Move(**move))


def read_phh_file(path: Path) -> RoomHand:
    """One fixed-limit razz hand in PHH notation."""
    values = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition(" = ")
        values[name] = ast.literal_eval(value.replace("false", "False").replace("true", "True"))
    stacks = values["starting_stacks"]
    hand = RoomHand(
        name=path.stem,
        room="phh",
        players=[f"p{i + 1}" for i in range(len(stacks))],
        stacks=stacks,
        stakes={k: values[k] for k in ("bring_in", "small_bet", "big_bet")}
        | {"ante": values["antes"][0]},
        antes=values["antes"],
        cards=[[] for _ in stacks],
    )
    for action in values["actions"]:
        _read_phh_action(hand, action.split())
    for row in hand.cards:
        row.extend([""] * (7 - len(row)))
    return hand


def _read_phh_action(hand: RoomHand, words: list[str]) -> None:
    if words[:2] == ["d", "dh"]:
        cards = re.findall(r"..", words[3])
        hand.cards[int(words[2][1:]) - 1].extend(cards)
        return
    seat, verb = int(words[0][1:]) - 1, words[1]
    street = max(3, *(len(row) for row in hand.cards))
    if verb == "sm":
        hand.shown.append((seat, len(words) == 2))
    elif verb == "pb":
        hand.bring_in_seat = seat
        hand.moves.append(Move(seat, street, "BRING_IN", chips=hand.stakes["bring_in"]))
    elif verb == "cbr":
        hand.moves.append(Move(seat, street, "CBR", to_chips=int(words[2])))
    else:
        hand.moves.append(Move(seat, street, {"f": "FOLD", "cc": "CC"}[verb]))


def pot_of_moves(hand: RoomHand) -> int:
    """The pot without uncalled chips, added up from antes and moves."""
    total, street, committed = sum(hand.antes), 3, [0] * len(hand.players)
    for move in hand.moves:
        if move.street != street:
            total, street, committed = total + sum(committed), move.street, [0] * len(committed)
        if move.chips is not None:
            committed[move.seat] += move.chips
        elif move.to_chips is not None:
            committed[move.seat] = move.to_chips
        elif move.verb == "CC":  # PHH prints no amount; nobody there is short of a call
            committed[move.seat] = max(committed)
    *_, second, first = sorted(committed)
    return total + sum(committed) - (first - second)
