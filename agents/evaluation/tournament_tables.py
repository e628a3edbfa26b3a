"""A tournament's standings as tables of text, from which Markdown and HTML are made alike."""

from collections.abc import Sequence
from typing import NamedTuple

from agents.evaluation.ranking import Equilibrium
from agents.evaluation.report import (
    TOO_FEW_DECKS,
    copies_text,
    interval_text,
    preset_name,
    stakes_text,
)
from agents.evaluation.result import Estimate
from agents.evaluation.sequences import FIRST_LOOK
from agents.evaluation.standings import Match, Standings
from agents.evaluation.statistics import Z_95
from agents.evaluation.style import shares
from razz_env.rules.terms import Street

NO_ALPHA_RANK = ' Alpha-Rank needs `pip install "razz-env[openspiel]"`.'

ANYTIME_STAYS = (
    " The anytime interval stays valid if the tournament is stopped or prolonged for what it shows."
)

Rows = Sequence[Sequence[str]]


class Section(NamedTuple):
    """A part of a report: a title, sentences, and a table (no rows for none)."""

    title: str
    text: str
    header: Sequence[str] = ()
    rows: Rows = ()


def sections(standings: Standings) -> list[Section]:
    """All parts of a report, in order."""
    return [
        ranking(standings),
        crosstable(standings),
        comparisons(standings),
        game_ranking(standings),
        matches(standings),
        style(standings),
    ]


def heading(standings: Standings) -> str:
    """A sentence on what was played."""
    field, rules = standings.field, standings.field.rules
    stacks = field.stacks if isinstance(field.stacks, int) else "/".join(map(str, field.stacks))
    told = (
        f"{len(field.players)} players, {_kind(standings)}: {len(standings.lineups)} line-up"
        f"{'s' if len(standings.lineups) > 1 else ''} on the same {standings.decks:,} decks, "
        f"{standings.hands:,} hands; rules {preset_name(rules)}, {stakes_text(rules)}, "
        f"stacks {stacks}, seed {field.seed}."
    )
    return told if standings.has_enough_decks else f"{told} {TOO_FEW_DECKS}"


def ranking(standings: Standings) -> Section:
    """Every player's result in all its matches together."""
    totals = standings.totals()
    rows = [
        (
            standings.field.names[player],
            str(place),
            f"{totals[player].bb_per_100:+.2f}",
            f"{totals[player].mbb_per_hand:+.1f}",
            f"{totals[player].standard_error:.2f}",
            interval_text(totals[player].normal),
            _anytime(standings, totals[player]),
        )
        for place, player in enumerate(standings.order, 1)
    ]
    return Section(
        "Ranking",
        "What each player won in all its matches together, in big bets per 100 hands (BB/100) and "
        "thousandths of a big bet a hand (mbb/hand). The unit of all errors is the deck, over "
        "all matches that it was played in."
        + (ANYTIME_STAYS if standings.has_enough_decks else ""),
        ("player", "rank", "BB/100", "mbb/hand", "std error", "95 % normal", "95 % anytime"),
        rows,
    )


def crosstable(standings: Standings) -> Section:
    """The row's result against the column's, with half-widths of the normal intervals."""
    names, order = standings.field.names, standings.order
    text = (
        "What the player of a row won more than that of a column at the tables where both sat"
        if standings.is_mixed
        else "What the player of a row won of that of a column"
        if standings.field.is_heads_up
        else f"What the player of a row won against {standings.field.num_players - 1} copies of "
        "that of a column"
    )
    rows = [
        [names[row], *(_cell(standings.crosstable[row][column]) for column in order)]
        for row in order
    ]
    return Section(
        "Crosstable",
        f"{text}, in BB/100, and the half-width of its normal 95 % interval.",
        ["player", *(names[column] for column in order)],
        rows,
    )


def comparisons(standings: Standings) -> Section:
    """All pairs, corrected for their number."""
    names = standings.field.names
    rows = [
        (
            f"{names[one.one]} - {names[one.other]}",
            f"{one.bb_per_100:+.2f}",
            f"{one.standard_error:.2f}",
            _p(one.p),
            _p(one.adjusted_p),
            "yes" if one.is_decided else "no",
        )
        for one in standings.comparisons
    ]
    return Section(
        "Who is better",
        f"{len(rows)} comparisons are made at once, and of many intervals some leave out 0 by "
        "chance. The p-values adjusted by Holm's method allow for that: all differences with one "
        "below 0.05 hold together, with 5 % for any error among them."
        + ("" if standings.has_enough_decks else f" They need {FIRST_LOOK:,} decks."),
        ("pair", "BB/100", "std error", "p", "Holm p", "decided"),
        rows,
    )


def game_ranking(standings: Standings) -> Section:
    """Rankings for fields in which nobody beats everybody."""
    names = standings.field.names
    rows = [
        (
            names[player],
            *_both(standings.nash, player, "+.2f"),
            *_both(standings.lottery, player, "+.2f"),
            "-" if standings.alpha is None else f"{standings.alpha[player]:.3f}",
        )
        for player in sorted(standings.order, key=lambda one: -standings.nash.weights[one])
    ]
    return Section(
        "Game-theoretic ranking",
        f"{_cycles(standings)} Nash averaging: how often the equilibrium of the game of naming a "
        "player names this one, and what it wins against that mixture, in BB/100. Maximal lottery: "
        "the same of who beats whom, not by how much. Both take the crosstable for exact."
        + (NO_ALPHA_RANK if standings.alpha is None else ""),
        ("player", "Nash weight", "Nash rating", "lottery weight", "lottery rating", "alpha-Rank"),
        rows,
    )


def matches(standings: Standings) -> Section:
    """Every match with all estimates of its result."""
    rows = [
        (
            standings.field.names[match.player],
            lineup_text(standings, match),
            estimate.name,
            f"{estimate.bb_per_100:+.2f}",
            f"{estimate.standard_error:.2f}",
            interval_text(estimate.normal),
            interval_text(match.bootstrap) if estimate.name == "duplicate" else "",
            variance_text(match, estimate),
        )
        for match in standings.matches
        for estimate in match.estimates
    ]
    return Section(
        "Matches",
        "The estimate of single hands treats every hand as dealt on its own; the variance of the "
        "others is told as a share of its variance.",
        (
            "player",
            "against",
            "estimate",
            "BB/100",
            "std error",
            "95 % normal",
            "95 % bootstrap",
            "variance",
        ),
        rows,
    )


def style(standings: Standings) -> Section:
    """What the players do on each street, in percent."""
    rows = [
        [
            standings.field.names[player],
            street.name.lower(),
            *(
                "-" if values[place] is None else f"{100 * (values[place] or 0):.1f}"
                for values in shares(standings.style(player)).values()
            ),
        ]
        for player in standings.order
        for place, street in enumerate(Street)
    ]
    return Section(
        "Style",
        "In percent. Play: hands in which the player put chips in by choice, of those in which it "
        "saw the street. Complete (or bet) and raise: of its decisions. Fold to raise: of its "
        "decisions after a completion, bet or raise. Showdown: of the hands that it saw the street "
        "in. Won: of the showdowns of hands that it played on the street, those that paid it.",
        ("player", "street", "play", "complete", "raise", "fold to raise", "showdown", "won"),
        rows,
    )


def lineup_text(standings: Standings, match: Match) -> str:
    """The other seats of a match: "caller", "5 x caller", "caller, 2 x random"."""
    counts = {other: match.others.count(other) for other in match.others}
    names = standings.field.names
    return ", ".join(copies_text(names[other], count) for other, count in counts.items())


def variance_text(match: Match, estimate: Estimate) -> str:
    """The variance of an estimate as a share of that of single hands: "1/5.58"."""
    if estimate.standard_error == 0:
        return "none"
    ratio = (match.estimates[0].standard_error / estimate.standard_error) ** 2
    return f"1/{ratio:.2f}"


def _kind(standings: Standings) -> str:
    field = standings.field
    if field.is_heads_up:
        return "heads-up"
    kind = "mixed tables" if standings.is_mixed else "one against copies"
    return f"{field.num_players} seats, {kind}"


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return "."
    return f"{estimate.bb_per_100:+.2f} ± {Z_95 * estimate.standard_error:.2f}"


def _anytime(standings: Standings, estimate: Estimate) -> str:
    anytime = estimate.anytime(standings.decks)
    return "-" if anytime is None else interval_text(anytime)


def _p(value: float | None) -> str:
    if value is None:
        return "-"
    return "< 0.0001" if value < 1e-4 else f"{value:.4f}"


def _both(found: Equilibrium, player: int, form: str) -> tuple[str, str]:
    return f"{found.weights[player]:.3f}", f"{found.ratings[player] + 0.0:{form}}"


def _cycles(standings: Standings) -> str:
    """Whether it is decided that somebody beats somebody who beats somebody who beats it."""
    names = standings.field.names
    found = standings.cycles
    if not found:
        return "No cycle of three, each beating the next, is decided."
    told = "; ".join(
        " beats ".join(names[one] for one in (*three, three[0])) for three in found[:3]
    )
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return f"The field is intransitive: {told}{more}."
