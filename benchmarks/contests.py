"""Who is timed against whom, and the bar of every contest."""

import os
import time
from dataclasses import dataclass

from agents.bench import layers
from agents.bench.random_play import seeing_random
from agents.bench.timing import Contestant, Play
from benchmarks import peer_plays as peers


@dataclass(frozen=True)
class Bar:
    """A contest: `ours` shall be at least `least` times as fast as `theirs`, both by name."""

    ours: str
    theirs: str
    least: float


def _learning_alone() -> Play:
    with layers.needed("sb3-contrib", '"razz-env[train]"'):
        from benchmarks.zero_cost import ZeroCostVecEnv
    return layers.learning(ZeroCostVecEnv(64, 2))


def _threads(count: int) -> Play:
    """A batch of 16,384 tables on all cores: its threads are started where all may be used."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    batch = layers.make_batch(16_384, 6, seed=0, threads=count)
    play = layers.batch_play(batch, steps=1)
    os.sched_setaffinity(0, cores)

    def on_all_cores() -> int:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        try:
            return play()
        finally:
            os.sched_setaffinity(0, cores)

    return on_all_cores


OURS = (
    Contestant("batch step, 6 seats", "decisions", layers.step),
    Contestant(
        "batch step, 6 seats, no observations", "decisions", lambda: layers.step(observation=None)
    ),
    Contestant("batch step, 2 seats", "decisions", lambda: layers.step(2)),
    Contestant("batch rollout, 2 seats", "decisions", lambda: layers.rollout(seeing_random)),
    Contestant("batch rollout, 2 seats, without a look", "decisions", layers.rollout),
    Contestant("PettingZoo raw_env, 6 seats", "decisions", layers.aec),
    Contestant("PettingZoo env, 6 seats", "decisions", lambda: layers.aec(wrapped=True)),
    Contestant("Hand.clone", "copies", layers.clone),
    Contestant("lowball.evaluate_batch", "hands", layers.lows),
    Contestant("equity of two hands, Monte Carlo", "deals", layers.deals),
    Contestant("MaskablePPO on RazzVecEnv", "frames", layers.learning),
    Contestant(
        "batch step, 16,384 tables, 2 threads", "decisions", lambda: _threads(2), time.perf_counter
    ),
)

PEERS = (
    Contestant("PokerKit razz, 6 seats", "decisions", lambda: peers.pokerkit_razz(6)),
    Contestant("PokerKit razz, 2 seats", "decisions", lambda: peers.pokerkit_razz(2)),
    Contestant("OpenSpiel razz (PokerKit), 6 seats", "decisions", lambda: peers.openspiel_razz(6)),
    Contestant("OpenSpiel limit hold'em, 2 seats", "decisions", peers.openspiel_holdem),
    Contestant("OpenSpiel Leduc", "decisions", peers.openspiel_leduc),
    Contestant("RLCard limit hold'em, 6 seats", "decisions", lambda: peers.rlcard_holdem(6)),
    Contestant(
        "texas_holdem_v4 raw_env, 6 seats",
        "decisions",
        lambda: peers.pettingzoo_holdem(6, wrapped=False),
    ),
    Contestant(
        "texas_holdem_v4 env, 6 seats",
        "decisions",
        lambda: peers.pettingzoo_holdem(6, wrapped=True),
    ),
    Contestant("pgx Leduc, 1,024 tables", "decisions", lambda: peers.pgx_leduc(1024)),
    Contestant(
        "pgx Leduc, 1,024 tables, 100 steps fused",
        "decisions",
        lambda: peers.pgx_leduc(1024, fused=100),
    ),
    Contestant("copy.deepcopy of a PokerKit state", "copies", peers.pokerkit_copies),
    Contestant("poker-equity score_batch low_a5", "hands", peers.poker_equity_lows),
    Contestant("poker-equity razz, Monte Carlo", "deals", peers.poker_equity_deals),
    Contestant("MaskablePPO on an env that costs nothing", "frames", _learning_alone),
    Contestant(
        "batch step, 16,384 tables, 1 thread", "decisions", lambda: _threads(1), time.perf_counter
    ),
)

BARS = (
    Bar("batch step, 6 seats", "PokerKit razz, 6 seats", 400),
    Bar("batch step, 6 seats", "pgx Leduc, 1,024 tables", 1.5),
    Bar("batch step, 6 seats, no observations", "PokerKit razz, 6 seats", 600),
    Bar("batch rollout, 2 seats", "PokerKit razz, 2 seats", 1500),
    Bar("PettingZoo raw_env, 6 seats", "texas_holdem_v4 raw_env, 6 seats", 8),
    Bar("PettingZoo raw_env, 6 seats", "PokerKit razz, 6 seats", 10),
    Bar("PettingZoo env, 6 seats", "texas_holdem_v4 env, 6 seats", 7),
    Bar("Hand.clone", "copy.deepcopy of a PokerKit state", 20),
    Bar("lowball.evaluate_batch", "poker-equity score_batch low_a5", 10),
    Bar("equity of two hands, Monte Carlo", "poker-equity razz, Monte Carlo", 3),
    Bar("MaskablePPO on RazzVecEnv", "MaskablePPO on an env that costs nothing", 0.85),
    Bar("batch step, 16,384 tables, 2 threads", "batch step, 16,384 tables, 1 thread", 1.3),
)
