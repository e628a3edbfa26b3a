"""A hand told street by street, as the engine replays it: what `razz replay` prints."""

from collections.abc import Iterator

from razz_env.history.audit import Audit, Finding, audit_played
from razz_env.history.money import format_amount
from razz_env.history.record import HandRecord, Move, dealt_counts
from razz_env.history.replay import Replays, replay
from razz_env.rules.cards import NO_CARD, format_card
from razz_env.rules.events import ActionTaken
from razz_env.rules.terms import Action, Street

_VERBS = {
    Action.FOLD: "folds",
    Action.CHECK: "checks",
    Action.CALL: "calls {chips}",
    Action.BRING_IN: "brings in for {chips}",
    Action.COMPLETE: "completes to {to_chips}",
    Action.BET: "bets {chips}",
    Action.RAISE: "raises {by} to {to_chips}",
}


def tell(record: HandRecord) -> tuple[list[str], Audit]:
    """The hand in words, a line for each thing that happened, and what the auditor says of it.

    A move that the rules do not take ends the tale, with the disagreement.

    Raises:
        HistoryError: a hand that cannot be laid out at all, such as one of more cards than a deck.
    """
    played = replay([record])
    said = audit_played(played, 0)
    return list(_lines(record, played, said)), said


def heading(record: HandRecord) -> str:
    """Room, number, table, time and stakes of a hand."""
    rules = record.rules
    stakes = "/".join(
        format_amount(chips, record.currency)
        for chips in (rules.ante, rules.bring_in, rules.small_bet, rules.big_bet)
    )
    parts = [record.room, record.name, record.table and f"table {record.table}"]
    if record.time:
        parts.append(f"{record.time:%Y-%m-%d %H:%M:%S} {record.zone}".strip())
    return ", ".join([*filter(None, parts), f"ante/bring-in/bets {stakes}"])


def _lines(record: HandRecord, played: Replays, said: Audit) -> Iterator[str]:
    yield heading(record)
    for seat in record.seats:
        ante = format_amount(seat.ante, record.currency)
        stack = format_amount(seat.stack, record.currency)
        yield f"  seat {seat.number} {seat.name}: {stack}, antes {ante}"
    moves = played.moves(0)
    street, committed = 2, [0] * len(record.seats)
    for number, move in enumerate(moves[: max(played.fitted[0], 0)]):
        if move.street != street:
            street, committed = move.street, [0] * len(record.seats)
            yield from _street(record, street, moves[:number])
        yield f"  {sentence(record, move, max(committed))}"
        committed[move.seat] = move.to_chips
    if played.fits[0]:
        yield from _rest(record, played, street)
    yield from _findings(said)


def sentence(record: HandRecord, move: Move, level: int) -> str:
    """`"Ann raises 20 to 40"`; `level` is the highest street total before the move."""
    return f"{record.seats[move.seat].name} {action_words(move, level, record.currency)}"


def action_words(move: Move | ActionTaken, level: int, currency: str | None = None) -> str:
    """`"raises 20 to 40"`; `level` is the highest street total before the action."""
    words = _VERBS[Action(move.action)].format(
        chips=format_amount(move.chips, currency),
        to_chips=format_amount(move.to_chips, currency),
        by=format_amount(max(move.to_chips - level, 0), currency),
    )
    return f"{words}, all-in" if move.all_in else words


def _street(record: HandRecord, street: int, before: tuple[Move, ...]) -> Iterator[str]:
    """A street's title with the pot, and the cards of every seat that is in it."""
    folded = {move.seat for move in before if move.action == Action.FOLD}
    pot = sum(seat.ante for seat in record.seats) + sum(move.chips for move in before)
    yield f"{Street(street).name.lower()} street, pot {format_amount(pot, record.currency)}"
    counts = dealt_counts(len(record.seats), record.moves, record.community)
    for number, seat in enumerate(record.seats):
        if number not in folded:
            yield f"  {seat.name} {_cards(seat.cards[: min(street, counts[number])])}"
    if street == 7 and record.community is not None:
        yield f"  the stub is short: {format_card(record.community)} is everyone's seventh card"


def _cards(cards: tuple[int, ...]) -> str:
    """Down cards in brackets, cards that the file does not show as ??."""
    down = [card for place, card in enumerate(cards) if place < 2 or place == 6]
    up = cards[2:6]
    hidden = " ".join(format_card(card) if card != NO_CARD else "??" for card in down)
    return f"[{hidden}] {' '.join(map(format_card, up))}"


def _rest(record: HandRecord, played: Replays, street: int) -> Iterator[str]:
    """The end of the hand by the rules."""
    end = played.ends[0]
    last = 7 if end.showdown else max(street, 3)
    for later in range(street + 1, last + 1):
        yield from _street(record, later, played.moves(0))
    for seat, chips in enumerate(end.returned):
        if chips:
            amount = format_amount(chips, record.currency)
            yield f"  uncalled {amount} goes back to {record.seats[seat].name}"
    for showing in end.showdown:
        name = record.seats[showing.seat].name
        yield f"  {name} mucks" if showing.mucked else f"  {name} shows {showing.low}"
    for award in end.awards:
        pot = pot_words(award.pot, len(end.pots))
        amount = format_amount(award.chips, record.currency)
        yield f"  {record.seats[award.seat].name} wins {amount} from {pot}"
    if record.rake:
        yield f"  rake {format_amount(record.rake, record.currency)}"


def pot_words(number: int, count: int) -> str:
    """`"the main pot"`, or what else pot `number` of so many is called in a sentence."""
    if count == 1:
        return "the pot"
    return f"side pot {number}" if number else "the main pot"


def _findings(said: Audit) -> Iterator[str]:
    for finding in said.findings:
        yield f"! {finding}"
    if said.findings:
        yield f"! {explanation(said)}"


def explanation(said: Audit) -> str:
    """Which preset would explain the disagreements."""
    if said.explained_by:
        return f"there is no disagreement under the preset {' or '.join(said.explained_by)}."
    return "no preset explains it."


__all__ = ["Finding", "action_words", "explanation", "heading", "pot_words", "sentence", "tell"]
