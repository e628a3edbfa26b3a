"""Safetensors files of players: what is read back, and what is refused in one sentence."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from agents.players import network
from agents.players.errors import ModelError
from agents.players.network import shipped, trained
from agents.players.network_file import read_network, write_network
from razz_env import make_batch
from razz_env.observation import spec

from ..support.errors import refused
from .networks import ALL_SIZES, card_of, layers_for, tiny_network


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A heads-up player in a file."""
    path = tmp_path / "tiny.safetensors"
    write_network(path, card_of(), layers_for(card_of()))
    return path


def rewritten(
    file: Path, card: object = None, tensors: dict[str, Any] | None = None, **changes: object
) -> Path:
    """A copy with another card or other tensors."""
    told, _layers = read_network(file)
    given = json.loads(json.dumps(told.__dict__)) | changes if card is None else card
    path = file.with_name("changed.safetensors")
    save_file(load_file(file) | (tensors or {}), path, {"razz": json.dumps(given)})
    return path


def sentence(path: Path, *words: object) -> None:
    """The player is refused with one sentence that names the file."""
    with pytest.raises(ModelError) as error:
        trained(str(path))
    message = str(error.value)
    assert "\n" not in message
    assert len(message) < 600
    for word in (path, *words):
        assert str(word).lower() in message.lower()


def test_what_is_written_is_read_back(file: Path) -> None:
    card, layers = read_network(file)
    assert card == card_of()
    for (weight, bias), (w, b) in zip(layers, layers_for(card), strict=True):
        assert weight.tobytes() == w.tobytes()
        assert bias.tobytes() == b.tobytes()


def test_the_same_network_gives_the_same_bytes(file: Path, tmp_path: Path) -> None:
    write_network(tmp_path / "again.safetensors", card_of(), layers_for(card_of()))
    assert (tmp_path / "again.safetensors").read_bytes() == file.read_bytes()


def test_a_file_plays_like_the_network_that_was_written(file: Path) -> None:
    batch = make_batch(50, 2, seed=1)
    seen = (batch.views, batch.observations, batch.action_masks)
    player = trained(str(file))
    assert player.name == f"trained:{file}"
    chances = tiny_network().action_probabilities(*seen)
    assert (player.action_probabilities(*seen) == chances).all()
    assert player.identity == tiny_network().identity
    greedy = trained(f"{file}?greedy")
    assert (greedy.action_probabilities(*seen).max(axis=1) == 1).all()


def test_players_of_the_package_have_names(file: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(network, "WEIGHTS", file.parent)
    assert shipped() == ["tiny"]
    assert trained("tiny").identity == trained(str(file)).identity
    assert trained("tiny?greedy").name == "trained:tiny?greedy"
    with refused("'huge'", "'trained:tiny'", kind=ModelError):
        trained("huge")
    with refused("'?greed'", "'trained:tiny?greedy'", kind=ModelError):
        trained("tiny?greed")


def test_without_a_name_it_is_told_what_there_is() -> None:
    with refused("'trained'", "trained:PATH.safetensors"):
        trained(None)


def test_no_file_is_refused(tmp_path: Path) -> None:
    sentence(tmp_path / "none.safetensors", "no model file")
    sentence(tmp_path, "no model file")


@pytest.mark.parametrize("share", [0, 0.0005, 0.01, 0.5, 0.999])
def test_a_file_cut_short_is_refused(file: Path, share: float) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    sentence(file, "damaged")


def test_a_longer_file_is_refused(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\0" * 8)
    sentence(file, "damaged")


@pytest.mark.parametrize("length", [0, 1, 2**40, 2**63, 2**64 - 1])
def test_a_header_of_a_hostile_length_is_refused(file: Path, length: int) -> None:
    file.write_bytes(struct.pack("<Q", length) + file.read_bytes()[8:])
    sentence(file, "damaged")


@pytest.mark.parametrize("text", [b"PK\3\4" + b"\0" * 500, b"{}" * 50, b"\xff" * 300])
def test_files_of_another_kind_are_refused(file: Path, text: bytes) -> None:
    file.write_bytes(text)
    sentence(file, "damaged or no safetensors")


def test_every_cut_and_every_flipped_byte_is_borne(file: Path) -> None:
    """Each is refused by name, or still a player: some bytes of a card or weight may be others."""
    data, rng = file.read_bytes(), np.random.default_rng(0)
    for place in rng.integers(0, len(data), 300):
        changed = bytearray(data)
        changed[place] ^= int(rng.integers(1, 256))
        file.write_bytes(changed)
        try:
            trained(str(file))
        except ModelError as error:
            assert str(file) in str(error)  # noqa: PT017 - either outcome is right


def test_a_file_that_is_far_too_long_is_not_read(file: Path) -> None:
    with file.open("r+b") as grown:
        grown.truncate(10**9)
    sentence(file, "64,000,000")


def test_safetensors_of_something_else_are_refused(file: Path) -> None:
    save_file({"x": np.zeros(3, np.float32)}, file)
    sentence(file, "'razz'", "razz export")


@pytest.mark.parametrize("card", [[], "text", 3, {}, {"name": "x"}])
def test_a_card_of_another_kind_is_refused(file: Path, card: object) -> None:
    sentence(rewritten(file, card), "damaged")


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"name": 7},
        {"seats": -1},
        {"seats": 10**30},
        {"seats": True},
        {"mode": "cards"},
        {"table_sizes": []},
        {"table_sizes": [9]},
        {"table_sizes": ["2"]},
        {"table_sizes": [1, 2]},
        {"layers": [0]},
        {"layers": [10**15]},
        {"layers": "many"},
        {"activation": "exp"},
        {"rules": {"ante": -1}},
        {"rules": {"unheard": 1}},
        {"stacks": [1.5]},
        {"sessions": [1]},
        {"extra": 1},
    ],
)
def test_a_damaged_card_is_refused(file: Path, changes: dict[str, object]) -> None:
    sentence(rewritten(file, **changes), "damaged")


def test_a_card_nested_without_end_is_refused(file: Path) -> None:
    save_file(load_file(file), file, {"razz": "[" * 200_000})
    sentence(file, "damaged")


def test_another_observation_is_refused(file: Path) -> None:
    sentence(rewritten(file, observation="0-features-2-dead"), "0-features-2-dead", spec(2).version)


@pytest.mark.parametrize(
    "tensors",
    [
        {"layers.0.bias": np.zeros(31, np.float32)},
        {"layers.0.bias": np.zeros(32, np.float64)},
        {"layers.0.bias": np.zeros(32, np.int32)},
        {"layers.9.bias": np.zeros(32, np.float32)},
        {"layers.0.weight": np.zeros((248, 32), np.float32)},
    ],
)
def test_tensors_that_do_not_fit_the_card_are_refused(file: Path, tensors: dict[str, Any]) -> None:
    sentence(rewritten(file, tensors=tensors), "damaged", "tensors")


def test_a_network_for_more_seats_has_other_tensors(file: Path) -> None:
    sentence(rewritten(file, seats=8, observation=spec(8).version), "damaged", "tensors")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_finite_numbers_are_refused(file: Path, value: float) -> None:
    bias = np.zeros(32, np.float32)
    bias[5] = value
    sentence(rewritten(file, tensors={"layers.0.bias": bias}), "finite")


def test_layers_that_do_not_fit_are_not_written(tmp_path: Path) -> None:
    with refused("shapes"):
        write_network(tmp_path / "x.safetensors", card_of(ALL_SIZES), layers_for(card_of()))
    assert not list(tmp_path.iterdir())


def test_the_players_of_this_package_are_small_and_can_be_read() -> None:
    for name in shipped():
        assert (network.WEIGHTS / f"{name}.safetensors").stat().st_size < 4_000_000
        assert trained(name).card.name == name
        assert (network.WEIGHTS / f"{name}.md").is_file()
