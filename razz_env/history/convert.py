"""Whole files and folders from one format into another, with an account of every hand."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from razz_env.history.audit import Finding, explain, find
from razz_env.history.reading import Source, scan
from razz_env.history.record import HandRecord, HistoryError
from razz_env.history.replay import Replays, completed, replay
from razz_env.history.source import Failed, Found, Skipped, files_of
from razz_env.history.writing import Format, HistoryWriter, is_part_of, lost_facts

CHUNK = 256
"""Hands that are replayed in one call."""

_HARMLESS = ("showdown order", "showdown", "low")
"""Kinds of findings that leave the cards, the moves and the money as they are."""

_KEPT = 1000


@dataclass(slots=True)
class ConversionSummary:
    """What became of the hands.

    Attributes:
        imported: hands that were written.
        skipped: name of another game -> number of its hands.
        failed: the first thousand hands that could not be written, with file, line and reason.
        failures: how many there were.
        warnings: harmless disagreements with the rules, by kind.
        lost: facts that the format has no place for, by kind -> number of hands.
    """

    imported: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: list[Failed] = field(default_factory=list)
    failures: int = 0
    warnings: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)

    @property
    def exit_status(self) -> int:
        """0 when every hand of Razz was written, 1 when some failed, 2 when there was none."""
        if self.failures:
            return 1
        return 0 if self.imported else 2

    def fail(self, failed: Failed) -> None:
        """Count a failure."""
        self.failures += 1
        if len(self.failed) < _KEPT:
            self.failed.append(failed)


def convert(
    sources: Iterable[Source],
    out: str | Path,
    to: Format | None = None,
    *,
    encoding: str | None = None,
    check: bool = True,
    rules: str | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> ConversionSummary:
    """Convert files, folders or texts into one file. Memory does not grow with their size.

    Args:
        sources: paths or texts, as `read`.
        out: the file to write; it appears whole at the end, if any hand was written.
        to: the format; None goes by the ending of `out`.
        encoding: of the sources; UTF-8 and UTF-16 are recognised.
        check: fail hands whose turns, amounts, pots or winners the rules contradict. Without it
            only hands that cannot be replayed fail.
        rules: the preset to read all hands under; None goes by each hand's room.
        on_progress: called with the characters read so far and the bytes there are in all.

    Raises:
        FileNotFoundError: a source that does not exist.
        ValueError: an unknown format or preset, or `out`, or what a stopped writing of it left,
            lies among the sources.
        OSError: `out` cannot be written.
    """
    sources = list(sources)
    files = list(files_of(source for source in sources if not _is_text(source)))
    if Path(out).is_file() and any(file.samefile(out) for file in files):
        raise ValueError(f"{out} is one of the files to read: give the result another name.")
    if left := next((f for f in files if is_part_of(f.resolve(), Path(out).resolve())), None):
        raise ValueError(f"{left} is what a stopped writing of {out} left: rename it to read it.")
    summary = ConversionSummary()
    on_read = _reporter(sum(file.stat().st_size for file in files), on_progress)
    results = scan(sources, encoding=encoding, rules=rules, on_read=on_read)
    with HistoryWriter(out, to) as writer:
        for chunk in _chunks(_found(results, summary)):
            _write_chunk(chunk, writer, summary, check)
    summary.imported = writer.count
    return summary


def _is_text(source: Source) -> bool:
    return isinstance(source, str) and "\n" in source


def _reporter(
    total: int, on_progress: Callable[[int, int], None] | None
) -> Callable[[int], None] | None:
    if on_progress is None:
        return None
    done = 0

    def on_read(count: int) -> None:
        nonlocal done
        done += count
        on_progress(done, total)

    return on_read


def _found(
    results: Iterable[Found | Skipped | Failed], summary: ConversionSummary
) -> Iterator[Found]:
    for result in results:
        if isinstance(result, Found):
            yield result
        elif isinstance(result, Skipped):
            summary.skipped[result.game] += 1
        else:
            summary.fail(result)


def _chunks(found: Iterator[Found]) -> Iterator[list[Found]]:
    chunk: list[Found] = []
    for hand in found:
        chunk.append(hand)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _write_chunk(
    chunk: list[Found], writer: HistoryWriter, summary: ConversionSummary, check: bool
) -> None:
    played = _replay_each(chunk, summary)
    for found, (hands, index) in played:
        try:
            record = _trusted(hands, index, summary, check)
            writer.write(record)
            summary.lost.update(lost_facts(record, writer.format))
        except ValueError as error:
            summary.fail(Failed(str(error), found.file, found.line, found.record.hand_id))


def _replay_each(
    chunk: list[Found], summary: ConversionSummary
) -> Iterator[tuple[Found, tuple[Replays, int]]]:
    """The chunk in one replay; hand by hand if one of them cannot even be laid out."""
    try:
        played = replay(found.record for found in chunk)
    except ValueError:
        for found in chunk:
            try:
                yield found, (replay([found.record]), 0)
            except ValueError as error:
                summary.fail(Failed(str(error), found.file, found.line, found.record.hand_id))
        return
    for index, found in enumerate(chunk):
        yield found, (played, index)


def _trusted(played: Replays, index: int, summary: ConversionSummary, check: bool) -> HandRecord:
    """The completed record, under the preset that fits it.

    Raises:
        HistoryError: the rules contradict the hand under every preset.
    """
    findings = list(find(played, index))
    serious = [f for f in findings if f.kind not in _HARMLESS]
    if not serious or (played.fits[index] and not check):
        summary.warnings.update(finding.kind for finding in findings)
        return completed(played, index)
    presets = explain(played.records[index])
    if not presets:
        raise HistoryError(_reason(serious))
    return completed(replay([played.records[index].with_preset(presets[0])]), 0)


def _reason(findings: list[Finding]) -> str:
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return f"the rules contradict it: {findings[0].sentence}{more}"
