"""PokerStars text: cash, tournaments, home games and mixed games, read into records.

`pokerstars_text` writes it.
"""

import re
from typing import Any

from razz_env.history.money import CENTS, CURRENCIES
from razz_env.history.record import POKERSTARS, HandRecord, HistoryError, Tournament
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

HEADER = re.compile(r"PokerStars (?:[\w ]+ )?(?:Game|Hand) #(\d+):")

_CLUB = re.compile(r"\{(.*?)\} ")
_TOURNAMENT = re.compile(r"Tournament #(\d+), (Freeroll|\S+(?: [A-Z]{3})?) ")
_DATE = re.compile(r"(\d{4}/\d\d/\d\d \d{1,2}:\d\d:\d\d)(?: (\w+))?")
_STAKES = re.compile(rf"(?:\(|(?<![\d.,]),) ?({AMOUNT}) ?/ ?({AMOUNT})(?: ([A-Z]{{3}}))?\)")
_TABLE = re.compile(r"Table '(.*)' (\d+)-max")
_CHAIR = re.compile(rf"(?>Seat (\d+): (.+) \(({AMOUNT}) in chips).*?\)(?: is sitting out.*)?")
_MOVE = re.compile(
    r"(folds|checks|calls|bets|raises|brings in for|completes it to|posts the ante)"
    rf"(?: ({AMOUNT}))?(?: to ({AMOUNT}))?( and is all-in)?"
    r"(?: and has reached the [^\[]* cap)?(?: \[[^\]]*\])?"
)
_SHOWS = re.compile(r"shows (\[[^\]]+\])(?: \((?:Lo: )?(.*)\))?")
_COLLECTED = re.compile(rf"collected ({AMOUNT}) from (.*)")
_UNCALLED = re.compile(rf"Uncalled bet \(({AMOUNT})\) returned to (.+)")
_TOTAL = re.compile(rf"Total pot ({AMOUNT})(.*?) \| Rake ({AMOUNT})")
_SUMMARY_CARDS = re.compile(r"(?: \([^()]*\))*+ (?:showed|mucked) (\[[^\]]+\])")
_TITLE = re.compile(r"\*\*\* ([\w ]+) \*\*\*(?: (\[[^\]]*\]))?")

_STREETS = {
    "3rd STREET": 3,
    "4th STREET": 4,
    "5th STREET": 5,
    "6th STREET": 6,
    "7th STREET": 7,
    "RIVER": 7,
    "SHOW DOWN": 8,
    "SUMMARY": 9,
}
_ACTIONS = {
    "folds": Action.FOLD,
    "checks": Action.CHECK,
    "calls": Action.CALL,
    "brings in for": Action.BRING_IN,
}


def parse_hand(lines: list[str]) -> HandRecord:
    """One hand of PokerStars text, its header line first.

    Raises:
        AnotherGame: the hand is of another game.
        HistoryError: what is wrong with it.
    """
    draft, small_bet, big_bet = _header(short_enough(lines[0]))
    for line in lines[1:]:
        _read_line(draft, short_enough(line))
    return draft.finish((0, small_bet, big_bet))


def _header(line: str) -> tuple[Draft, int, int]:
    head = HEADER.match(line)
    if head is None:
        raise HistoryError("the first line is no PokerStars header.")
    rest = line[head.end() :].strip()
    facts: dict[str, Any] = {"room": POKERSTARS, "hand_id": known_number(head[1])}
    if club := _CLUB.match(rest):
        facts["club"] = club[1]
        rest = rest[club.end() :]
    tournament = _TOURNAMENT.match(rest)
    if tournament:
        rest = rest[tournament.end() :]
    game, _, after = rest.partition(" - ")
    if not re.search(r"\bRazz Limit\b", game):
        raise AnotherGame(_game_name(game))
    stakes = _STAKES.search(after if tournament and "(" in after else game)
    if stakes is None:
        raise HistoryError(f"the header names no stakes such as ($2/$4): {line!r}.")
    currency = None if tournament else stakes[3] or CURRENCIES.get(stakes[1][0])
    facts["currency"] = currency
    if tournament:
        level = after[: after.find(stakes[0])].strip() if stakes[0] in after else ""
        facts["tournament"] = Tournament(tournament[1], tournament[2], level)
    if game.partition(" (")[2].startswith("Razz Limit"):
        facts["mix"] = game.partition(" (")[0]
    _read_time(facts, after)
    draft = Draft("pokerstars", CENTS if currency else 1, facts)
    return draft, draft.amount(stakes[1]), draft.amount(stakes[2])


def _game_name(game: str) -> str:
    """`"Hold'em No Limit"` of `"Hold'em No Limit ($1/$2)"` and of `"8-Game (Hold'em No Limit)"`."""
    outer, _, inner = game.partition(" (")
    return inner.rstrip(")").partition(",")[0] if inner[:1].isalpha() else outer


def _read_time(facts: dict[str, Any], text: str) -> None:
    """The Eastern time in brackets, or the only time there is."""
    times = _DATE.findall(text)
    if not times:
        return
    moment, facts["zone"] = times[-1]
    facts["time"] = parse_time(moment)
    if len(times) > 1:
        facts["clock"] = f"{parse_time(times[0][0])} {times[0][1]}"


def _read_line(draft: Draft, line: str) -> None:
    if line.startswith("*** ") and draft.begin_titled(_TITLE.fullmatch(line), _STREETS):
        return
    if draft.street == 9:
        _read_summary(draft, line)
    elif line.startswith("Dealt to "):
        if not draft.read_dealt(line) and not _read_player(draft, line):
            raise HistoryError(f"{line!r} names no player of the seat list.")
    elif not (draft.street == 2 and not draft.antes and _read_table(draft, line)):
        _read_player(draft, line)


def _read_table(draft: Draft, line: str) -> bool:
    """A line of the seat list or the table's name; False if it is neither."""
    if chair := _CHAIR.fullmatch(line):
        draft.add_chair(int(chair[1]), chair[2], draft.amount(chair[3]))
    elif not draft.chairs and (table := _TABLE.match(line)):
        draft.facts["table"], draft.facts["max_seats"] = table[1], int(table[2])
    else:
        return False
    return True


def _read_player(draft: Draft, line: str) -> bool:
    """A line that a player's name begins, and uncalled chips; False if it is neither."""
    named = False
    for name, end, rest in draft.split(line, (": ", " ")):
        if _read_words(draft, name, end, rest):
            return True
        named = True
    if uncalled := _UNCALLED.fullmatch(line):
        draft.returned.append((uncalled[2], draft.amount(uncalled[1])))
    return named or uncalled is not None


def _read_words(draft: Draft, name: str, end: str, rest: str) -> bool:
    """What follows a player's name and its `end`; False if it is talk."""
    if end == " ":
        if won := _COLLECTED.fullmatch(rest):
            draft.wins(name, won[2], draft.amount(won[1]))
        return won is not None
    if move := _MOVE.fullmatch(rest):
        _read_move(draft, name, move)
    elif shown := _SHOWS.fullmatch(rest):
        draft.shows(name, card_numbers(shown[1]), shown[2] or "")
    elif rest == "mucks hand":
        draft.showings.append((name, True, ""))
    else:
        return False
    return True


def _read_move(draft: Draft, name: str, move: re.Match[str]) -> None:
    verb, first, second, all_in = move[1], move[2], move[3], bool(move[4])
    if (first is None) != (verb in ("folds", "checks")):
        raise HistoryError(f"{name!r} {verb} with a missing or needless amount.")
    if verb in ("raises", "completes it to"):
        draft.makes_it(name, draft.wager(), draft.amount(second or first), all_in)
        return
    chips = draft.amount(first) if first else 0
    if verb == "posts the ante":
        draft.posts(name, chips)
    else:
        action = draft.wager() if verb == "bets" else _ACTIONS[verb]
        draft.puts_in(name, action, chips, all_in)


def _read_summary(draft: Draft, line: str) -> None:
    if line.startswith("Seat "):
        name, rest = draft.summary_seat(line)
        if name and (m := _SUMMARY_CARDS.match(rest)):
            draft.know(name, 0, card_numbers(m[1]))
    elif total := _TOTAL.match(line):
        draft.total(*total.groups())
    elif line.startswith("Board ["):
        draft.share(line[line.index("[") :])
