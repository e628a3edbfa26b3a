"""HouseRules: stakes, options, presets and their errors (RULES 2, 8 and 10)."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from razz_env import Hand, HouseRules

from ..support.errors import refused
from ..support.tables import TABLE_T, table_rules

PRESETS = {
    "full_tilt": {
        "ante": 4,
        "bring_in": 5,
        "small_bet": 20,
        "big_bet": 40,
        "max_bets_per_round": 4,
        "heads_up_cap": "always",
        "board_tie": "position",
        "short_bring_in_call": "full",
        "all_in_bring_in_may_fold": True,
        "short_all_in_raise": "half_bet",
        "odd_chip": "high_suit",
        "burn_cards": False,
        "showdown_order": "last_aggressor",
        "fold_when_check_is_free": False,
    },
    "pokerstars": {
        "ante": 3,
        "bring_in": 6,
        "small_bet": 20,
        "big_bet": 40,
        "max_bets_per_round": 4,
        "heads_up_cap": "always",
        "board_tie": "high_suit",
        "short_bring_in_call": "full",
        "all_in_bring_in_may_fold": True,
        "short_all_in_raise": "next_level",
        "odd_chip": "high_suit",
        "burn_cards": False,
        "showdown_order": "first_seat",
        "fold_when_check_is_free": False,
    },
    "pokerkit": {
        "ante": 4,
        "bring_in": 5,
        "small_bet": 20,
        "big_bet": 40,
        "max_bets_per_round": 4,
        "heads_up_cap": "always",
        "board_tie": "position",
        "short_bring_in_call": "short",
        "all_in_bring_in_may_fold": False,
        "short_all_in_raise": "full_on_top",
        "odd_chip": "first_seat",
        "burn_cards": False,
        "showdown_order": "first_to_act",
        "fold_when_check_is_free": False,
    },
}  # the table of RULES 8, column by column

CHOICES = {
    "board_tie": ("position", "high_suit"),
    "short_bring_in_call": ("full", "short"),
    "short_all_in_raise": ("half_bet", "next_level", "full_on_top"),
    "odd_chip": ("high_suit", "low_suit", "first_seat"),
    "showdown_order": ("last_aggressor", "first_seat", "first_to_act"),
    "all_in_bring_in_may_fold": (True, False),
    "fold_when_check_is_free": (True, False),
    "max_bets_per_round": (1, 2, 3, 4, 5, 8),
}


@pytest.mark.parametrize("name", PRESETS)
def test_rules_8_presets(name: str) -> None:
    rules = HouseRules.preset(name)
    assert {field: getattr(rules, field) for field in PRESETS[name]} == PRESETS[name]


def test_rules_8_full_tilt_is_the_default() -> None:
    assert HouseRules() == HouseRules.preset("full_tilt")
    assert Hand.deal(num_players=2, stacks=500, seed=1).to_bytes() == (
        Hand.deal(num_players=2, rules="full_tilt", stacks=500, seed=1).to_bytes()
    )


@pytest.mark.parametrize(
    ("option", "value"), [(o, v) for o, values in CHOICES.items() for v in values]
)
def test_rules_8_every_value_of_every_option_is_accepted(option: str, value: object) -> None:
    rules = HouseRules.preset("full_tilt", **{option: value})
    assert getattr(rules, option) == value
    others = {f: v for f, v in PRESETS["full_tilt"].items() if f != option}
    assert {field: getattr(rules, field) for field in others} == others
    assert not Hand.deal(num_players=3, rules=rules, stacks=500, seed=2).is_over


def test_preset_takes_stakes() -> None:
    rules = HouseRules.preset("pokerstars", ante=15, bring_in=30, small_bet=100, big_bet=200)
    assert (rules.ante, rules.bring_in, rules.small_bet, rules.big_bet) == (15, 30, 100, 200)
    assert rules.showdown_order == "first_seat"


def test_whole_numbers_of_numpy_become_those_of_python() -> None:
    rules = HouseRules(ante=np.int64(3), deck_suits=np.int8(4), streets=(3, np.int16(4)))
    assert rules == HouseRules(ante=3, streets=(3, 4))
    assert json.loads(json.dumps(dataclasses.asdict(rules)))["streets"] == [3, 4]


def test_streets_may_come_as_a_list_as_json_and_yaml_have_them() -> None:
    rules = HouseRules.preset("mini20", streets=[3, 4, 7])
    assert rules.streets == (3, 4, 7)
    assert hash(rules) == hash(HouseRules.preset("mini20", streets=(3, 4, 7)))
    assert HouseRules(**json.loads(json.dumps(dataclasses.asdict(rules)))) == rules


def test_rules_are_frozen_and_replaceable() -> None:
    rules = table_rules()
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.ante = 9
    changed = dataclasses.replace(rules, ante=9)
    assert (rules.ante, changed.ante) == (4, 9)
    assert rules == table_rules()
    assert hash(rules) == hash(table_rules())


@pytest.mark.parametrize(
    "stakes",
    [
        {"ante": -1},
        {"bring_in": 0},
        {"bring_in": -5},
        {"bring_in": 20},  # must be below the small bet
        {"bring_in": 25},
        {"small_bet": 41},  # must not exceed the big bet
        {"small_bet": 5},
        {"big_bet": 19},
        {"big_bet": 0},
    ],
)
def test_rules_2_bad_stakes_are_refused_with_the_reason(stakes: dict[str, int]) -> None:
    ((field, value),) = stakes.items()
    with refused(field, value, kind=ValueError):
        HouseRules.preset("full_tilt", **{**TABLE_T, **stakes})
    with refused(field, value, kind=ValueError):
        dataclasses.replace(table_rules(), **stakes)


@pytest.mark.parametrize("field", ["ante", "bring_in", "small_bet", "big_bet"])
@pytest.mark.parametrize("value", [4.5, "10", None, float("nan")])
def test_rules_2_stakes_are_whole_chips(field: str, value: object) -> None:
    with refused():
        HouseRules.preset("full_tilt", **{field: value})


@pytest.mark.parametrize(
    "stakes",
    [
        {"ante": 0},
        {"ante": 5},  # bring-in = ante (GEN)
        {"ante": 19},
        {"ante": 50},
        {"bring_in": 1},
        {"bring_in": 19},
        {"small_bet": 40},
    ],
)
def test_rules_2_free_stakes(stakes: dict[str, int]) -> None:
    rules = table_rules(**stakes)
    assert {k: getattr(rules, k) for k in stakes} == stakes


@pytest.mark.parametrize("value", [0, -1, 2.5, "four"])
def test_cap_must_be_a_positive_whole_number(value: object) -> None:
    with refused():
        HouseRules.preset("full_tilt", max_bets_per_round=value)


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("full_tlit", "full_tilt"), ("pokerstar", "pokerstars"), ("poker_kit", "pokerkit")],
)
def test_unknown_preset_names_the_nearest(wrong: str, nearest: str) -> None:
    with refused(wrong, nearest, kind=ValueError):
        HouseRules.preset(wrong)
    with refused(wrong, nearest, kind=ValueError):
        Hand.deal(num_players=2, rules=wrong, stacks=500)


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("odd_chp", "odd_chip"), ("small_bets", "small_bet"), ("max_bets", "max_bets_per_round")],
)
def test_unknown_option_names_the_nearest(wrong: str, nearest: str) -> None:
    with refused(wrong, nearest):
        HouseRules.preset("full_tilt", **{wrong: 1})


@pytest.mark.parametrize(
    ("option", "wrong", "nearest"),
    [
        ("odd_chip", "high_siut", "high_suit"),
        ("board_tie", "postion", "position"),
        ("short_bring_in_call", "ful", "full"),
        ("short_all_in_raise", "halfbet", "half_bet"),
        ("showdown_order", "last_agressor", "last_aggressor"),
    ],
)
def test_unknown_option_value_names_the_nearest(option: str, wrong: str, nearest: str) -> None:
    with refused(option, wrong, nearest, kind=ValueError):
        HouseRules.preset("full_tilt", **{option: wrong})


@pytest.mark.parametrize("option", ["all_in_bring_in_may_fold", "fold_when_check_is_free"])
@pytest.mark.parametrize("value", ["no", 2, None])
def test_yes_no_options_take_only_booleans(option: str, value: object) -> None:
    with refused(option):
        HouseRules.preset("full_tilt", **{option: value})


@pytest.mark.parametrize("option", list(CHOICES))
def test_none_is_no_value_of_any_option(option: str) -> None:
    with refused():
        HouseRules.preset("full_tilt", **{option: None})


# The table of RULES 8, line by line.
BOOKS = ("full_tilt", "pokerstars", "roberts", "wsop_live", "wsop_tournament", "tda", "pokerkit")
WHEN, ROUND, TWO = "lifted_when_heads_up", "lifted_round_heads_up", "lifted_two_seats"
AGGRESSOR, SEAT, ACT = "last_aggressor", "first_seat", "first_to_act"
HIGH, LOW, FIRST = "high_suit", "low_suit", "first_seat"
POSITION, HALF = "position", "half_bet"
RULES_8: dict[str, tuple[object, ...]] = {
    "max_bets_per_round": (4, 4, 4, 5, 5, 4, 4),
    "heads_up_cap": ("always", "always", WHEN, ROUND, TWO, TWO, "always"),
    "board_tie": (POSITION, HIGH, POSITION, POSITION, POSITION, HIGH, POSITION),
    "short_bring_in_call": ("full", "full", "full", "full", "full", "full", "short"),
    "all_in_bring_in_may_fold": (True, True, True, True, True, True, False),
    "short_all_in_raise": (HALF, "next_level", HALF, HALF, HALF, HALF, "full_on_top"),
    "odd_chip": (HIGH, HIGH, LOW, HIGH, HIGH, HIGH, FIRST),
    "burn_cards": (False, False, True, True, True, True, False),
    "showdown_order": (AGGRESSOR, SEAT, ACT, ACT, ACT, ACT, ACT),
    "ante": (4, 3, 4, 4, 5, 4, 4),
    "bring_in": (5, 6, 5, 7, 5, 5, 5),
    "small_bet": (20,) * 7,
    "big_bet": (40,) * 7,
    "fold_when_check_is_free": (False,) * 7,
}


@pytest.mark.parametrize("book", BOOKS)
def test_rules_8_presets_are_the_columns_of_the_table(book: str) -> None:
    rules = HouseRules.preset(book)
    column = BOOKS.index(book)
    assert {name: getattr(rules, name) for name in RULES_8} == {
        name: values[column] for name, values in RULES_8.items()
    }
