"""Credit by seat: every decision is followed by the same seat's next one, or its own result."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
import pytest

from agents.training.columns import Choices
from agents.training.seat_buffer import SeatBuffer
from agents.training.tables import SelfPlayTables
from razz_env import Action

from ..envs.players import Preferring, RandomPlayer, caller
from ..support.errors import refused

LAMBDA = 0.8
BOLD = Preferring(Action.RAISE, Action.BET, Action.COMPLETE)
SHY = Preferring(Action.FOLD, Action.BRING_IN, Action.CHECK)


def make(sizes: list[int], steps: int, **options: Any) -> tuple[SelfPlayTables, SeatBuffer]:
    options = {"opponents": [RandomPlayer(), caller()], "seed": 5} | options
    env = SelfPlayTables(sizes, **options)
    buffer = SeatBuffer(
        steps,
        env.observation_space,
        env.action_space,
        gae_lambda=LAMBDA,
        n_envs=len(sizes),
        num_players=env.batch.num_players,
    )
    env.reset()
    return env, buffer


@dataclass
class Decision:
    """A decision as the reference knows it."""

    place: tuple[int, int]  # rollout and row of the flattened rollout
    value: float
    bounds: tuple[float, float]
    after: Decision | None = None
    result: float | None = None
    bootstrap: float | None = None

    def advantage(self) -> float | None:
        """By the textbook, along the seat's own chain; None while it is open."""
        if self.result is not None:
            return self.result - self.value
        if self.after is not None:
            return self.after.value - self.value + LAMBDA * (self.after.advantage() or 0.0)
        return None if self.bootstrap is None else self.bootstrap - self.value


@dataclass
class Reference:
    """Plain Python: what every decision should be credited with, rollout by rollout."""

    open: dict[tuple[int, int, int], Decision] = field(default_factory=dict)

    def rollout(self, number: int, steps: list[dict[str, Any]], last: dict[str, Any]) -> dict:
        chain = dict(self.open)  # the latest decision of (table, hand, seat)
        waiting = list(self.open.values())
        for row, step in enumerate(steps):
            tables = len(step["seats"])
            for table in range(tables):
                key = table, int(step["hands"][table]), int(step["seats"][table])
                bounds = float(step["low"][table]), float(step["high"][table])
                value = min(max(float(step["values"][table]), bounds[0]), bounds[1])
                decision = Decision((number, row * tables + table), value, bounds)
                if key in chain:
                    chain[key].after = decision
                chain[key] = decision
                waiting.append(decision)
                if step["ended"][table]:
                    for other in [k for k in chain if k[:2] == key[:2]]:
                        chain.pop(other).result = float(step["payoffs"][table, other[2]])
        for table in range(len(last["seats"])):
            key = table, int(last["hands"][table]), int(last["seats"][table])
            if key in chain:
                low, high = float(last["low"][table]), float(last["high"][table])
                chain[key].bootstrap = min(max(float(last["values"][table]), low), high)
        credited = {d.place: d.advantage() for d in waiting}
        self.open = {k: d for k, d in chain.items() if d.advantage() is None}
        for key, decision in chain.items():
            if key not in self.open:
                decision.bootstrap = None  # only what is still open goes on
        return {place: value for place, value in credited.items() if value is not None}


def look(env: SelfPlayTables) -> dict[str, Any]:
    turn = env.turn()
    return {
        "turn": turn,
        "hands": env.batch.hands["index"].copy(),
        "seats": turn.seats.copy(),
        "low": turn.low.copy(),
        "high": turn.high.copy(),
    }


def fill(env: SelfPlayTables, buffer: SeatBuffer, rng: np.random.Generator) -> tuple[list, dict]:
    """A rollout of random actions and values; all that the reference wants to know of it."""
    buffer.reset()
    steps, count = [], env.num_envs
    for step in range(buffer.buffer_size):
        seen = look(env)
        masks = seen["turn"].masks
        actions = (masks * (rng.random((count, 7)) + 0.01)).argmax(axis=1)
        values = rng.normal(0, 4, count).astype(np.float32)
        empty = np.zeros(count, np.float32)
        choices = Choices(actions, empty, values, empty)
        buffer.columns.add_decisions(step, seen["turn"], choices)
        ended, payoffs = env.play(actions)
        buffer.columns.add_results(step, ended, payoffs)
        steps.append(seen | {"values": values, "ended": ended.copy(), "payoffs": payoffs.copy()})
    last = look(env)
    last["values"] = rng.normal(0, 4, count).astype(np.float32)
    buffer.columns.add_next(last["turn"], last["values"])
    buffer.settle()
    return steps, last


@pytest.mark.parametrize(
    ("sizes", "steps", "options"),
    [
        ([2] * 6, 9, {"self_share": 1.0}),
        ([2] * 6, 1, {"self_share": 1.0}),
        ([6] * 5, 7, {"self_share": 0.5}),
        ([2, 8, 3, 5], 12, {"self_share": 0.4, "stacks": 45}),
        ([8] * 3, 2, {"self_share": 0.0}),
    ],
    ids=["heads-up", "one step", "six", "mixed and short", "a short rollout of eight"],
)
def test_advantages_are_those_of_a_plain_reference_by_seat(sizes, steps, options):
    env, buffer = make(sizes, steps, **options)
    rng, reference = np.random.default_rng(1), Reference()
    held: list[tuple[int, int]] = []
    credited: list[tuple[int, int]] = []
    made = 0
    for number in range(12):
        played, last = fill(env, buffer, rng)
        expected = reference.rollout(number, played, last)
        count = steps * len(sizes)
        is_open = buffer.is_open.reshape(-1)
        fresh = {
            (number, row): buffer.advantages.reshape(-1)[row] for row in np.flatnonzero(~is_open)
        }
        columns = buffer.column("advantages"), buffer.column("returns"), buffer.column("values")
        assert len(columns[0]) == buffer.num_samples == len(expected)
        late = sorted(value for place, value in expected.items() if place[0] < number)
        assert np.allclose(np.sort(columns[0][len(fresh) :]), late, atol=1e-5)
        assert buffer.held == len(late)
        for place, value in fresh.items():
            assert value == pytest.approx(expected[place], abs=1e-5)
        assert np.allclose(columns[1], columns[0] + columns[2], atol=1e-5)
        credited += expected
        made += count
        held = [d.place for d in reference.open.values()]
        assert len(held) == len(buffer._kept["values"])
    assert len(set(credited)) == len(credited) == made - len(held)


def test_credit_never_crosses_seats_or_hands():
    """Other payoffs of one seat in one hand change that seat's decisions in that hand alone."""
    env, buffer = make([6] * 4, 20, self_share=0.7)
    fill(env, buffer, np.random.default_rng(2))
    before = buffer.advantages.copy()
    step, table = (int(n[0]) for n in np.nonzero(buffer.ended))
    hand = slice(0, step + 1)  # the first hand of this table to end
    assert not buffer.ended[:step, table].any()
    for seat in range(6):
        twin_env, twin = make([6] * 4, 20, self_share=0.7)
        play, steps = twin_env.play, count()

        def changed(actions: Any, play: Any = play, steps: Any = steps) -> Any:
            ended, payoffs = play(actions)
            altered = payoffs.copy()
            altered[table, seat] += 5.0 if next(steps) == step else 0.0  # noqa: B023
            return ended, altered

        twin_env.play = changed  # type: ignore[method-assign]
        fill(twin_env, twin, np.random.default_rng(2))
        moved = twin.advantages != before
        wanted = np.zeros_like(moved)
        wanted[hand, table] = buffer.seats[hand, table] == seat
        assert (moved == wanted).all()


def test_targets_are_within_what_the_seat_can_win_or_lose():
    env, buffer = make([2, 6, 8, 4], 40, stacks=60, self_share=0.6)
    steps, _ = fill(env, buffer, np.random.default_rng(3))
    low = np.array([step["low"] for step in steps])
    high = np.array([step["high"] for step in steps])
    settled = ~buffer.is_open
    assert (buffer.returns >= low - 1e-5)[settled].all()
    assert (buffer.returns <= high + 1e-5)[settled].all()
    assert (np.array([step["values"] for step in steps]) > high).any()


def test_t03_a_fold_on_third_street_costs_the_seats_own_chips():
    """The ante, and the bring-in if that was its, also if others play on."""
    env, buffer = make([4] * 16, 30, opponents=[BOLD], self_share=0.0)
    buffer.reset()
    lost = set()
    for step in range(30):
        seen = look(env)
        folds = SHY.act(None, None, seen["turn"].masks, np.random.default_rng(0))
        zeros = np.zeros(16, np.float32)
        buffer.columns.add_decisions(step, seen["turn"], Choices(folds, zeros, zeros, zeros))
        is_brought = env.batch.hands["public"]["bring_in_seat"].copy()
        ended, payoffs = env.play(folds)
        buffer.columns.add_results(step, ended, payoffs)
        buffer.brought = [*getattr(buffer, "brought", []), is_brought]
    last = look(env)
    buffer.columns.add_next(last["turn"], np.zeros(16, np.float32))
    buffer.settle()
    folded = (buffer.actions[..., 0] == Action.FOLD) & (buffer.streets == 0) & ~buffer.is_open
    for step, table in zip(*np.nonzero(folded), strict=True):
        chips = round(float(buffer.returns[step, table]) * 40)
        brought = buffer.brought[step][table] == buffer.seats[step, table]
        assert chips == (-9 if brought else -4)
        lost.add(chips)
    assert lost == {-4, -9}


def test_t03_a_hand_that_another_seat_ends_pays_each_seat_its_own():
    """In pure self-play heads-up, a bet that the other seat folds to wins what was in."""
    env, buffer = make([2] * 8, 2, self_share=1.0)
    buffer.reset()
    zeros = np.zeros(8, np.float32)
    for step, player in enumerate((BOLD, Preferring(Action.FOLD))):
        turn = env.turn()
        actions = player.act(None, None, turn.masks, np.random.default_rng(0))
        buffer.columns.add_decisions(step, turn, Choices(actions, zeros, zeros, zeros))
        buffer.columns.add_results(step, *env.play(actions))
    buffer.columns.add_next(env.turn(), zeros)
    buffer.settle()
    assert buffer.ended[1].all()
    assert not buffer.is_open.any()
    assert (buffer.seats[0] != buffer.seats[1]).all()
    assert {round(float(x) * 40) for x in buffer.returns[1]} == {-4}
    assert {round(float(x) * 40) for x in buffer.returns[0]} == {4}


def test_every_decision_is_in_one_minibatch_and_sizes_are_even():
    env, buffer = make([3] * 5, 7)
    for _ in range(3):
        fill(env, buffer, np.random.default_rng(4))
        batches = list(buffer.batches(8))
        rows = np.concatenate(batches)
        assert sorted(rows) == sorted(buffer._samples)
        assert max(map(len, batches)) - min(map(len, batches)) <= 1
        sample = buffer.samples(batches[0])
        assert sample.observations.shape == (len(batches[0]), env.observation_space.shape[0])
        assert sample.action_masks.dtype.is_floating_point is False
    total = sum(len(sample.actions) for sample in buffer.get(8))
    assert total == buffer.num_samples


def test_restart_forgets_what_is_held_over():
    env, buffer = make([6] * 5, 3, self_share=1.0)
    fill(env, buffer, np.random.default_rng(4))
    assert buffer.is_open.any()
    buffer.restart(3)
    env.reset()
    fill(env, buffer, np.random.default_rng(4))
    assert buffer.held == 0


def test_a_discount_is_refused():
    env, _ = make([2], 2)
    with refused("gamma=0.9"):
        SeatBuffer(2, env.observation_space, env.action_space, gamma=0.9)
