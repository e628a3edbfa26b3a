"""Running a training from start to end."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from agents.evaluation.cluster import Cluster
from agents.evaluation.report import rating_table
from agents.players.model_file import read_card
from agents.training.arguments import Request
from agents.training.checkpoints import RunFolder, check_same_network
from agents.training.config import ConfigError, TrainingConfig
from agents.training.logs import load_wandb
from agents.training.page import draw_page
from agents.training.run_page import write_page
from agents.training.self_play import SelfPlay, check_players, torch_threads

RESUMED = """\
Resuming {path} at frame {frames:,}, session {session}. Weights, optimiser, learning rate and the \
pool of opponents go on as they were saved. Deals and random numbers start new streams that depend \
on the seed and the frame: resuming this state again gives the same weights. From a checkpoint \
they are those of a run that was never interrupted, from where Ctrl-C has saved they are others."""

RATED = """
{model}, rated on {decks:,} decks (seed {seed}) against each player{tables}; every deck is played \
once in every seat. BB/100: big bets won per 100 hands.
"""

STOPPED = "\nStopped at frame {frames:,}. Go on with: --resume {path}"
STOPPED_EARLY = "\nNothing was learned yet, so {path} is deleted."
RATING_STOPPED = "\nStopped while rating. Rate {path} with: --resume {path}"


def train(request: Request) -> RunFolder:
    """Train, save, rate, print the table of ratings and draw the page.

    Raises:
        ConfigError, ModelError: a configuration or run that cannot be used.
        FolderInUse: another training runs in the folder.
        TrainingDiverged: the weights stopped being finite; the last good ones are saved.
        IllegalChoice: the learner chose an illegal action; what was learned is saved.
        PlayerError: an opponent raised an error, or its answer is no legal action; what was learned
            is saved.
        WorkerLost: too many workers of a cluster died over one block; what was learned is saved.
        ConnectionError: there is no such cluster.
        Unsaved: a file cannot be written; what was saved before is whole.
        KeyboardInterrupt: Ctrl-C; what was learned is saved.
        ModuleNotFoundError: a package that was asked for is missing, with the pip command.
    """
    folder = open_folder(request)
    leftover = _deleted_if_empty(folder) if request.resume is None else nullcontext()
    way_out, threads = f"--resume {folder.path}", torch_threads(request.config.threads)
    with leftover, threads, folder.held(), folder.telling(way_out):
        if request.resume is not None and lacks_only_pages(request.config, folder):
            write_pages(folder)
            return folder
        carry_out(session_in(folder, request))
    return folder


@contextmanager
def _deleted_if_empty(folder: RunFolder) -> Iterator[None]:
    """Delete a new run's folder if it ends before a model is saved: nobody could go on there."""
    try:
        yield
    except BaseException:
        if not folder.model_path.exists():
            shutil.rmtree(folder.path, ignore_errors=True)
            print(STOPPED_EARLY.format(path=folder.path))
        raise


def open_folder(request: Request) -> RunFolder:
    """A new folder, or that of an earlier run, of which nothing is read yet."""
    check_players(request.config, request.cluster)
    if request.wandb:
        load_wandb()
    return (
        RunFolder.create(request.config)
        if request.resume is None
        else RunFolder.found(request.resume)
    )


def session_in(folder: RunFolder, request: Request) -> SelfPlay:
    """The session of a request in its folder; damaged files of an earlier run are told here."""
    options: dict[str, Any] = {"wandb": request.wandb, "cluster": request.cluster}
    if request.resume is None:
        return SelfPlay(request.config, folder, **options)
    folder.check()
    return resumed(request.config, folder, **options)


def lacks_only_pages(config: TrainingConfig, folder: RunFolder) -> bool:
    """Whether a run has all that is asked for, frames and ratings, but for a page.

    Raises:
        ModelError, ConfigError: damaged files.
    """
    return (
        config == folder.config
        and read_card(folder.model_path).frames >= config.frames
        and folder.ratings(config.frames) is not None
        and folder.lacks_pages()
    )


def resumed(
    config: TrainingConfig,
    folder: RunFolder,
    *,
    wandb: bool = False,
    only_checkpoints: bool = False,
    cluster: Cluster | None = None,
) -> SelfPlay:
    """Another session of a run; one that has all its frames is only to be rated.

    Raises:
        ConfigError: it has all its frames and is rated, or was of another game or network.
        ModelError: damaged files.
    """
    check_same_network(config, folder.config)
    frames = read_card(folder.model_path).frames
    if frames >= config.frames and folder.ratings(config.frames) is not None:
        raise ConfigError(
            f"{folder.path} has learned from {frames:,} frames already; to go on, ask for more: "
            f"--frames {2 * frames}."
        )
    session = SelfPlay(
        config, folder, frames, wandb=wandb, only_checkpoints=only_checkpoints, cluster=cluster
    )
    session.restore()
    print(RESUMED.format(path=folder.path, frames=frames, session=folder.session), flush=True)
    return session


def carry_out(session: SelfPlay) -> None:
    """Learn what is left to be learned, and rate."""
    if session.model.num_timesteps < session.config.frames:
        learn(session)
    finish(session)


def learn(session: SelfPlay) -> None:
    """Learn, telling what is learned, how long it took, and how to go on if it is stopped."""
    path, before = session.folder.path, session.model.num_timesteps
    print(f"Training {path} up to frame {session.config.frames:,}", flush=True)
    start = time.perf_counter()
    try:
        session.learn()
    except KeyboardInterrupt:
        if session.folder.model_path.exists():
            print(STOPPED.format(frames=session.model.num_timesteps, path=path))
        raise
    seconds = time.perf_counter() - start
    frames = session.model.num_timesteps - before
    rate = frames / seconds
    print(f"Learned from {frames:,} frames in {seconds:.0f} s, {rate:,.0f} a second: {path}")


def finish(session: SelfPlay) -> None:
    """Rate the saved model at length, print the table, keep it, draw and write the page."""
    folder = session.folder
    try:
        results = session.rate_at_length()
    except KeyboardInterrupt:
        print(RATING_STOPPED.format(path=folder.path))
        raise
    first = results[0]
    for size in {result.num_players: 0 for result in results}:
        print(
            RATED.format(
                model=folder.model_path,
                decks=first.decks,
                seed=first.seed,
                tables=f", {size} players" if len(session.config.table.sizes) > 1 else "",
            )
        )
        print(rating_table([result for result in results if result.num_players == size]))
    write_pages(folder)


def write_pages(folder: RunFolder) -> None:
    """Draw and write both pages of a run that has been rated.

    Raises:
        ModelError, ConfigError: files of the run that are missing or damaged.
    """
    try:
        print(f"\nThe course of the training as pictures: {draw_page(folder.path)}")
    except ModuleNotFoundError as missing:
        print(f"\n{missing.msg}")
    print(f"What to expect of this recipe: {write_page(folder)}")
