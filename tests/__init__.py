"""The tests, sorted by what they prove, and `python -m tests.check`, which runs every check."""
