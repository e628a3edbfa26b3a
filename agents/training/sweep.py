"""Sweeps: several configurations with several seeds, one after the other, and one table.

runs/<sweep>/
    <config>-seed<seed>/    a run's folder
    table.csv               all final ratings
    table.md                the same by configuration: means over seeds, with intervals
"""

import csv
import io
import math
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from agents.evaluation.report import markdown_table
from agents.evaluation.statistics import load_scipy
from agents.lock import locked
from agents.training.arguments import SweepRequest
from agents.training.checkpoints import RunFolder, telling_unsaved
from agents.training.config import ConfigError, Section, TrainingConfig
from agents.training.logs import RATING_COLUMNS, load_wandb
from agents.training.runner import carry_out, resumed, write_pages
from agents.training.self_play import SelfPlay, check_players, torch_threads
from agents.whole_files import write_whole

COLUMNS = ("config", "seed", *RATING_COLUMNS)
WAY_OUT = "the same command"
Line = dict[str, Any]


def run_sweep(request: SweepRequest) -> Path:
    """Train all that is not trained yet; the folder with the table.

    A run that was stopped, even killed, goes on from its last checkpoint and ends with the weights
    of one that was not.

    Raises:
        ConfigError: a configuration that cannot be used, or the folder holds a run of another one.
        ModelError: damaged files.
        FolderInUse: another training runs in the folder.
        Unsaved: a file cannot be written; what was written before is whole.
        KeyboardInterrupt: the same command goes on.
    """
    for config in request.configs:
        check_players(config, request.cluster)
    if request.wandb:
        load_wandb()
    folder = request.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"runs: no folder can be made there: {error}.") from error
    lines: list[Line] = []
    with locked(folder):
        for number, (config, path) in enumerate(_runs(request), 1):
            print(f"Run {number} of {len(request.configs) * len(request.seeds)}: {path}")
            ratings = _trained(config, path, request)
            lines += [{"config": config.name, "seed": config.seed, **one} for one in ratings]
            _write_tables(folder, lines)
    print((folder / "table.md").read_text(encoding="utf-8"))
    return folder


def _runs(request: SweepRequest) -> Iterable[tuple[TrainingConfig, Path]]:
    """What is to be trained, and where."""
    for config in request.configs:
        for seed in request.seeds:
            one = config.model_copy(update={"seed": seed})
            yield one, request.folder / f"{config.name}-seed{seed}"


def _trained(config: TrainingConfig, path: Path, request: SweepRequest) -> list[Line]:
    """The final ratings of a run, which is trained as far as it is not."""
    folder = RunFolder.at(path)
    with torch_threads(config.threads), folder.held(), folder.telling(WAY_OUT):
        session = _session(config, folder, request)
        if session is not None:
            carry_out(session)
        elif folder.lacks_pages():
            write_pages(folder)
        ratings = folder.ratings(config.frames)
    assert ratings is not None
    return ratings


def _session(config: TrainingConfig, folder: RunFolder, request: SweepRequest) -> SelfPlay | None:
    """A session that goes on with a run; None if it is trained and rated."""
    options: dict[str, Any] = {"wandb": request.wandb, "cluster": request.cluster}
    if not folder.model_path.exists():
        return SelfPlay(config, folder, only_checkpoints=True, **options)
    folder.check()
    _refuse_other(folder.path, folder.config, config)
    if folder.ratings(config.frames) is not None:
        return None
    return resumed(config, folder, only_checkpoints=True, **options)


def _refuse_other(path: Path, earlier: TrainingConfig, config: TrainingConfig) -> None:
    """Refuse a run that was begun with another configuration."""
    for key, before, now in _differences(earlier, config):
        raise ConfigError(
            f"{path} was begun with {key}={before!r}, not {now!r}: give the sweep another name "
            "with --sweep, or delete that folder."
        )


def _differences(one: Section, other: Section, prefix: str = "") -> Iterable[tuple[str, Any, Any]]:
    """The keys in which two configurations differ, with their values."""
    for key in type(one).model_fields:
        before, now = getattr(one, key), getattr(other, key)
        if isinstance(before, Section):
            yield from _differences(before, now, f"{prefix}{key}.")
        elif before != now:
            yield f"{prefix}{key}", before, now


def _write_tables(folder: Path, lines: Sequence[Line]) -> None:
    """Write both tables as far as there is something to tell; they appear whole.

    Raises:
        Unsaved: one cannot be written.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    with telling_unsaved(folder, WAY_OUT, lambda: True):
        write_whole(folder / "table.csv", text.getvalue().encode())
        write_whole(folder / "table.md", summary(lines).encode())


def summary(lines: Sequence[Line]) -> str:
    """Means over seeds by configuration, table size and opponent, as Markdown.

    The interval is Student's at 95 %, of the seeds' ratings; with one seed it is that of its match.
    Snapshots are different ones in every run and are left out.
    """
    groups: dict[tuple[str, int, str], list[Line]] = {}
    for line in lines:
        if not line["opponent"].startswith("snapshot:"):
            key = line["config"], line["players"], line["opponent"]
            groups.setdefault(key, []).append(line)
    rows = [
        (config, str(players), opponent, str(len(group)), *_mean(group))
        for (config, players, opponent), group in groups.items()
    ]
    head = ("config", "players", "opponent", "seeds", "BB/100", "95 % interval", "each seed")
    return markdown_table(head, rows) + "\n"


def _mean(group: Sequence[Line]) -> tuple[str, str, str]:
    values = [line["bb_per_100"] for line in group]
    mean = statistics.fmean(values)
    low, high = group[0]["low"], group[0]["high"]
    if len(values) > 1:
        error = statistics.stdev(values) / math.sqrt(len(values))
        half = float(load_scipy("stats").t.ppf(0.975, len(values) - 1)) * error
        low, high = mean - half, mean + half
    each = ", ".join(f"{line['seed']}: {line['bb_per_100']:+.1f}" for line in group)
    return f"{mean:+.2f}", f"{low:+.2f} to {high:+.2f}", each
