"""The learner: exact probabilities, what stops a run, the magnet, and who sees which cards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategorical

from agents.training import acting
from agents.training.acting import IllegalChoice, NotFinite, draw, matrix_products
from agents.training.columns import Choices
from agents.training.critic import clip_gradients, parameters_of
from agents.training.learner import log_probabilities
from agents.training.self_play import schedule

from ..support.errors import refused
from .runs import session, weights


def empty(count: int) -> Choices:
    zeros = [np.zeros(count, np.float32) for _ in range(3)]
    return Choices(np.zeros(count, np.int64), *zeros)


def spots(size: float, legal: int, count: int = 500) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    scores = (size * rng.uniform(-1, 1, (count, 7))).astype(np.float32)
    return scores, (rng.random((count, 7)).argsort(axis=1) < legal).astype(np.int8)


@pytest.mark.parametrize("size", [0.0, 1.0, 1e4])
@pytest.mark.parametrize("legal", [1, 2, 7])
def test_t01_probabilities_are_exact_and_finite_for_huge_scores(size, legal):
    scores, masks = spots(size, legal)
    given = torch.tensor(scores, requires_grad=True)
    legal_ones = torch.from_numpy(masks == 1)
    log_probs = log_probabilities(given, legal_ones)
    probs = log_probs.exp()
    assert (probs.sum(1) - 1).abs().max() <= 1e-6
    assert (probs[~legal_ones] == 0).all()
    entropy = -(probs * log_probs).sum(dim=1)
    entropy.mean().backward()
    assert torch.isfinite(entropy).all()
    assert torch.isfinite(given.grad).all()
    reference = MaskableCategorical(logits=torch.tensor(scores), masks=masks)
    assert torch.allclose(probs, reference.probs, atol=1e-6)
    choices = empty(len(scores))
    draw(scores, masks, np.random.default_rng(1).random(len(scores)), choices)
    rows = np.arange(len(scores))
    assert masks[rows, choices.actions].all()
    expected = log_probs[rows, choices.actions].detach().numpy()
    assert np.allclose(choices.log_probs, expected, rtol=1e-5, atol=1e-5)
    assert np.allclose(choices.entropies, entropy.detach().numpy(), atol=1e-4)
    if legal == 1:
        assert (choices.entropies == 0).all()
        assert (entropy == 0).all()


def test_actions_are_drawn_with_their_probabilities():
    scores = np.tile(np.float32([0, 1, 50, 2, 7, -1, 0.5]), (200_000, 1))
    masks = np.tile(np.int8([1, 1, 0, 1, 0, 1, 1]), (200_000, 1))
    choices = empty(len(scores))
    draw(scores, masks, np.random.default_rng(2).random(len(scores)), choices)
    chances = np.exp(scores[0].astype(np.float64)) * masks[0]
    shares = np.bincount(choices.actions, minlength=7) / len(scores)
    assert np.abs(shares - chances / chances.sum()).max() < 0.005


@pytest.mark.parametrize("luck", [0.0, 1 - 2**-53])
def test_the_ends_of_luck_draw_legal_actions(luck):
    scores, masks = spots(1e4, 3)
    choices = empty(len(scores))
    draw(scores, masks, np.full(len(scores), luck), choices)
    assert masks[np.arange(len(scores)), choices.actions].all()
    assert np.isfinite(choices.log_probs).all()


def test_an_illegal_choice_stops_the_run_with_a_sentence(tmp_path, monkeypatch, capsys):
    from agents.training import command
    from agents.training.arguments import Request

    from .runs import tiny

    def wrong(_scores: Any, masks: Any, _luck: Any, choices: Choices) -> None:
        choices.actions[:] = masks.argmin(axis=1)

    monkeypatch.setattr(acting, "draw", wrong)
    monkeypatch.setattr(command, "read_arguments", lambda *_: Request(tiny(tmp_path)))
    assert command.main([]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "illegal actions" in line
    with refused("illegal actions", "report", kind=IllegalChoice):
        session(tmp_path).learn()


def test_answers_that_are_not_finite_are_refused(tmp_path):
    run = session(tmp_path)
    run.env.reset()
    with torch.no_grad():
        run.model.policy.value_net.bias[0] = float("inf")
    turn = run.env.turn()
    with refused("no finite numbers", kind=NotFinite):
        run.model.chooser.choose(turn.observations, turn.masks, np.random.default_rng(0))


@pytest.mark.parametrize("layers", [(16,), ()])
def test_the_policy_never_sees_the_others_down_cards_and_the_value_network_does(layers, tmp_path):
    keys = {"critic": "all_cards", "layers": layers}
    run = session(tmp_path, ppo=keys, table={"num_players": 3})
    run.learn()
    turn, size = run.env.turn(), run.config.table.layout().size
    seen = turn.observations.copy()
    assert seen[:, size:].any()
    blind = seen.copy()
    blind[:, size:] = 0
    scores, values = run.model.chooser.scores(seen)
    other_scores, other_values = run.model.chooser.scores(blind)
    assert (scores == other_scores).all()
    assert (values != other_values).any()
    player = run.player()
    assert np.allclose(player.scores(seen[:, :size]), scores, atol=1e-5)
    assert player.layers[0][0].shape[1] == size


def test_the_magnet_is_an_older_policy_and_holds_the_policy_back(tmp_path):
    def moved(magnet: float) -> float:
        ppo = {"magnet": magnet, "magnet_every": 100, "learning_rate": 5e-3, "epochs": 4}
        run = session(tmp_path, ppo=ppo, frames=1024, checkpoint_every=1000)
        before = run.player()
        run.learn()
        if magnet:
            held = run.model.magnet[0][0].weight.detach()
            assert torch.equal(held, before.layers[0][0])
        else:
            assert run.model.magnet is None
        turn = run.env.turn()
        masks = torch.from_numpy(turn.masks == 1)
        now, then = (
            log_probabilities(torch.from_numpy(player.scores(turn.observations)), masks)
            for player in (run.player(), before)
        )
        return float((now.exp() * (now - then)).sum(dim=1).mean())

    assert 0 < moved(50.0) < moved(0.0) / 2


def test_the_magnet_is_renewed_after_so_many_updates(tmp_path):
    run = session(tmp_path, ppo={"magnet": 0.1, "magnet_every": 2}, checkpoint_every=1000)
    run.learn()
    held = run.model.magnet[0][0].weight
    snapshots = {frames: one.layers[0][0] for frames, one in run.pool.snapshots.items()}
    assert torch.equal(held, snapshots[512])  # of updates 0, 1, 2, 3 the third begins at frame 512


def test_schedules_go_from_start_to_end():
    for shape in ("linear", "cosine"):
        course = schedule(4.0, 2.0, shape)
        assert [course(left) for left in (1.0, 0.5, 0.0)] == pytest.approx([4.0, 3.0, 2.0])
    assert schedule(4.0, 2.0, "linear")(0.75) == pytest.approx(3.5)
    assert schedule(4.0, 2.0, "cosine")(0.75) == pytest.approx(3.0 + 0.5**0.5)
    assert schedule(4.0, 2.0, "constant")(0.0) == 4.0


def test_no_update_climbs_where_the_last_rollout_goes_far_past_the_end(tmp_path):
    ppo = {"learning_rate": 0.01, "final_learning_rate": 0.001}
    run = session(tmp_path, frames=280, ppo=ppo)  # rollouts of 256
    run.learn()
    assert run.model.num_timesteps == 512
    assert run.model.policy.optimizer.param_groups[0]["lr"] == 0
    assert schedule(0.01, 0.001, "linear")(-0.05) == pytest.approx(0.00055)
    assert 0.001 < schedule(0.01, 0.001, "cosine")(-0.9) < 0.01


def test_the_precision_of_products_is_put_back(tmp_path):
    before = torch.get_float32_matmul_precision()
    with matrix_products("bfloat16"):
        assert torch.get_float32_matmul_precision() == "medium"
    assert torch.get_float32_matmul_precision() == before
    run = session(tmp_path, ppo={"products": "bfloat16"}, frames=512)
    run.learn()
    assert torch.get_float32_matmul_precision() == before
    exact = session(tmp_path, frames=512)
    exact.learn()
    ours, theirs = (np.frombuffer(b"".join(weights(r).values()), "f4") for r in (run, exact))
    assert np.abs(ours - theirs).max() < 0.05


def test_gradients_of_policy_and_value_network_are_clipped_apart(tmp_path):
    policy = session(tmp_path).model.policy
    groups = parameters_of(policy)
    for group, size in zip(groups, (100.0, 0.001), strict=True):
        for part in group:
            part.grad = torch.full_like(part, size)
    small = [part.grad.clone() for part in groups[1]]
    clip_gradients(groups, 0.5)
    longest = torch.cat([part.grad.flatten() for part in groups[0]]).norm()
    assert float(longest) == pytest.approx(0.5, rel=1e-4)
    assert all(torch.equal(part.grad, was) for part, was in zip(groups[1], small, strict=True))
