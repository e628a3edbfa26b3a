"""What a player does in a spot, and what there is to know there: `razz inspect`.

`read_spot` makes a hand of a text such as "(A2)3 | K | 7"; `look_at` tells what a player does with
what a seat sees of it.
"""

from agents.inspection.insight import Choice, Insight, look_at
from agents.inspection.spot import SpotError, read_spot

__all__ = ["Choice", "Insight", "SpotError", "look_at", "read_spot"]
