"""The layout and its documentation, padding, and what the encoder refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from razz_env import Hand
from razz_env.observation import SEAT_VIEW, encode, encode_batch, spec
from razz_env.observation.docs import PAGE, page
from razz_env.observation.spec import MODES, Part

from ..support.errors import refused
from ..support.tables import play, table_rules


def hand() -> Hand:
    """Three seats; the first has completed and the second is to act."""
    cards = ["AhAd2c", "5c6c2d", "8c8dKs"]
    return play(Hand.from_cards(cards, table_rules()), "S3 BRING_IN, S1 COMPLETE")


def views(table: Hand) -> np.ndarray:
    return np.array([table.view(seat) for seat in range(table.num_players)], SEAT_VIEW)


# ---- the layout in words


DESCRIBED = """\
own_down: 5 1; 6 1
own_river: -
up_cards: me third 2 1; seat +1 third K 1; seat +2 third 2 1
community: -
dead_ranks: 2 0.25; K 0.25
unseen_ranks: A 1; 2 0.5; 3 1; 4 1; 5 0.75; 6 0.75; 7 1; 8 1; 9 1; T 1; J 1; Q 1; K 0.75
present: me 1; seat +1 1; seat +2 1
live: me 1; seat +1 1; seat +2 1
all_in: -
bring_in: seat +1 1
first_to_act: seat +1 1
last_aggressor: seat +2 1
to_act: me 1
street_chips: seat +1 0.05; seat +2 0.2
total_chips: me 0.0743; seat +1 0.111; seat +2 0.182
stack: me 0.828; seat +1 0.824; seat +2 0.811
street: third 1
round: bets made 0.25; raises left 0.75; pot 0.131; to call 0.2; pot odds 0.351; \
live opponents 0.667; opponents with chips 0.667
stakes: ante 0.0909; bring-in 0.25; small bet 0.5
betting: third seat +1 calls and bring-ins 1; third seat +2 completions, bets and raises 1
own_low: 0 0.923; 1 0.692; 2 0.615
board_lows: me 0 0.923; seat +1 0 0.0769; seat +2 0 0.923"""
"""37 chips are in and 20 to call: pot odds 20/57, and the root of 37/2172 for the pot."""

LOGGED = """
action_log: 0 seat 0.25; 0 action 0.571; 0 street 0.2; 1 seat 0.375; 1 action 0.714; 1 street 0.2"""


def test_describe_says_every_number_that_is_not_zero() -> None:
    view = hand().view(1)
    assert spec(3).describe(encode(view)) == DESCRIBED
    assert spec(3, "infostate").describe(encode(view, "infostate")) == DESCRIBED + LOGGED


@pytest.mark.parametrize("mode", MODES)
def test_the_table_has_a_row_for_every_part(mode: str) -> None:
    layout = spec(6, mode)
    rows = [row.split("|") for row in layout.table().splitlines()[2:]]
    assert [row[1].strip(" `") for row in rows] == [part.name for part in layout.slices]
    names = [part.name.lower() for part in Part]
    assert [part.name for part in layout.slices] == names[: 23 if mode == "infostate" else 22]
    for row, part in zip(rows, layout.slices, strict=True):
        assert int(row[2]) == part.start
        assert np.prod([int(side) for side in row[3].split(" x ")]) == part.size
        assert part.meaning == row[5].strip()


def test_the_page_of_the_documentation_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seats", range(2, 9))
def test_parts_lie_one_after_the_other_and_fill_the_vector(mode: str, seats: int) -> None:
    layout = spec(seats, mode)
    starts = [part.start for part in layout.slices]
    assert starts == [0, *(part.stop for part in layout.slices[:-1])]
    assert layout.size == layout.slices[-1].stop == len(layout.low) == len(layout.high)
    for part in layout.slices:
        assert layout[part.name] == part
        assert (layout.low[part.start : part.stop] == part.low).all()
        assert (layout.high[part.start : part.stop] == part.high).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seats", [2, 3, 6, 8])
def test_observations_stay_within_the_bounds(mode: str, seats: int) -> None:
    layout, rng = spec(seats, mode), np.random.default_rng(seats)
    for index in range(20):
        stacks = rng.integers(1, 800, seats).tolist()
        table = Hand.deal(seats, stacks=stacks, seed=3, index=index)
        while True:
            observations = encode_batch(views(table), layout)
            assert np.isfinite(observations).all()
            assert (layout.low <= observations).all()
            assert (observations <= layout.high).all()
            if table.is_over:
                break
            table.apply(rng.choice(table.legal_actions()))


def test_the_version_tells_layouts_apart() -> None:
    layouts = [spec(seats, mode) for seats in range(2, 9) for mode in MODES]
    assert len({layout.version for layout in layouts}) == len(layouts)
    assert spec(3, seats=6).version == spec(6).version
    assert spec(3).version in repr(spec(3))


# ---- padded seats


@pytest.mark.parametrize("room", [4, 6, 8])
def test_padded_seats_are_zeros_and_the_rest_is_as_it_was(room: int) -> None:
    table = hand()
    for seat in range(3):
        plain = spec(3, "infostate").split(encode(table.view(seat), "infostate"))
        layout = spec(3, "infostate", seats=room)
        padded = layout.split(encode(table.view(seat), "infostate", seats=room))
        assert layout.size == spec(room, "infostate").size
        for name, values in padded.items():
            if values.shape == plain[name].shape:
                assert (values == plain[name]).all(), name
                continue
            axis = 1 if name == "betting" else 0
            own, rest = np.split(values, [3], axis)
            assert (own == plain[name]).all(), name
            assert not rest.any(), name


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((6, "card"), ["'card'", "features, infostate"]),
        ((1,), ["2 to 8", "1"]),
        ((9,), ["2 to 8", "9"]),
        ((6, "features", 5), ["seats=5", "6 to 8"]),
        ((6, "features", 9), ["seats=9", "6 to 8"]),
        ((6, "features", 6.0), ["seats=6.0", "whole number"]),
        ((6.0,), ["2 to 8", "6.0"]),
    ],
)
def test_impossible_layouts_are_refused(arguments: tuple[Any, ...], words: list[str]) -> None:
    with refused(*words, kind=ValueError):
        spec(*arguments)


def test_a_part_that_is_not_there_is_refused_with_those_that_are() -> None:
    with refused("'own_cards'", "own_down", "board_lows", kind=KeyError):
        spec(3)["own_cards"]
    with refused("features", "'action_log'", kind=KeyError):
        spec(3)["action_log"]
    assert spec(3, "infostate")["action_log"].shape == (256, 3)


@pytest.mark.parametrize("shape", [(0,), (328,), (330,), (1, 329)])
def test_a_vector_of_another_shape_cannot_be_split(shape: tuple[int, ...]) -> None:
    for read in (spec(3).split, spec(3).describe):
        with refused("(329,)", shape, kind=ValueError):
            read(np.zeros(shape, np.float32))


def test_split_gives_views_of_the_vector() -> None:
    vector = encode(hand().view(0))
    spec(3).split(vector)["own_river"][4] = 1
    assert vector[13 + 4] == 1


@pytest.mark.parametrize("wrong", [hand(), hand().record, hand().record.public, None, 3])
def test_encode_takes_nothing_but_a_seats_view(wrong: Any) -> None:
    with refused("Hand.view", "SEAT_VIEW", kind=TypeError):
        encode(wrong)


def test_encode_refuses_an_impossible_room_or_mode() -> None:
    view = hand().view(0)
    with refused("seats=2", "3 to 8", kind=ValueError):
        encode(view, seats=2)
    with refused("'cards'", kind=ValueError):
        encode(view, "cards")


def test_encode_batch_writes_into_out() -> None:
    table, layout = hand(), spec(3)
    out = np.full((3, layout.size), 7, np.float32)
    assert encode_batch(views(table), layout, out) is out
    for seat in range(3):
        assert (out[seat] == encode(table.view(seat))).all()
    assert encode_batch(views(table)[:0], layout).shape == (0, layout.size)


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((3, 329), np.float64),
        np.zeros((2, 329), np.float32),
        np.zeros((4, 329), np.float32),
        np.zeros((3, 328), np.float32),
        np.zeros(3 * 329, np.float32),
    ],
    ids=["float64", "fewer rows", "more rows", "narrower", "flat"],
)
def test_encode_batch_refuses_an_out_that_does_not_fit(out: np.ndarray) -> None:
    with refused("out", "float32", "(3, 329)", kind=ValueError):
        encode_batch(views(hand()), spec(3), out)
    assert not out.any()


def test_encode_batch_refuses_views_of_more_seats_and_other_records() -> None:
    with refused("2 seats", kind=ValueError):
        encode_batch(views(hand()), spec(2))
    with refused("SEAT_VIEW", kind=TypeError):
        encode_batch(np.array([hand().record]), spec(3))
