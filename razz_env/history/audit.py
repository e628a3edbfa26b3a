"""The auditor: where a file and the rules disagree, and the rule book that would explain it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from razz_env.history.ending import End
from razz_env.history.kernels import UNKNOWN
from razz_env.history.lows import text_fits
from razz_env.history.record import HandRecord
from razz_env.history.replay import Misfit, Replays, misfit
from razz_env.history.replay import replay as play
from razz_env.rules.cards import NO_CARD
from razz_env.rules.house_rules import PRESETS
from razz_env.rules.lowball import low_from_key

_MAX_AMOUNTS = 20
"""Wrong amounts that are reported of one hand."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One disagreement.

    Attributes:
        kind: "ante", "bring-in", "actor", "street", "action", "amount", "unfinished", "cards",
            "returned", "pot", "sum", "winner", "share", "stacks", "showdown", "showdown order" or
            "low".
        sentence: what the file says and what the rules say.
        move: index of the action concerned, or None.
    """

    kind: str
    sentence: str
    move: int | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Audit:
    """What the auditor says of one hand.

    Attributes:
        record: the hand.
        findings: disagreements with the record's own rules; none if all is well.
        explained_by: presets under which there would be none, at the same stakes.
    """

    record: HandRecord
    findings: tuple[Finding, ...]
    explained_by: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether file and rules agree."""
        return not self.findings


def audit(record: HandRecord) -> Audit:
    """Replay a hand through the engine and report every disagreement with its own rules.

    Unknown cards are drawn so that the file's outcome comes out, if any cards can do that. After a
    wrong amount the replay goes on with the right one; after a wrong turn it cannot go on.

    Raises:
        HistoryError: a hand that cannot be laid out at all, such as one of more cards than a deck.
    """
    return audit_played(play([record]), 0)


def audit_played(played: Replays, index: int) -> Audit:
    """`audit` of a hand that has been replayed already."""
    record = played.records[index]
    findings = tuple(find(played, index))
    return Audit(record, findings, explain(record) if findings else ())


def explain(record: HandRecord) -> tuple[str, ...]:
    """The presets under which file and rules agree."""
    return tuple(preset for preset in PRESETS if _agrees_under(record, preset))


def _agrees_under(record: HandRecord, preset: str) -> bool:
    try:
        played = play([record.with_preset(preset)])
    except ValueError:  # a small variant, or a preset that cannot replay this hand
        return False
    return next(find(played, 0), None) is None


def find(played: Replays, index: int) -> Iterator[Finding]:
    """The disagreements of a replayed hand, one by one."""
    record = played.records[index]
    yield from _antes(record)
    yield from _high_door(record)
    while not played.fits[index]:
        wrong = misfit(played, index)
        yield Finding(wrong.kind, wrong.sentence, wrong.move)
        if wrong.kind != "amount" or wrong.move >= _MAX_AMOUNTS:
            yield from _arithmetic(record)
            return
        record = _without_amount(record, wrong)
        played, index = play([record]), 0
    end = played.ends[index]
    yield from _arithmetic(record)
    yield from _pots(record, end)
    yield from _winners(record, end)
    yield from _showdown(record, end)


def _without_amount(record: HandRecord, wrong: Misfit) -> HandRecord:
    moves = list(record.moves)
    moves[wrong.move] = moves[wrong.move]._replace(chips=UNKNOWN, to_chips=UNKNOWN)
    return replace(record, moves=tuple(moves))


def _antes(record: HandRecord) -> Iterator[Finding]:
    for seat in record.seats:
        due = min(record.rules.ante, seat.stack)
        if seat.ante != due:
            yield Finding("ante", f"{seat.name} posts an ante of {seat.ante}, the rules say {due}.")


def _high_door(record: HandRecord) -> Iterator[Finding]:
    doors = [seat.cards[2] for seat in record.seats]
    if record.high_door is None or NO_CARD in doors:
        return
    highest = doors.index(max(doors))
    if record.high_door != highest:
        name, right = record.seats[record.high_door].name, record.seats[highest].name
        yield Finding("bring-in", f"the file calls {name} high, the highest door is {right}'s.")


def _arithmetic(record: HandRecord) -> Iterator[Finding]:
    """Whether the file's own numbers add up, whatever the rules say."""
    if excess := record.excess_chips:
        more = "more" if excess > 0 else "less"
        sentence = f"what was won, returned and raked is {abs(excess)} {more} than was put in."
        yield Finding("sum", sentence)
    if record.total_pot is None:
        return
    if record.awards and sum(record.collected) + record.rake != record.total_pot:
        yield Finding(
            "pot",
            f"{sum(record.collected)} collected and {record.rake} rake are not the total pot of "
            f"{record.total_pot}.",
        )
    if record.pots and sum(record.pots) != record.total_pot:
        yield Finding("pot", f"the pots {_list(record.pots)} do not make {record.total_pot}.")


def _pots(record: HandRecord, end: End) -> Iterator[Finding]:
    pots = list(end.pots)
    if record.total_pot not in (None, sum(pots)):
        yield Finding("pot", f"the file's total pot is {record.total_pot}, the rules' {sum(pots)}.")
    elif record.pots and list(record.pots) != pots:
        yield Finding("pot", f"the file has pots {_list(record.pots)}, the rules {_list(pots)}.")
    returned = list(end.returned)
    if record.returned and list(record.returned) != returned:
        yield Finding(
            "returned",
            f"the file returns {_list(record.returned)} by seat, the rules {_list(returned)}.",
        )


def _winners(record: HandRecord, end: End) -> Iterator[Finding]:
    shares = end.shares
    if record.awards:
        yield from _compare_shares(record, shares)
    elif any(s.mucked and shares[s.seat] for s in record.showings):
        winners = _names(record, [seat for seat, won in enumerate(shares) if won])
        yield Finding("winner", f"by the rules {winners} wins, but the file mucks that hand.")
    said = record.finishing_stacks
    if said and not record.rake and said != end.stacks:
        yield Finding(
            "stacks",
            f"the file ends with stacks {_list(said)}, the rules with {_list(end.stacks)}.",
        )


def _compare_shares(record: HandRecord, shares: Sequence[int]) -> Iterator[Finding]:
    """The file's shares may be less than the rules' by the rake, and by no more.

    So of a winner whose whole share the rake may have taken a file need not tell.
    """
    collected = record.collected
    said = [seat for seat, won in enumerate(collected) if won]
    right = [
        seat for seat, won in enumerate(shares) if won > record.rake or (won and collected[seat])
    ]
    if said != right:
        names = _names(record, said), _names(record, right)
        yield Finding("winner", f"the file gives the pot to {names[0]}, the rules to {names[1]}.")
    elif any(not 0 <= share - won <= record.rake for share, won in zip(shares, collected)):
        yield Finding(
            "share",
            f"the file pays {_list(collected)} by seat, the rules {_list(shares)} before a rake of "
            f"{record.rake}.",
        )


def _showdown(record: HandRecord, end: End) -> Iterator[Finding]:
    if not record.showings:
        return
    said, right = [s.seat for s in record.showings], [s.seat for s in end.showdown]
    if sorted(said) != sorted(right):
        names = _names(record, said), _names(record, right)
        yield Finding("showdown", f"the file shows down {names[0]}, the rules {names[1]}.")
        return
    if said != right:
        names = _names(record, said), _names(record, right)
        yield Finding("showdown order", f"the file shows {names[0]}, the rules {names[1]}.")
    yield from _hands_shown(record, end)


def _hands_shown(record: HandRecord, end: End) -> Iterator[Finding]:
    """A beaten hand may be shown, but one that must be shown may not be mucked."""
    must = {s.seat for s in end.showdown if not s.mucked}
    in_order = [s.seat for s in record.showings] == [s.seat for s in end.showdown]
    for showing in record.showings:
        name = record.seats[showing.seat].name
        if showing.mucked and in_order and showing.seat in must:
            yield Finding("showdown", f"{name} mucks a hand that has to be shown.")
        low = low_from_key(end.keys[showing.seat])
        if showing.low and not text_fits(showing.low, low):
            text = f"the file calls {name}'s hand {showing.low!r}, it is a {low.name}."
            yield Finding("low", text)


def _names(record: HandRecord, seats: Sequence[int]) -> str:
    return ", ".join(record.seats[seat].name for seat in seats) or "nobody"


def _list(amounts: Sequence[int]) -> str:
    return ", ".join(str(int(amount)) for amount in amounts)
