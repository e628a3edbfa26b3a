"""The generated page about presets: `python -m razz_env.rules.docs [--check]`."""

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields

from razz_env._page import DOCS, write_or_check
from razz_env.rules.house_rules import CHOICES, RULE_BOOKS, SMALL_VARIANTS, HouseRules

PAGE = DOCS / "presets.md"

_HEAD = """# Presets

This page is generated: `python -m razz_env.rules.docs` writes it and `--check` compares it.

`HouseRules.preset(name)` makes the rules of a preset, `HouseRules.preset(name, option=value)`
changes any option of it. In **bold**: what differs from `full_tilt`, the default. The
[rules](rules.md) tell what every option decides and where it comes from.
"""


def page() -> str:
    """The whole page as Markdown: rule books, small variants, and what the options mean."""
    return "\n".join(
        [
            _HEAD,
            "## Rule books\n",
            *_presets_table(RULE_BOOKS),
            "\n## Small variants\n",
            *_presets_table(SMALL_VARIANTS),
            "\n## Options\n",
            *_options_table(),
            "",
        ]
    )


def _presets_table(presets: Sequence[str]) -> Iterator[str]:
    """A row for every option, a column for every preset."""
    yield _row(["option", *(f"`{name}`" for name in presets)])
    yield _rule(1 + len(presets))
    for option in _option_names():
        yield _row([f"`{option}`", *(_cell(name, option) for name in presets)])


def _cell(preset: str, option: str) -> str:
    value = getattr(HouseRules.preset(preset), option)
    text = _words(value)
    return text if value == getattr(HouseRules(), option) else f"**{text}**"


def _words(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def _options_table() -> Iterator[str]:
    """A row for every option: its values and its meaning, as the docstring of HouseRules says."""
    told = meanings()
    yield _row(["option", "values", "meaning"])
    yield _rule(3)
    for option in _option_names():
        yield _row([f"`{option}`", _values(option), told[option]])


def _values(option: str) -> str:
    if option in CHOICES:
        return ", ".join(CHOICES[option])
    default = getattr(HouseRules(), option)
    if isinstance(default, bool):
        return "True, False"
    return "tuple" if isinstance(default, tuple) else "whole number"


def meanings() -> dict[str, str]:
    """Option -> its meaning in one line, out of the attributes in the docstring of HouseRules."""
    told = inspect.getdoc(HouseRules) or ""
    entries = re.findall(
        r"^    (\w+): (.*(?:\n {8}.*)*)", told.split("Attributes:")[1], re.MULTILINE
    )
    return {name: " ".join(text.split()) for name, text in entries}


def _option_names() -> list[str]:
    return [field.name for field in fields(HouseRules)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(columns: int) -> str:
    return "|" + "---|" * columns


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE, page(), "razz_env.rules.docs"))
