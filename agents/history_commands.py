"""The functions behind `razz convert` and `razz replay`. They print, and return an exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agents.paths import refuse_players
from razz_env.history.convert import ConversionSummary, convert
from razz_env.history.reading import scan
from razz_env.history.source import Failed, Found, Skipped
from razz_env.history.story import tell
from razz_env.history.writing import Format

if TYPE_CHECKING:
    from rich.console import Console

_FAILURES_SHOWN = 20


def convert_command(
    inputs: list[Path],
    /,
    *,
    out: Path,
    to: Format | None = None,
    encoding: str | None = None,
    rules: str | None = None,
    check: bool = True,
    failures: int = _FAILURES_SHOWN,
) -> int:
    """Convert hand histories between PHH, PokerStars text, Full Tilt text and JSON.

    Hands of other games are skipped and counted, damaged hands are listed with file, line, hand
    and reason, and neither keeps the others from being written.

    Args:
        inputs: Files or folders, in any of the formats.
        out: The file to write; it appears whole at the end.
        to: The format: phh, pokerstars, fulltilt or json. By default the ending of `out` tells.
        encoding: Encoding of the inputs; UTF-8 and UTF-16 are recognised.
        rules: Preset of the rules the hands were played by, such as wsop_live. By default that of
            their room; PHH without rules of its own is read by PokerKit's.
        check: Refuse hands that the rules contradict under every preset.
        failures: How many failures to list.

    Returns:
        0 when every hand of Razz was written, 1 when some failed, 2 when there was none, the files
        cannot be read or written, or `out` has the ending of a player's file.
    """
    console = _console(to_stderr=out.exists() and not out.is_file())
    try:
        refuse_players(out, "--out", ".phhs")
        with _progress(console) as on_progress:
            summary = convert(
                inputs,
                out,
                to,
                encoding=encoding,
                rules=rules,
                check=check,
                on_progress=on_progress,
            )
    except (OSError, ValueError) as error:
        _say(str(error), console, "red")
        return 2
    _print_summary(summary, out, failures, console)
    return summary.exit_status


def _console(*, to_stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=to_stderr)


def _say(line: str, console: Console, style: str = "") -> None:
    """Print a line as it is, but for signs that would command the terminal."""
    plain = "".join(sign if sign.isprintable() else "\ufffd" for sign in line)
    console.print(plain, style=style, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _progress(console: Console) -> Iterator[Callable[[int, int], None]]:
    """A progress bar by the size of the files; none where the output is no terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("reading"), BarColumn(), TextColumn("{task.percentage:.0f} %")
    with Progress(
        *columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("reading")

        def on_progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=max(total, done))

        yield on_progress


def _print_summary(summary: ConversionSummary, out: Path, failures: int, console: Console) -> None:
    where = f"into {out}" if summary.imported else f"so {out} is not written"
    _say(f"imported {summary.imported:,} hands, {where}", console)
    _say(f"skipped  {sum(summary.skipped.values()):,} hands of other games", console)
    for game, count in summary.skipped.most_common():
        _say(f"         {count:,} of {game}", console)
    _say(f"failed   {summary.failures:,}", console)
    for failed in summary.failed[:failures]:
        _say(f"         {failed}", console)
    if summary.failures > failures:
        _say(f"         and {summary.failures - failures:,} more", console)
    for kind, count in summary.warnings.items():
        _say(f"note: {count:,} hands differ from their room's rules in {kind}", console)
    for kind, count in summary.lost.items():
        _say(f"note: {count:,} hands lose {kind}, which this format does not print", console)


def replay_command(
    file: Path,
    /,
    *,
    hand: str | None = None,
    quiet: bool = False,
    encoding: str | None = None,
    rules: str | None = None,
    web: bool = False,
    port: int = 8000,
    players: tuple[str, ...] = (),
) -> int:
    """Replay hands street by street through the engine and report where file and rules disagree.

    Args:
        file: A file or folder of hand histories in any of the formats.
        hand: The number of the one hand to replay; by default all.
        quiet: Print only the hands that disagree with the rules.
        encoding: Encoding of the file; UTF-8 and UTF-16 are recognised.
        rules: Preset of the rules to replay by, such as wsop_live. By default that of the room; PHH
            without rules of its own is read by PokerKit's.
        web: Step through the hands in a browser instead, with equities and the word of players.
        port: Port of the browser page; 0 takes a free one.
        players: Players to ask there, beside those of the package, such as
            ppo:runs/quick/model.zip.

    Returns:
        0 when file and rules agree in every hand, 1 when some hand disagrees or cannot be read, 2
        when there is no such hand or file.
    """
    console = _console()
    if web:
        return _replay_in_browser(file, hand, encoding, rules, port, players, console)
    counts: Counter[str] = Counter()
    unnumbered = 0
    try:
        for result in scan([file], encoding=encoding, rules=rules):
            if hand is None or _number(result) == hand:
                counts[_replay(result, quiet, console)] += 1
            elif not _number(result):
                unnumbered += 1
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        _say(str(error), console, "red")
        return 2
    if not counts:
        _say(_nothing(file, hand, unnumbered), console, "red")
        return 2
    named = ("agree", "disagree", "skipped", "failed")
    _say(", ".join(f"{counts[name]:,} {name}" for name in named), console)
    return 1 if counts["disagree"] or counts["failed"] else 0


def _replay_in_browser(
    file: Path,
    hand: str | None,
    encoding: str | None,
    rules: str | None,
    port: int,
    players: tuple[str, ...],
    console: Console,
) -> int:
    """Serve the hands that can be read; the status is that of `replay_command`."""
    try:
        from agents.web.command import show_records
    except ModuleNotFoundError as missing:
        needs = f"`razz replay --web` needs {missing.name!r}, which is not installed"
        advice = f'{needs}: pip install "razz-env[web]"'
        raise ModuleNotFoundError(advice, name=missing.name) from missing
    try:
        results = [
            result
            for result in scan([file], encoding=encoding, rules=rules)
            if hand is None or _number(result) == hand
        ]
        records = [result.record for result in results if isinstance(result, Found)]
        for problem in results:
            if not isinstance(problem, Found):
                _say(str(problem), console, "yellow")
        if not records:
            _say(_nothing(file, hand, 0), console, "red")
            return 2
        show_records(records, players, port)
    except (OSError, ValueError) as error:
        _say(str(error), console, "red")
        return 2
    return 0


def _nothing(file: Path, hand: str | None, unnumbered: int) -> str:
    if hand is None:
        return f"There is no hand in {file}."
    others = f"; {unnumbered:,} of its hands have no number" if unnumbered else ""
    return f"There is no hand {hand} in {file}{others}."


def _number(result: Found | Skipped | Failed) -> str:
    return result.record.hand_id if isinstance(result, Found) else result.hand_id


def _replay(result: Found | Skipped | Failed, quiet: bool, console: Console) -> str:
    """Print one hand and return what to count it as."""
    if isinstance(result, Found):
        try:
            lines, said = tell(result.record)
        except ValueError as error:
            result = Failed(str(error), result.file, result.line, result.record.hand_id)
        else:
            if not (quiet and said.agrees):
                if not result.record.hand_id:
                    _say(f"{result.file}, line {result.line}:", console)
                _print_hand(lines, console)
            return "agree" if said.agrees else "disagree"
    _say(str(result), console, "yellow")
    return "skipped" if isinstance(result, Skipped) else "failed"


def _print_hand(lines: list[str], console: Console) -> None:
    for number, line in enumerate(lines):
        style = "bold" if number == 0 or not line.startswith(("  ", "!")) else ""
        _say(line, console, "red" if line.startswith("!") else style)
    console.print()
