"""Floor 3: environments over the rules and observations.

`aec` is one table for PettingZoo, `seat` one learning seat for Gymnasium, `batch` many tables in
numpy. `agent` says what a player is, `opponents` finds players by name.
"""
