"""The one record of a running hand, as NumPy structured types.

`HAND` is `PUBLIC` (all that everyone at the table knows) and the private rest: the deck, the down
cards and the seeds. `SEAT_VIEW` is `PUBLIC` and one seat's own down cards. N tables are an array
of N; a clone is a copy, saving is `tobytes`. Signed fields only: numba makes float64 of uint8 and
int64.
"""

from typing import Any, TypeAlias

import numpy as np

from razz_env._pictures import html_of, svg_of

MAX_SEATS = 8
UP_CARDS = 4
DOWN_CARDS = 3
CARDS_PER_SEAT = UP_CARDS + DOWN_CARDS
DOWN_PLACES = (0, 1, 6)
"""Places of the down cards among a seat's cards in dealing order."""
MAX_BURNS = 4
MAX_SCRAMBLED = 16  # mixed only when short: at most 8 + 1 cards of the stub and 4 burns
LOG_SIZE = 256

# How `PUBLIC.action_counts` packs three counts, and what one more adds to them. In a street a seat
# checks once at most, and of the log's 256 places it fills fewer than 128.
CALLS_PLACE, RAISES_PLACE, COUNT_MASK = 2, 9, 127
ONE_CHECK, ONE_CALL, ONE_RAISE = 1, 1 << CALLS_PLACE, 1 << RAISES_PLACE

# What becomes of a seat's down cards at the end (`PUBLIC.shown`).
NOT_SHOWN, SHOWN, MUCKED = 0, 1, 2

Record: TypeAlias = Any
"""A record inside a kernel; the parameter's name tells which: rules, public, hand or view."""


def _aligned(fields: list[Any]) -> np.dtype[Any]:
    """An aligned structured type whose gaps are fields too, named `gap0`, `gap1`, ...

    NumPy does not copy hidden gaps, so a copy would hold bytes of whatever was there before.
    """
    plain = np.dtype(fields, align=True)
    places = [plain.fields[name][1] for name, *_ in fields] if plain.fields else []
    filled: list[Any] = []
    end = 0
    for field, place in zip([*fields, None], [*places, plain.itemsize], strict=True):
        if place > end:
            filled.append((f"gap{len(filled)}", "i1", (place - end,)))
        if field is not None:
            filled.append(field)
            end = place + np.dtype([field]).itemsize
    return np.dtype(filled, align=True)


_RULES = _aligned(
    [
        ("ante", "<i8"),
        ("bring_in", "<i8"),
        ("small_bet", "<i8"),
        ("big_bet", "<i8"),
        ("rake_cap", "<i8"),
        ("rake_basis_points", "<i2"),
        ("max_bets_per_round", "i1"),
        ("heads_up_cap", "i1"),
        ("board_tie", "i1"),
        ("short_bring_in_call", "i1"),
        ("short_all_in_raise", "i1"),
        ("all_in_bring_in_may_fold", "i1"),
        ("odd_chip", "i1"),
        ("burn_cards", "i1"),
        ("showdown_order", "i1"),
        ("fold_when_check_is_free", "i1"),
        ("deck_ranks", "i1"),
        ("deck_suits", "i1"),
        ("streets", "i1"),
        ("third_street", "i1"),
    ]
)
RULES = np.dtype((np.record, _RULES))
"""`HouseRules` in numbers: an option is the index of its choice, `streets` a bit a street."""

RULE_NAMES = tuple(name for name in _RULES.names or () if not name.startswith("gap"))

_PUBLIC = _aligned(
    [
        ("rules", _RULES),
        # Seats (the first num_seats of 8). Chips.
        ("starting_stack", "<i8", (MAX_SEATS,)),
        ("stack", "<i8", (MAX_SEATS,)),  # behind, not yet put in
        ("street_chips", "<i8", (MAX_SEATS,)),  # put in on this street; antes do not count
        ("total_chips", "<i8", (MAX_SEATS,)),  # put in this hand, antes included
        ("live", "i1", (MAX_SEATS,)),  # has cards: dealt in and not folded
        ("acted", "i1", (MAX_SEATS,)),  # has acted since the last full bet of the street
        ("up", "i1", (MAX_SEATS, UP_CARDS)),  # up cards by street, never erased; -1 not dealt
        ("shown", "i1", (MAX_SEATS,)),  # NOT_SHOWN, SHOWN or MUCKED
        ("shown_down", "i1", (MAX_SEATS, DOWN_CARDS)),  # down cards shown at the end; else -1
        # The betting round. Chips and seats.
        ("level", "<i8"),  # last full level of the street (L of RULES 5)
        ("to_match", "<i8"),  # what a caller must have put in on this street (X of RULES 5)
        ("bets", "<i2"),  # bets and raises of this street that count for the cap
        ("num_seats", "i1"),
        ("street", "i1"),  # 3..7
        ("actor", "i1"),  # seat to act, -1 when the hand is over
        ("must_open", "i1"),  # 1 while the bring-in is due from the actor
        ("bring_in_seat", "i1"),  # seat that has the duty to bring in, or had; -1 none
        ("first_to_act", "i1"),  # seat whose exposed cards open the street, even if all-in
        ("aggressor", "i1", (5,)),  # last seat to complete, bet or raise, by street; -1 none
        ("community", "i1"),  # shared seventh card, -1 none
        ("over", "i1"),
        ("round_seats", "i1"),  # seats that could bet when the street began
        ("capped_multiway", "i1"),  # 1: the cap was reached while more than two could bet
        # The ordered actions, as `action_log` packs them.
        ("log_length", "<i2"),
        ("street_start", "<i2", (5,)),  # log_length when each street began; -1 not begun
        ("log", "i1", (LOG_SIZE,)),
        ("action_counts", "<i2", (5, MAX_SEATS)),  # the same by street and seat; see ONE_CHECK
    ]
)
PUBLIC = np.dtype((np.record, _PUBLIC))
"""All that everyone at the table knows."""

_HAND = _aligned(
    [
        ("public", _PUBLIC),
        ("down", "i1", (MAX_SEATS, DOWN_CARDS)),  # two of third street, the seventh; -1 not dealt
        ("deck", "i1", (52,)),  # in dealing order
        ("next_card", "i1"),  # index in deck of the next card to deal
        ("burnt", "i1", (MAX_BURNS,)),  # burn cards in order; -1 not burnt
        ("burns", "i1"),  # how many
        ("scrambled", "i1", (MAX_SCRAMBLED,)),  # stub and burn cards mixed, when the stub was short
        ("scrambled_cards", "i1"),  # how many; 0 while the deck serves
        ("scrambled_next", "i1"),  # index in scrambled of the next card to deal
        ("planned", "i1"),  # 1: cards come from plan, not from the top of the deck
        ("plan", "i1", (MAX_SEATS, CARDS_PER_SEAT)),  # down down up up up up down; -1 not given
        ("plan_community", "i1"),
        ("low", "<i4", (MAX_SEATS,)),  # keys of the lows at the showdown
        ("seed", "<i8"),
        ("table", "<i8"),
        ("index", "<i8"),  # number of the hand at this table
    ]
)
HAND = np.dtype((np.record, _HAND))
"""The full record of one hand. Everything in it but `public` is hidden from the seats."""


class SeatView(np.record):  # type: ignore[misc]  # the stubs call np.flexible final
    """What one seat may know: `public`, its own `down` cards in order, and its own `seat`.

    An element of an array of dtype `SEAT_VIEW`. Everything that plays, encodes or draws for a seat
    takes this and never the hand record. Notebooks show it as a picture.
    """

    def _repr_svg_(self) -> str | None:
        return svg_of(self)

    def _repr_html_(self) -> str | None:
        return html_of(self)


_SEAT_VIEW = _aligned(
    [
        ("public", _PUBLIC),
        ("down", "i1", (DOWN_CARDS,)),  # own down cards; -1 not dealt
        ("seat", "i1"),
    ]
)
SEAT_VIEW = np.dtype((SeatView, _SEAT_VIEW))
