"""Whatever players and tables are called, a hand is refused with a sentence or reads back equal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from razz_env.history import Bystander, HandRecord, HistoryError, Tournament, hand_text, read
from razz_env.history.writing import FORMATS, Format

from .dealt import dealt

PIECES = """
    Ann|Ann:|Ann folds|Ann: folds|Bob (|x (5)|x ($5 in chips)|(5 in chips) is sitting out|5|0|p1|??
    Seat 1: Ann (5)|*** SUMMARY ***|*** 3rd STREET ***|Dealt to Ann [As]
    Uncalled bet (5) returned to|Uncalled bet of 5 returned to
    Total pot 5 (| Rake 0|Table 'x' 8-max|Table|(6 max)|, Table x
    PokerStars Game #5:  Razz Limit ($1/$2)|Full Tilt Poker Game #5: Table 1 - 1/2 - Limit Razz
    wins the pot (5)|collected 5 from pot|is high with [|shows [As]|mucks|antes 5|Tournament #5, 1
    {"|{Club} |} |[1]|variant = 'FR'|#|'|"|\\|, |', '| |  |: |(|)|-| - |1/2|Razz Limit|Level I
    2024/05/01 20:00:00 ET
"""
SIGNS = [
    "",
    "\t",
    "\n",
    "\r",
    "\x00",
    "\x1c",
    "\x85",
    "\u2028",
    "\u3000",
    "\ufeff",
    "\ufffe",
    "\ud800",
]
WORDS = [piece for line in PIECES.splitlines() for piece in line.removeprefix("    ").split("|")]
ODD = st.lists(st.sampled_from([*WORDS, *SIGNS]) | st.text(max_size=3), max_size=3).map("".join)
PRESETS = {"phh": "pokerkit", "pokerstars": "pokerstars", "fulltilt": "full_tilt", "json": "tda"}
HANDS = {to: dealt(preset, 3, short=False, tables=8) for to, preset in PRESETS.items()}
LOST = {"pokerstars": (), "fulltilt": ("mix", "club"), "phh": (), "json": ()}


def told(record: HandRecord, to: Format) -> tuple[object, ...]:
    """What a format keeps of a hand."""
    people = [seat[:4] for seat in record.seats], record.bystanders
    play = record.moves, record.awards, record.returned, record.payoffs, record.showings
    place = record.tournament if to in ("phh", "json") else bool(record.tournament)
    texts = {"table": record.table or "1", "mix": record.mix, "club": record.club}
    return people, play, place, [texts[name] for name in texts if name not in LOST[to]]


def check_refused_or_equal(record: HandRecord, to: Format) -> None:
    """Writing raises a sentence, or reading gives the same."""
    try:
        text = hand_text(record, to)
    except HistoryError as error:
        assert len(str(error)) > 20  # noqa: PT017  # both outcomes are right
        return
    (again,) = read(text.encode().decode())
    assert told(replace(again, rules=record.rules).completed(), to) == told(record, to)


@pytest.mark.parametrize("to", FORMATS)
@settings(deadline=None)
@given(names=st.lists(ODD, min_size=4, max_size=4), which=st.integers(0, 7))
def test_names(to: Format, names: list[str], which: int) -> None:
    record = HANDS[to][which]
    seats = tuple(seat._replace(name=name) for seat, name in zip(record.seats, names))
    people = (Bystander(names[3], 7, 50),)
    check_refused_or_equal(replace(record, seats=seats, bystanders=people), to)


@pytest.mark.parametrize("to", FORMATS)
@settings(deadline=None)
@given(table=ODD, mix=ODD, club=ODD, tournament=st.none() | st.builds(Tournament, ODD, ODD, ODD))
@example(table="", mix="", club="", tournament=Tournament("x", "", ""))
@example(table="x (6 max)", mix="{x} y", club="a} b", tournament=None)
def test_texts_of_the_header(
    to: Format, table: str, mix: str, club: str, tournament: Tournament | None
) -> None:
    record = replace(HANDS[to][0], table=table, mix=mix, club=club, tournament=tournament)
    check_refused_or_equal(record, to)


@pytest.mark.parametrize("to", ["pokerstars", "fulltilt"])
def test_names_that_text_cannot_tell_apart_are_refused(to: Format) -> None:
    record = HANDS[to][0]
    seats = (record.seats[0], record.seats[1]._replace(name="Player1"), record.seats[2])
    with pytest.raises(HistoryError, match="the name or the chair 'Player1', so text"):
        hand_text(replace(record, seats=seats), to)
    with pytest.raises(HistoryError, match="the name or the chair 2"):
        hand_text(replace(record, bystanders=(Bystander("Zed", 2, 5),)), to)


@pytest.mark.parametrize("names", [[], ["a"], ["a", "b", "c", "d"], "abc"])
def test_a_hand_takes_a_name_for_each_seat(names: list[str]) -> None:
    hand = HANDS["json"][0].to_hand()
    with pytest.raises(HistoryError, match="must be 3 names, one for each seat"):
        HandRecord.from_hand(hand, names=names)
