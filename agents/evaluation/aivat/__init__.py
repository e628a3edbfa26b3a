"""AIVAT: estimates of what players win that are as unbiased as chips and scatter less."""

from agents.evaluation.aivat.estimator import Aivat

__all__ = ["Aivat"]
