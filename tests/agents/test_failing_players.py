"""Whoever asks a player that fails: it ends in one sentence that names it, and in nothing worse."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agents.cli import main
from agents.evaluation.match import play_match
from agents.inspection.action_chances import chances
from agents.players.basic import caller
from agents.players.probabilities import told_probabilities
from agents.table.hints import advice_of
from agents.table.session import Bot, Table
from razz_env import Action, Hand
from razz_env.envs import opponents
from razz_env.envs.agent import PlayerError
from razz_env.envs.opponents import OpponentError
from razz_env.envs.seat import RazzSeatEnv
from razz_env.envs.vector import RazzVectorEnv
from razz_env.rules.record import SEAT_VIEW

from ..envs.players import Preferring
from ..support.errors import refused

BAD: Any = (PlayerError, ValueError, TypeError)


def boom() -> Any:
    raise RuntimeError("out of order.\nTry again later.")


def silent() -> Any:
    raise RuntimeError


FAILURES: list[tuple[Callable[[], Any], str]] = [
    (boom, "raised RuntimeError: out of order."),
    (silent, "raised RuntimeError"),
    (lambda: sys.exit(0), "raised SystemExit: 0"),
    (lambda: [[1], [2, 3]], "raised ValueError: setting an array element"),
]


class Failing:
    """Acts as `how` says."""

    name = "failing"
    needs_observations = False

    def __init__(self, how: Callable[[], Any]) -> None:
        self.how = how

    def act(self, *_: Any) -> Any:
        return self.how()


def view() -> Any:
    hand = Hand.deal(2, seed=1)
    return np.array([hand.view(hand.actor or 0)], SEAT_VIEW)


def seated(player: Any) -> None:
    env = RazzSeatEnv([player])
    for seed in range(20):
        env.reset(seed=seed)


def at_many_tables(player: Any) -> None:
    RazzVectorEnv(3, [player]).reset(seed=1)


def at_stable_baselines(player: Any) -> None:
    sb3 = pytest.importorskip("razz_env.envs.sb3")
    sb3.RazzVecEnv(9, 2, [player], seed=1).reset()


def matched(player: Any) -> None:
    play_match(player, caller(), decks=4)


def inspected(player: Any) -> None:
    chances(player, view(), 10, np.random.default_rng(0))


def advising(player: Any) -> None:
    advice_of(player, view()[0])


def at_a_table(player: Any) -> None:
    table = Table([Bot("A", player), Bot("B", player)], seed=1)
    table.deal()
    table.think()


ASKED = [seated, at_many_tables, at_stable_baselines, matched, inspected, advising, at_a_table]


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize(("how", "words"), FAILURES)
def test_a_player_that_fails_is_named(
    ask: Callable[[Any], None], how: Callable[[], Any], words: str
) -> None:
    with pytest.raises(BAD) as caught:
        ask(Failing(how))
    told = str(caught.value)
    assert "'failing'" in told
    assert words in told
    assert "\n" not in told


@pytest.mark.parametrize("ask", [ask for ask in ASKED if ask is not advising])
def test_a_player_whose_reset_fails_is_named(ask: Callable[[Any], None]) -> None:
    player: Any = Failing(lambda: [0])
    player.reset = boom
    with refused("reset() of the player 'failing' raised RuntimeError: out of order", kind=BAD):
        ask(player)


def test_an_environment_stays_as_it_was_where_an_opponent_cannot_forget() -> None:
    player: Any = Preferring(Action.CALL)
    env = RazzSeatEnv([player])
    env.reset(seed=1)
    before = env.to_bytes()
    player.reset = boom
    with refused("reset()", player.name, kind=OpponentError):
        env.reset(seed=2)
    assert env.to_bytes() == before


def test_chances_that_fail_are_named() -> None:
    player: Any = Failing(boom)
    for how in (boom, lambda: sys.exit(3)):
        player.action_probabilities = lambda *_, how=how: how()
        with refused("action_probabilities of the player 'failing' raised", kind=ValueError):
            told_probabilities(player, view())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (np.full((1, 7), 1 / 7 + 0j), "complex128: give an array of floats"),
        (np.full((1, 7), "0.5"), "give an array of floats"),
        (np.ma.masked_all((1, 7)), "partly masked"),
        (np.full((1, 7), None), "object: give an array of floats"),
    ],
)
def test_chances_are_real_numbers(answer: Any, words: str) -> None:
    player: Any = Failing(boom)
    player.action_probabilities = lambda *_: answer
    with refused("'failing'", words, kind=ValueError):
        told_probabilities(player, view())


@pytest.mark.parametrize("sizes", ["abc", 3, [2.5], (True,)])
def test_table_sizes_are_whole_numbers(sizes: Any) -> None:
    player: Any = Failing(boom)
    player.table_sizes = sizes
    with refused("'failing'", "table_sizes", repr(sizes), kind=TypeError):
        RazzVectorEnv(3, [player])
    player.table_sizes = [np.int64(2)]
    with refused("tables of 2 players, not of 3", kind=ValueError):
        RazzVectorEnv(1, [player, "caller"])


def test_a_factory_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for how in (boom, lambda: sys.exit(0)):
        monkeypatch.setattr(opponents, "_call", lambda *_, how=how: how())
        with refused("player 'caller' cannot be made: ", kind=ValueError):
            opponents.resolve_agent("caller")


def test_a_number_too_large_for_an_action_is_told_as_it_is() -> None:
    env = RazzVectorEnv(1, [Failing(lambda: np.array([1 << 63], np.uint64))], seat=1)
    with refused("action 9223372036854775808", kind=PlayerError):
        for seed in range(20):
            env.reset(seed=seed)


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "caller", "raiser", "--hands", "40"],
        ["inspect", "raiser", "--hand", "(A2)3 | K"],
        ["exploit", "raiser", "--frames", "256"],
    ],
)
def test_commands_end_in_a_sentence(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An exit status of 0 without a word looked like success."""
    pytest.importorskip("sb3_contrib")
    monkeypatch.setattr(opponents, "_call", lambda *_: Failing(lambda: sys.exit(0)))
    assert main(words) == 2
    assert "'failing'" in capsys.readouterr().err
