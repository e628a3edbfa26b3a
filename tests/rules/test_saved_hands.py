"""Saved bytes whose checksum fits are believed only if the rules can have led to them.

Everything that can be saved is taken up again; a record in which one number was changed is refused,
or plays on: in a process of its own, because a kernel that believes a wrong number may end it.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from razz_env import Hand, HouseRules, make_batch
from razz_env.history import HandRecord, replay
from razz_env.rules.dealing import fill_deck
from razz_env.rules.house_rules import PRESETS
from razz_env.rules.play import post_antes
from razz_env.rules.record import HAND
from razz_env.rules.resampling import resample_views
from razz_env.rules.saved_hands import check_hands
from razz_env.rules.sealing import sealed
from razz_env.rules.setup import blank_hands

from ..support.errors import refused

MAGIC = b"RAZZHAND2"
BURNING = {"burn_cards": True, "showdown_order": "first_to_act"}


def play_on(hand: Hand, rng: np.random.Generator, folds: float = 0.1) -> list[Hand]:
    """The hand at every decision and at its end."""
    course = [hand.clone()]
    while not hand.is_over:
        legal = [int(action) for action in hand.legal_actions()]
        if rng.random() > folds and len(legal) > 1 and legal[0] == 0:
            legal = legal[1:]
        hand.apply(legal[rng.integers(len(legal))])
        course.append(hand.clone())
    return course


def taken_up(hand: Hand) -> None:
    twin = Hand.from_bytes(hand.to_bytes())
    assert twin == hand


@pytest.mark.parametrize("rules", [*PRESETS, BURNING])
def test_hands_of_every_rule_book_are_taken_up_at_every_decision(rules: str | dict) -> None:
    rng = np.random.default_rng(1)
    most = {"kuhn": 3, "mini20": 4, "mini24": 4, "mini32": 5}.get(str(rules), 8)
    for seed in range(12):
        seats = 2 + seed % (most - 1)
        stacks = rng.integers(1, 300, seats) if seed % 2 else 500
        for hand in play_on(Hand.deal(seats, rules, stacks, seed=seed), rng, seed % 3 * 0.2):
            taken_up(hand)
            for seat in range(0, seats, 3):
                taken_up(hand.resample(seat, rng))


@pytest.mark.parametrize("burn", [False, True])
def test_hands_that_run_out_of_cards_are_taken_up(burn: bool) -> None:
    """Eight seats that never fold: a community card, or a stub mixed with the burn cards."""
    rng, mixed, shared = np.random.default_rng(2), 0, 0
    for seed in range(10):
        course = play_on(Hand.deal(8, {"burn_cards": burn}, seed=seed), rng, 0.01 * seed)
        for hand in course[-12:]:
            taken_up(hand)
            taken_up(hand.resample(seed % 8, rng))
        mixed += int(course[-1].record.scrambled_cards > 0)
        shared += course[-1].community is not None
    assert shared
    assert bool(mixed) == burn


@pytest.mark.parametrize("burn", [False, True])
def test_hands_of_known_cards_are_taken_up(burn: bool) -> None:
    rng, rules = np.random.default_rng(3), {"burn_cards": burn}
    for seats, community, folds in [(4, None, 0.1), (6, None, 0.05), (8, "Kd", -1)]:
        for _ in range(6):
            deck = rng.permutation([card for card in range(52) if card != 49])
            size = 7 if seats < 8 else 6
            cards = [tuple(own) for own in deck[: seats * size].reshape(seats, size).tolist()]
            for hand in play_on(Hand.from_cards(cards, rules, community=community), rng, folds):
                taken_up(hand)


def test_batches_of_mixed_sizes_and_resampled_views_are_fine() -> None:
    rng = np.random.default_rng(4)
    batch = make_batch(40, [2, 3, 6, 8] * 10, "tda", 90, seed=4, auto_deal=False)
    for _ in range(60):
        check_hands(batch.hands)
        check_hands(resample_views(batch.views, rng))
        rows = np.flatnonzero(batch.actors >= 0)
        if len(rows):
            batch.step((batch.action_masks[rows] * rng.random((len(rows), 7))).argmax(axis=1), rows)
    check_hands(batch.hands[:0])


def test_a_replayed_history_that_stops_short_is_fine() -> None:
    rng = np.random.default_rng(5)
    records = [HandRecord.from_hand(play_on(Hand.deal(6, seed=s), rng, 0.3)[-1]) for s in range(20)]
    check_hands(replay(records).hands)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("actor", 120, "public.actor"),
        ("num_seats", 120, "2 to 8 players, not 120"),
        ("log_length", 32000, "an action in its log"),
        ("stack", 7, "public.stack"),
        ("starting_stack", -5, "chips"),
        ("over", 1, "public.over"),
    ],
)
def test_a_record_that_cannot_be_is_one_sentence(field: str, value: int, words: str) -> None:
    array = Hand.deal(2, seed=1).array.copy()
    array["public"][field] = value
    with refused("The saved hand cannot be", words, "unaltered", kind=ValueError):
        Hand.from_bytes(sealed(MAGIC, array.tobytes()))


def test_a_hand_at_which_cards_are_due_is_only_a_chance_node() -> None:
    array = blank_hands(1, 3, "full_tilt", 500)
    fill_deck(array[0])
    post_antes(array[0])
    check_hands(array, may_be_due=True)
    with refused("public.up", kind=ValueError):
        check_hands(array)


def test_a_table_is_named() -> None:
    batch = make_batch(5, 3, seed=1)
    batch.hands["next_card"][3] += 1
    with refused("of table 3", "next_card", kind=ValueError):
        check_hands(batch.hands)


def test_rules_that_are_no_rules_are_refused() -> None:
    array = Hand.deal(3, seed=1).array.copy()
    for field, value in [("odd_chip", 9), ("odd_chip", -1), ("burn_cards", 3), ("streets", 0)]:
        changed = array.copy()
        changed["public"]["rules"][field] = value
        with refused("rules", kind=ValueError):
            check_hands(changed)
    array["public"]["rules"] = HouseRules.preset("kuhn").record()
    with refused("deck", kind=ValueError):
        check_hands(array)


FUZZ = """
import sys
import numpy as np
from razz_env import Hand, IllegalAction
from razz_env.rules.record import HAND
from razz_env.rules.sealing import sealed

def leaves(dtype, start=0):
    for name in dtype.names:
        kind, place = dtype.fields[name][:2]
        if kind.names:
            yield from leaves(kind, start + place)
        else:
            base, shape = kind.subdtype or (kind, ())
            for number in range(int(np.prod(shape))):
                yield start + place + number * base.itemsize, base

rng, refused, played = np.random.default_rng(int(sys.argv[1])), 0, 0
courses = []
for seed, seats, rules in [(1, 2, "full_tilt"), (2, 8, "roberts"), (3, 2, "kuhn"), (4, 8, "tda")]:
    hand = Hand.deal(seats, rules, seed=seed)
    course = [hand.clone()]
    while not hand.is_over:
        legal = [a for a in hand.legal_actions() if a or rng.random() < 0.02] or [0]
        hand.apply(legal[rng.integers(len(legal))])
        course.append(hand.clone())
    courses.append(course)
for place, kind in leaves(HAND):
    for course in courses:
        data = bytearray(course[rng.integers(len(course))].array.tobytes())
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        near = int(np.frombuffer(data, kind, 1, place)[0]) + int(rng.choice([-1, 1, 8]))
        value = rng.choice([low, high, -1, 0, 1, 5, 60, 120, np.clip(near, low, high)])
        data[place : place + kind.itemsize] = np.array(value, kind).tobytes()
        try:
            hand = Hand.from_bytes(sealed(b"RAZZHAND2", bytes(data)))
        except ValueError:
            refused += 1
            continue
        played += 1
        while not hand.is_over:
            legal = hand.legal_actions()
            try:
                hand.apply(legal[rng.integers(len(legal))])
            except ValueError:
                break  # a plan that has no more cards
        hand.events, hand.pots, hand.view(0)
print(refused, played)
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_records_with_one_number_changed_are_refused_or_play_on(seed: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FUZZ, str(seed)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    refused_ones, played = map(int, done.stdout.split())
    assert refused_ones > 2 * played > 0
    assert refused_ones + played > HAND.itemsize
