"""OpenSpiel's algorithms on the game: solved where it is small, a step where it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from razz_env import Hand

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("razz_env.openspiel")


@pytest.fixture(scope="module")
def kuhn() -> Any:
    """The whole tree of `kuhn`, its suits left out, as OpenSpiel itself holds it."""
    gambit = pytest.importorskip("open_spiel.python.algorithms.gambit")
    game = pyspiel.load_game("razz(rules=kuhn,chance=ranks)")
    return pyspiel.load_efg_game(gambit.export_gambit(game))


# ---- a best response written apart: sums over all deals of Kuhn by card, no OpenSpiel in it

KUHN_CARDS = [rank * 4 + suit for rank in range(6) for suit in range(2)]


def two_card_low(down: int, up: int) -> tuple[bool, int, int]:
    """Order of a low of two cards, smaller is better: RULES 10."""
    low, high = sorted((down >> 2, up >> 2))
    return low == high, high, low


def respond(hand: Hand, seat: int, outcomes: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Best value of each own down card, summed over the other's, whose play is uniform.

    Both are in chips, for given door cards.

    outcomes [own, other]: 1 won, 0 tied, -1 lost, nan where it is one card twice.
    reach [other]: the chance that the other has acted so far as it did.
    """
    if hand.is_over:
        if len(hand.live_seats) == 1:
            weights = np.where(np.isnan(outcomes), 0.0, float(hand.payoffs[seat]))
        else:
            at_stake = float(hand.total_chips.min())  # uncalled chips are returned
            weights = np.nan_to_num(outcomes) * at_stake
        return weights @ reach
    legal = hand.legal_actions()
    values = []
    for action in legal:
        child = hand.clone()
        child.apply(action)
        share = 1.0 if hand.actor == seat else 1 / len(legal)
        values.append(respond(child, seat, outcomes, reach * share))
    return np.max(values, axis=0) if hand.actor == seat else np.sum(values, axis=0)


def best_response_value(seat: int) -> float:
    """Big bets a hand of the best response to uniform play."""
    total = 0.0
    for mine in KUHN_CARDS:
        for theirs in KUHN_CARDS:
            if mine != theirs:
                total += _value_with_doors(seat, mine, theirs)
    deals = 12 * 11 * 10 * 9
    return total / deals / 40


def _value_with_doors(seat: int, mine: int, theirs: int) -> float:
    downs = [card for card in KUHN_CARDS if card not in (mine, theirs)]
    outcomes = np.full((10, 10), np.nan)
    for i, own in enumerate(downs):
        for j, other in enumerate(downs):
            if i != j:
                ours, yours = two_card_low(own, mine), two_card_low(other, theirs)
                outcomes[i, j] = (ours < yours) - (ours > yours)
    cards = [(downs[0], mine), (downs[1], theirs)]
    first, second = cards if seat == 0 else cards[::-1]
    deck = [*first, *second, *downs[2:]]
    hand = Hand.deal(2, "kuhn", deck=deck)
    return float(respond(hand, seat, outcomes, np.ones(10)).sum())


def test_nash_conv_of_uniform_play_on_kuhn(kuhn: Any) -> None:
    expected = best_response_value(0) + best_response_value(1)  # the game sums to zero
    found = pyspiel.nash_conv(kuhn, pyspiel.UniformRandomPolicy(kuhn))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("chance", ["ranks", "cards"])
def test_nash_conv_of_uniform_play_in_python(chance: str) -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game(f"razz(rules=kuhn,chance={chance})")
    found = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert found == pytest.approx(best_response_value(0) + best_response_value(1), abs=1e-9)


def test_cfr_plus_solves_kuhn(kuhn: Any) -> None:
    solver = pyspiel.CFRPlusSolver(kuhn)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(kuhn, solver.average_policy()) < 1e-3


@pytest.mark.parametrize("text", ["razz(rules=kuhn)", "razz(rules=mini20)"])
def test_external_sampling_runs_without_the_tree(text: str) -> None:
    from open_spiel.python.algorithms import external_sampling_mccfr

    np.random.seed(1)  # noqa: NPY002 - it draws from the global generator
    game = pyspiel.load_game(text)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(3):
        solver.iteration()
    policy, state = solver.average_policy(), game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    chances = policy.action_probabilities(state)
    assert set(chances) == set(state.legal_actions())
    assert sum(chances.values()) == pytest.approx(1)


@pytest.mark.slow
def test_the_tabular_ones_run_on_the_betting_of_mini20() -> None:
    """CFR, best response and NashConv visit every node: the deck is cut down to eight cards."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import best_response, cfr, exploitability

    game = pyspiel.load_game(
        "razz(rules=mini20,deck_ranks=3,deck_suits=3,chance=ranks,max_bets_per_round=1)"
    )
    uniform = policy.UniformRandomPolicy(game)
    before = exploitability.nash_conv(game, uniform)
    assert before > 0
    state = game.new_initial_state()
    assert best_response.BestResponsePolicy(game, 0, uniform).value(state) > 0
    solver = cfr.CFRPlusSolver(game)
    for _ in range(2):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before


def test_ismcts_draws_hidden_cards() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game("razz(num_players=3)")
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=10)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    assert bot.step(state) in state.legal_actions()


def test_a_step_of_deep_cfr_on_the_full_game() -> None:
    deep_cfr = pytest.importorskip("open_spiel.python.pytorch.deep_cfr")
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    game = pyspiel.load_game("razz")
    solver = deep_cfr.DeepCFRSolver(
        game,
        policy_network_layers=(8,),
        advantage_network_layers=(8,),
        num_iterations=1,
        num_traversals=1,
        batch_size_advantage=8,
        batch_size_strategy=8,
        memory_capacity=1000,
    )
    _, losses, loss = solver.solve()
    assert all(np.isfinite(float(one)) for own in losses.values() for one in own if one is not None)
    assert loss is None or np.isfinite(float(loss))


def test_a_step_of_ppo_on_the_full_game() -> None:
    """OpenSpiel's PPO plays the first seat; the other plays uniformly."""
    ppo = pytest.importorskip("open_spiel.python.pytorch.ppo")
    torch = pytest.importorskip("torch")
    from open_spiel.python import rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    torch.set_num_threads(1)
    game, rng = pyspiel.load_game("razz"), np.random.default_rng(1)
    envs = SyncVectorEnv([rl_environment.Environment(game, seed=1)])
    agent = ppo.PPO(
        input_shape=tuple(game.information_state_tensor_shape()),
        num_actions=game.num_distinct_actions(),
        num_players=2,
        player_id=0,
        num_envs=1,
        steps_per_batch=16,
        num_minibatches=2,
        update_epochs=1,
        agent_fn=ppo.PPOAgent,
    )
    step, decisions, paid, ended = envs.reset(), 0, 0.0, False
    before = [weights.clone() for weights in agent.parameters()]
    while decisions < 16:
        player = step[0].observations["current_player"]
        legal = step[0].observations["legal_actions"][player]
        if player == 0 and decisions:
            agent.post_step([paid], [ended])
        if player == 0:
            output, decisions = agent.step(step), decisions + 1
            assert output[0].action in legal
            paid, ended = 0.0, False
        else:
            output = [_Chosen(int(rng.choice(legal)))]
        step, reward, done, _ = envs.step(output, reset_if_done=True)
        paid, ended = paid + reward[0][0], ended or done[0]
    agent.post_step([paid], [ended])
    agent.learn(step)
    after = list(agent.parameters())
    assert all(torch.isfinite(weights).all() for weights in after)
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))


class _Chosen:
    """An action as OpenSpiel's environments take it from an agent."""

    def __init__(self, action: int) -> None:
        self.action = action


def test_a_step_of_nfsp_on_the_full_game() -> None:
    nfsp = pytest.importorskip("open_spiel.python.pytorch.nfsp")
    torch = pytest.importorskip("torch")
    from open_spiel.python import rl_environment

    torch.set_num_threads(1)
    env = rl_environment.Environment(pyspiel.load_game("razz"), seed=1)
    size = env.observation_spec()["info_state"][0]
    agents = [
        nfsp.NFSP(
            seat,
            state_representation_size=size,
            num_actions=env.action_spec()["num_actions"],
            hidden_layers_sizes=[8],
            reservoir_buffer_capacity=50,
            anticipatory_param=0.5,
            batch_size=4,
            min_buffer_size_to_learn=4,
            learn_every=4,
        )
        for seat in range(2)
    ]
    for _ in range(6):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            action = agents[player].step(step).action
            assert action in step.observations["legal_actions"][player]
            step = env.step([action])
        for agent in agents:
            agent.step(step)
    losses = [loss for agent in agents for loss in np.ravel(agent.loss) if loss is not None]
    assert losses
    assert np.isfinite(np.array(losses, float)).all()
