"""Estimators by name, for the command line."""

from pathlib import Path

from agents.evaluation.aivat import Aivat
from agents.evaluation.aivat.weights import read_weights
from agents.evaluation.duplicate import Estimator


def named_estimators(name: str | None) -> tuple[Estimator, ...]:
    """The estimators besides chips: none for None, "aivat", or "aivat:FILE" with other numbers.

    Raises:
        ValueError: another name, or a file that holds no value function.
    """
    if name is None:
        return ()
    kind, _, file = name.partition(":")
    if kind != "aivat":
        raise ValueError(f"There is no estimator {name!r}; known: aivat, aivat:FILE.")
    return (Aivat(read_weights(Path(file))) if file else Aivat(),)
