"""Registration of the environments by name: they are imported when they are made.

`razz_env` calls `register` when it is imported. A registry must be imported before anything can be
entered, so this imports Gymnasium and PettingZoo. That is nearly all that `import razz_env` costs:
about 0.06 s after NumPy, 0.15 s with it.
"""

import gymnasium
import pettingzoo

AEC_ID = "razz_env/razz-v0"
SEAT_ID = "razz_env/Razz-v0"


def register() -> None:
    """Make the ids known to PettingZoo and to Gymnasium; twice does no harm."""
    if AEC_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", AEC_ID, entry_point="razz_env.envs.aec:env")
    if SEAT_ID not in gymnasium.registry:
        gymnasium.register(
            SEAT_ID,
            entry_point="razz_env.envs.seat:RazzSeatEnv",
            vector_entry_point="razz_env.envs.vector:RazzVectorEnv",
        )
