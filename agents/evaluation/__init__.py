"""Rating: duplicate matches between players, their statistics, tables, and `razz evaluate`.

Results are in BB/100, big bets won per 100 hands, with a 95 % interval over decks.
"""

from agents.evaluation.asking import AgentFault
from agents.evaluation.match import Stopping, play_match, rate
from agents.evaluation.report import rating_heading, rating_table
from agents.evaluation.result import MatchResult

__all__ = [
    "AgentFault",
    "MatchResult",
    "Stopping",
    "play_match",
    "rate",
    "rating_heading",
    "rating_table",
]
