"""The tables of self-play: who sits where, what is shown, what is booked, and the stakes."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents.evaluation.style import count_style, no_counts
from agents.training.tables import SelfPlayTables
from razz_env import Hand, IllegalAction
from razz_env.observation import encode, spec

from ..envs.players import RandomPlayer, caller
from ..support.errors import refused
from ..support.randomness import draw_globally, global_states


def make(sizes: list[int], **options: Any) -> SelfPlayTables:
    options = {"opponents": [RandomPlayer(), caller()], "seed": 5} | options
    env = SelfPlayTables(sizes, **options)
    env.reset()
    return env


def act(env: SelfPlayTables, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    masks = env.turn().masks
    return env.play((masks * (rng.random(masks.shape) + 0.01)).argmax(axis=1))


def test_a_seat_of_the_learners_is_to_act_everywhere_and_sees_its_own_view():
    env, rng = make([2, 6, 8, 3] * 3, seats=8, self_share=0.3), np.random.default_rng(0)
    for _ in range(60):
        turn = env.turn()
        for table, names in enumerate(env.opponents):
            hand = env.batch.hand(table)
            seat = int(turn.seats[table])
            assert hand.actor == seat
            assert names[seat] == ""
            assert len(names) == [2, 6, 8, 3][table % 4]
            assert (turn.observations[table] == encode(hand.view(seat), seats=8)).all()
            assert (turn.masks[table] == hand.action_mask()).all()
            assert turn.streets[table] == int(hand.street) - 3
        act(env, rng)


def test_the_decks_are_those_of_the_seed_whatever_the_sizes():
    env, rng = make([2, 5]), np.random.default_rng(0)
    for _ in range(40):
        act(env, rng)
        for table, size in enumerate((2, 5)):
            record = env.batch.hands[table]
            dealt = Hand.deal(size, seed=5, table=table, index=int(record["index"]))
            assert (record["deck"] == dealt.record["deck"]).all()


@pytest.mark.parametrize(("share", "players"), [(1.0, 6), (0.0, 6), (0.25, 6), (0.5, 2)])
def test_seats_go_to_opponents_as_the_class_says(share, players):
    env, rng = make([players] * 400, self_share=share), np.random.default_rng(0)
    counts: Counter[int] = Counter()
    by_seat = np.zeros(players)
    for _ in range(10):
        for names in env.opponents:
            taken = np.array([name != "" for name in names])
            counts[int(taken.sum())] += 1
            by_seat += taken
        env._seats._deal(np.arange(400), env.batch.hands["index"] + 1)
    total = sum(counts.values())
    assert counts[0] / total == pytest.approx(share, abs=0.04)
    for number in range(1, players):
        assert counts[number] / total == pytest.approx((1 - share) / (players - 1), abs=0.04)
    assert counts[players] == 0
    if share < 1:
        assert by_seat / by_seat.sum() == pytest.approx(np.full(players, 1 / players), abs=0.02)
    assert rng is not None


def test_opponents_are_drawn_by_weight():
    env = make([2] * 2000, weights=[1, 3], self_share=0.0)
    names = Counter(name for row in env.opponents for name in row if name)
    assert names[caller().name] / names.total() == pytest.approx(0.75, abs=0.04)


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_opponents_of_a_hand_may_be_copies_of_one(share):
    env = make([6] * 4000, weights=[1, 3], self_share=0.0, copies_share=share)
    kinds: list[set[str]] = []
    for row in env.opponents:
        others = [name for name in row if name]
        if len(others) == 5:
            kinds.append(set(others))
    drawn_apart = 0.25**5 + 0.75**5
    copies = sum(len(kind) == 1 for kind in kinds) / len(kinds)
    assert copies == pytest.approx(share + (1 - share) * drawn_apart, abs=0.06)
    callers = Counter(name for kind in kinds if len(kind) == 1 for name in kind)
    if share == 1:
        assert callers[caller().name] / callers.total() == pytest.approx(0.75, abs=0.06)


@pytest.mark.parametrize("stacks", [500, 60, 17])
def test_results_are_everybodys_net_of_the_hand_that_was_decided(stacks):
    env, rng = make([2, 3, 6], stacks=stacks), np.random.default_rng(1)
    ended_hands = 0
    for _ in range(150):
        before = env.batch.hands["index"].copy()
        ended, rewards = act(env, rng)
        assert (env.batch.hands["index"] > before)[ended].all()
        assert not rewards[~ended].any()
        assert np.allclose(rewards.sum(axis=1), 0, atol=1e-5)
        chips = rewards * 40
        assert np.allclose(chips, chips.round(), atol=1e-3)
        ended_hands += int(ended.sum())
    assert ended_hands > 50
    assert env.report.finished_hands >= ended_hands


@pytest.mark.parametrize("stacks", [500, 60, 17])
def test_results_lie_between_the_stakes_which_only_narrow(stacks):
    """Also the wildest hands; and with short stacks the bounds themselves are reached."""
    env, rng = make([2, 3, 6, 8], stacks=stacks, self_share=0.8), np.random.default_rng(2)
    bounds: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
    reached = 0
    for _ in range(300):
        turn = env.turn()
        hands = env.batch.hands["index"].copy()
        for table, seat in enumerate(turn.seats):
            now = float(turn.low[table]), float(turn.high[table])
            kept = bounds.setdefault((table, int(hands[table]), int(seat)), [])
            if kept:
                assert kept[-1][0] <= now[0] <= now[1] <= kept[-1][1]
            kept.append(now)
        raises = rng.random((4, 7)) + 2 * np.array([0, 0, 1, 0, 1, 1, 1])
        ended, rewards = env.play((turn.masks * raises).argmax(axis=1))
        for table in np.flatnonzero(ended):
            for (t, hand, seat), kept in bounds.items():
                if (t, hand) == (table, hands[table]):
                    result = rewards[table, seat]
                    assert kept[-1][0] - 1e-5 <= result <= kept[-1][1] + 1e-5
                    reached += result in (np.float32(kept[-1][0]), np.float32(kept[-1][1]))
    if stacks < 500:
        assert reached > 20


def test_what_opponents_and_learner_won_adds_up():
    env, rng = make([3] * 20, self_share=0.0), np.random.default_rng(0)
    env.set_opponents(["caller", "random"])
    for _ in range(100):
        act(env, rng)
    hands, won = env.report.learner
    results = {name: (count, net) for name, count, net in env.report.opponents}
    assert {"caller", "random"} <= results.keys()
    assert hands > 500
    assert won + sum(net for _, net in results.values()) == pytest.approx(0, abs=1e-6)
    assert hands + sum(count for count, _ in results.values()) == pytest.approx(
        3 * env.report.finished_hands
    )


def test_s01_the_same_seed_repeats_everything_and_global_generators_are_left_alone():
    def play(disturb: bool) -> list[Any]:
        env, rng = make([2, 6], opponents=["random", "scripted:loose"]), np.random.default_rng(0)
        told: list[Any] = []
        for _ in range(60):
            if disturb:
                draw_globally()
            told += [env.turn().observations.tobytes(), env.opponents]
            told += [part.tolist() for part in act(env, rng)]
        return told

    before = global_states()
    calm = play(disturb=False)
    assert global_states() == before
    assert play(disturb=True) == calm


def test_illegal_actions_move_no_table():
    env = make([2] * 4)
    before, masks = env.batch.to_bytes(), env.turn().masks
    wrong = masks.argmax(axis=1)
    wrong[3] = int(np.flatnonzero(masks[3] == 0)[0])
    with refused("Table 3", "legal", kind=IllegalAction):
        env.play(wrong)
    assert env.batch.to_bytes() == before


def test_step_is_refused_because_no_single_reward_would_be_right():
    env = make([2] * 4)
    with refused("play(actions)", "RazzVecEnv", kind=TypeError):
        env.step(np.zeros(4, np.int64))


def test_what_does_not_fit_is_refused():
    with refused("seats=4"):
        make([2, 6], seats=4)
    with refused("opponents"):
        make([2], opponents=[])
    with refused("2 opponents need 2 weights"):
        make([2], weights=[1.0])
    assert make([2, 5]).observation_space.shape == (spec(5).size,)


def test_all_cards_are_those_of_the_others_who_are_in():
    """By rank and relative seat, behind what the policy sees."""
    env, rng = make([3, 5], all_cards=True), np.random.default_rng(0)
    size = spec(5).size
    assert env.observation_space.shape == (size + 4 * 13,)
    for _ in range(80):
        turn = env.turn()
        assert (turn.observations[:, :size] == env.batch.observations).all()
        for table, row in enumerate(turn.observations):
            assert env.observation_space.contains(row)
            record, seat = env.batch.hands[table], int(turn.seats[table])
            players = int(record["public"]["num_seats"])
            wanted = np.zeros((4, 13))
            for away in range(1, players):
                other = (seat + away) % players
                for card in record["down"][other] if record["public"]["live"][other] else ():
                    wanted[away - 1, card >> 2] += card >= 0
            assert np.allclose(row[size:], wanted.reshape(-1) / 3)
        act(env, rng)


def test_styles_are_those_of_the_hands_that_ended(monkeypatch):
    """As `count_style` counts them, hand by hand; seats of the learner's are the first player."""
    env, rng = make([2, 6, 6], self_share=0.4), np.random.default_rng(0)
    reference, seats = no_counts(2), env._seats
    finish = seats.finish

    def watched(ended: np.ndarray) -> None:
        for table in ended:
            members = (seats.opponent_of[table] >= 0).astype(np.int64)
            count_style(env.batch.hands[table : table + 1].copy(), members, reference)
        finish(ended)

    monkeypatch.setattr(seats, "finish", watched)
    for _ in range(120):
        act(env, rng)
    assert reference.sum() > 1000
    assert (env.report.styles == reference).all()


def test_a_pickle_of_the_tables_goes_on_identically():
    env = make([2, 6, 3], opponents=["random", "scripted:loose"], self_share=0.4)
    act(env, np.random.default_rng(0))
    twin = pickle.loads(pickle.dumps(env))
    for step in range(60):
        if step == 20:
            for one in (env, twin):
                one.set_opponents(["caller", "random"], [1, 3])
        ours, theirs = (act(one, np.random.default_rng(step)) for one in (env, twin))
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))
    assert env.opponents == twin.opponents
    (mine, his) = (one.report for one in (env, twin))
    assert (mine.styles == his.styles).all()
    assert mine._replace(styles=0) == his._replace(styles=0)
