"""Policies that were trained: networks that play as agents."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from agents.paths import safely
from agents.players.errors import ModelError
from agents.players.inputs import Inputs
from agents.players.legal import require_legal
from agents.players.model_file import ModelCard, Weights, read_model
from agents.players.sampling import GREEDY, SamplingPlayer
from razz_env.rules.terms import NUM_ACTIONS

Layer: TypeAlias = tuple[Tensor, Tensor]
ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}
_FUNCTIONS = {"relu": torch.relu, "tanh": torch.tanh}


class PolicyPlayer(SamplingPlayer):
    """A policy network as an agent: its parameters, and no more.

    It samples from the network's probabilities over the legal actions, with the generator it is
    given and nothing else; greedy, it takes the likeliest one.

    Attributes:
        name: under which results are reported.
        inputs: of the network.
        layout: of the observations among them.
        num_players: seats of the largest tables that it plays at.
        table_sizes: seats of all tables that it plays at.
        layers: its parameters: (weight float32[out, in], bias float32[out]) of every layer.
    """

    def __init__(
        self,
        name: str,
        layers: list[Layer],
        activation: str,
        inputs: Inputs,
        num_players: int,
        greedy: bool = False,
        table_sizes: tuple[int, ...] = (),
    ) -> None:
        """A network of linear layers with an activation between them.

        Args:
            name: of the player.
            layers: weights float32[out, in] and biases float32[out]; the last has 7 outputs.
            activation: "relu" or "tanh".
            inputs: what it is fed with.
            num_players: 2 to 8.
            greedy: take the likeliest action instead of sampling.
            table_sizes: if it plays at tables of several sizes, all of them.
        """
        super().__init__(greedy)
        self.table_sizes = table_sizes or (num_players,)
        self.name = name
        self.inputs, self.layout = inputs, inputs.layout
        self.num_players = num_players
        self.layers = layers
        self._activation_name = activation
        self._activation = _FUNCTIONS[activation]

    @cached_property
    def identity(self) -> str:
        """A hash of all that decides how it plays, the same for one network under two paths."""
        digest = hashlib.sha256()
        sizes = " ".join(map(str, self.table_sizes))
        digest.update(f"{self.inputs.version} {sizes} {self._activation_name}".encode())
        for tensor in (tensor for layer in self.layers for tensor in layer):
            values = tensor.numpy()
            digest.update(f"{values.shape} {values.dtype.str}".encode())
            digest.update(np.ascontiguousarray(values).tobytes())
        return f"policy:{digest.hexdigest()}{GREEDY if self._greedy else ''}"

    @property
    def nbytes(self) -> int:
        """Bytes of its parameters."""
        return sum(tensor.nbytes for layer in self.layers for tensor in layer)

    def _legal_scores(
        self,
        views: NDArray[Any],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
    ) -> NDArray[np.float32]:
        """Scores float32[K, 7], -inf for what is not legal."""
        legal = np.asarray(masks) != 0
        require_legal(legal, views["seat"])
        self._check_tables(views)
        scores = self.scores(self.inputs.of(views, observations))
        return np.where(legal, scores, np.float32(-np.inf))

    def scores(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Scores (logits) of all actions, float32[K, 7], for the inputs float32[K, size]."""
        with torch.no_grad():
            values = torch.from_numpy(np.ascontiguousarray(inputs, np.float32))
            for weight, bias in self.layers[:-1]:
                values = self._activation(functional.linear(values, weight, bias))
            scores: NDArray[np.float32] = functional.linear(values, *self.layers[-1]).numpy()
        return scores

    def _check_tables(self, views: NDArray[Any]) -> None:
        sizes = views["public"]["num_seats"]
        fits = np.isin(sizes, self.table_sizes)
        if not fits.all():
            raise ValueError(
                f"{self.name!r} was trained at tables of {', '.join(map(str, self.table_sizes))} "
                f"players and cannot play at one of {int(sizes[~fits][0])}."
            )

    def __repr__(self) -> str:
        return f"<PolicyPlayer {self.name}>"


def policy_weights(state: Mapping[str, Tensor]) -> Weights:
    """Copies of the policy's part of what MaskablePPO's `policy.state_dict()` gives."""
    return {
        name: tensor.detach().cpu().numpy().copy()
        for name, tensor in state.items()
        if ".policy_net." in name or name.startswith("action_net")
    }


def is_finite(state: Mapping[str, Tensor]) -> bool:
    """Whether all numbers of a network's `state_dict()` are finite."""
    return all(bool(torch.isfinite(tensor).all()) for tensor in state.values())


def layers_of(weights: Weights) -> list[Layer]:
    """The policy's layers out of the weights that MaskablePPO's policy saves, without its critic.

    Raises:
        KeyError: weights of something else.
    """
    hidden = sorted(
        {name.rsplit(".", 1)[0] for name in weights if ".policy_net." in name},
        key=lambda name: int(name.rsplit(".", 1)[1]),
    )
    return [
        (torch.from_numpy(weights[f"{name}.weight"]), torch.from_numpy(weights[f"{name}.bias"]))
        for name in [*hidden, "action_net"]
    ]


def ppo(argument: str | None) -> PolicyPlayer:
    """The player "ppo:runs/x/model.zip", or "ppo:runs/x/model.zip?greedy"; a run's folder will do.

    Raises:
        ModelError: no file, a damaged one, one trained on another observation, or an unknown
            option.
        ValueError: no path.
    """
    if not argument:
        raise ValueError("The player 'ppo' needs the path of a model: 'ppo:runs/quick/model.zip'.")
    path = _path_of(argument)
    card, weights = read_model(path)
    layers = _checked_layers(path, card, weights)
    greedy = argument.endswith(GREEDY)
    return PolicyPlayer(
        f"ppo:{argument}",
        layers,
        card.activation,
        card.inputs(),
        card.num_players,
        greedy,
        tuple(card.table_sizes),
    )


def _path_of(argument: str) -> Path:
    """The model's file, without the option behind it."""
    path = Path(argument.removesuffix(GREEDY))
    stem, mark, option = argument.rpartition("?")
    if mark and not argument.endswith(GREEDY) and not safely(path.exists):
        raise ModelError(
            f"There is no option {mark + option!r} for a model; did you mean 'ppo:{stem}{GREEDY}'?"
        )
    return path / "model.zip" if safely(path.is_dir) else path


def _checked_layers(path: Path, card: ModelCard, weights: Weights) -> list[Layer]:
    """The layers, if they have the shapes that the card tells."""
    widths = [card.inputs().size, *card.layers, NUM_ACTIONS]
    expected = [(after, before) for before, after in pairwise(widths)]
    try:
        layers = layers_of(weights)
    except KeyError as error:
        raise ModelError(f"{path} is damaged: its policy has no {error}.") from error
    shapes = [tuple(weight.shape) for weight, _ in layers]
    if shapes != expected:
        raise ModelError(f"{path} is damaged: its layers are {shapes}, not {expected}.")
    return layers
