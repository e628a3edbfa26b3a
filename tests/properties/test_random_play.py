"""Random hands of every kind: no invariant of chips, cards, turns and masks ever breaks."""

from typing import Any

import numpy as np
import pytest

from agents.soak import COUNTS, every_rules, most_seats, soak, soak_command
from razz_env import Action, Hand, HouseRules, IllegalAction
from razz_env.rules.record import HAND, PUBLIC, RULES, SEAT_VIEW

SEATS = range(2, 9)


@pytest.mark.parametrize("seats", SEATS)
def test_random_hands_keep_every_invariant(seats: int) -> None:
    counts = dict(zip(COUNTS, soak(seats, 30_000, every_rules(), seed=seats), strict=True))
    assert counts["hands"] == 30_000
    assert counts["all-ins"] > 5_000, "the stacks are meant to be short"
    assert counts["side-pot hands"] > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
def test_a_million_random_hands_keep_every_invariant(seats: int) -> None:
    assert soak(seats, 1_000_000, every_rules(), seed=100 + seats)[0] == 1_000_000


@pytest.mark.parametrize(
    ("name", "most"), [("kuhn", 6), ("mini20", 5), ("mini24", 5), ("mini32", 7)]
)
def test_small_variants_keep_every_invariant(name: str, most: int) -> None:
    assert most_seats(name) == most
    for seats in range(2, most + 1):
        assert soak(seats, 5_000, [HouseRules.preset(name)], seed=seats)[0] == 5_000


def test_razz_soak_prints_what_it_saw(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak_command(hands=1001, seats=(2, 8), seed=3) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows] == ["seats", "2", "8", "all", "No"]
    assert [row[1] for row in rows[1:4]] == ["501", "500", "1,001"]


def test_razz_soak_names_the_hand_that_breaks_an_invariant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("agents.soak._play", lambda *_: (12, 3))
    assert soak_command(hands=100, seats=(2,), seed=3) == 1
    printed = capsys.readouterr().out
    assert "broken: chips were created or lost: Hand.deal(2, HouseRules(" in printed
    assert "seed=3, index=12)" in printed


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hands": 0}, "0 hands are too few"),
        ({"seats": ()}, "too few for 0 tables"),
        ({"seats": (2, 9)}, "2 to 8 players, not 9"),
        ({"seed": -1}, "seed"),
    ],
)
def test_razz_soak_refuses_nonsense_before_it_plays(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        soak_command(**({"hands": 100} | wrong))


def test_the_community_card_comes_up_at_full_tables() -> None:
    assert soak(8, 50_000, every_rules(), seed=0)[COUNTS.index("community cards")] > 0


@pytest.mark.parametrize("seats", SEATS)
def test_apply_accepts_exactly_what_the_mask_says(seats: int) -> None:
    rng = np.random.default_rng(seats)
    for _ in range(25):
        stacks = rng.integers(1, 120, seats)
        hand = Hand.deal(seats, stacks=stacks, seed=int(rng.integers(2**60)))
        while not hand.is_over:
            _check_all_actions(hand)
            hand.apply(rng.choice(np.flatnonzero(hand.action_mask())))
        assert not hand.action_mask().any()


def _check_all_actions(hand: Hand) -> None:
    mask, before = hand.action_mask(), hand.to_bytes()
    for action in Action:
        trial = hand.clone()
        if mask[action]:
            trial.apply(action)
            assert trial != hand
        else:
            with pytest.raises(IllegalAction, match=f"may not {action.name}; legal: "):
                trial.apply(action)
            assert trial.to_bytes() == before


def test_a_hand_saved_in_the_middle_continues_identically() -> None:
    rng = np.random.default_rng(1)
    for seed in range(200):
        hand = Hand.deal(2 + seed % 7, stacks=int(rng.integers(10, 500)), seed=seed)
        while not hand.is_over:
            action = rng.choice(np.flatnonzero(hand.action_mask()))
            loaded, copied = Hand.from_bytes(hand.to_bytes()), hand.clone()
            for other in (hand, loaded, copied):
                other.apply(action)
            assert hand == loaded == copied


@pytest.mark.parametrize("kind", [RULES, PUBLIC, HAND, SEAT_VIEW])
def test_records_have_no_hidden_gaps_that_a_copy_would_fill_with_garbage(kind: np.dtype) -> None:
    assert sum(kind.fields[name][0].itemsize for name in kind.names) == kind.itemsize


def test_events_tell_all_chips_and_cards() -> None:
    rng = np.random.default_rng(2)
    for seed in range(100):
        hand = Hand.deal(2 + seed % 7, stacks=int(rng.integers(10, 500)), seed=seed)
        while not hand.is_over:
            hand.apply(rng.choice(np.flatnonzero(hand.action_mask())))
        paid = np.zeros(hand.num_players, np.int64)
        for event in hand.events:
            kind = type(event).__name__
            if kind in ("AntePosted", "ActionTaken"):
                paid[event.seat] -= event.chips
            elif kind in ("UncalledReturned", "PotAwarded"):
                paid[event.seat] += event.chips
        assert (paid == hand.payoffs).all()
