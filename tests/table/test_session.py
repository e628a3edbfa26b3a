"""The table session: hands, stacks, score, history, what is told, and what failures leave."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.table.score import POINTS, Score
from agents.table.session import KEPT_HANDS, Bot, Person, PlayerFailed, Table
from razz_env import Action, Hand
from razz_env.history import audit
from razz_env.rules.cards import NO_CARD
from razz_env.rules.record import SEAT_VIEW

from ..support.errors import refused
from .players import Failing, Seeing

BOTS = ("scripted:tight", "caller", "random", "scripted:loose")


def play_hands(table: Table, count: int) -> None:
    for _ in range(count):
        table.deal()
        table.play_out()


def test_hands_are_those_of_the_seed_and_of_nothing_else() -> None:
    one, other = Table(BOTS, seed=9), Table(BOTS, seed=9)
    play_hands(one, 8)
    for _ in range(8):
        other.deal()
        while other.in_play:
            other.news()
            other.think()  # asked twice: nothing changes
            assert other.actor is not None
            other.play(other.actor, other.think())
    assert [h.record for h in one.history] == [h.record for h in other.history]
    dealt = Hand.deal(4, seed=9, index=0)
    assert one.history[0].record.seats[0].cards[:2] == dealt.down_cards(0)


def test_every_hand_starts_even_unless_stacks_are_carried() -> None:
    table = Table(BOTS, stacks=100, seed=1)
    play_hands(table, 12)
    assert {h.record.stacks for h in table.history} == {(100,) * 4}
    carried = Table(BOTS, stacks=100, seed=1, carry=True)
    play_hands(carried, 30)
    before = carried.history[0]
    for hand in list(carried.history)[1:]:
        ends = [s + n for s, n in zip(before.record.stacks, before.net_chips, strict=True)]
        assert hand.record.stacks == tuple(100 if chips < 9 else chips for chips in ends)
        before = hand
    assert any(100 in hand.record.stacks for hand in list(carried.history)[1:])


def test_everyone_who_won_is_told_with_the_own_amount() -> None:
    table = Table(("caller", "raiser", "caller"), stacks=40, seed=4, carry=True)
    play_hands(table, 1)
    hand = replace(table.history[0], net_chips=(120, -140, 20))
    assert hand.won(table.names, 40) == "caller +3.0 BB and caller 2 +0.5 BB"
    assert replace(hand, net_chips=(0, 0, 0)).won(table.names, 40) == "nobody won anything"


def test_the_score_is_the_sum_of_the_hands_and_the_last_50_are_kept() -> None:
    finished = []
    table = Table(BOTS, seed=2, on_finished=finished.append)
    play_hands(table, KEPT_HANDS + 7)
    assert [hand.number for hand in table.history] == list(range(8, KEPT_HANDS + 8))
    assert len(finished) == table.score.hands == KEPT_HANDS + 7
    sums = np.sum([hand.net_chips for hand in finished], axis=0) / table.rules.big_bet
    np.testing.assert_allclose(table.score.net_big_bets, sums)
    assert abs(sum(table.score.net_big_bets)) < 1e-9
    assert all(audit(hand.record).agrees for hand in finished)


def test_the_course_of_the_score_does_not_grow() -> None:
    score = Score(2)
    for hand in range(1, 5 * POINTS):
        score.add((40, -40), 40)
        assert len(score.course) <= POINTS
        assert score.points[-1] == (hand, (hand, -hand))
    assert score.points[0] == (0, (0.0, 0.0))
    steps = np.diff([at for at, _ in score.course])
    assert len(set(steps.tolist())) == 1


def test_players_get_views_and_nothing_else() -> None:
    seeing = Seeing()
    table = Table([seeing, "caller", "raiser"], seed=3)
    play_hands(table, 5)
    assert seeing.views
    assert all(views.dtype == SEAT_VIEW and views["seat"][0] == 0 for views in seeing.views)


def test_a_finished_hand_shows_the_showdown_and_the_viewers_own_cards() -> None:
    table = Table(["scripted:tight", "book", "scripted:loose", "scripted:tight"], seed=4)
    play_hands(table, KEPT_HANDS)
    kinds = set()
    for hand in table.history:
        live = hand.record.live_seats
        shown = set(live) if len(live) > 1 else set()
        kinds.add(len(live) > 1)
        for viewer in (None, 0, 3):
            seen = hand.seen_by(viewer)
            for seat, own in enumerate(seen.seats):
                down = [own.cards[place] for place in (0, 1, 6) if place < len(own.cards)]
                known = seat in shown or seat == viewer
                assert (NO_CARD not in down) if known else (set(down) == {NO_CARD})
                assert own.cards[2:6] == hand.record.seats[seat].cards[2:6]
            assert seen.hero == viewer
        assert hand.seen_by(None, open_cards=True) == hand.record
    assert kinds == {True, False}


@pytest.mark.parametrize("on", [True, False])
def test_auto_muck_keeps_a_beaten_hand_unseen_or_shows_it(on: bool) -> None:
    table = Table([Person("Ann"), "caller"], seed=5)
    table.auto_muck(0, on)
    mucked = shown = 0
    for _ in range(40):
        hand = table.deal()
        table.play_out()
        while table.in_play:
            passive = [c for c in table.choices(0) if c.action in (Action.CHECK, Action.CALL)]
            table.play(0, passive[0].action if passive else Action.BRING_IN)
            table.play_out()
        visible = hand.view(1).public.shown_down[0, 0] != NO_CARD
        news = " ".join(table.news())
        mucked += "Ann mucks" in news and not visible
        shown += "Ann shows the losing hand" in news and visible
    assert (mucked > 0, shown > 0) == (on, not on)


def test_a_player_that_fails_costs_no_finished_hand() -> None:
    table = Table([Failing(after=12), "caller"], seed=6)
    with pytest.raises(PlayerFailed, match=r"'failing' in seat .* the process is gone"):
        play_hands(table, 50)
    finished = table.score.hands
    assert len(table.history) == finished > 0
    before = list(table.score.net_big_bets)
    table.call_off()
    assert not table.in_play
    assert table.news()[-1] == f"Hand {finished + 1} is called off; all chips go back."
    table.deal()
    assert (table.number, table.score.net_big_bets) == (finished + 2, before)


def test_a_player_that_wants_to_end_the_process_ends_its_hand_only() -> None:
    class Leaving(Seeing):
        name = "leaving"

        def act(self, views, observations, masks, rng):
            raise SystemExit(3)

    table = Table([Leaving(), "caller"], seed=6)
    with pytest.raises(PlayerFailed, match="'leaving' in seat 0 raised SystemExit: 3"):
        play_hands(table, 1)


def test_turns_and_actions_are_checked() -> None:
    table = Table([Person("Ann"), Person("Ann"), "caller"], seed=7)
    assert table.names == ("Ann", "Ann 2", "caller")
    with refused("not the turn of Ann"):
        table.play(0, Action.FOLD)
    hand = table.deal()
    table.play_out()
    before, actor = hand.to_bytes(), table.actor
    assert actor in (0, 1)
    with refused(f"not the turn of {table.names[1 - actor]}"):
        table.play(1 - actor, hand.legal_actions()[0])
    with refused("may not CHECK"):
        table.play(actor, Action.CHECK)
    with refused("not over", kind=RuntimeError):
        table.deal()
    with refused("No player", kind=RuntimeError):
        table.think()
    assert hand.to_bytes() == before


def test_a_player_of_several_table_sizes_sits_at_all_of_them_and_at_no_other() -> None:
    class TwoOrThree(Seeing):
        name, num_players, table_sizes = "both", 3, (2, 3)

    assert len(Table([TwoOrThree(), "caller"]).seats) == 2
    assert len(Table([TwoOrThree(), "caller", "caller"]).seats) == 3
    with refused("both", "tables of 2, 3 seats, not of 4"):
        Table([TwoOrThree(), "caller", "caller", "caller"])


def test_impossible_tables_are_refused() -> None:
    class HeadsUp(Seeing):
        name, num_players = "duel", 2

    with refused("duel", "tables of 2 seats, not of 3"):
        Table([HeadsUp(), "caller", "caller"])
    with refused("2 to 8"):
        Table(["caller"])
    with refused("no player", "nobody"):
        Table(["nobody", "caller"])
    with refused("full game"):
        Table(["caller", "caller"], rules="kuhn")
    for stacks, words in {
        0: "stack of seat 0 is 0",
        -5: "stack of seat 0 is -5",
        10**30: "must be 1 to",
        2.5: "whole chips",
        4: "no hand has a decision",
    }.items():
        for carry in (False, True):
            with refused(words):
                Table(["caller", "caller"], stacks=stacks, carry=carry)  # type: ignore[arg-type]


@pytest.mark.parametrize("carry", [False, True])
def test_the_smallest_stacks_have_decisions_in_every_hand(carry: bool) -> None:
    table = Table(["caller", "raiser", Person("Ann")], stacks=5, seed=1, carry=carry)
    for _ in range(20):
        hand = table.deal()
        assert table.in_play
        while (seat := table.actor) is not None:
            table.play(seat, hand.legal_actions()[-1])
    assert table.score.hands == 20


def test_names_of_bots() -> None:
    table = Table(["caller", "caller", "random"])
    assert table.names == ("caller", "caller 2", "random")
    assert table.is_open
    assert all(isinstance(seat, Bot) for seat in table.seats)
