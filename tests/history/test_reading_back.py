"""A room's text is written if its own reader gives the hand back, and else refused."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest

from razz_env import HouseRules
from razz_env.history import HandRecord, HistoryError, Showing, audit, hand_text, read
from razz_env.history.reading_back import turned
from razz_env.history.writing import FORMATS, Format, lost_facts
from razz_env.rules.cards import NO_CARD
from razz_env.rules.hand import Hand
from razz_env.rules.terms import Action

from .dealt import dealt

ROOMS: tuple[Format, ...] = ("pokerstars", "fulltilt")
PRESETS = {"pokerstars": "pokerstars", "fulltilt": "full_tilt", "phh": "pokerkit", "json": "tda"}
SHOWN = next(r for r in dealt("pokerstars", 3, short=False) if len(r.live_seats) > 1)


def empty_pot(to: Format) -> HandRecord:
    """Without an ante everybody folds to the bring-in, who gets it back."""
    hand = Hand.deal(2, HouseRules.preset(PRESETS[to], ante=0), 500, seed=1)
    hand.apply(Action.BRING_IN)
    hand.apply(Action.FOLD)
    return HandRecord.from_hand(hand, names=["Ann", "Bob"])


@pytest.mark.parametrize("to", FORMATS)
def test_an_empty_pot_comes_back(to: Format) -> None:
    record = empty_pot(to)
    (again,) = read(hand_text(record, to))
    assert again.completed().pots == record.pots == ()
    assert again.completed().payoffs == record.payoffs == (0, 0)
    assert audit(again).agrees


@pytest.mark.parametrize("to", ROOMS)
def test_who_wins_an_empty_pot_shows_no_down_cards(to: Format) -> None:
    text = hand_text(empty_pot(to), to)
    assert text.count("collected (0)") == 1
    assert "mucked [" not in text


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("folding", [0.01, 3.0], ids=["showdown", "fold"])
def test_a_pot_that_the_house_takes_whole_comes_back(to: Format, folding: float) -> None:
    rules = HouseRules.preset(PRESETS[to], rake_basis_points=10_000)
    for record in dealt(rules, 3, short=False, tables=5, folding=folding):
        assert (record.rake, record.awards) == (record.total_pot, ())
        assert sum(record.payoffs) == -record.rake
        (again,) = read(hand_text(record, to))
        assert again.completed().payoffs == record.payoffs
        assert audit(again).agrees


@pytest.mark.parametrize("to", ROOMS)
def test_an_unknown_up_card_is_not_written(to: Format) -> None:
    cards = [seat.cards for seat in SHOWN.seats]
    cards[1] = (*cards[1][:3], NO_CARD, *cards[1][4:])
    with pytest.raises(HistoryError, match="up card of Player2 on street 4 is unknown"):
        hand_text(SHOWN.with_cards(cards), to)


def in_chairs(record: HandRecord, chairs: tuple[int, ...]) -> HandRecord:
    """The record with other numbers of its chairs."""
    seats = zip(record.seats, chairs, strict=True)
    return replace(record, seats=tuple(seat._replace(number=chair) for seat, chair in seats))


def rotations(chairs: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The chairs in order, begun at each of them."""
    return {chairs[first:] + chairs[:first] for first in range(len(chairs))}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("ante", [0, 4])
@pytest.mark.parametrize("to", ROOMS)
def test_chairs_are_written_in_the_orders_that_come_back(to: Format, ante: int, seats: int) -> None:
    """PokerStars tells by its antes where the button is; Full Tilt never does, and loses it."""
    rules = HouseRules.preset(PRESETS[to], ante=ante)
    record = dealt(rules, seats, short=True, tables=1)[0]
    chairs = tuple(sorted(random.Random(seats).sample(range(1, 10), seats)))
    tells_button = to == "pokerstars" and ante
    for order in permutations(chairs):
        seated = in_chairs(record, order)
        if order in rotations(chairs):
            (again,) = read(hand_text(seated, to))
            first = 0 if tells_button else order.index(min(order))
            expected = turned(seated, first).seats
            assert [seat[:4] for seat in again.seats] == [seat[:4] for seat in expected]
            assert ("the button" in lost_facts(seated, to)) == (first > 0)
        else:
            with pytest.raises(HistoryError, match="but in text of this room they would be"):
                hand_text(seated, to)
        assert list(read(hand_text(seated, "json"))) == [seated]


@pytest.mark.parametrize("to", ROOMS)
@pytest.mark.parametrize("number", ["7", "007", "120"])
def test_the_number_of_a_hand_comes_back_as_it_was(number: str, to: Format) -> None:
    (again,) = read(hand_text(replace(SHOWN, hand_id=number), to))
    assert again.hand_id == number


@pytest.mark.parametrize("to", ROOMS)
def test_a_low_that_would_be_more_than_a_name_is_not_written(to: Format) -> None:
    seat = SHOWN.live_seats[0]
    forged = replace(SHOWN, showings=(Showing(seat, False, "8,7\nPlayer1: folds"),))
    with pytest.raises(HistoryError, match="cannot stand in a line"):
        hand_text(forged, to)


@pytest.mark.parametrize("to", ROOMS)
def test_an_amount_that_no_line_holds_is_not_written(to: Format) -> None:
    with pytest.raises(HistoryError, match="its pots would be read back as "):
        hand_text(replace(SHOWN, pots=(5,)), to)
