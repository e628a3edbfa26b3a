"""Money as whole cents, and its text. No amount ever passes through a float.

An amount is an int: cents where a hand has a currency, chips where it has none.
"""

import re
from functools import lru_cache

from razz_env.rules.house_rules import MAX_CHIPS

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
"""Currency -> the sign printed before its amounts."""

CURRENCIES = {symbol: currency for currency, symbol in SYMBOLS.items()}

CENTS = 100
"""Units of a currency in which its amounts are counted."""

_AMOUNT = re.compile(r"(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?")


@lru_cache(maxsize=8192)
def parse_amount(text: str, unit: int = 1) -> int:
    """`"1,234.50"` with unit 100 -> 123450; `"30"` with unit 1 -> 30. A sign before it is allowed.

    Args:
        text: digits, with or without commas between thousands and a fraction.
        unit: what 1 in the text is worth: CENTS in a currency, 1 in chips.

    Raises:
        ValueError: no amount, one that is finer than the unit, or one too large to stay exact.
    """
    digits = text[1:] if text[:1] in CURRENCIES else text
    match = _AMOUNT.fullmatch(digits)
    if match is None:
        raise ValueError(f"{text!r} is no amount of money or chips, such as $1,234.50 or 30")
    places = len(str(unit)) - 1
    fraction = (match[2] or "").rstrip("0")
    if len(fraction) > places:
        smallest = "whole cents" if unit == CENTS else "whole chips"
        raise ValueError(f"{text!r} is finer than {smallest}")
    amount = int(match[1].replace(",", "")) * unit + int(fraction.ljust(places, "0") or 0)
    if amount > MAX_CHIPS:
        raise ValueError(f"{text!r} is more than the {MAX_CHIPS} chips or cents that stay exact")
    return amount


def format_amount(amount: int, currency: str | None) -> str:
    """`$0.07`, `$1234.50`, `$5` in a currency (its sign is left out if it has none); `30` in chips.

    Raises:
        ValueError: a negative amount.
    """
    return (SYMBOLS.get(currency, "") if currency else "") + bare_amount(amount, currency)


def bare_amount(amount: int, currency: str | None) -> str:
    """The amount without a sign: `0.07`, `1234.50`, `5`; `30` in chips.

    Raises:
        ValueError: a negative amount.
    """
    if amount < 0:
        raise ValueError(f"the amount {amount} is negative")
    if currency is None:
        return str(amount)
    whole, cents = divmod(amount, CENTS)
    return f"{whole}.{cents:02}" if cents else str(whole)
