"""Equities: the share of the pot that each hand of Razz takes on average when all are dealt out.

```python
from razz_env.equity import equity

print(equity(["A23", "678"], dead="K Kh"))
```

`equity` takes known, partly known and unknown hands and ranges of down cards on any street, and
counts every deal where there are few enough, else samples. `visible_equity` is that of a seat's
view, `known_equities` those of a table of which more cards are known. docs/equity.md tells more.
"""

from razz_env.equity.calculation import SAMPLES, equity
from razz_env.equity.ranges import PAIRS
from razz_env.equity.result import Equity
from razz_env.equity.visible import known_equities, visible_equity

__all__ = ["PAIRS", "SAMPLES", "Equity", "equity", "known_equities", "visible_equity"]
