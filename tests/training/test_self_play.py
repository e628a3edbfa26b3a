"""Runs: masks, seeds, ratings, guards, Ctrl-C, resuming, and what a run leaves behind."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from stable_baselines3.common.callbacks import BaseCallback

from agents.evaluation.asking import AgentFault
from agents.evaluation.match import play_match
from agents.players.model_file import ModelError, read_card
from agents.players.trained import is_finite
from agents.training import command, runner
from agents.training.arguments import Request
from agents.training.callbacks import TrainingDiverged
from agents.training.command import main
from agents.training.config import ConfigError, TrainingConfig, load_config
from agents.training.runner import train
from agents.training.self_play import make_seeds
from razz_env.envs.opponents import OpponentError

from ..support.errors import refused
from .runs import session, tiny, weights


class At(BaseCallback):
    """Does something at one step."""

    def __init__(self, step: int, act: Any) -> None:
        super().__init__()
        self.step, self.act = step, act

    def _on_step(self) -> bool:
        if self.n_calls == self.step:
            self.act(self.model)
        return True


@pytest.mark.parametrize("size", [0.0, 1.0, 1e4])
@pytest.mark.parametrize("legal", [1, 2, 7])
def test_t01_masked_probabilities_are_exact_and_checked(size, legal):
    rng = np.random.default_rng(0)
    logits = torch.tensor(size * rng.uniform(-1, 1, (500, 7)), dtype=torch.float32)
    masks = rng.random((500, 7)).argsort(axis=1) < legal
    chances = MaskableCategorical(logits=logits, validate_args=True, masks=masks)
    assert (chances.probs.sum(1) - 1).abs().max() <= 1e-6
    assert (chances.probs[~torch.as_tensor(masks)] == 0).all()
    assert torch.isfinite(chances.entropy()).all()
    if legal == 1:
        assert (chances.entropy() == 0).all()
    assert masks[np.arange(500), chances.sample().numpy()].all()


def decision(run: Any) -> tuple[torch.Tensor, np.ndarray]:
    """Observations and masks of a first decision at every table."""
    observations = torch.as_tensor(run.env.reset())
    return observations, run.env.action_masks()


def test_t01_the_learners_own_distribution_is_validated(tmp_path):
    run = session(tmp_path)
    observations, masks = decision(run)
    policy = run.model.policy
    chances = policy.get_distribution(observations, action_masks=masks).distribution
    assert isinstance(chances, MaskableCategorical)
    assert chances._validate_args
    with refused("MaskableCategorical", "invalid values", kind=ValueError):
        policy.action_dist.proba_distribution(torch.full((1, 7), float("nan")))
    with torch.no_grad():
        policy.action_net.bias[2] = float("nan")
    with refused("MaskableCategorical", "invalid values", kind=ValueError):
        policy.get_distribution(observations, action_masks=masks)
    with refused("invalid values", kind=ValueError):
        policy(observations, action_masks=masks)
    actions = torch.as_tensor(masks.argmax(axis=1))
    with refused("invalid values", kind=ValueError):
        policy.evaluate_actions(observations, actions, action_masks=torch.as_tensor(masks))


def test_t01_the_learners_own_distribution_is_exact_for_huge_logits(tmp_path):
    run = session(tmp_path)
    observations, masks = decision(run)
    with torch.no_grad():
        run.model.policy.action_net.weight.mul_(1e6)
        chances = run.model.policy.get_distribution(observations, action_masks=masks).distribution
    assert chances._original_logits.abs().max() > 1e3
    assert (chances.probs.sum(1) - 1).abs().max() <= 1e-6
    assert (chances.probs[~torch.as_tensor(masks)] == 0).all()
    assert torch.isfinite(chances.entropy()).all()


class Rewards(BaseCallback):
    """The smallest and largest reward of a run."""

    def __init__(self) -> None:
        super().__init__()
        self.least, self.most = 0.0, 0.0

    def _on_step(self) -> bool:
        rewards = self.model.rollout_buffer.payoffs
        self.least = min(self.least, float(rewards.min()))
        self.most = max(self.most, float(rewards.max()))
        return True


@pytest.mark.slow
def test_t01_200_000_steps_with_rewards_of_16_big_bets_stay_finite(tmp_path):
    """Raisers, eight bets a round and stacks of 50 big bets; a reward of 1 is a big bet."""
    run = session(
        tmp_path,
        frames=200_000,
        ppo={"num_tables": 64, "steps": 64, "minibatch": 1024, "big_bets_per_reward": 1.0},
        table={"num_players": 3, "stacks": 2000, "house_rules": {"max_bets_per_round": 8}},
        pool={"baselines": {"raiser": 3.0, "random": 1.0}, "snapshot_share": 0.2},
    )
    rewards = Rewards()
    run.learn(rewards)
    assert rewards.least <= -16
    assert rewards.most >= 16
    assert run.model.num_timesteps >= 200_000
    assert all(torch.isfinite(t).all() for t in run.model.policy.state_dict().values())


def test_t05_masks_in_the_buffer_are_those_of_the_state_the_action_met(tmp_path):
    run = session(tmp_path, frames=512, ppo={"num_tables": 8, "steps": 64, "minibatch": 128})
    met: list[np.ndarray] = []
    step = run.env.batch.step

    def watched(actions: Any, tables: Any = None) -> Any:
        if tables is None:
            met.append(np.array([run.env.batch.hand(t).action_mask() for t in range(8)]))
            assert met[-1][np.arange(8), actions].all()
        return step(actions, tables)

    run.env.batch.step = watched  # type: ignore[method-assign]
    run.model.train = lambda: None  # type: ignore[method-assign]
    run.learn()
    stored = run.model.rollout_buffer.action_masks
    assert stored.shape == (64, 8, 7)
    assert (stored == np.array(met)).all()


@pytest.mark.slow
def test_t05_no_illegal_action_in_100_000_steps(tmp_path):
    ppo = {"num_tables": 8, "steps": 512, "minibatch": 1024}
    run = session(tmp_path, frames=100_000, ppo=ppo)
    run.learn()
    figures = list(csv.DictReader((run.folder.path / "progress.csv").open()))
    assert {row["rollout/illegal_actions"] for row in figures} == {"0"}


def test_equal_seeds_end_in_bit_equal_weights_and_others_do_not(tmp_path):
    runs = [session(tmp_path, seed=seed) for seed in (3, 3, 4)]
    for number, run in enumerate(runs):
        torch.rand(number), np.random.rand(number)  # noqa: NPY002
        run.learn()
    first, again, other = (weights(run) for run in runs)
    assert first == again
    assert first != other
    assert runs[0].pool.to_arrays().keys() == runs[1].pool.to_arrays().keys()


def test_e01_rating_every_update_uses_masks_and_changes_nothing(tmp_path):
    plain, rated = session(tmp_path), session(tmp_path, rating={"every": 1})
    plain.learn()
    rated.learn()
    assert weights(plain) == weights(rated)
    lines = list(csv.DictReader((rated.folder.path / "ratings.csv").open()))
    fixed = [line for line in lines if line["opponent"] == "caller"]
    assert [line["frames"] for line in fixed] == ["256", "512", "768"]
    others = {line["opponent"] for line in lines} - {"caller"}
    assert others == {"snapshot:256", "snapshot:512"}
    assert (plain.folder.path / "ratings.csv").read_text().count("\n") == 1
    figures = list(csv.DictReader((rated.folder.path / "progress.csv").open()))
    assert [bool(row["rating/caller"]) for row in figures] == [False, True, True, True]
    assert [bool(row["rating/snapshot"]) for row in figures] == [False, False, True, True]


def test_a_run_leaves_everything_behind(tmp_path, capsys):
    folder = train(Request(tiny(tmp_path))).path
    assert folder == tmp_path / "tiny"
    assert load_config(folder / "config.yaml") == tiny(tmp_path)
    (noted,) = json.loads((folder / "run.json").read_text())["sessions"]
    assert noted["from_frames"] == 0
    assert noted["seeds"] == make_seeds(1, 0)
    assert {"torch", "sb3-contrib", "razz-env"} <= noted["packages"].keys()
    assert read_card(folder / "model.zip").frames == 1024
    assert [path.name for path in (folder / "checkpoints").iterdir()] == ["000000000512.zip"]
    assert list((folder / "tensorboard").glob("events*"))
    figures = list(csv.DictReader((folder / "progress.csv").open()))
    assert [row["frames"] for row in figures] == ["256", "512", "768", "1024"]
    wanted = ["train/approx_kl", "train/entropy_loss", "time/frames_per_second"]
    wanted += ["entropy/third", "entropy/seventh", "style/fold_to_raise_fourth", "pool/caller"]
    assert all(figures[-1][name] for name in (*wanted, "rollout/bb_per_100"))
    assert {row["rollout/illegal_actions"] for row in figures} == {"0"}
    assert json.loads((folder / "result.json").read_text())["frames"] == 1024
    assert (folder / "page.png").read_bytes().startswith(b"\x89PNG")
    page = (folder / "page.md").read_text()
    assert "| learned from | 1,024 decisions |" in page
    assert "![The course of the training](page.png)" in page
    rating, _ = json.loads((folder / "result.json").read_text())["ratings"]
    assert f"{rating['bb_per_100']:+.2f} | {rating['low']:+.2f} to" in page
    assert not list(folder.rglob("*.part*"))
    printed = capsys.readouterr().out
    assert "| caller" in printed
    assert "95 %" in printed


def test_learning_rate_and_entropy_bonus_fall_in_a_straight_line(tmp_path):
    ppo = {
        "learning_rate": 8e-4,
        "final_learning_rate": 0.0,
        "entropy": 0.08,
        "final_entropy": 0.04,
    }
    run = session(tmp_path, ppo=ppo)
    met = []
    run.learn(At(33, lambda model: met.append(model.ent_coef)))
    assert met == [pytest.approx(0.06)]
    assert run.model.policy.optimizer.param_groups[0]["lr"] == pytest.approx(0.0)


def test_a_name_that_is_taken_gets_a_number(tmp_path):
    names = [session(tmp_path).folder.path.name for _ in range(3)]
    assert names == ["tiny", "tiny-2", "tiny-3"]


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    def interrupt(_model: Any) -> None:
        raise KeyboardInterrupt

    run = session(tmp_path)
    learn = run.learn
    monkeypatch.setattr(run, "learn", lambda: learn(At(40, interrupt)))
    monkeypatch.setattr(command, "read_arguments", lambda *_: Request(run.config))
    monkeypatch.setattr(runner, "open_folder", lambda _: run.folder)
    monkeypatch.setattr(runner, "session_in", lambda *_: run)
    assert main([]) == 130
    assert f"--resume {run.folder.path}" in capsys.readouterr().out
    assert read_card(run.folder.model_path).frames == 512  # of two whole rollouts
    resumed = session(tmp_path, resume=run.folder.path)
    resumed.learn()
    assert resumed.model.num_timesteps == 1024


@pytest.mark.parametrize(
    "error", [OpponentError("An odd answer."), AgentFault("odd", 1, 7, "gave an odd answer.")]
)
def test_a_player_that_answers_oddly_ends_a_run_in_one_sentence(error, monkeypatch, capsys):
    def fail(_request: Any) -> None:
        raise error

    monkeypatch.setattr(command, "read_arguments", lambda *_: Request(TrainingConfig()))
    monkeypatch.setattr(command, "train", fail)
    assert main([]) == 2
    assert capsys.readouterr().err == f"{error}\n"


@pytest.mark.parametrize(
    ("tables", "steps", "players"), [(1, 2, 2), (2, 1, 2), (1, 3, 3), (1, 8, 8)]
)
def test_a_rollout_may_be_as_small_as_a_minibatch(tables, steps, players, tmp_path):
    ppo = {"num_tables": tables, "steps": steps, "minibatch": 2}
    table = {"num_players": players, "stacks": 500}
    run = session(tmp_path, frames=30, ppo=ppo, table=table)
    run.learn()
    assert run.model.num_timesteps >= 30
    assert is_finite(run.model.policy.state_dict())


def test_resuming_takes_up_weights_optimiser_and_pool_and_repeats(tmp_path, capsys):
    first = session(tmp_path)
    first.learn()
    folder = first.folder.path
    longer = {"frames": 2048}
    resumed = session(tmp_path, resume=folder, **longer)
    told = " ".join(capsys.readouterr().out.split())
    assert "From a checkpoint they are those of a run that was never interrupted" in told
    assert weights(resumed) == weights(first)
    steps = [s["step"] for s in resumed.model.policy.optimizer.state_dict()["state"].values()]
    assert all(step > 0 for step in steps)
    assert [*resumed.pool.snapshots] == [*first.pool.snapshots]
    twin = session(tmp_path, resume=folder, **longer)
    resumed.learn()
    twin.learn()
    assert weights(resumed) == weights(twin)
    assert weights(resumed) != weights(first)
    sessions = json.loads((folder / "run.json").read_text())["sessions"]
    assert [noted["from_frames"] for noted in sessions] == [0, 1024, 1024]
    figures = list(csv.DictReader((folder / "progress.csv").open()))
    assert [int(row["frames"]) for row in figures] == [256 * k for k in range(1, 9)]


def test_what_cannot_be_resumed_is_refused(tmp_path):
    run = session(tmp_path)
    run.learn()
    folder = run.folder.path
    session(tmp_path, resume=folder).rate_at_length()
    with refused("1,024 frames", "--frames", kind=ConfigError):
        session(tmp_path, resume=folder)
    for key, value in {"rules": "pokerstars", "stacks": 300, "house_rules": {"ante": 5}}.items():
        with refused(f"table.{key}", kind=ConfigError):
            session(tmp_path, resume=folder, frames=2048, table={key: value})
    with refused("ppo.layers", kind=ConfigError):
        session(tmp_path, resume=folder, frames=2048, ppo={"layers": (32,)})
    with refused("ppo.big_bets_per_reward=40.0", "it is 4.0", kind=ConfigError):
        session(tmp_path, resume=folder, frames=2048, ppo={"big_bets_per_reward": 40.0})
    with refused("table.num_players", kind=ConfigError):
        session(tmp_path, resume=folder, frames=2048, table={"num_players": 3})
    with refused("no folder of a run", kind=ModelError):
        session(tmp_path, resume=tmp_path)
    (folder / "model.zip").write_bytes((folder / "model.zip").read_bytes()[:3000])
    with refused("model.zip", "damaged", kind=ModelError):
        session(tmp_path, resume=folder, frames=2048)


def test_t01_numbers_that_are_not_finite_stop_the_run_with_the_last_good_weights_saved(tmp_path):
    def poison(model: Any) -> None:
        with torch.no_grad():
            model.policy.action_net.weight[0, 0] = float("nan")

    run = session(tmp_path)
    with refused("finite", "ppo.learning_rate", kind=TrainingDiverged):
        run.learn(At(32, poison))
    assert all(torch.isfinite(t).all() for t in run.model.policy.state_dict().values())
    resumed = session(tmp_path, resume=run.folder.path)
    assert weights(resumed) == weights(run)


def test_unknown_players_are_refused_before_the_training(tmp_path):
    with refused("pool.baselines", "'caler'", "'caller'", kind=ConfigError):
        session(tmp_path, pool={"baselines": {"caler": 1.0}})
    with refused("rating.opponents", "'caler'", kind=ConfigError):
        session(tmp_path, rating={"opponents": ("caler",)})
    assert not list(Path(tmp_path).iterdir())


def test_errors_are_printed_as_one_sentence(tmp_path, capsys):
    assert main(["--config", str(tmp_path / "no.yaml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_six_players_learn_too(tmp_path):
    run = session(tmp_path, frames=512, table={"num_players": 6, "stacks": 40})
    run.learn()
    assert run.env.report.finished_hands > 50
    assert run.rate()[0].num_players == 6


T03 = {
    "frames": 98_304,
    "ppo": {
        "num_tables": 256,
        "steps": 16,
        "minibatch": 1024,
        "layers": (64, 64),
        "learning_rate": 2e-3,
    },
    "pool": {"baselines": {"random": 1.0}, "snapshot_share": 0.0},
}


def test_t03_a_learner_beats_random_play_after_100_000_decisions(tmp_path):
    run = session(tmp_path, **T03)
    run.learn()
    result = play_match(run.player(), "random", decks=5000, seed=11)
    assert result.low > 0, result
