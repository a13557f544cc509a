"""A step of a run: what its models are asked, and the table that is made of what they reply; and the stages of a run.

A method of a step is a class. A module with a step has them in `METHODS`, by their names in the configuration. Two
stubs of the workflow render and parse every step: its tables are its rule's inputs, by their names.

A stage is one round of requests to the models of some roles. The workflow makes its jobs of the stages, calls are
counted by them, and `ralc plan` prices them.
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
#: Who reads the texts of a run; the lexicon's, the candidates and corrections have the selection evaluator alone.
EVALUATORS = ("evaluator", "test_evaluators")
#: The roles that are asked in each stage, in the order of a run. ``target`` are the models that answer, ``source``
#: those that propose hedges; all others are keys of `roles`.
ROLES: dict[str, tuple[str, ...]] = {
    "sample": ("target",),
    "source_hedges": ("source",),
    "cluster": ("clusterer",),
    "grade": ("grader",),
    "support": ("support",),
    "self_evaluation": ("target",),
    "write_lexicon": ("rewriter",),
    "read_lexicon": ("evaluator",),
    "read_answers": EVALUATORS,
    "rewrite": ("rewriter",),
    "read_candidates": ("evaluator",),
    "correct": ("rewriter",),
    "read_corrections": ("evaluator",),
    "grade_rewrites": ("grader",),
    "read_rewrites": EVALUATORS,
    "preserve": ("preservation",),
    "read_people": EVALUATORS,
}


@dataclass(frozen=True)
class Stage:
    """One round of requests."""

    name: str  # as in paths, logs and the counts of calls
    models: Mapping[str, int]  # who is asked, each once, with the number of shards of its requests

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles whose models are asked."""
        return ROLES[self.name]

    @property
    def batch(self) -> str | None:
        """What is read in a stage of evaluators, such as answers or candidates; None in any other."""
        return self.name.removeprefix("read_") if self.name.startswith("read_") else None

    def requests(self, model: str) -> str:
        """Return the table of what a model is asked, below the run's folder."""
        return f"requests/{self.name}/{model}.parquet"

    def responses(self, model: str) -> list[str]:
        """Return the tables of what it answers, one a shard.

        >>> Stage("sample", {"llama": 2}).responses("llama")
        ['responses/sample/llama.1of2.parquet', 'responses/sample/llama.2of2.parquet']
        >>> Stage("sample", {"llama": 1}).responses("llama")
        ['responses/sample/llama.parquet']
        """
        count = self.models[model]
        shards = [f".{number}of{count}" for number in range(1, count + 1)] if count > 1 else [""]
        return [f"responses/{self.name}/{model}{shard}.parquet" for shard in shards]


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

    def constrained(
        self, messages: Any, tokens: int, constraint: Mapping[str, Any], *, free: int
    ) -> dict[str, Any]:
        """Return the fields of a request for a reply of one form, at temperature 0.

        Parameters
        ----------
        messages
            What the model is shown.
        tokens
            Of the longest reply.
        constraint
            Its form; by the paper's `letter` it is asked for in words alone.
        free
            Tokens of the longest reply without a constraint.
        """
        fields = {"messages": messages, "temperature": 0.0}
        if self.protocol.letter:
            return fields | {"max_tokens": free}
        return fields | {"max_tokens": tokens, "constraint": constraint}

    def replied(self, replies: pd.DataFrame | None) -> pd.DataFrame | None:
        """Return the replies to the step's requests; ValueError where it asks a model and has none."""
        if replies is None and type(self).ask is not Step.ask:
            raise ValueError(f"{type(self).__name__}: there are no replies")
        return replies

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
