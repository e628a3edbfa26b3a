"""PHH as other people write it: optional fields, unknown cards, other styles of TOML."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest

from razz_env.history import Failed, HandRecord, HistoryError, read, scan
from razz_env.rules.cards import format_cards

ACTIONS = [
    "d dh p1 ????2c",
    "d dh p2 As6hKc",
    "d dh p3 ????9h",
    "p2 pb",
    "p3 f",
    "p1 cbr 20 # thinks for a while",
    "p2 cc",
    "d dh p1 4d",
    "d dh p2 7s",
    "p1 cc",
    "p2 cbr 20",
    "p1 f",
]


def phh(**changes: str) -> str:
    """A small file with only the required fields, changed or added to."""
    values = {
        "variant": "'FR'",
        "antes": "[4, 4, 4]",
        "bring_in": "5",
        "small_bet": "20",
        "big_bet": "40",
        "starting_stacks": "[500, 400, 300]",
        "actions": str(ACTIONS),
        **changes,
    }
    return "".join(f"{key} = {value}\n" for key, value in values.items() if value)


def one(text: str) -> HandRecord:
    """The only hand of a text."""
    (record,) = read(text)
    return record


def failure(text: str) -> str:
    """Why a text cannot be read."""
    (result,) = scan([text])
    assert isinstance(result, Failed)
    return result.reason


def test_required_fields_and_unknown_cards() -> None:
    record = one(phh())
    assert format_cards(record.seats[0].cards) == "????2c4d"
    assert [seat.name for seat in record.seats] == ["Player1", "Player2", "Player3"]
    assert record.completed().payoffs == (-24, 28, -4)
    assert record.to_hand(np.random.default_rng(0)).stacks.tolist() == [476, 428, 296]


def test_optional_fields() -> None:
    record = one(
        phh(
            venue='"Casino \\"Testudo\\""',
            players="['Ann', \"Bob 'B'\", '''Cid''']",
            seats="[2, 5, 7]",
            seat_count="8",
            hand="'x-1'",
            table="12",
            time="21:30:00",
            time_zone="'America/New_York'",
            day="1",
            month="5",
            year="2024",
            currency="'USD'",
            author="'nobody'",
        )
    )
    assert (record.room, record.hand_id, record.table) == ('Casino "Testudo"', "x-1", "12")
    assert [seat.name for seat in record.seats] == ["Ann", "Bob 'B'", "Cid"]
    assert (record.time, record.zone) == (datetime(2024, 5, 1, 21, 30), "ET")
    assert (record.currency, record.rules.small_bet, record.moves[2].to_chips) == (
        "USD",
        2000,
        2000,
    )


def test_other_styles_of_toml() -> None:
    lines = ",\n  ".join(f'"{action}"' for action in ACTIONS)
    styled = phh(
        actions=f"[ # the actions\n  {lines},\n]", antes="[ 4,4, 4, ]", bring_in="5 # five"
    )
    assert one("# a comment\n\n" + styled).completed() == one(phh()).completed()
    sections = f"[1]\n{phh()}\n[2]\n{styled}[hand-3]\n{phh()}"
    assert len(list(read(sections))) == 3


def test_decimal_amounts_are_exact() -> None:
    actions = str(ACTIONS).replace("20", "0.2")
    record = one(
        phh(
            antes="[0.04, 0.04, 0.04]",
            bring_in="0.05",
            small_bet="0.2",
            big_bet="0.40",
            starting_stacks="[5, 1234.56, 3.0]",
            actions=actions,
            currency_symbol="'€'",
        )
    )
    assert (record.currency, record.stacks) == ("EUR", (500, 123456, 300))
    assert record.completed().payoffs == (-24, 28, -4)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"variant": ""}, "no variant"),
        ({"big_bet": ""}, "'big_bet' is missing"),
        ({"antes": "[4, 4]"}, "do not match"),
        ({"antes": "[4, 4, 2]"}, "differ between seats"),
        ({"bring_in": "50"}, "bring_in=50 must be"),
        ({"bring_in": "'five'"}, "no amount"),
        ({"actions": "['p1 jump']"}, "no action of razz"),
        ({"actions": "['p9 f']"}, "no action of a player"),
        ({"actions": "['d dh p1 AsAsAx']"}, "is no card"),
        ({"actions": "'p1 f'"}, "is no list"),
        ({"actions": "[1, 2]"}, "wrong kind"),
        ({"actions": "['p1 f'"}, "no TOML"),
        ({"starting_stacks": "[500, 400, 0]"}, "must be above zero"),
        ({"starting_stacks": "[500, 400, 99999999999999999999]"}, "stay exact"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, str], reason: str) -> None:
    assert reason in failure(phh(**changes))


def test_a_damaged_section_leaves_its_neighbours_alone() -> None:
    text = f"[1]\n{phh(hand='1')}\n[2]\n{phh(hand='2', big_bet='')}\n[3]\n{phh(hand='3')}"
    results = list(scan([text]))
    assert [isinstance(result, Failed) for result in results] == [False, True, False]
    assert isinstance(results[1], Failed)
    assert results[1].hand_id == "2"
    assert text.splitlines()[results[1].line - 2] == "[2]"
    with pytest.raises(HistoryError, match="hand #2: the required field 'big_bet' is missing"):
        list(read(text))
