"""Players under the one Agent protocol: the basic ones, the scripted ones and trained policies."""
