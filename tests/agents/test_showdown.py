"""The share of the pot counted by sets of ranks: against the count by pairs, and against deals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.players.equity import UNIFORM
from agents.players.holdings import equity_of, scratch, tables
from agents.players.reading import live_rivals
from agents.players.showdown import desk, fill_lows, showdown_share
from razz_env import Hand

from ..support.tables import check_down, deal, limp, play
from .games import spots_of_games
from .test_holdings import dealt_out, middle_hands


def by_sets(view: Any) -> float:
    return float(showdown_share(view, live_rivals(view), desk()))


def by_pairs(view: Any) -> float:
    return float(equity_of(view, live_rivals(view), UNIFORM, tables(), scratch()))


def share(hand: Hand) -> float:
    return by_sets(hand.view(hand.actor))


def compare(views: Any) -> None:
    """Both counts are the same but for the rounding, and there is something to count."""
    shares = np.array([(by_sets(view), by_pairs(view)) for view in views])
    np.testing.assert_allclose(shares[:, 0], shares[:, 1], rtol=0, atol=1e-12)
    assert (shares > -1e-12).all()
    assert (shares < 1 + 1e-12).all()
    assert shares[:, 0].std() > 0.02


STREETS = {
    street: lambda views, _masks, street=street: views["public"]["street"] == street
    for street in range(3, 8)
}


@pytest.mark.parametrize("street", STREETS)
@pytest.mark.parametrize("num_players", [2, 5, 8])
def test_it_is_the_equity_of_a_player_who_believes_nobody(num_players: int, street: int) -> None:
    compare(spots_of_games(STREETS[street], num_players, 150, seed=8).views)


@pytest.mark.parametrize("rules", ["kuhn", "mini20", "mini24", "mini32"])
def test_the_small_variants_are_counted_too(rules: str) -> None:
    compare([hand.view(hand.actor) for hand in middle_hands(100, 2, rules)])


def test_a_community_card_is_in_every_hand() -> None:
    """Eight who all stay to the end use up the deck."""
    hands = [check_down(limp(Hand.deal(8, seed=seed)), until=7) for seed in range(40)]
    assert all(hand.community is not None for hand in hands)
    compare([hand.view(hand.actor) for hand in hands])


def test_heads_up_it_is_nearly_that_of_every_deal() -> None:
    """What comes to one hand does not block the other, which is all that is left out."""
    spots = [check_down(limp(Hand.deal(2, seed=seed)), until=4 + seed % 4) for seed in range(40)]
    errors = np.array([share(hand) - dealt_out(hand) for hand in spots])
    assert abs(errors.mean()) < 0.003
    assert np.sqrt((errors**2).mean()) < 0.01


def test_a_wheel_on_the_river_loses_to_nothing_and_ties_with_a_wheel() -> None:
    hand = check_down(limp(deal("Ah2d3h4h5hKcQc", "????Kd7c8c9c")), until=7)
    assert share(hand) == 1.0
    hand = check_down(limp(deal("Ah2d3h4h5hKcQc", "????Kd2c3c4c")), until=7)
    assert 0.9 < share(play(hand, "S2 CHECK")) < 1.0


def test_where_the_deck_has_run_out_the_low_is_the_worst() -> None:
    room = desk()  # with no live cards
    assert fill_lows(room.own, 0b1, 2, 5, room) == (1, len(room.own) - 1)
    assert room.own.sum() == room.own[-1] == 1


def test_a_desk_keeps_nothing_of_the_hand_before() -> None:
    views = [*spots_of_games(STREETS[4], 5, 20, seed=8).views, Hand.deal(2, seed=1).view(0)]
    views = [*views, *spots_of_games(STREETS[7], 2, 20, seed=8).views]
    one = desk()
    together = [showdown_share(view, live_rivals(view), one) for view in views]
    assert together == [by_sets(view) for view in views]
