"""The rules of RULES 1-5 and 7 written a second time, plainly: the oracle for all-in hands.

Slow, readable, and written from the rule book without a look at the engine. Two to seven seats,
so that the deck never runs short.
"""

from __future__ import annotations

from collections.abc import Sequence

from razz_env import Action, HouseRules

from .lows import low_key_of_cards

AGGRESSIVE = (Action.COMPLETE, Action.BET, Action.RAISE)


class PlainTable:
    """One hand; ``cards[seat]`` are seven card ints: down down up up up up down."""

    def __init__(
        self, rules: HouseRules, stacks: Sequence[int], cards: Sequence[Sequence[int]]
    ) -> None:
        self.rules = rules
        self.cards = cards
        self.num_players = len(stacks)
        self.seats = range(len(stacks))
        self.starting_stacks = list(stacks)
        self.antes = [min(rules.ante, s) for s in stacks]
        self.stacks = [s - a for s, a in zip(stacks, self.antes, strict=True)]
        self.total = list(self.antes)
        self.folded: set[int] = set()
        self.aggressors: dict[int, int] = {}
        self.street = 2
        self.actor: int | None = None
        self.is_over = False
        self._next_street()

    # --- who is there -------------------------------------------------------------------------

    def live(self) -> list[int]:
        """Seats that have not folded."""
        return [s for s in self.seats if s not in self.folded]

    def with_chips(self) -> list[int]:
        """Live seats that are not all-in."""
        return [s for s in self.live() if self.stacks[s]]

    def clockwise(self, start: int) -> list[int]:
        """All seats in turn, from ``start``."""
        return [(start + i) % self.num_players for i in self.seats]

    # --- streets ------------------------------------------------------------------------------

    def _next_street(self) -> None:
        self.street += 1
        if self.street == 8:
            self._finish()
            return
        self.chips = [0] * self.num_players  # put in on this street
        self.level = 0  # L, the last full level
        self.wager = 0  # what a call makes the street total
        self.bets = 0
        self.spoken: set[int] = set()
        self.acted_on_level: set[int] = set()
        self.opening = self.street == 3  # nobody has brought in or completed yet
        self.first_to_act = self._first_by_cards()
        self._seek_actor(self.first_to_act)

    def board(self, seat: int) -> Sequence[int]:
        """The exposed cards of a seat."""
        return self.cards[seat][2 : min(self.street, 6)]

    def _first_by_cards(self) -> int:
        if self.street == 3:  # highest door, by rank and then suit
            return max(self.seats, key=lambda s: self.cards[s][2])
        keys = {s: low_key_of_cards(self.board(s)) for s in self.live()}
        lowest = [s for s in keys if keys[s] == min(keys.values())]
        if self.rules.board_tie == "high_suit":  # of the highest rank, the highest suit
            return max(lowest, key=lambda s: max(self.board(s)))
        return lowest[0]

    def _seek_actor(self, start: int) -> None:
        """The next seat that has something to decide; else the next street."""
        self.actor = next((s for s in self.clockwise(start) if self._must_act(s)), None)
        if self.actor is None:
            self._next_street()

    def _must_act(self, seat: int) -> bool:
        if seat not in self.with_chips():
            return False
        if self.call_cost(seat):
            return True
        if len(self.with_chips()) == 1:
            return False
        return seat not in self.spoken

    # --- what may be done ---------------------------------------------------------------------

    def call_cost(self, seat: int) -> int:
        """Chips a call puts in; never more than some live opponent could still match."""
        matchable = max(self.chips[s] + self.stacks[s] for s in self.live() if s != seat)
        owed = min(self.wager, matchable) - self.chips[seat]
        return max(0, min(owed, self.stacks[seat]))

    @property
    def size(self) -> int:
        """The bet of the street."""
        return self.rules.small_bet if self.street <= 4 else self.rules.big_bet

    def full_target(self) -> int:
        """The street total of a full complete, bet or raise."""
        if self.rules.short_all_in_raise == "full_on_top" and self.bets:
            return self.wager + self.size
        return self.level + self.size

    def may_be_aggressive(self, seat: int) -> bool:
        """Cap, reopening, own chips and an opponent with chips."""
        return (
            self.bets < self.rules.max_bets_per_round
            and seat not in self.acted_on_level
            and self.stacks[seat] > self.call_cost(seat)
            and any(s != seat for s in self.with_chips())
        )

    def aggressive_name(self) -> Action:
        """COMPLETE, BET or RAISE (RULES 3)."""
        if self.street == 3:
            return Action.RAISE if self.bets else Action.COMPLETE
        return Action.RAISE if self.wager else Action.BET

    def menu(self) -> dict[Action, int]:
        """Legal actions of the actor and the chips each puts in now."""
        if self.opening:
            return self._opening_menu()
        seat = self.actor
        menu: dict[Action, int] = {}
        cost = self.call_cost(seat)
        if cost or self.rules.fold_when_check_is_free:
            menu[Action.FOLD] = 0
        menu[Action.CALL if cost else Action.CHECK] = cost
        if self.may_be_aggressive(seat):
            need = self.full_target() - self.chips[seat]
            menu[self.aggressive_name()] = min(need, self.stacks[seat])
        return menu

    def _opening_menu(self) -> dict[Action, int]:
        stack = self.stacks[self.actor]
        menu: dict[Action, int] = {}
        if self.actor != self.first_to_act and self.rules.all_in_bring_in_may_fold:
            menu[Action.FOLD] = 0
        menu[Action.BRING_IN] = min(stack, self.rules.bring_in)
        if stack > self.rules.bring_in:
            menu[Action.COMPLETE] = min(stack, self.rules.small_bet)
        return menu

    # --- doing it -----------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Play a legal action."""
        seat, chips = self.actor, self.menu()[action]
        self.stacks[seat] -= chips
        self.chips[seat] += chips
        self.total[seat] += chips
        self.spoken.add(seat)
        if action == Action.FOLD:
            self.folded.add(seat)
        elif action == Action.BRING_IN:
            short = self.rules.short_bring_in_call == "short"
            self.wager = chips if short else self.rules.bring_in
        elif action in AGGRESSIVE:
            self._raise_to(self.chips[seat])
            self.aggressors[self.street] = seat
        self.acted_on_level.add(seat)
        if action != Action.FOLD:
            self.opening = False
        if len(self.live()) == 1:
            self._finish()
        else:
            self._seek_actor(seat + 1)

    def _raise_to(self, to: int) -> None:
        mode, target = self.rules.short_all_in_raise, self.full_target()
        self.wager = max(self.wager, to)
        if to == target:
            self._full_bet(to)
        elif mode == "full_on_top":
            self.bets += 1
        elif 2 * (to - self.level) >= self.size:
            self._full_bet(to if mode == "half_bet" else target)

    def _full_bet(self, level: int) -> None:
        self.level = level
        self.bets += 1
        self.acted_on_level = set()

    # --- settling -----------------------------------------------------------------------------

    def _finish(self) -> None:
        self.is_over, self.actor = True, None
        self.all_in = any(not self.stacks[s] for s in self.live())
        second, first = sorted(self.total)[-2:]
        self.returned = [0] * self.num_players
        if first > second:
            self.returned[self.total.index(first)] = first - second
        kept = [t - r for t, r in zip(self.total, self.returned, strict=True)]
        self.pots = self._layers(kept)
        self.shares = [self._split(amount, eligible) for amount, eligible in self.pots]
        won = [sum(share.get(s, 0) for share in self.shares) for s in self.seats]
        self.payoffs = [w - k for w, k in zip(won, kept, strict=True)]
        self.showdown = self._showdown() if len(self.live()) > 1 else []

    def _layers(self, kept: list[int]) -> list[tuple[int, list[int]]]:
        """Layers between the totals of live seats; the rest of folded seats joins the top one."""
        pots, below = [], 0
        cuts = sorted({kept[s] for s in self.live()})
        for cut in cuts:
            top = max(kept) if cut == cuts[-1] else cut
            amount = sum(min(k, top) - min(k, below) for k in kept)
            pots.append((amount, [s for s in self.live() if kept[s] >= cut]))
            below = cut
        return [pot for pot in pots if pot[0]]

    def _split(self, amount: int, eligible: list[int]) -> dict[int, int]:
        keys = {s: low_key_of_cards(self.cards[s]) for s in eligible}
        if len(self.live()) == 1:
            return {eligible[0]: amount}
        winners = [s for s in eligible if keys[s] == min(keys.values())]
        share, odd = divmod(amount, len(winners))
        shares = dict.fromkeys(winners, share)
        if self.rules.odd_chip == "first_seat":
            shares[winners[0]] += odd
        else:
            for seat in sorted(winners, key=self._odd_chip_key)[:odd]:
                shares[seat] += 1
        return shares

    def _odd_chip_key(self, seat: int) -> int:
        if self.rules.odd_chip == "low_suit":
            return min(self.cards[seat])
        highest = max(low_key_of_cards(self.cards[seat])[1])
        return -max(c for c in self.cards[seat] if c // 4 == highest)

    def _showdown(self) -> list[tuple[int, bool]]:
        """(seat, mucked) in order."""
        shown, best = [], None
        for seat in (s for s in self.clockwise(self._first_to_show()) if s in self.live()):
            key = low_key_of_cards(self.cards[seat])
            mucks = not self.all_in and best is not None and key > best
            best = key if best is None else min(best, key)
            shown.append((seat, mucks))
        return shown

    def _first_to_show(self) -> int:
        if 7 in self.aggressors:
            return self.aggressors[7]
        if self.rules.showdown_order == "first_seat":
            return 0
        if self.rules.showdown_order == "last_aggressor" and self.aggressors:
            return self.aggressors[max(self.aggressors)]
        return self.first_to_act
