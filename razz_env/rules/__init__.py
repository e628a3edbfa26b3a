"""Floor 1: the rules of Razz. RULES cited in this package are the sections of docs/rules.md."""
