"""House rules: every option of RULES 8 and 10 as a typed, checked field; the named presets."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from razz_env.rules.checks import is_whole
from razz_env.rules.record import LOG_SIZE, MAX_SEATS, RULE_NAMES, RULES
from razz_env.rules.terms import Street

HeadsUpCap = Literal["always", "lifted_when_heads_up", "lifted_round_heads_up", "lifted_two_seats"]
BoardTie = Literal["position", "high_suit"]
ShortBringInCall = Literal["full", "short"]
ShortAllInRaise = Literal["half_bet", "next_level", "full_on_top"]
OddChip = Literal["high_suit", "low_suit", "first_seat"]
ShowdownOrder = Literal["last_aggressor", "first_seat", "first_to_act"]

CHOICES: dict[str, tuple[str, ...]] = {
    "heads_up_cap": get_args(HeadsUpCap),
    "board_tie": get_args(BoardTie),
    "short_bring_in_call": get_args(ShortBringInCall),
    "short_all_in_raise": get_args(ShortAllInRaise),
    "odd_chip": get_args(OddChip),
    "showdown_order": get_args(ShowdownOrder),
}
"""Option -> its values; a value's index is its number in the record."""

ALL_STREETS = (3, 4, 5, 6, 7)
MAX_CHIPS = 2**53
"""Largest amount of chips: sums of eight such stacks stay exact in int64."""


@dataclass(frozen=True)
class HouseRules:
    """Stakes and options of a table. The defaults are the preset `full_tilt` (RULES 8).

    Chips are whole numbers. Every field is checked at construction: an impossible value raises a
    ValueError that says what to write instead. Whole numbers of NumPy become those of Python, a
    list of streets, as JSON and YAML have it, a tuple.

    Attributes:
        ante: chips posted by every seat before the deal, >= 0.
        bring_in: forced opening wager, 0 < bring_in < small_bet.
        small_bet: bet size on third and fourth street.
        big_bet: bet size from fifth street on, >= small_bet; the unit of all results ("bb").
        max_bets_per_round: bets and raises in a round; the bring-in with its completion is one.
        heads_up_cap: when two players that are not all-in may raise past that limit: "always"
            capped; "lifted_when_heads_up" if only two are left before the cap is reached;
            "lifted_round_heads_up" if the round starts with two; "lifted_two_seats" at a table of
            two. Stacks bound the raises, and the action log does: a lifted cap holds again once
            the log has room for no more than a capped hand.
        board_tie: who opens a later street among equal lowest boards.
        short_bring_in_call: what others call when the bring-in is all-in for less.
        short_all_in_raise: what an all-in of less than a full raise does (RULES 5).
        all_in_bring_in_may_fold: whether the seat that opens for an all-in highest door may fold.
        odd_chip: who gets a chip that cannot be split.
        burn_cards: whether a card is burnt before each street from fourth on.
        showdown_order: who shows first when the last street had no bet.
        fold_when_check_is_free: whether a player may fold without facing a bet.
        deck_ranks: number of ranks from the ace up, 3 to 13 (small variants, RULES 10).
        deck_suits: number of suits from clubs up, 1 to 4 (small variants).
        streets: streets that are played, third always (small variants).
        third_street: down cards on third street, 1 or 2 (small variants).
        rake_basis_points: hundredths of a percent of all pots that the house takes, rounded down
            to whole chips; the main pot pays first. 0: no rake.
        rake_cap: the most that it takes from a hand, in chips; 0: no limit.
    """

    ante: int = 4
    bring_in: int = 5
    small_bet: int = 20
    big_bet: int = 40
    max_bets_per_round: int = 4
    heads_up_cap: HeadsUpCap = "always"
    board_tie: BoardTie = "position"
    short_bring_in_call: ShortBringInCall = "full"
    short_all_in_raise: ShortAllInRaise = "half_bet"
    all_in_bring_in_may_fold: bool = True
    odd_chip: OddChip = "high_suit"
    burn_cards: bool = False
    showdown_order: ShowdownOrder = "last_aggressor"
    fold_when_check_is_free: bool = False
    deck_ranks: int = 13
    deck_suits: int = 4
    streets: tuple[int, ...] = ALL_STREETS
    third_street: int = 2
    rake_basis_points: int = 0
    rake_cap: int = 0

    def __post_init__(self) -> None:
        _make_plain(self)
        for check in (
            _check_numbers,
            _check_stakes,
            _check_choices,
            _check_switches,
            _check_variant,
        ):
            check(self)

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> "HouseRules":
        """A named rule book of RULES 8, with any field replaced.

        Raises:
            ValueError: an unknown preset or field (naming the nearest), or a field out of range.
        """
        if name not in list(PRESETS):  # a list compares what cannot be hashed, too
            raise ValueError(f"There is no preset {name!r}{nearest(name, PRESETS)}.")
        known = [field.name for field in fields(cls)]
        for key in overrides:
            if key not in known:
                raise ValueError(f"House rules have no field {key!r}{nearest(key, known)}.")
        return cls(**{**PRESETS[name], **overrides})

    def record(self) -> np.record:
        """The rules in numbers, as the `RULES` part of a hand record."""
        numbers: np.record = np.zeros(1, RULES)[0]
        for name in RULE_NAMES:
            value = getattr(self, name)
            if name in CHOICES:
                value = CHOICES[name].index(value)
            elif name == "streets":
                value = sum(1 << (street - 3) for street in value)
            numbers[name] = value
        return numbers

    @classmethod
    def from_record(cls, numbers: np.record) -> "HouseRules":
        """The rules a record was made with: the inverse of `record`."""
        values: dict[str, Any] = {name: int(numbers[name]) for name in RULE_NAMES}
        for name, choices in CHOICES.items():
            values[name] = choices[values[name]]
        for name in _SWITCHES:
            values[name] = bool(values[name])
        values["streets"] = tuple(s for s in ALL_STREETS if values["streets"] >> (s - 3) & 1)
        return cls(**values)


RulesLike: TypeAlias = str | Mapping[str, Any] | HouseRules

_SWITCHES = ("all_in_bring_in_may_fold", "burn_cards", "fold_when_check_is_free")
_CHIP_FIELDS = ("ante", "bring_in", "small_bet", "big_bet", "rake_cap")

PRESETS: dict[str, dict[str, Any]] = {
    "full_tilt": {},
    "pokerstars": {
        "ante": 3,
        "bring_in": 6,
        "board_tie": "high_suit",
        "short_all_in_raise": "next_level",
        "showdown_order": "first_seat",
    },
    "roberts": {
        "heads_up_cap": "lifted_when_heads_up",
        "odd_chip": "low_suit",
        "burn_cards": True,
        "showdown_order": "first_to_act",
    },
    "wsop_live": {
        "bring_in": 7,
        "max_bets_per_round": 5,
        "heads_up_cap": "lifted_round_heads_up",
        "burn_cards": True,
        "showdown_order": "first_to_act",
    },
    "wsop_tournament": {
        "ante": 5,
        "max_bets_per_round": 5,
        "heads_up_cap": "lifted_two_seats",
        "burn_cards": True,
        "showdown_order": "first_to_act",
    },
    "tda": {
        "heads_up_cap": "lifted_two_seats",
        "board_tie": "high_suit",
        "burn_cards": True,
        "showdown_order": "first_to_act",
    },
    "pokerkit": {
        "short_bring_in_call": "short",
        "short_all_in_raise": "full_on_top",
        "all_in_bring_in_may_fold": False,
        "odd_chip": "first_seat",
        "showdown_order": "first_to_act",
    },
    "kuhn": {
        "deck_ranks": 6,
        "deck_suits": 2,
        "third_street": 1,
        "streets": (3,),
        "max_bets_per_round": 1,
    },
    "mini20": {"deck_ranks": 5, "streets": (3, 4), "max_bets_per_round": 2},
    "mini24": {"deck_ranks": 6, "streets": (3, 4, 7), "max_bets_per_round": 2},
    "mini32": {"deck_ranks": 8, "streets": (3, 4, 7), "max_bets_per_round": 2},
}
"""Preset -> the fields in which it differs from `full_tilt` (RULES 8), small variants (10)."""

SMALL_VARIANTS = tuple(name for name, changes in PRESETS.items() if "deck_ranks" in changes)
"""Presets of a shorter deck, for research."""

RULE_BOOKS = tuple(name for name in PRESETS if name not in SMALL_VARIANTS)
"""Presets of the full game."""


def nearest(word: object, known: Mapping[str, Any] | list[str] | tuple[str, ...]) -> str:
    """End of a sentence about an unknown word: the nearest known one, then all of them."""
    close = difflib.get_close_matches(str(word), list(known), n=1)
    hint = f"; did you mean {close[0]!r}? Known" if close else "; known"
    return f"{hint}: {', '.join(known)}"


def as_house_rules(rules: RulesLike) -> HouseRules:
    """House rules from a preset's name, a mapping (`{"preset": name, field: value}`) or themselves.

    Raises:
        ValueError: an unknown preset or field, or a value out of range.
        TypeError: anything else.
    """
    if isinstance(rules, HouseRules):
        return rules
    if isinstance(rules, str):
        return HouseRules.preset(rules)
    if isinstance(rules, Mapping):
        changes = {str(name): value for name, value in rules.items()}
        return HouseRules.preset(changes.pop("preset", "full_tilt"), **changes)
    raise TypeError(
        f"rules must be a preset's name, a mapping or HouseRules, not {type(rules).__name__}."
    )


def check_table_size(rules: HouseRules, num_players: int) -> None:
    """Refuse a number of seats that the rules, the deck or the record cannot serve.

    The action log holds LOG_SIZE entries. A round has at most one action a seat, and after each
    of its bets one more of every other seat; a seat's one all-in adds at most one more of every
    seat left.

    Raises:
        ValueError: not 2..8 seats, too small a deck, or a cap so high that a hand could outgrow
            its log.
    """
    if not is_whole(num_players):
        raise ValueError(f"The number of players must be a whole number, not {num_players!r}.")
    if not 2 <= num_players <= MAX_SEATS:
        raise ValueError(f"Razz is played by 2 to {MAX_SEATS} players, not {num_players}.")
    _check_deck(rules, num_players)
    others = num_players - 1
    all_ins = num_players * others // 2

    def longest(cap: int) -> int:
        return len(rules.streets) * (num_players + cap * others) + all_ins

    if longest(rules.max_bets_per_round) > LOG_SIZE:
        fits = max(cap for cap in range(1, LOG_SIZE) if longest(cap) <= LOG_SIZE)
        raise ValueError(
            f"max_bets_per_round={rules.max_bets_per_round} with {num_players} players could need "
            f"{longest(rules.max_bets_per_round)} actions in a hand and the record holds "
            f"{LOG_SIZE}: use at most {fits}."
        )


def _make_plain(rules: HouseRules) -> None:
    """Whole numbers as int, streets as a tuple; what is neither is left to the checks."""
    for name, value in list(vars(rules).items()):
        if isinstance(value, list | tuple):
            plain: Any = tuple(int(one) if is_whole(one) else one for one in value)
            object.__setattr__(rules, name, plain)
        elif type(value) is not int and is_whole(value):
            object.__setattr__(rules, name, int(value))


def _check_numbers(rules: HouseRules) -> None:
    for name in (*_CHIP_FIELDS, "max_bets_per_round", "rake_basis_points"):
        value = getattr(rules, name)
        if not is_whole(value):
            raise ValueError(f"{name} must be a whole number of chips or bets, not {value!r}.")
        if value > MAX_CHIPS:
            raise ValueError(f"{name}={value} is more than the {MAX_CHIPS} chips that stay exact.")
    if not 1 <= rules.max_bets_per_round <= 100:
        raise ValueError(f"max_bets_per_round={rules.max_bets_per_round} must be 1 to 100.")


def _check_stakes(rules: HouseRules) -> None:
    if rules.ante < 0:
        raise ValueError(f"ante={rules.ante} must not be negative.")
    if not 0 < rules.bring_in < rules.small_bet:
        raise ValueError(
            f"bring_in={rules.bring_in} must be more than 0 and less than "
            f"small_bet={rules.small_bet}."
        )
    if rules.big_bet < rules.small_bet:
        raise ValueError(
            f"big_bet={rules.big_bet} must not be less than small_bet={rules.small_bet}."
        )
    if not 0 <= rules.rake_basis_points <= 10_000 or rules.rake_cap < 0:
        raise ValueError(
            f"rake_basis_points={rules.rake_basis_points} must be 0 to 10000 (100 %), and "
            f"rake_cap={rules.rake_cap} not negative."
        )


def _check_choices(rules: HouseRules) -> None:
    for name, choices in CHOICES.items():
        value = getattr(rules, name)
        if value not in choices:
            raise ValueError(f"{name}={value!r} is no choice{nearest(value, choices)}.")


def _check_switches(rules: HouseRules) -> None:
    for name in _SWITCHES:
        if not isinstance(getattr(rules, name), bool):
            raise ValueError(f"{name} must be True or False, not {getattr(rules, name)!r}.")


def _check_variant(rules: HouseRules) -> None:
    for name, low, high in (("deck_ranks", 3, 13), ("deck_suits", 1, 4), ("third_street", 1, 2)):
        value = getattr(rules, name)
        if not is_whole(value) or not low <= value <= high:
            raise ValueError(f"{name}={value!r} must be a whole number from {low} to {high}.")
    streets: Any = rules.streets
    is_whole_tuple = isinstance(streets, tuple) and all(map(is_whole, streets))
    if not is_whole_tuple or list(streets) != sorted(set(streets) & set(ALL_STREETS)):
        raise ValueError(f"streets={streets!r} must be a rising tuple of whole numbers 3 to 7.")
    if streets[:1] != ALL_STREETS[:1]:
        raise ValueError(f"streets={streets!r} must begin with third street, 3.")


def cards_before_seventh(rules: HouseRules, num_players: int) -> int:
    """How many cards leave the deck before seventh street if nobody folds, burn cards included."""
    up = len([street for street in rules.streets if street < Street.SEVENTH])
    burns = (up - 1) * rules.burn_cards
    return num_players * (rules.third_street + up) + burns


def _check_deck(rules: HouseRules, num_players: int) -> None:
    """Refuse more seats than the deck can serve up to the community card."""
    cards = rules.deck_ranks * rules.deck_suits
    needed = cards_before_seventh(rules, num_players)
    if Street.SEVENTH in rules.streets:  # the community card, and its burn if there was none yet
        needed += 1 + (rules.burn_cards and len(rules.streets) == 2)
    if needed > cards:
        raise ValueError(
            f"{num_players} players need {needed} cards and this deck has {cards} "
            f"({rules.deck_ranks} ranks x {rules.deck_suits} suits): use fewer players."
        )
