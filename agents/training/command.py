"""The function behind `razz train` and `train.py`."""

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from agents.evaluation.cluster import STORE_BYTES, connected
from agents.evaluation.plan import WorkerLost
from agents.lock import FolderInUse
from agents.players.model_file import ModelError
from agents.training.acting import IllegalChoice
from agents.training.actors import store_bytes
from agents.training.arguments import Request, SweepRequest, read_arguments
from agents.training.callbacks import TrainingDiverged
from agents.training.checkpoints import Unsaved
from agents.training.config import ConfigError
from agents.training.runner import train
from agents.training.sweep import run_sweep
from razz_env.envs.agent import PlayerError

MENDABLE = (
    ConfigError,
    ModelError,
    FolderInUse,
    TrainingDiverged,
    IllegalChoice,
    PlayerError,
    ConnectionError,
    WorkerLost,
    Unsaved,
)
"""Errors whose sentence is all that a person needs."""


def main(arguments: Sequence[str], program: str = "train.py") -> int:
    """Train as the command line says; the exit code.

    Errors that a person can mend are printed as one sentence.
    """
    try:
        request = read_arguments(arguments, program)
        with _at_hand(request):
            if isinstance(request, SweepRequest):
                run_sweep(request)
            else:
                train(request)
    except BrokenPipeError:  # an error of connections too, but told by whoever has called
        raise
    except MENDABLE as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _at_hand(request: Request | SweepRequest) -> AbstractContextManager[Any]:
    """The cluster that was asked for, connected before anything is written."""
    if request.cluster is None:
        return nullcontext()
    most = max(store_bytes(config) for config in request.configs)
    return connected(request.cluster, max(STORE_BYTES, most))
