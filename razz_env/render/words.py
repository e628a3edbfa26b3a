"""What is said at a table: actions with their amounts, and the dealer's announcements."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np

from razz_env.render.scene import ScenePot, amount_text
from razz_env.rules.action_log import logged_actions
from razz_env.rules.cards import NO_CARD, RANKS
from razz_env.rules.lowball import PLAYED_CARDS, Low, evaluate_batch, low_from_key
from razz_env.rules.record import Record
from razz_env.rules.terms import Action

_DID = {
    Action.FOLD: "folds",
    Action.CHECK: "checks",
    Action.CALL: "calls",
    Action.BRING_IN: "brings in {}",
    Action.COMPLETE: "completes to {}",
    Action.BET: "bets {}",
    Action.RAISE: "raises to {}",
}


def did(action: Action, to_chips: int, currency: str | None) -> str:
    """An action in words; `to_chips` is the street total that it made."""
    return _DID[action].format(amount_text(to_chips, currency))


def last_actions(public: Record) -> dict[int, Action]:
    """Seat -> its last action on this street."""
    begun = max(int(public.street_start[int(public.street) - 3]), 0)
    return dict(logged_actions(public, begun))


def stakes(public: Record, currency: str | None) -> str:
    """Bets, ante and bring-in: "20/40, ante 4, bring-in 5"."""
    rules = public.rules
    amounts = (rules.small_bet, rules.big_bet, rules.ante, rules.bring_in)
    small, big, ante, bring_in = (amount_text(int(chips), currency) for chips in amounts)
    return f"{small}/{big}, ante {ante}, bring-in {bring_in}"


def last_action(public: Record, names: Sequence[str], currency: str | None) -> str:
    """The last action of the hand as a sentence; empty if there was none.

    Its amount is known as long as its street lasts.
    """
    if not public.log_length:
        return ""
    seat, action = logged_actions(public, int(public.log_length) - 1)[0]
    if public.street_start[int(public.street) - 3] < public.log_length:
        return f"{names[seat]} {did(action, int(public.street_chips[seat]), currency)}"
    return f"{names[seat]} {_DID[action].removesuffix(' to {}').removesuffix(' {}')}"


def announcements(
    pots: Sequence[ScenePot], names: Sequence[str], lows: dict[int, Low]
) -> tuple[str, ...]:
    """What the dealer says at the end: a sentence for every pot, one for pots that go together.

    Args:
        pots: the pots with their winners.
        names: of the seats.
        lows: seat -> the low that it shows; empty if everybody else has folded.
    """
    groups = groupby(pots, key=lambda pot: pot.winners)
    return tuple(_announce(winners, list(won), names, lows) for winners, won in groups)


def _announce(
    winners: tuple[int, ...], pots: list[ScenePot], names: Sequence[str], lows: dict[int, Low]
) -> str:
    called = [pot.name if pot.name[-1].isdigit() else f"the {pot.name}" for pot in pots]
    what = " and ".join([", ".join(called[:-1]), called[-1]] if called[1:] else called)
    if winners[0] not in lows:
        return f"{names[winners[0]]} wins {what}"
    sentence = f"{lows[winners[0]].name} {'wins' if len(winners) == 1 else 'splits'} {what}"
    return sentence[0].upper() + sentence[1:]


def low_of(cards: Sequence[int]) -> Low:
    """The best low of cards 0..51, among which -1 stands for none."""
    held: Any = np.array([[card for card in cards if card != NO_CARD]], np.int8)
    return low_from_key(int(evaluate_batch(held)[0]), min(held.shape[1], PLAYED_CARDS))


def ranks_of(low: Low) -> str:
    """The ranks of a low, largest group first and then highest first: "8-6-5-4-A"."""
    return "-".join(RANKS[rank] for rank in low.ranks)
