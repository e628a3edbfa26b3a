"""What keeps a picture of the documentation from being made here."""


class CannotBeMade(RuntimeError):
    """Something that a picture needs is missing; says what."""
