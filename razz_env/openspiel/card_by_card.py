"""A hand whose cards are decided one by one: the chance nodes of the OpenSpiel game.

The hand is the project's own record, played by the project's own kernels. It stands still where a
street is due until all cards of that street are decided; they are laid on top of the stub in the
order of dealing and the street is dealt. What is not decided yet lies below in any order and is
never looked at.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from razz_env._jit import atomic, kernel, ready
from razz_env.rules.action_log import logged_actions
from razz_env.rules.betting import SEVENTH, THIRD, legal_actions
from razz_env.rules.cards import DECK_SIZE, NO_CARD, format_card, format_cards
from razz_env.rules.dealing import cards_due, fill_deck, lay_card, must_mix, serves_seventh
from razz_env.rules.hand import Hand, IllegalAction, refusal
from razz_env.rules.house_rules import HouseRules
from razz_env.rules.play import go_on, post_antes, street_due, take_turn
from razz_env.rules.record import CARDS_PER_SEAT, HAND, MAX_SEATS, UP_CARDS, Record
from razz_env.rules.saved_hands import check_hands
from razz_env.rules.setup import StacksLike, blank_hands
from razz_env.rules.terms import NUM_ACTIONS, Action

CHANCE: Final = -1
OVER: Final = -4
"""Who is to move where no seat is, by OpenSpiel's numbers."""

Outcomes = list[tuple[int, float]]

_REFUSED = -1000
_SEAT_BITS = 3
_SEAT_MASK = (1 << _SEAT_BITS) - 1
_LEGAL = [[a for a in range(NUM_ACTIONS) if bits >> a & 1] for bits in range(1 << NUM_ACTIONS)]
"""Set of actions as bits -> their numbers in rising order."""

_scratch = np.zeros(NUM_ACTIONS, np.int8)  # written and read within one kernel that keeps the GIL


class CardByCard:
    """A running hand in which chance is explicit; every outcome is a card.

    Attributes:
        array: HAND[1], the record.
        player: seat to act, CHANCE or OVER.
    """

    __slots__ = ("_chosen", "_due", "_left", "_legal", "array", "player")

    array: NDArray[Any]
    player: int

    @classmethod
    def open(cls, num_players: int, rules: HouseRules, stacks: StacksLike) -> "CardByCard":
        """A hand of which the antes are posted and no card is decided.

        Raises:
            ValueError: anything out of range, named with its value.
        """
        table = cls.__new__(cls)
        table.array = blank_hands(1, num_players, rules, stacks)
        fill_deck(table.array[0])
        table._left = table.array[0].deck[table.array[0].deck != NO_CARD].tolist()
        table._chosen = []
        table._arrive(int(_begin(table.array)))
        return table

    def clone(self) -> "CardByCard":
        """An independent copy that goes on identically."""
        twin = self.__class__.__new__(self.__class__)
        twin.array = np.frombuffer(bytearray(self.array.tobytes()), HAND)
        twin.player, twin._due, twin._legal = self.player, self._due, self._legal
        twin._left, twin._chosen = self._left[:], self._chosen[:]
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> "CardByCard":
        return self.clone()

    def __getstate__(self) -> tuple[Any, ...]:
        record = self.array.tobytes()
        return record, self.player, self._due, self._legal, self._left, self._chosen

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        record, self.player, self._due, self._legal, self._left, self._chosen = state
        self.array = np.frombuffer(bytearray(record), HAND)
        check_hands(self.array, may_be_due=True)

    @property
    def hand(self) -> Hand:
        """A copy of the hand, for all that `Hand` can tell.

        Raises:
            ValueError: cards are due: the hand stands between two streets.
        """
        if self.player == CHANCE:
            raise ValueError(
                "Cards are due here, so there is no hand to look at: apply chance outcomes first."
            )
        return Hand(self.array.copy())

    def legal(self) -> list[int]:
        """Numbers of the seat's legal actions or of the possible outcomes, rising."""
        return self._outcomes() if self.player == CHANCE else _LEGAL[self._legal][:]

    def chances(self) -> Outcomes:
        """The possible outcomes with their exact chances."""
        left = self._outcomes()
        chance = 1 / len(left)
        return [(outcome, chance) for outcome in left]

    def outcome_text(self, outcome: int) -> str:
        """What an outcome is."""
        return f"Deal {format_card(outcome)}"

    def put(self, outcome: int) -> None:
        """Decide the next card.

        Raises:
            ValueError: the card is not there any more.
        """
        try:
            self._left.remove(outcome)
        except ValueError:
            raise ValueError(f"Card {outcome} cannot come: it is not in the stub.") from None
        self._chosen.append(outcome)
        if len(self._chosen) == self._due:
            self._deal()

    def act(self, action: int) -> None:
        """Play an action of the seat to act.

        Raises:
            IllegalAction: naming seat, street, action and the legal ones.
        """
        code = (
            _kernels()[0](self.array, action, _scratch) if 0 <= action < NUM_ACTIONS else _REFUSED
        )
        if code == _REFUSED:
            raise IllegalAction(f"Not legal: {refusal(self.array['public'][0], action)}.")
        self._arrive(code)

    def outcomes_of(self, hand: Hand) -> Iterator[int]:
        """The outcomes, in order, that deal the cards of an ordinary hand, those to come included.

        The hand must have been played like this one.
        """
        return iter(_in_order_of_dealing(hand.record))

    def __str__(self) -> str:
        """The cards in the order of dealing, burn cards included, and the actions."""
        record = self.array[0]
        dealt = _in_order_of_dealing(record)[: _dealt(record)] + self._chosen
        moves = [f"{seat} {action_text(action)}" for seat, action in logged_actions(record.public)]
        return f"{format_cards(dealt)}; {', '.join(moves)}"

    def _outcomes(self) -> list[int]:
        return self._left[:]

    def _deal(self) -> None:
        chosen = np.array(self._chosen, np.int8)
        self._chosen = []
        self._arrive(_kernels()[1](self.array, chosen, _scratch))

    def _arrive(self, code: int) -> None:
        """Go by what the kernels return: see `_wait`."""
        if code >= 0:
            self.player, self._due, self._legal = code & _SEAT_MASK, 0, code >> _SEAT_BITS
        elif code == OVER:
            self.player, self._due, self._legal = OVER, 0, 0
        else:
            self.player, self._due, self._legal = CHANCE, OVER - code, 0
            record = self.array[0]
            if record.burns and street_due(record) == SEVENTH and must_mix(record):
                self._left = sorted(self._left + record.burnt[: record.burns].tolist())


class RankByRank(CardByCard):
    """`CardByCard` in which suits are left out where they cannot matter: outcomes are ranks.

    Suits break ties of the highest door card and do nothing else where boards tie by position and
    no odd chip goes by suits. So the cards of a rank are one outcome, and where the highest door
    cards tie, one more outcome, the seat, decides whose suit is the highest: given the ranks, all
    of the tied seats are equally likely. The game keeps its values; its tree is much smaller.
    """

    __slots__ = ()

    def chances(self) -> Outcomes:
        """The possible outcomes with their exact chances."""
        tied = self._tied()
        if tied:
            return [(seat, 1 / len(tied)) for seat in tied]
        counts: dict[int, int] = {}
        for card in self._left:
            counts[card >> 2] = counts.get(card >> 2, 0) + 1
        return [(rank, count / len(self._left)) for rank, count in counts.items()]

    def outcome_text(self, outcome: int) -> str:
        """What an outcome is."""
        if self._tied():
            return f"Seat {outcome} has the highest suit"
        return f"Deal {format_card(4 * outcome)[0]}"

    def put(self, outcome: int) -> None:
        """Decide the rank of the next card, or whose door card has the highest suit.

        Raises:
            ValueError: no card of that rank is left, or the seat is not among the tied.
        """
        tied = self._tied()
        if tied:
            self._give_highest_suit(outcome, tied)
            self._deal()
            return
        card = next((card for card in self._left if card >> 2 == outcome), None)
        if card is None:
            raise ValueError(f"Rank {outcome} cannot come: no card of it is in the stub.")
        self._left.remove(card)
        self._chosen.append(card)
        if len(self._chosen) == self._due and not self._tied():
            self._deal()

    def outcomes_of(self, hand: Hand) -> Iterator[int]:
        """The outcomes, in order, that deal the cards of an ordinary hand, those to come included.

        The hand must have been played like this one.
        """
        cards = _in_order_of_dealing(hand.record)
        third = cards_due(hand.record, THIRD)
        yield from (card >> 2 for card in cards[:third])
        if len(_highest(cards[:third], hand.num_players)) > 1:
            yield hand.first_to_act
        yield from (card >> 2 for card in cards[third:])

    def _outcomes(self) -> list[int]:
        return self._tied() or list(dict.fromkeys(card >> 2 for card in self._left))

    def _tied(self) -> list[int]:
        """Seats with the highest door rank, if they are several and third street is all decided."""
        if len(self._chosen) != self._due or self.array[0].next_card:
            return []
        tied = _highest(self._chosen, int(self.array[0].public.num_seats))
        return tied if len(tied) > 1 else []

    def _give_highest_suit(self, seat: int, tied: list[int]) -> None:
        if seat not in tied:
            raise ValueError(f"Seat {seat} is not among those with the highest door rank: {tied}.")
        each = self._due // int(self.array[0].public.num_seats)
        places = [each * (other + 1) - 1 for other in tied]
        best, mine = max(places, key=self._chosen.__getitem__), each * (seat + 1) - 1
        self._chosen[best], self._chosen[mine] = self._chosen[mine], self._chosen[best]


def _highest(third: list[int], num_players: int) -> list[int]:
    """The seats with the highest door rank, from the cards of third street in order of dealing."""
    each = len(third) // num_players
    ranks = [card >> 2 for card in third[each - 1 :: each]]
    return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def _in_order_of_dealing(record: Any) -> list[int]:
    """All cards in the order in which they are decided, those to come at the end."""
    deck: list[int] = record.deck[record.deck != NO_CARD].tolist()
    if not record.scrambled_cards:
        return deck
    mixed_stub = int(record.scrambled_cards) - int(record.burns) + 1
    community = int(record.public.community)
    shared = [community] if community != NO_CARD else []
    seventh = [card for card in record.down[:, 2].tolist() if card != NO_CARD]
    return deck[: len(deck) - mixed_stub] + shared + seventh


def _dealt(record: Any) -> int:
    """How many of the cards in the order of dealing have been dealt."""
    return DECK_SIZE if record.scrambled_cards else int(record.next_card)


# ---- kernels


@kernel
def _wait(hand: Record, mask: NDArray[np.int8]) -> int:
    """Go on as far as no card is needed.

    Returns:
        seat | legal actions as bits << 3 where a seat is to act; OVER; or OVER minus the number of
        cards that the next street takes.
    """
    public = hand.public
    while public.actor < 0 and not public.over:
        street = street_due(hand)
        if street:
            return OVER - cards_due(hand, street)
        go_on(hand)
    if public.over:
        return OVER
    legal_actions(public, mask)
    bits = 0
    for action in range(NUM_ACTIONS):
        bits |= mask[action] << action
    return public.actor | bits << _SEAT_BITS


@atomic
def _open(hands: Record, mask: NDArray[np.int8]) -> int:
    post_antes(hands[0])
    return _wait(hands[0], mask)


def _begin(hands: NDArray[Any]) -> int:
    return _open(hands, _scratch)


@atomic
def _play(hands: Record, action: int, mask: NDArray[np.int8]) -> int:
    """_REFUSED where the action is not legal, else as `_wait`."""
    hand = hands[0]
    legal_actions(hand.public, mask)
    if not mask[action]:
        return _REFUSED
    take_turn(hand.public, action)
    return _wait(hand, mask)


@atomic
def _deal_street(hands: Record, cards: NDArray[np.int8], mask: NDArray[np.int8]) -> int:
    """Deal the street that is due with these cards, in order of dealing; then as `_wait`."""
    hand = hands[0]
    if street_due(hand) == SEVENTH and must_mix(hand):
        _plan_mixed(hand, cards)
    else:
        for place in range(len(cards)):
            lay_card(hand, place, cards[place])
    go_on(hand)
    return _wait(hand, mask)


@kernel
def _plan_mixed(hand: Record, cards: NDArray[np.int8]) -> None:
    """Where the stub is mixed, its order follows from the whole deck: a plan overrules it.

    The plan holds all the cards of the hand, so that it is told again just so.
    """
    public, place = hand.public, 0
    serves = serves_seventh(hand)
    for seat in range(MAX_SEATS):
        hand.plan[seat, 0], hand.plan[seat, 1] = hand.down[seat, 0], hand.down[seat, 1]
        for up in range(UP_CARDS):
            hand.plan[seat, 2 + up] = public.up[seat, up]
        hand.plan[seat, CARDS_PER_SEAT - 1] = NO_CARD
        if serves and seat < public.num_seats and public.live[seat]:
            hand.plan[seat, CARDS_PER_SEAT - 1] = cards[place]
            place += 1
    hand.plan_community = NO_CARD if serves else cards[0]
    hand.planned = 1


@cache
def _kernels() -> tuple[Any, Any]:
    """`_play` and `_deal_street` for the arrays that they are given here."""
    hands = np.zeros(1, HAND)
    play = ready(_play, hands, 0, _scratch)
    return play, ready(_deal_street, hands, np.zeros(1, np.int8), _scratch)


def action_text(action: int) -> str:
    """An action's name in words, such as "bring in"."""
    return Action(action).name.lower().replace("_", " ")
