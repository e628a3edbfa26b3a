"""The parameters of the OpenSpiel game: seats, stacks, how chance deals, and every house rule.

OpenSpiel's parameters are numbers and words without commas. Each field of `HouseRules` is one; left
at its default (-1 for numbers, "" for words) it is what the rule book named by `rules` says.
"""

from dataclasses import dataclass, fields
from typing import Any

from razz_env.rules.house_rules import HouseRules, nearest
from razz_env.rules.record import LOG_SIZE
from razz_env.rules.setup import StacksLike

CHANCE_MODELS = ("cards", "ranks")
_AS_IN_THE_BOOK = {int: -1, str: "", bool: "", tuple: ""}
_SWITCH_WORDS = {"yes": True, "no": False}


def _kind(name: str) -> type:
    return type(getattr(HouseRules(), name))


DEFAULTS: dict[str, Any] = {
    "num_players": 2,
    "rules": "full_tilt",
    "stack": 500,
    "stacks": "",
    "chance": "cards",
    **{field.name: _AS_IN_THE_BOOK[_kind(field.name)] for field in fields(HouseRules)},
}
"""Parameter -> its default."""


@dataclass(frozen=True)
class Table:
    """What the parameters say.

    Attributes:
        num_players: seats.
        rules: the house rules.
        stacks: chips of every seat, or one number for each.
        by_rank: whether chance deals ranks instead of cards.
    """

    num_players: int
    rules: HouseRules
    stacks: StacksLike
    by_rank: bool


def read_parameters(given: dict[str, Any]) -> Table:
    """The table that parameters describe.

    Raises:
        ValueError: an unknown or impossible value, named.
    """
    for name in given:
        if name not in DEFAULTS:
            raise ValueError(f"The game has no parameter {name!r}{nearest(name, DEFAULTS)}.")
    chosen = {**DEFAULTS, **given}
    options = {
        field.name: _option(field.name, chosen[field.name])
        for field in fields(HouseRules)
        if chosen[field.name] != DEFAULTS[field.name]
    }
    rules = HouseRules.preset(chosen["rules"], **options)
    num_players = int(chosen["num_players"])
    by_rank = _is_by_rank(chosen["chance"], rules, num_players)
    return Table(num_players, rules, _stacks(chosen), by_rank)


def _option(name: str, value: Any) -> Any:
    """A house rule from a parameter: switches are "yes" or "no", streets "3 4 7"."""
    kind = _kind(name)
    if kind is bool:
        if value not in _SWITCH_WORDS:
            raise ValueError(f"{name}={value!r} must be yes or no.")
        return _SWITCH_WORDS[value]
    return tuple(_numbers(name, str(value))) if kind is tuple else value


def _stacks(chosen: dict[str, Any]) -> StacksLike:
    """`stacks` has one number for each seat; without it `stack` is that of all."""
    if chosen["stacks"] == DEFAULTS["stacks"]:
        return int(chosen["stack"])
    return _numbers("stacks", chosen["stacks"])


def _numbers(name: str, words: str) -> list[int]:
    if not words or not all(word.isdecimal() for word in words.split()):
        raise ValueError(f"{name}={words!r} must be whole numbers with spaces between them.")
    return [int(word) for word in words.split()]


def _is_by_rank(chance: str, rules: HouseRules, num_players: int) -> bool:
    if chance not in CHANCE_MODELS:
        raise ValueError(f"chance={chance!r} is no model{nearest(chance, CHANCE_MODELS)}.")
    if chance == "cards":
        return False
    no_odd_chips = num_players == 2 and not rules.rake_basis_points
    if rules.board_tie != "position" or not (no_odd_chips or rules.odd_chip == "first_seat"):
        raise ValueError(
            "chance=ranks leaves suits out, but under these rules they decide about boards or odd "
            "chips: use board_tie=position and odd_chip=first_seat, or chance=cards."
        )
    return True


def most_chips(table: Table) -> list[int]:
    """The most chips that each seat can lose in a hand.

    No more than its stack, nor than another seat could match; nor, where the cap always holds, than
    the ante and every round bet to its cap, with half a bet more for short all-ins.
    """
    rules = table.rules
    stacks = _each(table)
    limit = sum(stacks)
    if rules.heads_up_cap == "always":
        bets = sum(rules.small_bet if street < 5 else rules.big_bet for street in rules.streets)
        limit = rules.ante + (2 * rules.max_bets_per_round + 1) * bets // 2
    others = [max(stacks[:seat] + stacks[seat + 1 :]) for seat in range(len(stacks))]
    return [min(*both, limit) for both in zip(stacks, others, strict=True)]


def _each(table: Table) -> list[int]:
    stacks = table.stacks
    return [stacks] * table.num_players if isinstance(stacks, int) else [int(s) for s in stacks]


def longest_hand(table: Table) -> int:
    """The most actions that a hand can have: see `check_table_size`, which counts them so."""
    rules, others = table.rules, table.num_players - 1
    if rules.heads_up_cap != "always":
        return LOG_SIZE
    a_round = table.num_players + rules.max_bets_per_round * others
    return len(rules.streets) * a_round + table.num_players * others // 2
