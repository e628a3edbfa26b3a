"""Random legal play over other packages, one function for each kind of work.

Each makes a `Play` that counts decisions unless it says otherwise, or raises `Missing`. The
choice of a random legal action is part of every play, here and on our side.
"""

import contextlib
import copy
import io
import random
import warnings
from collections.abc import Callable
from typing import Any

from agents.bench.layers import SAMPLES, SITUATION, random_hands
from agents.bench.random_play import aec_play
from agents.bench.timing import Play, needed
from razz_env.rules.cards import format_card

STAKES = {"ante": 4, "bring_in": 5, "small_bet": 20, "big_bet": 40}
STACK = 500
BENCH = '"razz-env[bench]"'


def pokerkit_razz(seats: int) -> Play:
    """PokerKit's fixed-limit razz, all its automations on; it writes no observations."""
    with needed("pokerkit", BENCH):
        from pokerkit import Automation, FixedLimitRazz
    automations, rng = tuple(Automation), random.Random(0)

    def play() -> int:
        state = FixedLimitRazz.create_state(
            automations, True, *STAKES.values(), (STACK,) * seats, seats
        )
        decisions = 0
        while state.status:
            _pokerkit_choice(state, rng)()
            decisions += 1
        return decisions

    return play


def _pokerkit_choice(state: Any, rng: random.Random) -> Callable[[], Any]:
    """A legal decision, without the free folds that neither side plays."""
    choices = []
    if state.can_post_bring_in():
        choices.append(state.post_bring_in)
    if state.can_check_or_call():
        choices.append(state.check_or_call)
        if state.checking_or_calling_amount:
            choices.append(state.fold)
    if state.can_complete_bet_or_raise_to():
        choices.append(state.complete_bet_or_raise_to)
    return choices[int(rng.random() * len(choices))]


def pokerkit_copies(seats: int = 6) -> Play:
    """`copy.deepcopy` of a PokerKit state on fifth street; counts copies."""
    with needed("pokerkit", BENCH):
        from pokerkit import Automation, FixedLimitRazz
    state: Any = FixedLimitRazz.create_state(
        tuple(Automation), True, *STAKES.values(), (STACK,) * seats, seats
    )
    state.post_bring_in()
    while state.street_index < 2:
        state.check_or_call()

    def play() -> int:
        for _ in range(20):
            copy.deepcopy(state)
        return 20

    return play


def rlcard_holdem(seats: int) -> Play:
    """RLCard's limit hold'em, whose step writes an observation of 72 numbers."""
    with needed("rlcard", BENCH):
        import rlcard
    env = rlcard.make("limit-holdem", config={"game_num_players": seats, "seed": 0})
    rng = random.Random(0)

    def play() -> int:
        state, decisions = env.reset()[0], 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def pettingzoo_holdem(seats: int, wrapped: bool) -> Play:
    """PettingZoo's `texas_holdem_v4`, which is RLCard's game, raw or in its wrappers."""
    with needed("pettingzoo[classic]", BENCH), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import texas_holdem_v4
    make = texas_holdem_v4.env if wrapped else texas_holdem_v4.raw_env
    return aec_play(make(num_players=seats))


HEADS_UP_LIMIT = {
    "betting": "limit",
    "numPlayers": 2,
    "numRounds": 4,
    "blind": "20 10",
    "firstPlayer": "2 1 1 1",
    "numSuits": 4,
    "numRanks": 13,
    "numHoleCards": 2,
    "numBoardCards": "0 3 1 1",
    "raiseSize": "20 20 40 40",
    "maxRaises": "3 4 4 4",
    "stack": "500 500",
}


def openspiel_holdem() -> Play:
    """OpenSpiel's `universal_poker`, limit hold'em, the information state's tensor written."""
    return openspiel_play(_pyspiel().load_game("universal_poker", HEADS_UP_LIMIT), True)


def openspiel_leduc() -> Play:
    """OpenSpiel's `leduc_poker`, the information state's tensor written."""
    return openspiel_play(_pyspiel().load_game("leduc_poker"), True)


def openspiel_razz(seats: int) -> Play:
    """OpenSpiel's game over PokerKit's razz; it has no tensor of an information state."""
    _pyspiel()
    with needed("pokerkit", BENCH):
        from open_spiel.python.games.pokerkit_wrapper import PokerkitWrapper
    stakes = {name: STAKES[name] for name in ("bring_in", "small_bet", "big_bet")}
    stacks = " ".join([str(STACK)] * seats)
    game = {"variant": "FixedLimitRazz", "num_players": seats, "stack_sizes": stacks}
    return openspiel_play(PokerkitWrapper(game | stakes), False)


def _pyspiel() -> Any:
    with needed("open-spiel", BENCH):
        import pyspiel
    return pyspiel


def openspiel_play(game: Any, with_tensor: bool = False) -> Play:
    """A hand of a game of OpenSpiel, random legal actions and outcomes; counts decisions."""
    rng = random.Random(0)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if not state.is_chance_node():
                decisions += 1
                if with_tensor:
                    state.information_state_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        return decisions

    return play


def pgx_leduc(tables: int, fused: int = 1) -> Play:
    """Leduc hold'em of pgx in JAX on the processor: `fused` steps a call, observations written.

    The choice of the actions and the next deal are compiled into the step.
    """
    with needed("pgx", BENCH):
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental import auto_reset
    env = pgx.make("leduc_holdem")
    step = auto_reset(env.step, env.init)

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, chosen, dealt = jax.random.split(key, 3)
        odds = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(chosen, odds)
        state = jax.vmap(step)(state, actions, jax.random.split(dealt, tables))
        return (state, key), state.observation.sum(dtype=jnp.int32)

    run = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=fused))
    keys = jax.random.split(jax.random.PRNGKey(0), tables)
    carry = (jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1))
    calls = max(1, 20 // fused)

    def play() -> int:
        nonlocal carry
        for _ in range(calls):
            carry, seen = run(carry)
        jax.block_until_ready((carry, seen))
        return calls * fused * tables

    return play


def poker_equity_lows(count: int = 20_000) -> Play:
    """poker-equity's `score_batch("low_a5")`, which takes hands as text; counts hands."""
    pe = _poker_equity()
    texts = ["".join(map(format_card, row)) for row in random_hands(count)]

    def play() -> int:
        return len(pe.score_batch("low_a5", texts))

    return play


def poker_equity_deals() -> Play:
    """poker-equity's Monte Carlo of two razz hands on third street, one thread; counts deals."""
    pe = _poker_equity()

    def play() -> int:
        pe.chunk_from_text("razz", list(SITUATION), samples=SAMPLES, seed=1, threads=1)
        return SAMPLES

    return play


def _poker_equity() -> Any:
    with needed("poker-equity", BENCH), contextlib.redirect_stdout(io.StringIO()):
        import poker_equity
    return poker_equity
