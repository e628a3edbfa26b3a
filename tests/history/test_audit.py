"""The auditor: each kind of disagreement is found, named, and explained where a preset does it."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import pytest

from razz_env import Action, HouseRules
from razz_env.history import HandRecord, audit, hand_text, read
from razz_env.history.story import tell

from ..support.tables import deal, play
from .dealt import dealt, fixture

STARS = fixture("stars_cash.txt")

CHANGES = {
    "ante": ("Ann: posts the ante $0.40\n", ""),
    "bring-in": ("Bob: brings in for $0.50\n", "Ann: brings in for $0.50\n"),
    "actor": (
        "Ann: checks\nBob: bets $2\nAnn: calls $2",
        "Bob: checks\nAnn: bets $2\nBob: calls $2",
    ),
    "action": ("Bob: calls $4\n*** 6th", "Bob: checks\n*** 6th"),
    "amount": ("Ann: bets $4", "Ann: bets $2"),
    "unfinished": ("Ann: calls $2\n*** 5th", "*** 5th"),
    "pot": ("Total pot $32.80", "Total pot $32.90"),
    "winner": ("Bob collected $32.80", "Ann collected $32.80"),
    "share": ("Bob collected $32.80", "Bob collected $32.70"),
    "low": ("(Lo: 8,6,4,3,2)", "(Lo: 6,5,4,3,2)"),
    "showdown order": (
        "Bob: shows [2h 8d Kh 6h 3d 6d 4h] (Lo: 8,6,4,3,2)\nAnn: mucks hand",
        "Ann: mucks hand\nBob: shows [2h 8d Kh 6h 3d 6d 4h] (Lo: 8,6,4,3,2)",
    ),
}


def kinds(record: HandRecord) -> list[str]:
    """What the auditor finds."""
    return [finding.kind for finding in audit(record).findings]


def test_all_is_well_with_the_fixtures() -> None:
    for name in ("stars_cash", "stars_names", "stars_community", "full_tilt_cash"):
        (record,) = read(fixture(f"{name}.txt"))
        assert audit(record).agrees, name


@pytest.mark.parametrize("kind", CHANGES)
def test_each_disagreement_is_named(kind: str) -> None:
    old, new = CHANGES[kind]
    assert old in STARS
    (record,) = read(STARS.replace(old, new, 1))
    found = kinds(record)
    wanted = {"unfinished": "street"}.get(kind, kind)
    assert wanted in found, found


def test_a_wrong_high_door_is_a_wrong_bring_in() -> None:
    text = fixture("full_tilt_cash.txt").replace("Bob is high with", "Ann is high with")
    (record,) = read(text)
    assert kinds(record) == ["bring-in"]


def test_wrong_amounts_are_all_found() -> None:
    text = STARS.replace("Ann: bets $4", "Ann: bets $3")
    (record,) = read(text)
    assert kinds(record).count("amount") == 2


def test_uncalled_amounts_are_compared() -> None:
    (record,) = read(fixture("stars_names.txt").replace("bet ($4) returned", "bet ($2) returned"))
    assert "returned" in kinds(record)


def test_the_rake_may_be_missing_from_the_shares() -> None:
    text = STARS.replace("collected $32.80", "collected $31.80").replace("Rake $0", "Rake $1")
    (record,) = read(text)
    assert kinds(record) == []


def test_a_preset_that_explains_is_named() -> None:
    """A fifth bet on a street: the cap of the World Series, not of PokerStars."""
    hand = deal("????2c", "????Ks", rules=None)
    play(hand, "S2 BRING_IN, S1 COMPLETE, S2 RAISE, S1 RAISE, S2 RAISE, S1 FOLD")
    record = HandRecord.from_hand(hand)
    capped = replace(record, rules=dataclasses.replace(record.rules, max_bets_per_round=3))
    said = audit(capped)
    assert said.findings[0].kind == "action"
    assert "full_tilt" in said.explained_by
    assert any("no disagreement under the preset full_tilt" in line for line in tell(capped)[0])


def test_short_bring_ins_tell_pokerkit_from_the_others() -> None:
    hand = deal("????2c", "????Ks", "????3c", stacks=[500, 7, 500])
    play(hand, "S2 BRING_IN 3, S3 CALL 5, S1 CALL 5")
    while not hand.is_over:
        hand.apply(Action.CHECK)
    record = HandRecord.from_hand(hand)
    assert audit(record).agrees
    said = audit(record.with_preset("pokerkit"))
    assert [finding.kind for finding in said.findings][:1] == ["amount"]
    assert "full_tilt" in said.explained_by
    assert "pokerkit" not in said.explained_by


@pytest.mark.parametrize("preset", ["full_tilt", "pokerstars", "pokerkit"])
def test_hands_of_the_engine_agree_with_the_engine(preset: str) -> None:
    for seats in (2, 5, 8):
        for record in dealt(preset, seats, short=True):
            assert audit(record).agrees
            lines, said = tell(record)
            assert said.agrees
            assert not any(line.startswith("!") for line in lines)


@pytest.mark.parametrize(
    ("preset", "to"),
    [("pokerstars", "pokerstars"), ("full_tilt", "fulltilt"), ("full_tilt", "json")],
)
def test_a_rake_may_take_a_whole_pot(preset: str, to: str) -> None:
    """Text has no line for who won it: the main pot may be a few chips of antes."""
    rules = HouseRules.preset(preset, rake_basis_points=1500)
    swallowed = 0
    for seats in (3, 6, 8):
        for raked in dealt(rules, seats, short=True, folding=0.05):
            (again,) = read(hand_text(raked, to))
            assert audit(again).findings == ()
            swallowed += len({award.pot for award in raked.awards}) < len(raked.pots)
    assert swallowed


def test_a_winner_of_more_than_the_rake_must_be_paid() -> None:
    (record,) = read(STARS)
    chips = record.collected[1]
    for rake, agrees in ((chips - 1, False), (chips, True)):
        paid = (record.awards[0]._replace(chips=0),)
        assert ("winner" in kinds(replace(record, awards=paid, rake=rake))) is not agrees
