"""The batch of tables: the same hands as `Hand`, whatever the batch size, threads or order."""

import copy
import hashlib
import pickle
import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from razz_env import Action, Hand, IllegalAction, make_batch
from razz_env.envs.batch import TableBatch
from razz_env.observation import encode
from razz_env.rules.action_log import logged_actions
from razz_env.rules.sealing import sealed


def choose(batch: TableBatch, tables: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """A legal action for each table that depends on its own hand alone."""
    rows = np.arange(batch.num_tables) if tables is None else tables
    public = batch.hands["public"][rows]
    noise = (batch.hands["index"][rows] * 31 + public["log_length"] * 17) % 7
    order = (np.arange(7) + noise[:, None]) % 7 + 1
    return np.argmax(batch.action_masks[rows] * order, axis=1)


def digest_of(num_tables: int, threads: int, hands: int) -> str:
    """Hash of the first hands of tables 0..7: payoffs, actors and observations on the way."""
    batch = make_batch(num_tables, 5, seed=11, threads=threads, stacks=[60, 500, 90, 500, 25])
    seen: list[list[bytes]] = [[] for _ in range(8)]
    while min(batch.hands["index"][:8]) < hands:
        rewards, dones = batch.step(choose(batch))
        for table in range(8):
            if batch.hands["index"][table] < hands or dones[table]:
                if batch.hands["index"][table] <= hands:
                    seen[table].append(rewards[table].tobytes())
                if batch.hands["index"][table] < hands:
                    seen[table].append(batch.observations[table].tobytes())
                    seen[table].append(batch.action_masks[table].tobytes())
    return hashlib.sha256(b"".join(b"".join(parts) for parts in seen)).hexdigest()


def test_batch_size_and_threads_change_nothing() -> None:
    digests = {
        digest_of(num_tables, threads, 6) for num_tables, threads in ((8, 1), (50, 1), (50, 3))
    }
    assert len(digests) == 1


def test_table_and_hand_are_those_of_hand_deal() -> None:
    batch = make_batch(6, 4, seed=3)
    for _ in range(200):
        batch.step(choose(batch))
    for table in range(6):
        index = int(batch.hands["index"][table])
        hand = Hand.deal(4, seed=3, table=table, index=index)
        played = batch.hand(table)
        for seat, action in logged_actions(played.record.public):
            assert hand.actor == seat
            hand.apply(action)
        assert hand == played


def test_what_is_shown_is_the_view_of_the_seat_to_act() -> None:
    batch = make_batch(16, 6, seed=4)
    for _ in range(60):
        batch.step(choose(batch))
        for table in range(16):
            hand = batch.hand(table)
            view = hand.view(hand.actor)
            assert batch.actors[table] == hand.actor
            assert batch.views[table] == view
            assert (batch.observations[table] == encode(view)).all()
            assert (batch.action_masks[table] == hand.action_mask()).all()


def test_observations_stay_inside_their_bounds() -> None:
    for mode in ("features", "infostate"):
        batch = make_batch(
            64, 8, seed=5, stacks=[9, 30, 500, 77, 5000, 44, 500, 12], observation=mode
        )
        for _ in range(150):
            batch.step(choose(batch))
            assert (batch.observations >= batch.spec.low).all()
            assert (batch.observations <= batch.spec.high).all()


def test_rewards_are_the_payoffs_in_big_bets_and_sum_to_zero() -> None:
    batch = make_batch(4, 3, seed=6)
    twins = [batch.hand(table) for table in range(4)]
    for _ in range(100):
        actions = choose(batch)
        for twin, action in zip(twins, actions, strict=True):
            twin.apply(action)
        rewards, dones = batch.step(actions)
        for table, twin in enumerate(twins):
            assert dones[table] == twin.is_over
            assert np.allclose(rewards[table], twin.payoffs / 40)
            if twin.is_over:
                twins[table] = batch.hand(table)
        assert np.allclose(rewards.sum(1), 0, atol=1e-5)  # float32


def test_some_tables_can_be_stepped_alone() -> None:
    batch, twin = make_batch(10, 2, seed=7), make_batch(10, 2, seed=7)
    rows = np.array([7, 2, 5])
    actions = choose(batch, rows)
    rewards, dones = batch.step(actions, tables=rows)
    assert rewards.shape == (3, 2)
    assert dones.shape == (3,)
    everyone = choose(twin)
    twin.step(everyone)
    assert batch.hands[rows].tobytes() == twin.hands[rows].tobytes()
    still = np.setdiff1d(np.arange(10), rows)
    assert batch.hands[still].tobytes() == make_batch(10, 2, seed=7).hands[still].tobytes()


def test_an_illegal_action_moves_no_table_and_is_named() -> None:
    batch = make_batch(5, 6, seed=8)
    before = batch.to_bytes()
    actions = choose(batch)
    actions[3] = Action.CHECK
    with pytest.raises(
        IllegalAction, match=r"Table 3: seat \d on third street may not CHECK; legal: "
    ):
        batch.step(actions)
    actions[3] = 9
    with pytest.raises(IllegalAction, match="may not take action 9"):
        batch.step(actions)
    assert batch.to_bytes() == before


@pytest.mark.parametrize(
    ("actions", "tables", "match"),
    [
        ([0, 0], None, "5 whole-number actions"),
        ([0.0] * 5, None, "whole-number"),
        ([0], [5], "0 to 4"),
        ([0, 0], [1, 1], "twice"),
        ([0], [-1], "0 to 4"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(actions: list, tables: list | None, match: str) -> None:
    batch = make_batch(5, 2, seed=8)
    with pytest.raises(ValueError, match=match):
        batch.step(actions, tables=tables)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"num_tables": 0}, "at least 1"),
        ({"num_tables": 4, "num_players": 9}, "2 to 8"),
        ({"num_tables": 4, "threads": 0}, "at least 1"),
        ({"num_tables": 2.5}, "whole number"),
        ({"num_tables": 4, "num_players": 2, "stacks": [4, 500]}, "no hand has a decision"),
        ({"num_tables": 4, "num_players": 2, "stacks": [4, 500, 3]}, "2 players need"),
        ({"num_tables": 4, "observation": "pictures"}, "no observation mode"),
        ({"num_tables": 4, "seed": -1}, "outside"),
        ({"num_tables": 4, "num_players": 6, "seats": 5}, "6 to 8"),
        ({"num_tables": 4, "num_players": 6, "seats": 6.0}, "whole number"),
        ({"num_tables": 4, "observation": None, "seats": 8}, "seats=8"),
        ({"num_tables": 4, "auto_deal": "no"}, "auto_deal must be True or False"),
    ],
)
def test_impossible_batches_are_refused(arguments: dict, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        make_batch(**arguments)


def test_a_saved_batch_goes_on_identically() -> None:
    batch, other = make_batch(9, 3, seed=9), make_batch(9, 3, seed=10)
    for _ in range(20):
        batch.step(choose(batch))
    other.load_bytes(batch.to_bytes())
    assert (other.observations == batch.observations).all()
    for _ in range(20):
        actions = choose(batch)
        batch.step(actions)
        other.step(actions)
        assert batch.to_bytes() == other.to_bytes()
    with pytest.raises(ValueError, match="This is not what was saved"):
        other.load_bytes(b"x")
    damaged = bytearray(batch.to_bytes())
    damaged[100] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        other.load_bytes(bytes(damaged))
    with pytest.raises(ValueError, match="9 tables of 3 seats; this one has 4 of 3"):
        make_batch(4, 3).load_bytes(batch.to_bytes())


@pytest.mark.parametrize(
    ("other", "match"),
    [
        ({"rules": "pokerstars"}, "ante in numbers is 3 there and 4 here"),
        ({"rules": {"big_bet": 60}}, "big_bet in numbers is 60 there"),
        ({"stacks": [500, 500, 90]}, r"\[90, 500, 500\] there and \[500, 500, 500\] here"),
        ({"num_tables": 6}, "6 tables"),
    ],
)
def test_a_batch_that_was_made_otherwise_is_not_loaded(other: dict, match: str) -> None:
    batch = make_batch(num_tables=5, num_players=3, seed=1)
    before = batch.to_bytes()
    saved = make_batch(**{"num_tables": 5, "num_players": 3, "seed": 1, **other}).to_bytes()
    with pytest.raises(ValueError, match=match):
        batch.load_bytes(saved)
    assert batch.to_bytes() == before


@pytest.mark.parametrize("body", [b"", b"abc"])
def test_sealed_bytes_that_hold_no_tables_are_not_loaded(body: bytes) -> None:
    batch = make_batch(5, 3)
    magic = batch.to_bytes()[: len(b"RAZZTABLES2")]
    with pytest.raises(ValueError, match=r"0 tables|not whole tables"):
        batch.load_bytes(sealed(magic, body))
    with pytest.raises(TypeError, match="bytes, not NoneType"):
        batch.load_bytes(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))]
)
def test_a_copy_of_a_batch_goes_on_identically_and_apart(copied: Any, threads: int) -> None:
    batch = make_batch(6, 3, seed=4, stacks=[90, 500, 60], threads=threads)
    for _ in range(5):
        batch.step(choose(batch))
    twin, before = copied(batch), batch.to_bytes()
    for _ in range(20):
        twin.step(choose(twin))
    assert batch.to_bytes() == before
    for _ in range(20):
        batch.step(choose(batch))
    for name in ("hands", "actors", "observations", "action_masks", "views"):
        assert getattr(batch, name).tobytes() == getattr(twin, name).tobytes(), name
    assert not twin.action_masks.flags.writeable


def test_no_tables_are_as_good_as_some() -> None:
    batch = make_batch(3, 2, seed=1)
    before = batch.to_bytes()
    batch.deal([], [], [])
    rewards, dones = batch.step([], tables=[])
    assert (rewards.shape, dones.shape) == ((0, 2), (0,))
    assert batch.to_bytes() == before


def test_tables_wait_for_deal_when_they_shall_not_deal_themselves() -> None:
    batch = make_batch(3, 2, seed=12, auto_deal=False)
    while (batch.actors >= 0).any():
        rows = np.flatnonzero(batch.actors >= 0)
        batch.step(choose(batch, rows), tables=rows)
    assert not batch.action_masks.any()
    with pytest.raises(IllegalAction, match="the hand is over"):
        batch.step([0], tables=[1])
    batch.deal([0, 2], [5, 5], [8, 8])
    assert batch.hand(0).down_cards(0) == batch.hand(2).down_cards(0)
    assert batch.hand(0).down_cards(0) == Hand.deal(2, seed=12, table=5, index=8).down_cards(0)


def test_s01_global_generators_are_neither_used_nor_touched() -> None:
    np.random.seed(1)  # noqa: NPY002  # the point is that the global generator does not matter
    random.seed(1)
    before = np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    batch = make_batch(4, 2, seed=13)
    first = batch.to_bytes()
    after = np.random.get_state()[1], random.getstate()  # noqa: NPY002
    assert (before[0] == after[0]).all()
    assert before[1] == after[1]
    np.random.rand(3)  # noqa: NPY002
    assert make_batch(4, 2, seed=13).to_bytes() == first


@pytest.mark.parametrize(
    ("tables", "numbers", "match"),
    [
        ([0, 0], [1, 2], "twice"),
        ([-1], [1], "0 to 2"),
        ([0], [-1], "from 0 to"),
        ([0], [0.5], "whole"),
        ([0], np.array([2**63], np.uint64), "from 0 to"),
        ([0, 1], [1], "2 whole"),
    ],
)
def test_impossible_deals_are_refused(tables: list, numbers: list, match: str) -> None:
    batch = make_batch(3, 2, seed=1)
    before = batch.to_bytes()
    with pytest.raises(ValueError, match=match):
        batch.deal(tables, numbers, numbers)
    with pytest.raises(ValueError, match="0 to 2"):
        batch.hand(3)
    assert batch.to_bytes() == before


def test_infostate_remembers_the_order_of_actions() -> None:
    views = []
    for order in (("bring_in", "complete", "raise"), ("complete", "raise", "raise")):
        hand = Hand.deal(2, seed=14)
        for action in order:
            hand.apply(action)
        views.append(encode(hand.view(0), "infostate"))
    assert not (views[0] == views[1]).all()


def test_room_for_more_seats_is_padded_with_zeros() -> None:
    small, padded = make_batch(4, 3, seed=15), make_batch(4, 3, seed=15, seats=8)
    for _ in range(30):
        actions = choose(small)
        small.step(actions)
        padded.step(actions)
        for row in range(4):
            ours = small.spec.split(small.observations[row])
            theirs = padded.spec.split(padded.observations[row])
            assert (theirs["up_cards"][:3] == ours["up_cards"]).all()
            assert not theirs["up_cards"][3:].any()
            assert (theirs["betting"][:, :3] == ours["betting"]).all()
            assert (theirs["present"] == [1, 1, 1, 0, 0, 0, 0, 0]).all()
            assert (theirs["round"] == ours["round"]).all()


def test_masks_cannot_be_written_so_that_an_illegal_action_passes() -> None:
    batch = make_batch(2, 3, seed=1)
    with pytest.raises(ValueError, match="read-only"):
        batch.action_masks[:] = 1
    with pytest.raises(IllegalAction, match="may not RAISE"):
        batch.step([Action.RAISE, Action.RAISE])
