"""`Hand`: one hand of Razz as a friendly object over its record."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from razz_env._pictures import html_of, svg_of
from razz_env.rules import betting, lowball, showdown
from razz_env.rules.cards import NO_CARD, CardsLike, parse_cards
from razz_env.rules.checks import is_whole, require_view
from razz_env.rules.dealing import fill_deck
from razz_env.rules.events import Event
from razz_env.rules.house_rules import (
    HouseRules,
    RulesLike,
    nearest,
)
from razz_env.rules.lowball import Low
from razz_env.rules.play import apply, start, start_shuffled
from razz_env.rules.record import (
    HAND,
    MUCKED,
    SEAT_VIEW,
    Record,
    SeatView,
)
from razz_env.rules.resampling import resample_views
from razz_env.rules.retelling import retell
from razz_env.rules.saved_hands import check_hands
from razz_env.rules.sealing import sealed, unsealed
from razz_env.rules.seat_view import seat_view
from razz_env.rules.setup import (
    StacksLike,
    blank_hands,
    check_plan,
    check_seed,
    fresh_seed,
    lay_plan,
    stack_deck,
)
from razz_env.rules.terms import NUM_ACTIONS, Action, Street

_MAGIC = b"RAZZHAND2"


class IllegalAction(ValueError):
    """An action that the seat to act may not take now, or that is no action at all."""


@dataclass(frozen=True)
class Pot:
    """A pot: its chips, the seats that could win it, and at the end who won how much of it.

    `amount` is before rake, `shares` are after it.
    """

    amount: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]
    shares: tuple[int, ...]


@dataclass(frozen=True)
class Shown:
    """A hand that reached the showdown, in the order of showing: own cards as they were dealt."""

    seat: int
    cards: tuple[int, ...]
    low: Low
    mucked: bool


class Hand:
    """One hand, from the deal to the payoffs.

    Made by `Hand.deal`, `Hand.from_cards` or `Hand.from_bytes`. Seats count from 0, clockwise from
    the left of the fixed button; chips are whole numbers.
    """

    __slots__ = ("_array", "_view")

    def __init__(self, array: NDArray[Any]) -> None:
        """Wrap an array of one element of dtype `HAND`; it is not copied."""
        if array.shape != (1,) or array.dtype != HAND:
            raise TypeError("Hand wraps an array of shape (1,) and dtype HAND; use Hand.deal.")
        self._array = array
        self._view: Any = None

    @property
    def _public(self) -> Any:
        """The public part of the record, a view; made once, as NumPy needs 3 µs for it."""
        if self._view is None:
            self._view = self._array[0].public
        return self._view

    # ---- making a hand

    @classmethod
    def deal(
        cls,
        num_players: int = 6,
        rules: RulesLike = "full_tilt",
        stacks: StacksLike = 500,
        seed: int | None = None,
        deck: CardsLike | None = None,
        *,
        table: int = 0,
        index: int = 0,
    ) -> "Hand":
        """Deal a hand up to its first decision (or to its end, if there is none).

        Args:
            num_players: 2 to 8 seats.
            rules: preset name, mapping or HouseRules.
            stacks: chips of every seat, or one number for each.
            seed: with `table` and `index` it decides the deck, as in `make_batch`: table t's hand i
                is the same there. None draws a fresh seed, or is 0 beside a deck.
            deck: all cards in dealing order instead of a shuffled deck.
            table: number of the table, >= 0.
            index: number of the hand at the table, >= 0.

        Raises:
            ValueError: anything out of range, named with its value.
        """
        array = blank_hands(1, num_players, rules, stacks)
        record = array[0]
        record.seed = _seed_of(seed, deck)
        record.table, record.index = check_seed(table, "table"), check_seed(index, "index")
        if deck is None:
            start_shuffled(record)
        else:
            stack_deck(record, parse_cards(deck))
            start(record)
        return cls(array)

    @classmethod
    def from_cards(
        cls,
        cards: Sequence[CardsLike],
        rules: RulesLike = "full_tilt",
        stacks: StacksLike = 500,
        community: str | int | None = None,
    ) -> "Hand":
        """A hand with known cards: for each seat down down up up up up down.

        A seat that folds early may be given fewer cards (at least three). If the play needs a card
        that was not given, `apply` (or this) raises a ValueError and nothing changes.
        `community` comes if the stub is short on seventh street (RULES 6), and is not burnt before;
        in every other hand it stays in the stub, as the cards do that are given to folded seats.
        """
        array = blank_hands(1, len(cards), rules, stacks)
        record = array[0]
        fill_deck(record)
        lay_plan(record, [parse_cards(own) for own in cards], community)
        record.planned = 1
        start(record)
        check_plan(record)
        return cls(array)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Hand":
        """The hand saved by `to_bytes`; it goes on exactly where it stood.

        Raises:
            ValueError: data that is not such a hand, is damaged or of another version, or a hand
                that no cards and actions lead to.
        """
        array = _unpickled(data).array
        check_hands(array)
        return cls(array)

    @classmethod
    def from_view(cls, view: SeatView, rng: np.random.Generator) -> "Hand":
        """A hand as it may be, given what one seat knows: hidden cards are drawn.

        All decks that agree with what the seat has seen are equally likely; what the others did
        does not weigh. The public part of the hand is that of the view.

        Raises:
            TypeError: anything but a seat's view, such as a hand's record.
            ValueError: a view that no hand can have come to.
        """
        require_view(view, "from_view takes")
        return cls(resample_views(np.asarray([view], SEAT_VIEW), rng))

    def resample(self, seat: int, rng: np.random.Generator) -> "Hand":
        """Another hand that a seat cannot tell from this one, which stays as it is.

        What the seat cannot know (down cards of the others, burn cards, all cards to come) is drawn
        from its exact distribution given the cards that it has seen: see `from_view`.

        Raises:
            ValueError: there is no such seat.
        """
        return Hand.from_view(self.view(seat), rng)

    def to_bytes(self) -> bytes:
        """The whole hand as bytes, with a checksum."""
        return sealed(_MAGIC, self._array.tobytes())

    def clone(self) -> "Hand":
        """An independent copy that continues identically."""
        return Hand(np.frombuffer(bytearray(self._array.tobytes()), HAND))

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> "Hand":
        return self.clone()

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return _unpickled, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self._array.tobytes() == other._array.tobytes()

    def _repr_svg_(self) -> str | None:
        """The picture in a notebook, all cards open, as this is the full record."""
        return svg_of(self)

    def _repr_html_(self) -> str | None:
        return html_of(self)

    __hash__ = None  # type: ignore[assignment]  # a hand changes as it is played

    def __repr__(self) -> str:
        if self.is_over:
            return f"<Hand of {self.num_players}, over, payoffs {self.payoffs.tolist()}>"
        legal = ", ".join(action.name for action in self.legal_actions())
        return f"<Hand of {self.num_players}, {self.street.name}, seat {self.actor}: {legal}>"

    # ---- the table

    @property
    def record(self) -> np.record:
        """The full record, a view of dtype `HAND`: hidden cards included."""
        record: np.record = self._array[0]
        return record

    @property
    def array(self) -> NDArray[Any]:
        """The same as an array HAND[1], which costs far less to hand to a kernel."""
        return self._array

    @property
    def rules(self) -> HouseRules:
        """The house rules of this hand."""
        return HouseRules.from_record(self._public.rules)

    @property
    def num_players(self) -> int:
        """Number of seats dealt in."""
        return int(self._public.num_seats)

    @property
    def street(self) -> Street:
        """The street in play, or the last one that was dealt."""
        return Street(int(self._public.street))

    @property
    def actor(self) -> int | None:
        """Seat to act; None when the hand is over."""
        actor = int(self._public.actor)
        return None if actor < 0 else actor

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended and is settled."""
        return bool(self._public.over)

    @property
    def live_seats(self) -> tuple[int, ...]:
        """Seats that have not folded."""
        return tuple(seat for seat in range(self.num_players) if self._public.live[seat])

    @property
    def bring_in_seat(self) -> int | None:
        """Seat that brings in, or opens instead of an all-in highest door; None if nobody does."""
        seat = int(self._public.bring_in_seat)
        return None if seat < 0 else seat

    @property
    def first_to_act(self) -> int:
        """Seat whose exposed cards open the street, even if it is all-in (RULES 4)."""
        return int(self._public.first_to_act)

    @property
    def community(self) -> int | None:
        """The shared seventh card, if the stub was short (RULES 6)."""
        card = int(self._public.community)
        return None if card == NO_CARD else card

    def up_cards(self, seat: int) -> tuple[int, ...]:
        """Up cards of a seat in street order; a fold does not erase them."""
        return _dealt(self._public.up[self._check_seat(seat)])

    def down_cards(self, seat: int) -> tuple[int, ...]:
        """Down cards of a seat: two of third street, then the seventh. Hidden from the others."""
        return _dealt(self.record.down[self._check_seat(seat)])

    # ---- chips

    @property
    def starting_stacks(self) -> NDArray[np.int64]:
        """Chips of every seat before the antes, int64[n]."""
        return self._seats("starting_stack")

    @property
    def stacks(self) -> NDArray[np.int64]:
        """Chips of every seat that are not in the pot, int64[n]; the final ones when over."""
        return self._seats("stack")

    @property
    def street_chips(self) -> NDArray[np.int64]:
        """Chips put in on this street, int64[n]; antes do not count."""
        return self._seats("street_chips")

    @property
    def total_chips(self) -> NDArray[np.int64]:
        """Chips put in during the hand, antes and uncalled chips included, int64[n]."""
        return self._seats("total_chips")

    @property
    def pot_chips(self) -> int:
        """All chips put in so far."""
        return int(self.total_chips.sum())

    @property
    def to_call(self) -> int:
        """Chips that CALL would cost the seat to act; 0 when nothing is owed or all is over."""
        seat = self.actor
        return 0 if seat is None else int(betting.to_call(self._public, seat))

    @property
    def returned(self) -> NDArray[np.int64]:
        """Uncalled chips that went back, int64[n]; zeros until the hand is over."""
        chips = np.zeros(self.num_players, np.int64)
        if self.is_over:
            for seat in range(self.num_players):
                chips[seat] = showdown.returned_chips(self._public, seat)
        return chips

    @property
    def payoffs(self) -> NDArray[np.int64]:
        """Net chips of every seat, int64[n], summing to minus the rake; zeros until it is over."""
        if not self.is_over:
            return np.zeros(self.num_players, np.int64)
        return self.stacks - self.starting_stacks

    @property
    def rake(self) -> int:
        """Chips that the house has taken; 0 until the hand is over."""
        return int(showdown.rake(self._public)) if self.is_over else 0

    @property
    def pots(self) -> tuple[Pot, ...]:
        """Main pot first, then side pots, without uncalled chips; no winners until it is over.

        Amounts are before rake, shares after it.
        """
        pots: list[Pot] = []
        bottom = 0
        while top := int(showdown.next_pot_level(self._public, bottom)):
            pots.append(self._pot(bottom, top))
            bottom = top
        return tuple(pots)

    def _pot(self, bottom: int, top: int) -> Pot:
        public, seats = self._public, range(self.num_players)
        eligible = tuple(seat for seat in seats if showdown.is_eligible(public, seat, top))
        amount = int(showdown.pot_chips(public, bottom, top))
        if not self.is_over:
            return Pot(amount, eligible, (), ())
        best = showdown.best_low(self.record, top)
        winners = tuple(s for s in eligible if showdown.wins_pot(self.record, s, top, best))
        shares = tuple(int(showdown.pot_share(self.record, s, bottom, top)) for s in winners)
        return Pot(amount, eligible, winners, shares)

    # ---- acting

    def action_mask(self) -> NDArray[np.int8]:
        """int8[7], 1 for each legal action of the seat to act; all zero when over."""
        mask = np.zeros(NUM_ACTIONS, np.int8)
        betting.legal_actions(self._public, mask)
        return mask

    def legal_actions(self) -> tuple[Action, ...]:
        """Legal actions of the seat to act, in the order of `Action`; empty when over."""
        return tuple(Action(int(index)) for index in np.flatnonzero(self.action_mask()))

    def amount(self, action: Action | int | str) -> int:
        """Chips that a legal action would put in now.

        Raises:
            IllegalAction: as `apply`.
        """
        chosen = self._check_legal(action)
        return int(betting.action_chips(self._public, int(self._public.actor), int(chosen)))

    def to_amount(self, action: Action | int | str) -> int:
        """Street total of the seat to act after a legal action, in chips.

        Raises:
            IllegalAction: as `apply`.
        """
        chips = self.amount(action)
        return int(self._public.street_chips[self.actor]) + chips

    def apply(self, action: Action | int | str) -> None:
        """Play an action: an `Action`, its number or its name.

        Raises:
            IllegalAction: naming seat, street, action and the legal ones; the hand is untouched.
            ValueError: a hand from `from_cards` needs a card that was not given; untouched too.
        """
        chosen = self._check_legal(action)
        if not self.record.planned:
            apply(self.record, int(chosen))
            return
        trial = self._array.copy()
        apply(trial[0], int(chosen))
        check_plan(trial[0])
        self._array[:] = trial

    def _check_legal(self, action: Action | int | str) -> Action:
        chosen = _as_action(action)
        legal = self.legal_actions()
        if chosen in legal:
            return chosen
        sentence = refusal(self._public, chosen)
        raise IllegalAction(f"{sentence[0].upper()}{sentence[1:]}.")

    # ---- what is seen and what happened

    def view(self, seat: int) -> SeatView:
        """What one seat may know, as an element of dtype `SEAT_VIEW`."""
        views = np.zeros(1, SEAT_VIEW)
        seat_view(self.record, self._check_seat(seat), views[0])
        view: SeatView = views[0]
        return view

    @property
    def showdown(self) -> tuple[Shown, ...]:
        """Hands that reached the showdown, in the order of showing; empty if there was none.

        Mucked hands are in it too, marked: this is the full record, not a seat's view.
        """
        if not self.is_over or len(self.live_seats) < 2:
            return ()
        first = int(showdown.first_to_show(self._public))
        seats = [(first + place) % self.num_players for place in range(self.num_players)]
        return tuple(self._shown(seat) for seat in seats if self._public.live[seat])

    def _shown(self, seat: int) -> Shown:
        up, down = self.up_cards(seat), self.down_cards(seat)
        first = int(self._public.rules.third_street)
        cards = down[:first] + up + down[first:]
        size = min(len(cards) + (self.community is not None), lowball.PLAYED_CARDS)
        mucked = int(self._public.shown[seat]) == MUCKED
        return Shown(seat, cards, Low(int(self.record.low[seat]), size), mucked)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, from the antes on, in order."""
        return retell(self)

    def _seats(self, field: str) -> NDArray[np.int64]:
        chips: NDArray[np.int64] = self._public[field][: self.num_players].copy()
        return chips

    def _check_seat(self, seat: int) -> int:
        if not is_whole(seat) or not 0 <= seat < self.num_players:
            raise ValueError(f"There is no seat {seat!r}; seats are 0 to {self.num_players - 1}.")
        return int(seat)


def _unpickled(data: bytes) -> Hand:
    """The hand in the bytes of `to_bytes` as it is, dealt or not: pickles are trusted anyway."""
    body = unsealed(_MAGIC, data)
    if len(body) != HAND.itemsize:
        raise ValueError(f"A saved hand has {HAND.itemsize} bytes of content, not {len(body)}.")
    return Hand(np.frombuffer(body, HAND))


def _seed_of(seed: int | None, deck: CardsLike | None) -> int:
    if seed is None:
        return fresh_seed() if deck is None else 0
    return check_seed(seed)


def refusal(public: Record, action: int) -> str:
    """Why an action is refused: "seat 2 on third street may not CHECK; legal: FOLD, CALL".

    `public` is that part of a record, or of a view.
    """
    is_known = 0 <= action < NUM_ACTIONS
    if public["over"]:
        name = Action(action).name if is_known else f"action {action}"
        return f"the hand is over; {name} is not possible any more"
    deed = Action(action).name if is_known else f"take action {action}"
    mask = np.zeros(NUM_ACTIONS, np.int8)
    betting.legal_actions(public, mask)
    legal = ", ".join(Action(int(other)).name for other in np.flatnonzero(mask))
    street = Street(int(public["street"])).name.lower()
    return f"seat {public['actor']} on {street} street may not {deed}; legal: {legal}"


def _as_action(action: Action | int | str) -> Action:
    if isinstance(action, str):
        name = action.strip().upper().replace("-", "_").replace(" ", "_")
        if name not in Action.__members__:
            known = [member.lower() for member in Action.__members__]
            raise IllegalAction(f"There is no action {action!r}{nearest(name.lower(), known)}.")
        return Action[name]
    if not is_whole(action):
        raise IllegalAction(f"{action!r} is no action: use an Action, its number or its name.")
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalAction(f"There is no action number {action}; actions are 0..6.")
    return Action(int(action))


def _dealt(cards: NDArray[np.int8]) -> tuple[int, ...]:
    return tuple(int(card) for card in cards if card != NO_CARD)
