"""Every real hand of the shared data, replayed from what the room printed.

The texts are read in place and not copied. Cards the room did not print are filled with unused
ones; in every hand that was shown down, all hands are known from the text or its summary.
"""

from __future__ import annotations

import pytest

from razz_env import Action, Hand, HouseRules
from razz_env.rules.events import AntePosted

from ..support.lows import cards, low_key_of_cards
from ..support.room_text import Move, RoomHand, pot_of_moves, read_phh_file, read_room_file
from ..support.shared import shared_files, shared_path
from ..support.tables import check_settlement, fill

FOLDER = "data/hands"
TEXT_HANDS = [h for path in shared_files(FOLDER, "*.txt") for h in read_room_file(path)]
PHH_HANDS = [read_phh_file(path) for path in shared_files(FOLDER, "*.phh")]
ALL_HANDS = [*TEXT_HANDS, *PHH_HANDS]
every_hand = pytest.mark.parametrize("room", ALL_HANDS, ids=lambda room: room.name)


def rules_of(room: RoomHand) -> HouseRules:
    if room.room == "phh":  # World Series: a bet and four raises
        return HouseRules.preset("full_tilt", max_bets_per_round=5, **room.stakes)
    return HouseRules.preset(room.room, **room.stakes)


def start(room: RoomHand) -> Hand:
    texts = fill(*room.seat_cards())
    return Hand.from_cards(texts, rules=rules_of(room), stacks=room.stacks)


def action_of(move: Move, hand: Hand) -> Action:
    """The room's word in the words of the rules."""
    legal = hand.legal_actions()
    if move.verb == "CC":
        return Action.CHECK if Action.CHECK in legal else Action.CALL
    if move.verb in ("CBR", "BET", "RAISE") and Action.COMPLETE in legal:
        return Action.COMPLETE  # rooms print a completion as a bet or a raise
    if move.verb == "CBR":
        return Action.BET if Action.BET in legal else Action.RAISE
    return Action[move.verb]


def replay(room: RoomHand) -> Hand:
    """Play every printed move, checking street, turn, legality and every printed amount."""
    hand = start(room)
    for number, move in enumerate(room.moves):
        where = f"move {number}: {move}"
        assert hand.street == move.street, where
        assert hand.actor == move.seat, where
        action = action_of(move, hand)
        assert action in hand.legal_actions(), where
        if move.chips is not None:
            assert hand.amount(action) == move.chips, where
        if move.to_chips is not None:
            assert hand.to_amount(action) == move.to_chips, where
        hand.apply(action)
    assert hand.is_over
    check_settlement(hand)
    return hand


def winners_of(room: RoomHand, hand: Hand) -> set[int]:
    """Who won by the text; for PHH the last seat left or the best hand that was not mucked."""
    if room.collected:
        return set(room.collected)
    if not room.shown:
        return set(hand.live_seats)
    keys = {
        s: low_key_of_cards(cards("".join(room.cards[s]))) for s, mucked in room.shown if not mucked
    }
    return {s for s in keys if keys[s] == min(keys.values())}


def test_all_the_hands_are_there() -> None:
    shared_path("data", "hands")
    assert (len(TEXT_HANDS), len(PHH_HANDS)) == (22, 5)


@every_hand
def test_antes_and_bring_in_seat(room: RoomHand) -> None:
    hand = start(room)
    antes = {e.seat: e.chips for e in hand.events if isinstance(e, AntePosted)}
    assert antes == dict(enumerate(room.antes))
    if room.moves:
        assert hand.bring_in_seat == hand.first_to_act == hand.actor == room.bring_in_seat
    else:  # R09: the text names the high door, but nobody brings in
        assert hand.is_over


@every_hand
def test_every_actor_and_every_printed_amount(room: RoomHand) -> None:
    replay(room)


@every_hand
def test_total_pot_and_winner(room: RoomHand) -> None:
    hand = replay(room)
    pot = sum(p.amount for p in hand.pots)
    if room.total_pot is not None:
        assert pot == room.total_pot  # before rake
        assert pot == sum(room.collected.values()) + room.rake
        returned = {s: int(c) for s, c in enumerate(hand.returned) if c}
        assert returned == room.returned
    else:
        assert pot == pot_of_moves(room)
    won = {s for p in hand.pots for s, c in zip(p.winners, p.shares, strict=True) if c}
    assert won == winners_of(room, hand)


@every_hand
def test_showdown_as_printed(room: RoomHand) -> None:
    """Who showed and who mucked, the printed lows, and the order of the PokerStars and WSOP hands.

    Full Tilt printed its one showdown without a bet in another order than RULES 7 states.
    """
    hand = replay(room)
    shown = [(s.seat, s.mucked) for s in hand.showdown]
    if room.room == "full_tilt":
        assert sorted(shown) == sorted(room.shown)
    else:
        assert shown == room.shown
    for entry in hand.showdown:
        printed = room.lows.get(entry.seat)
        if printed and printed.startswith("a pair of"):
            assert entry.low.name.startswith(printed.lower().removeprefix("a ") + ",")
        elif printed:
            assert entry.low.name == printed.replace(",", "-") + " low"


def test_the_reader_adds_up_the_printed_pots() -> None:
    """The arithmetic used for the PHH hands, checked on the hands with a printed total."""
    for room in TEXT_HANDS:
        if room.moves:
            assert pot_of_moves(room) == room.total_pot, room.name
