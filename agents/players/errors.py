"""What is wrong with a file that should hold a player."""


class ModelError(ValueError):
    """A model file that cannot be used: missing, damaged, or trained on something else."""
