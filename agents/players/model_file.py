"""Trained networks on disk: what they were trained on, and their weights.

A model is a zip archive as Stable-Baselines3 writes it, with one more entry, `razz.json`: the
`ModelCard`. Beside it lie, for other programs, the card as `model.json` and the policy's weights as
`weights.npz`. Reading never unpickles anything.
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.paths import safely
from agents.players.errors import ModelError as ModelError
from agents.players.errors import check_observation
from agents.players.inputs import Inputs
from razz_env.observation import ObservationSpec, spec

CARD_ENTRY = "razz.json"
POLICY_ENTRY = "policy.pth"
Weights = dict[str, NDArray[np.float32]]


class ModelCard(BaseModel):
    """What a network was trained on.

    Attributes:
        format: of this card.
        observation: `Inputs.version` of its inputs; it is refused under any other.
        mode: observation mode.
        num_players: seats of its tables, of the largest if there are several sizes.
        table_sizes: seats of all its tables, if there are several sizes; it plays at no others.
        seats: its inputs have room for so many seats; None for `num_players`.
        win_chance: whether its chance to win comes behind the observations.
        rules: every field of the `HouseRules` it was trained on.
        stacks: chips of every seat at the start of its hands.
        layers: widths of the policy's hidden layers.
        activation: between them.
        frames: decisions it has learned from.
        seed: of the run.
        packages: versions that trained it.
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    format: Literal[1] = 1
    observation: str
    mode: str
    num_players: int
    table_sizes: list[int] = []
    seats: int | None = None
    win_chance: bool = False
    rules: dict[str, Any]
    stacks: list[int]
    layers: list[int]
    activation: Literal["relu", "tanh"]
    frames: Annotated[int, Field(ge=0)]
    seed: int
    packages: dict[str, str]

    def layout(self) -> ObservationSpec:
        """The layout of its observations in this version of razz_env."""
        return spec(self.num_players, self.mode, self.seats)

    def inputs(self) -> Inputs:
        """Its inputs in this version of razz_env."""
        return Inputs(self.layout(), self.win_chance)


def read_model(path: Path) -> tuple[ModelCard, Weights]:
    """The card and the policy's weights of a model.zip.

    Raises:
        ModelError: no such file, one that is damaged or no model, or one trained on another
            observation than this version of razz_env makes.
    """
    card = read_card(path)
    with zipfile.ZipFile(path) as archive:
        try:
            stored = io.BytesIO(archive.read(POLICY_ENTRY))
            state = torch.load(stored, map_location="cpu", weights_only=True)
            weights = {name: tensor.numpy() for name, tensor in state.items()}
        except Exception as error:
            reason = (str(error) or type(error).__name__).splitlines()[0]
            raise ModelError(
                f"{path} is damaged: its weights cannot be read ({reason})."
            ) from error
    if not all(np.isfinite(values).all() for values in weights.values()):
        raise ModelError(f"{path} is of no use: some of its weights are no finite numbers.")
    return card, weights


def read_card(path: Path) -> ModelCard:
    """The card of a model.zip, checked against this version's observations.

    Raises:
        ModelError: as `read_model`.
    """
    if not safely(path.is_file):
        raise ModelError(f"There is no model file {str(path)!r:.300}.")
    card = _parse_card(path, _read_entry(path, CARD_ENTRY))
    try:
        here = card.inputs().version
    except ValueError as error:
        raise ModelError(f"{path} cannot be used: {error}") from error
    check_observation(path, card.observation, here, card.packages)
    return card


def add_card(path: Path, card: ModelCard) -> None:
    """Put the card into an archive that Stable-Baselines3 has written."""
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(CARD_ENTRY, card.model_dump_json(indent=2))


def _read_entry(path: Path, entry: str) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(entry)
    except KeyError as error:
        raise ModelError(
            f"{path} has no {entry}: it is no model that `razz train` has saved."
        ) from error
    except (zipfile.BadZipFile, EOFError, OSError) as error:
        raise ModelError(f"{path} is damaged or no model: {error}.") from error


def _parse_card(path: Path, text: bytes) -> ModelCard:
    try:
        return ModelCard.model_validate(json.loads(text))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        reason = f"{key}: {first['msg']}" if key else first["msg"]
        raise ModelError(f"The {CARD_ENTRY} of {path} is damaged: {reason}.") from error
    except (ValueError, RecursionError) as error:
        raise ModelError(f"The {CARD_ENTRY} of {path} is damaged: {error}.") from error
