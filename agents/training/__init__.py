"""Self-play training with MaskablePPO: configuration, opponent pool, runs and their folders."""
