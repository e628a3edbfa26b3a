"""A hand record looked at step by step: its scene, equities, and what a player would have done."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agents.table.hints import advice_of
from razz_env.envs.agent import Agent
from razz_env.equity import known_equities
from razz_env.history import HandRecord, Move
from razz_env.history.replay import Replays, misfit, replay
from razz_env.history.story import heading, sentence
from razz_env.render.making import hand_scene
from razz_env.render.scene import Scene
from razz_env.rules.cards import NO_CARD
from razz_env.rules.hand import Hand
from razz_env.rules.record import DOWN_CARDS, DOWN_PLACES, MUCKED, SHOWN


@dataclass(frozen=True)
class SteppedHand:
    """A record whose cards may be partly unknown, after any number of its actions.

    Unknown cards are drawn for the engine and never told: they lie face down in every scene.
    """

    record: HandRecord

    @cached_property
    def _filled(self) -> HandRecord:
        return self.record.fill(np.random.default_rng(0))

    @cached_property
    def _played(self) -> Replays:
        return replay([self._filled])

    @property
    def last_step(self) -> int:
        """The number of actions that the rules take."""
        return max(self._played.fitted[0], 0)

    @cached_property
    def disagreement(self) -> str:
        """Why the rules do not take the whole hand; empty if they do."""
        return "" if self._played.fits[0] else str(misfit(self._played, 0))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats."""
        return tuple(seat.name for seat in self.record.seats)

    @property
    def title(self) -> str:
        """Room, number, table, time and stakes."""
        return heading(self.record)

    def hand(self, step: int) -> Hand:
        """The hand in the engine after `step` actions; unknown cards are drawn ones.

        Raises:
            HistoryError: more actions than the rules take.
        """
        return self._filled.to_hand(np.random.default_rng(0), step)

    def scene(self, step: int) -> Scene:
        """What is seen after `step` actions: every card that the record knows."""
        hand = self.hand(step)
        mucked = {showing.seat: showing.mucked for showing in self.record.showings}
        public = hand.record.public
        for seat in range(hand.num_players):
            known = self._hide(hand, seat)
            if hand.is_over and public.shown[seat]:
                shows = known and not mucked.get(seat, public.shown[seat] == MUCKED)
                public.shown[seat] = SHOWN if shows else MUCKED
        return hand_scene(hand, self.names, open_cards=True)

    def _hide(self, hand: Hand, seat: int) -> bool:
        """Take the down cards that the record does not know; whether it knows all."""
        own, known = self.record.seats[seat].cards, True
        for place in range(DOWN_CARDS):
            at = DOWN_PLACES[place]
            if at < len(own) and own[at] == NO_CARD:
                hand.record.down[seat, place] = hand.record.public.shown_down[seat, place] = NO_CARD
                known = False
        return known

    def sentence(self, step: int) -> str:
        """What the last of `step` actions was; empty before the first."""
        if not 0 < step <= self.last_step:
            return ""
        moves = self._moves
        move = moves[step - 1]
        level = max((m.to_chips for m in moves[: step - 1] if m.street == move.street), default=0)
        return f"{sentence(self.record, move, level)}."

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        return self._played.moves(0)

    def equities(self, step: int) -> tuple[tuple[int, float], ...]:
        """(seat, share of the pot) of the live seats, by all cards that the record knows."""
        hand = self.hand(step)
        for seat in range(hand.num_players):
            self._hide(hand, seat)
        live = hand.live_seats
        if len(live) < 2:
            return ((live[0], 1.0),)
        found = known_equities(hand.record.public, hand.record.down)
        return tuple(zip(live, map(float, found.equities), strict=True))

    def advice(self, step: int, agent: Agent) -> str:
        """What a player would have done instead of the next action, in a sentence.

        Raises:
            AdviserFailed: the player raised an error or gave no legal answer.
        """
        hand = self.hand(step)
        if hand.actor is None:
            return "The hand is over."
        name = self.names[hand.actor]
        if not self._hide(hand.clone(), hand.actor):
            return f"The cards of {name} are not known, so no player can say."
        return f"In the place of {name}: {advice_of(agent, hand.view(hand.actor)).line}"
