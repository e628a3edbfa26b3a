"""PokerKit's fixed-limit razz, driven card by card, in the words of our actions."""

from __future__ import annotations

from collections.abc import Sequence

from pokerkit import Automation, ChipsPushing, FixedLimitRazz, Mode, State

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


class PokerKitTable:
    """One hand of PokerKit; ``cards[seat]`` are the seven cards that seat will get, in order."""

    def __init__(self, rules: HouseRules, stacks: Sequence[int], cards: Sequence[str]) -> None:
        self.cards = [[text[i : i + 2] for i in range(0, 14, 2)] for text in cards]
        self.state: State = FixedLimitRazz.create_state(
            AUTOMATIONS,
            True,
            rules.ante,
            rules.bring_in,
            rules.small_bet,
            rules.big_bet,
            tuple(stacks),
            len(cards),
            mode=Mode.TOURNAMENT,  # no folds without a bet
        )
        self._deal()

    def _deal(self) -> None:
        """Give every seat the cards it is due; PokerKit's burns are unknown cards."""
        state = self.state
        while state.can_burn_card("??") or state.can_deal_hole():
            if state.can_burn_card("??"):
                state.burn_card("??")
            seat = state.hole_dealee_index
            given = len(state.hole_cards[seat])
            count = len(state.hole_dealing_statuses[seat])
            state.deal_hole("".join(self.cards[seat][given : given + count]), seat)

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
        """Legal actions and the chips each puts in now."""
        state = self.state
        menu: dict[Action, int] = {}
        if state.can_fold():
            menu[Action.FOLD] = 0
        if state.can_post_bring_in():
            menu[Action.BRING_IN] = state.effective_bring_in_amount
        elif state.can_check_or_call():
            cost = state.checking_or_calling_amount
            menu[Action.CALL if cost else Action.CHECK] = cost
        if state.can_complete_bet_or_raise_to():
            to = state.min_completion_betting_or_raising_to_amount
            menu[self._aggressive_name()] = to - state.bets[state.actor_index]
        return dict(sorted(menu.items()))

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
