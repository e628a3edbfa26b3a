"""Razz against players in a terminal: `razz play`."""
