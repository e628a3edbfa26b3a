"""Case A09: a seat sees nothing of what it cannot know.

For every seat at many points of many hands, another world is made: all cards that the seat does not
know (the others' down cards and the whole stub) change places, the same actions are played, and
nothing that the seat is given may differ in a single bit.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from razz_env import Hand, HouseRules, Street
from razz_env.envs.aec import raw_env
from razz_env.envs.desk import Desk
from razz_env.envs.seat import RazzSeatEnv
from razz_env.observation import encode
from razz_env.render.ansi import hand_text, seat_text
from razz_env.rules.action_log import logged_actions
from razz_env.rules.record import MUCKED, NOT_SHOWN

from ..support.tables import check_down, limp
from .players import RandomPlayer, pick

TRIES = 40
"""Other worlds tried for a hand that is over: who wins, shows and mucks must stay the same."""


def unknown_places(hand: Hand, seat: int) -> np.ndarray:
    """Places in the deck, in dealing order, of the cards that a seat does not know."""
    public = hand.record.public
    known = {int(card) for card in [*public.up.flat, *public.shown_down.flat, public.community]}
    known |= set(hand.down_cards(seat))
    places = [at for at, card in enumerate(hand.record.deck) if int(card) not in known]
    return np.array(places, np.int64)


def other_deck(hand: Hand, seat: int, rng: np.random.Generator) -> list[int]:
    """The deck with everything unknown to a seat in another order."""
    deck, places = hand.record.deck.copy(), unknown_places(hand, seat)
    deck[places] = deck[rng.permutation(places)]
    return [int(card) for card in deck]


def actions_of(hand: Hand) -> list[int]:
    return [int(action) for _, action in logged_actions(hand.record.public)]


def table_after(arguments: dict[str, Any], deck: list[int], actions: list[int]) -> raw_env:
    """A table with this deck, after these actions."""
    table = raw_env(**arguments)
    table.reset(seed=0, options={"deck": deck})  # the seed mixes a stub that is too short
    for action in actions:
        table.step(action)
    return table


def another_world(
    arguments: dict[str, Any], hand: Hand, seat: int, rng: np.random.Generator
) -> raw_env | None:
    """A table with other hidden cards and the same play.

    None if none is found whose end comes out the same, and in which a stub that was mixed anew
    gives the seat the same card again.
    """
    is_mixed = bool(hand.record.scrambled_cards)
    for _ in range(TRIES if hand.is_over or is_mixed else 1):
        table = table_after(arguments, other_deck(hand, seat, rng), actions_of(hand))
        is_same = not is_mixed or table.hand.down_cards(seat) == hand.down_cards(seat)
        if is_same and (not hand.is_over or same_public(table.hand, hand)):
            return table
    return None


def same_public(one: Hand, other: Hand) -> bool:
    return bool(one.record.public.tobytes() == other.record.public.tobytes())


def all_that_is_given(table: raw_env, seat: int) -> dict[str, Any]:
    """Everything a seat can get out of the environment, as bytes or text."""
    agent, view = f"player_{seat}", table.hand.view(seat)
    given = {
        "view": view.tobytes(),
        "features": encode(view, "features").tobytes(),
        "infostate": encode(view, "infostate").tobytes(),
        "text": seat_text(view),
        "public text": hand_text(table.hand),
        "info": repr(table.infos[agent]),
        "reward": table.rewards[agent],
        "ended": table.terminations[agent],
    }
    for mode in ("features", "infostate"):
        table._desk = Desk(len(table.possible_agents), mode)
        observed = table.observe(agent)
        given |= {f"{mode} {key}": value.tobytes() for key, value in observed.items()}
    if table.agent_selection == agent:
        given["render"] = table.render()
    return given


def stops(hand: Hand, rng: np.random.Generator) -> list[list[int]]:
    """Play a hand; the actions up to the last decision of every street, and up to the end."""
    points = []
    while not hand.is_over:
        before, street = actions_of(hand), hand.street
        hand.apply(pick(hand.action_mask(), rng))
        if hand.is_over or hand.street != street:
            points.append(before)
    return [*points, actions_of(hand)]


def known_kind(hand: Hand, seat: int) -> str:
    """What a comparison covers, for the count at the end."""
    if not hand.is_over:
        folded = "folded" if seat not in hand.live_seats else "live"
        return f"{hand.street.name} {folded}"
    shown = hand.record.public.shown[: hand.num_players]
    if MUCKED in shown:
        return "after own muck" if shown[seat] == MUCKED else "after a muck"
    return "after a fold" if (shown == NOT_SHOWN).all() else "after a showdown"


@pytest.mark.parametrize(
    ("num_players", "preset"),
    [*((seats, "full_tilt") for seats in range(2, 9)), (3, "tda"), (8, "tda")],
)
def test_a09_another_world_changes_no_bit_of_what_a_seat_is_given(
    num_players: int, preset: str
) -> None:
    """By `tda` cards are burnt, and at eight seats the burnt ones may be dealt again."""
    assert HouseRules.preset(preset).burn_cards == (preset == "tda")
    rng, covered = np.random.default_rng(num_players), Counter[str]()
    for index in range(24 if num_players > 2 else 80):
        stacks = [500] * num_players if index % 3 else rng.integers(1, 200, num_players).tolist()
        arguments = {
            "num_players": num_players,
            "rules": preset,
            "stacks": stacks,
            "render_mode": "ansi",
        }
        whole = Hand.deal(num_players, preset, stacks=stacks, seed=index)
        deck = whole.record.deck.tolist()
        for actions in stops(whole, rng):
            table = table_after(arguments, deck, actions)
            for seat in range(num_players):
                other = another_world(arguments, table.hand, seat, rng)
                if other is None:
                    continue
                assert all_that_is_given(other, seat) == all_that_is_given(table, seat)
                covered[known_kind(table.hand, seat)] += 1
    expected = {f"{street.name} live" for street in Street}
    expected |= {"after own muck", "after a muck", "after a showdown", "after a fold"}
    if num_players > 2:
        expected |= {f"{street.name} folded" for street in Street}
    assert expected <= set(covered), covered


def test_a09_a_mucked_hand_stays_hidden_and_a_shown_one_is_seen() -> None:
    cards = ["As2d3h4c6sTcKd", "7h8hQs9dJsQc2h", "Ac2c3c4d5cKhKs"]
    hand = Hand.from_cards(cards)
    check_down(limp(hand))
    mucked = [shown.seat for shown in hand.showdown if shown.mucked]
    assert mucked
    for seat in range(3):
        for other in set(range(3)) - {seat}:
            public = hand.view(seat).public
            assert (public.shown_down[other] == -1).all() == (other in mucked)


def test_a09_the_comparison_notices_the_own_cards() -> None:
    """The control: another world in which the seat's own cards change is not the same."""
    hand = Hand.deal(3, seed=1)
    for seat in range(3):
        other = Hand.deal(3, deck=other_deck(hand, (seat + 1) % 3, np.random.default_rng(0)))
        view, changed = hand.view(seat), other.view(seat)
        assert view.tobytes() != changed.tobytes()
        assert encode(view).tobytes() != encode(changed).tobytes()
        assert seat_text(view) != seat_text(changed)


@pytest.mark.parametrize("opponents", [1, 3, 7])
def test_a09_the_learning_seat_is_given_nothing_hidden(opponents: int) -> None:
    rng, compared = np.random.default_rng(opponents), 0
    for index in range(12):
        table = seat_table(opponents)
        given, actions = [table.reset(seed=index)], []
        while not table.hand.is_over:
            seat, known = table.seat, table.hand
            other = seat_table(opponents)
            told = [other.reset(seed=index, options={"deck": other_deck(known, seat, rng)})]
            told += [other.step(action) for action in actions]
            assert flat(told) == flat(given)
            assert other.render() == table.render()
            compared += 1
            actions.append(pick(table.action_masks(), rng))
            given.append(table.step(actions[-1]))
    assert compared > 20


def seat_table(opponents: int) -> RazzSeatEnv:
    return RazzSeatEnv([RandomPlayer()] * opponents, render_mode="ansi")


def flat(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, dict):
        return {key: flat(inner) for key, inner in value.items()}
    return [flat(inner) for inner in value] if isinstance(value, list | tuple) else value
