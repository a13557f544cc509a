"""The stages of a run: who is asked what, and in which files.

A stage is one round of requests to the models of some roles. The workflow makes its jobs of the stages, calls are
counted by them, and `ralc plan` prices them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

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
