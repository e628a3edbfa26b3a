"""The Hand object: construction, actions by any name, copies, bytes, and its errors."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence

import numpy as np
import pytest

from razz_env import Action, Hand, IllegalAction, Street
from razz_env.rules.cards import format_cards, parse_cards
from razz_env.rules.events import ActionTaken, AntePosted

from ..support.errors import refused
from ..support.lows import DECK
from ..support.tables import (
    check_settlement,
    deal,
    fill,
    ladder,
    ladder_hand,
    limp,
    menu,
    payoffs,
    play,
    put_in,
    table_rules,
)


def play_randomly(hand: Hand, rng: np.random.Generator) -> list[Action]:
    """Play the hand out with random legal actions and return them."""
    taken = []
    while not hand.is_over:
        legal = hand.legal_actions()
        taken.append(legal[rng.integers(len(legal))])
        hand.apply(taken[-1])
    return taken


def random_table(rng: np.random.Generator, **options: object) -> Hand:
    """A table of 2 to 8 seats with stacks from one chip up, many short."""
    n = int(rng.integers(2, 9))
    deep = rng.integers(1, 400, n)
    short = rng.integers(1, 40, n)
    stacks = [int(s) for s in np.where(rng.random(n) < 0.5, short, deep)]
    seed = int(rng.integers(2**31))
    return Hand.deal(num_players=n, rules=table_rules(**options), stacks=stacks, seed=seed)


# --- enums and cards --------------------------------------------------------------------------


def test_contract_action_numbers() -> None:
    names = "FOLD CHECK CALL BRING_IN COMPLETE BET RAISE".split()
    assert [(a.name, int(a)) for a in Action] == [(n, i) for i, n in enumerate(names)]


def test_contract_street_numbers() -> None:
    assert [int(s) for s in Street] == [3, 4, 5, 6, 7]
    assert Street.THIRD == 3
    assert Street.SEVENTH == 7


def test_cards_are_rank_times_four_plus_suit() -> None:
    assert tuple(parse_cards("AcAdAhAs2cKs")) == (0, 1, 2, 3, 4, 51)
    assert tuple(parse_cards("".join(DECK))) == tuple(range(52))
    assert format_cards(parse_cards("Ah2cTdKs")).replace(" ", "") == "Ah2cTdKs"


@pytest.mark.parametrize("bad", ["A", "1c", "Ax", "Ahh", "Zz", "??"])
def test_bad_card_text_is_refused_by_name(bad: str) -> None:
    with refused(bad[:1], kind=ValueError):
        parse_cards(bad)


# --- construction -----------------------------------------------------------------------------


def test_new_hand_in_contract_terms() -> None:
    hand = ladder_hand(3, stacks=[500, 400, 300])
    assert hand.num_players == 3
    assert list(hand.starting_stacks) == [500, 400, 300]
    assert list(hand.stacks) == [496, 396, 296]
    assert hand.stacks.dtype == hand.starting_stacks.dtype == np.int64
    assert hand.street_chips.dtype == hand.total_chips.dtype == np.int64
    assert hand.street == Street.THIRD
    assert hand.actor == 2
    assert hand.live_seats == (0, 1, 2)
    assert hand.pot_chips == 12
    assert hand.community is None
    assert not hand.is_over
    mask = hand.action_mask()
    assert mask.dtype == np.int8
    assert mask.shape == (7,)
    assert [Action(i) for i in np.flatnonzero(mask)] == list(hand.legal_actions())
    assert all(isinstance(a, Action) for a in hand.legal_actions())


def test_antes_are_posted_by_every_seat_before_any_card() -> None:
    hand = ladder_hand(3)
    assert sorted(e.seat for e in hand.events if isinstance(e, AntePosted)) == [0, 1, 2]
    assert all(isinstance(e, AntePosted) for e in hand.events[:3])


def test_stacks_may_be_one_number_or_one_per_seat() -> None:
    texts = fill(*ladder(3))
    same = Hand.from_cards(texts, rules=table_rules(), stacks=500)
    listed = Hand.from_cards(texts, rules=table_rules(), stacks=[500, 500, 500])
    array = Hand.from_cards(texts, rules=table_rules(), stacks=np.array([500, 500, 500]))
    assert same.to_bytes() == listed.to_bytes() == array.to_bytes()


@pytest.mark.parametrize(
    "stacks", [0, -1, [500, 0, 500], [500, -3, 500], [500, 500], [500] * 4, 1.5, "many", [1.5] * 3]
)
def test_bad_stacks_are_refused(stacks: object) -> None:
    with refused():
        Hand.deal(num_players=3, rules="full_tilt", stacks=stacks)
    with refused():
        Hand.from_cards(fill(*ladder(3)), rules="full_tilt", stacks=stacks)


def test_bad_stack_names_the_seat_and_the_value() -> None:
    with refused("seat 1", -3, kind=ValueError):
        Hand.deal(num_players=3, rules="full_tilt", stacks=[500, -3, 500])


@pytest.mark.parametrize("num_players", [-1, 0, 1, 9, 20])
def test_rules_1_two_to_eight_seats_and_no_others(num_players: int) -> None:
    with refused(num_players, kind=ValueError):
        Hand.deal(num_players=num_players, rules="full_tilt", stacks=500)


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_from_cards_takes_two_to_eight_seats(seats: int) -> None:
    texts = ["".join(DECK[3 * i : 3 * i + 3]) for i in range(seats)]
    with refused(kind=ValueError):
        Hand.from_cards(texts, rules="full_tilt", stacks=500)


def test_a_card_given_twice_is_shown_among_cards_in_text() -> None:
    with refused("As", "As2h3cAsKdKc", kind=ValueError):
        Hand.from_cards(["As2h3c", "AsKdKc"])


def test_a_list_of_texts_is_told_that_cards_are_one_string() -> None:
    with refused("'As'", "one string", kind=ValueError):
        Hand.from_cards([["As", "2h", "3c"], "8cKdKc"])  # type: ignore[list-item]


def test_from_cards_refuses_a_card_given_twice() -> None:
    for texts in (["Ah2c3d", "As2dAh"], ["Ah2cAh", "As2d3h"]):
        with refused("Ah", kind=ValueError):
            Hand.from_cards(texts, rules="full_tilt", stacks=500)
    with refused("As", kind=ValueError):
        Hand.from_cards(fill("As", "2c"), rules="full_tilt", stacks=500, community="As")


@pytest.mark.parametrize("bad", ["Ah2c3x", "Ah2c1d", "Ah2c3", "Ah2c3d4c5c6c7c8c"])
def test_from_cards_refuses_bad_texts(bad: str) -> None:
    with refused(kind=ValueError):
        Hand.from_cards([bad, "KhKdKc"], rules="full_tilt", stacks=500)


@pytest.mark.parametrize("bad", ["", "Ah", "Ah2c"])
def test_from_cards_needs_three_cards_for_third_street(bad: str) -> None:
    with refused("seat 0", kind=ValueError):
        Hand.from_cards([bad, "KhKdKc"], rules="full_tilt", stacks=500)


def test_from_cards_refuses_a_community_card_where_none_can_come() -> None:
    with refused("no seventh street", kind=ValueError):
        Hand.from_cards(["2c3d4h", "3c4d5h"], rules="mini20", community="As")


@pytest.mark.parametrize("bad", ["Ax", "AsKs", "hello"])
def test_from_cards_refuses_a_bad_community_card(bad: str) -> None:
    with refused(kind=ValueError):
        Hand.from_cards(fill(*ladder(3)), rules="full_tilt", stacks=500, community=bad)


@pytest.mark.parametrize(
    "deck",
    [
        "".join(DECK[:51]),
        "".join(DECK[:51]) + DECK[0],
        "".join(DECK[:51]) + "Xx",
        list(range(51)),
        [*range(51), 52],
        [*range(51), 0],
        [*range(51), -1],
    ],
)
def test_bad_decks_are_refused(deck: str | list[int]) -> None:
    with refused(kind=ValueError):
        Hand.deal(num_players=2, rules="full_tilt", stacks=500, deck=deck)


def test_deck_by_text_or_by_numbers() -> None:
    order: Sequence[int] = list(range(51, -1, -1))
    by_number = Hand.deal(num_players=2, rules="full_tilt", stacks=500, seed=1, deck=order)
    text = "".join(DECK[c] for c in order)
    by_text = Hand.deal(num_players=2, rules="full_tilt", stacks=500, seed=1, deck=text)
    assert by_number.to_bytes() == by_text.to_bytes()
    assert {*by_text.down_cards(0), *by_text.up_cards(0)} <= set(range(46, 52))


def test_seed_decides_the_deck() -> None:
    a, b, c = (Hand.deal(num_players=4, stacks=500, seed=s) for s in (7, 7, 8))
    assert a.to_bytes() == b.to_bytes()
    assert a.to_bytes() != c.to_bytes()
    assert a.events == b.events


def test_seed_leaves_the_global_generators_alone() -> None:
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    Hand.deal(num_players=4, stacks=500, seed=7)
    Hand.deal(num_players=4, stacks=500)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


# --- actions ----------------------------------------------------------------------------------


def test_actions_by_member_number_or_name() -> None:
    hands = [ladder_hand(3) for _ in range(3)]
    for hand, moves in zip(
        hands,
        [
            (Action.BRING_IN, Action.CALL, Action.COMPLETE, Action.FOLD, Action.FOLD),
            (3, 2, 4, 0, 0),
            ("BRING_IN", "CALL", "COMPLETE", "FOLD", "FOLD"),
        ],
        strict=True,
    ):
        for move in moves:
            hand.apply(move)
        assert payoffs(hand) == [-9, 18, -9]
    assert hands[0].to_bytes() == hands[1].to_bytes() == hands[2].to_bytes()


def test_numpy_integers_are_actions() -> None:
    hand = ladder_hand(3)
    hand.apply(np.int64(3))
    hand.apply(np.int8(0))
    assert hand.actor == 1


def test_amounts_now_and_to() -> None:
    hand = play(ladder_hand(3), "S3 BRING_IN, S1 COMPLETE")
    assert hand.amount(Action.RAISE) == hand.to_amount(Action.RAISE) == 40
    play(hand, "S2 CALL")
    assert (hand.amount(Action.CALL), hand.to_amount(Action.CALL)) == (15, 20)
    assert (hand.amount(Action.RAISE), hand.to_amount(Action.RAISE)) == (35, 40)
    assert hand.amount("RAISE") == hand.amount(6) == 35


def test_amounts_of_illegal_actions_are_refused() -> None:
    hand = ladder_hand(3)
    for action in (Action.FOLD, Action.CHECK, Action.CALL, Action.BET, Action.RAISE):
        with refused(kind=ValueError):
            hand.amount(action)
        with refused(kind=ValueError):
            hand.to_amount(action)


def test_illegal_action_names_seat_street_action_and_the_legal_ones() -> None:
    hand = limp(ladder_hand(3))
    before = hand.to_bytes()
    with refused("seat 0", "fourth", "fold", "check", "bet", kind=IllegalAction):
        hand.apply(Action.FOLD)
    assert issubclass(IllegalAction, ValueError)
    assert hand.to_bytes() == before


@pytest.mark.parametrize(
    ("wrong", "nearest"), [("RAIS", "raise"), ("BRINGIN", "bring_in"), ("COMPLET", "complete")]
)
def test_unknown_action_name_names_the_nearest(wrong: str, nearest: str) -> None:
    hand = ladder_hand(3)
    before = hand.to_bytes()
    with refused(wrong, nearest, kind=ValueError):
        hand.apply(wrong)
    assert hand.to_bytes() == before


@pytest.mark.parametrize("wrong", [7, -1, 99, None, 2.5, [], "", True])
def test_things_that_are_no_action_are_refused(wrong: object) -> None:
    hand = ladder_hand(3)
    before = hand.to_bytes()
    with refused():
        hand.apply(wrong)
    assert hand.to_bytes() == before


def test_acting_after_the_end_is_refused() -> None:
    hand = play(ladder_hand(3), "S3 BRING_IN, S1 FOLD, S2 FOLD")
    before = hand.to_bytes()
    for action in Action:
        with refused("over", kind=IllegalAction):
            hand.apply(action)
    assert hand.to_bytes() == before
    assert hand.actor is None


def test_results_before_the_end() -> None:
    """Results are zeros, pots have no winners and nothing is shown, up to the last action."""
    hand = ladder_hand(3)
    for move in (None, "S3 BRING_IN", "S1 COMPLETE", "S2 CALL", "S3 CALL", "S1 BET", "S2 FOLD"):
        play(hand, move or "")
        assert not hand.is_over
        for chips in (hand.payoffs, hand.returned):
            assert chips.dtype == np.int64
            assert chips.tolist() == [0, 0, 0]
        assert hand.rake == 0
        assert hand.showdown == ()
        assert hand.pots
        assert all(pot.winners == pot.shares == () for pot in hand.pots)
    play(hand, "S3 FOLD")
    assert payoffs(hand) == [48, -24, -24]
    assert hand.returned.tolist() == [20, 0, 0]
    assert [(pot.amount, pot.winners, pot.shares) for pot in hand.pots] == [(72, (0,), (72,))]
    assert hand.showdown == ()


@pytest.mark.parametrize("fold_when_check_is_free", [False, True])
def test_m01_m05_mask_is_exactly_what_apply_accepts(fold_when_check_is_free: bool) -> None:
    """In every state of random hands; the mask is all zero when the hand is over and only then."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        hand = random_table(rng, fold_when_check_is_free=fold_when_check_is_free)
        while not hand.is_over:
            mask = hand.action_mask()
            assert mask.any()
            before = hand.to_bytes()
            for action in Action:
                if mask[action]:
                    hand.clone().apply(action)
                else:
                    with pytest.raises(IllegalAction):
                        hand.apply(action)
            assert hand.to_bytes() == before
            hand.apply(rng.choice(np.flatnonzero(mask)))
        assert not hand.action_mask().any()
        assert hand.legal_actions() == ()


@pytest.mark.parametrize("mode", ["half_bet", "next_level", "full_on_top"])
def test_random_hands_settle_to_the_chip(mode: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        hand = random_table(rng, short_all_in_raise=mode)
        play_randomly(hand, rng)
        check_settlement(hand)
        cards = [e.card for e in hand.events if hasattr(e, "card")]
        assert len(set(cards)) == len(cards)
        assert (hand.stacks >= 0).all()


def test_amounts_match_what_apply_moves() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        hand = random_table(rng)
        while not hand.is_over:
            seat = hand.actor
            legal = hand.legal_actions()
            action = legal[rng.integers(len(legal))]
            chips, total = hand.amount(action), hand.to_amount(action)
            assert total == hand.street_chips[seat] + chips
            assert chips <= hand.stacks[seat]
            before = len(hand.events)
            street = hand.street
            stack = int(hand.stacks[seat])
            hand.apply(action)
            event = hand.events[before]
            assert event == ActionTaken(
                seat, street, action, chips, total, chips > 0 and chips == stack
            )


def test_pot_chips_count_all_chips_put_in_so_far() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        hand = random_table(rng)
        while not hand.is_over:
            assert hand.pot_chips == put_in(hand).sum()
            assert (hand.total_chips == put_in(hand)).all()
            legal = hand.legal_actions()
            hand.apply(legal[rng.integers(len(legal))])


# --- copies and bytes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "copied",
    [
        Hand.clone,
        copy.copy,
        copy.deepcopy,
        lambda hand: pickle.loads(pickle.dumps(hand)),
        lambda hand: Hand.from_bytes(hand.to_bytes()),
    ],
    ids=["clone", "copy", "deepcopy", "pickle", "bytes"],
)
def test_a_copy_plays_on_alike_and_apart(copied) -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        hand = random_table(rng)
        for _ in range(int(rng.integers(0, 8))):
            if not hand.is_over:
                hand.apply(hand.legal_actions()[rng.integers(len(hand.legal_actions()))])
        before = hand.to_bytes()
        twin = copied(hand)
        assert twin.to_bytes() == before
        assert twin.events == hand.events
        moves = play_randomly(twin, rng)
        assert hand.to_bytes() == before
        for move in moves:
            hand.apply(move)
        assert hand.to_bytes() == twin.to_bytes()
        assert hand.events == twin.events
        assert (hand.payoffs == twin.payoffs).all()


def test_a_hand_of_fixed_short_cards_survives_bytes() -> None:
    hand = Hand.from_cards(["Ah2c3d", "KhKdKc"], rules=table_rules(), stacks=500)
    twin = Hand.from_bytes(hand.to_bytes())
    for each in (hand, twin):
        play(each, "S2 BRING_IN, S1 COMPLETE, S2 FOLD")
    assert hand.to_bytes() == twin.to_bytes()
    assert payoffs(twin) == [9, -9]


@pytest.mark.parametrize("damage", [b"", b"razz", None])
def test_damaged_bytes_are_refused(damage: bytes | None) -> None:
    data = ladder_hand(3).to_bytes()
    with refused(kind=ValueError):
        Hand.from_bytes(data[:-1] if damage is None else damage)


@pytest.mark.parametrize("script", ["", "S1 BET, S2 FOLD, S3 FOLD"], ids=["playing", "over"])
def test_returned_arrays_are_copies(script: str) -> None:
    """They can be written to, and the hand does not notice."""
    hand = play(limp(ladder_hand(3)), script)
    before, shown = hand.to_bytes(), menu(hand)
    names = "stacks starting_stacks street_chips total_chips returned payoffs".split()
    for look in (*(lambda n=name: getattr(hand, n) for name in names), hand.action_mask):
        array = look()
        kept = array.copy()
        array[:] = 77
        assert (look() == kept).all()
        assert hand.to_bytes() == before
    assert menu(hand) == shown == ({} if script else {"CHECK": 0, "BET": 20})


def test_events_are_frozen() -> None:
    event = ladder_hand(3).events[0]
    with pytest.raises(AttributeError):
        event.seat = 5


def test_view_of_a_seat_does_not_depend_on_hidden_cards() -> None:
    """Same up cards and own cards, other down cards of the opponents: the same view (A09)."""
    a = deal("AhKd 5c6c", "2c2d 9h8h", "3c3d KsQs")
    b = deal("AhKd 5c6c", "7c7d 9h8h", "4c4d KsQs")
    for hand in (a, b):
        limp(hand)
        assert hand.street == Street.FOURTH
    assert a.view(0).tobytes() == b.view(0).tobytes()
    assert a.view(1).tobytes() != b.view(1).tobytes()


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_view_of_a_seat_that_is_not_there(seat: int) -> None:
    hand = ladder_hand(3)
    for look in (hand.view, hand.up_cards, hand.down_cards):
        with pytest.raises((ValueError, IndexError)):
            look(seat)
