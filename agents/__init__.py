"""agents: players, training and rating. Depends on razz_env, never the other way round."""
