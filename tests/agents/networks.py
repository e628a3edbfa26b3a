"""Small networks for the tests of trained players."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from agents.players.forward import Layer
from agents.players.network import NetworkPlayer
from agents.players.network_file import NetworkCard
from razz_env import HouseRules
from razz_env.observation import spec

HEADS_UP = (2,)
ALL_SIZES = tuple(range(2, 9))


def card_of(sizes: tuple[int, ...] = HEADS_UP, **changes: Any) -> NetworkCard:
    """The card of an untrained network that plays at tables of these sizes."""
    seats = changes.pop("seats", max(sizes))
    mode = changes.pop("mode", "features")
    values = {
        "name": "tiny",
        "observation": spec(seats, mode).version,
        "mode": mode,
        "seats": seats,
        "table_sizes": sizes,
        "layers": (32, 16),
        "activation": "relu",
        "rules": json.loads(json.dumps(asdict(HouseRules.preset("full_tilt")))),
        "stacks": (500,) * min(sizes),
        "frames": 0,
        "seed": 3,
        "command": "razz train --config configs/quick.yaml",
        "config": {},
        "sessions": ({"from_frames": 0},),
        "packages": {"razz-env": "0.1.0"},
    }
    return NetworkCard(**(values | changes))


def layers_for(card: NetworkCard, seed: int = 0, scale: float = 2.0) -> list[Layer]:
    """Random weights of the shapes that a card tells."""
    rng = np.random.default_rng(seed)
    return [
        (
            (scale * rng.standard_normal(shape) / np.sqrt(shape[1])).astype(np.float32),
            rng.standard_normal(shape[0]).astype(np.float32),
        )
        for shape in card.shapes
    ]


def tiny_network(
    sizes: tuple[int, ...] = HEADS_UP,
    seed: int = 0,
    scale: float = 2.0,
    greedy: bool = False,
    **changes: Any,
) -> NetworkPlayer:
    """A player of random weights."""
    card = card_of(sizes, **changes)
    return NetworkPlayer(card.name, card, layers_for(card, seed, scale), greedy)
