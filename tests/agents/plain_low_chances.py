"""The chances of `agents.players.low_chances` in plain Python: all heights, all cards, no shortcut.

The same sums in the same order, so the results are equal to the last bit.
"""

from __future__ import annotations

from math import comb

from razz_env import Hand, HouseRules

EIGHT = 7


def deck_of(rules: HouseRules) -> set[int]:
    """All cards that are played with."""
    return {4 * rank + suit for rank in range(rules.deck_ranks) for suit in range(rules.deck_suits)}


class Table:
    """A hand as the seat to act sees it."""

    def __init__(self, hand: Hand) -> None:
        assert hand.actor is not None
        self.rules, self.me = hand.rules, hand.actor
        self.low = min(5, self.rules.third_street + len(self.rules.streets))
        self.to_come = sum(street > hand.street for street in self.rules.streets)
        shared = [] if hand.community is None else [hand.community]
        self.boards = {seat: [*hand.up_cards(seat), *shared] for seat in range(hand.num_players)}
        self.own = [*hand.down_cards(self.me), *self.boards[self.me]]
        shown = {card for board in self.boards.values() for card in board}
        self.unseen = deck_of(self.rules) - shown - {*self.own}
        self.rivals = [seat for seat in hand.live_seats if seat != self.me]
        self.last_is_down = hand.street == 7 and not shared

    def outs(self, ranks: set[int], top: int) -> int:
        """Unseen cards of other ranks than these, no higher than `top`."""
        return sum(card >> 2 <= top and card >> 2 not in ranks for card in self.unseen)

    def own_within(self, top: int) -> float:
        """Chance that the own hand ends within a height."""
        ranks = {card >> 2 for card in self.own}
        have = sum(rank <= top for rank in ranks)
        if have >= self.low or top == self.rules.deck_ranks:
            return 1.0
        if top + 1 < self.low:
            return 0.0
        each = self.outs(ranks, top) / (top + 1 - have)
        hits = [each / (len(self.unseen) - gone) for gone in range(self.to_come)]
        return fill(self.low - have, top + 1 - self.low, hits)

    def rival_within(self, seat: int, top: int, credit: float) -> float:
        """Chance that another seat does."""
        ranks = {card >> 2 for card in self.boards[seat]}
        have = sum(rank <= top for rank in ranks)
        if have >= self.low or top == self.rules.deck_ranks:
            return 1.0
        if top + 1 < self.low:
            return 0.0
        hits = [self.hole_hit(seat, top, credit) / (top + 1 - have)] * self.rules.third_street
        each, unseen = self.outs(ranks, top) / (top + 1 - have), len(self.unseen) - len(hits)
        hits += [each / (unseen - gone) for gone in range(self.to_come + self.last_is_down)]
        return fill(self.low - have, top + 1 - self.low, hits)

    def hole_hit(self, seat: int, top: int, credit: float) -> float:
        """Chance that a hole card is of a new rank within a height."""
        ranks = {card >> 2 for card in self.boards[seat]}
        starts = max(self.outs({self.boards[seat][0] >> 2}, EIGHT), 1)
        of_start = self.outs(ranks, min(top, EIGHT)) / starts
        return credit * of_start + (1.0 - credit) * (self.outs(ranks, top) / len(self.unseen))

    def win_chance(self, trusted: int, credit: float) -> float:
        """Chance to end lowest."""
        chance, own_below, above_below = 0.0, 0.0, 1.0
        for top in range(min(self.low - 1, self.rules.deck_ranks), self.rules.deck_ranks + 1):
            own, above = self.own_within(top), 1.0
            for seat in self.rivals:
                above *= 1.0 - self.rival_within(seat, top, credit if trusted >> seat & 1 else 0.0)
            tied = above_below - above
            chance += (own - own_below) * (above + tied * (1.0 - self.roughness(top, own)))
            own_below, above_below = own, above
        return chance

    def roughness(self, top: int, own: float) -> float:
        """Share of the lows of this height that beat the own one."""
        if own < 1.0 or top == self.rules.deck_ranks:
            return 0.5
        second, rest = max(card >> 2 for card in self.own if card >> 2 < top), self.low - 1
        return (comb(second, rest) + comb(second + 1, rest)) / 2.0 / comb(top, rest)


def fill(missing: int, spare: int, hits: list[float]) -> float:
    """Chance that all missing ranks come, of each card that one of those that help does."""
    odds = [float(ranks == missing) for ranks in range(6)]
    for hit in hits:
        less = [0.0, *(odds[ranks] * hit * (spare + ranks) for ranks in range(1, 6)), 0.0]
        odds = [odds[ranks] - less[ranks] + less[ranks + 1] for ranks in range(6)]
    return odds[0]
