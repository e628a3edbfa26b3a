"""Reading: from files, folders or text to records, skipped hands and failures, one at a time."""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TextIO

from razz_env.history import fulltilt, json_lines, phh, pokerstars
from razz_env.history.record import HandRecord, HistoryError, check_full_game
from razz_env.history.room import AnotherGame
from razz_env.history.source import (
    MAX_BLOCK_LINES,
    Block,
    Failed,
    Found,
    Result,
    Skipped,
    damaged_text,
    files_of,
    numbered_lines,
    open_text,
)
from razz_env.rules.house_rules import HouseRules

Source = str | Path
Parser = Callable[[list[str]], HandRecord]
OnProblem = Callable[[Skipped | Failed], None]

_ROOM_STARTS = ("PokerStars ", "Full Tilt", "FullTilt")
_STAKES = re.compile(r"\d ?/ ?[$€£]?\d")
_SECTION = re.compile(r"\[[^\[\]=,]+\]\s*(?:#.*)?")
_FIELD = re.compile(r"\w+\s*=")
_PHH_NUMBER = re.compile(r"hand\s*=\s*['\"]?([^'\"]*)['\"]?\s*")
_JSON_NUMBER = re.compile(r'"hand_id": "(\w*)"')
_MANY_STRAY_LINES = 3
_OTHER_FORMAT = re.compile(r"(?P<JSON>\{\s*\")|(?P<PHH>variant\s*=)")
"""Begins a hand in a format that is no room's."""


def read(
    source: Source, *, encoding: str | None = None, on_problem: OnProblem | None = None
) -> Iterator[HandRecord]:
    """The hands of Razz in a file, a folder or a text, in PHH, room text or JSON.

    Args:
        source: a path, or the text itself (any string with a line break).
        encoding: of the files; UTF-8 and UTF-16 are recognised.
        on_problem: called with every `Skipped` and `Failed` hand. Without it hands of other games
            are passed over in silence and a damaged hand raises.

    Raises:
        HistoryError: a damaged hand, if `on_problem` is None.
        FileNotFoundError: no such file or folder.
    """
    for result in scan([source], encoding=encoding):
        if isinstance(result, Found):
            yield result.record
        elif on_problem is not None:
            on_problem(result)
        elif isinstance(result, Failed):
            raise HistoryError(str(result))


def scan(
    sources: Iterable[Source],
    *,
    encoding: str | None = None,
    rules: str | None = None,
    on_read: Callable[[int], None] | None = None,
) -> Iterator[Result]:
    """Every hand of some files, folders or texts: found, skipped or failed.

    Args:
        sources: as `read`; a file that is named twice is read once.
        encoding: as `read`.
        rules: the preset to read all hands under, at their own stakes; None goes by their room.
        on_read: called with the number of characters of each piece that has been read.

    Raises:
        FileNotFoundError: no such file or folder.
        ValueError: no such preset.
    """
    results = _scan_all(sources, encoding, on_read)
    if rules is None:
        return results
    check_full_game(HouseRules.preset(rules))
    return (_under(result, rules) for result in results)


def _under(result: Result, rules: str) -> Result:
    if isinstance(result, Found):
        return replace(result, record=result.record.with_preset(rules))
    return result


def _scan_all(
    sources: Iterable[Source], encoding: str | None, on_read: Callable[[int], None] | None
) -> Iterator[Result]:
    seen: set[Path] = set()
    for source in sources:
        if isinstance(source, str) and "\n" in source:
            yield from scan_stream(io.StringIO(source), "text", on_read)
            continue
        for path in files_of([source], seen):
            yield from _scan_file(path, encoding, on_read)


def _scan_file(
    path: Path, encoding: str | None, on_read: Callable[[int], None] | None
) -> Iterator[Result]:
    try:
        with open_text(path, encoding) as stream:
            yield from scan_stream(stream, str(path), on_read)
    except (OSError, LookupError, ValueError) as error:
        yield Failed(f"the file cannot be read: {error}.", str(path), 1, "")


def scan_stream(
    stream: TextIO, file: str, on_read: Callable[[int], None] | None = None
) -> Iterator[Result]:
    """Every hand of one open text; `file` is what messages call it."""
    lines = numbered_lines(stream, on_read)
    first = next(((number, line) for number, line in lines if line.strip(" \t")), None)
    if first is None:
        yield Failed("there is no hand in it; it is empty.", file, 1, "")
        return
    start = first[1].lstrip(" \t")
    numbered = chain([(first[0], start)], lines)
    if start.startswith("{"):
        yield from _parse_all(_json_blocks(numbered), file, _JSON_NUMBER)
    elif _SECTION.fullmatch(start) or _FIELD.match(start) or start.startswith("#"):
        yield from _parse_all(_phh_blocks(numbered), file, _PHH_NUMBER)
    else:
        yield from _scan_room(numbered, file)


# ---- PHH and JSON


def _json_blocks(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[Block, Parser]]:
    for number, line in numbered:
        if line.strip():
            yield Block([line], number), json_lines.parse_hand


def _phh_blocks(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[Block, Parser]]:
    current: list[str] = []
    start = 1
    for number, line in numbered:
        if line[:1] == "[" and _SECTION.fullmatch(line):
            if any(map(str.strip, current)):
                yield Block(current, start), phh.parse_hand
            current, start = [], number + 1
        elif len(current) <= MAX_BLOCK_LINES:
            current.append(line)
    if any(map(str.strip, current)):
        yield Block(current, start), phh.parse_hand


def _parse_all(
    blocks: Iterator[tuple[Block, Parser]], file: str, number: re.Pattern[str]
) -> Iterator[Result]:
    for block, parser in blocks:
        result = parse_block(block, parser, file, "")
        if not isinstance(result, Found):
            found = (m[1] for line in block.lines if (m := number.search(line[:200])))
            result = type(result)(*_fields_of(result), next(found, ""))
        yield result


def _fields_of(result: Skipped | Failed) -> tuple[str, str, int]:
    reason = result.game if isinstance(result, Skipped) else result.reason
    return reason, result.file, result.line


# ---- room text


def _scan_room(numbered: Iterator[tuple[int, str]], file: str) -> Iterator[Result]:
    for block in _room_blocks(numbered):
        head = block.lines[0]
        module = pokerstars if head.startswith("PokerStars") else fulltilt
        match = module.HEADER.match(head)
        if match:
            yield parse_block(block, module.parse_hand, file, match[1])
        elif head.startswith(_ROOM_STARTS):
            yield Failed(f"its header is damaged: {head[:80]!r}.", file, block.line, "")
        elif other := _OTHER_FORMAT.match(head):
            name = other.lastgroup
            reason = f"a hand in {name} among those of a room: put it into a file of its own."
            yield Failed(reason, file, block.line, "")
        elif len(block.lines) >= _MANY_STRAY_LINES or block.line == 1:
            count = f"{len(block.lines)} line{'s' if len(block.lines) > 1 else ''}"
            reason = f"{count} of text that is no hand of a known room: {head[:60]!r}."
            yield Failed(reason, file, block.line, "")


def _room_blocks(numbered: Iterator[tuple[int, str]]) -> Iterator[Block]:
    """Hands, from header to header or to a blank line after the summary; and stray text between.

    Behind a summary a hand in another format is stray text too, and each line of JSON a hand.
    """
    current: list[str] = []
    start, inside, summary = 1, False, False
    for number, line in numbered:
        header = _begins_hand(line, inside)
        ends = not line.strip() and (summary or not inside)
        other = (summary or not inside) and _OTHER_FORMAT.match(line)
        if header or ends or other or (not current and not inside):
            if current:
                yield Block(current, start)
            current = [] if ends else [line]
            start, inside, summary = number, header, False
        elif len(current) <= MAX_BLOCK_LINES:
            current.append(line)
            summary = summary or line == "*** SUMMARY ***"
    if current:
        yield Block(current, start)


def _begins_hand(line: str, inside: bool) -> bool:
    """Whether a hand begins: inside another only a header with stakes, not a player's name."""
    if not line.startswith(_ROOM_STARTS):
        return False
    whole = pokerstars.HEADER.match(line) or fulltilt.HEADER.match(line)
    return not inside or bool(whole and _STAKES.search(line))


def parse_block(block: Block, parser: Parser, file: str, hand_id: str) -> Result:
    """One hand: found, skipped or failed, whatever its text holds."""
    if damage := damaged_text(block.lines):
        return Failed(damage, file, block.line, hand_id)
    if len(block.lines) > MAX_BLOCK_LINES:
        return Failed("it is too long for a hand.", file, block.line, hand_id)
    try:
        return Found(parser(block.lines), file, block.line)
    except AnotherGame as other:
        return Skipped(other.game, file, block.line, hand_id)
    except HistoryError as error:
        return Failed(str(error), file, block.line, hand_id)
    except (ValueError, LookupError, ArithmeticError, TypeError) as error:
        return Failed(f"it cannot be read: {error}.", file, block.line, hand_id)
