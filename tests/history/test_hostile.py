"""Fields of the wrong kind, lost lines, names that look like lines: told, never believed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents.history_commands import replay_command
from razz_env.history import (
    Bystander,
    Failed,
    Found,
    HistoryError,
    audit,
    convert,
    hand_text,
    json_lines,
    read,
    scan,
)
from razz_env.history.checks import check_fields
from razz_env.history.writing import Format

from .dealt import dealt, fixture

RECORD = next(r for r in dealt("pokerkit", 3, short=False) if len(r.live_seats) > 1)
ROOMS = ("pokerstars", "fulltilt")

HOSTILE_PHH = {
    "bring_in": "1e999999999",
    "antes": "'444'",
    "players": "[1, 2, 3]",
    "seats": "['a', 'b', 'c']",
    "winnings": "[9, 9, 9, 9]",
    "actions": "[]",
    "_awards": "['0 9 5']",
    "_high_door": "17",
    "_hero": "'x'",
    "_clock": "'noon CCT'",
    "_club": "[1]",
    "_tournament": "[1, 2, 3]",
    "_bring_in_known": "7",
    "time_zone": "5",
    "_house_rules": "['preset = kuhn']",
    "finishing_stacks": "[1, 2]",
}

HOSTILE_JSON = {
    "hand_id": 7,
    "table": "\ud800",
    "returned": [1],
    "pots": ["x"],
    "high_door": 9,
    "bystanders": [{"name": "Zed", "number": "x", "stack": 5}],
    "moves": [{"seat": 0, "street": 9, "action": "fold"}],
    "showings": [{"seat": 0, "mucked": 5, "low": ""}],
    "clock": "noon",
    "total_pot": 1.5,
}


def only(text: str) -> Found | Failed:
    """The one result of a text."""
    (result,) = scan([text])
    assert isinstance(result, Found | Failed)
    return result


@pytest.mark.parametrize("field", HOSTILE_PHH)
def test_a_phh_field_of_the_wrong_kind_fails_its_hand_alone(field: str, tmp_path: Path) -> None:
    good = hand_text(RECORD, "phh")
    lines = [line for line in good.splitlines() if not line.startswith(f"{field} =")]
    bad = "\n".join([*lines, f"{field} = {HOSTILE_PHH[field]}", ""])
    summary = convert([f"[1]\n{good}\n[2]\n{bad}\n[3]\n{good}"], tmp_path / "o.txt", "fulltilt")
    assert (summary.imported, summary.failures) == (2, 1)


@pytest.mark.parametrize("field", HOSTILE_JSON)
def test_a_json_field_of_the_wrong_kind_fails_its_hand_alone(field: str, tmp_path: Path) -> None:
    good = hand_text(RECORD, "json")
    bad = json.dumps({**json.loads(good), field: HOSTILE_JSON[field]}) + "\n"
    summary = convert([good + bad + good], tmp_path / "o.txt", "pokerstars")
    assert (summary.imported, summary.failures) == (2, 1)


@pytest.mark.parametrize("value", [False, 0, [], {}, "", 5])
def test_a_currency_is_text_or_not_there(value: object) -> None:
    data = json.loads(hand_text(RECORD, "json"))
    assert isinstance(only(json.dumps({**data, "currency": None}) + "\n"), Found)
    result = only(json.dumps({**data, "currency": value}) + "\n")
    assert isinstance(result, Failed)
    assert result.reason.startswith("its currency is ")


def test_fields_of_the_engine_pass() -> None:
    assert check_fields(RECORD) is RECORD


LONG_LINES = {
    "pokerstars": "Seat 1: " + " (1 in chips" * 2000,
    "fulltilt": "Ann wins pot" + " (1pot" * 4000,
}


@pytest.mark.parametrize("to", ROOMS)
def test_a_line_longer_than_any_of_a_room_fails_its_hand_alone(to: Format) -> None:
    good = hand_text(RECORD, to)
    for at in (0, 2, 10, -1):
        lines = good.splitlines()
        lines[at] += LONG_LINES[to]
        results = list(scan(["\n".join([*lines, "", good])]))
        assert [type(result) for result in results] == [Failed, Found]
        assert "more than the 1,000 that a room's line may have" in str(results[0])


@pytest.mark.parametrize("to", ROOMS)
def test_a_line_too_long_to_be_read_back_is_not_written(to: Format) -> None:
    seats = (RECORD.seats[0]._replace(name="A" * 1000), *RECORD.seats[1:])
    with pytest.raises(HistoryError, match="more than the 1,000"):
        hand_text(replace(RECORD, seats=seats), to)


@pytest.mark.parametrize("to", ROOMS)
def test_a_seat_list_longer_than_any_table_fails(to: Format) -> None:
    people = tuple(Bystander(f"B{number}", number, 50) for number in range(10, 60))
    text = hand_text(replace(RECORD, bystanders=people[:17]), to)
    assert len(next(read(text)).bystanders) == 17
    with pytest.raises(HistoryError, match="the table has 53 chairs"):
        hand_text(replace(RECORD, bystanders=people), to)
    last = next(line for line in text.splitlines() if "B26" in line)
    result = only(text.replace(last, f"{last}\n{last.replace('26', '27')}", 1))
    assert isinstance(result, Failed)
    assert result.reason == "the seat list names more than 20 players."


@pytest.mark.parametrize("value", ["[" * 9000, "{a=" * 9000, "{" + "a." * 9000 + "a = 1}"])
def test_phh_nested_too_deep_fails(value: str) -> None:
    result = only(f"{hand_text(RECORD, 'phh')}_x = {value}\n")
    assert isinstance(result, Failed)
    assert "it is no TOML" in result.reason


NAMES = [
    ("Seat", "Seat 2", "Ann"),
    ("Uncalled", "Uncalled bet (4)", "Uncalled bet of 4"),
    ("Ann:", "Ann", "ann"),
    ("Full Tilt Poker Game #5:", "PokerStars Game #5:", "Dealt to"),
    ("Table 'x' 8-max", "*** SUMMARY ***", "x (5 in chips)"),
]


@pytest.mark.parametrize("to", ROOMS)
@pytest.mark.parametrize("names", NAMES)
def test_names_that_look_like_lines(names: tuple[str, ...], to: str) -> None:
    preset = "full_tilt" if to == "fulltilt" else "pokerstars"
    for record in dealt(preset, 3, short=False)[:8]:
        seats = (seat._replace(name=name) for seat, name in zip(record.seats, names, strict=True))
        named = replace(record, seats=tuple(seats), bystanders=(Bystander("Sam", 7, 50),))
        again = next(read(hand_text(named, to)))
        assert [seat.name for seat in again.seats] == list(names)
        assert again.bystanders == named.bystanders
        facts = replace(again, rules=record.rules).completed()
        assert (facts.moves, facts.awards, facts.returned) == (
            record.moves,
            record.awards,
            record.returned,
        )


def without(text: str, part: str) -> str:
    """The text without the first line that holds a part."""
    lines = text.splitlines(keepends=True)
    lines.remove(next(line for line in lines if part in line))
    return "".join(lines)


@pytest.mark.parametrize("to", ROOMS)
def test_a_lost_up_card_fails_the_hand(to: str) -> None:
    folds = (0, 3, 0)  # seat, street, action
    record = next(
        r for r in dealt("full_tilt", 3, short=False) if folds in [m[:3] for m in r.moves]
    )
    result = only(without(hand_text(record, to), "Dealt to Player1"))
    assert isinstance(result, Failed)
    assert result.reason == "no line deals Player1 a card on street 3."


@pytest.mark.parametrize(("to", "word"), [("pokerstars", " collected "), ("fulltilt", " wins ")])
def test_a_lost_winner_fails_the_hand(to: str, word: str) -> None:
    result = only(without(hand_text(RECORD, to), word))
    assert isinstance(result, Failed)
    assert result.reason == "no line says who won the pot."


UNCALLED = next(r for r in dealt("pokerkit", 3, short=False) if any(r.returned))


@pytest.mark.parametrize("to", ROOMS)
def test_uncalled_chips_of_a_stranger_fail_the_hand(to: Format) -> None:
    text = hand_text(UNCALLED, to)
    line = next(line for line in text.splitlines() if line.startswith("Uncalled"))
    result = only(text.replace(line, f"{line.partition(' returned to ')[0]} returned to Nobody"))
    assert isinstance(result, Failed)
    assert result.reason == "Nobody gets uncalled chips back without having been dealt in."


DOUBLED = {
    "Uncalled bet": "gets uncalled chips back in two lines.",
    " ante": "posts an ante in two lines.",
    " pot": "wins the same pot in two lines.",
}


@pytest.mark.parametrize("to", ROOMS)
@pytest.mark.parametrize("part", DOUBLED)
def test_a_line_that_stands_twice_fails_the_hand(part: str, to: Format) -> None:
    lines = hand_text(UNCALLED, to).splitlines()
    at = next(at for at, line in enumerate(lines) if part in line)
    result = only("\n".join([*lines[: at + 1], *lines[at:], ""]))
    assert isinstance(result, Failed)
    assert result.reason.endswith(DOUBLED[part])


@pytest.mark.parametrize("to", ROOMS)
def test_a_showing_that_stands_twice_fails_the_hand(to: Format) -> None:
    lines = hand_text(RECORD, to).splitlines()
    at = next(at for at, line in enumerate(lines) if " shows [" in line)
    result = only("\n".join([*lines[: at + 1], *lines[at:], ""]))
    assert isinstance(result, Failed)
    assert result.reason.endswith(" shows in two lines.")


def test_who_mucks_and_shows_all_the_same_has_shown() -> None:
    text = fixture("stars_cash.txt")
    shown = "Ann: shows [9c 3s 7d Qc 2c Ts Kd] (Lo: T,9,7,3,2)"
    result = only(text.replace("Ann: mucks hand", f"Ann: mucks hand\n{shown}"))
    assert isinstance(result, Found)
    plain = only(text)
    assert isinstance(plain, Found)
    assert [one.seat for one in result.record.showings] == [
        one.seat for one in plain.record.showings
    ]
    assert not any(one.mucked for one in result.record.showings)
    assert any(one.mucked for one in plain.record.showings)


@pytest.mark.parametrize("to", ROOMS)
def test_amounts_that_do_not_add_up_are_no_payoffs(to: Format, tmp_path: Path) -> None:
    """The auditor sees such a hand, and converting refuses it."""
    text = without(hand_text(UNCALLED, to), "Uncalled bet")
    (record,) = read(text)
    lost = sum(UNCALLED.returned)
    assert record.excess_chips == -lost
    with pytest.raises(HistoryError, match=f"is {lost} less than was put in; audit"):
        _ = record.payoffs
    assert {"returned", "sum"} <= {finding.kind for finding in audit(record).findings}
    assert convert([text], tmp_path / "o.jsonl").failures == 1


def test_a_record_without_all_amounts_has_no_payoffs() -> None:
    assert UNCALLED.excess_chips == 0
    for field in ("awards", "returned"):
        with pytest.raises(HistoryError, match="does not print every amount"):
            _ = replace(UNCALLED, **{field: ()}).payoffs


@pytest.mark.parametrize("to", ROOMS)
def test_a_chair_that_the_summary_puts_elsewhere_fails_the_hand(to: str) -> None:
    result = only(hand_text(RECORD, to).replace("Seat 1: Player1", "Seat 9: Player1", 1))
    assert isinstance(result, Failed)
    assert "does not put 'Player1' in seat 1" in result.reason


def test_an_all_in_completion_bounds_the_unseen_bring_in() -> None:
    text = hand_text(RECORD, "pokerstars")
    first = next(line for line in text.splitlines() if "brings in" in line or "raises" in line)
    name = first.partition(":")[0]
    draft = text.replace(first, f"{name}: raises 6 to 6 and is all-in", 1)
    (result,) = scan([draft])
    assert isinstance(result, Found)
    assert not result.record.bring_in_known
    assert result.record.rules.bring_in == 5


def test_marks_between_joined_files_are_no_text() -> None:
    text = hand_text(RECORD, "phh")
    assert len(list(read(f"\ufeff[1]\n{text}\n\ufeff[2]\n{text}"))) == 2
    line = hand_text(RECORD, "json")
    assert len(list(read(f"\ufeff{line}\ufeff{line}"))) == 2


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "stars.txt"
    path.write_text(fixture("stars_cash.txt"))
    assert len(list(scan([path, tmp_path, path]))) == 1


def test_a_result_without_hands_leaves_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_text("old")
    convert(["nothing\n"], out)
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_a_folder_cannot_be_the_result(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="is a folder"):
        convert([fixture("stars_cash.txt")], tmp_path, "json")


def test_a_stop_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    out, source = tmp_path / "out.json", tmp_path / "in.txt"
    out.write_text("old")
    source.write_text(fixture("stars_cash.txt"))

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert([source], out, on_progress=stop)
    assert out.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [source, out]


def test_a_file_that_only_looks_like_a_half_written_one_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "out.json.part"
    source.write_text(fixture("stars_cash.txt"))
    convert([source], tmp_path / "out.json")
    assert source.read_text() == fixture("stars_cash.txt")


def test_a_device_is_written_and_stays_a_device(tmp_path: Path) -> None:
    device = tmp_path / "null"
    device.symlink_to("/dev/null")
    assert convert([fixture("stars_cash.txt")], device, "json").imported == 1
    assert device.is_symlink()
    assert device.is_char_device()


def test_a_lost_bring_in_is_counted(tmp_path: Path) -> None:
    records = dealt("full_tilt", 3, short=False)
    text = "".join(hand_text(record, "json") for record in records)
    summary = convert([text], tmp_path / "o.txt", "fulltilt")
    unseen = sum(not record.bring_in_known for record in read(tmp_path / "o.txt"))
    assert dict(summary.lost) == {"the bring-in": unseen}
    assert unseen > 0


def test_rules_may_be_named(tmp_path: Path) -> None:
    text = hand_text(RECORD, "json")
    (result,) = scan([text], rules="wsop_live")
    assert isinstance(result, Found)
    assert result.record.rules == RECORD.with_preset("wsop_live").rules
    with pytest.raises(ValueError, match="no preset 'x'"):
        scan([text], rules="x")
    with pytest.raises(HistoryError, match="not its small variants"):
        scan([text], rules="kuhn")


def test_replay_reports_a_hand_that_cannot_be_laid_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "many.json"
    record = dealt("pokerkit", 8, short=False)[0]
    seats = tuple(seat._replace(cards=(-1,) * 7) for seat in record.seats)
    record = replace(record, seats=seats, hand_id="12")
    path.write_text(json_lines.hand_text(record))
    assert replay_command(path) == 1
    assert "many.json, line 1, hand #12: " in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize("line", ["[]", "null", "5"])
def test_a_line_of_json_that_is_no_hand_fails_alone(line: str) -> None:
    good = hand_text(RECORD, "json")
    first, bad, last = scan([f"{good}{line}\n{good}"])
    assert isinstance(first, Found)
    assert isinstance(last, Found)
    assert str(bad) == f"text, line 2: {line} is no hand: a hand in JSON stands in braces."


ODD_JSON = {
    "rake": (float("nan"), "NaN stands in it, which is no number of chips, cards or seats."),
    "seats": (5, "its seats cannot be read: 5."),
    "time": (5, "its time cannot be read: 5."),
    "community": ("", 'its community cannot be read: "".'),
    "weather": ("wet", "it has a field 'weather', which no hand has."),
}


@pytest.mark.parametrize("field", ODD_JSON)
def test_a_json_field_that_cannot_be_read_is_named(field: str) -> None:
    value, reason = ODD_JSON[field]
    result = only(json.dumps({**json.loads(hand_text(RECORD, "json")), field: value}) + "\n")
    assert isinstance(result, Failed)
    assert result.reason == reason


def test_a_json_hand_without_seats_says_so() -> None:
    data = json.loads(hand_text(RECORD, "json"))
    del data["seats"]
    result = only(json.dumps(data) + "\n")
    assert isinstance(result, Failed)
    assert result.reason == "the field 'seats' is missing."


@pytest.mark.parametrize("to", ROOMS)
@pytest.mark.parametrize("board", ["Board []", "Board ["])
def test_a_board_without_a_card_fails(board: str, to: Format) -> None:
    result = only(f"{hand_text(RECORD, to)}{board}\n")
    assert isinstance(result, Failed)
    assert result.reason == "a line of the shared seventh card shows no card."


@pytest.mark.parametrize(("to", "title"), [("pokerstars", "RIVER"), ("fulltilt", "7TH STREET")])
def test_a_title_without_its_card_fails(to: Format, title: str) -> None:
    result = only(hand_text(RECORD, to).replace(f"*** {title} ***", f"*** {title} *** []"))
    assert isinstance(result, Failed)
    assert result.reason == "a line of the shared seventh card shows no card."


@pytest.mark.parametrize("to", ROOMS)
def test_a_hand_of_eight_cards_fails(to: Format) -> None:
    lines = hand_text(RECORD, to).splitlines()
    at = next(at for at, line in enumerate(lines) if " shows [" in line)
    lines[at] = lines[at].replace("shows [", "shows [As ")
    result = only("\n".join([*lines, ""]))
    assert isinstance(result, Failed)
    assert result.reason.startswith("8 cards of Player")
