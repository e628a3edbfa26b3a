"""The layers of this package as contestants, from the lows up to learning."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from agents.bench.random_play import aec_play, batch_play, choose, random_action, seeing_random
from agents.bench.timing import Contestant, Play, needed
from razz_env import Action, Hand, lowball, make_batch, razz_v0
from razz_env.equity import equity

TABLES = 1024
SITUATION = ("As2d3c", "Ks7d4c")
SAMPLES = 50_000


def lows(count: int = 100_000) -> Play:
    """`lowball.evaluate_batch` of random seven-card hands; counts hands."""
    cards = random_hands(count)

    def play() -> int:
        return len(lowball.evaluate_batch(cards))

    return play


def random_hands(count: int) -> Any:
    """int8[count, 7], seven different cards in each row."""
    order = np.random.default_rng(0).random((count, 52), np.float32)
    return np.ascontiguousarray(order.argpartition(7, axis=1)[:, :7].astype(np.int8))


def deals() -> Play:
    """`equity` of two hands on third street by Monte Carlo; counts deals."""

    def play() -> int:
        equity(SITUATION, method="monte_carlo", samples=SAMPLES, seed=1)
        return SAMPLES

    return play


def clone() -> Play:
    """`Hand.clone` in the middle of a hand; counts clones."""
    hand = Hand.deal(6, seed=1)
    while hand.street < 5 and not hand.is_over:
        hand.apply(hand.legal_actions()[1])

    def play() -> int:
        for _ in range(1000):
            hand.clone()
        return 1000

    return play


def hand_play(seats: int = 6) -> Play:
    """`Hand` from the deal to the end; counts decisions."""
    rng = random.Random(0)

    def play() -> int:
        hand, decisions = Hand.deal(seats, seed=rng.getrandbits(62)), 0
        while not hand.is_over:
            hand.apply(rng.choice(hand.legal_actions()))
            decisions += 1
        return decisions

    return play


def deal(seats: int = 6) -> Play:
    """`TableBatch.reset`: shuffle, deal and show; counts hands."""
    batch = make_batch(TABLES, seats, seed=0)

    def play() -> int:
        batch.reset(1)
        return TABLES

    return play


def step(seats: int = 6, observation: str | None = "features", tables: int = TABLES) -> Play:
    """`TableBatch.step` under random play, the choice included; counts decisions."""
    return batch_play(make_batch(tables, seats, seed=0, observation=observation))


def rollout(policy: Any = "random", seats: int = 2, tables: int = TABLES) -> Play:
    """`TableBatch.rollout` by a hundred steps; counts decisions."""
    batch = make_batch(tables, seats, seed=0)

    def play() -> int:
        return batch.rollout(policy, steps=100).decisions

    return play


def aec(seats: int = 6, wrapped: bool = False) -> Play:
    """The PettingZoo environment, raw or under its guard; counts decisions."""
    make = razz_v0.env if wrapped else razz_v0.raw_env
    return aec_play(make(num_players=seats))


def seat(seats: int = 6) -> Play:
    """The Gymnasium environment against random opponents; counts the learner's decisions."""
    from razz_env.envs.seat import RazzSeatEnv

    env, rng = RazzSeatEnv(opponents=["random"] * (seats - 1)), random.Random(0)
    state = {"mask": env.reset(seed=1)[1]["action_mask"]}

    def play() -> int:
        for _ in range(20):
            _, _, terminated, _, info = env.step(random_action(state["mask"], rng))
            state["mask"] = (env.reset()[1] if terminated else info)["action_mask"]
        return 20

    return play


def vector(seats: int = 6, tables: int = TABLES) -> Play:
    """The `VecEnv` of Stable-Baselines3, random opponents; counts the learner's decisions."""
    with needed("stable-baselines3", '"razz-env[train]"'):
        from razz_env.envs.sb3 import RazzVecEnv
    env = RazzVecEnv(tables, seats, ["random"], seed=0)
    env.reset()
    actions, state = np.zeros(tables, np.int64), 1

    def play() -> int:
        nonlocal state
        state = int(choose(env.action_masks().view(np.int8), actions, state))
        env.step(actions)
        return tables

    return play


def drawing(pixels: bool = False) -> Play:
    """A full table on seventh street, scene and SVG or pixels 800 wide; counts frames."""
    from razz_env.render import rgb_array, seat_scene, table_svg

    hand = Hand.deal(8, seed=1)
    while hand.street < 7:
        hand.apply(next(action for action in hand.legal_actions() if action != Action.FOLD))
    view = hand.view(0)
    with needed("svg2png-py", '"razz-env[render]"'):
        draw: Callable[..., Any] = rgb_array if pixels else table_svg
        draw(seat_scene(view))

    def play() -> int:
        for _ in range(10):
            draw(seat_scene(view))
        return 10

    return play


def learning(env: Any = None) -> Play:
    """MaskablePPO [64, 64], minibatches of 1,024, at 64 tables heads-up; counts frames."""
    with needed("sb3-contrib", '"razz-env[train]"'):
        import torch
        from sb3_contrib import MaskablePPO

        from razz_env.envs.sb3 import RazzVecEnv
    torch.set_num_threads(1)
    tables, steps = 64, 32
    model = MaskablePPO(
        "MlpPolicy",
        RazzVecEnv(tables, 2, ["random"], seed=0) if env is None else env,
        n_steps=steps,
        batch_size=1024,
        policy_kwargs={"net_arch": [64, 64]},
        seed=0,
        device="cpu",
    )

    def play() -> int:
        model.learn(tables * steps, reset_num_timesteps=False)
        return tables * steps

    return play


def _of(name: str, unit: str, make: Callable[[], Play]) -> Contestant:
    return Contestant(name, unit, make)


LAYERS = (
    _of("lows: lowball.evaluate_batch", "hands", lows),
    _of("equity of two hands, Monte Carlo", "deals", deals),
    _of("Hand.clone", "clones", clone),
    _of("Hand, 6 seats", "decisions", hand_play),
    _of("batch deal, 6 seats", "hands", deal),
    _of("batch step, 6 seats, no observations", "decisions", lambda: step(observation=None)),
    _of("batch step, 6 seats", "decisions", step),
    _of("batch step, 2 seats", "decisions", lambda: step(2)),
    _of("batch rollout, 2 seats", "decisions", lambda: rollout(seeing_random)),
    _of("batch rollout, 2 seats, without a look", "decisions", rollout),
    _of("PettingZoo raw_env, 6 seats", "decisions", aec),
    _of("PettingZoo env, 6 seats", "decisions", lambda: aec(wrapped=True)),
    _of("Gymnasium, 6 seats", "own decisions", seat),
    _of("picture of 8 seats, SVG", "frames", drawing),
    _of("picture of 8 seats, 800 pixels wide", "frames", lambda: drawing(pixels=True)),
    _of("SB3 VecEnv, 6 seats", "own decisions", vector),
    _of("MaskablePPO, 2 seats, 64 tables", "frames", learning),
)
"""What `razz bench` times; 1,024 tables in a batch, random legal play."""
