"""The equity of a seat's hand by what it sees, and those of a table of which more is known."""

from __future__ import annotations

import pytest

from razz_env import Hand
from razz_env.equity import equity, known_equities, visible_equity
from razz_env.rules.cards import NO_CARD, format_cards

from ..support.errors import refused
from ..support.tables import check_down, deal, limp, play


def test_own_cards_boards_and_dead_cards_count() -> None:
    hand = deal("Ac2d 3h", "KcKh Qs", "9c9h 9d")
    play(hand, "S2 BRING_IN, S3 FOLD")
    wanted = equity(["A23", "xxQ"], dead="9 x x")
    assert wanted.is_exact
    assert visible_equity(hand.view(0)) == (wanted.equities[0], 0.0)
    share, error = visible_equity(hand.view(0), method="monte_carlo", samples=40_000, seed=5)
    assert 0.001 < error < 0.003
    assert share == pytest.approx(wanted.equities[0], abs=4 * error)


def test_hidden_cards_are_no_part_of_it() -> None:
    one = deal("Ac2d 3h4h5h6h7h", "KcKh QsJs9s8s2s")
    other = deal("Ac2d 3h4h5h6h7h", "3c4c QsJs9s8s5c")
    for hand in (one, other):
        limp(hand)
    for street in (4, 5, 6, 7):
        for hand in (one, other):
            check_down(hand, until=street)
        assert visible_equity(one.view(0)) == visible_equity(other.view(0))


@pytest.mark.parametrize("rules", ["full_tilt", "wsop_live"])
@pytest.mark.parametrize("folds", [0, 1, 2])
def test_hole_cards_of_folded_seats_cannot_come(rules: str, folds: int) -> None:
    """They decide whether the stub suffices for everyone's seventh card (RULES 6)."""
    hand = Hand.deal(8, rules=rules, seed=3)
    hand.apply("bring in")
    for _ in range(folds):
        hand.apply("fold")
    check_down(limp(hand), until=6)
    assert hand.actor is not None
    view = hand.view(hand.actor)
    own = [*hand.down_cards(hand.actor), *hand.up_cards(hand.actor)]
    boards = ["xx" + format_cards(hand.up_cards(seat)) for seat in hand.live_seats]
    boards[hand.live_seats.index(hand.actor)] = format_cards(own)
    gone = [seat for seat in range(8) if seat not in hand.live_seats]
    dead = " ".join(format_cards(hand.up_cards(seat)) + " xx" for seat in gone)
    found = equity(boards, dead=dead, rules=rules, samples=20_000)
    place = hand.live_seats.index(hand.actor)
    assert visible_equity(view, samples=20_000)[0] == found.equities[place]


def test_known_cards_of_other_seats_count_and_those_of_folded_seats_are_dead() -> None:
    hand = deal("Ac2d 3h", "KcKh Qs", "9c9h 9d")
    play(hand, "S2 BRING_IN, S3 FOLD")
    found = known_equities(hand.record.public, hand.record.down)
    assert found.equities.tolist() == equity(["A23", "KKQ"], dead="999").equities.tolist()
    down = hand.record.down.copy()
    down[1] = NO_CARD
    found = known_equities(hand.record.public, down)
    assert found.equities.tolist() == equity(["A23", "xxQ"], dead="999").equities.tolist()


def test_the_last_down_card_is_that_of_the_last_street() -> None:
    hand = check_down(limp(deal("Ac2d 9hThJhQhKc", "2c3c 2s3s4s5s7d")), until=7)
    share, error = visible_equity(hand.view(0))
    assert (share, error) == (equity(["A29TJQK", "xx2345x"]).equities[0], 0.0)
    kuhn = Hand.deal(2, rules="kuhn", seed=0)
    assert 0 <= visible_equity(kuhn.view(0))[0] <= 1


def test_only_the_view_of_a_live_seat_will_do() -> None:
    hand = play(deal("Ac2d 3h", "KcKh Qs", "9c9h 9d"), "S2 BRING_IN, S3 FOLD")
    with refused("visible_equity", "view", kind=TypeError):
        visible_equity(hand.record)  # type: ignore[arg-type]
    with refused("Seat 2 has folded", kind=ValueError):
        visible_equity(hand.view(2))
    hand.apply("fold")
    with refused("2 to 8 hands", kind=ValueError):
        visible_equity(hand.view(1))
