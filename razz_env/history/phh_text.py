"""Records written in PHH notation: text that PokerKit loads and replays.

What PHH has no field for goes into fields of our own, whose names begin with an underscore.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

from razz_env.history.money import CENTS, SYMBOLS
from razz_env.history.phh import ZONES
from razz_env.history.record import HandRecord, HistoryError, Move, Showing
from razz_env.history.replay import misfit, replay
from razz_env.history.toml_lines import quoted
from razz_env.rules.cards import DECK_SIZE, NO_CARD, format_card, format_cards
from razz_env.rules.house_rules import PRESETS, HouseRules
from razz_env.rules.terms import Action

_STAKES = ("ante", "bring_in", "small_bet", "big_bet")


def hand_text(record: HandRecord) -> str:
    """A whole hand, ending with a newline. The record must be complete (`HandRecord.completed`).

    Raises:
        HistoryError: a hand that PokerKit would play otherwise, so that the file would lie.
    """
    check_for_pokerkit(record)
    return "".join(f"{key} = {value}\n" for key, value in _fields(record))


def check_for_pokerkit(record: HandRecord) -> None:
    """Refuse a hand that PokerKit would not replay to the same stacks.

    PokerKit has one rule book, ours named `pokerkit`: four bets a street, short all-ins and odd
    chips in its own way. It splits money into fractions of a cent.

    Raises:
        HistoryError: the first difference.
    """
    unraked = dataclasses.replace(record.rules, rake_basis_points=0, rake_cap=0)
    both = replay([dataclasses.replace(record, rules=unraked), record.with_preset("pokerkit")])
    if not both.fits[0]:
        raise HistoryError(f"{record.name}, {misfit(both, 0)}")
    if not both.fits[1]:
        raise HistoryError(f"{_REFUSAL} {misfit(both, 1)}")
    ours, theirs = both.ends[0], both.ends[1]
    if ours.stacks != theirs.stacks:
        raise HistoryError(f"{_REFUSAL} the stacks end as {theirs.stacks}, not {ours.stacks}.")
    winners = Counter(award.pot for award in theirs.awards)
    odd = any(theirs.pots[pot] % count for pot, count in winners.items())
    if record.currency and odd:
        raise HistoryError(f"{_REFUSAL} a pot is split into fractions of a cent.")


_REFUSAL = "PHH means PokerKit's rules (write it as JSON instead), and by these"


def _fields(record: HandRecord) -> Iterator[tuple[str, str]]:
    yield "variant", "'FR'"
    yield "ante_trimming_status", "true"
    yield "antes", _list(_amount(record.rules.ante, record) for _ in record.seats)
    for name in _STAKES[1:]:
        yield name, _amount(getattr(record.rules, name), record)
    yield "starting_stacks", _list(_amount(seat.stack, record) for seat in record.seats)
    yield "actions", _list(quoted(action) for action in actions(record))
    yield from _optional(record)
    yield from _own(record)


def _optional(record: HandRecord) -> Iterator[tuple[str, str]]:
    if record.room:
        yield "venue", quoted(record.room)
    if record.time:
        yield "time", record.time.time().isoformat("seconds")
    if record.zone:
        yield "time_zone", quoted(ZONES.get(record.zone, record.zone))
    if record.time:
        for name in ("day", "month", "year"):
            yield name, str(getattr(record.time, name))
    if record.hand_id:
        yield "hand", record.hand_id if _is_int(record.hand_id) else quoted(record.hand_id)
    yield "seats", _list(str(seat.number) for seat in record.seats)
    if record.max_seats:
        yield "seat_count", str(record.max_seats)
    if record.table:
        yield "table", quoted(record.table)
    yield "players", _list(quoted(seat.name) for seat in record.seats)
    if record.returned:
        ends = (s.stack + net for s, net in zip(record.seats, record.payoffs, strict=True))
        yield "finishing_stacks", _list(_amount(end, record) for end in ends)
    if record.awards:
        yield "winnings", _list(_amount(won, record) for won in record.collected)
    if record.currency:
        yield "currency", quoted(record.currency)
        if record.currency in SYMBOLS:
            yield "currency_symbol", quoted(SYMBOLS[record.currency])


def _own(record: HandRecord) -> Iterator[tuple[str, str]]:
    """Fields of our own; PokerKit keeps them as they are."""
    yield "_house_rules", _list(quoted(option) for option in rule_options(record.rules))
    if record.community is not None:
        yield "_community", quoted(format_card(record.community))
    if record.rake:
        yield "_rake", _amount(record.rake, record)
        awards = (f"{a.pot} {a.seat} {_amount(a.chips, record)}" for a in record.awards)
        yield "_awards", _list(quoted(award) for award in awards)
    if not record.bring_in_known:
        yield "_bring_in_known", "false"
    for key, text in (("_clock", record.clock), ("_mix", record.mix), ("_club", record.club)):
        if text:
            yield key, quoted(text)
    if record.tournament:
        yield "_tournament", _list(quoted(part) for part in record.tournament)
    if record.hero is not None:
        yield "_hero", str(record.hero)
    if record.high_door is not None:
        yield "_high_door", str(record.high_door)
    if record.bystanders:
        rows = (f"{b.number} {_amount(b.stack, record)} {b.name}" for b in record.bystanders)
        yield "_bystanders", _list(quoted(row) for row in rows)


def rule_options(rules: HouseRules) -> list[str]:
    """The preset nearest to the rules, and every option in which they differ from it."""
    options = {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}

    def differences(preset: str) -> list[str]:
        given = {**_DEFAULTS, **PRESETS[preset]}
        return [
            f"{name} = {_option_text(value)}"
            for name, value in options.items()
            if name not in _STAKES and value != given[name]
        ]

    nearest = min(PRESETS, key=lambda preset: len(differences(preset)))
    return [f"preset = {nearest}", *differences(nearest)]


_DEFAULTS = {field.name: field.default for field in dataclasses.fields(HouseRules)}


def _option_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def actions(record: HandRecord) -> Iterator[str]:
    """Deals, moves and the showdown in PHH's words."""
    street = 2
    live = [True] * len(record.seats)
    for move, nominal in zip(record.moves, nominal_raises(record), strict=True):
        yield from _deals(record, live, street, move.street)
        street = move.street
        yield _move(record, move, nominal)
        live[move.seat] &= move.action != Action.FOLD
    if sum(live) > 1:
        yield from _showdown(record, live, max(street, 3), street)


def _showdown(record: HandRecord, live: list[bool], street: int, dealt: int) -> Iterator[str]:
    """Hands that are all-in lie open before the rest is dealt, and are shown again at the end."""
    if dealt < street:
        yield from _deals(record, live, dealt, street)
    if street < 7:
        for showing in record.showings:
            yield _show(showing, record.seats[showing.seat].cards[:street])
        yield from _deals(record, live, street, 7)
        if record.community is not None and _goes_to_the_board(record):
            return
    for showing in record.showings:
        yield _show(showing, record.seats[showing.seat].cards + _shared_seventh(record))


def _show(showing: Showing, cards: tuple[int, ...]) -> str:
    shown = "" if showing.mucked else f" {format_cards(cards)}"
    return f"p{showing.seat + 1} sm{shown}"


def _goes_to_the_board(record: HandRecord) -> bool:
    """Whether PokerKit finds too few cards for seventh street, and so asks for a board.

    It counts mucked cards, and cards it does not know, as cards that can be dealt.
    """
    gone = {m.seat for m in record.moves if m.action == Action.FOLD and m.street < 7}
    held = [seat.cards for number, seat in enumerate(record.seats) if number not in gone]
    known = sum(card != NO_CARD for cards in held for card in cards)
    return len(held) > DECK_SIZE - known


def _shared_seventh(record: HandRecord) -> tuple[int, ...]:
    """The shared card as a seventh card of every hand: PokerKit deals mucked cards first."""
    if record.community is None or _goes_to_the_board(record):
        return ()
    return (record.community,)


def _deals(record: HandRecord, live: list[bool], after: int, upto: int) -> Iterator[str]:
    for street in range(after + 1, upto + 1):
        if street == 7 and record.community is not None and _goes_to_the_board(record):
            yield f"d db {format_cards((record.community,))}"
            continue
        for number, seat in enumerate(record.seats):
            if live[number]:
                cards = seat.cards + (_shared_seventh(record) if street == 7 else ())
                new = cards[:3] if street == 3 else cards[street - 1 : street]
                yield f"d dh p{number + 1} {format_cards(new)}"


def nominal_raises(record: HandRecord) -> Iterator[bool]:
    """For each move, whether it raises beyond what any opponent could match.

    PokerKit does not take such a raise, whose excess comes back anyhow: it is written as a call
    with the raise in its comment.
    """
    stacks = [seat.stack - seat.ante for seat in record.seats]
    street_chips = [0] * len(stacks)
    live = [True] * len(stacks)
    street = 3
    for move in record.moves:
        if move.street != street:
            street, street_chips = move.street, [0] * len(stacks)
        level = max(street_chips)
        reach = max(
            stacks[s] + street_chips[s] for s, alive in enumerate(live) if alive and s != move.seat
        )
        yield move.action >= Action.COMPLETE and level > 0 and reach <= level
        stacks[move.seat] -= move.chips
        street_chips[move.seat] += move.chips
        live[move.seat] &= move.action != Action.FOLD


def _move(record: HandRecord, move: Move, nominal: bool) -> str:
    match move.action:
        case Action.FOLD:
            verb = "f"
        case Action.CHECK | Action.CALL:
            verb = "cc"
        case Action.BRING_IN:
            verb = "pb"
        case _:
            verb = f"cbr {_amount(move.to_chips, record)}"
    return f"p{move.seat + 1} {f'cc # {verb}' if nominal else verb}"


def _amount(chips: int, record: HandRecord) -> str:
    """Money always with its cents: PokerKit splits whole numbers into whole numbers."""
    if record.currency is None:
        return str(chips)
    whole, cents = divmod(chips, CENTS)
    return f"{whole}.{cents:02}"


def _list(parts: Any) -> str:
    return f"[{', '.join(parts)}]"


def _is_int(text: str) -> bool:
    return text.isascii() and text.isdigit() and str(int(text)) == text and int(text) < 2**63
