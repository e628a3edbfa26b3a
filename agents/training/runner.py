"""Running a training from start to end: what `train.py` and `razz train` do."""

import sys
import time
from collections.abc import Sequence

from agents.evaluation.report import rating_table
from agents.players.model_file import ModelError, read_card
from agents.training.callbacks import TrainingDiverged
from agents.training.checkpoints import RunFolder, check_same_network
from agents.training.config import (
    ConfigError,
    Request,
    TrainingConfig,
    read_arguments,
)
from agents.training.self_play import SelfPlay, check_players, rate_player, torch_threads

RESUMED = """\
Resuming {path} at frame {frames:,}, session {session}. Weights, optimiser, learning rate and the \
pool of opponents go on as they were saved. Deals and random numbers start new streams that depend \
on the seed and the frame: resuming this state again gives the same weights, but not those of a \
run that was never interrupted."""

RATED = """
{model}, rated on {decks:,} decks (seed {seed}) against each player; every deck is played once in \
every seat. BB/100: big bets won per 100 hands.
"""


def main(arguments: Sequence[str], program: str = "train.py") -> int:
    """Train as the command line says; the exit code.

    Errors that a person can mend are printed as one sentence.
    """
    try:
        train(read_arguments(arguments, program))
    except (ConfigError, ModelError, TrainingDiverged) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def train(request: Request) -> RunFolder:
    """Train, save, rate and print the table of ratings.

    Raises:
        ConfigError, ModelError: a configuration or run that cannot be used.
        TrainingDiverged: the weights stopped being finite; the last good ones are saved.
        KeyboardInterrupt: Ctrl-C; what was learned is saved.
    """
    with torch_threads(request.config.threads):
        session = open_session(request)
        folder = session.folder
        try:
            _learn(session)
        except KeyboardInterrupt:
            frames = session.model.num_timesteps
            print(f"\nStopped at frame {frames:,}. Go on with: --resume {folder.path}")
            raise
        print_ratings(request.config, folder, session.model.num_timesteps)
    return folder


def open_session(request: Request) -> SelfPlay:
    """A new run, or another session of an earlier one."""
    config = request.config
    check_players(config)
    if request.resume is None:
        return SelfPlay(config, RunFolder.create(config))
    folder = RunFolder.reopen(request.resume)
    check_same_network(config, folder.config)
    return _resumed(config, folder)


def print_ratings(config: TrainingConfig, folder: RunFolder, frames: int) -> None:
    """Rate the saved model at length; print the table and keep it."""
    results = rate_player(config, f"ppo:{folder.model_path}", config.rating.final_decks)
    folder.add_ratings(frames, results)
    print(RATED.format(model=folder.model_path, decks=results[0].decks, seed=results[0].seed))
    print(rating_table(results))


def _learn(session: SelfPlay) -> None:
    """Learn, telling what is learned and how long it took."""
    path, before = session.folder.path, session.model.num_timesteps
    print(f"Training {path} up to frame {session.config.frames:,}", flush=True)
    start = time.perf_counter()
    session.learn()
    seconds = time.perf_counter() - start
    frames = session.model.num_timesteps - before
    rate = frames / seconds
    print(f"Learned from {frames:,} frames in {seconds:.0f} s, {rate:,.0f} a second: {path}")


def _resumed(config: TrainingConfig, folder: RunFolder) -> SelfPlay:
    frames = read_card(folder.model_path).frames
    if frames >= config.frames:
        raise ConfigError(
            f"{folder.path} has learned from {frames:,} frames already; to go on, ask for more: "
            f"--frames {2 * frames}."
        )
    session = SelfPlay(config, folder, frames)
    folder.restore(session.model, session.pool)
    print(RESUMED.format(path=folder.path, frames=frames, session=folder.session))
    return session
