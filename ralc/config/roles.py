"""Who does each step: a method, and the models that it asks; and who reads."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, model_validator

from ralc.config.sections import Count, Section, distinct
from ralc.evaluators import EVALUATORS, method


class Role(Section):
    """Who does a step: a method and, where it is a model, the models."""

    method: str
    """How the step is done."""
    models: list[str] = []
    """Who does it, where the method asks models: keys of `models`."""

    @property
    def described(self) -> str:
        """Method and models in words."""
        return f"{self.method} ({', '.join(self.models)})" if self.models else self.method


#: The methods of each role, and whether they need models; None where they may have one.
ROLE_METHODS: dict[str, dict[str, bool | None]] = {
    "clusterer": {"lexical": False, "llm": True},
    "grader": {"reference": False, "llm": True, "recorded": False},
    "support": {"overlap": False, "entailment": True, "llm": True},
    "rewriter": {"guided": None, "llm": True},
    "preservation": {"overlap": False, "entailment": True},
}


class Roles(Section):
    """Who does each step (paper section 5.1): a method, and the models that it asks."""

    clusterer: Role = Role(method="lexical")
    """Which answers mean the same: `lexical` (overlap of words) or `llm`."""
    grader: Role = Role(method="reference")
    """Which answers are correct: `reference` (accepted aliases), `llm`, or `recorded` (the grades in the files of
    recorded samples)."""
    support: Role = Role(method="overlap")
    """What the other answers say of each sentence, for signals of sentences: `overlap` (shared words), `entailment` (a
    model of that engine, as LUQ) or `llm` (a language model, as SelfCheckGPT); a model tells contradictions, too, and
    is asked once for each sentence and other answer."""
    evaluator: str = "cue_model"
    """Who reads in the loop: a key of `evaluators`."""
    test_evaluators: Annotated[list[str], AfterValidator(distinct)] = ["cue_model_b", "embedding_regression"]
    """Who reads apart from the loop: keys of `evaluators`; the headline is read by the first that is independent of the
    loop by the five bars of `ralc/data/evaluator_checks.csv`, else by the first."""
    rewriter: Role = Role(method="guided", models=["smollm2"])
    """Who writes the hedges into the answers: `guided` (small models) or `llm`."""
    preservation: Role = Role(method="overlap")
    """Who judges how much of an answer its rewrite keeps: `overlap` (shared content words) or `entailment` (the
    paper's, by one model of that engine)."""

    @property
    def evaluators(self) -> list[str]:
        """All who read, each once."""
        return self.evaluators_as(("evaluator", "test_evaluators"))

    def evaluators_as(self, roles: Iterable[str]) -> list[str]:
        """Return who reads in some roles, `evaluator` and `test_evaluators`, each once."""
        named = {"evaluator": [self.evaluator], "test_evaluators": self.test_evaluators}
        return list(dict.fromkeys(name for role in roles for name in named[role]))

    def items(self) -> Iterator[tuple[str, Role]]:
        """Each role that has a method of its own, with its name."""
        return ((name, getattr(self, name)) for name in ROLE_METHODS)

    @model_validator(mode="after")
    def _methods_exist(self) -> Self:
        if self.evaluator in self.test_evaluators:
            raise ValueError(f"test_evaluators: {self.evaluator!r} chooses the words, so it cannot test them")
        for name, role in self.items():
            methods = ROLE_METHODS[name]
            if role.method not in methods:
                raise ValueError(f"{name}.method = {role.method!r} is not one of {', '.join(methods)}")
            if methods[role.method] not in (None, bool(role.models)):
                needs = "needs `models`" if methods[role.method] else "takes no `models`"
                raise ValueError(f"{name}.models = {role.models!r}: method {role.method!r} {needs}")
        return self


class EvaluatorEntry(Section):
    """An evaluator of perceived confidence: a method of `ralc.evaluators.EVALUATORS`, and what it needs."""

    method: Literal[tuple(EVALUATORS)]  # type: ignore[valid-type]
    """How it reads: `cue_model` and `cue_model_b` (estimated from human studies), `llm` (the paper's ensemble of
    models) or `embedding_regression` (a regression on one model's embeddings)."""
    models: Annotated[list[str], AfterValidator(distinct)] = []
    """Whom it asks: keys of `models`."""
    cross_domain: bool = True
    """Whether it reads rewrites by other datasets' maps: two thirds of all rewrites with three datasets."""
    passes: Count = 3
    """Readings that an evaluator model makes of a text."""

    @model_validator(mode="after")
    def _method_takes_them(self) -> Self:
        how = method(self.method)
        least, most = how.models
        if not least <= len(self.models) <= (len(self.models) if most is None else most):
            takes = {0: "takes no `models`", 1: "takes one model", None: "needs `models`"}[most]
            raise ValueError(f"models = {self.models!r}: method {self.method!r} {takes}")
        for key in self.model_fields_set - {"method", "models", "cross_domain"} - set(how.options):
            raise ValueError(f"method {self.method!r} has no {key}")
        return self
