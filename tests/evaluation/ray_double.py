"""A stand-in for Ray that plays in this process: what is sent is pickled, and workers may die."""

from __future__ import annotations

import itertools
import pickle
from types import SimpleNamespace
from typing import Any


class RayError(Exception):
    """As `ray.exceptions.RayError`: something of Ray's went wrong."""


class RayTaskError(RayError):
    """As `ray.exceptions.RayTaskError`: the task raised `cause`."""

    def __init__(self, cause: Exception) -> None:
        super().__init__("the task raised")
        self.cause = cause


class RayDouble:
    """The part of Ray that `agents.evaluation.cluster` uses."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, processors: int = 3, deaths: int = 0) -> None:
        self.processors, self.deaths = processors, deaths
        self.calls: list[str] = []
        self.given = 0  # tasks that wait for somebody to take their result
        self.most_given = 0
        self._open = False
        self._numbers = itertools.count()

    def is_initialized(self) -> bool:
        return self._open

    def init(self, **options: Any) -> None:
        if options["address"] == "nowhere":
            raise ConnectionError("no answer.")
        self._open = True
        self.calls.append("init")

    def shutdown(self) -> None:
        self._open = False
        self.calls.append("shutdown")

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.processors)}

    def get_runtime_context(self) -> Any:
        return SimpleNamespace(get_job_id=lambda: f"job {id(self)}")

    def put(self, value: Any) -> Any:
        return ("put", value)

    def remote(self, **options: Any) -> Any:
        assert options["max_retries"] > 0

        def decorate(function: Any) -> Any:
            def give(*arguments: Any) -> Any:
                self.given += 1
                self.most_given = max(self.most_given, self.given)
                return ("task", function, pickle.dumps(arguments))

            return SimpleNamespace(remote=give)

        return decorate

    def get(self, reference: Any) -> Any:
        if reference[0] == "put":
            return reference[1]
        _, function, sent = reference
        self.given -= 1
        if self.deaths:
            self.deaths -= 1
            raise RayError("The worker died.\nA long story.")
        try:
            return pickle.loads(pickle.dumps(function(*pickle.loads(sent))))
        except Exception as error:
            raise RayTaskError(error) from error

    def cancel(self, reference: Any) -> None:
        self.given -= 1
        self.calls.append("cancel")
