"""Trained players by name, without PyTorch: "trained:heads_up", "trained:PATH.safetensors"."""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.players.dominated import drop_dominated
from agents.players.errors import ModelError
from agents.players.forward import Floats, Forward, Layer
from agents.players.legal import require_legal
from agents.players.network_file import NetworkCard, read_network
from agents.players.sampling import GREEDY, SamplingPlayer

SUFFIX = ".safetensors"
WEIGHTS = Path(__file__).parent / "weights"
"""The folder of the players that come with this package."""


class NetworkPlayer(SamplingPlayer):
    """A policy network as an agent, worked out by compiled NumPy code.

    It samples from the network's probabilities over the legal actions, with the generator it is
    given and nothing else; greedy, it takes the likeliest one. It never takes dominated actions,
    such as a fold where it may check. Its scores in a spot do not depend on what else it is asked.

    Attributes:
        name: under which results are reported.
        card: what the network is.
        layout: of its observations.
        inputs: of the network.
        table_sizes: numbers of players with which it plays.
    """

    def __init__(
        self, name: str, card: NetworkCard, layers: list[Layer], greedy: bool = False
    ) -> None:
        """A network that was read, or is about to be written.

        Args:
            name: of the player.
            card: what the network is.
            layers: weights float32[out, in] and biases float32[out].
            greedy: take the likeliest action instead of sampling.
        """
        super().__init__(greedy)
        self.name = name
        self.card = card
        self.layout, self.inputs = card.layout(), card.inputs()
        self.table_sizes = card.table_sizes
        self._forward = Forward(layers, card.activation)

    @cached_property
    def identity(self) -> str:
        """A hash of all that decides how it plays, the same for one network under two names."""
        forward, digest = self._forward, hashlib.sha256()
        digest.update(f"{self.inputs.version} {self.table_sizes} {forward.activation}".encode())
        for part in (part for layer in forward.layers for part in layer):
            digest.update(f"{part.shape}".encode())
            digest.update(part.astype("<f4").tobytes())
        return f"network:{digest.hexdigest()}{GREEDY if self._greedy else ''}"

    def scores(self, views: NDArray[Any], observations: Floats) -> Floats:
        """Scores (logits) of all actions, float32[K, 7], in SEAT_VIEW[K]."""
        return self._forward(self.inputs.of(views, observations))

    def _legal_scores(
        self, views: NDArray[Any], observations: Floats, masks: NDArray[np.int8]
    ) -> Floats:
        """Scores float32[K, 7] that are -inf for what it must not, or never does."""
        legal = np.asarray(masks) != 0
        require_legal(legal, views["seat"])
        self._check_tables(views)
        drop_dominated(views, legal)
        scores = self.scores(views, observations)
        if not np.isfinite(scores).all():
            raise ValueError(f"The weights of {self.name!r} are so large that its scores overflow.")
        return np.where(legal, scores, np.float32(-np.inf))

    def _check_tables(self, views: NDArray[Any]) -> None:
        sizes = views["public"]["num_seats"]
        fits = np.isin(sizes, self.table_sizes)
        if not fits.all():
            raise ValueError(
                f"{self.name!r} plays at tables of {sizes_text(self.table_sizes)} players, not of "
                f"{int(sizes[~fits][0])}."
            )

    def __repr__(self) -> str:
        return f"<NetworkPlayer {self.name}>"


def trained(argument: str | None) -> NetworkPlayer:
    """The player "trained:heads_up" or "trained:PATH.safetensors", with "?greedy" behind if wanted.

    Raises:
        ModelError: no such player, an unknown option, or a file that cannot be used.
        ValueError: no name.
    """
    if not argument:
        raise ValueError(
            f"The player 'trained' needs a name or a file behind a colon: {_choices()}."
        )
    greedy = argument.endswith(GREEDY)
    card, layers = read_network(_path_of(argument.removesuffix(GREEDY)))
    return NetworkPlayer(f"trained:{argument}", card, layers, greedy)


def name_of(path: Path) -> str:
    """The name of a file's player, for others to read: "trained:heads_up" for a shipped one."""
    is_shipped = path.resolve().parent == WEIGHTS.resolve()
    return f"trained:{path.stem if is_shipped else f'PATH/TO/{path.name}'}"


def shipped() -> list[str]:
    """Names of the trained players that come with this package."""
    return sorted(path.stem for path in WEIGHTS.glob(f"*{SUFFIX}"))


def sizes_text(sizes: tuple[int, ...]) -> str:
    """Numbers of players in words: "2", "2 to 8", "2, 4, 6"."""
    if len(sizes) > 2 and sizes == tuple(range(sizes[0], sizes[-1] + 1)):
        return f"{sizes[0]} to {sizes[-1]}"
    return ", ".join(map(str, sizes))


def _path_of(given: str) -> Path:
    """The file of a name; what ends like a file, or lies in a folder, is a path."""
    if given.endswith(SUFFIX) or "/" in given:
        return Path(given)
    stem, mark, option = given.rpartition("?")
    if mark:
        raise ModelError(
            f"There is no option {mark + option!r} for a trained player; did you mean "
            f"'trained:{stem}{GREEDY}'?"
        )
    if given not in shipped():
        raise ModelError(
            f"No trained player {given!r} comes with this package; there is {_choices()}."
        )
    return WEIGHTS / f"{given}{SUFFIX}"


def _choices() -> str:
    names = [f"'trained:{name}'" for name in shipped()]
    return " or ".join([*names, f"'trained:PATH{SUFFIX}'"])
