"""The plain TOML that hand histories are made of, read fast; anything else goes to `tomllib`.

Plain means one `key = value` a line, with a whole number, a decimal number, a quoted string without
escapes, a boolean, a time, or a flat list of numbers or of such strings.
"""

import re
import tomllib
from datetime import time
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

_TIME = re.compile(r"\d\d:\d\d:\d\d")
_MAX_POINTS = 200
"""Points in a line that is not plain: no hand has more, and tomllib is slow at long dotted keys."""

_NO_PLAIN_STRING = ("'''", '"""')


class NotPlain(Exception):
    """The text needs a full TOML parser."""


def read_table(lines: list[str]) -> dict[str, Any]:
    """The keys and values of one table, decimal numbers as Decimal.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML, or nested too deep for a hand.
    """
    try:
        return _read_plain(lines)
    except (NotPlain, ValueError, InvalidOperation):
        return _read_any(lines)


def _read_any(lines: list[str]) -> dict[str, Any]:
    if any(line.count(".") > _MAX_POINTS for line in lines):
        raise tomllib.TOMLDecodeError(f"a line of more than {_MAX_POINTS} points")
    try:
        return tomllib.loads("\n".join(lines), parse_float=Decimal)
    except RecursionError:
        raise tomllib.TOMLDecodeError("its values are nested too deep") from None


def _read_plain(lines: list[str]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for line in lines:
        stripped = line.strip()
        if not stripped or stripped[0] == "#":
            continue
        key, equals, value = stripped.partition("=")
        key = key.rstrip()
        if not equals or key in table or not _is_plain_key(key):
            raise NotPlain
        table[key] = _value(value.lstrip())
    return table


@lru_cache(maxsize=1024)
def _is_plain_key(key: str) -> bool:
    return key.isascii() and key.replace("_", "a").isalnum()


def _value(text: str) -> Any:
    first = text[:1]
    if first == "[":
        return _list(text)
    if first in ("'", '"'):
        return _string(text, first)
    if text.isdigit():
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    if _TIME.fullmatch(text):
        return time.fromisoformat(text)
    return _number(text)


def _string(text: str, quote: str) -> str:
    inner = text[1:-1]
    if len(text) < 2 or text[-1] != quote or quote in inner or text[:3] in _NO_PLAIN_STRING:
        raise NotPlain
    if quote == '"' and "\\" in inner:
        raise NotPlain
    return inner


def _list(text: str) -> list[Any]:
    if text[-1] != "]":
        raise NotPlain
    inner = text[1:-1].strip()
    quote = inner[:1]
    if quote == "'" or quote == '"':
        parts = inner[1:-1].split(f"{quote}, {quote}")
        plain = inner[-1] == quote and inner.count(quote) == 2 * len(parts)
        if not plain or (quote == '"' and "\\" in inner):
            raise NotPlain
        return parts
    if not inner:
        return []
    if inner.isascii() and "." not in inner:
        return list(map(int, inner.split(",")))
    return [_number(part.strip()) for part in inner.split(",")]


def _number(text: str) -> int | Decimal:
    if text.isdigit():
        return int(text)
    if not text.isascii() or "_" in text or text[:1] in "+-." or text[-1:] == ".":
        raise NotPlain
    return Decimal(text)


def quoted(text: str) -> str:
    """A TOML string of any text, on one line."""
    if text.isprintable() and "'" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'
