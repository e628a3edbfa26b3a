"""The function behind `razz export`: a trained model as a small file that needs no PyTorch."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from tyro.conf import arg

from agents.paths import refuse_url, safely
from agents.players.errors import ModelError
from agents.players.model_file import ModelCard, read_model
from agents.players.network import SUFFIX, NetworkPlayer, sizes_text
from agents.players.network_file import NetworkCard, read_network, write_network
from agents.players.trained import PolicyPlayer, layers_of
from agents.training.recipe import recipe_of
from agents.whole_files import whole
from razz_env import make_batch

TOLERANCE = 1e-5
"""Largest difference of a score from PyTorch's, absolute below 1 and relative above."""
LONGEST_NAME = 100
CHECKED = 4000
"""Observations that are compared for each table size."""


def export_command(
    model: Annotated[Path, arg(metavar="MODEL")],
    /,
    *,
    out: Annotated[Path, arg(metavar="FILE")],
    name: str | None = None,
) -> None:
    """Write the policy of a trained model as a safetensors file, which plays without PyTorch.

    The file holds the policy's weights in 32-bit floats and says what it was trained on and how.
    It plays under the name "trained:FILE"; its scores are compared with those of PyTorch.

    Args:
        model: A run's folder, its model.zip, or one of its checkpoints.
        out: File to write, such as heads_up.safetensors.
        name: Name of the player; by default that of the file.

    Raises:
        ModelError: a model that cannot be used.
        ValueError: a file that cannot be written, or a name that would break its card.
    """
    refuse_url(out, "--out")
    if out.suffix != SUFFIX:
        raise ValueError(f"--out {out} must end in {SUFFIX}: a player is told from a name by that.")
    called = _checked_name(out.stem if name is None else name)
    path = model / "model.zip" if safely(model.is_dir) else model
    trained_on, weights = read_model(path)
    card = make_network_card(called, path, trained_on)
    tensors = layers_of(weights)
    layers = [(weight.numpy(), bias.numpy()) for weight, bias in tensors]
    told = PolicyPlayer(card.name, tensors, card.activation, card.inputs(), trained_on.num_players)
    try:
        with whole(out) as part:
            write_network(part, card, layers)
            apart, count = check_alike(NetworkPlayer(card.name, *read_network(part)), told)
    except OSError as error:
        raise ValueError(f"{str(out)!r} cannot be written: {error.strerror}.") from error
    print(
        f"{out}: {out.stat().st_size:,} bytes, plays at tables of {sizes_text(card.table_sizes)}; "
        f"at most {apart:.1e} from PyTorch in the scores of {count:,} observations.\n"
        f"Trained by: {' && '.join(card.command.splitlines())}\nIts name: trained:{out}"
    )


def _checked_name(name: str) -> str:
    """The name, if it can stand in a line and in a table of Markdown."""
    if not name.strip() or not name.isprintable() or "|" in name or len(name) > LONGEST_NAME:
        raise ValueError(
            f"The player cannot be called {name!r:.60}: --name must be a line of at most "
            f"{LONGEST_NAME} characters, without '|'."
        )
    return name


def make_network_card(name: str, path: Path, trained_on: ModelCard) -> NetworkCard:
    """The card of a network that is exported from a run.

    Raises:
        ModelError: a run's folder that is missing or damaged.
    """
    recipe = recipe_of(path)
    try:
        return NetworkCard(
            name=name,
            observation=trained_on.observation,
            mode=trained_on.mode,
            seats=trained_on.layout().seats,
            table_sizes=_table_sizes(trained_on),
            layers=tuple(trained_on.layers),
            activation=trained_on.activation,
            rules=trained_on.rules,
            stacks=tuple(trained_on.stacks),
            frames=trained_on.frames,
            seed=trained_on.seed,
            command=recipe.command,
            config=recipe.config,
            sessions=recipe.sessions,
            packages=trained_on.packages,
            win_chance=trained_on.win_chance,
        )
    except ValueError as error:
        raise ModelError(f"{path} cannot be exported: {error}.") from error


def check_alike(player: NetworkPlayer, told: PolicyPlayer) -> tuple[float, int]:
    """Compare the scores of a network with those of PyTorch, in spots of random play.

    Returns:
        The largest difference, as a share of the greatest score of its row, or of 1 if that is
        greater, because sums of float32 are no better; and of how many observations.

    Raises:
        ModelError: it is more than `TOLERANCE`.
    """
    apart, count = 0.0, 0
    for views, observations in _spots(player):
        ours = player.scores(views, observations)
        theirs = told.scores(told.inputs.of(views, observations))
        greatest = np.abs(theirs).max(axis=1, keepdims=True)
        differences = np.abs(ours - theirs) / np.maximum(1, greatest)
        apart, count = max(apart, float(differences.max())), count + len(views)
    if not apart <= TOLERANCE:
        raise ModelError(f"{player.name!r} plays otherwise than in PyTorch: {apart:.1e} apart.")
    return apart, count


def _spots(player: NetworkPlayer) -> Iterator[tuple[NDArray[Any], NDArray[np.float32]]]:
    """Views and observations of random play at every table size."""
    card = player.card
    rules = card.house_rules()
    for size in card.table_sizes:
        stacks = list(card.stacks[:size])
        batch = make_batch(
            CHECKED // 8, size, rules, stacks, seed=0, observation=card.mode, seats=card.seats
        )
        for _ in range(8):
            batch.rollout("random", steps=3)
            yield batch.views, batch.observations


def _table_sizes(trained_on: ModelCard) -> tuple[int, ...]:
    """Numbers of players with which a model was trained."""
    return tuple(trained_on.table_sizes) or (trained_on.num_players,)
