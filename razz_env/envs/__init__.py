"""Floor 3: environments over the rules and observations.

`aec` is one table for PettingZoo, `seat` one learning seat for Gymnasium, `batch` many tables in
numpy; `vector` and `sb3` are the learning seat at many tables, for Gymnasium and
Stable-Baselines3. `agent` says what a player is, `opponents` finds players by name.
"""
