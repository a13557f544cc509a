"""A step of a run: what its models are asked, and the table that is made of what they reply.

A method of a step is a class. A module with a step has them in `METHODS`, by their names in the configuration. Two
stubs of the workflow render and parse every step: its tables are its rule's inputs, by their names.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import repeat
from typing import Any, NamedTuple

import pandas as pd

from ralc.llm import request_for, to_table
from ralc.protocols import PROTOCOLS, Protocol, resolve

# ASSUME: tokens of an answer, of a hedged one, of a hedge with its Beta.
ANSWER_TOKENS = 25
HEDGED_TOKENS = 35
HEDGE_TOKENS = 15


class Workload(NamedTuple):
    """What a run has to do, counted over all of its targets."""

    targets: int
    """Models that answer; each is asked by itself."""
    questions: int
    """Questions that targets answer."""
    question_tokens: float
    """Tokens of a question, with its choices or background, on average."""
    samples: int
    """Direct answers to each question."""
    answers: int
    """Original answers; of long ones their sentences that claim something."""
    sentences: int
    """Most sentences of an answer that claim something."""
    hedged: int
    """Hedged answers."""
    rewrites: int
    """Rewritten answers under all conditions."""
    written: int
    """Those of them that a model writes."""
    chosen: int
    """Those of them that an evaluator chooses among wordings."""
    hedges: int
    """Entries of the lexicon."""
    shortlist: int
    """Hedges of which a place in the answer is tried."""
    hedges_shown: int
    """Hedges among which a model is asked to choose for a rewrite."""
    hedge_sentences: int
    """Sentences with each entry."""
    lists: int
    """Lists of hedges that each source writes."""
    list_tokens: int
    """The longest of them, in tokens."""
    self_questions: int
    """Signals for which a target is asked about its own answers."""


class Calls(NamedTuple):
    """How often a model is asked, at most, and tokens of a prompt and of an answer."""

    requests: int
    answers: int
    prompt_tokens: float
    answer_tokens: float


@dataclass(kw_only=True)
class Step(ABC):
    """A step by one method; its parameters are what it needs of the configuration.

    Parameters
    ----------
    protocol : Protocol
        The choices of the run; a step depends on few of them.
    seed : int
        Of the run: the seeds of requests derive from it.
    """

    protocol: Protocol = PROTOCOLS["ralc"]
    seed: int = 0

    def ask(self, *tables: pd.DataFrame, model: Mapping[str, Any]) -> pd.DataFrame:
        """Return the requests table to one model, its entry of the configuration; ValueError where none is asked."""
        raise ValueError(f"{type(self).__name__} asks no model")

    def requests(
        self,
        fields: Iterable[Mapping[str, Any]],
        ids: pd.DataFrame,
        model: Mapping[str, Any],
        own: str | None = None,
    ) -> pd.DataFrame:
        """Return the requests table to a model; equal requests have equal seeds, and so one draw.

        Parameters
        ----------
        fields
            Those of each request (`ralc.llm.request_for`).
        ids
            What names each, a row a request.
        model
            The model's entry in the configuration.
        own
            A column of `ids`: by the paper's `letter` equal requests have one draw for each of its values.
        """
        salts = [(value,) for value in ids[own]] if own and self.protocol.letter else repeat(())
        drawn = (
            request_for(model, **one).with_content_seed(self.seed, *salt)
            for one, salt in zip(fields, salts, strict=False)
        )
        return to_table(drawn, ids)

    @classmethod
    def calls(cls, run: Workload) -> list[Calls]:
        """Return what the step asks a model in a run, by kinds of requests; nothing where it asks nobody."""
        return []

    @abstractmethod
    def result(self, *tables: pd.DataFrame, replies: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the step's table; `replies` are those to its requests (`ralc.llm.tables.join`), None without any."""


def build(module: str, method: str, *, protocol: Mapping[str, Any], **needed: Any) -> Step:
    """Return the step of a module of `ralc` by its method.

    Parameters
    ----------
    module
        Below `ralc`, with `METHODS`.
    method
        One of these.
    protocol
        The choices of the run's protocol that the step depends on, by name; all others are ralc's.
    needed
        The other parameters of the step's class.

    Raises
    ------
    ValueError
        If the module has no such method.

    Examples
    --------
    >>> build("grading.grader", "reference", protocol={"not_attempted": "dropped"}).protocol.not_attempted
    'dropped'
    """
    methods = import_module(f"ralc.{module}").METHODS
    if method not in methods:
        raise ValueError(f"{module}: {method!r} is not one of {', '.join(methods)}")
    return methods[method](protocol=resolve(**protocol), **needed)
