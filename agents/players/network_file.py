"""Trained players as they are shipped: a policy network in a safetensors file, and what it is.

The tensors are `layers.<n>.weight` float32[out, in] and `layers.<n>.bias` float32[out]; the
metadata has one entry, `razz`, the `NetworkCard` as JSON. Neither PyTorch nor what trained it is
needed to read it.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from agents.paths import safely
from agents.players.errors import ModelError, check_observation
from agents.players.forward import ACTIVATIONS, Layer
from agents.players.inputs import Inputs
from agents.whole_files import write_whole
from razz_env.observation import ObservationSpec, spec
from razz_env.rules.checks import is_whole
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.record import MAX_SEATS
from razz_env.rules.terms import NUM_ACTIONS

CARD = "razz"
FORMAT = 1
MOST_BYTES = 64_000_000
"""A longer file is not read; the players of this package have less than 4,000,000."""


@dataclass(frozen=True)
class NetworkCard:
    """What a network is, and what it was trained on.

    Attributes:
        name: of the player.
        observation: `Inputs.version` of its inputs; it is refused under any other.
        mode: observation mode.
        seats: its observations have room for so many.
        table_sizes: numbers of players with which it plays.
        layers: widths of the hidden layers.
        activation: between them.
        rules: every field of the `HouseRules` it was trained on.
        stacks: chips of every seat at the start of its hands.
        frames: decisions it has learned from.
        seed: of its training.
        command: that trains it again, a line for the run and one for each time it was taken on.
        config: of its training, every key; empty if it was not kept.
        sessions: of its training, as `run.json` tells; more than one if it was resumed.
        packages: versions that trained it.
        win_chance: whether its chance to win comes behind the observations.
        format: of this card.
    """

    name: str
    observation: str
    mode: str
    seats: int
    table_sizes: tuple[int, ...]
    layers: tuple[int, ...]
    activation: str
    rules: dict[str, Any]
    stacks: tuple[int, ...]
    frames: int
    seed: int
    command: str
    config: dict[str, Any]
    sessions: tuple[dict[str, Any], ...]
    packages: dict[str, Any]
    win_chance: bool = False
    format: int = FORMAT

    def __post_init__(self) -> None:
        for field in fields(self):
            if not _is_of(field.type, getattr(self, field.name)):
                raise ValueError(f"its {field.name} cannot be {getattr(self, field.name)!r:.60}")
        if self.format != FORMAT:
            raise ValueError(f"it is of format {self.format}, and this version reads {FORMAT}")
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"its activation cannot be {self.activation!r:.60}")
        if not self.table_sizes or not all(2 <= n <= self.seats for n in self.table_sizes):
            raise ValueError(f"its table_sizes {self.table_sizes} do not fit {self.seats} seats")
        self.house_rules()

    def house_rules(self) -> HouseRules:
        """The house rules it was trained on.

        Raises:
            ValueError, TypeError: they are none.
        """
        return HouseRules(**{key: _as_tuple(value) for key, value in self.rules.items()})

    def layout(self) -> ObservationSpec:
        """The layout of its observations in this version of razz_env.

        Raises:
            ValueError: an unknown mode or an impossible number of seats.
        """
        return spec(min(self.seats, MAX_SEATS), self.mode, self.seats)

    def inputs(self) -> Inputs:
        """Its inputs in this version of razz_env.

        Raises:
            ValueError: as `layout`.
        """
        return Inputs(self.layout(), self.win_chance)

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Of all layers' weights."""
        widths = [self.inputs().size, *self.layers, NUM_ACTIONS]
        return [(after, before) for before, after in pairwise(widths)]


def resumed_note(command: str, sessions: Sequence[Any]) -> str:
    """A paragraph on a training of several sessions that its command does not repeat, or nothing.

    Args:
        command: of the training, a line for each session that can be repeated.
        sessions: of the training, each with its `from_frames`.
    """
    if len(command.splitlines()) == max(len(sessions), 1):
        return ""
    starts = ", ".join(f"{session.get('from_frames', '?'):,}" for session in sessions[1:])
    return f"\nThe run was resumed after {starts} decisions, so one session makes other weights.\n"


def write_network(path: Path, card: NetworkCard, layers: list[Layer]) -> None:
    """Write a network; the file appears whole or not at all.

    Raises:
        ValueError: layers of other shapes than the card tells.
        OSError: the file cannot be written.
    """
    if [weight.shape for weight, _ in layers] != card.shapes:
        raise ValueError(f"The layers are not of the shapes {card.shapes} that the card tells.")
    tensors = {
        f"layers.{number}.{kind}": np.ascontiguousarray(part, np.float32)
        for number, layer in enumerate(layers)
        for kind, part in zip(("weight", "bias"), layer, strict=True)
    }
    write_whole(path, save(tensors, {CARD: json.dumps(asdict(card))}))


def read_network(path: Path) -> tuple[NetworkCard, list[Layer]]:
    """The card and the layers of a safetensors file.

    Raises:
        ModelError: no such file, one that is damaged or holds something else, or one that was
            trained on another observation than this version of razz_env makes.
    """
    if not safely(path.is_file):
        raise ModelError(f"There is no model file {str(path)!r:.300}.")
    if path.stat().st_size > MOST_BYTES:
        raise ModelError(f"{path} is no player: it is longer than {MOST_BYTES:,} bytes.")
    try:
        with safe_open(path, framework="numpy") as file:
            card = _read_card(path, file.metadata() or {})
            layers = _read_layers(path, file, card)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{path} is damaged or no safetensors file: {error}.") from error
    return card, layers


def _read_card(path: Path, metadata: dict[str, str]) -> NetworkCard:
    """The card in a file's metadata, checked against this version's observations."""
    if CARD not in metadata:
        raise ModelError(
            f"{path} has no entry {CARD!r} in its metadata: it is no player that `razz export` has "
            "written."
        )
    try:
        card = _parse_card(metadata[CARD])
        here = card.inputs().version
    except (ValueError, TypeError, RecursionError) as error:
        raise ModelError(f"The card of {path} is damaged: {error}.") from error
    check_observation(path, card.observation, here, card.packages)
    return card


def _parse_card(text: str) -> NetworkCard:
    values = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("it is no mapping of names to values")
    values = {"win_chance": False, **values}  # older networks were written without it
    known = {field.name for field in fields(NetworkCard)}
    if values.keys() != known:
        odd = ", ".join(sorted(map(repr, values.keys() ^ known)))[:200]
        raise ValueError(f"it lacks, or should not have, {odd}")
    return NetworkCard(**{key: _as_tuple(value) for key, value in values.items()})


def _read_layers(path: Path, file: Any, card: NetworkCard) -> list[Layer]:
    """The layers, if they are what the card tells."""
    expected = {}
    for number, (after, before) in enumerate(card.shapes):
        expected[f"layers.{number}.weight"] = [after, before]
        expected[f"layers.{number}.bias"] = [after]
    slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    found = {name: piece.get_shape() for name, piece in slices.items()}
    if found != expected:
        raise ModelError(f"{path} is damaged: its tensors are not those of layers {card.layers}.")
    if any(piece.get_dtype() != "F32" for piece in slices.values()):
        raise ModelError(f"{path} is damaged: some of its tensors are not of 32-bit floats.")
    tensors = {name: file.get_tensor(name) for name in expected}
    if not all(np.isfinite(tensor).all() for tensor in tensors.values()):
        raise ModelError(f"{path} is of no use: some of its weights are no finite numbers.")
    count = len(card.shapes)
    return [(tensors[f"layers.{n}.weight"], tensors[f"layers.{n}.bias"]) for n in range(count)]


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _is_of(kind: Any, value: Any) -> bool:
    """Whether a value is of a field's type: of the six that a card has."""
    if kind is int:
        return is_whole(value) and value >= 0
    if kind is bool:
        return isinstance(value, bool)
    if kind == tuple[int, ...]:
        return isinstance(value, tuple) and all(is_whole(one) and one > 0 for one in value)
    if kind == tuple[dict[str, Any], ...]:
        return isinstance(value, tuple) and all(isinstance(one, dict) for one in value)
    return isinstance(value, str if kind is str else dict)
