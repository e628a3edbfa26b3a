"""What a player does in a spot and what there is to know there, from one seat's view alone."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from agents.inspection import Insight, look_at, read_spot
from agents.inspection.text import insight_text
from agents.players.basic import caller
from agents.players.scripted import scripted
from razz_env import Action, Hand
from razz_env.envs.agent import Agent, PlayerError
from razz_env.equity import equity

from ..evaluation.players import Uniform, Watching
from ..evaluation.players import caller as silent_caller
from ..support.errors import refused
from ..support.tables import ladder_hand, play
from .players import Answering, Telling, Wrong


def look(text: str, player: Agent, samples: int = 200, **how: Any) -> Insight:
    hand = read_spot(text, **how)
    assert hand.actor is not None
    return look_at(hand.view(hand.actor), player, samples=samples)


def test_a_player_that_tells_its_chances_is_asked_once() -> None:
    player = Telling()
    found = look("(A2)7 | K Q", player)
    assert (found.samples, player.asked) == (None, 1)
    assert [(one.text, one.probability, one.standard_error) for one in found.choices] == [
        ("fold", 0.0, 0.0),
        ("call 5", 0.5, 0.0),
        ("complete to 20", 0.5, 0.0),
    ]
    assert found.probability(Action.COMPLETE) == 0.5
    assert found.probability(Action.BET) == 0.0


def test_another_player_is_asked_many_times_and_its_errors_are_told() -> None:
    found = look("(A2)7 | K Q", Uniform(), samples=20_000)
    assert found.samples == 20_000
    for one in found.choices:
        assert one.probability == pytest.approx(1 / 3, abs=0.015)
        assert one.standard_error == pytest.approx(np.sqrt(2 / 9 / 20_000), rel=0.05)


def test_what_never_came_may_still_be_possible() -> None:
    found = look("(A2)7 | K Q", silent_caller(), samples=98)
    by_action = {one.action: one for one in found.choices}
    assert by_action[Action.CALL].probability == 1
    assert by_action[Action.FOLD].probability == 0
    assert by_action[Action.FOLD].standard_error == pytest.approx(np.sqrt(0.01 * 0.99 / 100))


def test_samples_repeat_under_a_seed_and_may_be_many() -> None:
    view = read_spot("(A2)7 | K Q").view(0)
    one, same, other = (look_at(view, Uniform(), samples=9000, seed=s) for s in (1, 1, 2))
    assert one == same
    assert one.choices != other.choices


def test_a_player_that_wants_observations_gets_them_and_forgets() -> None:
    player = Watching()
    look("(A2)7 | K Q", player, samples=10)
    assert player.resets == 1
    assert min(player.widths) > 100


def test_the_price_is_that_of_the_hand() -> None:
    found = look("(A2)345 | 89T", caller(), actions="br")
    # third street 2 x 4 antes, 2 x 20; fourth 2 x 20; fifth 40 and 80
    assert (found.pot_chips, found.call_chips) == (8 + 40 + 40 + 120, 40)
    assert found.pot_odds == pytest.approx(40 / 248)
    free = look("(A2)34 | K5", caller())
    assert (free.call_chips, free.pot_odds) == (0, 0.0)


def test_the_price_of_a_short_all_in_call_leaves_out_what_the_seat_cannot_win() -> None:
    hand = play(ladder_hand(3, [500, 500, 19]), "S3 BRING_IN, S1 COMPLETE, S2 RAISE")
    assert hand.total_chips.tolist() == [24, 44, 9]
    found = look_at(hand.view(2), caller())
    assert (found.pot_chips, found.call_chips) == (19 + 19 + 9, 10)
    assert found.pot_odds == pytest.approx(10 / 57)
    assert "10 to call for a pot of 47: worth it from 17.5 % on" in insight_text(found)


def test_the_equity_is_against_the_live_boards_with_dead_cards_gone() -> None:
    found = look("(A2)34 | K8 | 79 | 8f | Qf", caller(), actions="")
    expected = equity(["A234", "xxK8", "xx79"], dead="8Q")
    assert found.equity == pytest.approx(expected.equities[0], abs=4 * 0.0007)
    assert 0 < found.equity_error < 0.001
    heads_up = look("(A2)345 | 89T", caller())
    exact = equity(["A2345", "xx89T"])
    assert (heads_up.equity, heads_up.equity_error) == (exact.equities[0], 0.0)


def test_the_equity_on_the_last_street_is_that_of_the_seventh_card() -> None:
    found = look("(A2)9TJQ(K) | 2345", caller())
    exact = equity(["A29TJQK", "xx2345x"])
    assert found.equity == exact.equities[0]
    shared = look(
        "(A2)3456 | " + " | ".join("9TJQ 8TJQ 7TJQ 6KKK 5K22 789T 3344".split()),
        caller(),
        community="7",
        stacks=3000,
    )
    assert shared.low == "5-4-3-2-A low" or shared.low == "wheel"


def test_dead_and_unseen_cards() -> None:
    found = look("(A2)34 | K8 | 79 | 8f | Qf", caller())
    assert {seat: cards[0] for seat, cards in found.dead.items()} == {3: "8", 4: "Q"}
    #                      A  2  3  4  5  6  7  8  9  T  J  Q  K
    assert found.left == (3, 3, 3, 3, 4, 4, 3, 2, 3, 4, 4, 3, 3)
    assert found.live_low_cards == 4 + 4 + 3 + 2
    assert found.low == ""
    assert look("(A2)348 | KQJ", caller()).low == "8-4-3-2-A low"
    kuhn = look("(2)3 | 4", caller(), rules="kuhn")
    assert kuhn.left == (2, 1, 1, 1, 2, 2, 0, 0, 0, 0, 0, 0, 0)


def test_hidden_cards_are_no_part_of_it() -> None:
    """Two hands that differ in what others hold, and so in nothing that the seat sees."""
    found = []
    for hidden in ("4c5c", "QdQh"):
        hand = Hand.from_cards(["As2h3d", f"{hidden}Kc"])
        hand.apply("bring in")
        found.append(look_at(hand.view(0), scripted(), samples=20))
    assert found[0] == found[1]


def test_only_the_view_of_the_seat_to_act_will_do() -> None:
    hand = read_spot("(A2)3 | K")
    with refused("view", kind=TypeError):
        look_at(hand.record, caller())  # type: ignore[arg-type]
    with refused("seat 1 is not to act but seat 0", kind=ValueError):
        look_at(hand.view(1), caller())
    hand.apply("fold")
    with refused("nobody", kind=ValueError):
        look_at(hand.view(0), caller())


@pytest.mark.parametrize(
    ("player", "words"),
    [
        (Wrong(lambda shares, masks: shares[:, :3]), ["shape (1, 3)", "(1, 7)"]),
        (Wrong(lambda shares, masks: shares / 2), ["sum to 0.5"]),
        (Wrong(lambda shares, masks: (1 - masks) / 4), ["CHECK", "not legal"]),
        (Wrong(lambda shares, masks: shares * np.nan), ["nan", "FOLD"]),
        (Wrong(lambda shares, masks: 1.5 * shares - 0.5 * shares[:, ::-1]), ["telling"]),
        (Answering(lambda masks, rng: np.full(len(masks), 5)), ["seat 0", "BET", "legal: FOLD"]),
        (Answering(lambda masks, rng: np.full(len(masks), 9)), ["action 9"]),
        (Answering(lambda masks, rng: np.zeros(3)), ["float64", "(3,)"]),
    ],
)
def test_a_player_that_answers_wrongly_is_named(player: Any, words: list[str]) -> None:
    with refused(player.name, *words, kind=(ValueError, PlayerError)):
        look("(A2)3 | K", player)


def test_no_samples_are_refused() -> None:
    with refused("samples=0"):
        look("(A2)3 | K", caller(), samples=0)


def test_an_insight_goes_through_json() -> None:
    found = look("(A2)34 | K8 | 79 | 8f", Uniform())
    told = json.loads(json.dumps(found.to_dict()))
    assert told["left"]["8"] == 2
    assert told["dead"] == {"3": "8d"} or told["dead"]["3"].startswith("8")
    assert told["choices"][1]["action"] == "BET"
    assert told["choices"][1]["chips"] == 20


def test_the_text_says_how_the_chances_are_known() -> None:
    told = insight_text(look("(A2)7 | K Q 8f", Telling()))
    assert "telling, as it tells itself:" in told
    assert "complete to 20   50.0 %\n" in told
    assert "5 to call for a pot of" in told
    assert "8c (seat 3)" in told
    sampled = insight_text(look("(A2)7 | K Q", Uniform()))
    assert "uniform, asked 200 times:" in sampled
    assert "does not tell its probabilities" in sampled
    assert "nobody" not in sampled
    assert "nothing to call" in insight_text(look("(A2)34 | K5", caller()))
