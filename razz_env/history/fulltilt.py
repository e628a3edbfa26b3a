"""Full Tilt text: cash, tournaments and mixed games, read into records.

`fulltilt_text` writes it. Antes may come in any order, hands may lie open early when all are
all-in, and players who sit out are listed among the seats.
"""

import re
from typing import Any

from razz_env.history.money import CENTS, CURRENCIES
from razz_env.history.record import FULL_TILT, HandRecord, HistoryError, Tournament
from razz_env.history.room import (
    AMOUNT,
    AnotherGame,
    Draft,
    card_numbers,
    known_number,
    parse_time,
    short_enough,
)
from razz_env.rules.terms import Action

HEADER = re.compile(r"Full ?Tilt ?Poker Game #(\d+):")

_HEAD = re.compile(
    rf" (.+) - ({AMOUNT})/({AMOUNT})(?: Ante ({AMOUNT}))? - (.+?)"
    r"(?: - (\d{1,2}:\d\d:\d\d)(?: (\w+))? - (\d{4}/\d\d/\d\d)"
    r"(?: \[(\d{1,2}:\d\d:\d\d)(?: (\w+))? - (\d{4}/\d\d/\d\d)\])?.*)?"
)
_OTHER_GAME = re.compile(r" - ((?:No Limit|Pot Limit|Limit|Mixed) .+?) - ")
_TABLE = re.compile(r"(?:(.+) \((\d+)\), )?Table (.+?)(?: \((\d+) max\))?")
_CHAIR = re.compile(rf"Seat (\d+): (.+) \(({AMOUNT})\)(, is sitting out)?")
_MOVE = re.compile(
    r"(folds|checks|calls|bets|raises to|brings in for|completes it to|antes)"
    rf"(?: ({AMOUNT}))?(, and is (?:all in|capped))?"
)
_SHOWS = re.compile(r"shows (\[[^\]]+\])(?: (.+))?")
_WINS = re.compile(rf"(?:wins|ties for) ([a-z ]*pot[ #\d-]*) \(({AMOUNT})\)(?: with .+)?")
_UNCALLED = re.compile(rf"Uncalled bet of ({AMOUNT}) returned to (.+)")
_TOTAL = re.compile(rf"Total pot ({AMOUNT})(.*?) \| Rake ({AMOUNT})")
_SUMMARY_CARDS = re.compile(
    r"(?: \([^()]*\))*+ (?:collected \([^()]*\), )?(?:showed|mucked) (\[[^\]]+\])"
)
_TITLE = re.compile(r"\*\*\* (\w+(?: STREET)?) \*\*\*(?: (\[[^\]]*\]))?(?: \(Total Pot: .*\))?")

_STREETS = {
    "3RD STREET": 3,
    "4TH STREET": 4,
    "5TH STREET": 5,
    "6TH STREET": 6,
    "7TH STREET": 7,
    "RIVER": 7,
    "SUMMARY": 9,
}
_ACTIONS = {
    "folds": Action.FOLD,
    "checks": Action.CHECK,
    "calls": Action.CALL,
    "brings in for": Action.BRING_IN,
}


def parse_hand(lines: list[str]) -> HandRecord:
    """One hand of Full Tilt text, its header line first.

    Raises:
        AnotherGame: the hand is of another game.
        HistoryError: what is wrong with it.
    """
    draft, stakes = _header(short_enough(lines[0]))
    for line in lines[1:]:
        _read_line(draft, short_enough(line))
    return draft.finish(stakes)


def _header(line: str) -> tuple[Draft, tuple[int, int, int]]:
    start = HEADER.match(line)
    if start is None:
        raise HistoryError("the first line is no Full Tilt header.")
    head = _HEAD.fullmatch(line, start.end())
    if head is None or head[5] != "Limit Razz":
        other = head[5] if head else (m[1] if (m := _OTHER_GAME.search(line)) else "")
        if not other or other == "Limit Razz":
            raise HistoryError(f"the header cannot be read: {line!r}.")
        raise AnotherGame(other)
    currency = CURRENCIES.get(head[2][0])
    number = known_number(start[1])
    facts: dict[str, Any] = {"room": FULL_TILT, "hand_id": number, "currency": currency}
    _read_table_name(facts, head[1])
    _read_time(facts, head)
    draft = Draft("full_tilt", CENTS if currency else 1, facts)
    ante = draft.amount(head[4]) if head[4] else 0
    return draft, (ante, draft.amount(head[2]), draft.amount(head[3]))


def _read_table_name(facts: dict[str, Any], text: str) -> None:
    table = _TABLE.fullmatch(text)
    if table is None:
        facts["table"] = text
        return
    facts["table"], facts["max_seats"] = table[3], int(table[4] or 0)
    if table[2]:
        facts["tournament"] = Tournament(table[2], table[1])


def _read_time(facts: dict[str, Any], head: re.Match[str]) -> None:
    """The time in brackets, which is Eastern, or the only one."""
    if head[6] is None:
        return
    clock, zone, day = head.group(9, 10, 11) if head[9] else head.group(6, 7, 8)
    facts["time"] = parse_time(f"{day} {clock}")
    facts["zone"] = zone or ""
    if head[9]:
        facts["clock"] = f"{parse_time(f'{head[8]} {head[6]}')} {head[7]}"


def _read_line(draft: Draft, line: str) -> None:
    if line.startswith("*** ") and draft.begin_titled(_TITLE.fullmatch(line), _STREETS):
        return
    if draft.street == 9:
        _read_summary(draft, line)
    elif line.startswith("Dealt to "):
        if not draft.read_dealt(line) and not _read_player(draft, line):
            raise HistoryError(f"{line!r} names no player of the seat list.")
    elif draft.street == 2 and not draft.antes and (chair := _CHAIR.fullmatch(line)):
        draft.add_chair(int(chair[1]), chair[2], draft.amount(chair[3]))
    else:
        _read_player(draft, line)


def _read_player(draft: Draft, line: str) -> bool:
    """A line that a player's name and a space begin; False if it is anything else, such as talk."""
    named = False
    for name, _, rest in draft.split(line, (" ",)):
        if _read_words(draft, name, rest):
            return True
        named = True
    if uncalled := _UNCALLED.fullmatch(line):
        draft.returned.append((uncalled[2], draft.amount(uncalled[1])))
    return named or uncalled is not None


def _read_words(draft: Draft, name: str, rest: str) -> bool:
    """What follows a player's name; False if it is talk."""
    if move := _MOVE.fullmatch(rest):
        _read_move(draft, name, move)
    elif won := _WINS.fullmatch(rest):
        draft.wins(name, won[1], draft.amount(won[2]))
    elif shown := _SHOWS.fullmatch(rest):
        draft.shows(name, card_numbers(shown[1]), shown[2] or "")
    elif rest == "mucks":
        draft.showings.append((name, True, ""))
    elif rest.startswith("is high with ["):
        draft.high_door = name
    else:
        return False
    return True


def _read_move(draft: Draft, name: str, move: re.Match[str]) -> None:
    verb, amount, all_in = move[1], move[2], bool(move[3])
    if (amount is None) != (verb in ("folds", "checks")):
        raise HistoryError(f"{name!r} {verb} with a missing or needless amount.")
    chips = draft.amount(amount) if amount else 0
    if verb == "antes":
        draft.posts(name, chips)
    elif verb in ("raises to", "completes it to"):
        draft.makes_it(name, draft.wager(), chips, all_in)
    else:
        draft.puts_in(name, draft.wager() if verb == "bets" else _ACTIONS[verb], chips, all_in)


def _read_summary(draft: Draft, line: str) -> None:
    if line.startswith("Seat "):
        name, rest = draft.summary_seat(line)
        if name and (m := _SUMMARY_CARDS.match(rest)):
            draft.know(name, 0, card_numbers(m[1]))
    elif total := _TOTAL.match(line):
        draft.total(*total.groups())
    elif line.startswith(("Board: [", "Board [")):
        draft.share(line[line.index("[") :])
