"""Nothing hidden leaves the server: every message to two seats and a spectator, against the truth.

The truth is dealt again from the seed, and played up to the decision that a message is of. Every
card in a message must be one that its reader may see just then (U01, A09).
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from agents.table.session import Person, Table
from razz_env import Action, Hand
from razz_env.rules.cards import NO_CARD
from razz_env.rules.record import MUCKED

from ..support.tables import check_down, deal, limp, play
from .clients import (
    Page,
    all_at_once,
    drawn_cards,
    page,
    play_until,
    served,
    written_cards,
)

SEED = 7310984215551234567
SEATS = ["me", "caller", "open", "random", "scripted:loose"]


def test_no_message_holds_a_card_before_it_is_shown() -> None:
    assert {"fold", "showdown"} <= check_session(hands=6, stacks=150)


@pytest.mark.slow
def test_no_message_of_200_hands_holds_a_card_before_it_is_shown() -> None:
    kinds = check_session(hands=200, stacks=150)
    assert kinds == {"fold", "muck", "showdown", "all-in", "walk"}


def check_session(hands: int, stacks: int) -> set[str]:
    """Play, check every message, and return what kinds of hands were seen."""
    records: dict[int, Any] = {}
    with (
        served() as (client, server),
        page(client) as ann,
        page(client) as bob,
        page(client) as eve,
    ):
        key = ann.open(SEATS, stacks=stacks, seed=SEED)["table"]
        keep_records(server.room(key), records)
        ann.say(do="speed", speed="full")
        bob.join(key)
        bob.say(do="sit", name="Bob")
        eve.join(key)
        all_at_once(
            lambda: play_until(ann, hands, 1),
            lambda: play_until(bob, hands, 2),
            lambda: play_until(eve, hands, 3),
        )
        looked_at = [look_up(one, seat) for one, seat in ((ann, 0), (bob, 2), (eve, None))]
    truth = Truth(records, stacks)
    kinds = {
        kind for one, seat in ((ann, 0), (bob, 2), (eve, None)) for kind in truth.check(one, seat)
    }
    assert all(looked_at)
    return kinds


def keep_records(room: Any, records: dict[int, Any]) -> None:
    """Keep every finished hand of a table that is not open yet."""
    opener = room._open_table

    def open_table(seats: list[Any]) -> Table:
        table = opener(seats)
        table._on_finished = lambda hand: records.__setitem__(hand.number, hand.record)
        return table

    room._open_table = open_table


class Truth:
    """The hands as they were, and what each reader may see of them at any decision."""

    def __init__(self, records: dict[int, Any], stacks: int) -> None:
        self.records, self.stacks = records, stacks
        self.hand = cache(self._hand)  # all readers are told of the same moments

    def _hand(self, number: int, decision: int) -> Hand:
        hand = Hand.deal(len(SEATS), "full_tilt", self.stacks, SEED, index=number - 1)
        for move in self.records[number].moves[:decision]:
            hand.apply(move.action)
        return hand

    def check(self, one: Page, seat: int | None) -> set[str]:
        """Check every message of a page; the kinds of hands that were among them."""
        kinds: set[str] = set()
        for text in one.heard:
            assert str(SEED) not in text
            message = json.loads(text)
            if message["type"] == "state" and message.get("hand") in self.records:
                kinds |= self.check_state(message, seat)
        return kinds

    def check_state(self, message: dict[str, Any], seat: int | None) -> set[str]:
        assert message["seat"] == seat
        hand = self.hand(message["hand"], message["decision"])
        assert message["over"] == hand.is_over
        own = hand.down_cards(seat) if seat is not None else ()
        shown = [c for row in hand.record.public.shown_down.tolist() for c in row if c != NO_CARD]
        up = [card for s in range(len(SEATS)) for card in hand.up_cards(s)]
        shared = [] if hand.community is None else [hand.community]
        faces, backs = drawn_cards(message["svg"])
        assert faces == {*own, *shown, *up, *shared}
        live = [s for s in hand.live_seats if s != seat]
        hidden = sum(len(hand.down_cards(s)) for s in live) - len(set(shown) - set(own))
        assert backs == hidden
        said = " ".join(line for _, line in message["chat"])
        assert written_cards(said) <= {*shared}  # the dealer names no card but the shared one
        if seat is not None and hand.actor == seat and message["choices"]:
            labels = [choice["action"].upper() for choice in message["choices"]]
            assert labels == [action.name for action in hand.legal_actions()]
        return kinds_of(hand)


def kinds_of(hand: Hand) -> set[str]:
    public = hand.record.public
    kinds = {"fold"} if len(hand.live_seats) < hand.num_players else set()
    kinds |= {"all-in"} if any(not hand.stacks[seat] for seat in hand.live_seats) else set()
    if hand.is_over:
        kinds |= {"showdown"} if hand.showdown else {"walk"}
        kinds |= {"muck"} if (public.shown == MUCKED).any() else set()
    return kinds


def look_up(one: Page, seat: int | None) -> bool:
    """Step through some of the last hands and read the file; only seen cards are in them."""
    one.say(do="titles")
    titles = one.until("titles")["titles"]
    for title in titles[:6]:
        one.say(do="step", hand=title["hand"], step=10_000, equity=True)
        one.until("step")
    one.say(do="download", format="phh")
    one.until("file")
    return bool(titles)


def test_looked_up_hands_show_the_showdown_and_nothing_that_was_folded() -> None:
    records: dict[int, Any] = {}
    with served() as (client, server), page(client) as ann, page(client) as bob:
        key = ann.open(["me", "open", "random", "scripted:tight"], stacks=200, seed=SEED)["table"]
        ann.say(do="speed", speed="full")
        bob.join(key)
        keep_records(server.room(key), records)
        bob.say(do="sit", name="Bob")
        all_at_once(lambda: play_until(ann, 8, 1), lambda: play_until(bob, 8, 2))
        folded = 0
        for one, seat in ((ann, 0), (bob, 1)):
            for number, record in records.items():
                one.say(do="step", hand=number, step=10_000)
                svg = one.until("step", lambda m, n=number: m["hand"] == n)["svg"]
                live = record.live_seats
                seen = {seat, *(live if len(live) > 1 else ())}
                cards = [
                    card
                    for s, own in enumerate(record.seats)
                    for place, card in enumerate(own.cards)
                    if 2 <= place <= 5 or s in seen
                ]
                shared = [] if record.community is None else [record.community]
                assert drawn_cards(svg)[0] == {*cards, *shared}
                folded += len(seen) < 4
            one.say(do="download", format="phh")
            text = one.until("file")["text"]
            for block in text.split("\n[")[1:]:
                number = int(block.split("hand = ")[1].split("\n")[0])
                own = records[number]
                live = own.live_seats
                seen = {seat, *(live if len(live) > 1 else ())}
                hidden = {
                    card
                    for s, held in enumerate(own.seats)
                    for place, card in enumerate(held.cards)
                    if s not in seen and place in (0, 1, 6)
                }
                actions = block.split("actions = ")[1].split("\n")[0]
                tokens = actions.replace("'", " ").replace(",", " ").split()
                dealt = {c for token in tokens for c in written_run(token)}
                assert not dealt & hidden
        assert folded


def written_run(token: str) -> set[int]:
    """Cards of a run such as "????7s" or "4h2s3d"; nothing if it is no such run."""
    pairs = [token[at : at + 2] for at in range(0, len(token), 2)]
    if not all(pair == "??" or written_cards(pair) for pair in pairs):
        return set()
    return set().union(*(written_cards(pair) for pair in pairs))


FIRST = ("AhKc 5d4s6c8hKh", "AsKd 3h7c9sTcQd", "2h2d KsQs9d9cJs")
SWAPPED = ("AhKc 5d4s6c8hKh", "JhJd 3h7c9sTc7d", "8d8c KsQs9d9cTd")


def seen_by_first(hand: Hand) -> tuple[str, list[str]]:
    from agents.web.telling import drawing

    table = Table([Person("Ann"), Person("Bob"), Person("Cid")])
    table.hand, table.number = hand, 1
    return drawing(table, 0) + drawing(table, None), table.news()


def test_a09_other_hidden_cards_change_nothing_that_is_told() -> None:
    pair = [deal(*FIRST), deal(*SWAPPED)]
    assert seen_by_first(pair[0]) == seen_by_first(pair[1])
    for hand in pair:
        play(limp(hand), "S1 BET, S2 CALL, S3 CALL")
    for street in (5, 6, 7):
        assert seen_by_first(pair[0]) == seen_by_first(pair[1])
        for hand in pair:
            check_down(hand, until=street)
    assert seen_by_first(pair[0]) == seen_by_first(pair[1])
    for hand in pair:  # S1 bets the river and wins: the others muck
        first = hand.actor
        assert first == 0
        hand.apply(Action.BET)
        hand.apply(Action.CALL)
        hand.apply(Action.CALL)
        assert hand.is_over
    told = [seen_by_first(hand) for hand in pair]
    assert told[0] == told[1]
    assert "Bob mucks." in told[0][1]


def test_u01_a_fold_on_the_river_shows_up_cards_only() -> None:
    hand = check_down(limp(deal(*FIRST)), until=7)
    play(hand, "S1 BET, S2 FOLD, S3 CALL")
    table = Table([Person("Ann"), Person("Bob"), Person("Cid")])
    table.hand, table.number = hand, 1
    from agents.web.telling import drawing

    for seat in (0, 2, None):
        assert not drawn_cards(drawing(table, seat))[0] & {*hand.down_cards(1)}
    assert {*hand.down_cards(1)} <= drawn_cards(drawing(table, 1))[0]
