"""razz_env: the rules of Razz poker, observations and environments.

`Hand` plays one hand; `make_batch` plays thousands in numpy; `razz_v0` and the registered ids
`razz_env/razz-v0` (PettingZoo) and `razz_env/Razz-v0` (Gymnasium) are the environments. Names are
imported when they are first used, so `import razz_env` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from razz_env.rules import lowball
    from razz_env.rules.hand import Hand, IllegalAction
    from razz_env.rules.house_rules import HouseRules
    from razz_env.rules.record import SeatView
    from razz_env.rules.terms import Action, Street

__version__ = "0.1.0"

_HOMES = {
    "Action": "razz_env.rules.terms",
    "Street": "razz_env.rules.terms",
    "Hand": "razz_env.rules.hand",
    "IllegalAction": "razz_env.rules.hand",
    "HouseRules": "razz_env.rules.house_rules",
    "SeatView": "razz_env.rules.record",
    "lowball": "razz_env.rules",
}

__all__ = [
    "Action",
    "Hand",
    "HouseRules",
    "IllegalAction",
    "SeatView",
    "Street",
    "lowball",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'razz_env' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    value = import_module("razz_env.rules.lowball") if name == "lowball" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
