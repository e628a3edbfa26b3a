"""The PettingZoo environment in the older habit: `razz_v0.env(...)` and `razz_v0.raw_env(...)`.

The same classes as `pettingzoo.make("aec", "razz_env/razz-v0", ...)` gives.
"""

from razz_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
