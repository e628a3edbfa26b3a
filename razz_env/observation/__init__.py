"""Floor 2: what a seat sees, as numbers.

A `SeatView` (made by `Hand.view` and by the batch) is all that a seat may know; `encode` turns it
into a float32 vector whose layout is `spec(...)`.
"""

from razz_env.observation.beliefs import pair_counts, uniform_beliefs, unseen_ranks
from razz_env.observation.encoding import encode, encode_batch
from razz_env.observation.spec import MODES, ObservationSpec, Part, Slice, spec
from razz_env.rules.record import SEAT_VIEW, SeatView

__all__ = [
    "MODES",
    "SEAT_VIEW",
    "ObservationSpec",
    "Part",
    "SeatView",
    "Slice",
    "encode",
    "encode_batch",
    "pair_counts",
    "spec",
    "uniform_beliefs",
    "unseen_ranks",
]
