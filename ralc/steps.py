"""A step of a run: what its models are asked, and the table that is made of what they reply.

A method of a step is a class. A module with a step has them in `METHODS`, by their names in the configuration. Two
stubs of the workflow render and parse every step: its tables are its rule's inputs, by their names.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pandas as pd

from ralc.protocols import Protocol, resolve


class Step(ABC):
    """A step by one method; its parameters are what it needs of the configuration.

    Parameters
    ----------
    protocol : str or Protocol
        The choices of the run; a step depends on few of them.
    seed : int
        Of the run: the seeds of requests derive from it.
    """

    def __init__(self, *, protocol: str | Protocol = "ralc", seed: int = 0) -> None:
        self.protocol = resolve(protocol)
        self.seed = seed

    def ask(self, *tables: pd.DataFrame, model: Mapping[str, Any]) -> pd.DataFrame:
        """Return the requests table to one model, its entry of the configuration; ValueError where none is asked."""
        raise ValueError(f"{type(self).__name__} asks no model")

    @abstractmethod
    def result(self, *tables: pd.DataFrame, replies: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the step's table; `replies` are those to its requests (`ralc.llm.tables.join`), None without any."""


def build(module: str, method: str, *, protocol: Mapping[str, Any], **needed: Any) -> Step:
    """Return the step of a module of `ralc` by its method, with some choices of a protocol.

    >>> build("grading.grader", "reference", protocol={"not_attempted": "dropped"}).protocol.not_attempted
    'dropped'
    """
    methods = import_module(f"ralc.{module}").METHODS
    if method not in methods:
        raise ValueError(f"{module}: {method!r} is not one of {', '.join(methods)}")
    return methods[method](protocol=resolve(**protocol), **needed)
