"""A tournament's report: one JSON, CSV, Markdown and self-contained HTML file, and pictures."""

import base64
import csv
import html
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.evaluation.asking import AgentFault, fault_dict
from agents.evaluation.plots import picture_paths
from agents.evaluation.provenance import made_by, provenance
from agents.evaluation.report import markdown_table
from agents.evaluation.standings import Standings
from agents.evaluation.style import shares
from agents.evaluation.tournament_tables import Section, heading, lineup_text, sections
from agents.whole_files import write_whole
from razz_env.envs.agent import identity_of

STYLE_SHEET = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1em 0; }
th, td { border-bottom: 1px solid #ccc; padding: .2em .7em; }
th, td { text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
div { overflow-x: auto; } img { max-width: 100%; } pre { white-space: pre-wrap; }
"""


def write_report(
    standings: Standings,
    folder: Path,
    command: str,
    finished: bool = True,
    fault: AgentFault | None = None,
    pictures: Sequence[Path] = (),
) -> None:
    """Write `report.json`, `report.csv`, `report.md` and `report.html` into a folder.

    Nothing that is written depends on workers, interruptions or the clock. Pictures of an earlier
    report, which may show fewer decks, are deleted from the folder's `plots`.

    Args:
        standings: of the tournament.
        folder: that exists.
        command: that makes the same report.
        finished: whether all decks have been played.
        fault: what a player did that ended it.
        pictures: PNG files of these standings, from `agents.evaluation.plots.draw_all`; they become
            part of the HTML page.
    """
    parts = sections(standings)
    title = heading(standings)
    if not finished:
        title = f"Unfinished, {standings.field.decks:,} decks were asked for. {title}"
    if fault is not None:
        title = f"{title} It was ended by a player. {fault}"
    notes = made_by(command)
    told = report_dict(standings, command) | {"finished": finished, "fault": fault_dict(fault)}
    files = {
        "report.json": json.dumps(told, indent=1),
        "report.csv": csv_text(standings),
        "report.md": markdown_text(title, parts, notes),
        "report.html": html_text(
            title, parts, notes, {path.stem: path.read_bytes() for path in pictures}
        ),
    }
    for stale in set(picture_paths(folder / "plots")) - set(pictures):
        stale.unlink(missing_ok=True)
    for name, text in files.items():
        write_whole(folder / name, text.rstrip("\n").encode() + b"\n")


def report_dict(standings: Standings, command: str) -> dict[str, Any]:
    """Everything that the other files tell, and more digits, ready for JSON."""
    field = standings.field
    return {
        **provenance(command, field.players),
        "definition": field.definition(),
        "names": list(field.names),
        "decks": standings.decks,
        "hands": standings.hands,
        "players": [_player(standings, player) for player in standings.order],
        "crosstable": [
            [cell and cell.to_dict(standings.decks) for cell in row] for row in standings.crosstable
        ],
        "matches": [
            {
                "player": field.names[match.player],
                "others": [field.names[other] for other in match.others],
                "bootstrap": list(match.bootstrap),
                "estimates": [one.to_dict(standings.decks) for one in match.estimates],
            }
            for match in standings.matches
        ],
        "comparisons": [
            asdict(one) | {"one": field.names[one.one], "other": field.names[one.other]}
            for one in standings.comparisons
        ],
        "cycles": [[field.names[one] for one in three] for three in standings.cycles],
    }


def csv_text(standings: Standings) -> str:
    """A line for every estimate of every match."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    columns = ("player", "against", "decks", "estimate", "bb_per_100", "mbb_per_hand")
    table.writerow([*columns, "standard_error", "low", "high", "anytime_low", "anytime_high"])
    for match in standings.matches:
        for one in match.estimates:
            who = standings.field.names[match.player], lineup_text(standings, match)
            figures = one.bb_per_100, one.mbb_per_hand, one.standard_error
            ends = *one.normal, *(one.anytime(standings.decks) or ("", ""))
            table.writerow([*who, standings.decks, one.name, *figures, *ends])
    return out.getvalue()


def markdown_text(title: str, parts: list[Section], notes: str) -> str:
    """The report as Markdown."""
    texts = ["# Razz tournament", title]
    for part in parts:
        texts += [f"## {part.title}", part.text]
        if part.rows:
            texts.append(markdown_table(part.header, part.rows))
    return "\n\n".join([*texts, "## How it was made", f"```\n{notes}\n```"])


def html_text(title: str, parts: list[Section], notes: str, pictures: Mapping[str, bytes]) -> str:
    """The report as one page that needs nothing else; pictures are PNG by name."""
    body = ["<h1>Razz tournament</h1>", f"<p>{html.escape(title)}</p>"]
    for part in parts:
        body += [f"<h2>{html.escape(part.title)}</h2>", f"<p>{html.escape(part.text)}</p>"]
        body.append(f"<div>{_html_table(part)}</div>" if part.rows else "")
    if pictures:
        body.append("<h2>Pictures</h2>")
    for name, picture in pictures.items():
        data = base64.b64encode(picture).decode()
        body.append(f'<p><img alt="{html.escape(name)}" src="data:image/png;base64,{data}"></p>')
    body.append(f"<h2>How it was made</h2><pre>{html.escape(notes)}</pre>")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Razz tournament</title><style>{STYLE_SHEET}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>"
    )


def _player(standings: Standings, player: int) -> dict[str, Any]:
    alpha = standings.alpha
    return {
        "name": standings.field.names[player],
        "identity": identity_of(standings.field.players[player]),
        "total": standings.totals()[player].to_dict(standings.decks),
        "nash_weight": float(standings.nash.weights[player]),
        "nash_rating": float(standings.nash.ratings[player]),
        "lottery_weight": float(standings.lottery.weights[player]),
        "alpha_rank": None if alpha is None else float(alpha[player]),
        "style": shares(standings.style(player)),
    }


def _html_table(part: Section) -> str:
    def row(cells: Any, kind: str) -> str:
        return "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in cells)

    lines = [f"<tr>{row(part.header, 'th')}</tr>"]
    lines += [f"<tr>{row(cells, 'td')}</tr>" for cells in part.rows]
    return f"<table>{''.join(lines)}</table>"
