"""The names of lows as rooms print them, and whether a printed name fits a low."""

import re

from razz_env.rules.cards import RANKS
from razz_env.rules.lowball import RANK_NAMES, Low

_RANK_LIST = re.compile(r"[AKQJT2-9](?:,[AKQJT2-9])+")
_PAIR = re.compile(r"a pair of (\w+)")


def _plural(rank: int) -> str:
    name = RANK_NAMES[rank].capitalize()
    return f"{name}es" if name == "Six" else f"{name}s"


def low_text(low: Low) -> str:
    """`"8,6,4,3,2"`, `"a pair of Sevens"`, `"two pair, Kings and Fours"` and so on."""
    groups = [_plural(rank) for rank in dict.fromkeys(low.ranks)]
    match low.category:
        case "no pair":
            return ",".join(RANKS[rank] for rank in low.ranks)
        case "one pair":
            return f"a pair of {groups[0]}"
        case "two pair":
            return f"two pair, {groups[0]} and {groups[1]}"
        case "full house":
            return f"a full house, {groups[0]} full of {groups[1]}"
        case kind:
            return f"{kind}, {groups[0]}"


def text_fits(text: str, low: Low) -> bool:
    """Whether a printed name can be that of a low; names of unknown shape always can."""
    if ranks := _RANK_LIST.match(text):
        return ranks[0] == ",".join(RANKS[rank] for rank in low.ranks)
    if pair := _PAIR.match(text):
        return low.category == "one pair" and pair[1].lower() == _plural(low.ranks[0]).lower()
    return True
