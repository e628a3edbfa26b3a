"""A state machine over the whole engine: any rules, any table, any order of what a caller may do.

Actions, refused actions, copies, saved and loaded hands and views follow one another as Hypothesis
likes; a twin that only ever plays goes along and must never differ.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from numpy.typing import NDArray

from agents.soak import PROBLEMS, problem_of
from razz_env import Action, Hand, HouseRules, IllegalAction
from razz_env.rules.cards import NO_CARD
from razz_env.rules.events import ActionTaken, AntePosted, PotAwarded, UncalledReturned
from razz_env.rules.house_rules import ALL_STREETS, CHOICES, PRESETS, check_table_size
from razz_env.rules.play import start_shuffled
from razz_env.rules.record import SHOWN

SWITCHES = ("all_in_bring_in_may_fold", "burn_cards", "fold_when_check_is_free")
OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    **{name: st.sampled_from(values) for name, values in CHOICES.items()},
    **{name: st.booleans() for name in SWITCHES},
    "max_bets_per_round": st.integers(1, 5),
    "rake_basis_points": st.integers(0, 1000),
    "rake_cap": st.integers(0, 20),
}
DECKS: dict[str, st.SearchStrategy[Any]] = {
    "deck_ranks": st.integers(3, 13),
    "deck_suits": st.integers(1, 4),
    "third_street": st.integers(1, 2),
    "streets": st.sets(st.sampled_from(ALL_STREETS[1:])).map(lambda late: (3, *sorted(late))),
}


@st.composite
def stakes(draw: st.DrawFn) -> dict[str, int]:
    """Any stakes that RULES 2 allows, small enough for short stacks to be short."""
    bring_in = draw(st.integers(1, 12))
    small_bet = bring_in + draw(st.integers(1, 30))
    big_bet = small_bet + draw(st.integers(0, 40))
    ante = draw(st.integers(0, 30))
    return {"ante": ante, "bring_in": bring_in, "small_bet": small_bet, "big_bet": big_bet}


@st.composite
def house_rules(draw: st.DrawFn) -> HouseRules:
    """A preset as it stands, or with options, stakes or deck of any kind."""
    changes: dict[str, Any] = draw(st.one_of(st.just({}), stakes()))
    changes |= draw(st.fixed_dictionaries({}, optional=OPTIONS))
    changes |= draw(st.one_of(st.just({}), st.fixed_dictionaries({}, optional=DECKS)))
    return HouseRules.preset(draw(st.sampled_from(list(PRESETS))), **changes)


def seats_served(rules: HouseRules) -> list[int]:
    """The numbers of seats that the deck and the record serve."""
    served = []
    for seats in range(2, 9):
        try:
            check_table_size(rules, seats)
        except ValueError:
            break
        served.append(seats)
    return served


class RazzMachine(RuleBasedStateMachine):
    """One hand after the other under the rules drawn first."""

    @initialize(data=st.data(), rules=house_rules(), seed=st.integers(0, 2**63 - 1))
    def sit_down(self, data: st.DataObject, rules: HouseRules, seed: int) -> None:
        served = seats_served(rules)
        assume(served)
        self.rules, self.seed, self.index = rules, seed, -1
        self.seats: int = data.draw(st.sampled_from(served), "seats")
        self.deal(data)

    @precondition(lambda self: self.hand.is_over)
    @rule(data=st.data())
    def deal(self, data: st.DataObject) -> None:
        chips = st.one_of(st.integers(1, 100), st.integers(100, 2000))
        stacks = data.draw(st.lists(chips, min_size=self.seats, max_size=self.seats), "stacks")
        self.index += 1
        self.hand = Hand.deal(self.seats, self.rules, stacks, self.seed, index=self.index)
        self.twin = self.hand.clone()

    @precondition(lambda self: not self.hand.is_over)
    @rule(data=st.data(), actions=st.integers(1, 12))
    def act(self, data: st.DataObject, actions: int) -> None:
        for _ in range(actions):
            if self.hand.is_over:
                break
            legal = self.hand.legal_actions()
            stays = [action for action in legal if action != Action.FOLD]
            folds = Action.FOLD in legal and data.draw(st.integers(0, 9), "folds at 9") == 9
            self.apply(Action.FOLD if folds else data.draw(st.sampled_from(stays), "action"))

    def apply(self, action: Action) -> None:
        seat, chips, stacks = self.hand.actor, self.hand.amount(action), self.hand.stacks
        assert seat is not None
        assert 0 <= chips <= stacks[seat]
        self.hand.apply(action)
        self.twin.apply(action)
        taken = [event for event in self.hand.events if isinstance(event, ActionTaken)][-1]
        assert (taken.seat, taken.action, taken.chips) == (seat, action, chips)
        assert taken.all_in == (chips == stacks[seat] and action != Action.FOLD)

    @rule(data=st.data())
    def try_what_is_illegal(self, data: st.DataObject) -> None:
        legal, before = self.hand.legal_actions(), self.hand.to_bytes()
        action = data.draw(st.sampled_from([a for a in Action if a not in legal]), "action")
        with pytest.raises(IllegalAction):
            self.hand.apply(action)
        assert self.hand.to_bytes() == before

    @precondition(lambda self: not self.hand.is_over)
    @rule(data=st.data())
    def play_a_copy_to_its_end(self, data: st.DataObject) -> None:
        copy, before = self.hand.clone(), self.hand.to_bytes()
        rng = np.random.default_rng(data.draw(st.integers(0, 2**32), "seed of the play"))
        while not copy.is_over:
            copy.apply(rng.choice(np.flatnonzero(copy.action_mask())))
        check(copy)
        assert self.hand.to_bytes() == before
        next_hand = {"stacks": copy.starting_stacks[::-1], "index": self.index + 1}
        fresh = Hand.deal(self.seats, self.rules, seed=self.seed, **next_hand)
        assert dealt_again(copy, **next_hand) == fresh

    @rule()
    def go_on_with_a_copy(self) -> None:
        self.hand = self.hand.clone()

    @rule()
    def save_and_load(self) -> None:
        self.hand = Hand.from_bytes(self.hand.to_bytes())

    @rule()
    def look_from_every_seat(self) -> None:
        for seat in range(self.seats):
            view = self.hand.view(seat)
            assert view.seat == seat
            assert view.public.tobytes() == self.hand.record.public.tobytes()
            assert tuple(card for card in view.down if card >= 0) == self.hand.down_cards(seat)
            shown = [s for s in range(8) if (view.public.shown_down[s] >= 0).any()]
            assert self.hand.is_over or not shown

    @rule(place=st.integers(0, 7))
    def hidden_cards_of_the_others_change_no_view(self, place: int) -> None:
        seat = place % self.seats
        other = self.hand.clone()
        other.record.deck[:] = 0
        other.record.seed = other.record.index = 0
        other.record.down[np.arange(8) != seat] = 0
        assert other.view(seat).tobytes() == self.hand.view(seat).tobytes()

    @invariant()
    def the_twin_is_the_same(self) -> None:
        assert self.hand == self.twin
        assert self.hand.rules == self.rules

    @invariant()
    def nothing_is_broken(self) -> None:
        check(self.hand)


def dealt_again(hand: Hand, stacks: NDArray[np.int64], index: int) -> Hand:
    """The next hand dealt into a used record, as a batch does; nothing of the old may be left."""
    again = hand.clone()
    again.record.index = index
    again.record.public.starting_stack[: len(stacks)] = stacks
    start_shuffled(again.record)
    return again


def check(hand: Hand) -> None:
    """The invariants of `razz soak`, and what events and pots tell about chips."""
    problem = problem_of(hand.record, hand.action_mask())
    assert not problem, PROBLEMS[problem]
    if hand.record.public.must_open:
        assert hand.bring_in_seat == hand.actor
    public = hand.record.public
    shown = np.where(public.shown == SHOWN, hand.record.down.T, NO_CARD).T
    assert (public.shown_down == shown).all(), "all down cards of those who show, and no others"
    most = hand.total_chips[list(hand.live_seats)].max()
    assert most == hand.total_chips.max(), "a folded seat has put in more than any live one"
    net = np.zeros(hand.num_players, np.int64)
    for event in hand.events:
        if isinstance(event, AntePosted | ActionTaken):
            net[event.seat] -= event.chips
        elif isinstance(event, UncalledReturned | PotAwarded):
            net[event.seat] += event.chips
    assert (hand.starting_stacks + net == hand.stacks).all()
    if hand.is_over:
        pots = sum(pot.amount for pot in hand.pots)
        assert pots + hand.returned.sum() == hand.pot_chips
        assert sum(sum(pot.shares) for pot in hand.pots) == pots - hand.rake
        assert hand.payoffs.sum() == -hand.rake


def run(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        RazzMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_nothing_that_a_caller_may_do_breaks_the_engine() -> None:
    run(examples=100, steps=25)


@pytest.mark.slow
def test_nothing_that_a_caller_may_do_breaks_the_engine_in_5_000_runs() -> None:
    run(examples=5_000, steps=50)
