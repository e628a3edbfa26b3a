"""razz_env: the rules of Razz poker, observations and environments.

`Hand` plays one hand; `make_batch` plays thousands in numpy; `razz_v0` and the registered ids
`razz_env/razz-v0` (PettingZoo) and `razz_env/Razz-v0` (Gymnasium) are the environments. Names are
imported when they are first used, so `import razz_env` is quick: its time is that of registering
the ids, for which Gymnasium and PettingZoo themselves are imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from razz_env._pictures import register
from razz_env.envs import registration

if TYPE_CHECKING:
    from razz_env import equity, razz_v0
    from razz_env.envs.batch import make_batch
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
    "make_batch": "razz_env.envs.batch",
}
_MODULES = {
    "equity": "razz_env.equity",
    "lowball": "razz_env.rules.lowball",
    "razz_v0": "razz_env.razz_v0",
}

__all__ = [
    "Action",
    "Hand",
    "HouseRules",
    "IllegalAction",
    "SeatView",
    "Street",
    "equity",
    "lowball",
    "make_batch",
    "razz_v0",
]

registration.register()
register(lambda shown: str(import_module("razz_env.render.notebook").draw(shown)))


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = import_module(_MODULES[name])
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'razz_env' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
