"""Hand histories: records, and PHH, PokerStars and Full Tilt text, both ways.

`read` yields a `HandRecord` for every hand of Razz in a file, a folder or a text; `write` puts
records into a file; `HandRecord.to_hand` and `HandRecord.from_hand` lead to the engine and back;
`audit` says where a file and the rules disagree; `convert` does whole folders.
"""

from razz_env.history.audit import Audit, Finding, audit
from razz_env.history.convert import ConversionSummary, convert
from razz_env.history.kernels import UNKNOWN
from razz_env.history.reading import read, scan
from razz_env.history.record import (
    Award,
    Bystander,
    HandRecord,
    HistoryError,
    Move,
    Seat,
    Showing,
    Tournament,
)
from razz_env.history.replay import replay, replay_many
from razz_env.history.source import Failed, Found, Skipped
from razz_env.history.writing import FORMATS, Format, hand_text, write

__all__ = [
    "FORMATS",
    "UNKNOWN",
    "Audit",
    "Award",
    "Bystander",
    "ConversionSummary",
    "Failed",
    "Finding",
    "Format",
    "Found",
    "HandRecord",
    "HistoryError",
    "Move",
    "Seat",
    "Showing",
    "Skipped",
    "Tournament",
    "audit",
    "convert",
    "hand_text",
    "read",
    "replay",
    "replay_many",
    "scan",
    "write",
]
