"""The drawing of a table: what is on it, where it is, and what is not on it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from razz_env import Hand, make_batch
from razz_env.render import hand_scene, hand_scenes, html_page, seat_scene, table_svg
from razz_env.render.layout import HEIGHT, LAYOUTS, WIDTH
from razz_env.render.themes import THEMES
from razz_env.rules.cards import format_card, parse_cards

from ..envs.test_leak import another_world, stops, table_after
from ..support.errors import refused
from ..support.tables import check_down, deal, limp, play
from .svg import Drawn

CARDS = ["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd", "7h8hQs9dJsQc2h"]
NAMES = ["Ann", "Ben", "Cid"]


def cards_of(svg: str) -> dict[str, str | None]:
    return {
        name.removeprefix("card-"): None if card is None else format_card(card)
        for name, card in Drawn(svg).cards().items()
    }


def test_a_seat_sees_its_own_down_cards_and_everyones_up_cards() -> None:
    hand = limp(Hand.from_cards(CARDS))
    drawn = cards_of(table_svg(seat_scene(hand.view(0))))
    assert " ".join(f"{name}:{card or '??'}" for name, card in drawn.items()) == (
        "s0-down0:Ah s0-down1:2c s0-up0:3d s0-up1:5h "
        "s1-down0:?? s1-down1:?? s1-up0:3h s1-up1:4c "
        "s2-down0:?? s2-down1:?? s2-up0:Qs s2-up1:9d"
    )


def test_spectators_see_what_everyone_may_know_or_all_cards() -> None:
    hand = limp(Hand.from_cards(CARDS))
    public = cards_of(table_svg(hand_scene(hand)))
    assert [card for name, card in public.items() if "down" in name] == [None] * 6
    shown = cards_of(table_svg(hand_scene(hand, open_cards=True)))
    assert None not in shown.values()
    assert shown["s2-down1"] == "8h"


def test_bets_stacks_names_pot_and_the_last_action_are_drawn() -> None:
    hand = Hand.from_cards(CARDS, stacks=[500, 30, 1500])
    play(hand, "S3 BRING_IN 5, S1 COMPLETE 20, S2 RAISE 26, S3 FOLD")
    drawn = Drawn(table_svg(hand_scene(hand, NAMES)))
    assert [drawn.text(f"seat-{seat}-name") for seat in range(3)] == NAMES
    assert [drawn.text(f"seat-{seat}-stack") for seat in range(3)] == ["476", "0", "1,491"]
    standing = [drawn.text(f"seat-{seat}-standing") for seat in range(3)]
    assert standing == ["completes to 20", "raises to 26, all-in", "folded"]
    assert [drawn.text(f"bet-{seat}-chips") for seat in range(3)] == ["20", "26", "5"]
    assert drawn.text("pot-0-chips") == "Pot 12"
    assert drawn.text("street") == "Third street"
    assert drawn.text("bets") == "bets 1 of 4"
    assert drawn.text("stakes") == "20/40, ante 4, bring-in 5"
    assert drawn.said() == "Cid folds"
    assert "actor" in drawn.kinds("seat-0")
    assert "seat-2-bring-in" in drawn.by_id
    assert {"dead"} <= drawn.kinds("card-s2-up0")


def test_a_folded_seat_keeps_its_up_cards_and_loses_its_down_cards() -> None:
    hand = limp(Hand.from_cards(CARDS))
    play(hand, "S2 CHECK, S3 CHECK, S1 BET 20, S2 FOLD")
    cards = cards_of(table_svg(seat_scene(hand.view(0))))
    assert [name for name in cards if name.startswith("s1")] == ["s1-up0", "s1-up1"]
    own = cards_of(table_svg(seat_scene(hand.view(1))))
    assert own["s1-down0"] == "As"  # the owner remembers them


def test_the_end_shows_the_low_that_wins_and_mucked_hands_stay_hidden() -> None:
    hand = check_down(limp(Hand.from_cards(CARDS)))
    drawn = Drawn(table_svg(seat_scene(hand.view(1), NAMES)))
    cards = drawn.cards()
    assert cards["card-s0-down2"] == parse_cards("Kc")[0]
    assert [cards[f"card-s2-down{place}"] for place in range(3)] == [None] * 3
    assert drawn.said() == "Wheel wins the pot"
    assert [drawn.text(f"seat-{seat}-standing") for seat in range(3)] == [
        "5-4-3-2-A",
        "mucks",
        "mucks",
    ]
    assert [drawn.text(f"seat-{seat}-net") for seat in range(3)] == ["+18", "\u22129", "\u22129"]
    assert "winner" in drawn.kinds("seat-0")


def test_the_community_card_is_drawn_once_and_nobody_has_a_seventh() -> None:
    hand = check_down(limp(deal(*["??"] * 8, community="6h")))
    cards = cards_of(table_svg(hand_scene(hand, open_cards=True)))
    assert cards["community"] == "6h"
    assert len(cards) == 8 * 6 + 1


def test_only_a_seats_view_is_drawn_for_a_seat() -> None:
    hand = Hand.deal(2, seed=1)
    for wrong in (hand, hand.record, hand.record.public, None):
        with refused("view", kind=TypeError):
            seat_scene(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("sign", ["\x00", "\x01", "\x1b", "\ud800", "\ufffe", "\uffff"])
def test_signs_that_xml_may_not_hold_are_replaced(sign: str) -> None:
    names = [f"A{sign}<n>&\"'", "Bén\U0001f0a1", "Cid"]
    hand = limp(Hand.from_cards(CARDS))
    play(hand, "S2 CHECK, S3 CHECK, S1 BET 20, S2 FOLD, S3 FOLD")
    svg = table_svg(hand_scene(hand, names))
    drawn = Drawn(svg.encode().decode())
    assert [drawn.text(f"seat-{seat}-name") for seat in range(2)] == [
        "A\ufffd<n>&\"'",
        "Bén\U0001f0a1",
    ]
    assert "A\ufffd<n>&\"' wins" in drawn.root.attrib["aria-label"]
    html_page(hand_scenes(hand, names), title=names[0]).encode()


def test_a_view_out_of_a_batch_is_drawn() -> None:
    batch = make_batch(num_tables=2, num_players=4, seed=3)
    svg = table_svg(seat_scene(batch.views[1]))
    own = int(batch.actors[1])
    known = [name for name, card in cards_of(svg).items() if card and "down" in name]
    assert known == [f"s{own}-down0", f"s{own}-down1"]


@pytest.mark.parametrize("num_players", [2, 3, 6, 8])
def test_a09_other_hidden_cards_give_the_same_bytes(num_players: int) -> None:
    rng, compared = np.random.default_rng(num_players), 0
    for index in range(4):
        arguments: dict[str, Any] = {"num_players": num_players, "stacks": [500, 60] * 4}
        arguments["stacks"] = arguments["stacks"][:num_players]
        whole = Hand.deal(num_players, stacks=arguments["stacks"], seed=index)
        deck = whole.record.deck.tolist()
        for actions in stops(whole, rng):
            hand = table_after(arguments, deck, actions).hand
            for seat in rng.permutation(num_players)[:2].tolist():
                other = another_world(arguments, hand, seat, rng)
                if other is None:
                    continue
                given, again = (table_svg(seat_scene(one.view(seat))) for one in (hand, other.hand))
                assert given == again
                assert table_svg(hand_scene(hand)) == table_svg(hand_scene(other.hand))
                compared += 1
    assert compared > 10


def test_a_card_that_lies_face_down_says_nothing_of_itself() -> None:
    """All face-down cards are the same text but for id and place."""
    svg = table_svg(seat_scene(limp(Hand.from_cards(CARDS)).view(0)))
    hidden = re.findall(r'<g id="card-s[12]-down[01]"[^>]*>(.*?)</g>', svg)
    assert len(hidden) == 4
    assert len(set(hidden)) == 1
    assert "razz-back" in hidden[0]


@pytest.mark.parametrize("num_players", range(2, 9))
def test_every_point_of_random_hands_lies_on_the_picture_and_moves_by_its_ids(
    num_players: int,
) -> None:
    rng = np.random.default_rng(num_players)
    for seed in range(4):
        hand = Hand.deal(num_players, stacks=rng.integers(1, 300, num_players), seed=seed)
        while True:
            for scene in (seat_scene(hand.view(seed % num_players)), hand_scene(hand)):
                drawn = Drawn(table_svg(scene))
                assert set(drawn.by_id) >= {f"seat-{seat}-stack" for seat in range(num_players)}
                placed = [name for name, one in drawn.by_id.items() if "transform" in one.attrib]
                for x, y in (drawn.place(name) for name in placed if "bring-in" not in name):
                    assert 0 <= x <= WIDTH
                    assert 0 <= y <= HEIGHT
            if hand.is_over:
                break
            hand.apply(int(rng.choice(hand.legal_actions())))


def test_seats_go_clockwise_from_the_onlooker_at_the_bottom() -> None:
    hand = Hand.deal(4, seed=1)
    for me in range(4):
        drawn = Drawn(table_svg(seat_scene(hand.view(me))))
        places = [drawn.place(f"seat-{(me + turn) % 4}") for turn in range(4)]
        assert places == [(place.x, place.y) for place in LAYOUTS[4].places]
        bottom, left, top, right = places
        assert bottom[1] == max(y for _, y in places)
        assert left[0] < top[0] < right[0]
        x, y = drawn.place("button")
        last = drawn.place("seat-3")
        assert all(
            abs(x - last[0]) + abs(y - last[1]) < abs(x - other[0]) + abs(y - other[1])
            for other in (drawn.place(f"seat-{seat}") for seat in range(3))
        )


@pytest.mark.parametrize("num_players", range(2, 9))
def test_seats_and_bets_do_not_cover_each_other(num_players: int) -> None:
    layout = LAYOUTS[num_players]
    half, above, below = 130 * layout.scale, 72 * layout.scale, 58 * layout.scale
    blocks = [(p.x - half, p.y - above, p.x + half, p.y + below) for p in layout.places]
    blocks += [(p.bet[0] - 36, p.bet[1] - 14, p.bet[0] + 36, p.bet[1] + 14) for p in layout.places]
    for at, one in enumerate(blocks):
        for other in blocks[at + 1 :]:
            apart_x = one[2] <= other[0] + 1 or other[2] <= one[0] + 1
            apart_y = one[3] <= other[1] + 1 or other[3] <= one[1] + 1
            assert apart_x or apart_y, (one, other)


def test_themes_and_decks_are_style_alone() -> None:
    scene = seat_scene(Hand.deal(3, seed=1).view(0))
    plain = {theme: table_svg(scene, theme=theme) for theme in THEMES}
    assert "prefers-color-scheme" in plain["auto"]
    assert "prefers-color-scheme" not in plain["light"] + plain["dark"]
    stripped = {
        re.sub(r"<style>.*?</style>|razz (light|dark|auto)", "", svg) for svg in plain.values()
    }
    assert len(stripped) == 1
    assert 'class="razz light four"' in table_svg(scene, theme="light", four_colours=True)
    with refused("theme", "drak", "did you mean 'dark'"):
        table_svg(scene, theme="drak")


def test_names_cannot_break_out_of_the_picture_and_long_ones_are_cut() -> None:
    hand = Hand.deal(2, seed=1)
    drawn = Drawn(table_svg(hand_scene(hand, ["<script>&\"'", "An endless name of a player"])))
    assert not list(drawn.root.iter("{http://www.w3.org/2000/svg}script"))
    assert drawn.text("seat-0-name").startswith("<scrip")
    assert drawn.text("seat-1-name").endswith("\u2026")
    with refused("2 names"):
        hand_scene(hand, ["Ann"])


@pytest.mark.parametrize(
    ("stack", "words"),
    [
        (1_000_003, "999,999"),
        (10_000_004, "10,000K"),
        (10**9, "999,999K"),
        (2**31, "2,147M"),
        (2**53, "9,007T"),
    ],
)
def test_long_amounts_stay_within_their_plate(stack: int, words: str) -> None:
    scene = hand_scene(Hand.deal(2, stacks=stack, seed=1), NAMES[:2])
    drawn = Drawn(table_svg(scene))
    assert drawn.text("seat-0-stack") == words
    assert drawn.text("seat-1-name") == "Ben"


def test_an_unknown_theme_is_refused_with_those_there_are_once() -> None:
    with refused("no theme 'drak'; did you mean 'dark'? Known: light, dark, auto."):
        table_svg(hand_scene(Hand.deal(2, seed=1)), theme="drak")
