"""Razz as a game of OpenSpiel: importing this package registers `razz`.

```python
import pyspiel

import razz_env.openspiel

game = pyspiel.load_game("razz(num_players=3,rules=pokerstars)")
```

docs/openspiel.md tells what the parameters mean. The extra `openspiel` brings what is needed.
"""

try:
    import pyspiel  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "razz_env.openspiel needs OpenSpiel, which is not installed: "
        'pip install "razz-env[openspiel]"',
        name=missing.name,
    ) from missing

from razz_env.openspiel.game import RazzGame, RazzState

__all__ = ["RazzGame", "RazzState"]
