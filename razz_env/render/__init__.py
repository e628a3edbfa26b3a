"""Floor 3: drawings of a table."""
