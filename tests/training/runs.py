"""Tiny runs for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.evaluation.cluster import Cluster
from agents.training.arguments import Request
from agents.training.checkpoints import RunFolder
from agents.training.config import TrainingConfig
from agents.training.runner import open_folder, session_in
from agents.training.self_play import SelfPlay

TINY: dict[str, Any] = {
    "frames": 1024,
    "threads": 1,
    "checkpoint_every": 2,
    "ppo": {"num_tables": 16, "steps": 16, "minibatch": 128, "epochs": 2, "layers": (16,)},
    "pool": {"baselines": {"random": 1.0, "caller": 1.0}, "snapshot_every": 1},
    "rating": {"opponents": ("caller",), "every": 0, "decks": 20, "final_decks": 20},
}


def tiny(folder: Path, **changes: Any) -> TrainingConfig:
    """A configuration of four updates; a mapping changes single keys of its section."""
    values = {**TINY, "runs": str(folder), "name": "tiny"}
    for key, change in changes.items():
        values[key] = {**values[key], **change} if isinstance(values.get(key), dict) else change
    return TrainingConfig(**values)


def session(
    folder: Path, resume: Path | None = None, cluster: Cluster | None = None, **changes: Any
) -> SelfPlay:
    """A session that has not begun to learn."""
    request = Request(tiny(folder, **changes), resume, cluster=cluster)
    return session_in(open_folder(request), request)


def reopened(path: Path) -> RunFolder:
    """The folder of an earlier run, ready for another session."""
    folder = RunFolder.found(path)
    folder.check()
    return folder


def weights(run: SelfPlay) -> dict[str, bytes]:
    """All parameters, bit for bit."""
    return {k: v.numpy().tobytes() for k, v in run.model.policy.state_dict().items()}
