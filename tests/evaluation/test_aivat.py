"""AIVAT in matches: what it promises, what it takes away, by name, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.evaluation import play_match
from agents.evaluation.aivat import Aivat
from agents.evaluation.aivat.decision_chances import chances_in
from agents.evaluation.aivat.estimator import corrections_of
from agents.evaluation.aivat.fit import Normal
from agents.evaluation.aivat.value import Weights
from agents.evaluation.aivat.weights import (
    SHIPPED,
    digest,
    no_weights,
    read_weights,
    shipped_weights,
    write_weights,
)
from agents.evaluation.duplicate import DuplicateTables
from agents.evaluation.estimators import named_estimators
from agents.players.basic import random
from agents.players.book import book
from agents.players.scripted import scripted
from razz_env import Hand, make_batch
from razz_env.envs.opponents import resolve_agent

from ..agents.test_probabilities import network
from ..support.errors import refused
from .players import LowDoor, caller

TIGHT, LOOSE = scripted("tight"), scripted("loose")


def finished_hands(count: int, players: list[Any], stacks: Any = 500, rules: str = "full_tilt"):
    """Finished hands of uniform players; who is to be asked about them does not matter."""
    batch = make_batch(count, len(players), rules, stacks, 3, observation=None, auto_deal=False)
    batch.deal(np.arange(count), np.zeros(count, np.int64), np.arange(count))
    rng, nothing = np.random.default_rng(0), np.zeros((0, 0), np.float32)
    while len(rows := np.flatnonzero(batch.actors >= 0)):
        for seat in range(len(players)):
            own = rows[batch.actors[rows] == seat]
            if len(own):
                masks = batch.action_masks[own]
                acts = random().act(batch.views_of(own), nothing, masks, rng)
                batch.step(acts, tables=own)
                rows = np.setdiff1d(rows, own)
    return batch.hands[:count].copy()


def test_e03_a_player_against_itself_scores_zero_in_every_deck() -> None:
    for seats in (2, 3):
        tables = DuplicateTables([book()] * seats, 1, "full_tilt", 500, estimators=[Aivat()])
        (estimates,) = tables.play_block(0, 100).estimates.values()
        assert not estimates[:, 0].any()


def test_e03_exchanging_the_players_changes_only_the_sign() -> None:
    one, other = (
        play_match(*pair, 200, 5, estimators=[Aivat()]).estimates[-1]
        for pair in [(book(), LOOSE), (LOOSE, book())]
    )
    assert one.bb_per_100 != 0
    assert (one.bb_per_100, one.standard_error) == (-other.bb_per_100, other.standard_error)


def test_one_and_two_workers_give_identical_estimates() -> None:
    told = [
        play_match(
            LowDoor(), TIGHT, 1100, 2, num_players=3, workers=workers, estimators=[Aivat()]
        ).to_dict()
        for workers in (1, 2)
    ]
    assert told[0] == told[1]


def test_it_scatters_less_and_agrees_with_the_chips() -> None:
    result = play_match(TIGHT, LOOSE, 2000, 9, estimators=[Aivat()])
    raw, duplicate, aivat = result.estimates
    assert aivat.name == f"duplicate + aivat:{digest(shipped_weights())[:12]}"
    reduced = result.variance_ratio(aivat), result.variance_ratio(duplicate)
    assert reduced[0] is not None
    assert reduced[1] is not None
    assert reduced[0] > 15 > 2.5 * reduced[1]
    difference = abs(aivat.bb_per_100 - raw.bb_per_100)
    assert difference < 4 * raw.standard_error


@pytest.mark.slow
@pytest.mark.parametrize("pair", [("book", "equity"), ("scripted:tight", "book")])
@pytest.mark.parametrize("seats", [2, 6])
def test_it_agrees_with_the_chips_over_many_decks(pair: tuple[str, str], seats: int) -> None:
    """The two share their decks, so the difference of both is measured deck by deck."""
    tables = DuplicateTables(
        [resolve_agent(name) for name in (pair[0], *[pair[1]] * (seats - 1))],
        4,
        "full_tilt",
        500,
        estimators=[Aivat()],
    )
    blocks = [tables.play_block(block) for block in range(20)]
    chips = np.concatenate([block.chips[:, 0] for block in blocks])
    (estimates,) = zip(*[block.estimates.values() for block in blocks])
    found = np.concatenate(estimates)[:, 0] / Aivat().units_per_chip
    difference = found - chips
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    assert abs(difference.mean()) < 4 * error
    assert found.var() < chips.var() / 2


@pytest.mark.parametrize("rules", ["full_tilt", "wsop_live"])
@pytest.mark.parametrize("stacks", [500, [20, 500, 61, 9, 130, 44, 77, 350]])
def test_corrections_have_mean_zero_at_full_tables(rules: str, stacks: Any) -> None:
    """Random players tell their chances, so everything is corrected: all-ins, short stubs, burns.

    With a value function of noise a wrong chance anywhere would show.
    """
    players = [random()] * 8
    noise = Weights(np.random.default_rng(0).normal(size=no_weights().table.shape), no_weights()[1])
    found = corrections_of(finished_hands(500, players, stacks, rules), players, noise)
    assert np.abs(found.sum(axis=1)).max() < 1e-6
    errors = found.std(axis=0, ddof=1) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0)) < 4.5 * errors).all()


def test_seats_that_tell_nothing_are_not_asked() -> None:
    players = [LowDoor(), random(), caller(), TIGHT]
    hands = finished_hands(40, players)
    chances = chances_in(hands, players)
    entries = hands["public"]["log"][:, : chances.shape[1]]
    acted = np.arange(chances.shape[1]) < hands["public"]["log_length"][:, None]
    by_random = acted & (entries >> 3 == 1)
    assert np.abs(chances[by_random].sum(axis=1) - 1).max() < 1e-12
    assert not chances[~by_random].any()


def test_networks_are_asked_with_their_observations() -> None:
    result = play_match(network(), TIGHT, 300, 1, estimators=[Aivat()])
    raw, _, aivat = result.estimates
    reduced = result.variance_ratio(aivat)
    assert reduced is not None
    assert reduced > 4
    assert abs(aivat.bb_per_100 - raw.bb_per_100) < 4 * raw.standard_error


def test_chances_that_are_none_are_refused() -> None:
    class Liar(type(random())):  # type: ignore[misc]
        def action_probabilities(self, views: Any, observations: Any, masks: Any) -> Any:
            return self.told(masks)

    hands = finished_hands(20, [random()] * 2)
    for told, words in (
        (lambda masks: np.ones(3), "shape"),
        (lambda masks: masks * 1.0, "sum to 1"),
        (lambda masks: masks / masks.sum(axis=1, keepdims=True) / 2 + (1 - masks) / 10, "legal"),
        (lambda masks: np.eye(7)[masks.argmax(axis=1)], "has taken"),
    ):
        liar = Liar()
        object.__setattr__(liar, "told", told)
        with refused("action_probabilities", "'random'", words):
            chances_in(hands, [liar, random()])


def test_hands_are_left_as_they_were() -> None:
    hands = finished_hands(30, [random()] * 3)
    before = hands.tobytes()
    Aivat().estimate(hands, [random(), LowDoor(), TIGHT])
    assert hands.tobytes() == before


def test_hands_with_planned_cards_are_replayed() -> None:
    hand = Hand.from_cards(["Ah2c3d5h4s9cKc", "As2d3h4c6sTcKd"])
    while not hand.is_over:
        hand.apply(next(a for a in hand.legal_actions() if a.name != "FOLD"))
    hands = np.array([hand.record])
    estimates = Aivat().estimate(hands, [TIGHT, LOOSE])
    assert estimates.sum() == 0
    assert (estimates != hand.payoffs * Aivat().units_per_chip).all()


def test_names(tmp_path: Path) -> None:
    assert named_estimators(None) == ()
    (shipped,) = named_estimators("aivat")
    assert shipped.name == Aivat().name
    write_weights(tmp_path / "own.npz", no_weights())
    (own,) = named_estimators(f"aivat:{tmp_path / 'own.npz'}")
    assert own.name == f"duplicate + aivat:{digest(no_weights())[:12]}"
    with refused("'divat'", "aivat:FILE"):
        named_estimators("divat")


def test_files_that_hold_no_value_function_are_refused(tmp_path: Path) -> None:
    with refused("missing.npz", "no value function"):
        read_weights(tmp_path / "missing.npz")
    np.savez(tmp_path / "other.npz", table=np.zeros(3), owed=np.zeros(3))
    with refused("other.npz", "other shapes"):
        read_weights(tmp_path / "other.npz")
    table = no_weights().table.copy()
    table[0, 0, 0, 0, 0] = np.nan
    np.savez(tmp_path / "nan.npz", table=table, owed=no_weights().owed)
    with refused("nan.npz", "not finite"):
        read_weights(tmp_path / "nan.npz")


def test_the_shipped_numbers_are_those_that_were_measured() -> None:
    """The hash in docs/rating.md; it changes only when they are fitted again."""
    docs = Path(__file__).parents[2] / "docs" / "rating.md"
    assert digest(read_weights(SHIPPED))[:12] in docs.read_text()


def test_the_fit_counts_every_hand_once() -> None:
    normal = Normal()
    tables = DuplicateTables([book(), scripted()], 3, "full_tilt", 500, estimators=[normal])
    for block in range(2):
        tables.play_block(block, 5)
    assert normal.hands == 2 * 5 * tables.hands_per_deck
    assert normal.gram.any()
