"""The game and its states, by the rules of OpenSpiel for games written in Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from razz_env.openspiel.card_by_card import (
    CHANCE,
    OVER,
    CardByCard,
    Outcomes,
    RankByRank,
    action_text,
)
from razz_env.openspiel.observers import RazzObserver
from razz_env.openspiel.parameters import (
    DEFAULTS,
    longest_hand,
    most_chips,
    read_parameters,
)
from razz_env.rules.cards import DECK_SIZE
from razz_env.rules.hand import Hand
from razz_env.rules.record import MAX_SEATS
from razz_env.rules.terms import NUM_ACTIONS

SHORT_NAME = "razz"


def _game_type(utility: pyspiel.GameType.Utility) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Razz",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=DEFAULTS,
    )


ZERO_SUM = _game_type(pyspiel.GameType.Utility.ZERO_SUM)
GENERAL_SUM = _game_type(pyspiel.GameType.Utility.GENERAL_SUM)


class RazzGame(pyspiel.Game):  # type: ignore[misc]
    """Razz with explicit chance: every card is a chance node, in the order of dealing.

    Actions are the numbers of `razz_env.Action`; returns are net big bets. Parameters: see
    `razz_env.openspiel.parameters.DEFAULTS` and docs/openspiel.md.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """A game with these parameters.

        Raises:
            ValueError: an unknown or impossible value, named.
        """
        given = params or {}
        table = read_parameters(given)
        rules, big_bet = table.rules, table.rules.big_bet
        dealer = RankByRank if table.by_rank else CardByCard
        self.opening = dealer.open(table.num_players, rules, table.stacks)
        self.rules, self.by_rank = rules, table.by_rank
        lost = most_chips(table)
        won = max(sum(min(mine, other) for other in lost) - mine for mine in lost)
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=max(rules.deck_ranks, MAX_SEATS) if table.by_rank else DECK_SIZE,
            num_players=table.num_players,
            min_utility=-max(lost) / big_bet,
            max_utility=won / big_bet,
            utility_sum=None if rules.rake_basis_points else 0.0,
            max_game_length=longest_hand(table),
        )
        chosen = {name: value for name, value in given.items() if value != DEFAULTS[name]}
        super().__init__(GENERAL_SUM if rules.rake_basis_points else ZERO_SUM, info, chosen)

    def new_initial_state(self) -> "RazzState":
        """The antes are posted and no card is dealt."""
        return RazzState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: dict[str, Any] | None = None,
    ) -> RazzObserver:
        """An observer of one player's view, with or without perfect recall."""
        return RazzObserver(self.num_players(), self.by_rank, iig_obs_type, params)

    def max_chance_nodes_in_history(self) -> int:
        """Every card of the deck once, and a tie of door cards."""
        return self.rules.deck_ranks * self.rules.deck_suits + 1


class RazzState(pyspiel.State):  # type: ignore[misc]
    """A history of the game.

    What OpenSpiel asks most often is answered here rather than by its own methods, which come back
    to Python two or three times for each question; the answers are the same.

    Attributes:
        table: the hand, see `CardByCard`.
    """

    def __init__(self, game: RazzGame) -> None:
        """Use `game.new_initial_state()`."""
        super().__init__(game)
        self.table = game.opening.clone()

    @property
    def hand(self) -> Hand:
        """A copy of the hand as a `razz_env.Hand`, hidden cards included.

        Raises:
            ValueError: at chance nodes.
        """
        return self.table.hand

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or the end."""
        return self.table.player

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.table.player == OVER

    def is_chance_node(self) -> bool:
        """Whether a card is to be dealt."""
        return self.table.player == CHANCE

    def is_player_node(self) -> bool:
        """Whether a seat is to act."""
        return self.table.player >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Legal actions of a player, by default of whoever is to move; chance's outcomes, too."""
        table = self.table
        if player is None or player == table.player or table.player == CHANCE:
            return [] if table.player == OVER else table.legal()
        return []

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal()

    def chance_outcomes(self) -> Outcomes:
        """Every card that can come, or its rank, with its chance."""
        return self.table.chances()

    def _apply_action(self, action: int) -> None:
        if self.table.player == CHANCE:
            self.table.put(action)
        else:
            self.table.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.outcome_text(action) if player == CHANCE else action_text(action)

    def returns(self) -> list[float]:
        """Net big bets of every seat; zeros until the hand is over."""
        public = self.table.array[0].public
        seats = int(public.num_seats)
        if self.table.player != OVER:
            return [0.0] * seats
        net = public.stack[:seats] - public.starting_stack[:seats]
        big_bets: list[float] = (net / public.rules.big_bet).tolist()
        return big_bets

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "RazzState":
        """A history that the player cannot tell from this one, drawn by chance alone.

        What the player has not seen is drawn from its exact distribution given what it has, as
        `Hand.resample` does it; the actions of the others do not weigh.

        Args:
            player: the seat.
            sampler: gives uniform numbers from 0 to 1, as OpenSpiel's searches hand one on.
        """
        rng = np.random.default_rng(int(sampler() * 2**53))
        hand = Hand(self.table.array).resample(player, rng)
        outcomes = self.table.outcomes_of(hand)
        state: RazzState = self.get_game().new_initial_state()
        for step in self.full_history():
            state.apply_action(next(outcomes) if step.player == CHANCE else step.action)
        return state

    def __str__(self) -> str:
        """All cards that have been dealt, and the actions."""
        return str(self.table)


pyspiel.register_game(ZERO_SUM, RazzGame)
