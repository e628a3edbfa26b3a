"""Players by name: the entry-point group, its errors, and players as they are."""

from __future__ import annotations

import sys
from importlib.metadata import Distribution, EntryPoint, EntryPoints
from types import ModuleType
from typing import Any

import pytest

from razz_env.envs import opponents
from razz_env.envs.agent import Agent
from razz_env.envs.opponents import resolve_agent

from ..support.errors import refused
from .players import RandomPlayer


class Elsewhere(Distribution):
    """A distribution "other-players" whose extras "all" and "deep" bring the package "deep_net"."""

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        return (
            "Metadata-Version: 2.1\nName: other-players\nVersion: 1\n"
            'Requires-Dist: numpy>=2\nRequires-Dist: deep-net>=1; extra == "all"\n'
            'Requires-Dist: others; extra == "all"\nRequires-Dist: deep-net>=1; extra == "deep"\n'
        )

    def locate_file(self, path: Any) -> Any:
        raise NotImplementedError


def fake_module() -> ModuleType:
    module = ModuleType("players_of_a_test")

    class Named(RandomPlayer):
        def __init__(self, argument: str | None) -> None:
            self.name = f"named {argument}"

    def deep(argument: str | None) -> Agent:
        raise ModuleNotFoundError("No module named 'deep_net.layers'", name="deep_net.layers")

    def lone(argument: str | None) -> Agent:
        raise ModuleNotFoundError("No module named 'lonely'", name="lonely")

    def told(argument: str | None) -> Agent:
        raise ModuleNotFoundError("This needs x: pip install 'other-players[x]'")

    class Plain(RandomPlayer):
        """A class without parameters."""

    def greedy(first: str, second: str) -> Agent:
        raise AssertionError

    module.__dict__.update(
        plain=Plain,
        greedy=greedy,
        named=Named,
        deep=deep,
        lone=lone,
        told=told,
        wrong=lambda argument: "a text",
    )
    return module


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "players_of_a_test", fake_module())
    names = "plain", "greedy", "named", "deep", "lone", "told", "wrong", "gone"
    values = {name: f"players_of_a_test:{name}" for name in names}
    values["deeper"] = "players_of_a_test:deep [all]"
    entries = [
        EntryPoint(name, value, opponents.GROUP)._for(Elsewhere()) for name, value in values.items()
    ]
    monkeypatch.setattr(opponents, "entry_points", lambda group: EntryPoints(entries))


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("named", None),
        ("named:", ""),
        ("named:tight", "tight"),
        ("named:runs/x/model.zip", "runs/x/model.zip"),
        ("named:C:/runs", "C:/runs"),
    ],
)
def test_a_name_is_a_family_and_the_text_for_its_factory(name: str, argument: str | None) -> None:
    assert resolve_agent(name).name == f"named {argument}"


def test_a_class_without_parameters_is_a_family_that_takes_no_argument() -> None:
    assert resolve_agent("plain").name == RandomPlayer().name
    for name in ("plain:x", "plain:"):
        with refused("'plain' takes no argument", f"instead of '{name}'", kind=ValueError):
            resolve_agent(name)


def test_a_factory_that_wants_something_else_is_named() -> None:
    with refused("players_of_a_test:greedy", "'greedy:x'", "behind the colon", kind=TypeError):
        resolve_agent("greedy:x")


def test_an_agent_stands_for_itself() -> None:
    player = RandomPlayer()
    assert resolve_agent(player) is player


def test_an_unknown_family_is_answered_with_the_nearest() -> None:
    with refused("'namde'", "did you mean 'named'", kind=ValueError):
        resolve_agent("namde:x")
    with refused("deep", "lone", kind=ValueError):
        resolve_agent("zzz")


def test_no_installed_players_are_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "entry_points", lambda group: EntryPoints([]))
    with refused("caller", "pip install", kind=ValueError):
        resolve_agent("caller")


def test_an_entry_that_names_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"lost": "players_of_a_test:nope", "away": "no_such_module.players:x"}
    entries = [EntryPoint(name, value, opponents.GROUP) for name, value in values.items()]
    monkeypatch.setattr(opponents, "entry_points", lambda group: EntryPoints(entries))
    for name, value in values.items():
        with refused(f"'{name}'", value, "not there", "pyproject.toml", kind=ValueError):
            resolve_agent(name)


def test_a_missing_package_is_answered_with_the_pip_command() -> None:
    with refused("'deep:x'", 'pip install "other-players[deep]"', kind=ModuleNotFoundError):
        resolve_agent("deep:x")
    with refused('pip install "other-players[all]"', kind=ModuleNotFoundError):
        resolve_agent("deeper")  # the extra that it names
    with refused("'lone'", "pip install lonely", kind=ModuleNotFoundError):
        resolve_agent("lone")
    with refused("pip install 'other-players[x]'", kind=ModuleNotFoundError):
        resolve_agent("told")


@pytest.mark.parametrize("agent", ["wrong", 3, None, RandomPlayer])
def test_what_is_no_agent_is_refused(agent: Any) -> None:
    with refused(kind=TypeError):
        resolve_agent(agent)


def test_a_faulty_entry_is_told() -> None:
    with refused("'gone'", "players_of_a_test:gone", "is not there", kind=ValueError):
        resolve_agent("gone")
