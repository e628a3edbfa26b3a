"""Trained players without PyTorch: what they choose, and that nothing else decides it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from agents.evaluation import play_match
from agents.players.basic import caller
from agents.players.dominated import drop_dominated
from agents.players.forward import Forward
from agents.players.network import NetworkPlayer, sizes_text
from agents.players.trained import PolicyPlayer
from razz_env import Action, HouseRules, make_batch
from razz_env.envs.agent import Agent, identity_of
from razz_env.envs.batch import TableBatch

from ..support.errors import refused
from .networks import ALL_SIZES, layers_for, tiny_network

BLIND = np.zeros((0, 0), np.float32)


def spots(count: int, num_players: int = 2, seed: int = 0, **options: Any) -> TableBatch:
    """So many tables somewhere in random play."""
    batch = make_batch(count, num_players, seed=seed, **options)
    batch.rollout("random", steps=7)
    return batch


def seen(batch: TableBatch) -> tuple[Any, Any, Any]:
    return batch.views, batch.observations, batch.action_masks


def torch_twin(player: NetworkPlayer) -> PolicyPlayer:
    """The same weights, played by PyTorch."""
    layers = [(torch.from_numpy(w), torch.from_numpy(b)) for w, b in layers_for(player.card)]
    size = max(player.table_sizes)
    return PolicyPlayer("twin", layers, player.card.activation, player.card.inputs(), size)


def sampled_spots(decisions: int, sizes: tuple[int, ...], seats: int) -> Iterator[TableBatch]:
    """Tables of all sizes in random play, moved on until so many decisions were seen."""
    tables = min(1000, decisions // len(sizes))
    for size in sizes:
        batch = make_batch(tables, size, seed=size, seats=seats)
        for _ in range(-(-decisions // (tables * len(sizes)))):
            yield batch
            batch.rollout("random", steps=1)


def check_equals_pytorch(decisions: int, activation: str, layers: tuple[int, ...]) -> None:
    player = tiny_network(ALL_SIZES, activation=activation, layers=layers)
    twin, count = torch_twin(player), 0
    for batch in sampled_spots(decisions, ALL_SIZES, 8):
        ours, theirs = player.scores(*seen(batch)[:2]), twin.scores(batch.observations)
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)
        allowed = batch.action_masks.astype(np.bool_)
        drop_dominated(batch.views, allowed)
        legal = np.where(allowed, theirs.astype(np.float64), -np.inf)
        chances = np.exp(legal - legal.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(player.action_probabilities(*seen(batch)), chances, atol=1e-5)
        count += len(batch.actors)
    assert count >= decisions


# ---- the forward pass


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_scores_and_chances_are_those_of_pytorch(activation: str) -> None:
    check_equals_pytorch(14_000, activation, (64, 32))


@pytest.mark.slow
def test_scores_and_chances_are_those_of_pytorch_on_a_million_observations() -> None:
    check_equals_pytorch(1_000_000, "relu", (256, 256))


def test_a_row_is_worked_out_alike_in_any_company() -> None:
    player, batch = tiny_network(), spots(300)
    together = player.scores(batch.views, batch.observations)
    for rows in (slice(0, 1), slice(7, 8), slice(3, 200, 7), slice(299, None, -1)):
        alone = player.scores(batch.views[rows], batch.observations[rows])
        assert alone.tobytes() == together[rows].tobytes()


def test_inputs_of_zero_count_for_nothing_whatever_their_weights() -> None:
    weight = np.full((7, 9), 3e38, np.float32)
    weight[:, 4] = 1
    inputs = np.zeros((1, 9), np.float32)
    inputs[0, 4] = 2
    scores = Forward([(weight, np.ones(7, np.float32))], "relu")(inputs)
    assert scores.tolist() == [[3.0] * 7]


# ---- choices


def test_samples_with_its_chances_and_the_generator_alone() -> None:
    player, batch = tiny_network(), spots(1)
    views, _, masks = (np.repeat(part, 40_000, axis=0) for part in seen(batch))
    blind = np.zeros((40_000, 0), np.float32)
    drawn = player.act(views, blind, masks, np.random.default_rng(1))
    assert (drawn == player.act(views, blind, masks, np.random.default_rng(1))).all()
    assert (drawn != player.act(views, blind, masks, np.random.default_rng(2))).any()
    shares = np.bincount(drawn, minlength=7) / len(drawn)
    expected = player.action_probabilities(*seen(batch))[0]
    assert np.abs(shares - expected).max() < 0.01


def test_greedy_takes_the_likeliest_action() -> None:
    batch = spots(200)
    chances = tiny_network().action_probabilities(*seen(batch))
    greedy = tiny_network(greedy=True)
    actions = greedy.act(*seen(batch), np.random.default_rng(0))
    assert (actions == chances.argmax(axis=1)).all()
    certain = greedy.action_probabilities(*seen(batch))
    assert (certain[np.arange(200), actions] == 1).all()
    assert certain.sum() == 200


def test_never_folds_where_it_may_check() -> None:
    free = HouseRules.preset("full_tilt", fold_when_check_is_free=True)
    batch = make_batch(500, 2, free, seed=0)
    batch.rollout("random", steps=4)
    both = batch.action_masks[:, [Action.FOLD, Action.CHECK]].all(axis=1)
    assert both.sum() > 50
    chances = tiny_network().action_probabilities(*seen(batch))
    assert not chances[both, Action.FOLD].any()
    assert chances[~both, Action.FOLD].any()


def check_legality(player: Agent, sizes: tuple[int, ...], decisions: int) -> None:
    """The player in all seats, at every one of the sizes, so many decisions in all."""
    made = 0
    for size in sizes:
        batch = make_batch(500, size, seed=size, seats=8)
        rng = np.random.default_rng(size)
        for _ in range(-(-decisions // (500 * len(sizes)))):
            actions = player.act(*seen(batch), rng)
            assert batch.action_masks[np.arange(500), actions].all()
            batch.step(actions)
            made += 500
    assert made >= decisions


def test_no_illegal_action_in_twenty_thousand_decisions() -> None:
    check_legality(tiny_network(ALL_SIZES), ALL_SIZES, 20_000)


@pytest.mark.slow
def test_no_illegal_action_in_a_million_decisions() -> None:
    check_legality(tiny_network(ALL_SIZES, layers=(256, 256)), ALL_SIZES, 1_000_000)


@pytest.mark.parametrize("scale", [1e4, 1e6])
def test_scores_of_ten_thousand_give_chances_and_legal_actions(scale: float) -> None:
    player, batch = tiny_network(scale=scale, layers=()), spots(400)
    assert np.abs(player.scores(*seen(batch)[:2])).max() > 1e4
    chances = player.action_probabilities(*seen(batch))
    assert np.isfinite(chances).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-12)
    assert not chances[batch.action_masks == 0].any()
    actions = player.act(*seen(batch), np.random.default_rng(0))
    assert batch.action_masks[np.arange(400), actions].all()


def test_scores_that_overflow_are_refused() -> None:
    player, batch = tiny_network(scale=1e30), spots(10)
    with refused("'tiny'", "overflow"):
        player.act(*seen(batch), np.random.default_rng(0))


def test_a_row_without_a_legal_action_is_refused() -> None:
    player, batch = tiny_network(), spots(5)
    masks = batch.action_masks.copy()
    masks[3] = 0
    with refused("row 3"):
        player.act(batch.views, batch.observations, masks, np.random.default_rng(0))


# ---- observations and tables


@pytest.mark.parametrize("num_players", [2, 5, 8])
def test_views_are_encoded_unless_the_observations_are_its_own(num_players: int) -> None:
    player = tiny_network(ALL_SIZES)
    kinds: list[dict[str, Any]] = [
        {"seats": 8}, {}, {"observation": "infostate"}, {"observation": None}
    ]  # fmt: skip
    scores = [player.scores(*seen(spots(40, num_players, **kind))[:2]).tobytes() for kind in kinds]
    assert len(set(scores)) == 1


def test_observations_of_its_own_layout_are_used_as_they_are() -> None:
    player, batch = tiny_network(), spots(10)
    nothing = np.zeros_like(batch.observations)
    assert (player.scores(batch.views, nothing) == player.scores(batch.views, nothing)[0]).all()


def test_tables_of_other_sizes_are_refused() -> None:
    rng = np.random.default_rng(0)
    with refused("'tiny'", "tables of 2 players, not of 3"):
        tiny_network().act(*seen(spots(4, 3)), rng)
    with refused("tables of 2 to 4 players, not of 5"):
        tiny_network((2, 3, 4), seats=8).act(*seen(spots(4, 5)), rng)
    with refused("'tiny'", "2, 3, 4", "not of 5"):
        play_match(tiny_network((2, 3, 4)), caller(), 10, num_players=5)


def test_sizes_in_words() -> None:
    assert sizes_text((2,)) == "2"
    assert sizes_text((2, 6)) == "2, 6"
    assert sizes_text((2, 3, 4)) == "2 to 4"


# ---- matches


def test_a_match_is_the_same_with_any_number_of_workers_and_under_any_name() -> None:
    one, other = tiny_network(), tiny_network(seed=1)
    first = play_match(one, other, 2000, seed=5)
    again = play_match(pickle.loads(pickle.dumps(one)), other, 2000, seed=5, workers=2)
    assert first.deck_chips.tobytes() == again.deck_chips.tobytes()
    renamed = NetworkPlayer("renamed", one.card, layers_for(one.card))
    assert not play_match(one, renamed, 500).deck_chips.any()


def test_an_identity_is_all_that_decides_how_it_plays() -> None:
    same = {tiny_network().identity, identity_of(tiny_network(frames=7, command="another"))}
    assert len(same) == 1
    others = [tiny_network(seed=1), tiny_network(greedy=True), tiny_network(activation="tanh")]
    assert len(same | {player.identity for player in others}) == 4


def test_it_plays_at_tables_of_every_size_in_one_network() -> None:
    player = tiny_network(ALL_SIZES)
    for size in (2, 5, 8):
        assert play_match(player, caller(), 20, num_players=size).hands == 20 * size


def test_neither_pytorch_nor_pydantic_is_needed() -> None:
    program = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(['torch', 'pydantic', 'stable_baselines3', 'tyro']))\n"
        "from tests.agents.networks import tiny_network\n"
        "from agents.evaluation.match import play_match\n"
        "from agents.players.basic import caller\n"
        "assert play_match(tiny_network(), caller(), 20).decks == 20\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
