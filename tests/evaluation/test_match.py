"""Duplicate matches: fairness, independence, the decks, faults of players."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from agents.evaluation import AgentFault, play_match, rate
from agents.evaluation.asking import SeatedAgent
from agents.evaluation.duplicate import DECKS_PER_BLOCK, DuplicateTables, play_hands
from agents.evaluation.seeds import deck_seed, player_rng
from razz_env import Action, Hand, HouseRules, make_batch
from razz_env.observation import spec

from ..support.errors import refused
from .players import LowDoor, Preferring, Stumbling, Uniform, Watching, caller, raiser

PLAYERS = [caller, raiser, Uniform, LowDoor]


# ---- what duplicate promises


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("num_players", [2, 4])
def test_e03_a_player_against_itself_scores_zero_in_every_deck(
    player: Any, num_players: int
) -> None:
    result = play_match(player(), player(), decks=1000, num_players=num_players)
    assert result.decks == 1000
    assert not result.deck_chips.any()
    assert (result.bb_per_100, result.standard_error, result.low, result.high) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("a", "b"), [(Uniform, caller), (LowDoor, Uniform), (raiser, LowDoor), (caller, LowDoor)]
)
def test_e03_exchanging_the_players_changes_only_the_sign(a: Any, b: Any) -> None:
    one, other = (play_match(*pair, decks=1300, seed=5) for pair in [(a(), b()), (b(), a())])
    assert one.deck_chips.any()
    np.testing.assert_array_equal(one.deck_chips, -other.deck_chips)
    assert one.bb_per_100 == -other.bb_per_100
    assert one.standard_error == other.standard_error
    assert (one.low, one.high) == (-other.high, -other.low)


def test_two_different_players_of_one_name_are_exchanged_fairly_too() -> None:
    namesake = LowDoor()
    namesake.name = Uniform.name
    one, other = play_match(namesake, Uniform(), 600), play_match(Uniform(), namesake, 600)
    assert one.deck_chips.any()
    np.testing.assert_array_equal(one.deck_chips, -other.deck_chips)


@pytest.mark.parametrize("num_players", [2, 3, 8])
def test_the_line_up_wins_nothing_together(num_players: int) -> None:
    lineup = [raiser(), *[Uniform()] * (num_players - 1)]
    chips = DuplicateTables(lineup, 3, "full_tilt", 500).play_block(0, 200).chips
    assert chips.shape == (200, num_players)
    assert not chips.sum(axis=1).any()
    assert chips.any(axis=0).all()


def test_one_player_sits_in_every_seat_of_every_deck() -> None:
    """Told by a player that folds whatever it can: it loses what its seats must post."""
    hands = [Hand.deal(3, seed=deck_seed(1), index=deck, stacks=300) for deck in range(40)]
    posted = [sum(_loss_by_folding(hand, seat) for seat in range(3)) for hand in hands]
    result = play_match(_folder(), _folder(), 40, seed=1, stacks=300, num_players=3)
    assert result.deck_chips.tolist() == [0] * 40
    against = play_match(_folder(), raiser(), 40, seed=1, stacks=300, num_players=3)
    assert against.deck_chips.tolist() == posted


def _folder() -> Preferring:
    return Preferring("folder", Action.CHECK, Action.FOLD)


def _loss_by_folding(hand: Hand, seat: int) -> int:
    brings_in = hand.bring_in_seat == seat
    return -(hand.rules.ante + brings_in * hand.rules.bring_in)


def test_a_caller_beats_random_play_clearly() -> None:
    result = play_match(caller(), Uniform(), decks=10_000, seed=2)
    assert result.low > 3


# ---- what a result depends on


@pytest.mark.parametrize("players", [(Uniform, LowDoor), (raiser, Uniform)])
def test_blocks_are_the_same_in_any_order_and_on_any_tables(players: Any) -> None:
    whole = play_match(players[0](), players[1](), decks=2 * DECKS_PER_BLOCK + 300, seed=9)
    sizes = {0: DECKS_PER_BLOCK, 1: DECKS_PER_BLOCK, 2: 300}
    parts = {}
    for block in (2, 0, 1):
        tables = DuplicateTables([player() for player in players], 9, "full_tilt", 500)
        parts[block] = tables.play_block(block, sizes[block]).chips[:, 0]
    together = np.concatenate([parts[block] for block in range(3)])
    np.testing.assert_array_equal(whole.deck_chips, together)


def test_a_longer_match_repeats_the_whole_blocks_of_a_shorter_one() -> None:
    short, long = (play_match(Uniform(), LowDoor(), decks) for decks in (1000, 1500))
    np.testing.assert_array_equal(short.deck_chips, long.deck_chips[:1000])


def test_a_player_without_randomness_plays_a_deck_alike_in_any_match() -> None:
    short, long = (play_match(_folder(), raiser(), decks) for decks in (7, 1207))
    assert short.deck_chips.any()
    np.testing.assert_array_equal(short.deck_chips, long.deck_chips[:7])


def test_one_match_repeats_and_another_seed_differs() -> None:
    results = [play_match(Uniform(), LowDoor(), 500, seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1]
    np.testing.assert_array_equal(results[0].deck_chips, results[1].deck_chips)
    assert (results[0].deck_chips != results[2].deck_chips).any()


def test_every_match_under_a_seed_has_the_documented_decks() -> None:
    tables = DuplicateTables([caller(), Uniform(), Uniform()], 11, "pokerstars", 500)
    tables.play_block(1, 20)
    for place, record in enumerate(tables._batch.hands[:20]):
        hand = Hand.deal(3, "pokerstars", 500, deck_seed(11), index=DECKS_PER_BLOCK + place)
        assert record.deck.tolist() == hand.record.deck.tolist()


def test_the_decks_are_not_those_of_training_under_the_same_number() -> None:
    seeds = range(200)
    derived = [deck_seed(seed) for seed in seeds]
    assert len(set(derived)) == 200
    assert not set(derived) & set(seeds)
    spawned = np.random.SeedSequence(0).spawn(200)
    assert deck_seed(0) not in {
        int(child.generate_state(1, np.uint64)[0] >> 1) for child in spawned
    }
    with refused("seed", -1, kind=ValueError):
        deck_seed(-1)


def test_players_draw_from_streams_of_their_own() -> None:
    ab, ba = ("a", "b"), ("b", "a")
    keys = [(0, 0, 0, ab), (1, 0, 0, ab), (0, 1, 0, ab), (0, 0, 1, ab), (0, 0, 0, ba)]
    draws = [tuple(player_rng(*key).random(4)) for key in keys]
    assert len(set(draws)) == len(keys)
    assert tuple(player_rng(0, 0, 0, ab).random(4)) == draws[0]


def test_e01_a_match_leaves_the_global_random_state_alone() -> None:
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    play_match(Uniform(), LowDoor(), decks=300)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # noqa: NPY002


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "num_players"), [(LowDoor, raiser, 2), (LowDoor, Uniform, 3)])
def test_intervals_are_as_wide_as_results_scatter(a: Any, b: Any, num_players: int) -> None:
    """It takes independent decks: no number that a player draws may serve two of them.

    The ratio of 2,000 results scatters by 0.03; shared draws made it 1.17 at three seats.
    """
    results = [play_match(a(), b(), 300, seed, num_players=num_players) for seed in range(2000)]
    ratings = np.array([result.bb_per_100 for result in results])
    errors = np.array([result.standard_error for result in results])
    covered = [result.low <= ratings.mean() <= result.high for result in results]
    assert ratings.var() / np.mean(errors**2) == pytest.approx(1, abs=0.1)
    assert 0.93 <= np.mean(covered) <= 0.97


# ---- what players are shown


def test_a_player_gets_observations_unless_it_says_that_it_needs_none() -> None:
    asks, silent = Watching(), Watching(needs_observations=False)
    play_match(asks, silent, decks=20, num_players=3)
    assert asks.widths == {spec(3).size}
    assert silent.widths == {0}


def test_a_player_forgets_before_every_block_and_rotation() -> None:
    player = Watching()
    play_match(player, caller(), decks=DECKS_PER_BLOCK + 1)
    assert player.resets == 4


def test_a_player_cannot_reach_the_tables_through_what_it_is_shown() -> None:
    class Scribbling(Watching):
        def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
            actions = super().act(views, observations, masks, rng)
            views["public"]["stack"] = 0
            masks[:] = 1
            return actions

    scribbled = play_match(Scribbling(), raiser(), decks=50)
    clean = play_match(Watching(), raiser(), decks=50)
    np.testing.assert_array_equal(scribbled.deck_chips, clean.deck_chips)


# ---- players that fail


def guilty_deck(seed: int, card: int, decks: int) -> int:
    """The first deck whose seat 0, where the first player sits first, has that first down card."""
    hands = (Hand.deal(2, seed=deck_seed(seed), index=deck) for deck in range(decks))
    return next(deck for deck, hand in enumerate(hands) if hand.down_cards(0)[0] == card)


@pytest.mark.parametrize("number", [int(Action.COMPLETE) + 10, -1, int(Action.RAISE)])
def test_an_illegal_action_is_named_with_player_deck_and_seat(number: int) -> None:
    deck = guilty_deck(0, 17, 500)
    with pytest.raises(AgentFault) as caught:
        play_match(Stumbling(17, number), caller(), decks=500)
    fault = caught.value
    assert (fault.agent, fault.seat) == ("stumbling", 0)
    hand = Hand.deal(2, seed=deck_seed(0), index=fault.deck or 0)
    assert hand.down_cards(0)[0] == 17
    assert fault.deck is not None
    assert fault.deck >= deck
    for part in ("'stumbling'", "seat 0", f"deck {fault.deck}", "third street", "legal:"):
        assert part in str(fault)


def test_an_exception_is_named_with_player_deck_and_seat() -> None:
    with pytest.raises(AgentFault) as caught:
        play_match(Stumbling(30, ZeroDivisionError("by zero")), caller(), decks=500)
    fault = caught.value
    assert isinstance(fault.__cause__, ZeroDivisionError)
    hand = Hand.deal(2, seed=deck_seed(0), index=fault.deck or 0)
    assert hand.down_cards(0)[0] == 30
    for part in ("'stumbling'", "seat 0", f"deck {fault.deck}", "ZeroDivisionError", "by zero"):
        assert part in str(fault)


def test_the_other_player_is_named_if_it_is_the_guilty_one() -> None:
    with pytest.raises(AgentFault) as caught:
        play_match(caller(), Stumbling(30, ZeroDivisionError()), decks=500)
    assert (caught.value.agent, caught.value.seat) == ("stumbling", 1)


def test_an_exception_that_does_not_come_again_is_named_with_its_decks() -> None:
    class Once(Watching):
        failed = False

        def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
            if not self.failed:
                self.failed = True
                raise OSError("lost")
            return super().act(views, observations, masks, rng)

    with pytest.raises(
        AgentFault, match=r"On decks 0 to .* 'watching' in seat . raised OSError: lost"
    ) as it:
        play_match(Once(), caller(), decks=100)
    assert it.value.deck is None


@pytest.mark.parametrize("answer", [np.zeros(3, int), np.zeros((2, 2), int), np.array(["CALL"])])
def test_an_answer_of_the_wrong_kind_is_refused(answer: Any) -> None:
    with pytest.raises(AgentFault, match=r"'stumbling' in seat 0 was asked for .* whole numbers"):
        play_match(Stumbling(5, answer), caller(), decks=500)


def test_floats_are_no_actions_and_an_interrupt_is_no_fault() -> None:
    class Floats(Watching):
        def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
            return super().act(views, observations, masks, rng) * 1.0

    class Interrupted(Watching):
        def act(self, views: Any, observations: Any, masks: Any, rng: Any) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(AgentFault, match="float64"):
        play_match(Floats(), caller(), decks=5)
    with pytest.raises(KeyboardInterrupt):
        play_match(Interrupted(), caller(), decks=5)


# ---- arguments and results


def test_a_result_knows_what_was_played() -> None:
    rules = HouseRules(ante=2, bring_in=3, small_bet=10, big_bet=20)
    result = play_match(caller(), raiser(), 30, 4, rules, [200, 100, 300], num_players=3)
    assert (result.agent, result.opponent) == ("caller", "raiser")
    assert (result.num_players, result.decks, result.hands) == (3, 30, 90)
    assert (result.seed, result.rules, result.stacks) == (4, rules, (200, 100, 300))
    assert result.seconds > 0
    with pytest.raises(FrozenInstanceError):
        result.decks = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"decks": 1}, ["decks=1", "2"]),
        ({"decks": 2.5}, ["decks", "2.5"]),
        ({"seed": -1}, ["seed", "-1"]),
        ({"num_players": 1}, ["2 to 8", "not 1"]),
        ({"num_players": 9}, ["2 to 8", "not 9"]),
        ({"num_players": "two"}, ["players", "two"]),
        ({"rules": "fulltilt"}, ["full_tilt"]),
        ({"stacks": [500]}, ["2 players"]),
        ({"stacks": 3}, ["no hand"]),
        ({"agent_b": "no such player"}, ["no such player"]),
        ({"agent_b": Uniform}, ["Uniform()"]),
    ],
)
def test_nonsense_is_refused_with_one_sentence(wrong: dict[str, Any], words: list[str]) -> None:
    arguments = {"agent_a": caller(), "agent_b": caller(), "decks": 5} | wrong
    with refused(*words):
        play_match(**arguments)


def test_rate_plays_all_opponents_with_the_same_decks() -> None:
    calls: list[tuple[int, int]] = []
    results = rate(
        LowDoor(), [caller(), raiser()], decks=1200, seed=3, progress=lambda *now: calls.append(now)
    )
    assert [result.opponent for result in results] == ["caller", "raiser"]
    for result, opponent in zip(results, [caller(), raiser()], strict=True):
        assert result == play_match(LowDoor(), opponent, decks=1200, seed=3)
    assert calls == [(1000, 2400), (1200, 2400), (2200, 2400), (2400, 2400)]


def test_rate_refuses_unknown_players_before_the_first_match() -> None:
    watching = Watching()
    with refused("no such player"):
        rate(watching, [caller(), "no such player"], decks=5)
    assert watching.resets == 0


def test_finished_hands_stay_on_the_tables_in_the_order_of_the_decks() -> None:
    batch = make_batch(8, 2, seed=1, observation=None, auto_deal=False)
    players = [SeatedAgent(caller(), seat, player_rng(0, 0, seat, "xy"), None) for seat in range(2)]
    decks = np.array([7, 3, 12])
    net = play_hands(batch, players, decks)
    assert batch.hands["index"][:3].tolist() == [7, 3, 12]
    for place in range(3):
        assert batch.hand(place).is_over
        assert batch.hand(place).payoffs.tolist() == net[place].tolist()
