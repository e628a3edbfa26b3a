"""What a run did, as a page of Markdown that the run writes: what to expect of its recipe."""

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.bench.machine import facts
from agents.evaluation.report import (
    copies_text,
    interval_text,
    markdown_table,
    packages_text,
)
from agents.evaluation.statistics import Interval
from agents.players.network import sizes_text
from agents.players.network_file import resumed_note
from agents.training.checkpoints import PACKAGES, RunFolder
from agents.training.config import TrainingConfig
from agents.training.logs import FRAMES, read_log
from agents.training.recipe import recipe_of
from agents.training.run_files import MACHINE
from agents.whole_files import write_whole

TEXT = """\
# {name}

What to expect of

```sh
{command}
```
{resumed}
| what | |
|:--|:--|
{facts}
{picture}
## Ratings at the end

Duplicate matches, one seat against copies of the opponent, every deck in every seat; big bets won
per 100 hands (BB/100).

{ratings}

This page was written by the run.
"""

PICTURE = "\n![The course of the training](page.png)\n"


def write_page(run: RunFolder) -> Path:
    """Write `page.md` into the folder of a run that has been rated; its path.

    Raises:
        ModelError, ConfigError: files of the run that are missing or damaged.
    """
    folder, config, recipe = run.path, run.config, recipe_of(run.model_path)
    told = _facts(folder, config, recipe.sessions)
    text = TEXT.format(
        name=folder.name,
        command=recipe.command,
        resumed=resumed_note(recipe.command, recipe.sessions),
        facts="\n".join(f"| {name} | {value} |" for name, value in told.items()),
        picture=PICTURE if (folder / "page.png").is_file() else "",
        ratings=_ratings(run.ratings(0) or []),
    )
    write_whole(folder / "page.md", text.encode())
    return folder / "page.md"


def _facts(
    folder: Path, config: TrainingConfig, sessions: Sequence[dict[str, Any]]
) -> dict[str, str]:
    table = config.table
    frames, seconds, rate = _pace(folder)
    here = facts(PACKAGES)
    return {
        "game": f"{sizes_text(table.sizes)} players, {json.dumps(table.rules)} rules",
        "seed": str(config.seed),
        "learned from": f"{frames:,} decisions",
        "time": f"{seconds / 60:.0f} minutes of learning, {rate:,.0f} decisions a second at the "
        "median; the ratings come on top",
        **{name: _learned_on(sessions, name) or here[name] for name in (*MACHINE, "packages")},
    }


def _learned_on(sessions: Sequence[dict[str, Any]], name: str) -> str:
    """What the sessions ran on, each answer once; nothing if none has noted it down."""
    told = [_noted(session).get(name) for session in sessions]
    return "; ".join(dict.fromkeys(text for text in told if text))


def _noted(session: dict[str, Any]) -> dict[str, str]:
    """What a session has noted down of its machine and packages, by the names of `facts`."""
    packages = packages_text(session.get("packages", {}))
    return {**session.get("machine", {}), "packages": packages}


def _pace(folder: Path) -> tuple[int, float, float]:
    """Frames of all sessions, the seconds they took, and the median of frames a second."""
    rows = read_log(folder / "progress.csv")
    frames = [0, *(int(row[FRAMES]) for row in rows)]
    rates = [float(row["time/frames_per_second"]) for row in rows]
    seconds = sum(new / rate for new, rate in zip(np.diff(frames), rates, strict=True))
    return frames[-1], seconds, statistics.median(rates or [0.0])


def _ratings(lines: Sequence[dict[str, Any]]) -> str:
    header = ("opponents", "hands", "BB/100", "95 % interval")
    return markdown_table(header, [_rating(line) for line in lines])


def _rating(line: dict[str, Any]) -> tuple[str, ...]:
    return (
        copies_text(line["opponent"], line["players"] - 1),
        f"{line['decks'] * line['players']:,}",
        f"{line['bb_per_100']:+.2f}",
        interval_text(Interval(line["low"], line["high"])),
    )
