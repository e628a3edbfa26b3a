"""The JSON report of `razz evaluate`, kept up to date while the match is played."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from agents.evaluation.asking import AgentFault, fault_dict
from agents.evaluation.match import Match
from agents.evaluation.progress import Progress
from agents.evaluation.provenance import provenance
from agents.evaluation.request import MatchRequest
from agents.whole_files import is_device, write_json

SAVE_SECONDS = 5.0


class MatchReport:
    """A report on a match, and its file if there is one: it appears whole or not at all.

    It tells the request, its origin (`agents.evaluation.provenance`), and under `matches` the one
    match as far as it was played, or none if that is less than two decks. `finished` says whether
    it was played to its end, `fault` what a player did that ended it.
    """

    def __init__(self, request: MatchRequest, match: Match, file: Path | None) -> None:
        """A report on a match that has not begun."""
        self._match = match
        self._file = file
        self._origin = {
            "request": request.to_dict(),
            **provenance(request.command, match.lineup[:2]),
        }

    def told(
        self, finished: bool, fault: AgentFault | None = None, quickly: bool = False
    ) -> dict[str, Any]:
        """The report of now, ready for JSON; `quickly` without the interval of the bootstrap."""
        return {
            **self._origin,
            "finished": finished,
            "fault": fault_dict(fault),
            "matches": [] if self._match.decks_done < 2 else [_match_dict(self._match, quickly)],
        }

    def write(self, finished: bool, fault: AgentFault | None = None) -> None:
        """Write the report of now, if there is a file.

        Raises:
            ValueError: it cannot be written.
        """
        if self._file is not None:
            self._save(self.told(finished, fault))

    def kept_by(self, progress: Progress | None) -> Progress:
        """A progress that writes an unfinished report every few seconds, for the case of a crash.

        A device gets the last report only; and one that cannot be written ends no match.

        Args:
            progress: to be called as well.
        """
        saved = time.monotonic()
        is_kept = self._file is not None and not is_device(self._file)

        def keep(done: int, total: int) -> None:
            nonlocal saved
            if is_kept and time.monotonic() - saved > SAVE_SECONDS:
                with suppress(ValueError):
                    self._save(self.told(finished=False, quickly=True))
                saved = time.monotonic()
            if progress is not None:
                progress(done, total)

        return keep

    def _save(self, told: dict[str, Any]) -> None:
        assert self._file is not None
        write_json(self._file, told)


def _match_dict(match: Match, quickly: bool) -> dict[str, Any]:
    result = match.result()
    return result.to_dict() | {"bootstrap": None if quickly else list(result.bootstrap)}
