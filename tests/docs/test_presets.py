"""The page of presets is current and says everything about every option."""

from dataclasses import fields

from razz_env import HouseRules
from razz_env.rules.docs import PAGE, meanings, page
from razz_env.rules.house_rules import PRESETS


def test_page_is_current() -> None:
    assert PAGE.read_text() == page()


def test_every_option_has_a_meaning_of_one_line() -> None:
    assert list(meanings()) == [field.name for field in fields(HouseRules)]
    assert all(text.endswith(".") and "\n" not in text for text in meanings().values())


def test_every_preset_is_a_column() -> None:
    headings = [line for line in page().splitlines() if line.startswith("| option | `")]
    assert [name for line in headings for name in line.split("`")[1::2]] == list(PRESETS)
