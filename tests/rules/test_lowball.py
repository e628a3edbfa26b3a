"""Ace-to-five lows: RULES 1, case R11 and the exact table of all seven-card hands."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from pokerkit import RegularLowHand

from razz_env import lowball

from ..support.errors import refused
from ..support.lows import DECK, RANKS, Key, cards, low_key, low_key_of_cards
from ..support.shared import shared_path

LADDER = (
    "33355 KK432 22765 AAT98 KQJT9 KQJT7 98765 97653 9765A 65432 6432A 5432A".split()
)  # RULES 1, worst to best
ALL_SEVEN_CARD_HANDS = 133_784_560


def rainbow(ranks: str) -> str:
    """Card text of the ranks, equal ranks in different suits."""
    return "".join(r + "cdhs"[ranks[:i].count(r)] for i, r in enumerate(ranks))


def text(hand: tuple[int, ...] | np.ndarray) -> str:
    return "".join(DECK[int(c)] for c in hand)


def random_hands(count: int, size: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.random((count, 52)).argsort(axis=1)[:, :size].astype(np.int8)


def same_order(values: list[int], keys: list) -> bool:
    """Whether two lists rank the same items alike, ties included."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return all(
        (values[a] < values[b]) == (keys[a] < keys[b])
        and (values[a] == values[b]) == (keys[a] == keys[b])
        for a, b in pairwise(order)
    )


@pytest.mark.parametrize(("worse", "better"), list(pairwise(LADDER)))
def test_r11_each_hand_of_the_ladder_beats_the_one_before(worse: str, better: str) -> None:
    low, high = lowball.evaluate(rainbow(better)), lowball.evaluate(rainbow(worse))
    assert low < high
    assert high > low
    assert low != high


def test_r11_ladder_is_a_total_order() -> None:
    lows = [lowball.evaluate(rainbow(ranks)) for ranks in LADDER]
    assert sorted(lows) == lows[::-1]
    assert min(lows) is lows[-1] or min(lows) == lows[-1]


def test_r11_suited_wheel_ties_the_unsuited_wheel() -> None:
    suited, mixed = lowball.evaluate("As2s3s4s5s"), lowball.evaluate("Ad2c3h4d5c")
    assert suited == mixed
    assert not suited < mixed
    assert not mixed < suited
    assert hash(suited) == hash(mixed)


def test_rules_1_straights_and_flushes_do_not_count() -> None:
    assert lowball.evaluate("6s5s4s3s2s") < lowball.evaluate("7c4d3hAs2c")
    assert lowball.evaluate("KsQsJsTs9s") < lowball.evaluate("AcAd2h3s4c")


def test_rules_1_classes_in_order_of_badness() -> None:
    classes = ["KQJT9", "AA234", "AA223", "AAA23", "AAA22", "AAAA2"]
    lows = [lowball.evaluate(rainbow(ranks)) for ranks in classes]
    assert lows == sorted(lows)
    assert len({low.category for low in lows}) == 6
    worst_of_class = ["KQJT9", "KKQJT", "KKQQJ", "KKKQJ", "KKKQQ", "KKKKQ"]
    for worst, best_of_next in zip(worst_of_class, classes[1:], strict=False):
        assert lowball.evaluate(rainbow(worst)) < lowball.evaluate(rainbow(best_of_next))


def test_rules_1_equal_class_compares_the_paired_ranks_first_then_the_rest() -> None:
    better_first = [
        ("AAKQJ", "22345"),  # the lower pair wins whatever the side cards
        ("77J63", "77J64"),
        ("77J63", "77Q32"),
        ("33228", "44AA2"),  # highest pair first
        ("44AAK", "44225"),  # then the lower pair
        ("44AA5", "44AA6"),  # then the side card
        ("222KQ", "333A4"),
        ("222KJ", "222KQ"),
        ("222KK", "333AA"),  # full house: the trips are the highest group
        ("222AA", "22233"),
        ("AAAAK", "22223"),
    ]
    for better, worse in better_first:
        assert lowball.evaluate(rainbow(better)) < lowball.evaluate(rainbow(worse)), better


def test_rules_1_category_is_shared_within_a_class() -> None:
    assert lowball.evaluate("8c6d5h4sAc").category == lowball.evaluate("KcQdJhTs9c").category
    assert lowball.evaluate("7c7dJh6s3c").category == lowball.evaluate("AcAd2h3s4c").category


def test_rules_1_best_five_of_seven_play() -> None:
    assert lowball.evaluate("As2s3s4s5s6s7s") == lowball.evaluate("Ad2c3h4d5c")
    # R09: a pair of sevens, J-6-3 against K-J-T-9-2
    pair = lowball.evaluate("6c7c7d7s3sJdJc")
    no_pair = lowball.evaluate("9d9s2cKsTdJh2s")
    assert pair == lowball.evaluate("7c7dJh6s3c")
    assert no_pair == lowball.evaluate("KcJdTh9s2c")
    assert no_pair < pair


def test_rules_1_ranks_are_those_of_the_five_that_play() -> None:
    low = lowball.evaluate("KsKd8c6d5h4sAc")
    assert sorted(int(r) for r in low.ranks) == sorted(RANKS.index(r) for r in "8654A")


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("8c6d5h4sAc", "8-6-5-4-A low"),
        ("KsKd8c6d5h4sAc", "8-6-5-4-A low"),
        ("5c4d3h2sAc", "wheel"),
        ("As2s3s4s5s6s7s", "wheel"),
        ("6c5d4h3s2c", "6-5-4-3-2 low"),
        ("9d9s2cKsTdJh2s", "K-J-T-9-2 low"),
        ("6c7c7d7s3sJdJc", "pair of sevens, J-6-3"),
        ("AcAdTh9s8c", "pair of aces, T-9-8"),
        ("KcKd4h3s2c", "pair of kings, 4-3-2"),
        ("6c6dJh9s8c", "pair of sixes, J-9-8"),
    ],
)
def test_rules_1_names_of_lows(hand: str, name: str) -> None:
    assert lowball.evaluate(hand).name == name


def test_rules_1_other_classes_have_names_of_their_own() -> None:
    names = {
        lowball.evaluate(rainbow(r)).name for r in ("22765", "33224", "33324", "33322", "33332")
    }
    assert len(names) == 5
    assert all(names)
    assert not any("low" in name for name in names)


@pytest.mark.parametrize("size", range(1, 8))
def test_rules_1_every_size_orders_like_the_plain_rule(size: int) -> None:
    hands = random_hands(1_500, size, seed=size)
    hands = [*hands, *hands[:, ::-1][:100]]
    lows = [lowball.evaluate(text(h)) for h in hands]
    keys = [low_key_of_cards(h) for h in hands]
    order = sorted(range(len(hands)), key=keys.__getitem__)
    for a, b in pairwise(order):
        assert (lows[a] < lows[b]) == (keys[a] < keys[b])
        assert (lows[a] == lows[b]) == (keys[a] == keys[b])


def test_rules_4_short_boards_any_unpaired_is_lower_than_any_pair() -> None:
    assert lowball.evaluate("Kd4s") < lowball.evaluate("AsAh")  # R03
    assert lowball.evaluate("5h4h") < lowball.evaluate("Kd4s")
    assert lowball.evaluate("AsAh") < lowball.evaluate("2s2h")
    assert lowball.evaluate("KdQsJh") < lowball.evaluate("AsAh2c")
    assert lowball.evaluate("KcKdQhJs") < lowball.evaluate("AsAh2c2d")
    assert lowball.evaluate("KcKdQhQs") < lowball.evaluate("AsAhAc2d")
    assert lowball.evaluate("KcKdKhQs") < lowball.evaluate("AsAhAcAd")


def test_batch_orders_like_single_evaluation() -> None:
    hands = random_hands(3_000, 7, seed=11)
    values = lowball.evaluate_batch(hands)
    assert values.dtype == np.int32
    assert values.shape == (3_000,)
    lows = [lowball.evaluate(text(h)) for h in hands]
    order = np.argsort(values, kind="stable")
    for a, b in pairwise(order):
        assert (values[a] < values[b]) == (lows[a] < lows[b])
        assert (values[a] == values[b]) == (lows[a] == lows[b])


def test_batch_ignores_the_order_of_the_cards() -> None:
    hands = random_hands(2_000, 7, seed=12)
    shuffled = np.random.default_rng(13).permuted(hands, axis=1)
    assert (lowball.evaluate_batch(hands) == lowball.evaluate_batch(shuffled)).all()


def test_batch_agrees_with_pokerkit_on_20_000_random_hands() -> None:
    hands = random_hands(20_000, 7, seed=14)
    values = [int(v) for v in lowball.evaluate_batch(hands)]
    kit = [RegularLowHand.from_game(text(h)).entry.index for h in hands]  # 0 = wheel
    assert same_order(values, kit)


def rank_multisets(size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """(count of every rank, number of suit choices) of all hands of that size."""

    def extend(
        counts: tuple[int, ...], left: int, weight: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(counts) == 13:
            if left == 0:
                yield counts, weight
            return
        for n in range(min(4, left) + 1):
            yield from extend((*counts, n), left - n, weight * comb(4, n))

    yield from extend((), size, 1)


def label(key: Key) -> tuple[str, str]:
    """(pattern, ranks) as the table of classes writes them."""
    sizes, ranks = key
    return "-".join(map(str, sizes)), "".join(RANKS[r] for r in ranks)


def test_all_133_784_560_seven_card_hands_match_the_published_table() -> None:
    """Every rank multiset with its suit weight: classes, order and frequencies, exactly."""
    path = shared_path("data", "tables", "a5_low_7card_all_classes.csv")
    with path.open(newline="") as file:
        table = [
            (row["pattern"], row["ranks_high_to_low"], int(row["frequency_of_133784560"]))
            for row in csv.DictReader(file)
        ]
    multisets = list(rank_multisets(7))
    hands = np.array(
        [[r * 4 + s for r, n in enumerate(counts) for s in range(n)] for counts, _ in multisets],
        dtype=np.int8,
    )
    weights = np.array([weight for _, weight in multisets], dtype=np.int64)
    assert weights.sum() == ALL_SEVEN_CARD_HANDS

    values, first, inverse = np.unique(
        lowball.evaluate_batch(hands), return_index=True, return_inverse=True
    )
    frequencies = np.bincount(inverse, weights=weights).astype(np.int64)
    keys = [low_key_of_cards(hands[i]) for i in first]
    ours = [(*label(key), int(n)) for key, n in zip(keys, frequencies, strict=True)]
    assert len(values) == len(table)
    assert ours == table


def test_seven_card_frequencies_by_highest_card() -> None:
    """The shorter published table: no-pair lows by their highest card."""
    path = shared_path("data", "tables", "wikipedia_a5_low_7card.csv")
    with path.open(newline="") as file:
        published = [int(row["frequency"]) for row in csv.DictReader(file)][:9]
    counts = dict.fromkeys(range(4, 13), 0)
    for ranks, weight in rank_multisets(7):
        held = [r for r, n in enumerate(ranks) if n]
        if len(held) >= 5:
            low = lowball.evaluate("".join(RANKS[r] + "c" for r in held))
            counts[max(int(r) for r in low.ranks)] += weight
    assert list(counts.values()) == published


@pytest.mark.parametrize(
    "bad",
    ["", "As2s3s4s5s6s7s8s", "AsAs", "1s", "Ax", "Ah2", "As2s3s4s5s6s6s", "A", "hello"],
)
def test_bad_hands_are_refused(bad: str) -> None:
    with refused(kind=ValueError):
        lowball.evaluate(bad)


@pytest.mark.parametrize("shape", [(7,), (3, 8), (3, 2, 7)])
def test_batch_refuses_a_wrong_shape(shape: tuple[int, ...]) -> None:
    with refused(kind=ValueError):
        lowball.evaluate_batch(np.zeros(shape, dtype=np.int8))


def test_reference_key_agrees_with_the_ladder() -> None:
    """The plain rule used above is itself checked against RULES 1."""
    keys = [low_key_of_cards(cards(rainbow(ranks))) for ranks in LADDER]
    assert keys == sorted(keys, reverse=True)
    assert low_key([0, 12]) == ((1, 1), (12, 0))
