"""The environments by name, and what `import razz_env` loads."""

from __future__ import annotations

import subprocess
import sys
import warnings

import gymnasium
import pettingzoo

import razz_env
from razz_env import Hand, razz_v0
from razz_env.envs import aec, registration
from razz_env.envs.seat import RazzSeatEnv

from .players import RandomPlayer


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return done.stdout.decode()


def test_pettingzoo_makes_it_by_name() -> None:
    table = pettingzoo.make(
        "aec",
        "razz_env/razz-v0",
        num_players=4,
        rules="pokerstars",
        stacks=300,
        reward_unit="chips",
        render_mode=None,
    )
    table.reset(seed=3)
    assert isinstance(table.unwrapped, aec.raw_env)
    assert table.unwrapped.hand == Hand.deal(4, "pokerstars", 300, seed=3)
    assert str(table) == "razz_v0"


def test_the_older_habit_gives_the_same_classes() -> None:
    assert razz_v0.raw_env is aec.raw_env
    assert razz_v0.env is aec.env
    assert razz_env.razz_v0 is razz_v0


def test_gymnasium_makes_it_by_name() -> None:
    table = gymnasium.make("razz_env/Razz-v0", opponents=[RandomPlayer()] * 2, stacks=300)
    table.reset(seed=3)
    assert isinstance(table.unwrapped, RazzSeatEnv)
    assert table.unwrapped.hand.num_players == 3


def test_registering_twice_does_no_harm() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        registration.register()


def test_importing_razz_env_registers_both_and_loads_no_more() -> None:
    said = run(
        "import sys, razz_env, gymnasium, pettingzoo;"
        "print('razz_env/Razz-v0' in gymnasium.registry, "
        "'razz_env/razz-v0' in pettingzoo.aec_registry, "
        "[m for m in ('numba', 'torch', 'pygame', 'stable_baselines3', 'razz_env.envs.aec', "
        "'razz_env.envs.seat', 'razz_env.rules', 'agents') if m in sys.modules])"
    )
    assert said.strip() == "True True []"


def test_the_environments_need_no_players_package() -> None:
    said = run(
        "import sys, razz_env.envs.aec, razz_env.envs.seat;"
        "print([m for m in ('agents', 'torch', 'stable_baselines3') if m in sys.modules])"
    )
    assert said.strip() == "[]"
