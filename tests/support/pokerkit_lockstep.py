"""PokerKit's fixed-limit razz, driven card by card, in the words of our actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import islice

from pokerkit import (
    Automation,
    Card,
    ChipsPushing,
    FixedLimitRazz,
    Hand,
    Mode,
    RegularLowHand,
    State,
)
from pokerkit.lookups import Entry, RegularLookup

from razz_env import Action, HouseRules

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)  # dealing and burning are done by hand


class KnownCard(Card):
    """A card of PokerKit that is made once (`card_of`), so it is itself and equals no other."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


@cache
def card_of(text: str) -> Card:
    """The card of a text such as "Ah", or "??" for an unknown one."""
    (card,) = Card.parse(text)
    return KnownCard(card.rank, card.suit)


UNKNOWN = (card_of("??"),)


class RememberedLookup(RegularLookup):
    """PokerKit's table of lows, asked once for what five cards it is asked again and again."""

    __hash__ = object.__hash__

    def _get_key(self, cards: tuple[Card, ...]) -> tuple[int, bool]:
        return remembered_key(self, cards)


@lru_cache(maxsize=1024)  # a hand of eight seats has 8 * 21 fives
def remembered_key(lookup: RememberedLookup, cards: tuple[Card, ...]) -> tuple[int, bool]:
    """What `RegularLookup` makes of the cards."""
    return RegularLookup._get_key(lookup, cards)


class RememberedLow(RegularLowHand):
    """PokerKit's low, found by PokerKit, but once where it asks again and again."""

    lookup = RememberedLookup()

    @classmethod
    def from_game(cls, hole_cards: Iterable[Card], board_cards: Iterable[Card] = ()) -> Hand:
        """The best low of five cards.

        Raises:
            ValueError: fewer than five cards.
        """
        return remembered_low(tuple(hole_cards), tuple(board_cards))

    @cached_property
    def entry(self) -> Entry:
        """The place among all lows."""
        return super().entry


@lru_cache(maxsize=64)  # at most eight seats of a hand, each with five, six and seven cards
def remembered_low(hole_cards: tuple[Card, ...], board_cards: tuple[Card, ...]) -> Hand:
    """What `RegularLowHand.from_game` makes of the cards."""
    return super(RememberedLow, RememberedLow).from_game(hole_cards, board_cards)


class RememberingRazz(FixedLimitRazz):
    """PokerKit's razz with `RememberedLow` and a deck of `KnownCard`."""

    deck = tuple(card_of(repr(card)) for card in FixedLimitRazz.deck)
    hand_types = (RememberedLow,)


Dealer = Callable[[int, int, int], list[Card]]
"""Gives a seat (-1: the board) that has so many cards its next so many."""


def known_cards(cards: Sequence[str]) -> Dealer:
    """Deals every seat the seven cards of its text, in order."""
    rows = [[card_of(text[i : i + 2]) for i in range(0, 14, 2)] for text in cards]
    return lambda seat, given, count: rows[seat][given : given + count]


def from_the_top(deck: Sequence[str]) -> Dealer:
    """Deals from the top of a deck."""
    stub = map(card_of, deck)
    return lambda seat, given, count: list(islice(stub, count))


class PokerKitTable:
    """One hand of PokerKit, whose cards come from `dealer`."""

    def __init__(self, rules: HouseRules, stacks: Sequence[int], dealer: Dealer) -> None:
        self.dealer = dealer
        self.state: State = RememberingRazz.create_state(
            AUTOMATIONS,
            True,
            rules.ante,
            rules.bring_in,
            rules.small_bet,
            rules.big_bet,
            tuple(stacks),
            len(stacks),
            mode=Mode.TOURNAMENT,  # no folds without a bet
        )
        self._deal()

    def _deal(self) -> None:
        """Give every seat the cards it is due; PokerKit's burns are unknown cards."""
        state = self.state
        while self._is_due() and not self.is_short:
            if state.card_burning_status:
                state.burn_card(UNKNOWN)
            if any(state.board_dealing_counts):
                state.deal_board(self.dealer(-1, 0, state.board_dealing_count))
                continue
            seat = state.hole_dealee_index
            given = len(state.hole_cards[seat])
            count = len(state.hole_dealing_statuses[seat])
            state.deal_hole(self.dealer(seat, given, count), seat)

    def _is_due(self) -> bool:
        state = self.state
        return (
            state.card_burning_status
            or any(state.hole_dealing_statuses)
            or any(state.board_dealing_counts)
        )

    @property
    def is_short(self) -> bool:
        """Whether the stub has fewer cards than are due now; then nothing more is dealt."""
        state = self.state
        return len(state.deck_cards) < sum(map(len, state.hole_dealing_statuses))

    @property
    def has_community_card(self) -> bool:
        """Whether a card lies on the board, as it does when even mucked cards would not suffice."""
        return any(self.state.board_cards)

    @property
    def actor(self) -> int | None:
        """The seat to act."""
        return self.state.actor_index

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return not self.state.status

    @property
    def street(self) -> int:
        """3 to 7."""
        return self.state.street_index + 3

    @property
    def pot_chips(self) -> int:
        """All chips put in so far."""
        return self.state.total_pot_amount

    @property
    def stacks(self) -> list[int]:
        """Chips in front of every seat."""
        return list(self.state.stacks)

    @property
    def payoffs(self) -> list[int]:
        """Net chips of every seat."""
        return list(self.state.payoffs)

    def pots(self) -> list[int]:
        """Chips of every pot pushed, uncalled chips not counted."""
        return [sum(op.amounts) for op in self.state.operations if isinstance(op, ChipsPushing)]

    def menu(self) -> dict[Action, int]:
        """Legal actions and the chips each puts in now, in the order of `Action`."""
        state = self.state
        menu: dict[Action, int] = {}
        if state.can_fold():
            menu[Action.FOLD] = 0
        if state.can_post_bring_in():
            menu[Action.BRING_IN] = state.effective_bring_in_amount
        elif (cost := state.checking_or_calling_amount) is not None:
            menu[Action.CALL if cost else Action.CHECK] = cost
        if (to := state.min_completion_betting_or_raising_to_amount) is not None:
            menu[self._aggressive_name()] = to - state.bets[state.actor_index]
        return menu

    def _aggressive_name(self) -> Action:
        if self.state.completion_status:
            return Action.COMPLETE
        return Action.RAISE if any(self.state.bets) else Action.BET

    def apply(self, action: Action) -> None:
        """Play the action and deal whatever it brings."""
        state = self.state
        match action:
            case Action.FOLD:
                state.fold()
            case Action.CHECK | Action.CALL:
                state.check_or_call()
            case Action.BRING_IN:
                state.post_bring_in()
            case _:
                state.complete_bet_or_raise_to()
        self._deal()
